%% What is captured, by number and by name, as positions, lists and binaries; once and globally; bytes and characters.
-module(re_gives_captures_in_every_form).
-export([main/0]).

main() ->
    {ok, RE} = re:compile("(?<b>b)(?<a>c)?(x)?"),
    show(element(1, RE)), show(element(2, RE)), show(re:inspect(RE, namelist)),
    Forms = [index, list, binary],
    [show(re:run("abcd", RE, [{capture, What, Form}]))
     || What <- [all, all_but_first, all_names, first, none, [], [2, 0, 7], [b, "a", <<"b">>, z]], Form <- Forms],
    show(re:run("abcd", RE, [{capture, all}])), show(re:run("xyz", RE)), show(re:run("abd", RE)),
    [show(re:run("a1b22", "[a-z](\\d+)", [global, {capture, What, list}])) || What <- [all, all_but_first, first, none, [1]]],
    show(re:run("abc", "x*", [global])), show(re:run("abc", "x*|b", [global])), show(re:run("abc", "x", [global])),
    show(re:run("a\r\nb", "$", [global, multiline, {newline, crlf}])), show(re:run("aXbX", "x", [global, caseless, {offset, 2}])),
    show(re:run([1076, $a, 1079], ".", [unicode, global, {capture, all, list}])),
    show(re:run([1076, $a, 1079], "\\x{437}", [unicode])), show(re:run(<<"дaз"/utf8>>, <<"з"/utf8>>, [{capture, all, binary}])),
    show(re:run(<<"дaз"/utf8>>, [1079], [unicode, {capture, all, binary}])), show(re:run([1044], [1076], [unicode, caseless])),
    show(re:run(<<"é"/utf8>>, "^.$", [unicode])), show(re:run(<<"é"/utf8>>, "^.$")), show(re:run([1076], "\\w", [unicode])),
    show(re:run([1076], "\\w", [unicode, ucp])), show(re:run([1076], "\\p{Cyrillic}\\P{Lu}?", [unicode])),
    show(re:run("ab", "", [notempty])), show(re:run("ab", "x?", [notempty_atstart])), show(re:run("ab", "b", [anchored])),
    show(re:run("ab", "^a", [notbol])), show(re:run("ab", "b$", [noteol])), show(re:run("a\nb", "b", [firstline])),
    show(re:run("ab", "(a)(b)", [no_auto_capture])), show(re:run("aab", "(?:(?<n>x)|(?<n>a))", [dupnames, {capture, [n], list}])),
    show(re:run("a\r", "a\\R")), show(re:run([$a, 133], "a\\R")), show(re:run([$a, 133], "a\\R", [bsr_anycrlf])),
    show(re:run("a\rb", "a.b", [{newline, anycrlf}])), show(re:run("a\rb", "a.b", [{newline, crlf}])), show(re:run(["a", <<"b">>, [$c]], "bc")),
    {ok, Unicode} = re:compile([1076], [unicode]),
    show(re:run([$a, 1076], Unicode)),
    Other = self(),
    spawn(fun() -> Other ! re:run("abcd", RE, [{capture, first, list}]) end),
    show(receive Result -> Result end),
    show(re:version()).

show(X) -> io:format("~0p~n", [X]).

%% expect: re_pattern
%% expect: 3
%% expect: {namelist,[<<"a">>,<<"b">>]}
%% expect: {match,[{1,2},{1,1},{2,1}]}
%% expect: {match,["bc","b","c"]}
%% expect: {match,[<<"bc">>,<<"b">>,<<"c">>]}
%% expect: {match,[{1,1},{2,1}]}
%% expect: {match,["b","c"]}
%% expect: {match,[<<"b">>,<<"c">>]}
%% expect: {match,[{2,1},{1,1}]}
%% expect: {match,["c","b"]}
%% expect: {match,[<<"c">>,<<"b">>]}
%% expect: {match,[{1,2}]}
%% expect: {match,["bc"]}
%% expect: {match,[<<"bc">>]}
%% expect: match
%% expect: match
%% expect: match
%% expect: match
%% expect: match
%% expect: match
%% expect: {match,[{2,1},{1,2},{-1,0}]}
%% expect: {match,["c","bc",[]]}
%% expect: {match,[<<"c">>,<<"bc">>,<<>>]}
%% expect: {match,[{1,1},{2,1},{1,1},{-1,0}]}
%% expect: {match,["b","c","b",[]]}
%% expect: {match,[<<"b">>,<<"c">>,<<"b">>,<<>>]}
%% expect: {match,[{1,2},{1,1},{2,1}]}
%% expect: nomatch
%% expect: {match,[{1,1},{1,1}]}
%% expect: {match,[["a1","1"],["b22","22"]]}
%% expect: {match,[["1"],["22"]]}
%% expect: {match,[["a1"],["b22"]]}
%% expect: match
%% expect: {match,[["1"],["22"]]}
%% expect: {match,[[{0,0}],[{1,0}],[{2,0}],[{3,0}]]}
%% expect: {match,[[{0,0}],[{1,0}],[{1,1}],[{2,0}],[{3,0}]]}
%% expect: nomatch
%% expect: {match,[[{1,0}],[{4,0}]]}
%% expect: {match,[[{3,1}]]}
%% expect: {match,[[[1076]],["a"],[[1079]]]}
%% expect: {match,[{3,2}]}
%% expect: {match,[<<"Ð·">>]}
%% expect: {match,[<<"Ð·">>]}
%% expect: {match,[{0,2}]}
%% expect: {match,[{0,2}]}
%% expect: nomatch
%% expect: nomatch
%% expect: {match,[{0,2}]}
%% expect: {match,[{0,2}]}
%% expect: nomatch
%% expect: {match,[{1,0}]}
%% expect: nomatch
%% expect: nomatch
%% expect: nomatch
%% expect: nomatch
%% expect: {match,[{0,2}]}
%% expect: {match,["a"]}
%% expect: {match,[{0,2}]}
%% expect: {match,[{0,2}]}
%% expect: nomatch
%% expect: nomatch
%% expect: {match,[{0,3}]}
%% expect: {match,[{1,2}]}
%% expect: {match,[{1,2}]}
%% expect: {match,["bc"]}
%% expect: <<"8.44 2020-02-12">>

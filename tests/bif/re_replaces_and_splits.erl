%% replace and split, with every kind of result.
-module(re_replaces_and_splits).
-export([main/0]).

main() ->
    show(re:replace("abcd", "c", "[&]")), show(re:replace("abcd", "x", "[&]")), show(re:replace("abcdcc", "c", "[&]", [global])),
    show(re:replace("cabc", "c", "x", [global])), show(re:replace("abcd", "(b)(c)", "\\2\\1", [{return, list}])),
    show(re:replace("abcdcc", "(c)", "\\\\1\\&\\g1\\g{1}\\2\\9\\10&", [{return, list}])), show(re:replace("abc", "", "-", [global, {return, list}])),
    show(re:replace("abc", "b", "\\x\\", [{return, binary}])), show(re:replace("abc", "^", "x", [{return, list}])),
    show(re:replace("abc", "$", "x", [{return, iodata}])), show(re:replace("abc", "abc", "x")), show(re:replace("", "", "x", [{return, list}])),
    show(re:replace("abc", "b", [1024], [unicode, {return, list}])), show(re:replace([1024, $c], "c", "x", [unicode, {return, binary}])),
    show(re:replace("aXbX", "x", "-", [caseless, {return, list}])), show(re:replace("a.b.c", "\\.", "", [global, {return, list}])),
    show(re:replace("hello world", "(?<w>\\w+) (\\w+)", "\\2 \\g{1}", [{return, binary}])), show(re:replace(<<"abc">>, "x", "y", [{return, list}])),
    show(re:replace("  trim  ", "^\\s+|\\s+$", "", [global, {return, list}])),
    show(re:split("abc", "b")), show(re:split("abc", "x")), show(re:split("abc", "")), show(re:split("a,b,,c,,", ",")),
    show(re:split("a,b,c,,", ",", [trim])), show(re:split("a,b,c,,", ",", [{return, list}])), show(re:split("a,b,c", ",", [{parts, 2}, {return, list}])),
    show(re:split("a,b,c", ",", [{parts, 1}, {return, list}])), show(re:split("a,b,c,,", ",", [{parts, 0}, {return, list}])),
    show(re:split("a,b", ",", [{parts, infinity}])), show(re:split("a1b2c", "([0-9])", [{return, list}])),
    show(re:split("a1b2c", "([0-9])|(x)", [group, {return, list}])), show(re:split("a1b2c", "(x)?([0-9])", [{return, list}])),
    show(re:split("a1b2c", "(x)?([0-9])", [{return, list}, group, trim])), show(re:split("", "x", [{return, list}])),
    show(re:split("", "x", [trim])), show(re:split("", "x", [group])), show(re:split("aaa", "a", [trim])), show(re:split("aaa", "(a)", [trim])),
    show(re:split("aaa", "(a)", [trim, group])), show(re:split([1024, $c, 1025], "c", [unicode, {return, list}])),
    show(re:split("axbxc", "x?", [{return, list}])), show(re:split("axbxc", "x|", [{return, list}])), show(re:split("abc", "\\b", [{return, list}])),
    {ok, RE} = re:compile(" +"),
    show(re:split("a  b c", RE, [{return, list}])), show(re:replace("a  b c", RE, "_", [global, {return, list}])),
    show(re:split("one two", " ", [{return, binary}])), show(re:split("line\none", "$", [multiline, {return, list}])).

show(X) -> io:format("~0p~n", [X]).

%% expect: [<<"ab">>,[<<"[">>,<<"c">>,<<"]">>]|<<"d">>]
%% expect: "abcd"
%% expect: [<<"ab">>,[<<"[">>,<<"c">>,<<"]">>],<<"d">>,[<<"[">>,<<"c">>,<<"]">>],[<<"[">>,<<"c">>,<<"]">>]]
%% expect: [<<"x">>,<<"ab">>,<<"x">>]
%% expect: "acbd"
%% expect: "ab\\1&cccdcc"
%% expect: "-a-b-c-"
%% expect: <<"ax\\c">>
%% expect: "xabc"
%% expect: [<<"abc">>,<<"x">>]
%% expect: [<<"x">>]
%% expect: "x"
%% expect: [97,1024,99]
%% expect: <<208,128,120>>
%% expect: "a-bX"
%% expect: "abc"
%% expect: <<"world hello">>
%% expect: "abc"
%% expect: "trim"
%% expect: [<<"a">>,<<"c">>]
%% expect: [<<"abc">>]
%% expect: [<<"a">>,<<"b">>,<<"c">>,<<>>]
%% expect: [<<"a">>,<<"b">>,<<>>,<<"c">>,<<>>,<<>>]
%% expect: [<<"a">>,<<"b">>,<<"c">>]
%% expect: ["a","b","c",[],[]]
%% expect: ["a","b,c"]
%% expect: ["a,b,c"]
%% expect: ["a","b","c"]
%% expect: [<<"a">>,<<"b">>]
%% expect: ["a","1","b","2","c"]
%% expect: [["a","1",[]],["b","2",[]],["c"]]
%% expect: ["a",[],"1","b",[],"2","c"]
%% expect: [["a",[],"1"],["b",[],"2"],["c"]]
%% expect: [[]]
%% expect: [<<>>]
%% expect: [[<<>>]]
%% expect: []
%% expect: [<<>>,<<"a">>,<<>>,<<"a">>,<<>>,<<"a">>]
%% expect: [[<<>>,<<"a">>],[<<>>,<<"a">>],[<<>>,<<"a">>]]
%% expect: [[1024],[1025]]
%% expect: ["a","b","c",[]]
%% expect: ["a","b","c",[]]
%% expect: ["abc",[]]
%% expect: ["a","b","c"]
%% expect: "a_b_c"
%% expect: [<<"one">>,<<"two">>]
%% expect: ["line","\none",[]]

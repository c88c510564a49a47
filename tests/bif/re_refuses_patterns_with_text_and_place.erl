%% What is wrong with a pattern and where; what is no argument.
-module(re_refuses_patterns_with_text_and_place).
-export([main/0]).

main() ->
    [io:format("~ts ~0p~n", [P, element(2, re:compile(P))])
     || P <- ["a**", "^*", "(?i)*", "a{3,2}", "a{70000}", "[z-a]", "[[:foo:]]", "[:alpha:]", "[[.a.]]", "[a-\\d]", "[a-[:digit:]]", "[", "[]",
              "(?", "(?<", "(?<n", "(?<1n>a)", "(?P", "(?<n>a)(?<n>b)", "(?'n>a)", "\\", "\\c", "\\g", "\\g{", "\\g0", "\\k", "\\k<", "\\k<x>",
              "\\1", "(a)\\2", "\\g{-1}", "\\g<1", "(?<=a+)b", "(?<=\\X|b)", "(?(", "(?(1", "(?(1)", "(a)(?(1)a|b|c)", "(?(2)a)", "(?(0)a)", "(?(<x)a)",
              "(?(DEFINE)a|b)", "(?R", "(?1)", "(?+", "(?-0)", "(?0)", "(a?(?1))", "(?&x)", "(?&)", "(?#", "(?z)", "(*FOO)", "(*", "(*ACCEPT:x)",
              "(*MARK)", "\\x{110000}", "\\x{zz}", "\\o", "\\o{8}", "\\400", "\\p{Foo}", "\\p", "\\L", "\\N{a}", "[\\N]", "(a))", "(", "(?C256)",
              "(?|(?<n>a)|(?<m>b))", "(?<nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn>a)"]],
    show(re:compile(<<255>>, [unicode])), show(re:compile("(*UTF8)a", [never_utf])),
    show(re:run("a", "(", [report_errors])),
    wrong(fun() -> re:run("a", "(") end), wrong(fun() -> re:compile(foo) end), wrong(fun() -> re:compile("a", [foo]) end),
    wrong(fun() -> re:compile("a", [global]) end), wrong(fun() -> re:run("a", foo) end), wrong(fun() -> re:run(foo, "a") end),
    wrong(fun() -> re:run("a", "a", [{capture, foo}]) end), wrong(fun() -> re:run("a", "a", [{capture, [-1]}]) end),
    wrong(fun() -> re:run("a", "a", [{offset, -1}]) end), wrong(fun() -> re:run(<<"é"/utf8>>, "a", [unicode, {offset, 1}]) end),
    wrong(fun() -> re:run(<<255>>, "a", [unicode]) end), wrong(fun() -> re:run("a", "a", foo) end),
    wrong(fun() -> re:run("a", {re_pattern, 0, 0, 0, <<"foo">>}) end), wrong(fun() -> re:replace("a", "(", "x") end),
    wrong(fun() -> re:replace("a", "a", "x", [{capture, all}]) end), wrong(fun() -> re:split("a", "(") end),
    wrong(fun() -> re:split("a", "a", [global]) end), wrong(fun() -> re:split("a", "a", [{parts, -1}]) end),
    wrong(fun() -> re:split("a", "a", [{return, foo}]) end), wrong(fun() -> re:inspect(foo, namelist) end),
    {ok, RE} = re:compile("a"),
    wrong(fun() -> re:run("a", RE, [caseless]) end), wrong(fun() -> re:inspect(RE, foo) end).

show(X) -> io:format("~0p~n", [X]).

wrong(F) ->
    try F() of X -> io:format("~0p~n", [X])
    catch Class:Reason:Stack ->
        {M, Name, _, _} = hd(Stack),
        io:format("~p ~p ~p:~p~n", [Class, Reason, M, Name])
    end.

%% expect: a** {"nothing to repeat",2}
%% expect: ^* {"nothing to repeat",1}
%% expect: (?i)* {"nothing to repeat",4}
%% expect: a{3,2} {"numbers out of order in {} quantifier",5}
%% expect: a{70000} {"number too big in {} quantifier",7}
%% expect: [z-a] {"range out of order in character class",3}
%% expect: [[:foo:]] {"unknown POSIX class name",3}
%% expect: [:alpha:] {"POSIX named classes are supported only within a class",0}
%% expect: [[.a.]] {"POSIX collating elements are not supported",1}
%% expect: [a-\d] {"invalid range in character class",4}
%% expect: [a-[:digit:]] {"invalid range in character class",3}
%% expect: [ {"missing terminating ] for character class",1}
%% expect: [] {"missing terminating ] for character class",2}
%% expect: (? {"unrecognized character after (? or (?-",2}
%% expect: (?< {"unrecognized character after (?<",3}
%% expect: (?<n {"syntax error in subpattern name (missing terminator)",4}
%% expect: (?<1n>a) {"group name must start with a non-digit",3}
%% expect: (?P {"unrecognized character after (?P",3}
%% expect: (?<n>a)(?<n>b) {"two named subpatterns have the same name",11}
%% expect: (?'n>a) {"syntax error in subpattern name (missing terminator)",4}
%% expect: \ {"\\ at end of pattern",1}
%% expect: \c {"\\c at end of pattern",2}
%% expect: \g {"a numbered reference must not be zero",1}
%% expect: \g{ {"\\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain number",3}
%% expect: \g0 {"a numbered reference must not be zero",2}
%% expect: \k {"\\k is not followed by a braced, angle-bracketed, or quoted name",1}
%% expect: \k< {"subpattern name expected",3}
%% expect: \k<x> {"reference to non-existent subpattern",4}
%% expect: \1 {"reference to non-existent subpattern",2}
%% expect: (a)\2 {"reference to non-existent subpattern",5}
%% expect: \g{-1} {"reference to non-existent subpattern",5}
%% expect: \g<1 {"\\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain number",2}
%% expect: (?<=a+)b {"lookbehind assertion is not fixed length",6}
%% expect: (?<=\X|b) {"lookbehind assertion is not fixed length",6}
%% expect: (?( {"assertion expected after (?( or (?(?C)",3}
%% expect: (?(1 {"malformed number or name after (?(",4}
%% expect: (?(1) {"missing )",5}
%% expect: (a)(?(1)a|b|c) {"conditional group contains more than two branches",13}
%% expect: (?(2)a) {"reference to non-existent subpattern",5}
%% expect: (?(0)a) {"invalid condition (?(0)",5}
%% expect: (?(<x)a) {"malformed number or name after (?(",5}
%% expect: (?(DEFINE)a|b) {"DEFINE group contains more than one branch",13}
%% expect: (?R {"(?R or (?[+-]digits must be followed by )",3}
%% expect: (?1) {"reference to non-existent subpattern",3}
%% expect: (?+ {"digit expected after (?+",3}
%% expect: (?-0) {"a numbered reference must not be zero",4}
%% expect: (?0) {"recursive call could loop indefinitely",3}
%% expect: (a?(?1)) {"recursive call could loop indefinitely",6}
%% expect: (?&x) {"reference to non-existent subpattern",4}
%% expect: (?&) {"subpattern name expected",3}
%% expect: (?# {"missing ) after comment",3}
%% expect: (?z) {"unrecognized character after (? or (?-",2}
%% expect: (*FOO) {"(*VERB) not recognized or malformed",5}
%% expect: (* {"nothing to repeat",1}
%% expect: (*ACCEPT:x) {"an argument is not allowed for (*ACCEPT), (*FAIL), or (*COMMIT)",10}
%% expect: (*MARK) {"(*MARK) must have an argument",6}
%% expect: \x{110000} {"character value in \\x{} or \\o{} is too large",9}
%% expect: \x{zz} {"non-hex character in \\x{} (closing brace missing?)",3}
%% expect: \o {"missing opening brace after \\o",1}
%% expect: \o{8} {"non-octal character in \\o{} (closing brace missing?)",3}
%% expect: \400 {"octal value is greater than \\377 in 8-bit non-UTF-8 mode",3}
%% expect: \p{Foo} {"unknown property name after \\P or \\p",6}
%% expect: \p {"malformed \\P or \\p sequence",2}
%% expect: \L {"PCRE does not support \\L, \\l, \\N{name}, \\U, or \\u",1}
%% expect: \N{a} {"PCRE does not support \\L, \\l, \\N{name}, \\U, or \\u",1}
%% expect: [\N] {"\\N is not supported in a class",2}
%% expect: (a)) {"unmatched parentheses",3}
%% expect: ( {"missing )",1}
%% expect: (?C256) {"number after (?C is > 255",6}
%% expect: (?|(?<n>a)|(?<m>b)) {"different names for subpatterns of the same number are not allowed",15}
%% expect: (?<nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn>a) {"subpattern name is too long (maximum 32 characters)",36}
%% expect: {error,{"invalid UTF-8 string",0}}
%% expect: {error,{"setting UTF is disabled by the application",0}}
%% expect: {error,{compile,{"missing )",1}}}
%% expect: error badarg re:run
%% expect: error badarg re:compile
%% expect: error badarg re:compile
%% expect: error badarg re:compile
%% expect: error badarg re:run
%% expect: error badarg re:run
%% expect: error badarg re:run
%% expect: error badarg re:run
%% expect: error badarg re:run
%% expect: error badarg re:run
%% expect: error badarg re:run
%% expect: error badarg re:run
%% expect: error badarg re:run
%% expect: error badarg re:replace
%% expect: error badarg re:replace
%% expect: error badarg re:split
%% expect: error badarg re:split
%% expect: error badarg re:split
%% expect: error badarg re:split
%% expect: error badarg re:inspect
%% expect: error badarg re:run
%% expect: error badarg re:inspect

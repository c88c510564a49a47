%% The string module on code points and grapheme clusters.
-module(string_functions_of_today).
-export([main/0]).

main() ->
    show([string:length("abc"), string:length("e\x{301}"), string:length(<<"é"/utf8>>), string:is_empty(""), string:is_empty(<<>>), string:equal("a", <<"a">>),
          string:concat("a", "b"), string:reverse("abc"), string:reverse("ae\x{301}b"), string:slice("hello", 1, 3), string:slice(<<"hello">>, 2), string:to_graphemes("ae\x{301}")]),
    show([string:trim("  a b\n"), string:trim("  a ", leading), string:trim("  a ", trailing), string:trim("xxaxx", both, "x"), string:trim(<<" a ">>), string:chomp("a\r\n"), string:chomp("a"),
          string:pad("a", 3), string:pad("a", 3, leading), string:pad("a", 4, both, $*), string:pad("abcd", 2), lists:flatten(string:pad("a", 5, trailing, $.))]),
    show([string:uppercase("abc é"), string:lowercase("ABC"), string:titlecase("abc"), string:casefold("ABC"), string:uppercase(<<"abc">>), string:uppercase("ß"), string:to_upper("abc"), string:to_lower("ABC")]),
    show([string:split("a,b,c", ","), string:split("a,b,c", ",", all), string:split("a,b,c", ",", trailing), string:split("abc", ","), string:split(<<"a b">>, " "), string:split("", ","), string:split("abc", "")]),
    show([string:lexemes("a b  c", " "), string:lexemes("a,b;c", ",;"), string:lexemes(<<"a b">>, " "), string:lexemes("", " "), string:nth_lexeme("a b c", 2, " "), string:tokens("a,,b", ","), string:tokens("", ",")]),
    show([string:replace("a-b-c", "-", "+"), string:replace("a-b-c", "-", "+", all), string:find("hello", "l"), string:find("hello", "l", trailing), string:find("hello", "z"), string:prefix("hello", "he"), string:prefix("hello", "x"),
          string:take("abc123", "abc"), string:take("abc123", lists:seq($0, $9), true), string:take("abc", "c", false, trailing), string:next_codepoint("ab"), string:next_grapheme(<<"ab">>)]),
    show([string:to_integer("12abc"), string:to_integer("abc"), string:to_integer(""), string:to_float("1.5e2x"), string:to_float("x"), string:to_float("1"), string:to_integer("-5"), string:to_integer(<<"7 ">>)]),
    show([string:join(["a", "b", "c"], ", "), string:join([], ","), string:chars($x, 3), string:copies("ab", 2), string:words("a b c"), string:str("hello", "l"), string:rstr("hello", "l"), string:chr("hello", $l), string:rchr("hello", $l), string:chr("a", $z),
          string:substr("hello", 2), string:substr("hello", 2, 2), string:strip("  a "), string:strip("xax", both, $x), string:left("ab", 4), string:right("ab", 4), string:centre("ab", 5), string:sub_string("hello", 2, 3), string:span("aab", "a"), string:cspan("aab", "b"), string:left("abc", 5, $.), string:right("7", 3, $0)]),
    show([element(1, attempt(F)) || F <- [fun() -> string:length(id(a)) end, fun() -> string:uppercase(id(1)) end, fun() -> string:split(id(a), ",") end, fun() -> string:length(id(<<255>>)) end]]).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [3,1,1,true,true,true,"ab","cba",
%% expect:  [98,[101,769],97],
%% expect:  "ell",<<"llo">>,
%% expect:  [97,[101,769]]]
%% expect: ["a b","a ","  a","a",<<"a">>,"a","a",
%% expect:  ["a",32,32],
%% expect:  ["  ","a"],
%% expect:  ["*","a","*",42],
%% expect:  ["abcd"],
%% expect:  "a...."]
%% expect: ["ABC É","abc","Abc","abc",<<"ABC">>,"SS","ABC","abc"]
%% expect: [["a","b,c"],["a","b","c"],["a,b","c"],["abc"],[<<"a">>,<<"b">>],[[]],["abc"]]
%% expect: [["a","b","c"],["a","b","c"],[<<"a">>,<<"b">>],[],"b",["a","b"],[]]
%% expect: [["a","+","b-c"],
%% expect:  ["a","+","b","+","c"],
%% expect:  "llo","lo",nomatch,"llo",nomatch,
%% expect:  {"abc","123"},
%% expect:  {"abc","123"},
%% expect:  {"ab","c"},
%% expect:  "ab",
%% expect:  [97|<<"b">>]]
%% expect: [{12,"abc"},
%% expect:  {error,no_integer},
%% expect:  {error,no_integer},
%% expect:  {150.0,"x"},
%% expect:  {error,no_float},
%% expect:  {error,no_float},
%% expect:  {-5,[]},
%% expect:  {7,<<" ">>}]
%% expect: ["a, b, c",[],"xxx","abab",3,3,4,3,4,0,"ello","el","a","a","ab  ","  ab",
%% expect:  " ab  ","el",2,2,"abc..","007"]
%% expect: [error,error,error,error]

%% integer_to_list/1,2, list_to_integer/1,2, the binary forms, and what they refuse.
-module(conversions_between_numbers_and_text).
-export([main/0]).

main() ->
    show([integer_to_list(X) || X <- [0, -1, 1 bsl 64, -(1 bsl 70)]]),
    show([integer_to_list(255, B) || B <- [2, 8, 16, 36]]),
    show([integer_to_binary(-255, 36), integer_to_binary(0), integer_to_binary(1 bsl 100, 16), integer_to_list(-(1 bsl 100), 7)]),
    show([list_to_integer(S) || S <- ["0", "-0", "+5", "007", "123456789012345678901234567890", "-9223372036854775808", "-576460752303423488"]]),
    show([list_to_integer("ff", 16), list_to_integer("-Zz", 36), list_to_integer("101", 2), binary_to_integer(<<"-12">>), binary_to_integer(<<"FF">>, 16)]),
    show([attempt(fun() -> list_to_integer(id(S)) end) || S <- ["", " 5", "5 ", "1.0", "a", "+", "-", "--1", "1_000", a, [a], "5\n"]]),
    show([attempt(fun() -> list_to_integer(id("12"), id(B)) end) || B <- [1, 2, 37, a]]),
    show([attempt(fun() -> binary_to_integer(id(S)) end) || S <- [<<>>, <<"x">>, "1", <<" 1">>]]),
    show([attempt(fun() -> integer_to_list(id(S)) end) || S <- [1.0, a, "1"]]),
    show([attempt(fun() -> integer_to_list(1, id(S)) end) || S <- [0, 37, a]]),
    N = 1 bsl 1000 + 12345,
    show([list_to_integer(integer_to_list(N, B), B) =:= N || B <- lists:seq(2, 36)] =:= lists:duplicate(35, true)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: ["0","-1","18446744073709551616","-1180591620717411303424"]
%% expect: ["11111111","377","FF","73"]
%% expect: [<<"-73">>,<<"0">>,<<"10000000000000000000000000">>,
%% expect:  "-322653455556104044451560330542514132"]
%% expect: [0,0,5,7,123456789012345678901234567890,-9223372036854775808,
%% expect:  -576460752303423488]
%% expect: [255,-1295,5,-12,255]
%% expect: [{error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg}]
%% expect: [{error,badarg},{error,badarg},{error,badarg},{error,badarg}]
%% expect: [{error,badarg},{error,badarg},{error,badarg},{error,badarg}]
%% expect: [{error,badarg},{error,badarg},{error,badarg}]
%% expect: [{error,badarg},{error,badarg},{error,badarg}]
%% expect: true

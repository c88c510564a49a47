%% A hundred thousand brackets, operators and calls in each other. OTP 25 gives the same forms.
%% without stress: a hundred thousand levels are too much for collections at every step
%%
%% expect: 100000
%% expect: 100001
%% expect: {error,{100002,erl_parse,["syntax error before: ","a"]}}
%% expect: 100000
-module(deep_tokens_are_parsed_without_native_recursion).
-export([main/0]).

-define(N, 100000).

main() ->
    Ones = lists:duplicate(?N, {'[', 1}),
    Ends = lists:duplicate(?N, {']', 1}),
    {ok, Term} = erl_parse:parse_term(Ones ++ Ends ++ [{dot, 1}]),
    io:format("~p~n", [depth(Term, 1)]),
    Sum = lists:append([[{integer, 1, 1}, {'+', 1}] || _ <- lists:seq(1, ?N)]) ++ [{integer, 1, 1}, {dot, 1}],
    {ok, [Expr]} = erl_parse:parse_exprs(Sum),
    io:format("~p~n", [terms(Expr, 1)]),
    io:format("~0p~n", [erl_parse:parse_exprs(Ones ++ [{integer, 1, 1}, {atom, ?N + 2, a}])]),
    Calls = lists:append(lists:duplicate(?N, [{atom, 1, f}, {'(', 1}])) ++ lists:duplicate(?N, {')', 1}) ++ [{dot, 1}],
    {ok, [Call]} = erl_parse:parse_exprs(Calls),
    io:format("~p~n", [calls(Call, 1)]).

depth([], N) -> N;
depth([Inner], N) -> depth(Inner, N + 1).

terms({op, 1, '+', Left, {integer, 1, 1}}, N) -> terms(Left, N + 1);
terms({integer, 1, 1}, N) -> N.

calls({call, 1, {atom, 1, f}, [Inner]}, N) -> calls(Inner, N + 1);
calls({call, 1, {atom, 1, f}, []}, N) -> N.

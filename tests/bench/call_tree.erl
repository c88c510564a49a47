%% Calls and returns: a function that calls itself twice with two arguments, mutual recursion, and calls of funs.
-module(call_tree).
-export([bench/0]).

bench() ->
    [{call_ackermann, 172233, fun() -> 509 = ackermann(3, 6) end},
     {call_mutual, 100001, fun() -> true = is_even(100000) end},
     {call_church, 4096, fun() -> 4096 = (church(12))(fun(X) -> X + 1 end, 0) end}].

ackermann(0, N) -> N + 1;
ackermann(M, 0) -> ackermann(M - 1, 1);
ackermann(M, N) -> ackermann(M - 1, ackermann(M, N - 1)).

is_even(0) -> true;
is_even(N) -> is_odd(N - 1).

is_odd(0) -> false;
is_odd(N) -> is_even(N - 1).

%% The number 2^N as a function that applies another so many times.
church(0) -> fun(F, X) -> F(X) end;
church(N) ->
    Half = church(N - 1),
    fun(F, X) -> Half(F, Half(F, X)) end.

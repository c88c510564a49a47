%% A million tail calls of each kind.
-module(tail_calls_use_no_stack).
-export([main/0]).

main() ->
    show(local(1000000)),
    show(even(1000001)),
    show(through_fun(1000000)),
    show(through_apply(300000)),
    show(in_case(1000000, a)),
    show(with_try(100000, 0)).

local(0) -> done;
local(N) -> local(N - 1).

even(0) -> true;
even(N) -> odd(N - 1).

odd(0) -> false;
odd(N) -> even(N - 1).

through_fun(N) ->
    F = fun G(0) -> fun_done; G(K) -> G(K - 1) end,
    F(N).

through_apply(0) -> apply_done;
through_apply(N) -> F = fun through_apply/1, F(N - 1).

in_case(0, X) -> X;
in_case(N, a) -> in_case(N - 1, b);
in_case(N, b) -> case N rem 3 of 0 -> in_case(N - 1, a); _ -> if N > 0 -> in_case(N - 1, b) end end.

check(0) -> 1;
check(1) -> throw(odd).

with_try(0, Acc) -> Acc;
with_try(N, Acc) ->
    X = try check(N rem 2) catch odd -> 2 end,
    with_try(N - 1, Acc + X).

show(X) -> io:format("~p~n", [X]).

%% expect: done
%% expect: false
%% expect: fun_done
%% expect: apply_done
%% expect: b
%% expect: 150000

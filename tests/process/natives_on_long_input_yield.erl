%% Each native that walks its input lets a 1 ms ticker tick.
%% plain only: its size is the point
-module(natives_on_long_input_yield).
-export([main/0]).

main() ->
    L = lists:seq(1, 1000000),
    B = binary:copy(<<"0123456789">>, 200000),
    Work = [fun() -> length(L) end, fun() -> lists:reverse(L) end, fun() -> L ++ [x] end, fun() -> L -- [1000000] end, fun() -> lists:member(x, L) end, fun() -> list_to_tuple(L) end,
            fun() -> term_to_binary(L) end, fun() -> L =:= [X || X <- L] end, fun() -> erlang:phash2(L) end, fun() -> binary_to_list(B) end, fun() -> list_to_binary(binary_to_list(B)) end,
            fun() -> binary:matches(B, <<"9">>) end, fun() -> binary:split(B, <<"5">>, [global]) end, fun() -> unicode:characters_to_list(B) end, fun() -> lists:sort(lists:reverse(L)) end,
            fun() -> maps:from_list([{X, X} || X <- lists:seq(1, 200000)]) end, fun() -> integer_to_list(1 bsl 100000) end, fun() -> erlang:garbage_collect() end],
    Self = self(),
    W = spawn_link(fun() -> [F() || F <- Work], Self ! done end),
    Worst = ticks(erlang:monotonic_time(millisecond), 0),
    show(is_pid(W)),
    show(if Worst < 10000 -> short; true -> {long, Worst} end).

ticks(T0, Worst) ->
    receive
        done -> Worst
    after 1 ->
        T1 = erlang:monotonic_time(millisecond),
        ticks(T1, max(Worst, T1 - T0))
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: true
%% expect: short

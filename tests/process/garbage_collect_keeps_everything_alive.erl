%% garbage_collect/0,1 in the midst of live data of each kind.
-module(garbage_collect_keeps_everything_alive).
-export([main/0]).

main() ->
    Big = lists:seq(1, 10000),
    B = binary:copy(<<"0123456789">>, 1000),
    M = maps:from_list([{I, [I]} || I <- lists:seq(1, 200)]),
    F = fun(X) -> {X, length(Big), byte_size(B)} end,
    true = erlang:garbage_collect(),
    show({lists:sum(Big), erlang:phash2(B) =:= erlang:phash2(binary:copy(<<"0123456789">>, 1000)), maps:get(100, M), F(x), 1 bsl 100}),
    P = spawn(fun() -> L = lists:seq(1, 1000), receive {From, sum} -> From ! {sum, lists:sum(L)} end end),
    show(erlang:garbage_collect(P)),
    P ! {self(), sum},
    show(receive {sum, S} -> S end),
    show(attempt(fun() -> erlang:garbage_collect(id(a)) end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: {50005000,true,"d",{x,10000,10000},1267650600228229401496703205376}
%% expect: true
%% expect: 500500
%% expect: {error,badarg}

%% What a process does not need any more after `garbage_collect/0,1` it does not hold. OTP 25 says the same.
-module(garbage_collect_gives_memory_back).
-export([main/0]).

main() ->
    Long = lists:duplicate(50000, 0),
    P = spawn(fun loop/0),
    P ! {self(), Long},
    receive {P, 50000} -> ok end,
    true = garbage_collect(P),
    io:format("~p~n", [words(P) < 20000]),
    Me = self(),
    spawn(fun() -> 50000 = length(lists:seq(1, 50000)), garbage_collect(), Me ! {words, words(self())} end),
    receive {words, Words} -> io:format("~p~n", [Words < 20000]) end,
    %% What is needed stays.
    spawn(fun() -> L = lists:seq(1, 50000), garbage_collect(), Me ! {words, words(self())}, Me ! lists:sum(L) end),
    receive {words, Needed} -> io:format("~p~n", [Needed >= 100000]) end,
    receive Sum -> io:format("~p~n", [Sum]) end.

words(P) ->
    {total_heap_size, Words} = process_info(P, total_heap_size),
    Words.

loop() -> receive {From, List} -> From ! {self(), length(List)}, loop() end.
%% expect: true
%% expect: true
%% expect: true
%% expect: 1250025000

%% 100,000 calls cost about 100,000 reductions.
-module(the_sender_pays_one_reduction_per_call).
-export([main/0]).

main() ->
    {reductions, R0} = process_info(self(), reductions),
    loop(100000),
    {reductions, R1} = process_info(self(), reductions),
    D = R1 - R0,
    show(D >= 90000 andalso D < 200000).

loop(0) -> ok;
loop(N) -> loop(N - 1).

show(X) -> io:format("~p~n", [X]).

%% expect: true

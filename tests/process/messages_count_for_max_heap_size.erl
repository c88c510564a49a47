%% Messages on the heap count for `max_heap_size` and `total_heap_size`, those off it do not.
-module(messages_count_for_max_heap_size).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
%% expect: killed
    print(fate(on_heap, 60000)),
%% expect: alive
    print(fate(off_heap, 300)),
%% expect: {true,false}
    print({grows(on_heap), grows(off_heap)}).

fate(Place, Patience) ->
    {Pid, Monitor} = start(Place, [{max_heap_size, 20000}]),
    fill(Pid),
    erlang:garbage_collect(Pid),
    receive
        {'DOWN', Monitor, process, Pid, Reason} -> Reason
    after Patience ->
        exit(Pid, kill),
        alive
    end.

grows(Place) ->
    {Pid, _} = start(Place, []),
    {total_heap_size, Before} = process_info(Pid, total_heap_size),
    fill(Pid),
    %% It has seen them.
    {message_queue_len, 100} = process_info(Pid, message_queue_len),
    {total_heap_size, After} = process_info(Pid, total_heap_size),
    exit(Pid, kill),
    After - Before >= 40000.

start(Place, Options) ->
    spawn_opt(fun() -> receive stop -> ok end end, [monitor, {message_queue_data, Place} | Options]).

fill(Pid) -> [Pid ! lists:seq(1, 200) || _ <- lists:seq(1, 100)].

print(Term) -> io:format("~0p~n", [Term]).

%% `check_process_code(Pid, Module, [{async, Id}])` returns at once; the answer is a message, for a dead process too.
-module(old_code_can_be_asked_for_without_waiting).
-export([main/0]).

main() ->
    Waiting = spawn(fun() -> receive stop -> ok end end),
    {Dead, Monitor} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Monitor, process, Dead, _} -> ok end,
%% expect: [async,async,async]
    print([erlang:check_process_code(Pid, lists, [{async, {id, N}}, {allow_gc, false}]) || {N, Pid} <- [{1, Waiting}, {2, Dead}, {3, self()}]]),
%% expect: [{1,false},{2,false},{3,false}]
    print([receive {check_process_code, {id, N}, Answer} -> {N, Answer} end || N <- [1, 2, 3]]),
%% expect: badarg
    print(try erlang:check_process_code(Waiting, lists, [async]) catch error:Reason -> Reason end),
    %% What a heap consists of adds up.
%% expect: true
    [{garbage_collection_info, Info}, {total_heap_size, Total}] = process_info(Waiting, [garbage_collection_info, total_heap_size]),
    print(Total =:= lists:sum([proplists:get_value(Key, Info) || Key <- [heap_block_size, old_heap_block_size, mbuf_size]])),
%% expect: true
    print([Key || {Key, N} <- Info, N < 0] =:= []).

print(Term) -> io:format("~0p~n", [Term]).

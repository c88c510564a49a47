%% process_info/1,2.
-module(process_info_tells_about_itself_and_others).
-export([main/0]).

main() ->
    P = spawn(fun() -> put(k, v), receive stop -> ok end end),
    [P ! {m, I} || I <- [1, 2]],
    receive after 20 -> ok end,
    show([process_info(P, I) || I <- [message_queue_len, messages, dictionary, trap_exit, priority, links, status, registered_name]]),
    show(process_info(P, [message_queue_len, trap_exit])),
    show(process_info(self(), current_function)),
    show(process_info(P, current_function)),
    show(element(2, process_info(P, group_leader)) =:= group_leader()),
    show([is_integer(element(2, process_info(P, I))) || I <- [reductions, heap_size, total_heap_size, stack_size, memory]]),
    show(is_list(process_info(self()))),
    show(process_info(self(), monitors)),
    R = monitor(process, P),
    show(process_info(self(), monitors) =:= {monitors, [{process, P}]}),
    show(process_info(P, monitored_by) =:= {monitored_by, [self()]}),
    P ! stop,
    receive {'DOWN', R, _, _, _} -> ok end,
    show(process_info(P)),
    show(process_info(P, message_queue_len)),
    show(attempt(fun() -> process_info(self(), nonsense) end)),
    show(attempt(fun() -> process_info(id(a), links) end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [{message_queue_len,2},
%% expect:  {messages,[{m,1},{m,2}]},
%% expect:  {dictionary,[{k,v}]},
%% expect:  {trap_exit,false},
%% expect:  {priority,normal},
%% expect:  {links,[]},
%% expect:  {status,waiting},
%% expect:  []]
%% expect: [{message_queue_len,2},{trap_exit,false}]
%% expect: {current_function,{process_info_tells_about_itself_and_others,main,0}}
%% expect: {current_function,
%% expect:     {process_info_tells_about_itself_and_others,'-main/0-fun-0-',0}}
%% expect: true
%% expect: [true,true,true,true,true]
%% expect: true
%% expect: {monitors,[]}
%% expect: true
%% expect: true
%% expect: undefined
%% expect: undefined
%% expect: {error,badarg}
%% expect: {error,badarg}

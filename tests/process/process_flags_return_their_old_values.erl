%% process_flag/2.
-module(process_flags_return_their_old_values).
-export([main/0]).

main() ->
    show([process_flag(trap_exit, true), process_flag(trap_exit, false), process_flag(trap_exit, false)]),
    show([process_flag(priority, high), process_flag(priority, low), process_flag(priority, normal)]),
    show(process_flag(message_queue_data, off_heap)),
    show(process_flag(message_queue_data, on_heap)),
    show(attempt(fun() -> process_flag(trap_exit, id(1)) end)),
    show(attempt(fun() -> process_flag(id(nonsense), 1) end)),
    show(attempt(fun() -> process_flag(priority, id(huge)) end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [false,true,false]
%% expect: [normal,high,low]
%% expect: on_heap
%% expect: off_heap
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: {error,badarg}

%% Items every program may ask for.
-module(system_info_answers).
-export([main/0]).

main() ->
    show([is_integer(erlang:system_info(I)) || I <- [schedulers, schedulers_online, process_limit, process_count, atom_limit, atom_count, wordsize]]),
    show(erlang:system_info(wordsize)),
    show(is_list(erlang:system_info(otp_release))),
    show(is_list(erlang:system_info(version))),
    show(attempt(fun() -> erlang:system_info(id(nonsense)) end)),
    show(is_integer(erlang:memory(total))),
    show(element(1, erlang:statistics(reductions)) > 0),
    show([tuple_size(erlang:statistics(I)) || I <- [runtime, wall_clock]]),
    show(node()),
    show(nodes()),
    show(is_alive()).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [true,true,true,true,true,true,true]
%% expect: 8
%% expect: true
%% expect: true
%% expect: {error,badarg}
%% expect: true
%% expect: true
%% expect: [2,2]
%% expect: nonode@nohost
%% expect: []
%% expect: false

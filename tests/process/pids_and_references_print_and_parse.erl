%% pid_to_list, list_to_pid, printing shapes.
-module(pids_and_references_print_and_parse).
-export([main/0]).

main() ->
    S = pid_to_list(self()),
    show(list_to_pid(S) =:= self()),
    show({hd(S), lists:last(S), length(string:tokens(S, "."))}),
    show(lists:prefix("#Ref<", ref_to_list(make_ref()))),
    show(io_lib:format("~p", [self()]) =:= [S]),
    show(attempt(fun() -> list_to_pid("<0.x.0>") end)),
    show(attempt(fun() -> list_to_pid("nonsense") end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

%% expect: true
%% expect: {60,62,3}
%% expect: true
%% expect: true
%% expect: {error,badarg}
%% expect: {error,badarg}

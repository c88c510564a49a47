%% A suspended process does not run until it is resumed as often as suspended.
-module(suspend_and_resume).
-export([main/0]).

main() ->
    Self = self(),
    P = spawn(fun() -> counter(Self, 0) end),
    show(erlang:suspend_process(P)),
    P ! count,
    show(receive {count, _} -> ran after 30 -> still end),
    show(process_info(P, status)),
    show(erlang:suspend_process(P)),
    show(erlang:resume_process(P)),
    show(receive {count, _} -> ran after 30 -> still end),
    show(erlang:resume_process(P)),
    show(receive {count, N} -> N after 60000 -> still end),
    show(attempt(fun() -> erlang:resume_process(P) end)),
    show(attempt(fun() -> erlang:suspend_process(self()) end)).

counter(To, N) -> receive count -> To ! {count, N}, counter(To, N + 1) end.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

%% expect: true
%% expect: still
%% expect: {status,suspended}
%% expect: true
%% expect: true
%% expect: still
%% expect: true
%% expect: 0
%% expect: {error,badarg}
%% expect: {error,badarg}

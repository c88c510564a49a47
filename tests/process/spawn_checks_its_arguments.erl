%% badarg in the spawner.
-module(spawn_checks_its_arguments).
-export([main/0]).

main() ->
    [show(attempt(F)) || F <- [fun() -> spawn(id(a)) end, fun() -> spawn(id(1), f, []) end, fun() -> spawn(m, id("f"), []) end,
                               fun() -> spawn(m, f, id(a)) end, fun() -> spawn(m, f, id([1 | 2])) end,
                               fun() -> spawn_opt(fun() -> ok end, id(nonsense)) end, fun() -> spawn_opt(fun() -> ok end, [nonsense]) end]],
    ok.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: {error,badarg}

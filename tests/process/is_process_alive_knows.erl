%% is_process_alive/1 after exit signals sent before it.
-module(is_process_alive_knows).
-export([main/0]).

main() ->
    P = spawn(fun() -> receive stop -> ok end end),
    show(is_process_alive(P)),
    exit(P, kill),
    show(is_process_alive(P)),
    show(is_process_alive(self())),
    show(attempt(fun() -> is_process_alive(id(a)) end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: true
%% expect: false
%% expect: true
%% expect: {error,badarg}

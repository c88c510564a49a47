%% A hand-written one-for-one supervisor.
-module(a_supervisor_restarts_its_children).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    Sup = spawn_link(fun() -> process_flag(trap_exit, true), sup([start(a), start(b)], 0) end),
    wait(a), wait(b),
    A1 = whereis(a), B1 = whereis(b),
    A1 ! crash,
    A2 = wait_new(a, A1),
    show({A2 =/= A1, whereis(b) =:= B1}),
    exit(B1, kill),
    B2 = wait_new(b, B1),
    show(B2 =/= B1),
    Sup ! {restarts, self()},
    receive {restarts, N} -> show(N) end,
    exit(Sup, shutdown),
    receive {'EXIT', Sup, R} -> show(R) end,
    show(gone(a) andalso gone(b)).

start(Name) -> {spawn_link(fun() -> register(Name, self()), child() end), Name}.

child() -> receive crash -> exit(crashed) end.

sup(Children, N) ->
    receive
        {restarts, From} -> From ! {restarts, N}, sup(Children, N);
        {'EXIT', P, Reason} ->
            case lists:keytake(P, 1, Children) of
                {value, {P, Name}, Rest} -> sup([start(Name) | Rest], N + 1);
                false -> exit(Reason)
            end
    end.

wait(Name) -> case whereis(Name) of undefined -> receive after 1 -> wait(Name) end; P -> P end.

wait_new(Name, Old) -> case whereis(Name) of P when is_pid(P), P =/= Old -> P; _ -> receive after 1 -> wait_new(Name, Old) end end.

gone(Name) -> case whereis(Name) of undefined -> true; _ -> receive after 1 -> gone(Name) end end.

show(X) -> io:format("~p~n", [X]).

%% expect: {true,true}
%% expect: true
%% expect: 2
%% expect: shutdown
%% expect: true

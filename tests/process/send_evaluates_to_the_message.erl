%% ! is right associative and returns the message; bad destinations raise badarg.
-module(send_evaluates_to_the_message).
-export([main/0]).

main() ->
    show(self() ! hello),
    A = self(), B = self(),
    show(A ! B ! {1, 2}),
    show([receive M -> M end || _ <- [1, 2, 3]]),
    show(attempt(fun() -> id(nope) ! hi end)),
    show(attempt(fun() -> id(1) ! hi end)),
    show(attempt(fun() -> id({nope, 1}) ! hi end)),
    Dead = spawn(fun() -> ok end),
    Ref = monitor(process, Dead),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    show(Dead ! hi),
    show(erlang:send(self(), x)),
    show(receive x -> got end),
    show(erlang:send(self(), y, [noconnect])),
    show(receive y -> got end),
    show({nope, node()} ! lost).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: hello
%% expect: {1,2}
%% expect: [hello,{1,2},{1,2}]
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: hi
%% expect: x
%% expect: got
%% expect: ok
%% expect: got
%% expect: lost

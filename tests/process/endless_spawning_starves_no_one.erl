%% A chain of processes each spawning the next does not stop older ones.
-module(endless_spawning_starves_no_one).
-export([main/0]).

main() ->
    Self = self(),
    spawn(fun() -> chain(Self) end),
    register(worker, spawn(fun() -> count(100000), Self ! counted, receive stop -> ok end end)),
    R = receive counted -> counted after 10000 -> starved end,
    exit(whereis(worker), kill),
    show(R).

chain(Main) ->
    case is_process_alive(Main) andalso whereis(worker) =/= undefined of
        true -> spawn(fun() -> chain(Main) end);
        false -> ok
    end.

count(0) -> ok;
count(N) -> count(N - 1).

show(X) -> io:format("~p~n", [X]).

%% expect: counted

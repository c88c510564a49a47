%% Processes: a pipeline of filters, a pool that hands out work, a tree that sums, a server that many call.
-module(con_pipeline).
-export([bench/0]).

bench() ->
    [{con_sieve, 1000, fun() -> 168 = sieve(1000) end},
     {con_pool, 2000, fun() -> 2001000 = pool(4, 2000) end},
     {con_tree, 2047, fun() -> 1024 = tree(10) end},
     {con_server, 1000, fun() -> ok = server(10, 100) end}].

%% One process for each prime passes on what it does not divide.
sieve(N) ->
    Parent = self(),
    First = spawn(fun() -> first(Parent) end),
    [First ! I || I <- lists:seq(2, N)],
    First ! done,
    primes(0).

primes(Count) -> receive prime -> primes(Count + 1); done -> Count end.

first(Parent) ->
    receive
        done -> Parent ! done;
        P ->
            Parent ! prime,
            filter(P, spawn(fun() -> first(Parent) end))
    end.

filter(P, Next) ->
    receive
        done -> Next ! done;
        N when N rem P =:= 0 -> filter(P, Next);
        N -> Next ! N, filter(P, Next)
    end.

pool(Workers, Jobs) ->
    Parent = self(),
    [spawn(fun() -> worker(Parent) end) || _ <- lists:seq(1, Workers)],
    hand_out(Jobs, Workers, 0).

worker(Parent) ->
    Parent ! {ready, self()},
    receive
        stop -> ok;
        {job, N} -> Parent ! {answer, N}, worker(Parent)
    end.

hand_out(0, 0, Sum) -> Sum;
hand_out(Jobs, Workers, Sum) ->
    receive
        {answer, N} -> hand_out(Jobs, Workers, Sum + N);
        {ready, Pid} when Jobs > 0 -> Pid ! {job, Jobs}, hand_out(Jobs - 1, Workers, Sum);
        {ready, Pid} -> Pid ! stop, hand_out(Jobs, Workers - 1, Sum)
    end.

tree(0) -> 1;
tree(Depth) ->
    Parent = self(),
    Refs = [begin Ref = make_ref(), spawn(fun() -> Parent ! {Ref, tree(Depth - 1)} end), Ref end || _ <- [left, right]],
    lists:sum([receive {Ref, N} -> N end || Ref <- Refs]).

server(Clients, Calls) ->
    Server = spawn(fun() -> serve(0) end),
    Workers = [spawn_monitor(fun() -> client(Server, Calls) end) || _ <- lists:seq(1, Clients)],
    [receive {'DOWN', Monitor, process, _, normal} -> ok end || {_, Monitor} <- Workers],
    Total = Clients * Calls,
    Total = call(Server, get),
    exit(Server, kill),
    ok.

serve(N) ->
    receive
        {From, Ref, increment} -> From ! {Ref, N + 1}, serve(N + 1);
        {From, Ref, get} -> From ! {Ref, N}, serve(N)
    end.

client(_, 0) -> ok;
client(Server, N) -> call(Server, increment), client(Server, N - 1).

call(Server, Request) ->
    Ref = make_ref(),
    Server ! {self(), Ref, Request},
    receive {Ref, Answer} -> Answer end.

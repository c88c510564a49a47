%% What a green thread costs: many processes that do nothing but step aside for one another.
%%
%%     erlet run examples/green_threads.erl [PROCESSES [YIELDS]]
%%
%% Starts PROCESSES (10,000) processes that yield YIELDS (3) times each, and prints how many switches that made,
%% how long they took together, and how long one took. Run it with --schedulers 1 for the many-to-one model
%% that Python's generators and single-threaded event loops have, and without for all cores.
-module(green_threads).
-export([main/1]).

main([]) -> main(["10000", "3"]);
main([N]) -> main([N, "3"]);
main([N, Yields]) -> run(list_to_integer(N), list_to_integer(Yields)).

run(N, Yields) ->
    Self = self(),
    Start = erlang:monotonic_time(nanosecond),
    Pids = [spawn(fun() -> thread(Yields, Self) end) || _ <- lists:seq(1, N)],
    [receive {done, Pid} -> ok end || Pid <- Pids],
    Time = erlang:monotonic_time(nanosecond) - Start,
    Switches = N * Yields,
    io:format("processes: ~w~nswitches:  ~w~n", [N, Switches]),
    io:format("time:      ~w ms~n", [Time div 1000000]),
    io:format("a switch:  ~w ns (with its share of starting and ending the processes)~n", [Time div max(1, Switches)]).

thread(0, Parent) ->
    Parent ! {done, self()};
thread(Yields, Parent) ->
    erlang:yield(),
    thread(Yields - 1, Parent).

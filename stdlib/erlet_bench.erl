%% The driver of `erlet bench`: times the entries of a module's bench/0.
%%
%% An entry is {Name, N, Fun}: Fun/0 performs N operations, and fails if its own answer is wrong. Or it is {Name, metrics, Fun}:
%% Fun/0 returns [{SubName, Integer}] (lower is better), printed as they are.
%%
%% A line is `Name`, nanoseconds per operation in the median repetition, repetitions, and nanoseconds per operation in the
%% fastest one, separated by tabs: for people to read, and for programs that compare.
-module(erlet_bench).
-export([run/3]).

%% Runs the entries of Module whose names contain Filter, each for Milliseconds after one run to warm up.
-spec run(module(), string(), pos_integer()) -> ok.
run(Module, Filter, Milliseconds) ->
    Entries = [Entry || Entry <- Module:bench(), string:find(name(Entry), Filter) =/= nomatch],
    lists:foreach(fun(Entry) -> entry(Entry, Milliseconds) end, Entries).

name({Name, _, _}) when is_atom(Name) -> atom_to_list(Name);
name(Other) -> error({not_an_entry, Other}).

entry({_, metrics, Fun}, _) ->
    lists:foreach(fun({Name, Value}) -> io:format("~ts\t~w\t1~n", [Name, Value]) end, Fun());
entry({Name, N, Fun}, Milliseconds) when is_integer(N), N > 0, is_function(Fun, 0) ->
    Fun(),
    Start = erlang:monotonic_time(nanosecond),
    Times = lists:sort(repeat(Fun, Start, Start + Milliseconds * 1000000, [])),
    Median = lists:nth((length(Times) + 1) div 2, Times),
    io:format("~ts\t~.1f\t~w\t~.1f~n", [Name, Median / N, length(Times), hd(Times) / N]);
entry(Other, _) ->
    error({not_an_entry, Other}).

repeat(Fun, Begin, Deadline, Times) ->
    Fun(),
    case erlang:monotonic_time(nanosecond) of
        End when End >= Deadline -> [End - Begin | Times];
        End -> repeat(Fun, End, Deadline, [End - Begin | Times])
    end.

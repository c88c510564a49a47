%% What `process_info(self(), reductions)` tells is up to date, the running slice counted.
%% without stress: slices of a few reductions cost some more
-module(reductions_are_counted_within_a_slice).
-export([main/0]).

main() ->
%% expect: true
    print(within(used(fun() -> count(1000) end), 1000, 1300)),
%% expect: true
    print(within(used(fun() -> erlang:bump_reductions(500) end), 500, 700)),
%% expect: true
    print(within(used(fun() -> count(100000) end), 100000, 110000)),
%% expect: true
    print(lists:all(fun(_) -> used(fun() -> ok end) >= 0 end, lists:seq(1, 1000))).

used(Fun) ->
    {reductions, Before} = process_info(self(), reductions),
    Fun(),
    {reductions, After} = process_info(self(), reductions),
    After - Before.

within(N, Least, Most) when N >= Least, N =< Most -> true;
within(N, _, _) -> N.

count(0) -> ok;
count(N) -> count(N - 1).

print(Term) -> io:format("~0p~n", [Term]).

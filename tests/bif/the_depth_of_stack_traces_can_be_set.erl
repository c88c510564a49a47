%% `system_flag(backtrace_depth, N)`: at least the place where it happened is told, and at most 64.
-module(the_depth_of_stack_traces_can_be_set).
-export([main/0, first/2]).

main() ->
%% expect: [8,0,1,3,64]
    print([erlang:system_flag(backtrace_depth, N) || N <- [0, 1, 3, 1000, 0]]),
%% expect: [{0,1,1},{1,1,1},{2,2,2},{5,5,5},{20,20,11}]
    Depths =
        [begin
             erlang:system_flag(backtrace_depth, N),
             {N, length(trace(fun() -> first(20, fun() -> error(x) end) end)), length(trace(fun() -> erlang:raise(error, x, given(11)) end))}
         end || N <- [0, 1, 2, 5, 20]],
    print(Depths),
%% expect: badarg
    print(catch_error(fun() -> erlang:system_flag(backtrace_depth, -1) end)),
%% expect: badarg
    print(catch_error(fun() -> erlang:system_flag(no_such_flag, 1) end)),
%% expect: 20
    print(erlang:system_flag(backtrace_depth, 8)).

%% Two functions in turn, so that no frame is the one before it.
first(0, Last) -> Last();
first(N, Last) -> [second(N - 1, Last)].

second(0, Last) -> Last();
second(N, Last) -> [first(N - 1, Last)].

given(N) -> [{m, f, I, []} || I <- lists:seq(1, N)].

trace(Fun) -> try Fun() catch error:_:Trace -> Trace end.

catch_error(Fun) -> try Fun() catch error:Reason -> Reason end.

print(Term) -> io:format("~0p~n", [Term]).

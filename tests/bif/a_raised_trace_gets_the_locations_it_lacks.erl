%% erlang:raise/3 takes entries of a stack trace without a location, and who catches sees all with one.
-module(a_raised_trace_gets_the_locations_it_lacks).
-export([main/0]).

%% expect: [{m,f,[a],[]}]
%% expect: [{m,f,1,[]},{m,g,[1],[{line,3}]}]
%% expect: [{m,f,1,[{file,"x"}]},{m,f,2,[]}]
%% expect: [{m,f,-1,[]},{m,f,a,[]}]
%% expect: {[[a,b],[]],[x,[]],[[a],[]]}
%% expect: []
%% expect: [badarg,badarg,badarg,badarg,badarg,badarg,badarg]
main() ->
    show(raised([{m, f, [a]}])),
    show(raised([{m, f, 1}, {m, g, [1], [{line, 3}]}])),
    show(raised([{m, f, 1, [{file, "x"}]}, {m, f, 2}])),
    show(raised([{m, f, -1}, {m, f, a}])),
    F = fun lists:map/2,
    [{F, A1, L1}, {F, A2, L2}, {F, A3, L3}] = raised([{F, [a, b]}, {F, x}, {F, [a], []}]),
    show({[A1, L1], [A2, L2], [A3, L3]}),
    show(raised([])),
    show([raised(Trace) || Trace <- [x, [x], [{m, f, 1} | x], [{m, f, 1, x}], [{1, f, 1}], [{x, [a]}], [{F, [a], x}]]]).

raised(Trace) ->
    try erlang:raise(error, reason, Trace)
    catch error:reason:Caught -> Caught
    end.

show(X) -> io:format("~0p~n", [X]).

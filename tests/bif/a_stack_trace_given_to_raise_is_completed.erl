%% erlang:raise/3: frames without a location get an empty one, and what is in them is not looked at; as OTP 25.
-module(a_stack_trace_given_to_raise_is_completed).
-export([main/0]).

main() ->
    F = fun main/0,
    Traces = [[{a, b, 1}], [{a, b, [x]}, {c, d, 2, []}], [{a, b, c}], [{a, b, -1}], [{a, b, 256}], [{a, b, [x | y]}], [{a, b, 1.0}], [{a, b, 1, [x | y]}],
              [{a, b, 1, [{file, "x"}, {line, 3}]}], [], [{a, b, 1}, x], [{a, b, 1} | x], x, [{a, b}], [{a, b, 1, x}], [{1, b, 1}], [{a, 1, 1}], [{{x}, b, 1}],
              [{1, [1]}], [{a, b, 1, [], x}]],
    [io:format("~p ~p~n", [Trace, raised(Trace)]) || Trace <- Traces],
    [io:format("~p~n", [[T =:= F orelse T || Frame <- raised(Trace), T <- tuple_to_list(Frame)]])
     || Trace <- [[{F, [1]}], [{F, [1], []}], [{F, 1}], [{F, [1 | 2]}], [{F, [1]}, {a, b, 1}]]],
    io:format("~p~n", [raised([{F, [1], x}])]),
    io:format("~p~n", [[length(raised([{a, b, N} || N <- lists:seq(1, Length)])) || Length <- [7, 8, 9, 20]]]).

raised(Trace) ->
    try erlang:raise(error, x, Trace) of
        Value -> {returned, Value}
    catch
        _:_:Raised -> Raised
    end.

%% expect: [{a,b,1}] [{a,b,1,[]}]
%% expect: [{a,b,[x]},{c,d,2,[]}] [{a,b,[x],[]},{c,d,2,[]}]
%% expect: [{a,b,c}] [{a,b,c,[]}]
%% expect: [{a,b,-1}] [{a,b,-1,[]}]
%% expect: [{a,b,256}] [{a,b,256,[]}]
%% expect: [{a,b,[x|y]}] [{a,b,[x|y],[]}]
%% expect: [{a,b,1.0}] [{a,b,1.0,[]}]
%% expect: [{a,b,1,[x|y]}] [{a,b,1,[x|y]}]
%% expect: [{a,b,1,[{file,"x"},{line,3}]}] [{a,b,1,[{file,"x"},{line,3}]}]
%% expect: [] []
%% expect: [{a,b,1},x] {returned,badarg}
%% expect: [{a,b,1}|x] {returned,badarg}
%% expect: x {returned,badarg}
%% expect: [{a,b}] {returned,badarg}
%% expect: [{a,b,1,x}] {returned,badarg}
%% expect: [{1,b,1}] {returned,badarg}
%% expect: [{a,1,1}] {returned,badarg}
%% expect: [{{x},b,1}] {returned,badarg}
%% expect: [{1,[1]}] {returned,badarg}
%% expect: [{a,b,1,[],x}] {returned,badarg}
%% expect: [true,[1],[]]
%% expect: [true,[1],[]]
%% expect: [true,1,[]]
%% expect: [true,[1|2],[]]
%% expect: [true,[1],[],a,b,1,[]]
%% expect: {returned,badarg}
%% expect: [7,8,8,8]

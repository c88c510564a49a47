%% Zip generators are OTP 28's (reference manual, "Comprehensions"; EEP 73): sources are walked together, must be of one length,
%% and what does not fit is skipped together, or an error if the generator is strict. The values are those that the
%% manual's rules give, since OTP 25 cannot run this.
%% differs from OTP 25: zip generators came with OTP 28
%% expect: [{1,a},{2,b},{3,c}]
%% expect: [6,7,8]
%% expect: [{a,2},{b,4},{c,6}]
%% expect: [{1,7},{10,20}]
%% expect: <<3,4,5>>
%% expect: [{a,1},{b,2},{c,3}]
%% expect: [{1,10,x},{1,10,y},{2,20,x},{2,20,y}]
%% expect: [4,6]
%% expect: [{a,1,2}]
%% expect: [{k,1}]
%% expect: {bad_generators,{[],[4]}}
%% expect: {bad_generators,{[3,4],[]}}
%% expect: {bad_generators,{x,[1,2]}}
%% expect: {bad_generators,{<<1,2>>,a}}
%% expect: {bad_generators,{[bad,{i,5}],[{i,15},{i,20}]}}
%% expect: [13,25]
%% expect: {bad_generators,{[{i,2}],<<9:7>>}}
%% expect: {bad_generator,a}
-module(zip_generators_walk_their_sources_side_by_side).
-export([main/0]).

main() ->
    p(fun() -> [{X, Y} || X <- [1, 2, 3] && Y <- [a, b, c]] end),
    p(fun() -> [X + Y + Z || X <- [1, 2, 3] && Y <- [2, 2, 2] && Z <- [3, 3, 3]] end),
    p(fun() -> [{X, Y} || X <- [a, b, c] && <<Y>> <= <<2, 4, 6>>] end),
    p(fun() -> [{A, B} || {S, A} <- [{a, 1}, {b, 9}, {x, 10}] && {S, B} <- [{a, 7}, {wrong, 8}, {x, 20}]] end),
    p(fun() -> << <<(X + Y)>> || X <- [1, 2, 3] && Y <- [2, 2, 2]>> end),
    p(fun() -> lists:sort(maps:to_list(#{X => Y || X <- [a, b, c] && Y <- [1, 2, 3]})) end),
    p(fun() -> [{X, Y, Z} || X <- [1, 2] && Y <- [10, 20], Z <- [x, y]] end),
    p(fun() -> [X + Y || X <- [1, 2, 3] && Y <- [1, 2, 3], X > 1] end),
    p(fun() -> [{K, V, Y} || K := V <- #{a => 1} && Y <- [2]] end),
    p(fun() -> [{K, V} || K := V <- maps:iterator(#{k => 1})] end),
    p(fun() -> [{X, Y} || X <- [1, 2, 3] && Y <- [1, 2, 3, 4]] end),
    p(fun() -> [{X, Y} || X <- [1, 2, 3, 4] && Y <- [1, 2], X < 3] end),
    p(fun() -> [{X, Y} || X <- id(x) && Y <- [1, 2]] end),
    p(fun() -> << <<X:16>> || <<X:16>> <= <<1, 2>> && <<_:8>> <= id(a)>> end),
    p(fun() -> strict([{i, 3}, bad, {i, 5}], [{i, 10}, {i, 15}, {i, 20}]) end),
    p(fun() -> strict([{i, 3}, {i, 4}, {i, 5}], [{i, 10}, bad, {i, 20}]) end),
    p(fun() -> [{A, B} || {i, A} <:- [{i, 1}, {i, 2}] && <<B:8>> <:= <<3, 9:7>>] end),
    p(fun() -> [X || X := X <- id(a) && _ <- [1]] end).

strict(X, Y) -> [A + B || {i, A} <:- X && {i, B} <- Y].

id(X) -> X.

p(F) ->
    Value = try F() catch error:Reason -> Reason end,
    io:format("~0p~n", [Value]).

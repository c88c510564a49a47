%% Generators over binaries and binaries from comprehensions.
-module(binary_comprehensions).
-export([main/0]).

main() ->
    show([X || <<X>> <= <<1, 2, 3>>]),
    show([X || <<X:3>> <= <<16#FF, 0>>]),
    show(<< <<(X * 2)>> || X <- [1, 2, 3] >>),
    show(<< <<X:16/little>> || <<X:16>> <= <<1, 2, 3, 4>>, X > 300 >>),
    show([{X, Y} || <<X>> <= <<"ab">>, Y <- [1, 2]]),
    show(<< <<B:1>> || B <- [1, 0, 1, 1] >>),
    show([C || <<C/utf8>> <= <<"aé日"/utf8>>]),
    show([{L, S} || <<L, S:L/binary>> <= <<1, "a", 2, "bc", 9, "x">>]).

show(X) -> io:format("~p~n", [X]).

%% expect: [1,2,3]
%% expect: [7,7,6,0,0]
%% expect: <<2,4,6>>
%% expect: <<4,3>>
%% expect: [{97,1},{97,2},{98,1},{98,2}]
%% expect: <<11:4>>
%% expect: [97,233,26085]
%% expect: [{1,<<"a">>},{2,<<"bc">>}]

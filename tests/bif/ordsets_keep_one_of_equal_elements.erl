%% Of an integer and a float that compare equal, unions and intersections keep the one that OTP keeps.
%% expect: [1,2.0,3,b]
%% expect: [1.0,2,3.0]
%% expect: [1,2,3.0]
%% expect: [1,2,3.0]
%% expect: [1,2.0]
%% expect: [2,3]
%% expect: [1,2.0,3]
-module(ordsets_keep_one_of_equal_elements).
-export([main/0]).

main() ->
    show(ordsets:union([1, 2.0, b], [1, 2, 3])),
    show(ordsets:union([1.0, 3], [1, 2, 3.0])),
    show(ordsets:union([1, 2, 3.0], [1.0, 3])),
    show(ordsets:union([2, 3.0], [1, 3])),
    show(ordsets:intersection([1, 2.0, b], [1.0, 2, 3])),
    show(ordsets:intersection([2.0, 3.0, b], [1.0, 2, 3])),
    show(ordsets:union([[1, 2.0], [1.0, 2], [2, 3]])).

show(X) ->
    io:format("~w~n", [X]).

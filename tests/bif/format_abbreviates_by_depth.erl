%% ~W and ~P stop at a depth with three dots.
-module(format_abbreviates_by_depth).
-export([main/0]).

main() ->
    T = {a, [1, 2, [3, [4, [5]]]], #{k => {v, [w]}}, "string", <<"binary">>},
    [io:format("~P~n", [T, D]) || D <- [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 20, -1]],
    [io:format("~W~n", [T, D]) || D <- [0, 1, 2, 3, 5, 9, 20]],
    [io:format("~P~n", [lists:seq(1, 30), D]) || D <- [1, 2, 5, 10]],
    [io:format("~P ~W~n", ["a long string", D, "a string", D]) || D <- [1, 2, 3, 4, 8]],
    [io:format("~P~n", [<<1, 2, 3, 4, 5, 6, 7>>, D]) || D <- [1, 2, 3, 5]],
    [io:format("~P~n", [list_to_tuple(lists:seq(1, 10)), D]) || D <- [1, 2, 3, 5]],
    ok.

%% expect: ...
%% expect: {...}
%% expect: {a,...}
%% expect: {a,[...],...}
%% expect: {a,[1|...],#{...},...}
%% expect: {a,[1,2|...],#{k => {...}},[...],...}
%% expect: {a,[1,2,[...]],#{k => {v,...}},"string",<<...>>}
%% expect: {a,[1,2,[3|...]],#{k => {v,[...]}},"string",<<"bina"...>>}
%% expect: {a,[1,2,[3,[...]]],#{k => {v,[w]}},"string",<<"binary">>}
%% expect: {a,[1,2,[3,[4,[...]]]],#{k => {v,[w]}},"string",<<"binary">>}
%% expect: {a,[1,2,[3,[4,[5]]]],#{k => {v,[w]}},"string",<<"binary">>}
%% expect: {a,[1,2,[3,[4,[5]]]],#{k => {v,[w]}},"string",<<"binary">>}
%% expect: ...
%% expect: {...}
%% expect: {a,...}
%% expect: {a,[...],...}
%% expect: {a,[1,2|...],#{k => {...},...},[...],...}
%% expect: {a,[1,2,[3,[4|...]]],#{k => {v,[w]}},[115,116,114,105|...],<<98,105,110,...>>}
%% expect: {a,[1,2,[3,[4,[5]]]],#{k => {v,[w]}},[115,116,114,105,110,103],<<98,105,110,97,114,121>>}
%% expect: [...]
%% expect: [1|...]
%% expect: [1,2,3,4|...]
%% expect: [1,2,3,4,5,6,7,8,9|...]
%% expect: [...] [...]
%% expect: "a long string" [97|...]
%% expect: "a long string" [97,32|...]
%% expect: "a long string" [97,32,115|...]
%% expect: "a long string" [97,32,115,116,114,105,110|...]
%% expect: <<...>>
%% expect: <<1,...>>
%% expect: <<1,2,...>>
%% expect: <<1,2,3,4,...>>
%% expect: {...}
%% expect: {1,...}
%% expect: {1,2,...}
%% expect: {1,2,3,4,...}

%% `lists:merge/2` of what is no list to its end.
%% expect: badarg
%% expect: badarg
%% expect: function_clause
%% expect: badarg
%% expect: function_clause
%% expect: [b|x]
%% expect: badarg
%% expect: badarg
%% expect: function_clause
%% expect: x
%% expect: [1,2,3,4]
-module(merging_lists_that_end_in_no_list_fails).
-export([main/0]).

main() ->
    Pairs = [{[], [a | b]}, {[a], [b | c]}, {[b], [a | c]}, {[b | x], [a]}, {[a | x], [b]}, {[b | x], []}, {[1, 2, 3 | x], [2]},
             {[2], [1, 2, 3 | x]}, {[], x}, {x, []}, {[1, 3], [2, 4]}],
    [io:format("~w~n", [try lists:merge(A, B) catch error:Reason -> Reason end]) || {A, B} <- Pairs].

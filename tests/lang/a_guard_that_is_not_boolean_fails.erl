%% A guard value other than true fails; and/or need booleans, andalso/orelse only on the left.
-module(a_guard_that_is_not_boolean_fails).
-export([main/0]).

main() ->
    show([f(X) || X <- [true, false, 1, a]]),
    show([g(X, Y) || X <- [true, false, 1], Y <- [true, false, 1]]),
    show([h(X, Y) || X <- [true, false, 1], Y <- [true, false, 1]]).

f(X) when X -> yes;
f(_) -> no.

g(X, Y) when X or Y -> 'or';
g(X, Y) when X orelse Y -> 'orelse';
g(_, _) -> neither.

h(X, Y) when X and Y -> 'and';
h(X, Y) when X andalso Y -> 'andalso';
h(X, _) when X -> left;
h(_, _) -> neither.

show(X) -> io:format("~p~n", [X]).

%% expect: [yes,no,no,no]
%% expect: ['or','or','orelse','or',neither,neither,neither,neither,neither]
%% expect: ['and',left,left,neither,neither,neither,neither,neither,neither]

%% A call of an own function in a guard.
%% expect refused: guard
-module(refused_illegal_guard).
-export([main/0]).

main() -> f(1).

f(X) when g(X) -> X.

g(_) -> true.

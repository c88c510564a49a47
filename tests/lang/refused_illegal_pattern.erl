%% A call in a pattern.
%% expect refused: pattern
-module(refused_illegal_pattern).
-export([main/0]).

main() -> f(1).

f(g(X)) -> X.

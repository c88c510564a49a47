%% Clauses of different names or arities in one function.
%% expect refused: f/1
-module(refused_heads_that_do_not_match).
-export([main/0]).

main() -> f(1).

f(1) -> 1;
g(2) -> 2.

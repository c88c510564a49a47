%% The same function twice.
%% expect refused: f
-module(refused_two_functions_of_one_name).
-export([main/0]).

main() -> f(1).

f(1) -> 1.

g() -> f(2).

f(2) -> g().

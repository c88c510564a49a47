%% A variable bound in a generator's expression is not visible in the comprehension.
%% expect refused: Y
-module(refused_variable_bound_inside_a_generator).
-export([main/0]).

main() -> [Y || _ <- (Y = [42])].

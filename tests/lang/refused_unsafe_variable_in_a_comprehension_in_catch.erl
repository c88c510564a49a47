%% A variable bound inside catch is unsafe, comprehension or not.
%% expect refused: X
-module(refused_unsafe_variable_in_a_comprehension_in_catch).
-export([main/0]).

main() -> catch [X = 1 || _ <- [1]], X.

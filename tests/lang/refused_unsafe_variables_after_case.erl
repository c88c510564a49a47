%% A variable bound in only some branches is unsafe afterwards.
%% expect refused: Y
-module(refused_unsafe_variables_after_case).
-export([main/0]).

main() -> case id(1) of 1 -> Y = 2; _ -> ok end, Y.

id(X) -> X.

%% catch _:T:T is an error.
%% expect refused: T
-module(refused_stack_variable_equal_to_the_reason).
-export([main/0]).

main() -> try id(1) catch _:T:T -> T end.

id(X) -> X.

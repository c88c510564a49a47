%% A call to a function that is not there.
%% expect refused: nope
-module(refused_undefined_function).
-export([main/0]).

main() -> nope(1).

%% A missing bracket.
%% expect refused: is not closed
-module(refused_syntax_error).
-export([main/0]).

main() -> {1, [2, 3}.

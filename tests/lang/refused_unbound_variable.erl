%% A use before any binding.
%% expect refused: X
-module(refused_unbound_variable).
-export([main/0]).

main() -> X + 1.

%% An undefined macro.
%% expect refused: NOPE
-module(refused_undefined_macro).
-export([main/0]).

main() -> ?NOPE.

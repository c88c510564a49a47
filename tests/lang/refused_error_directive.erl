%% -error stops the compilation with its text.
%% expect refused: because_i_say_so
-module(refused_error_directive).
-export([main/0]).

-error(because_i_say_so).
main() -> ok.

%% A string without end.
%% expect refused: unterminated
-module(refused_unterminated_string).
-export([main/0]).

main() -> "abc.

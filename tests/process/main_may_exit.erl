%% An exit from main is its end and its reason.
-module(main_may_exit).
-export([main/0]).

main() -> io:format("before~n"), exit({because, "I say so"}).

%% expect: before
%% expect exit: {because,"I say so"}

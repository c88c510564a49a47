%% An uncaught error in main.
-module(main_may_fail).
-export([main/0]).

main() -> io:format("before~n"), id(1) + id(a).

id(X) -> X.

%% expect: before
%% expect error: badarith

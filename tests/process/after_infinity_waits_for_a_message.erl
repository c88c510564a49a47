%% after infinity never times out.
-module(after_infinity_waits_for_a_message).
-export([main/0]).

main() ->
    Self = self(),
    spawn(fun() -> receive after 20 -> Self ! late end end),
    show(receive late -> got after infinity -> never end),
    T = id(infinity),
    self() ! x,
    show(receive x -> x after T -> never end).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: got
%% expect: x

%% hibernate/3 discards the stack and calls the function when mail arrives.
-module(hibernate_resumes_with_a_message).

-export([main/0, wake/2]).
main() ->
    Self = self(),
    P = spawn(fun() -> put(k, kept), erlang:hibernate(?MODULE, wake, [Self, [1, 2, 3]]) end),
    receive after 20 -> ok end,
    P ! hello,
    receive X -> show(X) end,
    Q = spawn(fun() -> self() ! already, erlang:hibernate(?MODULE, wake, [Self, q]) end),
    receive Y -> show(Y) end,
    show(is_pid(Q)).

wake(To, L) -> receive M -> To ! {M, L, get(k)} end.

show(X) -> io:format("~p~n", [X]).

%% expect: {hello,[1,2,3],kept}
%% expect: {already,q,undefined}
%% expect: true

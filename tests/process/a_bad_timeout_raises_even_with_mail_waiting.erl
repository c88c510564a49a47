%% The time-out value is looked at only when the process has to wait.
-module(a_bad_timeout_raises_even_with_mail_waiting).
-export([main/0]).

main() ->
    self() ! m,
    show(attempt(fun() -> receive m -> got after id(-1) -> timeout end end)),
    show(attempt(fun() -> receive m -> got after id(-1) -> timeout end end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: got
%% expect: {error,timeout_value}

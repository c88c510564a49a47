%% Results too large to represent raise system_limit instead of exhausting memory.
-module(a_huge_result_is_system_limit).
-export([main/0]).

main() ->
    show(attempt(fun() -> id(1) bsl id(100000000000) end)),
    show(attempt(fun() -> id(1) bsl id(1 bsl 64) end)),
    show(attempt(fun() -> erlang:make_tuple(id(1 bsl 40), x) end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: {error,system_limit}
%% expect: {error,system_limit}
%% expect: {error,badarg}

%% Wrong formats and arguments are badarg.
-module(format_refuses_bad_arguments).
-export([main/0]).

main() ->
    show([attempt(fun() -> io_lib:format(F, A) end) || {F, A} <- [{"~w", []}, {"~w", [1, 2]}, {"~q", [1]}, {"~", []}, {"~s", [1]}, {"~s", [[a]]}, {"~b", [a]}, {"~b", [1.0]}, {"~c", [a]}, {"~f", [a]}, {"~s", [[26085]]},
                                                                  {"~e", [x]}, {"~x", [1]}, {"~.1b", [1]}, {"~.37b", [1]}, {"~w", a}, {"~g", ["x"]}, {"~*w", [a, 1]}, {1, []}, {"~s", ['日']}, {"~.16x", [1, 2]}]]),
    show(attempt(fun() -> io:format("~w~n", id([])) end)),
    show(attempt(fun() -> io:format("~z~n", id([1])) end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [{error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg}]
%% expect: {error,badarg}
%% expect: {error,badarg}

%% A catch clause that only raises again does not skip the after part.
-module(after_runs_when_catch_only_reraises).
-export([main/0]).

main() ->
    show(attempt(fun() ->
        try error(a)
        catch C:R:S -> erlang:raise(C, R, S)
        after io:format("after~n")
        end
    end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

%% expect: after
%% expect: {error,a}

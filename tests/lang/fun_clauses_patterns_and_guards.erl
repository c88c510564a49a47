%% Funs have several clauses, patterns and guards; arguments shadow outer variables.
-module(fun_clauses_patterns_and_guards).
-export([main/0]).

main() ->
    F = fun({a, X}) when X > 0 -> {pos, X};
           ({a, X}) -> {nonpos, X};
           ([H | _]) -> H;
           (_) -> none
        end,
    show([F(T) || T <- [{a, 1}, {a, -1}, "q", 5]]),
    show(attempt(fun() -> (fun(1) -> ok end)(id(2)) end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [{pos,1},{nonpos,-1},113,none]
%% expect: {error,function_clause}

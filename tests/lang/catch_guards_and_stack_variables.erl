%% Catch clauses may have guards, class variables and stack variables.
-module(catch_guards_and_stack_variables).
-export([main/0]).

main() ->
    show([f(X) || X <- [{error, 1}, {error, 5}, {throw, 5}, {exit, a}, {throw, 1}]]).

f({C, V}) ->
    try erlang:raise(C, V, [])
    catch
        error:N when N > 3 -> {big, N};
        error:N:S -> {small, N, is_list(S)};
        throw:N when N > 3; N < 0 -> {thrown, N};
        Class:N:_ -> {Class, N}
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: [{small,1,true},{big,5},{thrown,5},{exit,a},{throw,1}]

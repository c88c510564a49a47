%% The entry of a failing BIF carries its arguments; function_clause those of the call.
-module(a_bif_error_shows_its_arguments).
-export([main/0]).

main() ->
    [{erlang, Name, Args, _}, {?MODULE, bif, 1, _} | _] = trace(fun() -> bif(id(a)) end),
    show({Name, Args}),
    [{?MODULE, clause, Args2, _} | _] = trace(fun() -> {clause(id(3), x)} end),
    show(Args2),
    [{erlang, '+', Args3, _} | _] = trace(fun() -> id(a) + id(1) end),
    show(Args3),
    [{no_such, f, Args4, []} | _] = trace(fun() -> {no_such:f(1, 2)} end),
    show(Args4),
    [{?MODULE, with_args, [x, y], _} | _] = trace(fun() -> {with_args()} end).

bif(X) -> {list_to_atom(X)}.

clause(1, _) -> ok.

with_args() -> erlang:error(reason, [x, y]).

trace(F) -> try F() catch _:_:Stack -> Stack end.

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: {list_to_atom,[a]}
%% expect: [3,x]
%% expect: [a,1]
%% expect: [1,2]

%% catch turns throws into values and other exceptions into 'EXIT' tuples.
-module(old_catch_returns_what_happened).
-export([main/0]).

main() ->
    show([catch 1 + 1, catch throw(a), catch exit(a)]),
    {'EXIT', {a, Stack}} = (catch error(a)),
    show(is_list(Stack)),
    {'EXIT', {badarith, [{_, _, _, _} | _]}} = (catch id(1) + id(a)),
    {'EXIT', {{badmatch, 2}, _}} = (catch 1 = id(2)),
    X = (catch id(3)),
    show(X),
    show({catch throw({nested, catch throw(inner)})}).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: [2,a,{'EXIT',a}]
%% expect: true
%% expect: 3
%% expect: {{nested,inner}}

%% -import brings functions of another module into reach.
-module(imported_functions_are_called_by_short_name).
-export([main/0]).

-import(lists, [reverse/1, map/2, foldl/3]).
main() ->
    show(reverse(map(fun(X) -> X + 1 end, [1, 2, 3]))),
    show(foldl(fun(X, A) -> X + A end, 0, [1, 2, 3])).

show(X) -> io:format("~p~n", [X]).

%% expect: [4,3,2]
%% expect: 6

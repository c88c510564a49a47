%% Nesting of lists, tuples, calls, cases and funs.
-module(deeply_nested_expressions).
-export([main/0]).

main() ->
    show([[[[[[[[[[{{{{{{{{{{1}}}}}}}}}}]]]]]]]]]]),
    show(id(id(id(id(id(id(id(id(id(id(id(id(1))))))))))))),
    show(case id(1) of 1 -> case id(2) of 2 -> case id(3) of 3 -> case id(4) of 4 -> case id(5) of 5 -> [X || X <- [a], case X of a -> true end] end end end end end),
    show((((((((((1 + 2) * 3) - 4) * 5) + 6) * 7) - 8) * 9) + 10) * 11),
    show((fun() -> (fun() -> (fun() -> (fun() -> deep end)() end)() end)() end)()).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: [[[[[[[[[[{{{{{{{{{{1}}}}}}}}}}]]]]]]]]]]
%% expect: 1
%% expect: [a]
%% expect: 20801
%% expect: deep

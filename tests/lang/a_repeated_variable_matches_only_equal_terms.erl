%% A variable that occurs twice in a pattern demands exactly equal terms.
-module(a_repeated_variable_matches_only_equal_terms).
-export([main/0]).

main() ->
    show([same(A, B) || {A, B} <- [{1, 1}, {1, 1.0}, {a, b}, {[1, 2], [1, 2]}, {#{a => 1}, #{a => 1}}, {{1}, {1.0}},
                                   {<<1>>, <<1>>}, {16#FFFFFFFFFFFFFFFF, 16#FFFFFFFFFFFFFFFF}]]),
    show([twice(T) || T <- [{1, 1}, {1, 2}, [3, 3], [3, 4]]]).

same(X, X) -> true;
same(_, _) -> false.

twice({X, X}) -> {tuple, X};
twice([X, X]) -> {list, X};
twice(_) -> no.

show(X) -> io:format("~p~n", [X]).

%% expect: [true,false,false,true,true,false,true,true]
%% expect: [{tuple,1},no,{list,3},no]

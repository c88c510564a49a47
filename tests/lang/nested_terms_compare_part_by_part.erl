%% Comparisons of nested terms go on behind parts that are equal, whatever the parts are.
-module(nested_terms_compare_part_by_part).
-export([main/0]).

main() ->
    A = {n, [1, 2, {x, <<"abc">>, 1.5}], #{k => [1]}, 1 bsl 80},
    Same = copy(A),
    show({A =:= Same, A == Same, A < Same, A =< Same}),
    Others = [setelement(2, A, [1, 2, {x, <<"abd">>, 1.5}]), setelement(2, A, [1.0, 2, {x, <<"abc">>, 1.5}]),
              setelement(2, A, [1, 2, {x, <<"abc">>, 1.5}, 3]), setelement(2, A, [1, 2 | {x}]),
              setelement(3, A, #{k => [1.0]}), setelement(3, A, #{k => [2]}), setelement(4, A, 1 bsl 80 + 1),
              setelement(4, A, float(1 bsl 80)), setelement(1, A, m), {n, z}, [A]],
    [show({A =:= B, A == B, A < B, B < A}) || B <- Others],
    Deep = lists:foldl(fun(N, T) -> {N, [T | N]} end, leaf, lists:seq(1, 3000)),
    Deeper = lists:foldl(fun(N, T) -> {N, [T | N]} end, lead, lists:seq(1, 3000)),
    show({Deep =:= copy(Deep), Deep == Deeper, Deep < Deeper, Deep > Deeper}),
    Wide = list_to_tuple(lists:seq(1, 300)),
    show({Wide =:= copy(Wide), Wide < setelement(300, Wide, 0), Wide == setelement(299, Wide, 299.0)}),
    show(lists:sort([{b, [2]}, {b, [1, 0]}, {a, z}, {b, [1]}, {b, [1.0, -1]}, {a, "z"}])).

copy(T) -> binary_to_term(term_to_binary(T)).

show(X) -> io:format("~p~n", [X]).

%% expect: {true,true,false,true}
%% expect: {false,false,true,false}
%% expect: {false,true,false,false}
%% expect: {false,false,true,false}
%% expect: {false,false,false,true}
%% expect: {false,true,false,false}
%% expect: {false,false,true,false}
%% expect: {false,false,true,false}
%% expect: {false,true,false,false}
%% expect: {false,false,false,true}
%% expect: {false,false,false,true}
%% expect: {false,false,true,false}
%% expect: {true,false,false,true}
%% expect: {true,false,true}
%% expect: [{a,z},{a,"z"},{b,[1]},{b,[1.0,-1]},{b,[1,0]},{b,[2]}]

%% Sets of sets, relations, functions and families: values and types.
-module(sets_of_sets).
-export([main/0]).

main() ->
    R = sofs:relation([{a, 1}, {b, 2}, {a, 3}, {c, 1}]),
    F = sofs:relation_to_family(R),
    S = fun(L) -> sofs:set(L) end,
    Odd = {external, fun(X) when is_integer(X) -> X rem 2; (T) -> T end},
    [show(X)
     || X <- [R, F, sofs:domain(R), sofs:range(R), sofs:field(R), sofs:converse(R), sofs:image(R, S([a])), sofs:inverse_image(R, S([1])),
              sofs:restriction(R, S([a, c])), sofs:drestriction(R, S([a])), sofs:restriction(2, R, S([1])), sofs:drestriction(2, R, S([1])),
              sofs:union(S([1, 2]), S([2, 3])), sofs:intersection(S([1, 2]), S([2, 3])), sofs:difference(S([1, 2]), S([2, 3])),
              sofs:symdiff(S([1, 2]), S([2, 3])), sofs:product(S([1, 2]), S([x])), sofs:product({S([1]), S([x, y]), S([z])}),
              sofs:relative_product(R, sofs:relation([{1, x}, {3, y}])), sofs:relative_product1(R, sofs:relation([{a, x}])),
              sofs:relative_product([R, sofs:relation([{a, z}, {b, w}])]), sofs:family_union(sofs:from_term([{a, [[1], [2]]}])),
              sofs:family_intersection(sofs:from_term([{a, [[1, 2], [2]]}])), sofs:partition(fun(X) -> sofs:from_term(sofs:to_external(X) rem 2) end, S([1, 2, 3])),
              sofs:partition(sofs:from_term([[a, b], [b, c], [d]])), sofs:partition_family(1, R), sofs:partition_family(fun(X) -> sofs:from_term(sofs:to_external(X) rem 2) end, S([1, 2, 3])),
              sofs:composite(sofs:a_function([{a, b}]), sofs:a_function([{b, c}])), sofs:inverse(sofs:a_function([{a, b}, {c, d}])),
              sofs:constant_function(S([a, b]), sofs:from_term(1)), sofs:projection(2, R), sofs:projection(Odd, S([1, 2, 3])),
              sofs:substitution(1, R), sofs:substitution(fun(X) -> sofs:from_term([sofs:to_external(X)]) end, S([1, 2])),
              sofs:family_to_relation(F), sofs:canonical_relation(sofs:from_term([[a, b], [b]])), sofs:from_term([{a, [1]}]),
              sofs:from_term([{a, []}, {b, [1]}]), sofs:from_term([]), sofs:from_term({a, [b]}), sofs:from_term(x), sofs:from_term([[[b], []]]),
              sofs:from_term([{c, "b"}], [{atom, [atom]}]), sofs:extension(R, S([z]), sofs:from_term(0)),
              sofs:strict_relation(sofs:relation([{1, 1}, {1, 2}])), sofs:weak_relation(sofs:relation([{1, 2}])),
              sofs:specification(fun sofs:is_set/1, sofs:from_term([[a], [b]])), sofs:specification({external, fun is_atom/1}, S([a, 1])),
              sofs:union(sofs:from_term([[a, b], [b, c]])), sofs:intersection(sofs:from_term([[a, b], [b, c]])), sofs:union_of_family(F),
              sofs:intersection_of_family(sofs:family([{a, [1, 2]}, {b, [2]}])), sofs:family([{b, [2, 1]}, {a, []}]),
              sofs:family_union(sofs:family([{a, [1]}]), sofs:family([{a, [2]}, {b, [3]}])),
              sofs:family_intersection(sofs:family([{a, [1, 2]}, {c, []}]), sofs:family([{a, [2]}, {b, [3]}])),
              sofs:family_difference(sofs:family([{a, [1, 2]}, {c, [5]}]), sofs:family([{a, [2]}])),
              sofs:family_domain(sofs:from_term([{a, [{1, x}, {2, y}]}])), sofs:family_range(sofs:from_term([{a, [{1, x}, {2, y}]}])),
              sofs:family_field(sofs:from_term([{a, [{1, x}]}])), sofs:family_projection(fun sofs:union/1, sofs:from_term([{a, [[1], [2]]}])),
              sofs:family_specification(fun(X) -> sofs:no_elements(X) > 1 end, F), sofs:empty_set(), sofs:relation([], 3), sofs:relation([]),
              sofs:join(sofs:relation([{a, x, 1}, {b, y, 2}]), 3, sofs:relation([{1, f, g}, {1, h, i}, {2, 3, 4}]), 1),
              sofs:multiple_relative_product({sofs:relation([{a, 1}, {b, 2}]), sofs:relation([{b, 5}, {b, 6}, {c, 7}])}, sofs:relation([{a, b}, {b, c}, {c, a}])),
              sofs:from_sets([S([1]), S([2])]), sofs:from_sets({S([1]), sofs:from_term(x)}), sofs:from_external([{a, [1]}], [{atom, [atom]}]),
              sofs:set([[a]], [[atom]]), sofs:relation([{a, [b]}], [{atom, [atom]}]), sofs:a_function([{1, 2}])]],
    {A, B, C} = sofs:symmetric_partition(S([1, 2]), S([2, 3])),
    [show(X) || X <- [A, B, C | sofs:to_sets(sofs:from_term([[a], [b]]))]],
    {D, E} = sofs:partition(1, R, S([a])),
    [show(X) || X <- [D, E]],
    io:format("~p~n", [[sofs:is_a_function(R), sofs:is_a_function(F), sofs:no_elements(R), sofs:is_subset(S([1]), S([1, 2])), sofs:is_equal(R, R),
                        sofs:is_disjoint(S([1]), S([2])), sofs:is_empty_set(S([])), sofs:is_set(S([1])), sofs:is_set(sofs:from_term(a)),
                        sofs:is_sofs_set(a), sofs:is_type([{atom, [atom]}]), sofs:is_type({}), sofs:is_type("a"), sofs:is_type(['_'])]]),
    G = sofs:family_to_digraph(sofs:family([{a, [b]}, {b, [c]}, {c, []}])),
    io:format("~p ~p~n", [lists:sort(digraph:vertices(G)), sofs:to_external(sofs:digraph_to_family(G))]),
    [io:format("~p~n", [try Wrong() catch error:Reason -> Reason end])
     || Wrong <- [fun() -> sofs:relation([a]) end, fun() -> sofs:union(S([1]), R) end, fun() -> sofs:a_function([{a, 1}, {a, 2}]) end,
                  fun() -> sofs:inverse(sofs:a_function([{a, b}, {c, b}])) end, fun() -> sofs:from_term([a, {b}]) end, fun() -> sofs:set(a) end,
                  fun() -> sofs:intersection(sofs:empty_set()) end, fun() -> sofs:family([{a, b}]) end, fun() -> sofs:domain(S([1])) end,
                  fun() -> sofs:composite(sofs:a_function([{a, b}]), sofs:a_function([{c, d}])) end, fun() -> sofs:relation([{a, 1}, {b}]) end,
                  fun() -> sofs:family_to_digraph(sofs:family([{a, [b]}, {b, [a]}]), [acyclic]) end]].

show(X) -> io:format("~0p ~0p~n", [sofs:to_external(X), sofs:type(X)]).

%% expect: [{a,1},{a,3},{b,2},{c,1}] [{atom,atom}]
%% expect: [{a,[1,3]},{b,[2]},{c,[1]}] [{atom,[atom]}]
%% expect: [a,b,c] [atom]
%% expect: [1,2,3] [atom]
%% expect: [1,2,3,a,b,c] [atom]
%% expect: [{1,a},{1,c},{2,b},{3,a}] [{atom,atom}]
%% expect: [1,3] [atom]
%% expect: [a,c] [atom]
%% expect: [{a,1},{a,3},{c,1}] [{atom,atom}]
%% expect: [{b,2},{c,1}] [{atom,atom}]
%% expect: [{a,1},{c,1}] [{atom,atom}]
%% expect: [{a,3},{b,2}] [{atom,atom}]
%% expect: [1,2,3] [atom]
%% expect: [2] [atom]
%% expect: [1] [atom]
%% expect: [1,3] [atom]
%% expect: [{1,x},{2,x}] [{atom,atom}]
%% expect: [{1,x,z},{1,y,z}] [{atom,atom,atom}]
%% expect: [{a,x},{a,y},{c,x}] [{atom,atom}]
%% expect: [{1,x},{3,x}] [{atom,atom}]
%% expect: [{a,{1,z}},{a,{3,z}},{b,{2,w}}] [{atom,{atom,atom}}]
%% expect: [{a,[1,2]}] [{atom,[atom]}]
%% expect: [{a,[2]}] [{atom,[atom]}]
%% expect: [[1,3],[2]] [[atom]]
%% expect: [[a],[b],[c],[d]] [[atom]]
%% expect: [{a,[{a,1},{a,3}]},{b,[{b,2}]},{c,[{c,1}]}] [{atom,[{atom,atom}]}]
%% expect: [{0,[2]},{1,[1,3]}] [{atom,[atom]}]
%% expect: [{a,c}] [{atom,atom}]
%% expect: [{b,a},{d,c}] [{atom,atom}]
%% expect: [{a,1},{b,1}] [{atom,atom}]
%% expect: [1,2,3] [atom]
%% expect: [0,1] [atom]
%% expect: [{{a,1},a},{{a,3},a},{{b,2},b},{{c,1},c}] [{{atom,atom},atom}]
%% expect: [{1,[1]},{2,[2]}] [{atom,[atom]}]
%% expect: [{a,1},{a,3},{b,2},{c,1}] [{atom,atom}]
%% expect: [{a,[a,b]},{b,[a,b]},{b,[b]}] [{atom,[atom]}]
%% expect: [{a,[1]}] [{atom,[atom]}]
%% expect: [{a,[]},{b,[1]}] [{atom,[atom]}]
%% expect: [] ['_']
%% expect: {a,[b]} {atom,[atom]}
%% expect: x atom
%% expect: [[[],[b]]] [[[atom]]]
%% expect: [{c,"b"}] [{atom,[atom]}]
%% expect: [{a,1},{a,3},{b,2},{c,1},{z,0}] [{atom,atom}]
%% expect: [{1,2}] [{atom,atom}]
%% expect: [{1,1},{1,2},{2,2}] [{atom,atom}]
%% expect: [[a],[b]] [[atom]]
%% expect: [a] [atom]
%% expect: [a,b,c] [atom]
%% expect: [b] [atom]
%% expect: [1,2,3] [atom]
%% expect: [2] [atom]
%% expect: [{a,[]},{b,[1,2]}] [{atom,[atom]}]
%% expect: [{a,[1,2]},{b,[3]}] [{atom,[atom]}]
%% expect: [{a,[2]}] [{atom,[atom]}]
%% expect: [{a,[1]},{c,[5]}] [{atom,[atom]}]
%% expect: [{a,[1,2]}] [{atom,[atom]}]
%% expect: [{a,[x,y]}] [{atom,[atom]}]
%% expect: [{a,[1,x]}] [{atom,[atom]}]
%% expect: [{a,[1,2]}] [{atom,[atom]}]
%% expect: [{a,[1,3]}] [{atom,[atom]}]
%% expect: [] ['_']
%% expect: [] [{atom,atom,atom}]
%% expect: [] [{atom,atom}]
%% expect: [{a,x,1,f,g},{a,x,1,h,i},{b,y,2,3,4}] [{atom,atom,atom,atom,atom}]
%% expect: [{{a,b},{1,5}},{{a,b},{1,6}},{{b,c},{2,7}}] [{{atom,atom},{atom,atom}}]
%% expect: [[1],[2]] [[atom]]
%% expect: {[1],x} {[atom],atom}
%% expect: [{a,[1]}] [{atom,[atom]}]
%% expect: [[a]] [[atom]]
%% expect: [{a,[b]}] [{atom,[atom]}]
%% expect: [{1,2}] [{atom,atom}]
%% expect: [1] [atom]
%% expect: [2] [atom]
%% expect: [3] [atom]
%% expect: [a] [atom]
%% expect: [b] [atom]
%% expect: [{a,1},{a,3}] [{atom,atom}]
%% expect: [{b,2},{c,1}] [{atom,atom}]
%% expect: [false,true,4,true,true,true,true,true,false,false,true,false,false,true]
%% expect: [a,b,c] [{a,[b]},{b,[c]},{c,[]}]
%% expect: badarg
%% expect: type_mismatch
%% expect: bad_function
%% expect: bad_function
%% expect: badarg
%% expect: badarg
%% expect: badarg
%% expect: badarg
%% expect: badarg
%% expect: bad_function
%% expect: badarg
%% expect: cyclic

%% sofs: what is known of the elements of a set, when it has none; and what is refused.
-module(sets_of_sets_keep_the_types_of_what_is_empty).
-export([main/0]).

main() ->
    E = sofs:empty_set(),
    R = sofs:relation([{a, 1}, {b, 2}, {c, 1}]),
    None = sofs:relation([]),
    F = sofs:family([{a, [1, 2]}, {b, []}]),
    Sets = sofs:from_term([[a, b], [b, c], []]),
    Swap = {external, fun({A, B}) -> {B, A} end},
    First = {external, fun({A, _}) -> A end},
    Each = fun(S) -> S end,
    show(from_term, [[[[], [a]], [atom]], [[a], ['_']], [[{1, [2]}], ['_']], [[a | b]], [{a, [b]}], [[a], [[atom]]]]),
    show(set, [[[b, a], ['_']], [[a | b]], [x]]),
    show(relation, [[[{{a}, [{foo, bar}]}], ['_']], [[{a, b} | c]], [[a], ['_']]]),
    show(family, [[[{{a}, [{foo, bar}]}], ['_']], [[{a, b}], [{atom, atom}]]]),
    show(from_sets, [[[R, x]], [{R, E}], [{}], [[E, Sets]]]),
    show(product, [[{E, R}], [None, R]]),
    show(projection, [[1, E], [1, None], [3, R], [Swap, R], [First, Sets], [Each, None], [First, E]]),
    show(substitution, [[Each, E], [First, R], [2, R]]),
    show(partition, [[1, R], [First, R], [Sets], [sofs:from_term([{0, a}, {0.0, b}])]] ++ [[1, R, sofs:set([a])], [Each, Sets, E], [First, R, sofs:set([b, c])]]),
    show(restriction, [[R, sofs:set([b])], [R, E], [R, Sets], [Swap, None, sofs:relation([{1, a}])]]),
    show(partition_family, [[1, R], [Each, E], [First, R], [Each, Sets]]),
    show(family_projection, [[fun sofs:no_elements/1, F], [fun sofs:union/1, F], [Each, F], [First, F], [Each, E]]),
    show(family_union, [[F], [sofs:from_term([{a, [[1], [2]]}, {b, []}])], [F, F], [F, E], [F, Sets]]),
    show(family_intersection, [[sofs:from_term([{a, [[1], [1, 2]]}])], [sofs:from_term([{a, []}], [{atom, [[atom]]}])], [F, F]]),
    show(family_domain, [[F], [sofs:from_term([{a, [{1, 2}]}])], [sofs:from_term([{a, []}])], [E]]),
    show(relative_product, [[R, E], [E, R], [[R, R]], [{R, None}], [{R, E}], [[]], [[R, sofs:relation([{[a], b}], [{[atom], atom}])]]]),
    show(multiple_relative_product, [[{R, R}, sofs:relation([{a, b}])], [{R, R}, E], [{R}, R]]),
    show(join, [[R, 1, R, 1], [R, 2, E, 7], [R, 3, R, 1]]),
    show(composite, [[E, R], [sofs:a_function([{a, b}]), sofs:a_function([{b, c}])], [sofs:a_function([{a, x}]), sofs:a_function([{b, c}])], [R, E]]),
    show(extension, [[R, sofs:set([a, d]), sofs:from_term(9)], [E, sofs:set([a]), sofs:from_term(9)], [E, E, E], [R, Sets, E]]),
    show(constant_function, [[E, R], [sofs:set([a]), R], [sofs:from_term(a), R]]),
    show(weak_relation, [[sofs:from_term([{{a}, a}])], [sofs:relation([{a, b}])], [E]]),
    show(canonical_relation, [[Sets], [E], [sofs:from_term([[]])]]),
    show(digraph_to_family, [[sofs:family_to_digraph(sofs:family([{a, [b]}])), [{atom, [atom]}]], [x, atom]]).

show(Function, Arguments) ->
    [io:format("~w ~w~n", [Function, try apply(sofs, Function, Args) catch error:Reason -> Reason end]) || Args <- Arguments].

%% expect: from_term {'Set',[[],[a]],atom}
%% expect: from_term {'Set',[a],atom}
%% expect: from_term {'Set',[{1,[2]}],{atom,[atom]}}
%% expect: from_term badarg
%% expect: from_term {'OrdSet',{a,[b]},{atom,[atom]}}
%% expect: from_term badarg
%% expect: set {'Set',[a,b],atom}
%% expect: set badarg
%% expect: set badarg
%% expect: relation {'Set',[{{a},[{foo,bar}]}],{{atom},[{atom,atom}]}}
%% expect: relation badarg
%% expect: relation badarg
%% expect: family {'Set',[{{a},[{foo,bar}]}],{{atom},[{atom,atom}]}}
%% expect: family badarg
%% expect: from_sets badarg
%% expect: from_sets {'OrdSet',{[{a,1},{b,2},{c,1}],[]},{[{atom,atom}],['_']}}
%% expect: from_sets {'OrdSet',{},{}}
%% expect: from_sets {'Set',[[],[[],[a,b],[b,c]]],[[atom]]}
%% expect: product {'Set',[],'_'}
%% expect: product {'Set',[],{{atom,atom},{atom,atom}}}
%% expect: projection {'Set',[],'_'}
%% expect: projection {'Set',[],atom}
%% expect: projection badarg
%% expect: projection {'Set',[{1,a},{1,c},{2,b}],{atom,atom}}
%% expect: projection badarg
%% expect: projection {'Set',[],'_'}
%% expect: projection {'Set',[],'_'}
%% expect: substitution {'Set',[],'_'}
%% expect: substitution {'Set',[{{a,1},a},{{b,2},b},{{c,1},c}],{{atom,atom},atom}}
%% expect: substitution {'Set',[{{a,1},1},{{b,2},2},{{c,1},1}],{{atom,atom},atom}}
%% expect: partition {'Set',[[{a,1}],[{b,2}],[{c,1}]],[{atom,atom}]}
%% expect: partition {'Set',[[{a,1}],[{b,2}],[{c,1}]],[{atom,atom}]}
%% expect: partition {'Set',[[a],[b],[c]],[atom]}
%% expect: partition badarg
%% expect: partition {{'Set',[{a,1}],{atom,atom}},{'Set',[{b,2},{c,1}],{atom,atom}}}
%% expect: partition {{'Set',[],'_'},{'Set',[[],[a,b],[b,c]],[atom]}}
%% expect: partition {{'Set',[{b,2},{c,1}],{atom,atom}},{'Set',[{a,1}],{atom,atom}}}
%% expect: restriction {'Set',[{b,2}],{atom,atom}}
%% expect: restriction {'Set',[],{atom,atom}}
%% expect: restriction type_mismatch
%% expect: restriction {'Set',[],{atom,atom}}
%% expect: partition_family {'Set',[{a,[{a,1}]},{b,[{b,2}]},{c,[{c,1}]}],{atom,[{atom,atom}]}}
%% expect: partition_family {'Set',[],'_'}
%% expect: partition_family {'Set',[{a,[{a,1}]},{b,[{b,2}]},{c,[{c,1}]}],{atom,[{atom,atom}]}}
%% expect: partition_family {'Set',[{[],[[]]},{[a,b],[[a,b]]},{[b,c],[[b,c]]}],{[atom],[[atom]]}}
%% expect: family_projection badarg
%% expect: family_projection badarg
%% expect: family_projection {'Set',[{a,[1,2]},{b,[]}],{atom,[atom]}}
%% expect: family_projection badarg
%% expect: family_projection {'Set',[],'_'}
%% expect: family_union badarg
%% expect: family_union {'Set',[{a,[1,2]},{b,[]}],{atom,[atom]}}
%% expect: family_union {'Set',[{a,[1,2]},{b,[]}],{atom,[atom]}}
%% expect: family_union {'Set',[{a,[1,2]},{b,[]}],{atom,[atom]}}
%% expect: family_union type_mismatch
%% expect: family_intersection {'Set',[{a,[1]}],{atom,[atom]}}
%% expect: family_intersection badarg
%% expect: family_intersection {'Set',[{a,[1,2]},{b,[]}],{atom,[atom]}}
%% expect: family_domain badarg
%% expect: family_domain {'Set',[{a,[1]}],{atom,[atom]}}
%% expect: family_domain {'Set',[{a,[]}],{atom,['_']}}
%% expect: family_domain {'Set',[],'_'}
%% expect: relative_product {'Set',[],'_'}
%% expect: relative_product {'Set',[],'_'}
%% expect: relative_product {'Set',[{a,{1,1}},{b,{2,2}},{c,{1,1}}],{atom,{atom,atom}}}
%% expect: relative_product {'Set',[],{atom,{atom,atom}}}
%% expect: relative_product {'Set',[],'_'}
%% expect: relative_product badarg
%% expect: relative_product type_mismatch
%% expect: multiple_relative_product {'Set',[{{a,b},{1,2}}],{{atom,atom},{atom,atom}}}
%% expect: multiple_relative_product {'Set',[],'_'}
%% expect: multiple_relative_product badarg
%% expect: join {'Set',[{a,1,1},{b,2,2},{c,1,1}],{atom,atom,atom}}
%% expect: join {'Set',[],'_'}
%% expect: join badarg
%% expect: composite {'Set',[],'_'}
%% expect: composite {'Set',[{a,c}],{atom,atom}}
%% expect: composite bad_function
%% expect: composite {'Set',[],'_'}
%% expect: extension {'Set',[{a,1},{b,2},{c,1},{d,9}],{atom,atom}}
%% expect: extension {'Set',[],{atom,atom}}
%% expect: extension {'Set',[],'_'}
%% expect: extension type_mismatch
%% expect: constant_function {'Set',[],'_'}
%% expect: constant_function {'Set',[{a,[{a,1},{b,2},{c,1}]}],{atom,[{atom,atom}]}}
%% expect: constant_function badarg
%% expect: weak_relation badarg
%% expect: weak_relation {'Set',[{a,a},{a,b},{b,b}],{atom,atom}}
%% expect: weak_relation {'Set',[],'_'}
%% expect: canonical_relation {'Set',[{a,[a,b]},{b,[a,b]},{b,[b,c]},{c,[b,c]}],{atom,[atom]}}
%% expect: canonical_relation {'Set',[],'_'}
%% expect: canonical_relation {'Set',[],'_'}
%% expect: digraph_to_family {'Set',[{a,[b]},{b,[]}],{atom,[atom]}}
%% expect: digraph_to_family badarg

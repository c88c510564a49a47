%% Small data structure modules of the standard library.
-module(orddict_ordsets_and_queues).
-export([main/0]).

main() ->
    show([orddict:from_list([{b, 1}, {a, 2}]), orddict:store(c, 3, [{a, 1}]), orddict:fetch(a, [{a, 1}]), orddict:find(z, []), orddict:to_list(orddict:append(a, 1, []))]),
    show([ordsets:from_list([c, a, b, a]), ordsets:union([a, c], [b]), ordsets:intersection([a, b], [b, c]), ordsets:subtract([a, b], [a]), ordsets:is_element(a, [a]), ordsets:add_element(b, [a, c])]),
    Q = queue:in(3, queue:in(2, queue:in(1, queue:new()))),
    {{value, X}, Q2} = queue:out(Q),
    show({X, queue:to_list(Q2), queue:len(Q), queue:is_empty(queue:new()), queue:out(queue:new())}),
    D = dict:store(a, 1, dict:new()),
    show({dict:fetch(a, D), dict:find(b, D), dict:to_list(D)}),
    S = sets:from_list([1, 2, 2]),
    show({sets:size(S), sets:is_element(1, S), lists:sort(sets:to_list(S))}),
    G = gb_trees:from_orddict([{1, a}, {2, b}]),
    show({gb_trees:lookup(1, G), gb_trees:to_list(gb_trees:insert(3, c, G)), gb_trees:size(G)}),
    A = array:set(2, x, array:new()),
    show({array:get(2, A), array:get(0, A), array:size(A)}).

show(X) -> io:format("~p~n", [X]).

%% expect: [[{a,2},{b,1}],[{a,1},{c,3}],1,error,[{a,[1]}]]
%% expect: [[a,b,c],[a,b,c],[b],[b],true,[a,b,c]]
%% expect: {1,[2,3],3,true,{empty,{[],[]}}}
%% expect: {1,error,[{a,1}]}
%% expect: {2,true,[1,2]}
%% expect: {{value,a},[{1,a},{2,b},{3,c}],2}
%% expect: {x,undefined,3}

%% Directed graphs: vertices, edges, paths, cycles, components, orders. What depends on the order of a table is sorted.
-module(directed_graphs).
-export([main/0]).
s(L) -> io:format("~0p~n", [L]).
main() ->
  G = digraph:new(),
  s(lists:keydelete(memory,1,digraph:info(G))), 
  V0 = digraph:add_vertex(G), V00 = digraph:add_vertex(G), s({V0,V00}), s(digraph:vertex(G,V0)),
  digraph:del_vertices(G,[V0,V00]),
  [digraph:add_vertex(G,V) || V <- [a,b,c,d,e,f,g]], s(digraph:add_vertex(G,a,lab)), s(digraph:vertex(G,a)), s(digraph:vertex(G,z)),
  s(lists:sort(digraph:vertices(G))), s(digraph:no_vertices(G)),
  s([digraph:add_edge(G,A,B) || {A,B} <- [{a,b},{a,c},{a,d},{b,c},{c,d},{d,e},{e,c},{b,b},{f,a},{a,b}]]),
  s(digraph:add_edge(G,a,zz)), s(digraph:add_edge(G,zz,a,l)), s(digraph:add_edge(G,my,a,g,l)), s(digraph:add_edge(G,my,a,g,l2)), s(digraph:edge(G,my)), s(digraph:add_edge(G,my,a,b,l2)), s(digraph:edge(G,nope)),
  s(digraph:out_neighbours(G,a)), s(digraph:in_neighbours(G,c)), s(digraph:out_edges(G,a)), s(digraph:in_edges(G,c)), s(lists:sort(digraph:edges(G))), s(digraph:edges(G,b)),
  s({digraph:in_degree(G,b),digraph:out_degree(G,b),digraph:no_edges(G)}),
  s(lists:sort(digraph:source_vertices(G))), s(lists:sort(digraph:sink_vertices(G))),
  s(digraph:get_path(G,a,e)), s(digraph:get_short_path(G,a,e)), s(digraph:get_path(G,a,f)), s(digraph:get_path(G,a,a)), s(digraph:get_path(G,b,b)), s(digraph:get_short_path(G,c,c)),
  s(digraph:get_cycle(G,b)), s(digraph:get_cycle(G,c)), s(digraph:get_cycle(G,a)), s(digraph:get_short_cycle(G,c)), s(digraph:get_short_cycle(G,b)),s(digraph:get_short_cycle(G,a)),
  ss(digraph_utils:components(G)), ss(digraph_utils:strong_components(G)), ss(digraph_utils:cyclic_strong_components(G)),
  s(digraph_utils:topsort(G)), s(digraph_utils:is_acyclic(G)), s(lists:sort(digraph_utils:reachable([a],G))), s(lists:sort(digraph_utils:reaching([c],G))), s(lists:sort(digraph_utils:reachable_neighbours([c],G))),s(lists:sort(digraph_utils:reachable_neighbours([a],G))), s(lists:sort(digraph_utils:reaching_neighbours([c],G))),s(lists:sort(digraph_utils:reaching_neighbours([a],G))),
  s(digraph_utils:loop_vertices(G)), s(digraph_utils:is_tree(G)), s(digraph_utils:is_arborescence(G)), s(digraph_utils:arborescence_root(G)),
  C = digraph_utils:condensation(G), s(lists:sort([lists:sort(V) || V <- digraph:vertices(C)])), s(lists:sort([{lists:sort(element(2,digraph:edge(C,E))),lists:sort(element(3,digraph:edge(C,E)))} || E <- digraph:edges(C)])),
  S = digraph_utils:subgraph(G,[a,b,c]), s(lists:sort(digraph:vertices(S))), s(lists:sort([digraph:edge(S,E) || E <- digraph:edges(S)])), s(lists:keydelete(memory,1,digraph:info(S))),
  S2 = digraph_utils:subgraph(G,[a,b],[{type,[acyclic]},{keep_labels,false}]), s(catch lists:sort([digraph:edge(S2,E) || E <- digraph:edges(S2)])),
  s(digraph:del_path(G,a,e)), s(lists:sort(digraph:edges(G))), s(digraph:del_edge(G,my)), s(digraph:del_edges(G,[x,y])), s(digraph:del_vertex(G,c)), s(lists:sort(digraph:edges(G))),
  s(digraph:delete(G)), s(element(1, element(2, catch digraph:vertices(G)))),
  A = digraph:new([acyclic,private]), s(lists:keydelete(memory,1,digraph:info(A))), [digraph:add_vertex(A,V) || V <- lists:seq(1,8)], s([element(1,{digraph:add_edge(A,X,Y)}) || {X,Y} <- [{1,2},{2,3},{3,1},{1,1},{4,5},{2,5},{8,1}]]),
  s(digraph_utils:topsort(A) =/= false), s(digraph_utils:is_acyclic(A)), s(element(1, element(2, catch digraph:new([foo])))), s(element(1, element(2, catch digraph:new(foo)))),
  T = digraph:new(), [digraph:add_vertex(T,V) || V <- lists:seq(1,5)], [digraph:add_edge(T,X,Y) || {X,Y} <- [{1,2},{1,3},{3,4},{3,5}]],
  s({digraph_utils:is_tree(T),digraph_utils:is_arborescence(T),digraph_utils:arborescence_root(T)}), s(lists:sort(digraph_utils:topsort(T))), s(lists:sort(digraph_utils:preorder(T))), s(lists:sort(digraph_utils:postorder(T))),
  s(digraph_utils:reachable([1],T)), s(digraph_utils:reaching([5],T)),s(digraph_utils:reachable([3,2],T)),
  s([lists:sort(K) || K <- digraph_utils:components(T)]), s(lists:sort(digraph_utils:strong_components(T))).
ss(L) -> s(lists:sort([lists:sort(X) || X <- L])).

%% expect: [{cyclicity,cyclic},{protection,protected}]
%% expect: {['$v'|0],['$v'|1]}
%% expect: {['$v'|0],[]}
%% expect: a
%% expect: {a,lab}
%% expect: false
%% expect: [a,b,c,d,e,f,g]
%% expect: 7
%% expect: [['$e'|0],['$e'|1],['$e'|2],['$e'|3],['$e'|4],['$e'|5],['$e'|6],['$e'|7],['$e'|8],['$e'|9]]
%% expect: {error,{bad_vertex,zz}}
%% expect: {error,{bad_vertex,zz}}
%% expect: my
%% expect: my
%% expect: {my,a,g,l2}
%% expect: {error,{bad_edge,[a,b]}}
%% expect: false
%% expect: [g,b,d,c,b]
%% expect: [e,b,a]
%% expect: [['$e'|0],['$e'|1],['$e'|2],['$e'|9],my]
%% expect: [['$e'|1],['$e'|3],['$e'|6]]
%% expect: [my,['$e'|0],['$e'|1],['$e'|2],['$e'|3],['$e'|4],['$e'|5],['$e'|6],['$e'|7],['$e'|8],['$e'|9]]
%% expect: [['$e'|0],['$e'|7],['$e'|9],['$e'|3],['$e'|7]]
%% expect: {3,2,11}
%% expect: [f]
%% expect: [g]
%% expect: [a,b,c,d,e]
%% expect: [a,d,e]
%% expect: false
%% expect: false
%% expect: [b,b]
%% expect: [c,d,e,c]
%% expect: [b]
%% expect: [c,d,e,c]
%% expect: false
%% expect: [c,d,e,c]
%% expect: [b,b]
%% expect: false
%% expect: [[a,b,c,d,e,f,g]]
%% expect: [[a],[b],[c,d,e],[f],[g]]
%% expect: [[b],[c,d,e]]
%% expect: false
%% expect: false
%% expect: [a,b,c,d,e,g]
%% expect: [a,b,c,d,e,f]
%% expect: [c,d,e]
%% expect: [b,c,d,e,g]
%% expect: [a,b,c,d,e,f]
%% expect: [f]
%% expect: [b]
%% expect: false
%% expect: false
%% expect: no
%% expect: [[a],[b],[c,d,e],[f],[g]]
%% expect: [{[a],[b]},{[a],[c,d,e]},{[a],[g]},{[b],[c,d,e]},{[f],[a]}]
%% expect: [a,b,c]
%% expect: [{['$e'|0],a,b,[]},{['$e'|1],a,c,[]},{['$e'|3],b,c,[]},{['$e'|7],b,b,[]},{['$e'|9],a,b,[]}]
%% expect: [{cyclicity,cyclic},{protection,protected}]
%% expect: [{['$e'|0],a,b,[]},{['$e'|9],a,b,[]}]
%% expect: true
%% expect: [my,['$e'|1],['$e'|2],['$e'|6],['$e'|7],['$e'|8]]
%% expect: true
%% expect: true
%% expect: true
%% expect: [['$e'|2],['$e'|7],['$e'|8]]
%% expect: true
%% expect: badarg
%% expect: [{cyclicity,acyclic},{protection,private}]
%% expect: [['$e'|0],['$e'|1],{error,{bad_edge,[1,2,3]}},{error,{bad_edge,[1,1]}},['$e'|4],['$e'|5],['$e'|6]]
%% expect: true
%% expect: true
%% expect: badarg
%% expect: badarg
%% expect: {true,true,{yes,1}}
%% expect: [1,2,3,4,5]
%% expect: [1,2,3,4,5]
%% expect: [1,2,3,4,5]
%% expect: [2,4,5,3,1]
%% expect: [1,3,5]
%% expect: [2,4,5,3]
%% expect: [[1,2,3,4,5]]
%% expect: [[1],[2],[3],[4],[5]]

%% What can be asked of directed graphs: what is reachable, components, orders, trees.
-module(digraph_utils).

-export([components/1, strong_components/1, cyclic_strong_components/1, reachable/2, reachable_neighbours/2, reaching/2,
         reaching_neighbours/2, topsort/1, is_acyclic/1, is_arborescence/1, is_tree/1, loop_vertices/1, arborescence_root/1,
         subgraph/2, subgraph/3, condensation/1, preorder/1, postorder/1]).

%% Parts that hang together, whatever the directions.
components(G) ->
    trees(G, fun(V) -> digraph:out_neighbours(G, V) ++ digraph:in_neighbours(G, V) end, digraph:vertices(G)).

%% Parts in which each vertex is reachable from each: what is reached backwards, taking the vertices in reverse postorder.
strong_components(G) ->
    trees(G, fun(V) -> digraph:in_neighbours(G, V) end, lists:reverse(postorder(G))).

cyclic_strong_components(G) ->
    [C || C <- strong_components(G), is_cyclic(C, G)].

is_cyclic([V], G) -> lists:member(V, digraph:out_neighbours(G, V));
is_cyclic(_, _) -> true.

reachable(Vs, G) -> lists:append(trees(G, fun(V) -> digraph:out_neighbours(G, V) end, Vs)).

reachable_neighbours(Vs, G) -> beyond(G, fun(V) -> digraph:out_neighbours(G, V) end, Vs).

reaching(Vs, G) -> lists:append(trees(G, fun(V) -> digraph:in_neighbours(G, V) end, Vs)).

reaching_neighbours(Vs, G) -> beyond(G, fun(V) -> digraph:in_neighbours(G, V) end, Vs).

%% What is reached by at least one edge.
beyond(G, Neighbours, Vs) -> lists:append(trees(G, Neighbours, lists:flatmap(Neighbours, Vs))).

%% The trees of a search depth first that starts from each of Vs in turn; vertices of each in reverse order of discovery, the
%% last tree first.
trees(_, Neighbours, Vs) -> trees(Vs, Neighbours, #{}, []).

trees([], _, _, Trees) -> Trees;
trees([V | Vs], Neighbours, Seen, Trees) ->
    case grow([[V]], Neighbours, Seen, []) of
        {[], Seen1} -> trees(Vs, Neighbours, Seen1, Trees);
        {Tree, Seen1} -> trees(Vs, Neighbours, Seen1, [Tree | Trees])
    end.

grow([], _, Seen, Tree) -> {Tree, Seen};
grow([[] | Stack], Neighbours, Seen, Tree) -> grow(Stack, Neighbours, Seen, Tree);
grow([[V | Vs] | Stack], Neighbours, Seen, Tree) ->
    case Seen of
        #{V := _} -> grow([Vs | Stack], Neighbours, Seen, Tree);
        _ -> grow([Neighbours(V), Vs | Stack], Neighbours, Seen#{V => true}, [V | Tree])
    end.

%% Each vertex before what is reached from it.
preorder(G) ->
    Trees = trees(G, fun(V) -> digraph:out_neighbours(G, V) end, starts(G)),
    lists:append([lists:reverse(T) || T <- lists:reverse(Trees)]).

%% Each vertex after what is reached from it.
postorder(G) -> finished(starts(G), G, #{}, []).

%% Searches begin where nothing leads to, and in cycles anywhere.
starts(G) -> digraph:vertices(G).

finished([], _, _, Order) -> lists:reverse(Order);
finished([V | Vs], G, Seen, Order) ->
    {Seen1, Order1} = finish([{none, [V]}], G, Seen, Order),
    finished(Vs, G, Seen1, Order1).

finish([], _, Seen, Order) -> {Seen, Order};
finish([{none, []} | Stack], G, Seen, Order) -> finish(Stack, G, Seen, Order);
finish([{{vertex, V}, []} | Stack], G, Seen, Order) -> finish(Stack, G, Seen, [V | Order]);
finish([{Of, [V | Vs]} | Stack], G, Seen, Order) ->
    case Seen of
        #{V := _} -> finish([{Of, Vs} | Stack], G, Seen, Order);
        _ -> finish([{{vertex, V}, digraph:out_neighbours(G, V)}, {Of, Vs} | Stack], G, Seen#{V => true}, Order)
    end.

%% Vertices in an order in which no edge leads back, if there is one.
%% A loop at a vertex is in nobody's way.
topsort(G) ->
    Order = lists:reverse(postorder(G)),
    Places = maps:from_list(lists:zip(Order, lists:seq(1, length(Order)))),
    LeadsOn = fun(E) ->
        {_, From, To, _} = digraph:edge(G, E),
        maps:get(From, Places) =< maps:get(To, Places)
    end,
    case lists:all(LeadsOn, digraph:edges(G)) of
        true -> Order;
        false -> false
    end.

is_acyclic(G) -> loop_vertices(G) =:= [] andalso topsort(G) =/= false.

loop_vertices(G) -> [V || V <- digraph:vertices(G), lists:member(V, digraph:out_neighbours(G, V))].

is_tree(G) ->
    digraph:no_edges(G) =:= digraph:no_vertices(G) - 1 andalso length(components(G)) =:= 1.

is_arborescence(G) -> arborescence_root(G) =/= no.

%% The vertex from which there is just one way to each other.
arborescence_root(G) ->
    case digraph:no_edges(G) =:= digraph:no_vertices(G) - 1 of
        false -> no;
        true ->
            Degrees = [{V, digraph:in_degree(G, V)} || V <- digraph:vertices(G)],
            case lists:all(fun({_, D}) -> D =< 1 end, Degrees) andalso [V || {V, 0} <- Degrees] of
                [Root] -> {yes, Root};
                _ -> no
            end
    end.

subgraph(G, Vs) -> subgraph_of(G, Vs, inherit, true).

subgraph(G, Vs, Options) ->
    {Type, Keep} = options(Options, {inherit, true}, [G, Vs, Options]),
    subgraph_of(G, Vs, Type, Keep).

options([], Found, _) -> Found;
options([{type, inherit} | Rest], {_, Keep}, Args) -> options(Rest, {inherit, Keep}, Args);
options([{type, Type} | Rest], {_, Keep}, Args) when is_list(Type) -> options(Rest, {Type, Keep}, Args);
options([{keep_labels, Keep} | Rest], {Type, _}, Args) when is_boolean(Keep) -> options(Rest, {Type, Keep}, Args);
options(_, _, Args) -> erlang:error(badarg, Args).

subgraph_of(G, Vs, Type, Keep) ->
    Info = digraph:info(G),
    Types = case Type of
        inherit -> [proplists:get_value(cyclicity, Info), proplists:get_value(protection, Info)];
        _ -> Type
    end,
    Part = try digraph:new(Types) catch error:badarg -> erlang:error(badarg, [G, Vs, [{type, Type}, {keep_labels, Keep}]]) end,
    lists:foreach(fun(V) -> add_vertex(Part, digraph:vertex(G, V), Keep) end, Vs),
    lists:foreach(fun(V) -> add_edges(Part, G, V, Keep) end, digraph:vertices(Part)),
    Part.

add_vertex(_, false, _) -> ok;
add_vertex(Part, {V, Label}, true) -> digraph:add_vertex(Part, V, Label);
add_vertex(Part, {V, _}, false) -> digraph:add_vertex(Part, V).

add_edges(Part, G, V, Keep) ->
    lists:foreach(
      fun(E) ->
          {_, From, To, Label} = digraph:edge(G, E),
          case digraph:vertex(Part, To) of
              false -> ok;
              _ when Keep -> digraph:add_edge(Part, E, From, To, Label);
              _ -> digraph:add_edge(Part, E, From, To, [])
          end
      end, digraph:out_edges(G, V)).

%% The graph whose vertices are the strong components, joined where edges lead from one to another.
condensation(G) ->
    Components = strong_components(G),
    Of = maps:from_list([{V, C} || C <- Components, V <- C]),
    Condensed = digraph:new(),
    lists:foreach(fun(C) -> digraph:add_vertex(Condensed, C) end, Components),
    Pairs = lists:usort([{maps:get(From, Of), maps:get(To, Of)}
                         || E <- digraph:edges(G), {_, From, To, _} <- [digraph:edge(G, E)]]),
    lists:foreach(fun({C, C}) -> ok;
                     ({From, To}) -> digraph:add_edge(Condensed, From, To)
                  end, Pairs),
    Condensed.

%% Directed graphs in tables: vertices and edges with labels, several edges between two vertices.
%%
%% Three tables: vertices `{Vertex, Label}`, edges `{Edge, From, To, Label}`, and a bag of what meets where, `{{out | in, Vertex}, Edge}`,
%% which also counts the names given to vertices and edges that come without.
-module(digraph).

-export([new/0, new/1, delete/1, info/1,
         add_vertex/1, add_vertex/2, add_vertex/3, vertex/2, vertices/1, no_vertices/1, del_vertex/2, del_vertices/2,
         source_vertices/1, sink_vertices/1,
         add_edge/3, add_edge/4, add_edge/5, edge/2, edges/1, edges/2, no_edges/1, del_edge/2, del_edges/2, del_path/3,
         in_degree/2, out_degree/2, in_edges/2, out_edges/2, in_neighbours/2, out_neighbours/2,
         get_path/3, get_short_path/3, get_cycle/2, get_short_cycle/2]).

-export_type([graph/0, vertex/0, edge/0, label/0, d_type/0]).

-record(digraph, {vertices, edges, meets, cyclic = true}).

-type graph() :: #digraph{}.
-type vertex() :: term().
-type edge() :: term().
-type label() :: term().
-type d_type() :: cyclic | acyclic | protected | private.

new() -> new([]).

new(Types) ->
    {Cyclic, Access} = case types(Types, {true, protected}) of
        badarg -> erlang:error(badarg);
        Found -> Found
    end,
    Meets = ets:new(neighbours, [bag, Access]),
    true = ets:insert(Meets, [{'$vid', 0}, {'$eid', 0}]),
    #digraph{vertices = ets:new(vertices, [set, Access]), edges = ets:new(edges, [set, Access]), meets = Meets,
             cyclic = Cyclic}.

types([], Found) -> Found;
types([cyclic | Rest], {_, Access}) -> types(Rest, {true, Access});
types([acyclic | Rest], {_, Access}) -> types(Rest, {false, Access});
types([protected | Rest], {Cyclic, _}) -> types(Rest, {Cyclic, protected});
types([private | Rest], {Cyclic, _}) -> types(Rest, {Cyclic, private});
types(_, _) -> badarg.

delete(#digraph{vertices = V, edges = E, meets = M}) ->
    ets:delete(V),
    ets:delete(E),
    ets:delete(M).

info(#digraph{vertices = V, edges = E, meets = M, cyclic = Cyclic}) ->
    Cyclicity = case Cyclic of
        true -> cyclic;
        false -> acyclic
    end,
    Memory = ets:info(V, memory) + ets:info(E, memory) + ets:info(M, memory),
    [{cyclicity, Cyclicity}, {memory, Memory}, {protection, ets:info(V, protection)}].

%%% Vertices

add_vertex(G) -> vertex_added(G, fresh(G, '$vid', '$v'), []).

add_vertex(G, V) -> vertex_added(G, V, []).

add_vertex(G, V, Label) -> vertex_added(G, V, Label).

vertex_added(#digraph{vertices = Vs}, V, Label) ->
    ets:insert(Vs, {V, Label}),
    V.

%% A name that was not given before.
fresh(#digraph{meets = Meets}, Counter, Tag) ->
    [{Counter, N}] = ets:lookup(Meets, Counter),
    ets:delete(Meets, Counter),
    ets:insert(Meets, {Counter, N + 1}),
    [Tag | N].

vertex(#digraph{vertices = Vs}, V) ->
    case ets:lookup(Vs, V) of
        [Found] -> Found;
        [] -> false
    end.

vertices(#digraph{vertices = Vs}) -> ets:select(Vs, [{{'$1', '_'}, [], ['$1']}]).

no_vertices(#digraph{vertices = Vs}) -> ets:info(Vs, size).

source_vertices(G) -> [V || V <- vertices(G), in_degree(G, V) =:= 0].

sink_vertices(G) -> [V || V <- vertices(G), out_degree(G, V) =:= 0].

del_vertex(#digraph{vertices = Vs} = G, V) ->
    del_edges(G, edges(G, V)),
    ets:delete(Vs, V).

del_vertices(G, Vs) ->
    lists:foreach(fun(V) -> del_vertex(G, V) end, Vs),
    true.

%%% Edges

add_edge(G, From, To) -> edge_added(G, fresh(G, '$eid', '$e'), From, To, []).

add_edge(G, From, To, Label) -> edge_added(G, fresh(G, '$eid', '$e'), From, To, Label).

add_edge(G, E, From, To, Label) -> edge_added(G, E, From, To, Label).

edge_added(#digraph{edges = Es} = G, E, From, To, Label) ->
    case {vertex(G, From), vertex(G, To), ets:lookup(Es, E)} of
        {false, _, _} -> {error, {bad_vertex, From}};
        {_, false, _} -> {error, {bad_vertex, To}};
        {_, _, [{E, From, To, _}]} ->
            ets:insert(Es, {E, From, To, Label}),
            E;
        {_, _, [_]} -> {error, {bad_edge, [From, To]}};
        {_, _, []} -> new_edge(G, E, From, To, Label)
    end.

new_edge(#digraph{cyclic = false}, _, V, V, _) -> {error, {bad_edge, [V, V]}};
new_edge(#digraph{cyclic = false} = G, E, From, To, Label) ->
    case get_path(G, To, From) of
        false -> insert_edge(G, E, From, To, Label);
        Path -> {error, {bad_edge, Path}}
    end;
new_edge(G, E, From, To, Label) -> insert_edge(G, E, From, To, Label).

insert_edge(#digraph{edges = Es, meets = Meets}, E, From, To, Label) ->
    ets:insert(Meets, [{{out, From}, E}, {{in, To}, E}]),
    ets:insert(Es, {E, From, To, Label}),
    E.

edge(#digraph{edges = Es}, E) ->
    case ets:lookup(Es, E) of
        [Found] -> Found;
        [] -> false
    end.

edges(#digraph{edges = Es}) -> ets:select(Es, [{{'$1', '_', '_', '_'}, [], ['$1']}]).

edges(G, V) -> in_edges(G, V) ++ out_edges(G, V).

no_edges(#digraph{edges = Es}) -> ets:info(Es, size).

del_edge(#digraph{edges = Es, meets = Meets}, E) ->
    case ets:take(Es, E) of
        [{E, From, To, _}] ->
            ets:delete_object(Meets, {{out, From}, E}),
            ets:delete_object(Meets, {{in, To}, E}),
            true;
        [] -> true
    end.

del_edges(G, Es) ->
    lists:foreach(fun(E) -> del_edge(G, E) end, Es),
    true.

%% Takes edges away until no path is left.
del_path(G, From, To) ->
    case get_path(G, From, To) of
        false -> true;
        Path ->
            del_steps(G, Path),
            del_path(G, From, To)
    end.

del_steps(G, [From | [To | _] = Rest]) ->
    del_edges(G, [E || E <- out_edges(G, From), element(3, edge(G, E)) =:= To]),
    del_steps(G, Rest);
del_steps(_, [_]) -> true.

in_degree(#digraph{meets = Meets}, V) -> length(ets:lookup(Meets, {in, V})).

out_degree(#digraph{meets = Meets}, V) -> length(ets:lookup(Meets, {out, V})).

in_edges(#digraph{meets = Meets}, V) -> [E || {_, E} <- ets:lookup(Meets, {in, V})].

out_edges(#digraph{meets = Meets}, V) -> [E || {_, E} <- ets:lookup(Meets, {out, V})].

%% Neighbours: what was joined last comes first.
in_neighbours(#digraph{edges = Es} = G, V) -> ends(in_edges(G, V), Es, 2, []).

out_neighbours(#digraph{edges = Es} = G, V) -> ends(out_edges(G, V), Es, 3, []).

ends([], _, _, Found) -> Found;
ends([E | Rest], Es, Position, Found) -> ends(Rest, Es, Position, [ets:lookup_element(Es, E, Position) | Found]).

%%% Paths

%% Some path of at least one edge, without a vertex twice but for its ends.
get_path(G, From, To) -> deep(G, [out_neighbours(G, From)], [From], #{From => true}, To).

%% Depth first: a stack of neighbours still to be tried, and the path that leads to them.
deep(_, [], _, _, _) -> false;
deep(G, [[] | Stack], [_ | Path], Seen, To) -> deep(G, Stack, Path, Seen, To);
deep(_, [[To | _] | _], Path, _, To) -> lists:reverse(Path, [To]);
deep(G, [[V | Vs] | Stack], Path, Seen, To) ->
    case Seen of
        #{V := _} -> deep(G, [Vs | Stack], Path, Seen, To);
        _ -> deep(G, [out_neighbours(G, V), Vs | Stack], [V | Path], Seen#{V => true}, To)
    end.

%% A cycle through V of two edges or more, or `[V]` for a loop.
get_cycle(G, V) ->
    Neighbours = out_neighbours(G, V),
    case deep(G, [[N || N <- Neighbours, N =/= V]], [V], #{}, V) of
        false ->
            case lists:member(V, Neighbours) of
                true -> [V];
                false -> false
            end;
        Cycle -> Cycle
    end.

%% A path with the fewest edges.
get_short_path(G, From, To) -> wide(G, From, [From], [], #{}, To).

get_short_cycle(G, V) -> get_short_path(G, V, V).

%% Breadth first: vertices to go on from, and for each reached the one it was reached from.
wide(_, _, [], [], _, _) -> false;
wide(G, First, [], Next, By, To) -> wide(G, First, lists:reverse(Next), [], By, To);
wide(G, First, [V | Vs], Next, By, To) ->
    case reached(out_neighbours(G, V), V, Next, By, To) of
        found -> back(V, First, By, [V, To]);
        {Next1, By1} -> wide(G, First, Vs, Next1, By1, To)
    end.

reached([], _, Next, By, _) -> {Next, By};
reached([To | _], _, _, _, To) -> found;
reached([V | Vs], From, Next, By, To) ->
    case By of
        #{V := _} -> reached(Vs, From, Next, By, To);
        _ -> reached(Vs, From, [V | Next], By#{V => From}, To)
    end.

back(First, First, _, Path) -> Path;
back(V, First, By, Path) ->
    From = maps:get(V, By),
    back(From, First, By, [From | Path]).

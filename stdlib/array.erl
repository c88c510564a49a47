%% Functional arrays: indices from 0, extendible or of a fixed size, with a default for entries that have not been set.
%%
%% The entries are leaves of a tree whose nodes are tuples of ten. A subtree in which nothing has been set is the integer that
%% says how many entries it spans, so an empty array takes no space however large it is. The array knows the size it shows,
%% how many entries the tree could hold, and the default.
-module(array).

-export([new/0, new/1, new/2, is_array/1, size/1, default/1, set/3, get/2, reset/2, to_list/1, sparse_to_list/1,
         from_list/1, from_list/2, to_orddict/1, sparse_to_orddict/1, from_orddict/1, from_orddict/2, map/2, sparse_map/2,
         foldl/3, foldr/3, sparse_foldl/3, sparse_foldr/3, fix/1, relax/1, is_fix/1, resize/1, resize/2, sparse_size/1]).

-compile({no_auto_import, [size/1, get/2]}).

%% max: entries the tree spans, 0 for a fixed array; unset entries of a leaf hold the default.
-record(array, {size, max, default, tree}).

-define(WIDTH, 10).

%%% Making

new() -> new([]).

%% Options: a size, `{size, N}`, `fixed`, `{fixed, Boolean}`, `{default, Term}`. A size alone makes the array fixed.
new(Options) ->
    new_0(Options, 0, false).

new(Size, Options) when is_integer(Size), Size >= 0 -> new_0(Options, Size, true);
new(_, _) -> error(badarg).

new_0(Options, Size, Fixed) when is_list(Options) -> new_1(Options, Size, Fixed, undefined);
new_0(Option, Size, Fixed) -> new_1([Option], Size, Fixed, undefined).

new_1([Option | Options], Size, Fixed, Default) ->
    case Option of
        N when is_integer(N), N >= 0 -> new_1(Options, N, true, Default);
        {size, N} when is_integer(N), N >= 0 -> new_1(Options, N, true, Default);
        fixed -> new_1(Options, Size, true, Default);
        {fixed, F} when is_boolean(F) -> new_1(Options, Size, F, Default);
        {default, D} -> new_1(Options, Size, Fixed, D);
        _ -> error(badarg)
    end;
new_1([], Size, Fixed, Default) -> make(Size, Fixed, Default);
new_1(_, _, _, _) -> error(badarg).

make(Size, Fixed, Default) ->
    Max = span(Size, ?WIDTH),
    #array{size = Size, max = if Fixed -> 0; true -> Max end, default = Default, tree = Max}.

%% The least power of the width that holds so many entries.
span(Size, Span) when Size =< Span -> Span;
span(Size, Span) -> span(Size, Span * ?WIDTH).

is_array(#array{size = Size, max = Max}) when is_integer(Size), is_integer(Max) -> true;
is_array(_) -> false.

size(#array{size = Size}) -> Size;
size(_) -> error(badarg).

default(#array{default = Default}) -> Default;
default(_) -> error(badarg).

fix(#array{} = A) -> A#array{max = 0}.

is_fix(#array{max = Max}) -> Max =:= 0.

relax(#array{max = 0, size = Size} = A) -> A#array{max = span(Size, ?WIDTH)};
relax(#array{} = A) -> A.

resize(Size, #array{size = Old, max = Max, tree = Tree} = A) when is_integer(Size), Size >= 0 ->
    if
        Size > Old ->
            {Tree1, Max1} = grow(Tree, span(Old, ?WIDTH), Size),
            A#array{size = Size, tree = Tree1, max = if Max =:= 0 -> 0; true -> Max1 end};
        %% Entries beyond the new size must not show when it grows again.
        Size < Old -> rebuilt(Size, A);
        true -> A
    end;
resize(_, _) -> error(badarg).

rebuilt(Size, #array{max = Max} = A) ->
    Kept = lists:takewhile(fun({I, _}) -> I < Size end, sparse_to_orddict(A)),
    Empty = make(Size, false, A#array.default),
    New = lists:foldl(fun({I, X}, Acc) -> set(I, X, Acc) end, Empty, Kept),
    New#array{max = if Max =:= 0 -> 0; true -> New#array.max end}.

resize(A) ->
    Size = sparse_size(A),
    resize(Size, A).

%% Up to the last entry that is not the default.
sparse_size(A) -> 1 + sparse_foldr(fun(I, _, Last) -> max(I, Last) end, -1, A).

%% The tree becomes the first part of larger ones until it spans so many entries.
grow(Tree, Span, Size) when Size =< Span -> {Tree, Span};
grow(Tree, Span, Size) when is_integer(Tree) -> grow(Span * ?WIDTH, Span * ?WIDTH, Size);
grow(Tree, Span, Size) ->
    grow(list_to_tuple([Tree | lists:duplicate(?WIDTH - 1, Span)]), Span * ?WIDTH, Size).

%%% Entries

get(I, #array{size = Size, max = Max, tree = Tree, default = Default}) when is_integer(I), I >= 0 ->
    if
        I < Size -> get_1(I, tree_span(Size, Max), Tree, Default);
        Max > 0 -> Default;
        true -> error(badarg)
    end;
get(_, _) -> error(badarg).

tree_span(Size, 0) -> span(Size, ?WIDTH);
tree_span(_, Max) -> Max.

get_1(_, _, Tree, Default) when is_integer(Tree) -> Default;
get_1(I, ?WIDTH, Leaf, _) -> element(I + 1, Leaf);
get_1(I, Span, Node, Default) ->
    Part = Span div ?WIDTH,
    get_1(I rem Part, Part, element(I div Part + 1, Node), Default).

set(I, X, #array{size = Size, max = Max, tree = Tree, default = Default} = A) when is_integer(I), I >= 0 ->
    if
        I < Size -> A#array{tree = set_1(I, X, tree_span(Size, Max), Tree, Default)};
        Max > 0 ->
            {Tree1, Max1} = grow(Tree, Max, I + 1),
            A#array{size = I + 1, max = Max1, tree = set_1(I, X, Max1, Tree1, Default)};
        true -> error(badarg)
    end;
set(_, _, _) -> error(badarg).

set_1(I, X, ?WIDTH, Leaf, Default) ->
    Full =
        case Leaf of
            ?WIDTH -> erlang:make_tuple(?WIDTH, Default);
            _ -> Leaf
        end,
    setelement(I + 1, Full, X);
set_1(I, X, Span, Node, Default) ->
    Part = Span div ?WIDTH,
    Full =
        case Node of
            Span -> erlang:make_tuple(?WIDTH, Part);
            _ -> Node
        end,
    At = I div Part + 1,
    setelement(At, Full, set_1(I rem Part, X, Part, element(At, Full), Default)).

reset(I, #array{size = Size, max = Max, default = Default} = A) when is_integer(I), I >= 0 ->
    if
        I < Size -> set(I, Default, A);
        Max > 0 -> A;
        true -> error(badarg)
    end;
reset(_, _) -> error(badarg).

%%% Folding: F(Index, Entry, Acc)

foldl(F, Acc, #array{} = A) when is_function(F, 3) -> lists:foldl(fun({I, X}, Acc1) -> F(I, X, Acc1) end, Acc, entries(A));
foldl(_, _, _) -> error(badarg).

foldr(F, Acc, #array{} = A) when is_function(F, 3) -> lists:foldr(fun({I, X}, Acc1) -> F(I, X, Acc1) end, Acc, entries(A));
foldr(_, _, _) -> error(badarg).

sparse_foldl(F, Acc, #array{} = A) when is_function(F, 3) ->
    lists:foldl(fun({I, X}, Acc1) -> F(I, X, Acc1) end, Acc, sparse_to_orddict(A));
sparse_foldl(_, _, _) -> error(badarg).

sparse_foldr(F, Acc, #array{} = A) when is_function(F, 3) ->
    lists:foldr(fun({I, X}, Acc1) -> F(I, X, Acc1) end, Acc, sparse_to_orddict(A));
sparse_foldr(_, _, _) -> error(badarg).

%% All entries in order, those not set as the default.
entries(#array{size = Size, default = Default} = A) -> filled(leaves(A), 0, Size, Default).

filled(Set, I, Size, _) when I >= Size ->
    _ = Set,
    [];
filled([{I, X} | Set], I, Size, Default) -> [{I, X} | filled(Set, I + 1, Size, Default)];
filled(Set, I, Size, Default) -> [{I, Default} | filled(Set, I + 1, Size, Default)].

%% The entries of leaves that exist.
leaves(#array{size = Size, max = Max, tree = Tree}) -> leaves(Tree, 0, tree_span(Size, Max), []).

leaves(Tree, _, _, Tail) when is_integer(Tree) -> Tail;
leaves(Leaf, From, ?WIDTH, Tail) ->
    lists:zip(lists:seq(From, From + ?WIDTH - 1), tuple_to_list(Leaf)) ++ Tail;
leaves(Node, From, Span, Tail) ->
    Part = Span div ?WIDTH,
    lists:foldr(fun({I, Tree}, Acc) -> leaves(Tree, From + I * Part, Part, Acc) end, Tail,
                lists:zip(lists:seq(0, ?WIDTH - 1), tuple_to_list(Node))).

to_list(#array{} = A) -> [X || {_, X} <- entries(A)];
to_list(_) -> error(badarg).

to_orddict(#array{} = A) -> entries(A);
to_orddict(_) -> error(badarg).

sparse_to_list(#array{} = A) -> [X || {_, X} <- sparse_to_orddict(A)];
sparse_to_list(_) -> error(badarg).

sparse_to_orddict(#array{size = Size, default = Default} = A) ->
    [Entry || {I, X} = Entry <- leaves(A), I < Size, X =/= Default];
sparse_to_orddict(_) -> error(badarg).

map(F, #array{} = A) when is_function(F, 2) ->
    lists:foldl(fun({I, X}, Acc) -> set(I, F(I, X), Acc) end, A, entries(A));
map(_, _) -> error(badarg).

sparse_map(F, #array{} = A) when is_function(F, 2) ->
    lists:foldl(fun({I, X}, Acc) -> set(I, F(I, X), Acc) end, A, sparse_to_orddict(A));
sparse_map(_, _) -> error(badarg).

%%% From lists

from_list(L) -> from_list(L, undefined).

from_list(L, Default) when length(L) >= 0 ->
    from_pairs(lists:zip(lists:seq(0, length(L) - 1), L), Default);
from_list(_, _) -> error(badarg).

from_orddict(Pairs) -> from_orddict(Pairs, undefined).

from_orddict(Pairs, Default) when is_list(Pairs) ->
    case is_ascending(Pairs, -1) of
        true -> from_pairs(Pairs, Default);
        false -> error({badarg, Pairs})
    end;
from_orddict(_, _) -> error(badarg).

is_ascending([{I, _} | Pairs], Before) when is_integer(I), I > Before -> is_ascending(Pairs, I);
is_ascending([], _) -> true;
is_ascending(_, _) -> false.

from_pairs(Pairs, Default) -> lists:foldl(fun({I, X}, A) -> set(I, X, A) end, make(0, false, Default), Pairs).

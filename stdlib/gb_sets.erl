%% Ordered sets as general balanced trees; elements are equal if they compare equal (`==`).
%%
%% A set is a `gb_trees` tree whose values are all `[]`: what is costly there, balance and iterators, is written once. Bulk operations go through
%% ordered lists, unless one set is so small that its elements are better handled one by one.
-module(gb_sets).

-export([empty/0, new/0, is_empty/1, size/1, singleton/1, is_member/2, is_element/2, insert/2, add/2, add_element/2,
         delete/2, delete_any/2, del_element/2, balance/1, union/2, union/1, intersection/2, intersection/1, is_equal/2,
         is_disjoint/2, difference/2, subtract/2, is_subset/2, to_list/1, from_list/1, from_ordset/1, smallest/1, largest/1,
         take_smallest/1, take_largest/1, smaller/2, larger/2, iterator/1, iterator/2, iterator_from/2, iterator_from/3, next/1,
         filter/2, map/2, filtermap/2, fold/3, is_set/1]).

-compile({no_auto_import, [size/1]}).

empty() -> gb_trees:empty().

new() -> gb_trees:empty().

is_empty(Set) -> gb_trees:is_empty(Set).

size(Set) -> gb_trees:size(Set).

singleton(X) -> gb_trees:from_orddict([{X, []}]).

is_set({0, nil}) -> true;
is_set({Size, {_, [], _, _}}) when is_integer(Size), Size > 0 -> true;
is_set(_) -> false.

is_member(X, Set) -> gb_trees:is_defined(X, Set).

is_element(X, Set) -> gb_trees:is_defined(X, Set).

%%% One element

insert(X, Set) -> gb_trees:insert(X, [], Set).

add(X, Set) ->
    case gb_trees:is_defined(X, Set) of
        true -> Set;
        false -> gb_trees:insert(X, [], Set)
    end.

add_element(X, Set) -> add(X, Set).

delete(X, Set) -> gb_trees:delete(X, Set).

delete_any(X, Set) -> gb_trees:delete_any(X, Set).

del_element(X, Set) -> gb_trees:delete_any(X, Set).

balance(Set) -> gb_trees:balance(Set).

smallest(Set) -> element(1, gb_trees:smallest(Set)).

largest(Set) -> element(1, gb_trees:largest(Set)).

take_smallest(Set) ->
    {X, _, Rest} = gb_trees:take_smallest(Set),
    {X, Rest}.

take_largest(Set) ->
    {X, _, Rest} = gb_trees:take_largest(Set),
    {X, Rest}.

smaller(X, Set) -> found(gb_trees:smaller(X, Set)).

larger(X, Set) -> found(gb_trees:larger(X, Set)).

found({X, _}) -> {found, X};
found(none) -> none.

%%% Whole sets

to_list(Set) -> gb_trees:keys(Set).

from_list(L) -> from_ordset(ordsets:from_list(L)).

from_ordset(L) -> gb_trees:from_orddict([{X, []} || X <- L]).

%% Is handling the elements of the smaller set one by one quicker than walking the larger?
is_much_smaller(N, M) -> N * 10 < M.

union(A, B) ->
    {N, M} = {size(A), size(B)},
    case {is_much_smaller(N, M), is_much_smaller(M, N)} of
        {true, _} -> lists:foldl(fun add/2, B, to_list(A));
        {_, true} -> lists:foldl(fun add/2, A, to_list(B));
        _ -> from_ordset(ordsets:union(to_list(A), to_list(B)))
    end.

union(Sets) -> lists:foldl(fun(Set, Union) -> union(Union, Set) end, empty(), Sets).

intersection(A, B) ->
    {N, M} = {size(A), size(B)},
    case {is_much_smaller(N, M), is_much_smaller(M, N)} of
        {true, _} -> from_ordset([X || X <- to_list(A), is_member(X, B)]);
        {_, true} -> from_ordset([X || X <- to_list(B), is_member(X, A)]);
        _ -> from_ordset(ordsets:intersection(to_list(A), to_list(B)))
    end.

intersection([Set]) -> Set;
intersection([A, B | Sets]) -> intersection([intersection(A, B) | Sets]).

is_disjoint(A, B) ->
    case size(A) < size(B) of
        true -> not lists:any(fun(X) -> is_member(X, B) end, to_list(A));
        false -> not lists:any(fun(X) -> is_member(X, A) end, to_list(B))
    end.

difference(A, B) ->
    case is_much_smaller(size(B), size(A)) of
        true -> lists:foldl(fun delete_any/2, A, to_list(B));
        false -> from_ordset(ordsets:subtract(to_list(A), to_list(B)))
    end.

subtract(A, B) -> difference(A, B).

is_subset(A, B) -> size(A) =< size(B) andalso lists:all(fun(X) -> is_member(X, B) end, to_list(A)).

is_equal(A, B) -> size(A) =:= size(B) andalso to_list(A) == to_list(B).

filter(F, Set) when is_function(F, 1) -> from_ordset(lists:filter(F, to_list(Set))).

map(F, Set) when is_function(F, 1) -> from_list(lists:map(F, to_list(Set))).

filtermap(F, Set) when is_function(F, 1) -> from_list(lists:filtermap(F, to_list(Set))).

fold(F, Acc, Set) when is_function(F, 2) -> lists:foldl(F, Acc, to_list(Set)).

iterator(Set) -> gb_trees:iterator(Set).

iterator(Set, Order) -> gb_trees:iterator(Set, Order).

iterator_from(X, Set) -> gb_trees:iterator_from(X, Set).

iterator_from(X, Set, Order) -> gb_trees:iterator_from(X, Set, Order).

next(Iterator) ->
    case gb_trees:next(Iterator) of
        {X, _, Rest} -> {X, Rest};
        none -> none
    end.

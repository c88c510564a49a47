%% Sets of any terms, told apart by `=:=`: the keys of a map.
%%
%% Elsewhere there is an older representation, version 1; here both versions are the same maps, so `is_set/1`, `to_list/1` and
%% all else agree, and the option is only checked.
-module(sets).

-export([new/0, new/1, is_set/1, size/1, is_empty/1, is_equal/2, to_list/1, from_list/1, from_list/2, is_element/2,
         add_element/2, del_element/2, union/1, union/2, intersection/1, intersection/2, is_disjoint/2, subtract/2,
         is_subset/2, fold/3, filter/2, map/2, filtermap/2]).

-compile({no_auto_import, [size/1]}).

new() -> #{}.

new(Options) ->
    case proplists:get_value(version, Options, 1) of
        1 -> #{};
        2 -> #{}
    end.

is_set(Set) -> is_map(Set) andalso lists:all(fun(Value) -> Value =:= [] end, maps:values(Set)).

size(Set) when is_map(Set) -> map_size(Set).

is_empty(Set) when is_map(Set) -> map_size(Set) =:= 0.

is_equal(A, B) ->
    case size(A) =:= size(B) of
        true -> is_subset(A, B);
        false -> false
    end.

to_list(Set) when is_map(Set) -> maps:keys(Set).

from_list(L) ->
    try maps:from_keys(L, [])
    catch error:badarg -> lists:foldl(fun add_element/2, new(), L)
    end.

from_list(L, Options) ->
    case proplists:get_value(version, Options, 1) of
        1 -> from_list(L);
        2 -> maps:from_keys(L, [])
    end.

is_element(X, Set) when is_map(Set) -> is_map_key(X, Set).

add_element(X, Set) when is_map(Set) -> Set#{X => []}.

del_element(X, Set) when is_map(Set) -> maps:remove(X, Set).

union(A, B) ->
    case size(A) < size(B) of
        true -> maps:merge(A, B);
        false -> maps:merge(B, A)
    end.

union([A, B | Sets]) -> union_of(union(A, B), Sets);
union([Set]) -> Set;
union([]) -> new().

union_of(A, [B | Sets]) -> union_of(union(A, B), Sets);
union_of(Union, []) -> Union.

intersection(A, B) ->
    case size(A) > size(B) of
        true -> common(B, A);
        false -> common(A, B)
    end.

common(A, B) -> from_list([X || X <- maps:keys(A), is_map_key(X, B)]).

intersection([A, B | Sets]) -> intersection_of(intersection(A, B), Sets);
intersection([Set]) -> Set.

intersection_of(A, [B | Sets]) -> intersection_of(intersection(A, B), Sets);
intersection_of(Intersection, []) -> Intersection.

is_disjoint(A, B) ->
    case size(A) > size(B) of
        true -> is_apart(B, A);
        false -> is_apart(A, B)
    end.

is_apart(A, B) -> not lists:any(fun(X) -> is_map_key(X, B) end, maps:keys(A)).

%% Few elements are taken out of a large set one by one, a small set is filtered.
subtract(A, B) when map_size(A) > map_size(B) * 2 -> maps:without(maps:keys(B), A);
subtract(A, B) -> filter(fun(X) -> not is_element(X, B) end, A).

is_subset(A, B) when map_size(A) > map_size(B) -> false;
is_subset(A, B) when is_map(A), is_map(B) -> lists:all(fun(X) -> is_map_key(X, B) end, maps:keys(A));
is_subset(A, B) -> fold(fun(X, Subset) -> Subset andalso is_element(X, B) end, true, A).

fold(F, Acc, Set) when is_function(F, 2), is_map(Set) -> lists:foldl(F, Acc, maps:keys(Set)).

filter(F, Set) when is_function(F, 1), is_map(Set) -> from_list(lists:filter(F, maps:keys(Set))).

map(F, Set) when is_function(F, 1), is_map(Set) -> from_list(lists:map(F, maps:keys(Set))).

filtermap(F, Set) when is_function(F, 1), is_map(Set) -> from_list(lists:filtermap(F, maps:keys(Set))).

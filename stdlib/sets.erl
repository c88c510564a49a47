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
    check(Options),
    #{}.

check(Options) ->
    case proplists:get_value(version, Options, 1) of
        1 -> ok;
        2 -> ok
    end.

is_set(Set) -> is_map(Set) andalso lists:all(fun(Value) -> Value =:= [] end, maps:values(Set)).

size(Set) -> map_size(Set).

is_empty(Set) -> map_size(Set) =:= 0.

is_equal(A, B) -> map_size(A) =:= map_size(B) andalso is_subset(A, B).

to_list(Set) -> maps:keys(Set).

from_list(L) -> maps:from_keys(L, []).

from_list(L, Options) ->
    check(Options),
    from_list(L).

is_element(X, Set) -> is_map_key(X, Set).

add_element(X, Set) -> Set#{X => []}.

del_element(X, Set) -> maps:remove(X, Set).

union(A, B) -> maps:merge(A, B).

union(Sets) -> lists:foldl(fun maps:merge/2, #{}, Sets).

intersection(A, B) when map_size(A) > map_size(B) -> intersection(B, A);
intersection(A, B) -> from_list([X || X <- maps:keys(A), is_map_key(X, B)]).

intersection([Set]) -> Set;
intersection([A, B | Sets]) -> intersection([intersection(A, B) | Sets]).

is_disjoint(A, B) when map_size(A) > map_size(B) -> is_disjoint(B, A);
is_disjoint(A, B) -> not lists:any(fun(X) -> is_map_key(X, B) end, maps:keys(A)).

%% Few elements are taken out of a large set one by one, a small set is filtered.
subtract(A, B) when map_size(A) > map_size(B) * 2 -> maps:without(maps:keys(B), A);
subtract(A, B) -> from_list([X || X <- maps:keys(A), not is_map_key(X, B)]).

is_subset(A, B) -> map_size(A) =< map_size(B) andalso lists:all(fun(X) -> is_map_key(X, B) end, maps:keys(A)).

fold(F, Acc, Set) -> lists:foldl(F, Acc, maps:keys(Set)).

filter(F, Set) -> from_list(lists:filter(F, maps:keys(Set))).

map(F, Set) -> from_list(lists:map(F, maps:keys(Set))).

filtermap(F, Set) -> from_list(lists:filtermap(F, maps:keys(Set))).

%% Maps: what the natives leave to do.
%%
%% Single-key operations, `keys/1`, `values/1`, `to_list/1`, `from_list/1`, `merge/2`, `take/2` and the like are natives
%% (see NATIVES.md). Here are the functions that call funs, and iterators.
%%
%% An iterator is `[Path | Map]`: Path is 0 at the start, a position inside a large map, or, for ordered iterators, the
%% list of keys still to come. `erts_internal:map_next/3` turns it into a nest `{K, V, {K, V, ... Rest}}` of a whole batch
%% of associations, so a walk over a map costs one native call per batch. The nest is an iterator, too.
-module(maps).

%% What explains the errors raised here, as OTP has it.
-define(INFO, [{error_info, #{module => erl_stdlib_errors}}]).

-export([new/0, size/1, get/3, update_with/3, update_with/4, with/2, without/2]).
-export([iterator/1, iterator/2, next/1, to_list/1]).
-export([fold/3, foreach/2, map/2, filter/2, filtermap/2]).
-export([merge_with/3, intersect/2, intersect_with/3, groups_from_list/2, groups_from_list/3]).

-export_type([iterator/0]).

-opaque iterator() :: nonempty_improper_list(non_neg_integer() | [term()], map()) | {term(), term(), term()} | none.

-spec new() -> map().
new() -> #{}.

-spec size(map()) -> non_neg_integer().
size(Map) when is_map(Map) -> map_size(Map);
size(Map) -> error({badmap, Map}, [Map], ?INFO).

-spec get(Key, #{Key => Value}, Default) -> Value | Default.
get(Key, Map, Default) ->
    case Map of
        #{Key := Value} -> Value;
        #{} -> Default;
        _ -> error({badmap, Map}, [Key, Map, Default], ?INFO)
    end.

-spec update_with(Key, fun((V) -> V), #{Key => V}) -> #{Key := V}.
update_with(Key, F, Map) when is_function(F, 1) ->
    case Map of
        #{Key := Value} -> Map#{Key := F(Value)};
        #{} -> error({badkey, Key}, [Key, F, Map]);
        _ -> error({badmap, Map}, [Key, F, Map], ?INFO)
    end;
update_with(Key, F, Map) -> error(badarg_or_badmap(Map), [Key, F, Map], ?INFO).

-spec update_with(Key, fun((V) -> V), V, #{Key => V}) -> #{Key := V}.
update_with(Key, F, Init, Map) when is_function(F, 1) ->
    case Map of
        #{Key := Value} -> Map#{Key := F(Value)};
        #{} -> Map#{Key => Init};
        _ -> error({badmap, Map}, [Key, F, Init, Map], ?INFO)
    end;
update_with(Key, F, Init, Map) -> error(badarg_or_badmap(Map), [Key, F, Init, Map], ?INFO).

-spec with([K], #{K => V}) -> #{K => V}.
with(Keys, Map) when is_list(Keys), is_map(Map) -> maps:from_list(with_1(Keys, Map));
with(Keys, Map) -> error(badarg_or_badmap(Map), [Keys, Map], ?INFO).

with_1([K | Ks], Map) ->
    case Map of
        #{K := V} -> [{K, V} | with_1(Ks, Map)];
        #{} -> with_1(Ks, Map)
    end;
with_1([], _) -> [].

-spec without([K], #{K => V}) -> #{K => V}.
without(Keys, Map) when is_list(Keys), is_map(Map) -> without_1(Keys, Map);
without(Keys, Map) -> error(badarg_or_badmap(Map), [Keys, Map], ?INFO).

without_1([K | Ks], Map) -> without_1(Ks, maps:remove(K, Map));
without_1([], Map) -> Map.

%%% Iterators

-spec iterator(map()) -> maps:iterator().
iterator(Map) when is_map(Map) -> [0 | Map];
iterator(Map) -> error({badmap, Map}, [Map], ?INFO).

%% `Order` is `undefined`, `ordered` (term order of keys), `reversed` or an ordering fun as `lists:sort/2` takes.
iterator(Map, undefined) when is_map(Map) -> [0 | Map];
iterator(Map, ordered) when is_map(Map) -> [exact_order(maps:keys(Map)) | Map];
iterator(Map, reversed) when is_map(Map) -> [lists:reverse(exact_order(maps:keys(Map)), []) | Map];
iterator(Map, Le) when is_map(Map), is_function(Le, 2) -> [lists:sort(Le, maps:keys(Map)) | Map];
iterator(Map, Order) -> error(badarg_or_badmap(Map), [Map, Order], ?INFO).

%% Order of map keys: as term order, but an integer stands before the float it is equal to, at every depth. Maps order
%% their own keys that way, and a map with a single key compares as its key does.
exact_order(Keys) ->
    lists:sort(fun(A, B) -> A =:= B orelse #{A => []} =< #{B => []} end, Keys).

-spec next(maps:iterator()) -> {term(), term(), maps:iterator()} | none.
next({K, V, Rest}) -> {K, V, Rest};
next([Path | Map]) when is_integer(Path), is_map(Map) -> erts_internal:map_next(Path, Map, iterator);
next([[K | Ks] | Map]) when is_map(Map) -> {K, maps:get(K, Map), [Ks | Map]};
next([[] | Map]) when is_map(Map) -> none;
next(none) -> none;
next(Iterator) -> error(badarg, [Iterator], ?INFO).

%% A native makes the list of a map at once.
-spec to_list(map() | maps:iterator()) -> [{term(), term()}].
to_list(Map) when is_map(Map) -> erlet_maps:to_list(Map);
to_list(Iterator) ->
    try pairs(next(Iterator))
    catch error:_ -> error({badmap, Iterator}, [Iterator], ?INFO)
    end.

pairs({K, V, Rest}) -> [{K, V} | pairs(Rest)];
pairs(none) -> [];
pairs(Iterator) -> pairs(next(Iterator)).

%% Several functions take a map or an iterator; anything else is `{badmap, It}`, raised by the function that was called.
next_or_badmap(Map, _, _) when is_map(Map) -> next([0 | Map]);
next_or_badmap(Iterator, Function, Args) ->
    try next(Iterator)
    catch error:badarg:Stack ->
            Arity = length(Args),
            Below = lists:dropwhile(fun(Frame) -> {element(2, Frame), element(3, Frame)} =/= {Function, Arity} end, Stack),
            [{maps, Function, Arity, Place} | Callers] = Below,
            erlang:raise(error, {badmap, Iterator}, [{maps, Function, Args, Place ++ ?INFO} | Callers])
    end.

%%% Funs over maps

-spec fold(fun((K, V, Acc) -> Acc), Acc, #{K => V} | maps:iterator()) -> Acc.
fold(F, Acc, Map) when is_function(F, 3) -> fold_1(F, Acc, next_or_badmap(Map, fold, [F, Acc, Map]));
fold(F, Acc, Map) -> error(badarg, [F, Acc, Map], ?INFO).

fold_1(F, Acc, {K, V, Rest}) -> fold_1(F, F(K, V, Acc), Rest);
fold_1(_, Acc, none) -> Acc;
fold_1(F, Acc, Iterator) -> fold_1(F, Acc, next(Iterator)).

-spec foreach(fun((K, V) -> term()), #{K => V} | maps:iterator()) -> ok.
foreach(F, Map) when is_function(F, 2) -> foreach_1(F, next_or_badmap(Map, foreach, [F, Map]));
foreach(F, Map) -> error(badarg, [F, Map], ?INFO).

foreach_1(F, {K, V, Rest}) ->
    F(K, V),
    foreach_1(F, Rest);
foreach_1(_, none) -> ok;
foreach_1(F, Iterator) -> foreach_1(F, next(Iterator)).

%% The keys stay, so the new map is made from the old one and a list of values.
-spec map(fun((K, V) -> W), #{K => V} | maps:iterator()) -> #{K => W}.
map(F, Map) when is_function(F, 2), is_map(Map) -> erlet_maps:with_values(Map, map_values(F, next([0 | Map])));
map(F, Map) when is_function(F, 2) -> maps:from_list(map_pairs(F, next_or_badmap(Map, map, [F, Map])));
map(F, Map) -> error(badarg, [F, Map], ?INFO).

map_values(F, {K, V, Rest}) -> [F(K, V) | map_values(F, Rest)];
map_values(_, none) -> [];
map_values(F, Iterator) -> map_values(F, next(Iterator)).

map_pairs(F, {K, V, Rest}) -> [{K, F(K, V)} | map_pairs(F, Rest)];
map_pairs(_, none) -> [];
map_pairs(F, Iterator) -> map_pairs(F, next(Iterator)).

-spec filter(fun((K, V) -> boolean()), #{K => V} | maps:iterator()) -> #{K => V}.
filter(F, Map) when is_function(F, 2) -> maps:from_list(filter_1(F, next_or_badmap(Map, filter, [F, Map])));
filter(F, Map) -> error(badarg, [F, Map], ?INFO).

filter_1(F, {K, V, Rest}) ->
    case F(K, V) of
        true -> [{K, V} | filter_1(F, Rest)];
        false -> filter_1(F, Rest)
    end;
filter_1(_, none) -> [];
filter_1(F, Iterator) -> filter_1(F, next(Iterator)).

-spec filtermap(fun((K, V) -> boolean() | {true, W}), #{K => V} | maps:iterator()) -> #{K => V | W}.
filtermap(F, Map) when is_function(F, 2) -> maps:from_list(filtermap_1(F, next_or_badmap(Map, filtermap, [F, Map])));
filtermap(F, Map) -> error(badarg, [F, Map], ?INFO).

filtermap_1(F, {K, V, Rest}) ->
    case F(K, V) of
        true -> [{K, V} | filtermap_1(F, Rest)];
        {true, W} -> [{K, W} | filtermap_1(F, Rest)];
        false -> filtermap_1(F, Rest)
    end;
filtermap_1(_, none) -> [];
filtermap_1(F, Iterator) -> filtermap_1(F, next(Iterator)).

%%% Several maps
%%
%% The smaller map is walked and the larger one is looked up. A combining fun always gets the first map's value first.

-spec merge_with(fun((K, V1, V2) -> V), #{K => V1}, #{K => V2}) -> #{K => V1 | V2 | V}.
merge_with(F, A, B) when is_map(A), is_map(B), is_function(F, 3) ->
    case map_size(A) > map_size(B) of
        true -> merge_into(F, next([0 | B]), A);
        false -> merge_into(fun(K, Vb, Va) -> F(K, Va, Vb) end, next([0 | A]), B)
    end;
merge_with(F, A, B) when is_function(F, 3) -> error(badarg_or_badmap(A, B), [F, A, B], ?INFO);
merge_with(F, A, B) -> error(badarg, [F, A, B], ?INFO).

merge_into(F, {K, V, Rest}, Into) ->
    case Into of
        #{K := Old} -> merge_into(F, Rest, Into#{K := F(K, Old, V)});
        #{} -> merge_into(F, Rest, Into#{K => V})
    end;
merge_into(_, none, Into) -> Into;
merge_into(F, Iterator, Into) -> merge_into(F, next(Iterator), Into).

%% Values are the second map's.
-spec intersect(#{K => term()}, #{K => V}) -> #{K => V}.
intersect(A, B) when is_map(A), is_map(B) ->
    case map_size(A) =< map_size(B) of
        true -> maps:from_list(common(fun(_, _, Vb) -> Vb end, next([0 | A]), B));
        false -> maps:from_list(common(fun(_, Vb, _) -> Vb end, next([0 | B]), A))
    end;
intersect(A, B) -> error(badarg_or_badmap(A, B), [A, B], ?INFO).

-spec intersect_with(fun((K, V1, V2) -> V), #{K => V1}, #{K => V2}) -> #{K => V}.
intersect_with(F, A, B) when is_map(A), is_map(B), is_function(F, 3) ->
    case map_size(A) =< map_size(B) of
        true -> maps:from_list(common(F, next([0 | A]), B));
        false -> maps:from_list(common(fun(K, Vb, Va) -> F(K, Va, Vb) end, next([0 | B]), A))
    end;
intersect_with(F, A, B) when is_function(F, 3) -> error(badarg_or_badmap(A, B), [F, A, B], ?INFO);
intersect_with(F, A, B) -> error(badarg, [F, A, B], ?INFO).

common(F, {K, V, Rest}, Other) ->
    case Other of
        #{K := V2} -> [{K, F(K, V, V2)} | common(F, Rest, Other)];
        #{} -> common(F, Rest, Other)
    end;
common(_, none, _) -> [];
common(F, Iterator, Other) -> common(F, next(Iterator), Other).

%%% Grouping: every group keeps the order of the list, so the list is walked from its end

-spec groups_from_list(fun((X) -> K), [X]) -> #{K => [X]}.
groups_from_list(KeyOf, L) when is_function(KeyOf, 1) ->
    try lists:reverse(L) of
        Reversed -> groups(KeyOf, fun(X) -> X end, Reversed, #{})
    catch
        error:_ -> error(badarg, [KeyOf, L], ?INFO)
    end;
groups_from_list(KeyOf, L) -> error(badarg, [KeyOf, L], ?INFO).

-spec groups_from_list(fun((X) -> K), fun((X) -> V), [X]) -> #{K => [V]}.
groups_from_list(KeyOf, ValueOf, L) when is_function(KeyOf, 1), is_function(ValueOf, 1) ->
    try lists:reverse(L) of
        Reversed -> groups(KeyOf, ValueOf, Reversed, #{})
    catch
        error:_ -> error(badarg, [KeyOf, ValueOf, L], ?INFO)
    end;
groups_from_list(KeyOf, ValueOf, L) -> error(badarg, [KeyOf, ValueOf, L], ?INFO).

groups(KeyOf, ValueOf, [X | T], Groups) ->
    K = KeyOf(X),
    V = ValueOf(X),
    case Groups of
        #{K := Group} -> groups(KeyOf, ValueOf, T, Groups#{K := [V | Group]});
        #{} -> groups(KeyOf, ValueOf, T, Groups#{K => [V]})
    end;
groups(_, _, [], Groups) -> Groups.

%%% Which argument was wrong

badarg_or_badmap(Map) when is_map(Map) -> badarg;
badarg_or_badmap(NoMap) -> {badmap, NoMap}.

badarg_or_badmap(A, B) when is_map(A) -> badarg_or_badmap(B);
badarg_or_badmap(A, _) -> {badmap, A}.

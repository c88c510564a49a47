%% Dictionaries with keys told apart by `=:=`: a map in a tuple, so that it is not taken for one.
-module(dict).

-export([new/0, is_key/2, to_list/1, from_list/1, size/1, is_empty/1, fetch/2, find/2, fetch_keys/1, erase/2, take/2,
         store/3, append/3, append_list/3, update/3, update/4, update_counter/3, fold/3, map/2, filter/2, merge/3]).

-compile({no_auto_import, [size/1]}).

new() -> {dict, #{}}.

is_key(Key, {dict, Map}) -> is_map_key(Key, Map).

to_list({dict, Map}) -> maps:to_list(Map).

from_list(Pairs) -> {dict, maps:from_list(Pairs)}.

size({dict, Map}) -> map_size(Map).

is_empty({dict, Map}) -> map_size(Map) =:= 0.

fetch(Key, {dict, Map}) ->
    case Map of
        #{Key := Value} -> Value;
        #{} -> error(badarg, [Key, {dict, Map}])
    end.

find(Key, {dict, Map}) -> maps:find(Key, Map).

fetch_keys({dict, Map}) -> maps:keys(Map).

erase(Key, {dict, Map}) -> {dict, maps:remove(Key, Map)}.

take(Key, {dict, Map}) ->
    case maps:take(Key, Map) of
        {Value, Rest} -> {Value, {dict, Rest}};
        error -> error
    end.

store(Key, Value, {dict, Map}) -> {dict, Map#{Key => Value}}.

append(Key, Value, Dict) -> append_list(Key, [Value], Dict).

append_list(Key, Values, Dict) -> update(Key, fun(Old) -> Old ++ Values end, Values, Dict).

update(Key, F, {dict, Map} = Dict) ->
    case Map of
        #{Key := Value} -> {dict, Map#{Key := F(Value)}};
        #{} -> error(badarg, [Key, F, Dict])
    end.

update(Key, F, Initial, {dict, Map}) ->
    case Map of
        #{Key := Value} -> {dict, Map#{Key := F(Value)}};
        #{} -> {dict, Map#{Key => Initial}}
    end.

update_counter(Key, By, Dict) -> update(Key, fun(Old) -> Old + By end, By, Dict).

fold(F, Acc, {dict, Map}) -> maps:fold(F, Acc, Map).

map(F, {dict, Map}) -> {dict, maps:map(F, Map)}.

filter(F, {dict, Map}) -> {dict, maps:filter(F, Map)}.

merge(F, {dict, A}, {dict, B}) -> {dict, maps:merge_with(F, A, B)}.

%% Dictionaries with keys told apart by `=:=`: a map in a tuple, so that it is not taken for one.
%%
%% What is no dictionary is a `badrecord`, raised by the function that looks into it, but for `size/1` and `is_empty/1`, which have no
%% clause for it.
-module(dict).

-export([new/0, is_key/2, to_list/1, from_list/1, size/1, is_empty/1, fetch/2, find/2, fetch_keys/1, erase/2, take/2,
         store/3, append/3, append_list/3, update/3, update/4, update_counter/3, fold/3, map/2, filter/2, merge/3]).

-compile({no_auto_import, [size/1]}).

new() -> {dict, #{}}.

is_key(Key, Dict) ->
    Map = get_slot(Dict, Key),
    is_map_key(Key, Map).

%% The map of a dictionary.
get_slot({dict, Map}, _) -> Map;
get_slot(Dict, _) -> error({badrecord, Dict}).

to_list({dict, Map}) -> maps:to_list(Map);
to_list(Dict) -> fold_dict(none, [], Dict).

from_list(Pairs) ->
    try maps:from_list(Pairs) of
        Map -> {dict, Map}
    catch error:badarg ->
            %% Fails at what is no pair.
            lists:foldl(fun({Key, Value}, Dict) -> store(Key, Value, Dict) end, new(), Pairs)
    end.

size({dict, Map}) -> map_size(Map).

is_empty({dict, Map}) -> map_size(Map) =:= 0.

fetch(Key, Dict) ->
    case get_slot(Dict, Key) of
        #{Key := Value} -> Value;
        #{} -> error(badarg, [Key, Dict])
    end.

find(Key, Dict) ->
    Map = get_slot(Dict, Key),
    maps:find(Key, Map).

fetch_keys({dict, Map}) -> maps:keys(Map);
fetch_keys(Dict) -> fold_dict(none, [], Dict).

erase(Key, Dict) -> {dict, maps:remove(Key, get_slot(Dict, Key))}.

take(Key, Dict) ->
    case maps:take(Key, get_slot(Dict, Key)) of
        {Value, Rest} -> {Value, {dict, Rest}};
        error -> error
    end.

store(Key, Value, Dict) ->
    Map = get_slot(Dict, Key),
    {dict, Map#{Key => Value}}.

append(Key, Value, Dict) ->
    case get_slot(Dict, Key) of
        #{Key := Old} = Map -> {dict, Map#{Key := Old ++ [Value]}};
        Map -> {dict, Map#{Key => [Value]}}
    end.

append_list(Key, Values, Dict) ->
    case get_slot(Dict, Key) of
        #{Key := Old} = Map -> {dict, Map#{Key := Old ++ Values}};
        Map -> {dict, Map#{Key => Values}}
    end.

update(Key, F, Dict) ->
    case get_slot(Dict, Key) of
        #{Key := Value} = Map -> {dict, Map#{Key := F(Value)}};
        #{} -> error(badarg, [Key, F, Dict])
    end.

update(Key, F, Initial, Dict) ->
    case get_slot(Dict, Key) of
        #{Key := Value} = Map -> {dict, Map#{Key := F(Value)}};
        Map -> {dict, Map#{Key => Initial}}
    end.

update_counter(Key, By, Dict) when is_number(By) ->
    case get_slot(Dict, Key) of
        #{Key := Value} = Map -> {dict, Map#{Key := Value + By}};
        Map -> {dict, Map#{Key => By}}
    end.

fold(F, Acc, Dict) -> fold_dict(F, Acc, Dict).

fold_dict(F, Acc, {dict, Map}) -> maps:fold(F, Acc, Map);
fold_dict(_, _, Dict) -> error({badrecord, Dict}).

map(F, Dict) -> map_dict(F, Dict).

map_dict(F, {dict, Map}) -> {dict, maps:map(F, Map)};
map_dict(_, Dict) -> error({badrecord, Dict}).

filter(F, Dict) -> filter_dict(F, Dict).

filter_dict(F, {dict, Map}) -> {dict, maps:filter(F, Map)};
filter_dict(_, Dict) -> error({badrecord, Dict}).

merge(F, {dict, A}, {dict, B}) -> {dict, maps:merge_with(F, A, B)};
merge(_, A, B) -> fold_dict(fun store/3, A, B).

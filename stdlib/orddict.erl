%% Dictionaries as lists of pairs, ordered by key. Keys are equal if they compare equal (`==`).
-module(orddict).

-export([new/0, is_key/2, to_list/1, from_list/1, size/1, is_empty/1, fetch/2, find/2, fetch_keys/1, erase/2, take/2,
         store/3, append/3, append_list/3, update/3, update/4, update_counter/3, fold/3, map/2, filter/2, merge/3]).

new() -> [].

is_key(Key, [{K, _} | Rest]) when Key > K -> is_key(Key, Rest);
is_key(Key, [{K, _} | _]) -> Key == K;
is_key(_, []) -> false.

to_list(Dict) -> Dict.

%% Of several values of a key the last one counts.
from_list([]) -> [];
from_list([{_, _}] = Pairs) -> Pairs;
from_list(Pairs) -> lists:ukeysort(1, reverse_pairs(Pairs, [])).

reverse_pairs([{_, _} = Pair | Pairs], Acc) -> reverse_pairs(Pairs, [Pair | Acc]);
reverse_pairs([], Acc) -> Acc.

size(Dict) -> length(Dict).

is_empty([]) -> true;
is_empty([_ | _]) -> false.

fetch(Key, [{K, _} | Rest]) when Key > K -> fetch(Key, Rest);
fetch(Key, [{K, Value} | _]) when Key == K -> Value.

find(Key, [{K, _} | Rest]) when Key > K -> find(Key, Rest);
find(Key, [{K, Value} | _]) when Key == K -> {ok, Value};
find(_, [{_, _} | _]) -> error;
find(_, []) -> error.

fetch_keys([{Key, _} | Rest]) -> [Key | fetch_keys(Rest)];
fetch_keys([]) -> [].

erase(Key, [{K, _} = Pair | Rest]) when Key > K -> [Pair | erase(Key, Rest)];
erase(Key, [{K, _} | _] = Dict) when Key < K -> Dict;
erase(_, [{_, _} | Rest]) -> Rest;
erase(_, []) -> [].

take(Key, Dict) -> take_1(Key, Dict, []).

take_1(Key, [{K, _} | _], _) when Key < K -> error;
take_1(Key, [{K, _} = Pair | Rest], Front) when Key > K -> take_1(Key, Rest, [Pair | Front]);
take_1(_, [{_, Value} | Rest], Front) -> {Value, lists:reverse(Front, Rest)};
take_1(_, [], _) -> error.

store(Key, Value, [{K, _} = Pair | Rest]) when Key > K -> [Pair | store(Key, Value, Rest)];
store(Key, Value, [{K, _} | _] = Dict) when Key < K -> [{Key, Value} | Dict];
store(Key, Value, [{_, _} | Rest]) -> [{Key, Value} | Rest];
store(Key, Value, []) -> [{Key, Value}].

append(Key, Value, [{K, _} = Pair | Rest]) when Key > K -> [Pair | append(Key, Value, Rest)];
append(Key, Value, [{K, _} | _] = Dict) when Key < K -> [{Key, [Value]} | Dict];
append(Key, Value, [{_, Old} | Rest]) -> [{Key, Old ++ [Value]} | Rest];
append(Key, Value, []) -> [{Key, [Value]}].

append_list(Key, Values, [{K, _} = Pair | Rest]) when Key > K -> [Pair | append_list(Key, Values, Rest)];
append_list(Key, Values, [{K, _} | _] = Dict) when Key < K -> [{Key, Values} | Dict];
append_list(Key, Values, [{_, Old} | Rest]) -> [{Key, Old ++ Values} | Rest];
append_list(Key, Values, []) -> [{Key, Values}].

%% Without an initial value a key that is not there has no clause.
update(Key, F, [{K, _} = Pair | Rest]) when Key > K -> [Pair | update(Key, F, Rest)];
update(Key, F, [{K, Value} | Rest]) when Key == K -> [{Key, F(Value)} | Rest].

update(Key, F, Initial, [{K, _} = Pair | Rest]) when Key > K -> [Pair | update(Key, F, Initial, Rest)];
update(Key, _, Initial, [{K, _} | _] = Dict) when Key < K -> [{Key, Initial} | Dict];
update(Key, F, _, [{_, Value} | Rest]) -> [{Key, F(Value)} | Rest];
update(Key, _, Initial, []) -> [{Key, Initial}].

update_counter(Key, By, [{K, _} = Pair | Rest]) when Key > K -> [Pair | update_counter(Key, By, Rest)];
update_counter(Key, By, [{K, _} | _] = Dict) when Key < K -> [{Key, By} | Dict];
update_counter(Key, By, [{_, Value} | Rest]) -> [{Key, Value + By} | Rest];
update_counter(Key, By, []) -> [{Key, By}].

fold(F, Acc, [{Key, Value} | Rest]) -> fold(F, F(Key, Value, Acc), Rest);
fold(F, Acc, []) when is_function(F, 3) -> Acc.

map(F, [{Key, Value} | Rest]) -> [{Key, F(Key, Value)} | map(F, Rest)];
map(F, []) when is_function(F, 2) -> [].

filter(F, [{Key, Value} = Pair | Rest]) ->
    case F(Key, Value) of
        true -> [Pair | filter(F, Rest)];
        false -> filter(F, Rest)
    end;
filter(F, []) when is_function(F, 2) -> [].

merge(F, [{K1, _} = A | As], [{K2, _} | _] = Bs) when K1 < K2 -> [A | merge(F, As, Bs)];
merge(F, [{K1, _} | _] = As, [{K2, _} = B | Bs]) when K1 > K2 -> [B | merge(F, As, Bs)];
merge(F, [{K, V1} | As], [{_, V2} | Bs]) -> [{K, F(K, V1, V2)} | merge(F, As, Bs)];
merge(F, [], Bs) when is_function(F, 3) -> Bs;
merge(F, As, []) when is_function(F, 3) -> As.

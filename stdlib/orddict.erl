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
from_list(Pairs) -> lists:ukeysort(1, lists:reverse(Pairs)).

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
erase(_, [_ | Rest]) -> Rest;
erase(_, []) -> [].

take(Key, Dict) -> take(Key, Dict, []).

take(Key, [{K, _} = Pair | Rest], Front) when Key > K -> take(Key, Rest, [Pair | Front]);
take(Key, [{K, Value} | Rest], Front) when Key == K -> {Value, lists:reverse(Front, Rest)};
take(_, _, _) -> error.

store(Key, Value, [{K, _} = Pair | Rest]) when Key > K -> [Pair | store(Key, Value, Rest)];
store(Key, Value, [{K, _} | _] = Dict) when Key < K -> [{Key, Value} | Dict];
store(Key, Value, [_ | Rest]) -> [{Key, Value} | Rest];
store(Key, Value, []) -> [{Key, Value}].

append(Key, Value, Dict) -> append_list(Key, [Value], Dict).

append_list(Key, Values, Dict) -> change(Key, fun(Old) -> Old ++ Values end, {ok, Values}, Dict).

update(Key, F, Dict) -> change(Key, F, none, Dict).

update(Key, F, Initial, Dict) -> change(Key, F, {ok, Initial}, Dict).

update_counter(Key, By, Dict) -> change(Key, fun(Old) -> Old + By end, {ok, By}, Dict).

%% F makes the new value of the old one; a key that is not there gets the default, if there is one.
change(Key, F, Default, [{K, _} = Pair | Rest]) when Key > K -> [Pair | change(Key, F, Default, Rest)];
change(Key, _, {ok, Default}, [{K, _} | _] = Dict) when Key < K -> [{Key, Default} | Dict];
change(Key, F, _, [{K, Value} | Rest]) when Key == K -> [{Key, F(Value)} | Rest];
change(Key, _, {ok, Default}, []) -> [{Key, Default}].

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

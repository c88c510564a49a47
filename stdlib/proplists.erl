%% Property lists: an atom stands for `{Atom, true}`, the first element of a tuple is its key, other elements are ignored.
%%
%% Keys are compared with `=:=`. A tuple that is no pair hides later entries of its key but has no value of its own.
-module(proplists).

-export([property/1, property/2, unfold/1, compact/1, lookup/2, lookup_all/2, is_defined/2, get_value/2, get_value/3,
         get_bool/2, get_all_values/2, append_values/2, get_keys/1, delete/2, split/2,
         substitute_aliases/2, substitute_negations/2, expand/2, normalize/2, to_map/1, to_map/2, from_map/1]).
-export_type([proplist/0]).

-type proplist() :: [atom() | tuple()].

-define(HAS_KEY(P, Key), (P =:= Key andalso is_atom(P) orelse is_tuple(P) andalso tuple_size(P) >= 1 andalso element(1, P) =:= Key)).

%%% Single entries

property({Key, true}) when is_atom(Key) -> Key;
property(Property) -> Property.

property(Key, true) when is_atom(Key) -> Key;
property(Key, Value) -> {Key, Value}.

unfold([P | Ps]) when is_atom(P) -> [{P, true} | unfold(Ps)];
unfold([P | Ps]) -> [P | unfold(Ps)];
unfold([]) -> [].

compact(Ps) -> [property(P) || P <- Ps].

%%% Looking up

-spec lookup(term(), proplist()) -> tuple() | none.
lookup(Key, [P | _]) when ?HAS_KEY(P, Key) -> entry(P);
lookup(Key, [_ | Ps]) -> lookup(Key, Ps);
lookup(_, []) -> none.

entry(P) when is_atom(P) -> {P, true};
entry(P) -> P.

-spec lookup_all(term(), proplist()) -> [tuple()].
lookup_all(Key, [P | Ps]) when ?HAS_KEY(P, Key) -> [entry(P) | lookup_all(Key, Ps)];
lookup_all(Key, [_ | Ps]) -> lookup_all(Key, Ps);
lookup_all(_, []) -> [].

-spec is_defined(term(), proplist()) -> boolean().
is_defined(Key, [P | _]) when ?HAS_KEY(P, Key) -> true;
is_defined(Key, [_ | Ps]) -> is_defined(Key, Ps);
is_defined(_, []) -> false.

get_value(Key, Ps) -> get_value(Key, Ps, undefined).

-spec get_value(term(), proplist(), term()) -> term().
get_value(Key, [{Key, Value} | _], _) -> Value;
get_value(Key, [P | _], Default) when ?HAS_KEY(P, Key) ->
    case P of
        Key -> true;
        _ -> Default
    end;
get_value(Key, [_ | Ps], Default) -> get_value(Key, Ps, Default);
get_value(_, [], Default) -> Default.

-spec get_bool(term(), proplist()) -> boolean().
get_bool(Key, [P | _]) when ?HAS_KEY(P, Key) -> is_atom(P) orelse tuple_size(P) =:= 2 andalso element(2, P) =:= true;
get_bool(Key, [_ | Ps]) -> get_bool(Key, Ps);
get_bool(_, []) -> false.

-spec get_all_values(term(), proplist()) -> [term()].
get_all_values(Key, [{Key, Value} | Ps]) -> [Value | get_all_values(Key, Ps)];
get_all_values(Key, [Key | Ps]) when is_atom(Key) -> [true | get_all_values(Key, Ps)];
get_all_values(Key, [_ | Ps]) -> get_all_values(Key, Ps);
get_all_values(_, []) -> [].

%% Values that are lists are joined, others count as lists of one.
append_values(Key, [{Key, Value} | Ps]) when is_list(Value) -> Value ++ append_values(Key, Ps);
append_values(Key, [{Key, Value} | Ps]) -> [Value | append_values(Key, Ps)];
append_values(Key, [Key | Ps]) when is_atom(Key) -> [true | append_values(Key, Ps)];
append_values(Key, [_ | Ps]) -> append_values(Key, Ps);
append_values(_, []) -> [].

-spec get_keys(proplist()) -> [term()].
get_keys(Ps) ->
    Keys = get_keys(Ps, #{}),
    maps:keys(Keys).

get_keys([P | Ps], Keys) when is_atom(P) -> get_keys(Ps, Keys#{P => []});
get_keys([P | Ps], Keys) when is_tuple(P), tuple_size(P) >= 1 -> get_keys(Ps, Keys#{element(1, P) => []});
get_keys([_ | Ps], Keys) -> get_keys(Ps, Keys);
get_keys([], Keys) -> Keys.

%%% Changing

-spec delete(term(), proplist()) -> proplist().
delete(Key, [P | Ps]) when ?HAS_KEY(P, Key) -> delete(Key, Ps);
delete(Key, [P | Ps]) -> [P | delete(Key, Ps)];
delete(_, []) -> [].

%% The entries of each key in a list of their own, and the other entries.
-spec split(proplist(), [term()]) -> {[proplist()], proplist()}.
split(Ps, Keys) ->
    {Lists, Rest} = split(Ps, maps:from_list([{Key, []} || Key <- Keys]), []),
    {[lists:reverse(maps:get(Key, Lists)) || Key <- Keys], lists:reverse(Rest)}.

split([P | Ps], Lists, Rest) ->
    case key(P) of
        {key, Key} when is_map_key(Key, Lists) -> split(Ps, Lists#{Key := [P | maps:get(Key, Lists)]}, Rest);
        _ -> split(Ps, Lists, [P | Rest])
    end;
split([], Lists, Rest) -> {Lists, Rest}.

key(P) when is_atom(P) -> {key, P};
key(P) when is_tuple(P), tuple_size(P) >= 1 -> {key, element(1, P)};
key(_) -> none.

%% `{Alias, Key}`: entries of Alias become entries of Key.
substitute_aliases(Aliases, Ps) -> [substitute_alias(Aliases, P) || P <- Ps].

substitute_alias(Aliases, P) ->
    case key(P) of
        {key, Key} ->
            case lists:keyfind(Key, 1, Aliases) of
                {_, New} when is_atom(P) -> property(New, true);
                {_, New} when tuple_size(P) >= 1 -> property(setelement(1, P, New));
                _ -> P
            end;
        none -> P
    end.

%% `{Negation, Key}`: a Negation that is true becomes `{Key, false}`, any other becomes Key.
substitute_negations(Negations, Ps) -> [substitute_negation(Negations, P) || P <- Ps].

substitute_negation(Negations, P) ->
    case key(P) of
        {key, Key} ->
            case lists:keyfind(Key, 1, Negations) of
                {_, New} when is_atom(P) -> {New, false};
                {_, New} when tuple_size(P) =:= 2, element(2, P) =:= true -> {New, false};
                {_, New} -> property(New, true);
                _ -> P
            end;
        none -> P
    end.

%% `{Property, Expansion}`: if the first entry with the key of Property is Property, it gives way to Expansion, and later
%% entries with that key are dropped. Terms of an expansion are not expanded again: they stay lists till the end.
expand(Expansions, Ps) when is_list(Ps) ->
    Properties = [{property(P), Expansion} || {P, Expansion} <- Expansions],
    Expanded = lists:foldl(fun({Property, Expansion}, Acc) -> expand_one(Property, Expansion, Acc) end, Ps, Properties),
    lists:flatmap(fun(P) when is_list(P) -> P;
                     (P) -> [P]
                  end, Expanded).

expand_one(Property, Expansion, Ps) ->
    case key(Property) of
        {key, Key} -> expand_key(Key, Property, Expansion, Ps);
        none -> Ps
    end.

expand_key(Key, Property, Expansion, Ps) ->
    {Before, Rest} = lists:splitwith(fun(P) -> key(P) =/= {key, Key} end, Ps),
    case Rest of
        [P | After] ->
            case property(P) of
                Property -> Before ++ [Expansion | delete(Key, After)];
                _ -> Ps
            end;
        [] -> Ps
    end.

%% All of the above, in the order of the stages, and compact at last.
normalize(Ps, Stages) ->
    Applied = apply_stages(Ps, Stages),
    compact(Applied).

apply_stages(Ps, [{aliases, Aliases} | Stages]) -> apply_stages(substitute_aliases(Aliases, Ps), Stages);
apply_stages(Ps, [{expand, Expansions} | Stages]) -> apply_stages(expand(Expansions, Ps), Stages);
apply_stages(Ps, [{negations, Negations} | Stages]) -> apply_stages(substitute_negations(Negations, Ps), Stages);
apply_stages(Ps, []) -> Ps.

%%% Maps: the first entry of a key counts

-spec to_map(proplist()) -> map().
to_map(Ps) -> lists:foldr(fun to_map_1/2, #{}, Ps).

to_map(Ps, Stages) ->
    Applied = apply_stages(Ps, Stages),
    to_map(compact(Applied)).

to_map_1(P, Map) when is_atom(P) -> Map#{P => true};
to_map_1({Key, Value}, Map) -> Map#{Key => Value};
to_map_1(P, Map) when is_tuple(P), tuple_size(P) >= 1 -> maps:remove(element(1, P), Map);
to_map_1(_, Map) -> Map.

from_map(Map) -> maps:to_list(Map).

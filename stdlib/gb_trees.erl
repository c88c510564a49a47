%% General balanced trees (Andersson): dictionaries ordered by key, keys equal if they compare equal (`==`).
%%
%% A tree is `{Size, Node}`, a node `{Key, Value, Smaller, Larger}` or `nil`. Nodes carry no balance: an insertion that goes deeper than the
%% size allows (beyond Size^2 < 2^Depth) finds on its way back the lowest subtree that is too deep for its own size, and only that is
%% rebuilt. Deletions rebalance nothing; `balance/1` does.
-module(gb_trees).

-export([empty/0, is_empty/1, size/1, lookup/2, get/2, insert/3, update/3, enter/3, delete/2, delete_any/2, take/2, take_any/2,
         balance/1, is_defined/2, keys/1, values/1, to_list/1, from_orddict/1, smallest/1, largest/1, take_smallest/1,
         take_largest/1, smaller/2, larger/2, iterator/1, iterator/2, iterator_from/2, iterator_from/3, next/1, map/2]).

-compile({no_auto_import, [size/1, get/2]}).

empty() -> {0, nil}.

is_empty({0, nil}) -> true;
is_empty(_) -> false.

size({Size, _}) when is_integer(Size), Size >= 0 -> Size.

%%% Looking up

lookup(Key, {_, Node}) -> lookup_1(Key, Node).

lookup_1(Key, {K, _, Smaller, _}) when Key < K -> lookup_1(Key, Smaller);
lookup_1(Key, {K, _, _, Larger}) when Key > K -> lookup_1(Key, Larger);
lookup_1(_, {_, Value, _, _}) -> {value, Value};
lookup_1(_, nil) -> none.

is_defined(Key, {_, Node}) -> is_defined_1(Key, Node).

is_defined_1(Key, {K, _, Smaller, _}) when Key < K -> is_defined_1(Key, Smaller);
is_defined_1(Key, {K, _, _, Larger}) when Key > K -> is_defined_1(Key, Larger);
is_defined_1(_, {_, _, _, _}) -> true;
is_defined_1(_, nil) -> false.

get(Key, {_, Node}) -> get_1(Key, Node).

get_1(Key, {K, _, Smaller, _}) when Key < K -> get_1(Key, Smaller);
get_1(Key, {K, _, _, Larger}) when Key > K -> get_1(Key, Larger);
get_1(_, {_, Value, _, _}) -> Value.

%%% Changing

update(Key, Value, {Size, Node}) -> {Size, update_1(Key, Value, Node)}.

update_1(Key, Value, {K, V, Smaller, Larger}) when Key < K -> {K, V, update_1(Key, Value, Smaller), Larger};
update_1(Key, Value, {K, V, Smaller, Larger}) when Key > K -> {K, V, Smaller, update_1(Key, Value, Larger)};
update_1(Key, Value, {_, _, Smaller, Larger}) -> {Key, Value, Smaller, Larger}.

enter(Key, Value, Tree) ->
    case is_defined(Key, Tree) of
        true -> update(Key, Value, Tree);
        false -> insert(Key, Value, Tree)
    end.

insert(Key, Value, {Size, Node}) when is_integer(Size) ->
    Size1 = Size + 1,
    {Size1, insert_1(Key, Value, Node, Size1 * Size1)}.

%% Budget is halved on each level; where it is used up the answer is `{Node, Height, Size}` with height as a power of 2, and
%% the first subtree upwards that is too high is rebuilt.
insert_1(Key, Value, {K, V, Smaller, Larger}, Budget) when Key < K ->
    case insert_1(Key, Value, Smaller, Budget div 2) of
        {Node, Height, Size} ->
            {Height2, Size2} = measure(Larger),
            settle({K, V, Node, Larger}, max(Height, Height2) * 2, Size + Size2 + 1);
        Node -> {K, V, Node, Larger}
    end;
insert_1(Key, Value, {K, V, Smaller, Larger}, Budget) when Key > K ->
    case insert_1(Key, Value, Larger, Budget div 2) of
        {Node, Height, Size} ->
            {Height2, Size2} = measure(Smaller),
            settle({K, V, Smaller, Node}, max(Height, Height2) * 2, Size + Size2 + 1);
        Node -> {K, V, Smaller, Node}
    end;
insert_1(Key, Value, nil, 0) -> {{Key, Value, nil, nil}, 1, 1};
insert_1(Key, Value, nil, _) -> {Key, Value, nil, nil};
insert_1(Key, _, _, _) -> error({key_exists, Key}).

settle(Node, Height, Size) ->
    case Height > Size * Size of
        true -> balance(Node, Size);
        false -> {Node, Height, Size}
    end.

measure({_, _, nil, nil}) -> {1, 1};
measure({_, _, Smaller, Larger}) ->
    {H1, S1} = measure(Smaller),
    {H2, S2} = measure(Larger),
    {max(H1, H2) * 2, S1 + S2 + 1};
measure(nil) -> {1, 0}.

balance({Size, Node}) -> {Size, balance(Node, Size)}.

balance(Node, Size) -> balance_list(to_list(Node, []), Size).

from_orddict(Pairs) ->
    Size = length(Pairs),
    {Size, balance_list(Pairs, Size)}.

balance_list(Pairs, Size) ->
    {Node, []} = balance_list_1(Pairs, Size),
    Node.

balance_list_1([{Key, Value} | Rest], 1) -> {{Key, Value, nil, nil}, Rest};
balance_list_1(Pairs, Size) when Size > 1 ->
    Larger = (Size - 1) div 2,
    {Smaller, [{Key, Value} | Rest]} = balance_list_1(Pairs, Size - 1 - Larger),
    {Node, Rest1} = balance_list_1(Rest, Larger),
    {{Key, Value, Smaller, Node}, Rest1};
balance_list_1(Pairs, 0) -> {nil, Pairs}.

delete(Key, {Size, Node}) when is_integer(Size), Size >= 0 -> {Size - 1, delete_1(Key, Node)}.

delete_1(Key, {K, V, Smaller, Larger}) when Key < K -> {K, V, delete_1(Key, Smaller), Larger};
delete_1(Key, {K, V, Smaller, Larger}) when Key > K -> {K, V, Smaller, delete_1(Key, Larger)};
delete_1(_, {_, _, Smaller, Larger}) -> merge(Smaller, Larger).

%% Two subtrees that have lost what was between them.
merge(Smaller, nil) -> Smaller;
merge(nil, Larger) -> Larger;
merge(Smaller, Larger) ->
    {Key, Value, Larger1} = take_smallest1(Larger),
    {Key, Value, Smaller, Larger1}.

delete_any(Key, Tree) ->
    case is_defined(Key, Tree) of
        true -> delete(Key, Tree);
        false -> Tree
    end.

take(Key, {Size, Node}) when is_integer(Size), Size >= 0 ->
    {Value, Node1} = take_1(Key, Node),
    {Value, {Size - 1, Node1}}.

take_1(Key, {K, V, Smaller, Larger}) when Key < K ->
    {Value, Smaller1} = take_1(Key, Smaller),
    {Value, {K, V, Smaller1, Larger}};
take_1(Key, {K, V, Smaller, Larger}) when Key > K ->
    {Value, Larger1} = take_1(Key, Larger),
    {Value, {K, V, Smaller, Larger1}};
take_1(_, {_, Value, Smaller, Larger}) -> {Value, merge(Smaller, Larger)}.

take_any(Key, Tree) ->
    case is_defined(Key, Tree) of
        true -> take(Key, Tree);
        false -> error
    end.

%%% Ends and neighbours

smallest({_, Node}) -> smallest_1(Node).

smallest_1({Key, Value, nil, _}) -> {Key, Value};
smallest_1({_, _, Smaller, _}) -> smallest_1(Smaller).

largest({_, Node}) -> largest_1(Node).

largest_1({Key, Value, _, nil}) -> {Key, Value};
largest_1({_, _, _, Larger}) -> largest_1(Larger).

take_smallest({Size, Node}) when is_integer(Size), Size >= 0 ->
    {Key, Value, Rest} = take_smallest1(Node),
    {Key, Value, {Size - 1, Rest}}.

take_smallest1({Key, Value, nil, Larger}) -> {Key, Value, Larger};
take_smallest1({K, V, Smaller, Larger}) ->
    {Key, Value, Rest} = take_smallest1(Smaller),
    {Key, Value, {K, V, Rest, Larger}}.

take_largest({Size, Node}) when is_integer(Size), Size >= 0 ->
    {Key, Value, Rest} = take_largest1(Node),
    {Key, Value, {Size - 1, Rest}}.

take_largest1({Key, Value, Smaller, nil}) -> {Key, Value, Smaller};
take_largest1({K, V, Smaller, Larger}) ->
    {Key, Value, Rest} = take_largest1(Larger),
    {Key, Value, {K, V, Smaller, Rest}}.

%% The pair with the largest key below, or the smallest above.
smaller(Key, {_, Node}) -> smaller_1(Key, Node, none).

smaller_1(_, nil, Best) -> Best;
smaller_1(Key, {K, V, _, Larger}, _) when Key > K -> smaller_1(Key, Larger, {K, V});
smaller_1(Key, {_, _, Smaller, _}, Best) -> smaller_1(Key, Smaller, Best).

larger(Key, {_, Node}) -> larger_1(Key, Node, none).

larger_1(_, nil, Best) -> Best;
larger_1(Key, {K, V, Smaller, _}, _) when Key < K -> larger_1(Key, Smaller, {K, V});
larger_1(Key, {_, _, _, Larger}, Best) -> larger_1(Key, Larger, Best).

%%% All of it

keys({_, Node}) -> keys(Node, []).

keys({Key, _, Smaller, Larger}, Tail) -> keys(Smaller, [Key | keys(Larger, Tail)]);
keys(nil, Tail) -> Tail.

values({_, Node}) -> values(Node, []).

values({_, Value, Smaller, Larger}, Tail) -> values(Smaller, [Value | values(Larger, Tail)]);
values(nil, Tail) -> Tail.

to_list({_, Node}) -> to_list(Node, []).

to_list({Key, Value, Smaller, Larger}, Tail) -> to_list(Smaller, [{Key, Value} | to_list(Larger, Tail)]);
to_list(nil, Tail) -> Tail.

map(F, {Size, Node}) when is_function(F, 2) -> {Size, map_1(F, Node)}.

map_1(_, nil) -> nil;
map_1(F, {Key, Value, Smaller, Larger}) -> {Key, F(Key, Value), map_1(F, Smaller), map_1(F, Larger)}.

%% An iterator is the order and the path to the next node: nodes whose first side has been passed.
iterator({_, Node}) -> {ordered, down(Node, [])}.

iterator({_, Node}, ordered) -> {ordered, down(Node, [])};
iterator({_, Node}, reversed) -> {reversed, up(Node, [])}.

down({_, _, nil, _} = Node, Path) -> [Node | Path];
down({_, _, Smaller, _} = Node, Path) -> down(Smaller, [Node | Path]);
down(nil, Path) -> Path.

up({_, _, _, nil} = Node, Path) -> [Node | Path];
up({_, _, _, Larger} = Node, Path) -> up(Larger, [Node | Path]);
up(nil, Path) -> Path.

iterator_from(Key, {_, Node}) -> {ordered, from(Key, Node, [])}.

iterator_from(Key, {_, Node}, ordered) -> {ordered, from(Key, Node, [])};
iterator_from(Key, {_, Node}, reversed) -> {reversed, from_reversed(Key, Node, [])}.

from(Key, {K, _, _, Larger}, Path) when K < Key -> from(Key, Larger, Path);
from(Key, {K, _, _, _} = Node, Path) when Key == K -> [Node | Path];
from(Key, {_, _, Smaller, _} = Node, Path) -> from(Key, Smaller, [Node | Path]);
from(_, nil, Path) -> Path.

from_reversed(Key, {K, _, Smaller, _}, Path) when K > Key -> from_reversed(Key, Smaller, Path);
from_reversed(Key, {K, _, _, _} = Node, Path) when Key == K -> [Node | Path];
from_reversed(Key, {_, _, _, Larger} = Node, Path) -> from_reversed(Key, Larger, [Node | Path]);
from_reversed(_, nil, Path) -> Path.

next({ordered, [{Key, Value, _, Larger} | Path]}) -> {Key, Value, {ordered, down(Larger, Path)}};
next({reversed, [{Key, Value, Smaller, _} | Path]}) -> {Key, Value, {reversed, up(Smaller, Path)}};
next({_, []}) -> none.

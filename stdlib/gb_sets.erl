%% Ordered sets as general balanced trees; elements are equal if they compare equal (`==`).
%%
%% As in `gb_trees` (see there for the balance), with nodes `{Element, Smaller, Larger}` or `nil` in a set `{Size, Node}`. Bulk operations go
%% through ordered lists, unless one set is so small that its elements are better handled one by one.
-module(gb_sets).

-export([empty/0, new/0, is_empty/1, size/1, singleton/1, is_member/2, is_element/2, insert/2, add/2, add_element/2,
         delete/2, delete_any/2, del_element/2, balance/1, union/2, union/1, intersection/2, intersection/1, is_equal/2,
         is_disjoint/2, difference/2, subtract/2, is_subset/2, to_list/1, from_list/1, from_ordset/1, smallest/1, largest/1,
         take_smallest/1, take_largest/1, smaller/2, larger/2, iterator/1, iterator/2, iterator_from/2, iterator_from/3, next/1,
         filter/2, map/2, filtermap/2, fold/3, is_set/1]).

-compile({no_auto_import, [size/1]}).

-define(IS_SIZE(N), is_integer(N), N >= 0).

empty() -> {0, nil}.

new() -> {0, nil}.

is_empty({0, nil}) -> true;
is_empty(_) -> false.

size({Size, _}) -> Size.

singleton(X) -> {1, {X, nil, nil}}.

is_set({0, nil}) -> true;
is_set({Size, {_, _, _}}) when is_integer(Size), Size > 0 -> true;
is_set(_) -> false.

is_member(X, {_, Node}) -> is_member_1(X, Node).

is_member_1(X, {Y, Smaller, _}) when X < Y -> is_member_1(X, Smaller);
is_member_1(X, {Y, _, Larger}) when X > Y -> is_member_1(X, Larger);
is_member_1(_, {_, _, _}) -> true;
is_member_1(_, nil) -> false.

is_element(X, Set) -> is_member(X, Set).

%%% One element

insert(X, {Size, Node}) ->
    Size1 = Size + 1,
    {Size1, insert_1(X, Node, Size1 * Size1)}.

%% Budget is halved on each level; where it is used up the answer is `{Node, Height, Size, deep}` with height as a power of 2, and
%% the first subtree upwards that is too high is rebuilt.
insert_1(X, {Y, Smaller, Larger}, Budget) when X < Y ->
    case insert_1(X, Smaller, Budget div 2) of
        {Node, Height, Size, deep} ->
            {Height2, Size2} = measure(Larger),
            settle({Y, Node, Larger}, max(Height, Height2) * 2, Size + Size2 + 1);
        Node -> {Y, Node, Larger}
    end;
insert_1(X, {Y, Smaller, Larger}, Budget) when X > Y ->
    case insert_1(X, Larger, Budget div 2) of
        {Node, Height, Size, deep} ->
            {Height2, Size2} = measure(Smaller),
            settle({Y, Smaller, Node}, max(Height, Height2) * 2, Size + Size2 + 1);
        Node -> {Y, Smaller, Node}
    end;
insert_1(X, nil, 0) -> {{X, nil, nil}, 1, 1, deep};
insert_1(X, nil, _) -> {X, nil, nil};
insert_1(X, _, _) -> error({key_exists, X}).

settle(Node, Height, Size) ->
    case Height > Size * Size of
        true -> balance(Node, Size);
        false -> {Node, Height, Size, deep}
    end.

measure({_, nil, nil}) -> {1, 1};
measure({_, Smaller, Larger}) ->
    {H1, S1} = measure(Smaller),
    {H2, S2} = measure(Larger),
    {max(H1, H2) * 2, S1 + S2 + 1};
measure(nil) -> {1, 0}.

add(X, Set) ->
    case is_member(X, Set) of
        true -> Set;
        false -> insert(X, Set)
    end.

add_element(X, Set) -> add(X, Set).

delete(X, {Size, Node}) -> {Size - 1, delete_1(X, Node)}.

delete_1(X, {Y, Smaller, Larger}) when X < Y -> {Y, delete_1(X, Smaller), Larger};
delete_1(X, {Y, Smaller, Larger}) when X > Y -> {Y, Smaller, delete_1(X, Larger)};
delete_1(_, {_, Smaller, Larger}) -> merge(Smaller, Larger).

%% Two subtrees that have lost what was between them.
merge(Smaller, nil) -> Smaller;
merge(nil, Larger) -> Larger;
merge(Smaller, Larger) ->
    {X, Larger1} = take_smallest1(Larger),
    {X, Smaller, Larger1}.

delete_any(X, Set) ->
    case is_member(X, Set) of
        true -> delete(X, Set);
        false -> Set
    end.

del_element(X, Set) -> delete_any(X, Set).

balance({Size, Node}) -> {Size, balance(Node, Size)}.

balance(Node, Size) -> balance_list(to_list(Node, []), Size).

balance_list(L, Size) ->
    {Node, []} = balance_list_1(L, Size),
    Node.

balance_list_1([X | Rest], 1) -> {{X, nil, nil}, Rest};
balance_list_1(L, Size) when Size > 1 ->
    Larger = (Size - 1) div 2,
    {Smaller, [X | Rest]} = balance_list_1(L, Size - 1 - Larger),
    {Node, Rest1} = balance_list_1(Rest, Larger),
    {{X, Smaller, Node}, Rest1};
balance_list_1(L, 0) -> {nil, L}.

%%% Ends and neighbours

smallest({_, Node}) -> smallest_1(Node).

smallest_1({X, nil, _}) -> X;
smallest_1({_, Smaller, _}) -> smallest_1(Smaller).

largest({_, Node}) -> largest_1(Node).

largest_1({X, _, nil}) -> X;
largest_1({_, _, Larger}) -> largest_1(Larger).

take_smallest({Size, Node}) ->
    {X, Rest} = take_smallest1(Node),
    {X, {Size - 1, Rest}}.

take_smallest1({X, nil, Larger}) -> {X, Larger};
take_smallest1({Y, Smaller, Larger}) ->
    {X, Rest} = take_smallest1(Smaller),
    {X, {Y, Rest, Larger}}.

take_largest({Size, Node}) ->
    {X, Rest} = take_largest1(Node),
    {X, {Size - 1, Rest}}.

take_largest1({X, Smaller, nil}) -> {X, Smaller};
take_largest1({Y, Smaller, Larger}) ->
    {X, Rest} = take_largest1(Larger),
    {X, {Y, Smaller, Rest}}.

smaller(X, {_, Node}) -> smaller_1(X, Node, none).

smaller_1(_, nil, Best) -> Best;
smaller_1(X, {Y, _, Larger}, _) when X > Y -> smaller_1(X, Larger, {found, Y});
smaller_1(X, {_, Smaller, _}, Best) -> smaller_1(X, Smaller, Best).

larger(X, {_, Node}) -> larger_1(X, Node, none).

larger_1(_, nil, Best) -> Best;
larger_1(X, {Y, Smaller, _}, _) when X < Y -> larger_1(X, Smaller, {found, Y});
larger_1(X, {_, _, Larger}, Best) -> larger_1(X, Larger, Best).

%%% Whole sets

to_list({_, Node}) -> to_list(Node, []).

to_list({X, Smaller, Larger}, Tail) -> to_list(Smaller, [X | to_list(Larger, Tail)]);
to_list(nil, Tail) -> Tail.

from_list(L) ->
    Ordered = lists:usort(L),
    from_ordset(Ordered).

from_ordset(L) ->
    Size = length(L),
    {Size, balance_list(L, Size)}.

%% Is handling the elements of the smaller set one by one quicker than walking the larger?
is_much_smaller(N, M) -> N * 10 < M.

union({N, _} = A, {M, _} = B) when ?IS_SIZE(N), ?IS_SIZE(M) ->
    case {is_much_smaller(N, M), is_much_smaller(M, N)} of
        {true, _} -> lists:foldl(fun add/2, B, to_list(A));
        {_, true} -> lists:foldl(fun add/2, A, to_list(B));
        _ -> from_ordset(ordsets:union(to_list(A), to_list(B)))
    end.

union([A | Sets]) -> union_list(A, Sets);
union([]) -> empty().

union_list(A, [B | Sets]) -> union_list(union(A, B), Sets);
union_list(Union, []) -> Union.

intersection({N, _} = A, {M, _} = B) when ?IS_SIZE(N), ?IS_SIZE(M) ->
    case {is_much_smaller(N, M), is_much_smaller(M, N)} of
        {true, _} -> from_ordset([X || X <- to_list(A), is_member(X, B)]);
        {_, true} -> from_ordset([X || X <- to_list(B), is_member(X, A)]);
        _ -> from_ordset(ordsets:intersection(to_list(A), to_list(B)))
    end.

intersection([A | Sets]) -> intersection_list(A, Sets).

intersection_list(A, [B | Sets]) -> intersection_list(intersection(A, B), Sets);
intersection_list(Intersection, []) -> Intersection.

is_disjoint({N, _} = A, {M, _} = B) when ?IS_SIZE(N), ?IS_SIZE(M) ->
    case N < M of
        true -> not lists:any(fun(X) -> is_member(X, B) end, to_list(A));
        false -> not lists:any(fun(X) -> is_member(X, A) end, to_list(B))
    end.

difference({N, _} = A, {M, _} = B) when ?IS_SIZE(N), ?IS_SIZE(M) ->
    case is_much_smaller(M, N) of
        true -> lists:foldl(fun delete_any/2, A, to_list(B));
        false -> from_ordset(ordsets:subtract(to_list(A), to_list(B)))
    end.

subtract(A, B) -> difference(A, B).

is_subset({N, _} = A, {M, _} = B) when ?IS_SIZE(N), ?IS_SIZE(M) ->
    case N > M of
        true -> false;
        false -> lists:all(fun(X) -> is_member(X, B) end, to_list(A))
    end.

is_equal({N, _}, {M, _}) when N =/= M -> false;
is_equal(A, B) -> to_list(A) == to_list(B).

filter(F, Set) when is_function(F, 1) -> from_ordset([X || X <- to_list(Set), F(X)]).

map(F, Set) when is_function(F, 1) -> from_list([F(X) || X <- to_list(Set)]).

filtermap(F, Set) when is_function(F, 1) -> from_list(lists:filtermap(F, to_list(Set))).

fold(F, Acc, {_, Node}) when is_function(F, 2) -> lists:foldl(F, Acc, to_list(Node, [])).

%% An iterator is the order and the path to the next node: nodes whose first side has been passed.
iterator({_, Node}) -> {ordered, down(Node, [])}.

iterator({_, Node}, ordered) -> {ordered, down(Node, [])};
iterator({_, Node}, reversed) -> {reversed, up(Node, [])}.

down({_, nil, _} = Node, Path) -> [Node | Path];
down({_, Smaller, _} = Node, Path) -> down(Smaller, [Node | Path]);
down(nil, Path) -> Path.

up({_, _, nil} = Node, Path) -> [Node | Path];
up({_, _, Larger} = Node, Path) -> up(Larger, [Node | Path]);
up(nil, Path) -> Path.

iterator_from(X, {_, Node}) -> {ordered, from(X, Node, [])}.

iterator_from(X, {_, Node}, ordered) -> {ordered, from(X, Node, [])};
iterator_from(X, {_, Node}, reversed) -> {reversed, from_reversed(X, Node, [])}.

from(X, {Y, _, Larger}, Path) when Y < X -> from(X, Larger, Path);
from(X, {Y, _, _} = Node, Path) when X == Y -> [Node | Path];
from(X, {_, Smaller, _} = Node, Path) -> from(X, Smaller, [Node | Path]);
from(_, nil, Path) -> Path.

from_reversed(X, {Y, Smaller, _}, Path) when Y > X -> from_reversed(X, Smaller, Path);
from_reversed(X, {Y, _, _} = Node, Path) when X == Y -> [Node | Path];
from_reversed(X, {_, _, Larger} = Node, Path) -> from_reversed(X, Larger, [Node | Path]);
from_reversed(_, nil, Path) -> Path.

next({ordered, [{X, _, Larger} | Path]}) -> {X, {ordered, down(Larger, Path)}};
next({reversed, [{X, Smaller, _} | Path]}) -> {X, {reversed, up(Smaller, Path)}};
next({_, []}) -> none.

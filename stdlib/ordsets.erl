%% Sets as ordered lists without duplicates. Elements are equal if they compare equal (`==`): 1 and 1.0 are one element.
-module(ordsets).

-export([new/0, is_set/1, size/1, is_empty/1, is_equal/2, to_list/1, from_list/1, is_element/2, add_element/2, del_element/2,
         union/1, union/2, intersection/1, intersection/2, is_disjoint/2, subtract/2, is_subset/2, fold/3, filter/2,
         map/2, filtermap/2]).

new() -> [].

is_set([X | Xs]) -> ordered(Xs, X);
is_set([]) -> true;
is_set(_) -> false.

ordered([Y | Ys], X) when X < Y -> ordered(Ys, Y);
ordered([], _) -> true;
ordered(_, _) -> false.

size(S) -> length(S).

is_empty(S) -> S =:= [].

is_equal(A, B) when is_list(A), is_list(B) -> A == B.

to_list(S) -> S.

from_list(L) -> lists:usort(L).

is_element(X, [Y | Ys]) when X > Y -> is_element(X, Ys);
is_element(X, [Y | _]) -> X == Y;
is_element(_, []) -> false.

add_element(X, [Y | Ys]) when X > Y -> [Y | add_element(X, Ys)];
add_element(X, [Y | _] = S) when X < Y -> [X | S];
add_element(_, [_ | _] = S) -> S;
add_element(X, []) -> [X].

del_element(X, [Y | Ys]) when X > Y -> [Y | del_element(X, Ys)];
del_element(X, [Y | _] = S) when X < Y -> S;
del_element(_, [_ | Ys]) -> Ys;
del_element(_, []) -> [].

union(Sets) -> lists:umerge(Sets).

union([X | Xs], [Y | _] = B) when X < Y -> [X | union(Xs, B)];
%% (The sets change places, and of `1` and `1.0` that of the set which is then the first is kept, here and below: as in OTP.)
union([X | _] = A, [Y | Ys]) when X > Y -> [Y | union(Ys, A)];
union([X | Xs], [_ | Ys]) -> [X | union(Xs, Ys)];
union([], B) -> B;
union(A, []) -> A.

intersection([S]) -> S;
intersection([A, B | Sets]) -> intersection([intersection(A, B) | Sets]).

intersection([X | Xs], [Y | _] = B) when X < Y -> intersection(Xs, B);
intersection([X | _] = A, [Y | Ys]) when X > Y -> intersection(Ys, A);
intersection([X | Xs], [_ | Ys]) -> [X | intersection(Xs, Ys)];
intersection([], _) -> [];
intersection(_, []) -> [].

is_disjoint([X | Xs], [Y | _] = B) when X < Y -> is_disjoint(Xs, B);
is_disjoint([X | _] = A, [Y | Ys]) when X > Y -> is_disjoint(Ys, A);
is_disjoint([_ | _], [_ | _]) -> false;
is_disjoint([], _) -> true;
is_disjoint(_, []) -> true.

subtract([X | Xs], [Y | _] = B) when X < Y -> [X | subtract(Xs, B)];
subtract([X | _] = A, [Y | Ys]) when X > Y -> subtract(A, Ys);
subtract([_ | Xs], [_ | Ys]) -> subtract(Xs, Ys);
subtract([], _) -> [];
subtract(A, []) -> A.

is_subset([X | _], [Y | _]) when X < Y -> false;
is_subset([X | _] = A, [Y | Ys]) when X > Y -> is_subset(A, Ys);
is_subset([_ | Xs], [_ | Ys]) -> is_subset(Xs, Ys);
is_subset([], _) -> true;
is_subset(_, []) -> false.

fold(F, Acc, S) -> lists:foldl(F, Acc, S).

filter(F, S) -> lists:filter(F, S).

map(F, S) -> from_list(lists:map(F, S)).

filtermap(F, S) -> from_list(lists:filtermap(F, S)).

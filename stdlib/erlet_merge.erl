%% Merging of sorted lists, for the `merge` family of `lists`.
%%
%% A merge of two is two loops that hand over to each other: the one holds the head of the second list and looks at the first, the other
%% the other way round, so that a step looks at one new head. Both give what was merged so far, turned round, to `rest/2` when a list
%% ends. The scheme is written out twice: for term order, and for a fun `Le(A, B)` (which may compare keys of tuples).
%%
%% The `r` variants merge falling lists. Results are not specified for input that is not sorted; lists that are no lists to their end
%% fail where the merge meets their end, as `lists` says.
-module(erlet_merge).

-export([merge/1, merge/2, merge/3, merge3/3, umerge/1, umerge/2, umerge/3, umerge3/3,
         rmerge/2, rmerge/3, rmerge3/3, rumerge/2, rumerge/3, rumerge3/3, keymerge/3, ukeymerge/3, rkeymerge/3, rukeymerge/3]).

%%% Many lists: neighbours are merged in rounds, so that every element moves only log2(lists) times; empty ones are passed over

merge(Lists) -> rounds(fun merge/2, Lists).

umerge(Lists) -> rounds(fun umerge/2, Lists).

rounds(_, []) -> [];
rounds(_, [L]) -> L;
rounds(Merge, Lists) -> rounds(Merge, pairs(Merge, Lists)).

pairs(Merge, [[] | Rest]) -> pairs(Merge, Rest);
pairs(Merge, [A, [] | Rest]) -> pairs(Merge, [A | Rest]);
pairs(Merge, [A, B | Rest]) -> [Merge(A, B) | pairs(Merge, Rest)];
pairs(_, [L]) -> [L];
pairs(_, []) -> [].

%% What is left of one list goes behind what was merged. A list that is none to its end fails as reverse/2 does.
rest(Rest, Merged) when length(Rest) >= 0 -> lists:reverse(Merged, Rest);
rest(Rest, Merged) -> lists:reverse(Rest, Merged).

%%% Rising lists: of equal elements the first list's come first

merge(A, []) -> A;
merge(A, [Y | Ys]) -> merge_1(A, Y, Ys, []).

merge_1([X | Xs], Y, Ys, Acc) when X =< Y -> merge_1(Xs, Y, Ys, [X | Acc]);
merge_1([X | Xs], Y, Ys, Acc) -> merge_2(X, Xs, Ys, [Y | Acc]);
merge_1([], Y, Ys, Acc) -> rest(Ys, [Y | Acc]).

merge_2(X, Xs, [Y | Ys], Acc) when X =< Y -> merge_1(Xs, Y, Ys, [X | Acc]);
merge_2(X, Xs, [Y | Ys], Acc) -> merge_2(X, Xs, Ys, [Y | Acc]);
merge_2(X, Xs, [], Acc) -> rest(Xs, [X | Acc]).

%% Three at once, until one of them ends.
merge3(A, B, C) -> merge3(A, B, C, []).

merge3([X | Xs], [Y | _] = B, [Z | _] = C, Acc) when X =< Y, X =< Z -> merge3(Xs, B, C, [X | Acc]);
merge3([_ | _] = A, [Y | Ys], [Z | _] = C, Acc) when Y =< Z -> merge3(A, Ys, C, [Y | Acc]);
merge3([_ | _] = A, [_ | _] = B, [Z | Zs], Acc) -> merge3(A, B, Zs, [Z | Acc]);
merge3([], B, [Z | Zs], Acc) -> merge_1(B, Z, Zs, Acc);
merge3(A, [], [Z | Zs], Acc) -> merge_1(A, Z, Zs, Acc);
merge3(A, [Y | Ys], [], Acc) -> merge_1(A, Y, Ys, Acc).

merge(Le, A, B) when is_function(Le, 2) -> merge_by(Le, A, B).

keymerge(N, A, B) when is_integer(N), N > 0 -> merge_by(by_key(N), A, B).

merge_by(_, A, []) -> A;
merge_by(Le, A, [Y | Ys]) -> merge_by_1(Le, A, Y, Ys, []).

merge_by_1(Le, [X | Xs], Y, Ys, Acc) ->
    case Le(X, Y) of
        true -> merge_by_1(Le, Xs, Y, Ys, [X | Acc]);
        false -> merge_by_2(Le, X, Xs, Ys, [Y | Acc])
    end;
merge_by_1(_, [], Y, Ys, Acc) -> rest(Ys, [Y | Acc]).

merge_by_2(Le, X, Xs, [Y | Ys], Acc) ->
    case Le(X, Y) of
        true -> merge_by_1(Le, Xs, Y, Ys, [X | Acc]);
        false -> merge_by_2(Le, X, Xs, Ys, [Y | Acc])
    end;
merge_by_2(_, X, Xs, [], Acc) -> rest(Xs, [X | Acc]).

%%% Rising lists without equal elements: of two equal ones the first list's stays
%%
%% `Last` is the element that the first list gave last. An element of the second is no larger than it only if it equals it.

umerge([], B) -> B;
umerge([X | Xs], B) -> umerge_2(X, Xs, B, []).

umerge_1([X | Xs], Y, Ys, _, Acc) when X =< Y -> umerge_1(Xs, Y, Ys, X, [X | Acc]);
umerge_1([X | Xs], Y, Ys, Last, Acc) when Y == Last -> umerge_2(X, Xs, Ys, Acc);
umerge_1([X | Xs], Y, Ys, _, Acc) -> umerge_2(X, Xs, Ys, [Y | Acc]);
umerge_1([], Y, Ys, Last, Acc) when Y == Last -> rest(Ys, Acc);
umerge_1([], Y, Ys, _, Acc) -> rest(Ys, [Y | Acc]).

umerge_2(X, Xs, [Y | Ys], Acc) when X =< Y -> umerge_1(Xs, Y, Ys, X, [X | Acc]);
umerge_2(X, Xs, [Y | Ys], Acc) -> umerge_2(X, Xs, Ys, [Y | Acc]);
umerge_2(X, Xs, [], Acc) -> rest(Xs, [X | Acc]).

umerge3(A, B, C) -> umerge3(A, B, C, []).

umerge3([X | Xs], [Y | _] = B, [Z | _] = C, Acc) when X =< Y, X =< Z -> umerge3(Xs, without(X, B), without(X, C), [X | Acc]);
umerge3([_ | _] = A, [Y | Ys], [Z | _] = C, Acc) when Y =< Z -> umerge3(A, Ys, without(Y, C), [Y | Acc]);
umerge3([_ | _] = A, [_ | _] = B, [Z | Zs], Acc) -> umerge3(A, B, Zs, [Z | Acc]);
umerge3([], [Y | Ys], C, Acc) -> umerge_2(Y, Ys, C, Acc);
umerge3([], [], [Z | Zs], Acc) -> rest(Zs, [Z | Acc]);
umerge3([], [], C, Acc) -> rest(C, Acc);
umerge3([X | Xs], [], C, Acc) -> umerge_2(X, Xs, C, Acc);
umerge3([X | Xs], B, [], Acc) -> umerge_2(X, Xs, B, Acc).

without(X, [Y | Ys]) when X == Y -> Ys;
without(_, L) -> L.

umerge(Le, A, B) when is_function(Le, 2) -> umerge_by(Le, A, B).

ukeymerge(N, A, B) when is_integer(N), N > 0 -> umerge_by(by_key(N), A, B).

umerge_by(_, [], B) -> B;
umerge_by(Le, [X | Xs], B) -> umerge_by_2(Le, X, Xs, B, []).

umerge_by_1(Le, [X | Xs], Y, Ys, Last, Acc) ->
    case Le(X, Y) of
        true -> umerge_by_1(Le, Xs, Y, Ys, X, [X | Acc]);
        false ->
            case Le(Y, Last) of
                true -> umerge_by_2(Le, X, Xs, Ys, Acc);
                false -> umerge_by_2(Le, X, Xs, Ys, [Y | Acc])
            end
    end;
umerge_by_1(Le, [], Y, Ys, Last, Acc) ->
    case Le(Y, Last) of
        true -> rest(Ys, Acc);
        false -> rest(Ys, [Y | Acc])
    end.

umerge_by_2(Le, X, Xs, [Y | Ys], Acc) ->
    case Le(X, Y) of
        true -> umerge_by_1(Le, Xs, Y, Ys, X, [X | Acc]);
        false -> umerge_by_2(Le, X, Xs, Ys, [Y | Acc])
    end;
umerge_by_2(_, X, Xs, [], Acc) -> rest(Xs, [X | Acc]).

%%% Falling lists: of equal elements the second list's come first

rmerge(A, B) -> rmerge_by(fun le/2, A, B).

rmerge3(A, B, C) -> rmerge3(A, B, C, []).

rmerge3([X | Xs], [Y | _] = B, [Z | _] = C, Acc) when X > Y, X > Z -> rmerge3(Xs, B, C, [X | Acc]);
rmerge3([_ | _] = A, [Y | Ys], [Z | _] = C, Acc) when Y > Z -> rmerge3(A, Ys, C, [Y | Acc]);
rmerge3([_ | _] = A, [_ | _] = B, [Z | Zs], Acc) -> rmerge3(A, B, Zs, [Z | Acc]);
rmerge3([], B, [Z | Zs], Acc) -> rmerge_1(fun le/2, B, Z, Zs, Acc);
rmerge3(A, [], [Z | Zs], Acc) -> rmerge_1(fun le/2, A, Z, Zs, Acc);
rmerge3(A, [Y | Ys], [], Acc) -> rmerge_1(fun le/2, A, Y, Ys, Acc).

rmerge(Le, A, B) when is_function(Le, 2) -> rmerge_by(Le, A, B).

rkeymerge(N, A, B) when is_integer(N), N > 0 -> rmerge_by(by_key(N), A, B).

rmerge_by(_, A, []) -> A;
rmerge_by(Le, A, [Y | Ys]) -> rmerge_1(Le, A, Y, Ys, []).

rmerge_1(Le, [X | Xs], Y, Ys, Acc) ->
    case Le(X, Y) of
        true -> rmerge_2(Le, X, Xs, Ys, [Y | Acc]);
        false -> rmerge_1(Le, Xs, Y, Ys, [X | Acc])
    end;
rmerge_1(_, [], Y, Ys, Acc) -> rest(Ys, [Y | Acc]).

rmerge_2(Le, X, Xs, [Y | Ys], Acc) ->
    case Le(X, Y) of
        true -> rmerge_2(Le, X, Xs, Ys, [Y | Acc]);
        false -> rmerge_1(Le, Xs, Y, Ys, [X | Acc])
    end;
rmerge_2(_, X, Xs, [], Acc) -> rest(Xs, [X | Acc]).

%%% Falling lists without equal elements: of two equal ones the first list's stays
%%
%% `Last` is the element that the second list gave last. It waits until the first list's next is known not to equal it.

rumerge(A, B) -> rumerge_by(fun le/2, A, B).

rumerge3(A, B, C) -> rumerge3(A, B, C, []).

rumerge3([X | Xs], [Y | _] = B, [Z | _] = C, Acc) when X >= Y, X >= Z -> rumerge3(Xs, without(X, B), without(X, C), [X | Acc]);
rumerge3([_ | _] = A, [Y | Ys], [Z | _] = C, Acc) when Y >= Z -> rumerge3(A, Ys, without(Y, C), [Y | Acc]);
rumerge3([_ | _] = A, [_ | _] = B, [Z | Zs], Acc) -> rumerge3(A, B, Zs, [Z | Acc]);
rumerge3([], B, [Z | Zs], Acc) -> rumerge_1(fun le/2, B, Z, Zs, Acc);
rumerge3([], B, [], Acc) -> rest(B, Acc);
rumerge3(A, [], [Z | Zs], Acc) -> rumerge_1(fun le/2, A, Z, Zs, Acc);
rumerge3(A, [Y | Ys], [], Acc) -> rumerge_1(fun le/2, A, Y, Ys, Acc);
rumerge3(A, [], [], Acc) -> rest(A, Acc).

rumerge(Le, A, B) when is_function(Le, 2) -> rumerge_by(Le, A, B).

rukeymerge(N, A, B) when is_integer(N), N > 0 -> rumerge_by(by_key(N), A, B).

rumerge_by(_, A, []) -> A;
rumerge_by(Le, A, [Y | Ys]) -> rumerge_1(Le, A, Y, Ys, []).

rumerge_1(Le, [X | Xs], Y, Ys, Acc) ->
    case Le(X, Y) of
        true -> rumerge_2(Le, X, Xs, Y, Ys, Acc);
        false -> rumerge_1(Le, Xs, Y, Ys, [X | Acc])
    end;
rumerge_1(_, [], Y, Ys, Acc) -> rest(Ys, [Y | Acc]).

rumerge_2(Le, X, Xs, Last, [Y | Ys], Acc) ->
    case Le(X, Y) of
        true -> rumerge_2(Le, X, Xs, Y, Ys, [Last | Acc]);
        false -> rumerge_1(Le, Xs, Y, Ys, larger(Le, X, Last, Acc))
    end;
rumerge_2(Le, X, Xs, Last, [], Acc) -> rest(Xs, larger(Le, X, Last, Acc)).

larger(Le, X, Last, Acc) ->
    case Le(Last, X) of
        true -> [X | Acc];
        false -> [X, Last | Acc]
    end.

by_key(N) -> fun(X, Y) -> element(N, X) =< element(N, Y) end.

le(X, Y) -> X =< Y.

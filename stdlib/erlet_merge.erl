%% Merging of sorted lists, for the `merge` family of `lists`.
%%
%% One loop serves all of them: what differs is the comparison (term order, key of a tuple, caller's fun), given as a fun
%% `Le(A, B)`, and whether equal elements are dropped. The `r` variants merge falling lists: those are merged as rising
%% ones with the roles of the two lists exchanged. Results are not specified for input that is not sorted.
-module(erlet_merge).

-export([merge/1, merge/2, merge/3, umerge/1, umerge/2, umerge/3, rmerge/2, rmerge/3, rumerge/2, rumerge/3,
         keymerge/3, ukeymerge/3, rkeymerge/3, rukeymerge/3]).

%%% Many lists: neighbours are merged in rounds, so that every element moves only log2(lists) times

merge(Lists) -> rounds(fun merge/2, Lists).

umerge(Lists) -> rounds(fun umerge/2, Lists).

rounds(_, []) -> [];
rounds(_, [L]) -> L;
rounds(Merge, Lists) -> rounds(Merge, pairs(Merge, Lists)).

pairs(Merge, [A, B | Rest]) -> [Merge(A, B) | pairs(Merge, Rest)];
pairs(_, [L]) -> [L];
pairs(_, []) -> [].

%%% Rising lists: of equal elements the first list's come first

merge(A, []) -> A;
merge(A, [Y | Ys]) -> merge_1(A, Y, Ys, []).

merge_1([X | Xs], Y, Ys, Acc) when X =< Y -> merge_1(Xs, Y, Ys, [X | Acc]);
merge_1([X | Xs], Y, Ys, Acc) -> merge_2(X, Xs, Ys, [Y | Acc]);
merge_1([], Y, Ys, Acc) when length(Ys) >= 0 -> lists:reverse(Acc, [Y | Ys]);
%% Raises `badarg`, as what is no list to its end does.
merge_1([], _, Ys, _) -> lists:reverse(Ys, []).

merge_2(X, Xs, [Y | Ys], Acc) when X =< Y -> merge_1(Xs, Y, Ys, [X | Acc]);
merge_2(X, Xs, [Y | Ys], Acc) -> merge_2(X, Xs, Ys, [Y | Acc]);
merge_2(X, Xs, [], Acc) when length(Xs) >= 0 -> lists:reverse(Acc, [X | Xs]);
merge_2(_, Xs, [], _) -> lists:reverse(Xs, []).

merge(Le, A, B) when is_function(Le, 2) -> merge_by(Le, A, B, []).

umerge(A, B) -> umerge_by(fun(X, Y) -> X =< Y end, A, B, []).

umerge(Le, A, B) when is_function(Le, 2) -> umerge_by(Le, A, B, []).

keymerge(N, A, B) when is_integer(N), N > 0 -> merge_by(by_key(N), A, B, []).

ukeymerge(N, A, B) when is_integer(N), N > 0 -> umerge_by(by_key(N), A, B, []).

%%% Falling lists: of equal elements the second list's come first

rmerge(A, B) -> merge_by(fun(Y, X) -> X =< Y end, B, A, []).

rmerge(Le, A, B) when is_function(Le, 2) -> merge_by(fun(Y, X) -> Le(X, Y) end, B, A, []).

rumerge(A, B) -> rumerge_by(fun(X, Y) -> X =< Y end, A, B, []).

rumerge(Le, A, B) when is_function(Le, 2) -> rumerge_by(Le, A, B, []).

rkeymerge(N, A, B) when is_integer(N), N > 0 ->
    merge_by(fun(Y, X) -> element(N, X) =< element(N, Y) end, B, A, []).

rukeymerge(N, A, B) when is_integer(N), N > 0 -> rumerge_by(by_key(N), A, B, []).

%%% The loops

by_key(N) -> fun(X, Y) -> element(N, X) =< element(N, Y) end.

merge_by(Le, [X | Xs] = A, [Y | Ys] = B, Acc) ->
    case Le(X, Y) of
        true -> merge_by(Le, Xs, B, [X | Acc]);
        false -> merge_by(Le, A, Ys, [Y | Acc])
    end;
merge_by(_, [], B, Acc) -> lists:reverse(Acc, B);
merge_by(_, A, [], Acc) -> lists:reverse(Acc, A).

%% Equal elements: the one of the first list stays.
umerge_by(Le, [X | Xs] = A, [Y | Ys] = B, Acc) ->
    case Le(X, Y) of
        true ->
            case Le(Y, X) of
                true -> umerge_by(Le, A, Ys, Acc);
                false -> umerge_by(Le, Xs, B, [X | Acc])
            end;
        false -> umerge_by(Le, A, Ys, [Y | Acc])
    end;
umerge_by(_, [], B, Acc) -> lists:reverse(Acc, B);
umerge_by(_, A, [], Acc) -> lists:reverse(Acc, A).

%% The same on falling lists, where the larger element goes first.
rumerge_by(Le, [X | Xs] = A, [Y | Ys] = B, Acc) ->
    case Le(X, Y) of
        true ->
            case Le(Y, X) of
                true -> rumerge_by(Le, A, Ys, Acc);
                false -> rumerge_by(Le, A, Ys, [Y | Acc])
            end;
        false -> rumerge_by(Le, Xs, B, [X | Acc])
    end;
rumerge_by(_, [], B, Acc) -> lists:reverse(Acc, B);
rumerge_by(_, A, [], Acc) -> lists:reverse(Acc, A).

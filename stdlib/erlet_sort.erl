%% Sorting, for `lists:sort/1,2`, `usort/1,2`, `keysort/2` and `ukeysort/2`.
%%
%% A stable, adaptive merge sort over natural runs (but see below for what compares equal in term order and is not the same):
%%
%%  1. The list is cut into runs. The first three elements of a run are put in order by at most three comparisons, then
%%     the run goes on as long as the input keeps rising (or, if those three were falling, keeps falling). Input that is
%%     already sorted, either way round, is one run. A finished run is a list with its largest element first, because
%%     that is how a list grows. In term order and by key natives sort short lists, and make the runs of longer ones.
%%  2. Neighbouring runs are merged until one is left. Merging two falling lists yields a rising one and the other way
%%     round, so directions alternate from pass to pass and nothing is ever reversed on the way.
%%
%% The inner loops hold the head of the second list in a register and test only one new head a step. The same scheme is
%% written out three times (term order, key of a tuple, caller's fun) since a shared version would call a fun per
%% comparison. "Earlier" and "later" always speak of the place in the input: stability rests on these words.
-module(erlet_sort).

-export([sort/1, sort/2, usort/1, usort/2, keysort/2, ukeysort/2]).

%%% Term order

-spec sort([X]) -> [X].
sort([_, _ | _] = L) ->
    case erlet_lists:sort_short(L) of
        false ->
            Sorted = long(L),
            case is_tied(Sorted) of
                true -> stable(in_runs(L));
                false -> Sorted
            end;
        tied -> stable(in_runs(L));
        Sorted -> Sorted
    end;
sort([_] = L) -> L;
sort([]) -> [].

%% Too long for the native, or no proper list.
long([A, B | T] = L) when A =< B ->
    case rises(T, B) of
        true -> L;
        false -> blocks(L)
    end;
long([A, B | T] = L) ->
    case falls(T, B, [A]) of
        false -> blocks(L);
        Reversed -> Reversed
    end.

%% Input that is in order already is the answer itself.
rises([X | T], Top) when Top =< X -> rises(T, X);
rises([], _) -> true;
rises(_, _) -> false.

%% Input that falls all the way is only turned round.
falls([X | T], Low, Run) when X < Low -> falls(T, X, [Low | Run]);
falls([], Low, Run) -> [Low | Run];
falls(_, _, _) -> false.

stable(L) ->
    case erlet_lists:sort_block(L) of
        false -> long(L);
        Sorted -> Sorted
    end.

%% The native sorts at most that many elements.
-define(BLOCK, 4096).

%% The native makes runs of its size, which are rising; an improper list ends here, with function_clause.
blocks(L) -> merge_rising(block(L, ?BLOCK, [], []), []).

block([X | T], N, Block, Runs) when N > 0 -> block(T, N - 1, [X | Block], Runs);
block([], _, [], Runs) -> lists:reverse(Runs, []);
block([_ | _] = L, 0, Block, Runs) -> block(L, ?BLOCK, [], [sorted_block(Block) | Runs]);
block([], _, Block, Runs) -> block([], 0, [], [sorted_block(Block) | Runs]).

sorted_block(Reversed) -> erlet_lists:sort_block(lists:reverse(Reversed, [])).

-spec usort([X]) -> [X].
usort([_, _ | _] = L) ->
    [X | T] = stable(L),
    unique(T, X);
usort([_] = L) -> L;
usort([]) -> [].

%% Of elements that compare equal the earliest stays.
unique([Y | T], X) when X == Y -> unique(T, X);
unique([Y | T], X) -> [X | unique(T, Y)];
unique([], X) -> [X].

%% Falling runs, the latest first, to rising runs, the earliest first.
merge_falling([B, A | Rest], Done) -> merge_falling(Rest, [larger_first(A, B) | Done]);
merge_falling([A], []) -> lists:reverse(A, []);
merge_falling([A], Done) -> merge_rising([lists:reverse(A, []) | Done], []);
merge_falling([], Done) -> merge_rising(Done, []).

%% Rising runs, the earliest first, to falling runs, the latest first.
merge_rising([A, B | Rest], Done) -> merge_rising(Rest, [smaller_first(A, B) | Done]);
merge_rising([A], []) -> A;
merge_rising([A], Done) -> merge_falling([lists:reverse(A, []) | Done], []);
merge_rising([], Done) -> merge_falling(Done, []).

larger_first(As, [B | Bs]) -> larger_1(As, B, Bs, []).

%% Of two equal elements the later one is the larger.
larger_1([A | As], B, Bs, Acc) when A > B -> larger_1(As, B, Bs, [A | Acc]);
larger_1([A | As], B, Bs, Acc) -> larger_2(A, As, Bs, [B | Acc]);
larger_1([], B, Bs, Acc) -> lists:reverse(Bs, [B | Acc]).

larger_2(A, As, [B | Bs], Acc) when A > B -> larger_1(As, B, Bs, [A | Acc]);
larger_2(A, As, [B | Bs], Acc) -> larger_2(A, As, Bs, [B | Acc]);
larger_2(A, As, [], Acc) -> lists:reverse(As, [A | Acc]).

smaller_first(As, [B | Bs]) -> smaller_1(As, B, Bs, []).

smaller_1([A | As], B, Bs, Acc) when A =< B -> smaller_1(As, B, Bs, [A | Acc]);
smaller_1([A | As], B, Bs, Acc) -> smaller_2(A, As, Bs, [B | Acc]);
smaller_1([], B, Bs, Acc) -> lists:reverse(Bs, [B | Acc]).

smaller_2(A, As, [B | Bs], Acc) when A =< B -> smaller_1(As, B, Bs, [A | Acc]);
smaller_2(A, As, [B | Bs], Acc) -> smaller_2(A, As, Bs, [B | Acc]);
smaller_2(A, As, [], Acc) -> lists:reverse(As, [A | Acc]).

%%% Elements that compare equal and are not the same: 1 and 1.0, and what contains them
%%
%% OTP's sort/1 is not stable for those: where elements fall, equal ones change places. To end in its order, the runs that it finds are
%% put in order first, each as it does, one behind another; sorting that stably does the rest. A run knows its last two
%% elements: what lies between them goes between them, what lies before all at its beginning goes there, and the first that
%% fits nowhere begins the next run, while this one goes on as long as elements fit. Three elements keep their order.

is_tied(Sorted) ->
    case erlet_lists:tied(Sorted) of
        [_ | _] = Rest -> is_tied(Rest);
        Tied -> Tied
    end.

in_runs([_, _ | T] = L) when T =:= []; tl(T) =:= [] -> L;
in_runs([A, B | T]) when A == B -> equal_run(T, B, [A]);
in_runs([A, B | T]) when A < B -> rising(T, A, B, [], []);
in_runs([A, B | T]) -> falling(T, A, B, [], []).

%% Elements equal to the first belong to whatever run follows.
equal_run([B | T], A, Run) when A == B -> equal_run(T, B, [A | Run]);
equal_run([B | T], A, Run) when A < B -> rising(T, A, B, Run, []);
equal_run([B | T], A, Run) -> falling(T, A, B, Run, []);
equal_run([], A, Run) -> lists:reverse(Run, [A]).

%% `Low` and `High` are the last two, `Run` is what comes before them, the last first.
rising([X | T], Low, High, Run, Runs) when X >= High -> rising(T, High, X, [Low | Run], Runs);
rising([X | T], Low, High, Run, Runs) when X >= Low -> rising(T, X, High, [Low | Run], Runs);
rising([X | T], Low, High, [], Runs) -> rising(T, Low, High, [X], Runs);
rising([X | T], Low, High, Run, Runs) -> still_rising(T, Low, High, Run, Runs, X);
rising([], Low, High, Run, Runs) -> rising_runs([[High, Low | Run] | Runs]).

%% The first of the next run is known.
still_rising([X | T], Low, High, Run, Runs, Next) when X >= High -> still_rising(T, High, X, [Low | Run], Runs, Next);
still_rising([X | T], Low, High, Run, Runs, Next) when X >= Low -> still_rising(T, X, High, [Low | Run], Runs, Next);
still_rising([X | T], Low, High, Run, Runs, Next) when X >= Next -> rising(T, Next, X, [], [[High, Low | Run] | Runs]);
still_rising([X | T], Low, High, Run, Runs, Next) -> rising(T, X, Next, [], [[High, Low | Run] | Runs]);
still_rising([], Low, High, Run, Runs, Next) -> rising_runs([[Next], [High, Low | Run] | Runs]).

falling([X | T], High, Low, Run, Runs) when X =< Low -> falling(T, Low, X, [High | Run], Runs);
falling([X | T], High, Low, Run, Runs) when X =< High -> falling(T, X, Low, [High | Run], Runs);
falling([X | T], High, Low, [], Runs) -> falling(T, High, Low, [X], Runs);
falling([X | T], High, Low, Run, Runs) -> still_falling(T, High, Low, Run, Runs, X);
falling([], High, Low, Run, Runs) -> falling_runs([[Low, High | Run] | Runs]).

still_falling([X | T], High, Low, Run, Runs, Next) when X =< Low -> still_falling(T, Low, X, [High | Run], Runs, Next);
still_falling([X | T], High, Low, Run, Runs, Next) when X =< High -> still_falling(T, X, Low, [High | Run], Runs, Next);
still_falling([X | T], High, Low, Run, Runs, Next) when X < Next -> falling(T, Next, X, [], [[Low, High | Run] | Runs]);
still_falling([X | T], High, Low, Run, Runs, Next) -> falling(T, X, Next, [], [[Low, High | Run] | Runs]);
still_falling([], High, Low, Run, Runs, Next) -> falling_runs([[Next], [Low, High | Run] | Runs]).

%% Runs, of which the latest comes first here, one behind another.
rising_runs(Runs) -> lists:foldl(fun(Run, Behind) -> lists:reverse(Run, Behind) end, [], Runs).

%% A falling run is, its last element first, a rising list, and so are all of them turned round.
falling_runs(Runs) -> lists:append(Runs).

%%% By the Nth element of tuples

-spec keysort(pos_integer(), [tuple()]) -> [tuple()].
keysort(N, L) when is_integer(N), N > 0 ->
    case L of
        [_, _ | _] ->
            case erlet_lists:keysort_short(N, L) of
                false -> key_long(N, L);
                Sorted -> Sorted
            end;
        [_] -> L;
        [] -> L
    end.

%% Too long for the native, no proper list, or not all tuples long enough.
key_long(N, L) -> key_merge_rising(N, key_block(N, L, ?BLOCK, [], []), []).

key_block(N, [X | T], Left, Block, Runs) when Left > 0 -> key_block(N, T, Left - 1, [X | Block], Runs);
key_block(_, [], _, [], Runs) -> lists:reverse(Runs, []);
key_block(N, [_ | _] = L, 0, Block, Runs) -> key_block(N, L, ?BLOCK, [], [sorted_key_block(N, Block) | Runs]);
key_block(N, [], _, Block, Runs) -> key_block(N, [], 0, [], [sorted_key_block(N, Block) | Runs]);
%% No proper list: function_clause, unless an element in front of its end has no key.
key_block(N, End, _, [_ | _] = Block, Runs) -> key_block(N, End, 0, [], [sorted_key_block(N, Block) | Runs]).

sorted_key_block(N, Reversed) ->
    case erlet_lists:keysort_short(N, lists:reverse(Reversed, [])) of
        false ->
            %% The element without a key makes itself known.
            keys(N, lists:reverse(Reversed, []));
        Sorted -> Sorted
    end.

keys(N, [X | T]) ->
    _ = element(N, X),
    keys(N, T);
keys(_, []) -> error(badarg).

-spec ukeysort(pos_integer(), [tuple()]) -> [tuple()].
ukeysort(N, L) when is_integer(N), N > 0 ->
    case L of
        [_, _ | _] ->
            [X | T] = keysort(N, L),
            key_unique(N, T, element(N, X), X);
        [_] -> L;
        [] -> L
    end.

key_unique(N, [Y | T], Kx, X) ->
    case element(N, Y) of
        Ky when Kx == Ky -> key_unique(N, T, Kx, X);
        Ky -> [X | key_unique(N, T, Ky, Y)]
    end;
key_unique(_, [], _, X) -> [X].

key_merge_falling(N, [B, A | Rest], Done) -> key_merge_falling(N, Rest, [key_larger_first(N, A, B) | Done]);
key_merge_falling(_, [A], []) -> lists:reverse(A, []);
key_merge_falling(N, [A], Done) -> key_merge_rising(N, [lists:reverse(A, []) | Done], []);
key_merge_falling(N, [], Done) -> key_merge_rising(N, Done, []).

key_merge_rising(N, [A, B | Rest], Done) -> key_merge_rising(N, Rest, [key_smaller_first(N, A, B) | Done]);
key_merge_rising(_, [A], []) -> A;
key_merge_rising(N, [A], Done) -> key_merge_falling(N, [lists:reverse(A, []) | Done], []);
key_merge_rising(N, [], Done) -> key_merge_falling(N, Done, []).

key_larger_first(N, As, [B | Bs]) -> key_larger_1(N, As, element(N, B), B, Bs, []).

key_larger_1(N, [A | As], Kb, B, Bs, Acc) ->
    case element(N, A) of
        Ka when Ka > Kb -> key_larger_1(N, As, Kb, B, Bs, [A | Acc]);
        Ka -> key_larger_2(N, Ka, A, As, Bs, [B | Acc])
    end;
key_larger_1(_, [], _, B, Bs, Acc) -> lists:reverse(Bs, [B | Acc]).

key_larger_2(N, Ka, A, As, [B | Bs], Acc) ->
    case element(N, B) of
        Kb when Ka > Kb -> key_larger_1(N, As, Kb, B, Bs, [A | Acc]);
        _ -> key_larger_2(N, Ka, A, As, Bs, [B | Acc])
    end;
key_larger_2(_, _, A, As, [], Acc) -> lists:reverse(As, [A | Acc]).

key_smaller_first(N, As, [B | Bs]) -> key_smaller_1(N, As, element(N, B), B, Bs, []).

key_smaller_1(N, [A | As], Kb, B, Bs, Acc) ->
    case element(N, A) of
        Ka when Ka =< Kb -> key_smaller_1(N, As, Kb, B, Bs, [A | Acc]);
        Ka -> key_smaller_2(N, Ka, A, As, Bs, [B | Acc])
    end;
key_smaller_1(_, [], _, B, Bs, Acc) -> lists:reverse(Bs, [B | Acc]).

key_smaller_2(N, Ka, A, As, [B | Bs], Acc) ->
    case element(N, B) of
        Kb when Ka =< Kb -> key_smaller_1(N, As, Kb, B, Bs, [A | Acc]);
        _ -> key_smaller_2(N, Ka, A, As, Bs, [B | Acc])
    end;
key_smaller_2(_, _, A, As, [], Acc) -> lists:reverse(As, [A | Acc]).

%%% By the caller's fun: Le(A, B) is true when A may stand before B

-spec sort(fun((X, X) -> boolean()), [X]) -> [X].
sort(Le, []) when is_function(Le, 2) -> [];
sort(Le, [_] = L) when is_function(Le, 2) -> L;
sort(Le, [_, _ | _] = L) -> fun_merge_falling(Le, fun_runs(Le, L, []), []).

-spec usort(fun((X, X) -> boolean()), [X]) -> [X].
usort(Le, [_] = L) when is_function(Le, 2) -> L;
usort(Le, []) when is_function(Le, 2) -> [];
usort(Le, [_, _ | _] = L) when is_function(Le, 2) ->
    [X | T] = sort(Le, L),
    fun_unique(Le, T, X).

%% X stands before Y; if Y may stand before X too, they are equal.
fun_unique(Le, [Y | T], X) ->
    case Le(Y, X) of
        true -> fun_unique(Le, T, X);
        false -> [X | fun_unique(Le, T, Y)]
    end;
fun_unique(_, [], X) -> [X].

fun_runs(Le, [A, B | T], Runs) ->
    case Le(A, B) of
        true -> fun_rising(Le, T, B, [A], Runs);
        false -> fun_falling(Le, T, B, [A], Runs)
    end;
fun_runs(_, [_] = Run, Runs) -> [Run | Runs];
fun_runs(_, [], Runs) -> Runs.

fun_rising(Le, [X | T] = L, Top, Run, Runs) ->
    case Le(Top, X) of
        true -> fun_rising(Le, T, X, [Top | Run], Runs);
        false -> fun_runs(Le, L, [[Top | Run] | Runs])
    end;
fun_rising(_, [], Top, Run, Runs) -> [[Top | Run] | Runs].

fun_falling(Le, [X | T] = L, Low, Run, Runs) ->
    case Le(Low, X) of
        true -> fun_runs(Le, L, [lists:reverse([Low | Run], []) | Runs]);
        false -> fun_falling(Le, T, X, [Low | Run], Runs)
    end;
fun_falling(_, [], Low, Run, Runs) -> [lists:reverse([Low | Run], []) | Runs].

fun_merge_falling(Le, [B, A | Rest], Done) -> fun_merge_falling(Le, Rest, [fun_larger_first(Le, A, B) | Done]);
fun_merge_falling(_, [A], []) -> lists:reverse(A, []);
fun_merge_falling(Le, [A], Done) -> fun_merge_rising(Le, [lists:reverse(A, []) | Done], []);
fun_merge_falling(Le, [], Done) -> fun_merge_rising(Le, Done, []).

fun_merge_rising(Le, [A, B | Rest], Done) -> fun_merge_rising(Le, Rest, [fun_smaller_first(Le, A, B) | Done]);
fun_merge_rising(_, [A], []) -> A;
fun_merge_rising(Le, [A], Done) -> fun_merge_falling(Le, [lists:reverse(A, []) | Done], []);
fun_merge_rising(Le, [], Done) -> fun_merge_falling(Le, Done, []).

fun_larger_first(Le, As, [B | Bs]) -> fun_larger_1(Le, As, B, Bs, []).

fun_larger_1(Le, [A | As], B, Bs, Acc) ->
    case Le(A, B) of
        true -> fun_larger_2(Le, A, As, Bs, [B | Acc]);
        false -> fun_larger_1(Le, As, B, Bs, [A | Acc])
    end;
fun_larger_1(_, [], B, Bs, Acc) -> lists:reverse(Bs, [B | Acc]).

fun_larger_2(Le, A, As, [B | Bs], Acc) ->
    case Le(A, B) of
        true -> fun_larger_2(Le, A, As, Bs, [B | Acc]);
        false -> fun_larger_1(Le, As, B, Bs, [A | Acc])
    end;
fun_larger_2(_, A, As, [], Acc) -> lists:reverse(As, [A | Acc]).

fun_smaller_first(Le, As, [B | Bs]) -> fun_smaller_1(Le, As, B, Bs, []).

fun_smaller_1(Le, [A | As], B, Bs, Acc) ->
    case Le(A, B) of
        true -> fun_smaller_1(Le, As, B, Bs, [A | Acc]);
        false -> fun_smaller_2(Le, A, As, Bs, [B | Acc])
    end;
fun_smaller_1(_, [], B, Bs, Acc) -> lists:reverse(Bs, [B | Acc]).

fun_smaller_2(Le, A, As, [B | Bs], Acc) ->
    case Le(A, B) of
        true -> fun_smaller_1(Le, As, B, Bs, [A | Acc]);
        false -> fun_smaller_2(Le, A, As, Bs, [B | Acc])
    end;
fun_smaller_2(_, A, As, [], Acc) -> lists:reverse(As, [A | Acc]).

%% Lists: the module every Erlang program leans on.
%%
%% Three habits keep it fast and its failures exact.
%%
%%  * What walks a whole list recurses on the body (`[F(H) | map_1(F, T)]`) where the result has the shape of the input:
%%    a stack frame is cheaper than building a list twice.
%%  * Functions that take a fun check it once, at the door, and hand over to a `_1` twin without the check. An improper
%%    list therefore fails in the twin with `function_clause`, a wrong first argument at the door. A few doors look at the
%%    list too, because OTP reports `{case_clause, NoList}` from those.
%%  * `reverse/2`, `member/2`, `keyfind/3`, `keymember/3` and `keysearch/3` are natives (see NATIVES.md); sorting and
%%    merging live in `erlet_sort` and `erlet_merge`.
-module(lists).

%% What explains the errors raised here, as OTP has it.
-define(INFO, [{error_info, #{module => erl_stdlib_errors}}]).

-compile({no_auto_import, [max/2, min/2]}).

-export([append/1, append/2, subtract/2, reverse/1, nth/2, nthtail/2, prefix/2, suffix/2, droplast/1, last/1,
         seq/2, seq/3, sum/1, duplicate/2, min/1, max/1, sublist/2, sublist/3, delete/2, concat/1]).
-export([zip/2, zip/3, zip3/3, zip3/4, zipwith/3, zipwith/4, zipwith3/4, zipwith3/5, unzip/1, unzip3/1]).
-export([flatten/1, flatten/2, flatlength/1, enumerate/1, enumerate/2, enumerate/3, join/2, split/2, splitwith/2]).
-export([keydelete/3, keyreplace/4, keytake/3, keystore/4, keymap/3]).
-export([all/2, any/2, map/2, flatmap/2, foldl/3, foldr/3, filter/2, partition/2, filtermap/2, zf/2, foreach/2,
         mapfoldl/3, mapfoldr/3, takewhile/2, dropwhile/2, search/2, uniq/1, uniq/2]).
-export([sort/1, sort/2, usort/1, usort/2, keysort/2, ukeysort/2, merge/1, merge/2, merge/3, merge3/3,
         umerge/1, umerge/2, umerge/3, umerge3/3, rmerge/2, rmerge/3, rmerge3/3, rumerge/2, rumerge/3, rumerge3/3,
         keymerge/3, ukeymerge/3, rkeymerge/3, rukeymerge/3]).

%%% Joining, reversing, indexing

-spec append([list()]) -> list().
append([Last]) -> Last;
append([L | Ls]) -> L ++ append(Ls);
append([]) -> [].

-spec append(list(), term()) -> term().
append(A, B) -> A ++ B.

-spec subtract(list(), list()) -> list().
subtract(A, B) -> A -- B.

-spec reverse(list()) -> list().
reverse([]) -> [];
reverse([_] = L) -> L;
reverse([A, B]) -> [B, A];
reverse([A, B | Rest]) -> lists:reverse(Rest, [B, A]).

-spec nth(pos_integer(), nonempty_maybe_improper_list()) -> term().
nth(1, [X | _]) -> X;
nth(N, [_, _, _, _ | T]) when N > 4 -> nth(N - 4, T);
nth(N, [_ | T]) when N > 1 -> nth(N - 1, T).

-spec nthtail(non_neg_integer(), maybe_improper_list()) -> term().
nthtail(1, [_ | T]) -> T;
nthtail(N, [_, _, _, _ | T]) when N > 4 -> nthtail(N - 4, T);
nthtail(N, [_ | T]) when N > 1 -> nthtail(N - 1, T);
nthtail(0, L) when is_list(L) -> L.

-spec prefix(list(), maybe_improper_list()) -> boolean().
prefix([X | P], [X | L]) -> prefix(P, L);
prefix([], L) when is_list(L) -> true;
prefix([_ | _], L) when is_list(L) -> false.

-spec suffix(list(), list()) -> boolean().
suffix(S, L) ->
    Skip = length(L) - length(S),
    Skip >= 0 andalso nthtail(Skip, L) =:= S.

-spec droplast(nonempty_list()) -> list().
droplast([_]) -> [];
droplast([X | T]) -> [X | droplast(T)].

-spec last(nonempty_list()) -> term().
last([X | T]) -> last(X, T).

last(_, [X | T]) -> last(X, T);
last(X, []) -> X.

%%% Making lists

-spec seq(integer(), integer()) -> [integer()].
seq(From, To) when is_integer(From), is_integer(To), From - 1 =< To -> seq_1(To, From, []).

%% Counts down four at a time, so that the list grows at its head in order.
seq_1(To, From, Acc) when To - 3 >= From -> seq_1(To - 4, From, [To - 3, To - 2, To - 1, To | Acc]);
seq_1(To, From, Acc) when To >= From -> seq_1(To - 1, From, [To | Acc]);
seq_1(_, _, Acc) -> Acc.

-spec seq(integer(), integer(), integer()) -> [integer()].
seq(From, To, Step) when is_integer(From), is_integer(To), is_integer(Step) ->
    if
        Step > 0, From =< To -> seq_down(From + (To - From) div Step * Step, From, Step, []);
        Step < 0, From >= To -> seq_up(From + (To - From) div Step * Step, From, Step, []);
        Step > 0, From - Step =< To -> [];
        Step < 0, From - Step >= To -> [];
        Step =:= 0, From =:= To -> [From];
        true -> error(badarg, [From, To, Step], ?INFO)
    end;
seq(From, To, Step) -> error(badarg, [From, To, Step], ?INFO).

seq_down(X, From, Step, Acc) when X >= From -> seq_down(X - Step, From, Step, [X | Acc]);
seq_down(_, _, _, Acc) -> Acc.

seq_up(X, From, Step, Acc) when X =< From -> seq_up(X - Step, From, Step, [X | Acc]);
seq_up(_, _, _, Acc) -> Acc.

-spec duplicate(non_neg_integer(), X) -> [X].
duplicate(N, X) when is_integer(N), N >= 0 -> duplicate_1(N, X, []).

duplicate_1(0, _, Acc) -> Acc;
duplicate_1(N, X, Acc) -> duplicate_1(N - 1, X, [X | Acc]).

%%% Numbers and extremes

-spec sum([number()]) -> number().
sum(L) -> sum(L, 0).

sum([X | T], Sum) -> sum(T, Sum + X);
sum([], Sum) -> Sum.

-spec min(nonempty_list()) -> term().
min([X | T]) -> min(T, X).

min([X | T], Min) when X < Min -> min(T, X);
min([_ | T], Min) -> min(T, Min);
min([], Min) -> Min.

-spec max(nonempty_list()) -> term().
max([X | T]) -> max(T, X).

max([X | T], Max) when X > Max -> max(T, X);
max([_ | T], Max) -> max(T, Max);
max([], Max) -> Max.

%%% Parts of lists

-spec sublist(list(), pos_integer(), non_neg_integer()) -> list().
sublist(L, 1, Len) when is_list(L), is_integer(Len), Len >= 0 -> sublist_2(L, Len);
sublist([], Start, _) when is_integer(Start), Start > 1 -> [];
sublist([_ | T], Start, Len) when is_integer(Start), Start > 1 ->
    sublist(T, Start - 1, Len).

-spec sublist(list(), non_neg_integer()) -> list().
sublist(L, Len) when is_list(L), is_integer(Len) -> sublist_2(L, Len).

sublist_2([X | T], Len) when Len > 0 -> [X | sublist_2(T, Len - 1)];
sublist_2([], Len) when Len > 0 -> [];
sublist_2(_, 0) -> [].

-spec delete(term(), list()) -> list().
delete(X, [X | T]) -> T;
delete(X, [Y | T]) -> [Y | delete(X, T)];
delete(_, []) -> [].

-spec split(non_neg_integer(), list()) -> {list(), list()}.
split(N, L) when is_integer(N), N >= 0, is_list(L) ->
    case split(N, L, []) of
        {_, _} = Parts -> Parts;
        too_short -> error(badarg, [N, L])
    end;
split(N, L) -> error(badarg, [N, L]).

split(0, L, Front) -> {lists:reverse(Front, []), L};
split(N, [X | T], Front) -> split(N - 1, T, [X | Front]);
split(_, [], _) -> too_short.

-spec splitwith(fun((term()) -> boolean()), list()) -> {list(), list()}.
splitwith(Pred, L) when is_function(Pred, 1) -> splitwith_1(Pred, L, []).

splitwith_1(Pred, [X | T] = L, Front) ->
    case Pred(X) of
        true -> splitwith_1(Pred, T, [X | Front]);
        false -> {reverse(Front), L}
    end;
splitwith_1(Pred, [], Front) when is_function(Pred, 1) -> {reverse(Front), []}.

-spec concat([atom() | integer() | float() | string()]) -> string().
concat(Things) -> flatmap(fun thing_to_list/1, Things).

thing_to_list(X) when is_integer(X) -> integer_to_list(X);
thing_to_list(X) when is_float(X) -> float_to_list(X);
thing_to_list(X) when is_atom(X) -> atom_to_list(X);
thing_to_list(X) when is_list(X) -> X.

%%% Flattening

-spec flatten(list()) -> list().
flatten(Deep) when is_list(Deep) -> do_flatten(Deep, []).

-spec flatten(list(), list()) -> list().
flatten(Deep, Tail) when is_list(Deep), is_list(Tail) -> do_flatten(Deep, Tail).

do_flatten([X | T], Tail) when is_list(X) -> do_flatten(X, do_flatten(T, Tail));
do_flatten([X | T], Tail) -> [X | do_flatten(T, Tail)];
do_flatten([], Tail) -> Tail.

-spec flatlength(list()) -> non_neg_integer().
flatlength(Deep) -> flatlength(Deep, 0).

flatlength([X | T], N) when is_list(X) -> flatlength(T, flatlength(X, N));
flatlength([_ | T], N) -> flatlength(T, N + 1);
flatlength([], N) -> N.

%%% Zipping
%%
%% The last argument of the longer forms says what happens when the lists are not equally long: `fail`, `trim` (stop with
%% the shortest) or `{pad, Defaults}` (continue with a default element for each list that has ended).

-spec zip([A], [B]) -> [{A, B}].
zip([X | Xs], [Y | Ys]) -> [{X, Y} | zip(Xs, Ys)];
zip([], []) -> [].

zip(Xs, Ys, fail) -> zip(Xs, Ys);
zip([X | Xs], [Y | Ys], How) -> [{X, Y} | zip(Xs, Ys, How)];
zip([], [], _) -> [];
zip(Xs, [], trim) when is_list(Xs) -> [];
zip([], Ys, trim) when is_list(Ys) -> [];
zip([], [_ | _] = Ys, {pad, {X, _}}) -> [{X, Y} || Y <- Ys];
zip([_ | _] = Xs, [], {pad, {_, Y}}) -> [{X, Y} || X <- Xs].

-spec zip3([A], [B], [C]) -> [{A, B, C}].
zip3([X | Xs], [Y | Ys], [Z | Zs]) -> [{X, Y, Z} | zip3(Xs, Ys, Zs)];
zip3([], [], []) -> [].

zip3(Xs, Ys, Zs, fail) -> zip3(Xs, Ys, Zs);
zip3(Xs, Ys, Zs, How) -> zipwith3_1(fun(X, Y, Z) -> {X, Y, Z} end, Xs, Ys, Zs, How).

-spec zipwith(fun((A, B) -> C), [A], [B]) -> [C].
zipwith(F, [X | Xs], [Y | Ys]) -> [F(X, Y) | zipwith(F, Xs, Ys)];
zipwith(F, [], []) when is_function(F, 2) -> [].

zipwith(F, Xs, Ys, fail) -> zipwith(F, Xs, Ys);
zipwith(F, Xs, Ys, How) when is_function(F, 2) -> zipwith_1(F, Xs, Ys, How).

zipwith_1(F, [X | Xs], [Y | Ys], How) -> [F(X, Y) | zipwith_1(F, Xs, Ys, How)];
zipwith_1(_, [], [], _) -> [];
zipwith_1(_, Xs, [], trim) when is_list(Xs) -> [];
zipwith_1(_, [], Ys, trim) when is_list(Ys) -> [];
zipwith_1(F, [], [_ | _] = Ys, {pad, {X, _}}) -> [F(X, Y) || Y <- Ys];
zipwith_1(F, [_ | _] = Xs, [], {pad, {_, Y}}) -> [F(X, Y) || X <- Xs].

-spec zipwith3(fun((A, B, C) -> D), [A], [B], [C]) -> [D].
zipwith3(F, [X | Xs], [Y | Ys], [Z | Zs]) -> [F(X, Y, Z) | zipwith3(F, Xs, Ys, Zs)];
zipwith3(F, [], [], []) when is_function(F, 3) -> [].

zipwith3(F, Xs, Ys, Zs, fail) -> zipwith3(F, Xs, Ys, Zs);
zipwith3(F, Xs, Ys, Zs, How) when is_function(F, 3) -> zipwith3_1(F, Xs, Ys, Zs, How).

zipwith3_1(F, [X | Xs], [Y | Ys], [Z | Zs], How) -> [F(X, Y, Z) | zipwith3_1(F, Xs, Ys, Zs, How)];
zipwith3_1(_, [], [], [], _) -> [];
zipwith3_1(_, Xs, Ys, Zs, trim) when is_list(Xs), is_list(Ys), is_list(Zs) -> [];
zipwith3_1(F, Xs, Ys, Zs, {pad, {Px, Py, Pz}} = How) ->
    {X, Xs1} = head_or(Px, Xs),
    {Y, Ys1} = head_or(Py, Ys),
    {Z, Zs1} = head_or(Pz, Zs),
    [F(X, Y, Z) | zipwith3_1(F, Xs1, Ys1, Zs1, How)].

head_or(_, [X | Xs]) -> {X, Xs};
head_or(Pad, []) -> {Pad, []}.

-spec unzip([{A, B}]) -> {[A], [B]}.
unzip(Pairs) -> unzip(Pairs, [], []).

unzip([{X, Y} | T], Xs, Ys) -> unzip(T, [X | Xs], [Y | Ys]);
unzip([], Xs, Ys) -> {reverse(Xs), reverse(Ys)}.

-spec unzip3([{A, B, C}]) -> {[A], [B], [C]}.
unzip3(Triples) -> unzip3(Triples, [], [], []).

unzip3([{X, Y, Z} | T], Xs, Ys, Zs) -> unzip3(T, [X | Xs], [Y | Ys], [Z | Zs]);
unzip3([], Xs, Ys, Zs) -> {reverse(Xs), reverse(Ys), reverse(Zs)}.

%%% Numbering and joining

enumerate(L) when is_list(L) -> enumerate_1(1, L).

enumerate(Index, L) when is_integer(Index), is_list(L) -> enumerate_1(Index, L).

enumerate_1(I, [X | T]) -> [{I, X} | enumerate_1(I + 1, T)];
enumerate_1(_, []) -> [].

-spec enumerate(integer(), integer(), [X]) -> [{integer(), X}].
enumerate(Index, Step, L) when is_integer(Index), is_integer(Step) -> enumerate_1(Index, Step, L).

enumerate_1(I, Step, [X | T]) -> [{I, X} | enumerate_1(I + Step, Step, T)];
enumerate_1(_, _, []) -> [].

-spec join(Sep, [X]) -> [X | Sep].
join(_, []) -> [];
join(Sep, [X | T]) -> [X | join_prepend(Sep, T)].

join_prepend(Sep, [X | T]) -> [Sep, X | join_prepend(Sep, T)];
join_prepend(_, []) -> [].

%%% Lists of tuples
%%
%% Keys are compared with `==`; elements that are no tuples, or too short, are passed over.

-spec keydelete(term(), pos_integer(), [tuple()]) -> [tuple()].
keydelete(K, N, L) when is_integer(N), N > 0 -> keydelete3(K, N, L).

keydelete3(K, N, [X | T]) when element(N, X) == K -> T;
keydelete3(K, N, [X | T]) -> [X | keydelete3(K, N, T)];
keydelete3(_, _, []) -> [].

-spec keyreplace(term(), pos_integer(), [tuple()], tuple()) -> [tuple()].
keyreplace(K, N, L, New) when is_integer(N), N > 0, is_tuple(New) -> keyreplace3(K, N, L, New).

keyreplace3(K, N, [X | T], New) when element(N, X) == K -> [New | T];
keyreplace3(K, N, [X | T], New) -> [X | keyreplace3(K, N, T, New)];
keyreplace3(_, _, [], _) -> [].

-spec keytake(term(), pos_integer(), [tuple()]) -> {value, tuple(), [tuple()]} | false.
keytake(K, N, L) when is_integer(N), N > 0 -> keytake(K, N, L, []).

keytake(K, N, [X | T], Front) when element(N, X) == K -> {value, X, lists:reverse(Front, T)};
keytake(K, N, [X | T], Front) -> keytake(K, N, T, [X | Front]);
keytake(_, _, [], _) -> false.

-spec keystore(term(), pos_integer(), [tuple()], tuple()) -> [tuple()].
keystore(K, N, L, New) when is_integer(N), N > 0, is_tuple(New) -> keystore2(K, N, L, New).

keystore2(K, N, [X | T], New) when element(N, X) == K -> [New | T];
keystore2(K, N, [X | T], New) -> [X | keystore2(K, N, T, New)];
keystore2(_, _, [], New) -> [New].

-spec keymap(fun((term()) -> term()), pos_integer(), [tuple()]) -> [tuple()].
keymap(F, N, [X | T]) -> [setelement(N, X, F(element(N, X))) | keymap(F, N, T)];
keymap(F, N, []) when is_integer(N), N >= 1, is_function(F, 1) -> [].

%%% Funs over lists

-spec all(fun((X) -> boolean()), [X]) -> boolean().
all(Pred, L) when is_function(Pred, 1) ->
    case L of
        [X | T] ->
            case Pred(X) of
                true -> all_1(Pred, T);
                false -> false
            end;
        [] -> true
    end.

all_1(Pred, [X | T]) ->
    case Pred(X) of
        true -> all_1(Pred, T);
        false -> false
    end;
all_1(_, []) -> true.

-spec any(fun((X) -> boolean()), [X]) -> boolean().
any(Pred, L) when is_function(Pred, 1) ->
    case L of
        [X | T] ->
            case Pred(X) of
                true -> true;
                false -> any_1(Pred, T)
            end;
        [] -> false
    end.

any_1(Pred, [X | T]) ->
    case Pred(X) of
        true -> true;
        false -> any_1(Pred, T)
    end;
any_1(_, []) -> false.

-spec map(fun((A) -> B), [A]) -> [B].
map(F, L) when is_function(F, 1) ->
    case L of
        [_ | _] -> map_1(F, L);
        [] -> []
    end.

map_1(F, [X | T]) -> [F(X) | map_1(F, T)];
map_1(_, []) -> [].

-spec flatmap(fun((A) -> [B]), [A]) -> [B].
flatmap(F, L) when is_function(F, 1) -> flatmap_1(F, L).

flatmap_1(F, [X | T]) -> F(X) ++ flatmap_1(F, T);
flatmap_1(_, []) -> [].

-spec foldl(fun((X, Acc) -> Acc), Acc, [X]) -> Acc.
foldl(F, Acc, L) when is_function(F, 2) ->
    case L of
        [_ | _] -> foldl_1(F, Acc, L);
        [] -> Acc
    end.

foldl_1(F, Acc, [X | T]) -> foldl_1(F, F(X, Acc), T);
foldl_1(_, Acc, []) -> Acc.

-spec foldr(fun((X, Acc) -> Acc), Acc, [X]) -> Acc.
foldr(F, Acc, L) when is_function(F, 2) -> foldr_1(F, Acc, L).

foldr_1(F, Acc, [X | T]) -> F(X, foldr_1(F, Acc, T));
foldr_1(_, Acc, []) -> Acc.

-spec filter(fun((X) -> boolean()), [X]) -> [X].
filter(Pred, L) when is_function(Pred, 1) -> [X || X <- L, Pred(X)].

-spec partition(fun((X) -> boolean()), [X]) -> {[X], [X]}.
partition(Pred, L) when is_function(Pred, 1) -> partition_1(Pred, L, [], []).

partition_1(Pred, [X | T], In, Out) ->
    case Pred(X) of
        true -> partition_1(Pred, T, [X | In], Out);
        false -> partition_1(Pred, T, In, [X | Out])
    end;
partition_1(_, [], In, Out) -> {reverse(In), reverse(Out)}.

-spec filtermap(fun((A) -> boolean() | {true, B}), [A]) -> [A | B].
filtermap(F, L) when is_function(F, 1) -> filtermap_1(F, L).

filtermap_1(F, [X | T]) ->
    case F(X) of
        true -> [X | filtermap_1(F, T)];
        {true, Y} -> [Y | filtermap_1(F, T)];
        false -> filtermap_1(F, T)
    end;
filtermap_1(_, []) -> [].

%% The old name of filtermap/2.
zf(F, L) when is_function(F, 1) -> filtermap_1(F, L).

-spec foreach(fun((X) -> term()), [X]) -> ok.
foreach(F, L) when is_function(F, 1) -> foreach_1(F, L).

foreach_1(F, [X | T]) ->
    F(X),
    foreach_1(F, T);
foreach_1(_, []) -> ok.

-spec mapfoldl(fun((A, Acc) -> {B, Acc}), Acc, [A]) -> {[B], Acc}.
mapfoldl(F, Acc, L) when is_function(F, 2) -> mapfoldl_1(F, Acc, L).

mapfoldl_1(F, Acc, [X | T]) ->
    {Y, Acc1} = F(X, Acc),
    {Ys, Acc2} = mapfoldl_1(F, Acc1, T),
    {[Y | Ys], Acc2};
mapfoldl_1(_, Acc, []) -> {[], Acc}.

-spec mapfoldr(fun((A, Acc) -> {B, Acc}), Acc, [A]) -> {[B], Acc}.
mapfoldr(F, Acc, L) when is_function(F, 2) -> mapfoldr_1(F, Acc, L).

mapfoldr_1(F, Acc, [X | T]) ->
    {Ys, Acc1} = mapfoldr_1(F, Acc, T),
    {Y, Acc2} = F(X, Acc1),
    {[Y | Ys], Acc2};
mapfoldr_1(_, Acc, []) -> {[], Acc}.

-spec takewhile(fun((X) -> boolean()), [X]) -> [X].
takewhile(Pred, L) when is_function(Pred, 1) -> takewhile_1(Pred, L).

takewhile_1(Pred, [X | T]) ->
    case Pred(X) of
        true -> [X | takewhile_1(Pred, T)];
        false -> []
    end;
takewhile_1(_, []) -> [].

-spec dropwhile(fun((X) -> boolean()), [X]) -> [X].
dropwhile(Pred, L) when is_function(Pred, 1) -> dropwhile_1(Pred, L).

dropwhile_1(Pred, [X | T] = L) ->
    case Pred(X) of
        true -> dropwhile_1(Pred, T);
        false -> L
    end;
dropwhile_1(_, []) -> [].

-spec search(fun((X) -> boolean()), [X]) -> {value, X} | false.
search(Pred, L) when is_function(Pred, 1) -> search_1(Pred, L).

search_1(Pred, [X | T]) ->
    case Pred(X) of
        true -> {value, X};
        false -> search_1(Pred, T)
    end;
search_1(_, []) -> false.

%%% First occurrences: what was seen is kept as the keys of a map, so 1 and 1.0 differ

-spec uniq([X]) -> [X].
uniq(L) -> uniq_1(L, #{}).

uniq_1([X | T], Seen) when is_map_key(X, Seen) -> uniq_1(T, Seen);
uniq_1([X | T], Seen) -> [X | uniq_1(T, Seen#{X => true})];
uniq_1([], _) -> [].

-spec uniq(fun((X) -> term()), [X]) -> [X].
uniq(F, L) when is_function(F, 1) -> uniq_2(L, F, #{}).

uniq_2([X | T], F, Seen) ->
    Key = F(X),
    case is_map_key(Key, Seen) of
        true -> uniq_2(T, F, Seen);
        false -> [X | uniq_2(T, F, Seen#{Key => true})]
    end;
uniq_2([], _, _) -> [].

%%% Sorting and merging, in erlet_sort
%%
%% Here the arguments are looked at, so that what is wrong is raised as this module's.

%% The functions inside are nobody's business: what no clause of them takes is wrong with the call, and they are in no trace.
-define(DOOR(Call, Name, Args), try Call catch error:Reason:Stack -> refused(Name, Args, Reason, Stack) end).

refused(Name, Args, function_clause, [{Module, _, _, _} | Callers]) when Module =:= erlet_sort; Module =:= erlet_merge ->
    Inside = fun({M, _, _, _}) -> M =:= erlet_sort orelse M =:= erlet_merge orelse M =:= lists end,
    erlang:raise(error, function_clause, [{?MODULE, Name, Args, []} | dropwhile(Inside, Callers)]);
refused(_, _, Reason, Stack) ->
    erlang:raise(error, Reason, [Entry || {M, _, _, _} = Entry <- Stack, M =/= erlet_sort, M =/= erlet_merge]).

sort(L) when is_list(L) -> ?DOOR(erlet_sort:sort(L), sort, [L]).

sort(F, [X, Y | _] = L) when not is_function(F, 2) ->
    F(X, Y),
    error(function_clause, [F, L]);
sort(F, L) when is_function(F, 2), is_list(L) -> ?DOOR(erlet_sort:sort(F, L), sort, [F, L]).

usort(L) when is_list(L) -> ?DOOR(erlet_sort:usort(L), usort, [L]).

usort(F, L) when is_function(F, 2), is_list(L) -> ?DOOR(erlet_sort:usort(F, L), usort, [F, L]).

keysort(N, L) when is_integer(N), N > 0 ->
    case L of
        [_, _ | _] -> ?DOOR(erlet_sort:keysort(N, L), keysort, [N, L]);
        [_] -> L;
        [] -> []
    end.

ukeysort(N, L) when is_integer(N), N > 0 ->
    case L of
        [_, _ | _] -> ?DOOR(erlet_sort:ukeysort(N, L), ukeysort, [N, L]);
        [_] -> L;
        [] -> []
    end.

merge(Lists) -> ?DOOR(erlet_merge:merge(Lists), merge, [Lists]).

merge(A, []) -> A;
merge(A, [_ | _] = B) -> ?DOOR(erlet_merge:merge(A, B), merge, [A, B]).

merge(F, A, B) -> ?DOOR(erlet_merge:merge(F, A, B), merge, [F, A, B]).

merge3(A, [], C) -> merge(A, C);
merge3(A, B, []) -> merge(A, B);
merge3([], B, C) -> merge(B, C);
merge3(A, B, C) -> ?DOOR(erlet_merge:merge3(A, B, C), merge3, [A, B, C]).

umerge(Lists) -> ?DOOR(erlet_merge:umerge(Lists), umerge, [Lists]).

umerge([], B) -> B;
umerge([_ | _] = A, B) -> ?DOOR(erlet_merge:umerge(A, B), umerge, [A, B]).

umerge(F, A, B) -> ?DOOR(erlet_merge:umerge(F, A, B), umerge, [F, A, B]).

umerge3(A, [], C) -> umerge(A, C);
umerge3(A, B, []) -> umerge(A, B);
umerge3([], B, C) -> umerge(B, C);
umerge3(A, B, C) -> ?DOOR(erlet_merge:umerge3(A, B, C), umerge3, [A, B, C]).

rmerge(A, []) -> A;
rmerge(A, [_ | _] = B) -> ?DOOR(erlet_merge:rmerge(A, B), rmerge, [A, B]).

rmerge(F, A, B) -> ?DOOR(erlet_merge:rmerge(F, A, B), rmerge, [F, A, B]).

rmerge3(A, [], C) -> rmerge(A, C);
rmerge3(A, B, []) -> rmerge(A, B);
rmerge3([], B, C) -> rmerge(B, C);
rmerge3(A, B, C) -> ?DOOR(erlet_merge:rmerge3(A, B, C), rmerge3, [A, B, C]).

rumerge(A, []) -> A;
rumerge(A, [_ | _] = B) -> ?DOOR(erlet_merge:rumerge(A, B), rumerge, [A, B]).

rumerge(F, A, B) -> ?DOOR(erlet_merge:rumerge(F, A, B), rumerge, [F, A, B]).

rumerge3(A, [], C) -> rumerge(A, C);
rumerge3(A, B, []) -> rumerge(A, B);
rumerge3([], B, C) -> rumerge(B, C);
rumerge3(A, B, C) -> ?DOOR(erlet_merge:rumerge3(A, B, C), rumerge3, [A, B, C]).

%% The second list is looked at first.
-define(KEY_DOOR(Name, N, A, B),
    case B of
        [First | _] ->
            _ = element(N, First),
            ?DOOR(erlet_merge:Name(N, A, B), Name, [N, A, B]);
        [] -> A
    end).

keymerge(N, A, B) when is_integer(N), N > 0 -> ?KEY_DOOR(keymerge, N, A, B).

ukeymerge(N, A, B) when is_integer(N), N > 0 ->
    case A of
        [X | _] ->
            _ = element(N, X),
            ?DOOR(erlet_merge:ukeymerge(N, A, B), ukeymerge, [N, A, B]);
        [] -> B
    end.

rkeymerge(N, A, B) when is_integer(N), N > 0 -> ?KEY_DOOR(rkeymerge, N, A, B).

rukeymerge(N, A, B) when is_integer(N), N > 0 -> ?KEY_DOOR(rukeymerge, N, A, B).

%% Double-ended queues.
%%
%% A queue is a pair of lists `{In, Out}`: In holds the rear, newest first, Out the front, oldest first. If the queue has at least two
%% elements neither list is empty, so both ends are at hand; when one list runs out it gets half of the other, which
%% makes every operation cost constant time on average, from either end.
-module(queue).

-export([new/0, is_queue/1, is_empty/1, len/1, to_list/1, from_list/1, member/2, in/2, in_r/2, out/1, out_r/1, get/1, get_r/1,
         peek/1, peek_r/1, drop/1, drop_r/1, reverse/1, join/2, split/2, filter/2, filtermap/2, fold/3, any/2, all/2,
         delete/2, delete_r/2, delete_with/2, delete_with_r/2]).
-export([cons/2, head/1, tail/1, snoc/2, last/1, daeh/1, init/1, liat/1, lait/1]).

-compile({no_auto_import, [get/1]}).

new() -> {[], []}.

is_queue({In, Out}) when is_list(In), is_list(Out) -> true;
is_queue(_) -> false.

is_empty({[], []}) -> true;
is_empty({In, Out}) when is_list(In), is_list(Out) -> false;
is_empty(Q) -> error(badarg, [Q]).

len({In, Out}) when is_list(In), is_list(Out) -> length(In) + length(Out);
len(Q) -> error(badarg, [Q]).

to_list({In, Out}) when is_list(In), is_list(Out) -> Out ++ lists:reverse(In, []);
to_list(Q) -> error(badarg, [Q]).

from_list(L) when is_list(L) -> fill_in(L);
from_list(L) -> error(badarg, [L]).

member(X, {In, Out}) when is_list(In), is_list(Out) -> lists:member(X, In) orelse lists:member(X, Out);
member(X, Q) -> error(badarg, [X, Q]).

%%% Keeping the balance

%% A front alone: its last half becomes the rear.
fill_in([]) -> {[], []};
fill_in([_] = Out) -> {Out, []};
fill_in([A, B]) -> {[B], [A]};
fill_in(Out) ->
    {Front, Rear} = lists:split(length(Out) div 2, Out),
    {lists:reverse(Rear, []), Front}.

%% A rear alone: its older half becomes the front.
fill_out([]) -> {[], []};
fill_out([_] = In) -> {[], In};
fill_out([A, B]) -> {[A], [B]};
fill_out(In) ->
    {Rear, Front} = lists:split(length(In) div 2, In),
    {Rear, lists:reverse(Front, [])}.

filled(In, []) -> fill_out(In);
filled([], Out) -> fill_in(Out);
filled(In, Out) -> {In, Out}.

%%% Both ends

in(X, {[_] = In, []}) -> {[X], In};
in(X, {In, Out}) when is_list(In), is_list(Out) -> {[X | In], Out};
in(X, Q) -> error(badarg, [X, Q]).

in_r(X, {[], [_] = Out}) -> {Out, [X]};
in_r(X, {In, Out}) when is_list(In), is_list(Out) -> {In, [X | Out]};
in_r(X, Q) -> error(badarg, [X, Q]).

out({[], []} = Q) -> {empty, Q};
out({[X], []}) -> {{value, X}, {[], []}};
out({[Y | In], []}) ->
    [X | Out] = lists:reverse(In, []),
    {{value, X}, {[Y], Out}};
out({In, [X]}) when is_list(In) -> {{value, X}, fill_out(In)};
out({In, [X | Out]}) when is_list(In) -> {{value, X}, {In, Out}};
out(Q) -> error(badarg, [Q]).

out_r({[], []} = Q) -> {empty, Q};
out_r({[], [X]}) -> {{value, X}, {[], []}};
out_r({[], [Y | Out]}) ->
    [X | In] = lists:reverse(Out, []),
    {{value, X}, {In, [Y]}};
out_r({[X], Out}) when is_list(Out) -> {{value, X}, fill_in(Out)};
out_r({[X | In], Out}) when is_list(Out) -> {{value, X}, {In, Out}};
out_r(Q) -> error(badarg, [Q]).

get({[], []} = Q) -> error(empty, [Q]);
get({In, Out} = Q) when is_list(In), is_list(Out) ->
    {value, X} = peek(Q),
    X;
get(Q) -> error(badarg, [Q]).

get_r({[], []} = Q) -> error(empty, [Q]);
get_r({In, Out} = Q) when is_list(In), is_list(Out) ->
    {value, X} = peek_r(Q),
    X;
get_r(Q) -> error(badarg, [Q]).

peek({[], []}) -> empty;
peek({In, [X | _]}) when is_list(In) -> {value, X};
peek({[_ | _] = In, []}) -> {value, lists:last(In)};
peek(Q) -> error(badarg, [Q]).

peek_r({[], []}) -> empty;
peek_r({[X | _], Out}) when is_list(Out) -> {value, X};
peek_r({[], [_ | _] = Out}) -> {value, lists:last(Out)};
peek_r(Q) -> error(badarg, [Q]).

drop({[], []} = Q) -> error(empty, [Q]);
drop({In, Out} = Q) when is_list(In), is_list(Out) -> element(2, out(Q));
drop(Q) -> error(badarg, [Q]).

drop_r({[], []} = Q) -> error(empty, [Q]);
drop_r({In, Out} = Q) when is_list(In), is_list(Out) -> element(2, out_r(Q));
drop_r(Q) -> error(badarg, [Q]).

%%% Whole queues

reverse({In, Out}) when is_list(In), is_list(Out) -> {Out, In};
reverse(Q) -> error(badarg, [Q]).

join({[], []}, {In, Out} = Q) when is_list(In), is_list(Out) -> Q;
join({In, Out} = Q, {[], []}) when is_list(In), is_list(Out) -> Q;
join({In1, Out1}, {In2, Out2}) when is_list(In1), is_list(Out1), is_list(In2), is_list(Out2) ->
    {In2, Out1 ++ lists:reverse(In1, Out2)};
join(A, B) -> error(badarg, [A, B]).

split(0, {In, Out} = Q) when is_list(In), is_list(Out) -> {{[], []}, Q};
split(N, {In, Out} = Q) when is_integer(N), N >= 1, is_list(In), is_list(Out) ->
    Left = len(Q) - N,
    case length(Out) of
        _ when Left < 0 -> error(badarg, [N, Q]);
        _ when Left =:= 0 -> {Q, {[], []}};
        N -> {fill_in(Out), fill_out(In)};
        More when More > N ->
            {[First | Taken], Out1} = lists:split(N, Out),
            {{lists:reverse(Taken, []), [First]}, {In, Out1}};
        _ ->
            {[Last | Rest], In1} = lists:split(Left, In),
            {{In1, Out}, {[Last], lists:reverse(Rest, [])}}
    end;
split(N, Q) -> error(badarg, [N, Q]).

%% The fun says whether an element stays, or gives a list to stand in its place.
filter(F, {In, Out}) when is_function(F, 1), is_list(In), is_list(Out) ->
    Kept = fun(X) ->
        case F(X) of
            true -> [X];
            false -> [];
            Xs when is_list(Xs) -> Xs
        end
    end,
    Out1 = lists:flatmap(Kept, Out),
    filled(rear(lists:flatmap(Kept, lists:reverse(In, []))), Out1);
filter(F, Q) -> error(badarg, [F, Q]).

filtermap(F, {In, Out}) when is_function(F, 1), is_list(In), is_list(Out) ->
    Out1 = lists:filtermap(F, Out),
    filled(rear(lists:filtermap(F, lists:reverse(In, []))), Out1);
filtermap(F, Q) -> error(badarg, [F, Q]).

rear(L) -> lists:reverse(L, []).

fold(F, Acc, {In, Out}) when is_function(F, 2), is_list(In), is_list(Out) -> lists:foldr(F, lists:foldl(F, Acc, Out), In);
fold(F, Acc, Q) -> error(badarg, [F, Acc, Q]).

any(F, {In, Out}) when is_function(F, 1), is_list(In), is_list(Out) -> lists:any(F, Out) orelse lists:any(F, In);
any(F, Q) -> error(badarg, [F, Q]).

all(F, {In, Out}) when is_function(F, 1), is_list(In), is_list(Out) -> lists:all(F, Out) andalso lists:all(F, In);
all(F, Q) -> error(badarg, [F, Q]).

%% Without the first (last) element that matches.
delete(X, {In, Out} = Q) when is_list(In), is_list(Out) -> delete_with(fun(Y) -> Y =:= X end, Q);
delete(X, Q) -> error(badarg, [X, Q]).

delete_r(X, {In, Out} = Q) when is_list(In), is_list(Out) -> delete_with_r(fun(Y) -> Y =:= X end, Q);
delete_r(X, Q) -> error(badarg, [X, Q]).

delete_with(F, {In, Out} = Q) when is_function(F, 1), is_list(In), is_list(Out) ->
    case without(F, Out, []) of
        none ->
            case without(F, lists:reverse(In, []), []) of
                none -> Q;
                L -> filled(rear(L), Out)
            end;
        Out1 -> filled(In, Out1)
    end;
delete_with(F, Q) -> error(badarg, [F, Q]).

delete_with_r(F, {In, Out} = Q) when is_function(F, 1), is_list(In), is_list(Out) -> reverse(delete_with(F, reverse(Q)));
delete_with_r(F, Q) -> error(badarg, [F, Q]).

without(F, [X | Xs], Front) ->
    case F(X) of
        true -> lists:reverse(Front, Xs);
        false -> without(F, Xs, [X | Front])
    end;
without(_, [], _) -> none.

%%% Other names, by Okasaki

cons(X, Q) -> in_r(X, Q).
head({[], []} = Q) -> error(empty, [Q]);
head({In, Out} = Q) when is_list(In), is_list(Out) -> get(Q);
head(Q) -> error(badarg, [Q]).
tail(Q) -> drop(Q).
snoc(Q, X) -> in(X, Q).
last(Q) -> get_r(Q).
daeh(Q) -> get_r(Q).
init(Q) -> drop_r(Q).
liat(Q) -> drop_r(Q).
lait(Q) -> drop_r(Q).

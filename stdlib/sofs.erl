%% Sets of sets: ordered sets whose elements have all one type, relations, functions and families as sets of pairs.
%%
%% A set is `{'Set', Elements, Type}`, Elements being in term order and Type that of each; what is not a set (an atom, a tuple) is
%% `{'OrdSet', Value, Type}`. A type is `atom`, a tuple of types, `[Type]` for sets, or `'_'` for the elements of a set that is known
%% to be empty. Inside, sets are plain ordered lists, so the outside form is what is kept.
-module(sofs).

-export([a_function/1, a_function/2, canonical_relation/1, composite/2, constant_function/2, converse/1, difference/2,
         digraph_to_family/1, digraph_to_family/2, domain/1, drestriction/2, drestriction/3, empty_set/0, extension/3, family/1, family/2,
         family_difference/2, family_domain/1, family_field/1, family_intersection/1, family_intersection/2, family_projection/2,
         family_range/1, family_specification/2, family_to_digraph/1, family_to_digraph/2, family_to_relation/1, family_union/1,
         family_union/2, field/1, from_external/2, from_sets/1, from_term/1, from_term/2, image/2, intersection/1, intersection/2,
         intersection_of_family/1, inverse/1, inverse_image/2, is_a_function/1, is_disjoint/2, is_empty_set/1, is_equal/2, is_set/1,
         is_sofs_set/1, is_subset/2, is_type/1, join/4, multiple_relative_product/2, no_elements/1, partition/1, partition/2,
         partition/3, partition_family/2, product/1, product/2, projection/2, range/1, relation/1, relation/2, relation_to_family/1,
         relative_product/1, relative_product/2, relative_product1/2, restriction/2, restriction/3, set/1, set/2, specification/2,
         strict_relation/1, substitution/2, symdiff/2, symmetric_partition/2, to_external/1, to_sets/1, type/1, union/1, union/2,
         union_of_family/1, weak_relation/1, fam2rel/1, rel2fam/1]).

-define(S(Elements, Type), {'Set', Elements, Type}).
-define(O(Value, Type), {'OrdSet', Value, Type}).

%%% Types

is_type(['_']) -> true;
is_type([T]) -> is_type(T);
is_type(T) when is_tuple(T), tuple_size(T) > 0 -> lists:all(fun is_type/1, tuple_to_list(T));
is_type(T) -> is_atom(T) andalso T =/= '_'.

type(?S(_, T)) -> [T];
type(?O(_, T)) -> T.

%% The type that both are, if there is one.
unified(T, T) -> T;
unified('_', T) -> T;
unified(T, '_') -> T;
unified([A], [B]) -> [unified(A, B)];
unified(A, B) when is_tuple(A), tuple_size(A) =:= tuple_size(B) ->
    list_to_tuple(lists:zipwith(fun unified/2, tuple_to_list(A), tuple_to_list(B)));
unified(_, _) -> throw(type_mismatch).

unify(A, B, Args) ->
    try unified(A, B)
    catch throw:type_mismatch -> erlang:error(type_mismatch, Args)
    end.

is_unifiable(A, B) ->
    try unified(A, B) of
        _ -> true
    catch throw:type_mismatch -> false
    end.

%% The value as a set, or as what is none.
wrapped(Value, [T]) -> ?S(Value, T);
wrapped(Value, T) -> ?O(Value, T).

value(?S(Elements, _)) -> Elements;
value(?O(Value, _)) -> Value.

%%% Making

empty_set() -> ?S([], '_').

from_term(Term) ->
    try inferred(Term) of
        {Value, T} -> wrapped(Value, T)
    catch _:_ -> erlang:error(badarg, [Term])
    end.

from_term(Term, Type) ->
    case is_type(Type) of
        true ->
            try typed(Term, Type) of
                {Value, T} -> wrapped(Value, T)
            catch _:_ -> erlang:error(badarg, [Term, Type])
            end;
        false -> erlang:error(badarg, [Term, Type])
    end.

%% A value in order, and its type.
inferred([]) -> {[], ['_']};
inferred(List) when is_list(List) ->
    Elements = [inferred(E) || E <- List],
    {_, First} = hd(Elements),
    T = lists:foldl(fun({_, E}, Acc) -> unified(E, Acc) end, First, Elements),
    {lists:usort([V || {V, _} <- Elements]), [T]};
inferred(Tuple) when is_tuple(Tuple), tuple_size(Tuple) > 0 ->
    Parts = [inferred(E) || E <- tuple_to_list(Tuple)],
    {list_to_tuple([V || {V, _} <- Parts]), list_to_tuple([T || {_, T} <- Parts])};
inferred(Tuple) when is_tuple(Tuple) -> throw(badarg);
inferred(Term) -> {Term, atom}.

%% The same for a value that shall have a type, which may leave some open.
typed(List, ['_']) when is_list(List) -> inferred(List);
typed(List, [T]) when is_list(List) ->
    Elements = [typed(E, T) || E <- List],
    {lists:usort([V || {V, _} <- Elements]), [lists:foldl(fun({_, E}, Acc) -> unified(E, Acc) end, T, Elements)]};
typed(Tuple, T) when is_tuple(T), is_tuple(Tuple), tuple_size(T) =:= tuple_size(Tuple) ->
    Parts = lists:zipwith(fun typed/2, tuple_to_list(Tuple), tuple_to_list(T)),
    {list_to_tuple([V || {V, _} <- Parts]), list_to_tuple([P || {_, P} <- Parts])};
typed(Term, T) when is_atom(T), T =/= '_' -> {Term, T};
typed(_, _) -> throw(badarg).

from_external(Value, Type) -> wrapped(Value, Type).

to_external(Set) -> value(Set).

from_sets(Sets) when is_list(Sets) ->
    lists:all(fun is_sofs_set/1, Sets) orelse erlang:error(badarg, [Sets]),
    T = lists:foldl(fun(Set, Acc) -> unify(type(Set), Acc, [Sets]) end, '_', Sets),
    ?S(lists:usort([value(Set) || Set <- Sets]), T);
from_sets(Sets) when is_tuple(Sets) ->
    Parts = tuple_to_list(Sets),
    lists:all(fun is_sofs_set/1, Parts) orelse erlang:error(badarg, [Sets]),
    ?O(list_to_tuple([value(Set) || Set <- Parts]), list_to_tuple([type(Set) || Set <- Parts]));
from_sets(Sets) -> erlang:error(badarg, [Sets]).

to_sets(?S(Elements, T)) -> [wrapped(E, T) || E <- Elements];
to_sets(?O(Tuple, T)) when is_tuple(T) -> list_to_tuple(lists:zipwith(fun wrapped/2, tuple_to_list(Tuple), tuple_to_list(T)));
to_sets(?O(_, _) = Other) -> erlang:error(badarg, [Other]).

set(List) ->
    case is_list(List) andalso length(List) >= 0 of
        true -> ?S(lists:usort(List), atom);
        false -> erlang:error(badarg, [List])
    end.

set(List, [_] = Type) -> made(List, Type, [List, Type]);
set(List, Type) -> erlang:error(badarg, [List, Type]).

made(List, Type, Args) ->
    case is_type(Type) of
        true ->
            try typed(List, Type) of
                {Value, T} -> wrapped(Value, T)
            catch _:_ -> erlang:error(badarg, Args)
            end;
        false -> erlang:error(badarg, Args)
    end.

relation([]) -> ?S([], {atom, atom});
relation([Tuple | _] = Tuples) when is_tuple(Tuple), tuple_size(Tuple) > 0 ->
    made(Tuples, [tuple_of(tuple_size(Tuple))], [Tuples]);
relation(Tuples) -> erlang:error(badarg, [Tuples]).

relation(Tuples, N) when is_integer(N), N > 0 -> made(Tuples, [tuple_of(N)], [Tuples, N]);
relation(Tuples, [T] = Type) when is_tuple(T); T =:= '_' -> relation_made(Tuples, Type, [Tuples, Type]);
relation(Tuples, Type) -> erlang:error(badarg, [Tuples, Type]).

relation_made(Tuples, Type, Args) ->
    case made(Tuples, Type, Args) of
        ?S(_, T) = Set when is_tuple(T); T =:= '_' -> Set;
        _ -> erlang:error(badarg, Args)
    end.

tuple_of(N) -> list_to_tuple(lists:duplicate(N, atom)).

a_function(Pairs) -> function_made(Pairs, [{atom, atom}], [Pairs]).

a_function(Pairs, Type) -> function_made(Pairs, Type, [Pairs, Type]).

family(Pairs) -> function_made(Pairs, [{atom, [atom]}], [Pairs]).

family(Pairs, Type) ->
    case function_made(Pairs, Type, [Pairs, Type]) of
        ?S(_, '_') = Set -> Set;
        ?S(_, {_, [_]}) = Set -> Set;
        _ -> erlang:error(badarg, [Pairs, Type])
    end.

function_made(Pairs, [T] = Type, Args) when tuple_size(T) =:= 2; T =:= '_' ->
    case made(Pairs, Type, Args) of
        ?S(_, Of) = Set when tuple_size(Of) =:= 2; Of =:= '_' ->
            case is_a_function(Set) of
                true -> Set;
                false -> erlang:error(bad_function, Args)
            end;
        _ -> erlang:error(badarg, Args)
    end;
function_made(_, _, Args) -> erlang:error(badarg, Args).

%%% Questions

is_set(?S(_, _)) -> true;
is_set(?O(_, _)) -> false.

is_sofs_set(?S(_, _)) -> true;
is_sofs_set(?O(_, _)) -> true;
is_sofs_set(_) -> false.

is_empty_set(?S(Elements, _)) -> Elements =:= [];
is_empty_set(?O(_, _)) -> false.

no_elements(?S(Elements, _)) -> length(Elements);
no_elements(?O(Tuple, T)) when is_tuple(T) -> tuple_size(Tuple);
no_elements(?O(_, _) = Other) -> erlang:error(badarg, [Other]).

is_equal(A, B) ->
    case is_unifiable(type(A), type(B)) of
        true -> value(A) == value(B);
        false -> erlang:error(type_mismatch, [A, B])
    end.

is_subset(?S(A, TA) = X, ?S(B, TB) = Y) ->
    _ = unify(TA, TB, [X, Y]),
    ordsets:is_subset(A, B).

is_disjoint(?S(A, TA) = X, ?S(B, TB) = Y) ->
    _ = unify(TA, TB, [X, Y]),
    ordsets:is_disjoint(A, B).

is_a_function(?S(_, '_')) -> true;
is_a_function(?S(Pairs, {_, _})) -> firsts_differ(Pairs);
is_a_function(?S(_, _) = Other) -> erlang:error(badarg, [Other]).

firsts_differ([{A, _} | [{B, _} | _] = Rest]) -> A /= B andalso firsts_differ(Rest);
firsts_differ(_) -> true.

%%% Sets

union(?S(A, TA) = X, ?S(B, TB) = Y) -> ?S(ordsets:union(A, B), unify(TA, TB, [X, Y])).

intersection(?S(A, TA) = X, ?S(B, TB) = Y) -> ?S(ordsets:intersection(A, B), unify(TA, TB, [X, Y])).

difference(?S(A, TA) = X, ?S(B, TB) = Y) -> ?S(ordsets:subtract(A, B), unify(TA, TB, [X, Y])).

symdiff(?S(A, TA) = X, ?S(B, TB) = Y) ->
    ?S(ordsets:union(ordsets:subtract(A, B), ordsets:subtract(B, A)), unify(TA, TB, [X, Y])).

symmetric_partition(?S(A, TA) = X, ?S(B, TB) = Y) ->
    T = unify(TA, TB, [X, Y]),
    {?S(ordsets:subtract(A, B), T), ?S(ordsets:intersection(A, B), T), ?S(ordsets:subtract(B, A), T)}.

union(?S(Sets, [T])) -> ?S(lists:usort(lists:append(Sets)), T);
union(?S(_, '_')) -> empty_set();
union(?S(_, _) = Other) -> erlang:error(badarg, [Other]).

intersection(?S([], _) = Set) -> erlang:error(badarg, [Set]);
intersection(?S([First | Sets], [T])) -> ?S(lists:foldl(fun ordsets:intersection/2, First, Sets), T);
intersection(?S(_, _) = Other) -> erlang:error(badarg, [Other]).

product(Sets) when is_tuple(Sets), tuple_size(Sets) > 0 ->
    Parts = tuple_to_list(Sets),
    lists:all(fun(Part) -> is_sofs_set(Part) andalso is_set(Part) end, Parts) orelse erlang:error(badarg, [Sets]),
    case lists:any(fun(?S(_, T)) -> T =:= '_' end, Parts) of
        true -> empty_set();
        false -> ?S([list_to_tuple(Row) || Row <- rows([value(S) || S <- Parts])], list_to_tuple([T || ?S(_, T) <- Parts]))
    end;
product(Other) -> erlang:error(badarg, [Other]).

rows([]) -> [[]];
rows([Elements | Rest]) ->
    Others = rows(Rest),
    [[E | Row] || E <- Elements, Row <- Others].

product(?S(_, _) = A, ?S(_, _) = B) -> product({A, B}).

specification(Fun, ?S(Elements, T)) ->
    ?S([E || E <- Elements, holds(Fun, E, T)], T).

holds({external, Fun}, E, _) -> true_or_false(Fun(E));
holds(Fun, E, T) -> true_or_false(Fun(wrapped(E, T))).

true_or_false(true) -> true;
true_or_false(false) -> false;
true_or_false(_) -> erlang:error(badarg).

%% What a function of sets makes of each element: pairs of element and image, and the type of the images; `empty` if nothing is known of
%% either. An external function makes of a type that of the images.
images(_, _, '_', I) when is_integer(I), I > 0 -> empty;
images(_, Elements, T, I) when is_integer(I), is_tuple(T), I > 0, I =< tuple_size(T) ->
    {[{E, element(I, E)} || E <- Elements], element(I, T)};
images(Args, _, _, I) when is_integer(I) -> erlang:error(badarg, Args);
images(_, _, '_', {external, _}) -> empty;
images(Args, _, [_], {external, _}) -> erlang:error(badarg, Args);
images(Args, Elements, T, {external, Fun}) ->
    Type = Fun(T),
    is_type(Type) orelse erlang:error(badarg, Args),
    {[{E, Fun(E)} || E <- Elements], Type};
images(_, [], _, _) -> empty;
images(Args, Elements, T, Fun) ->
    Images = [{E, image_of(Fun(wrapped(E, T)), Args)} || E <- Elements],
    Type = lists:foldl(fun({_, Set}, Acc) -> unify(type(Set), Acc, Args) end, '_', Images),
    {[{E, value(Set)} || {E, Set} <- Images], Type}.

image_of(Image, Args) ->
    is_sofs_set(Image) orelse erlang:error(badarg, Args),
    Image.

projection(Fun, ?S(Elements, T) = Set) ->
    case images([Fun, Set], Elements, T, Fun) of
        empty -> empty_set();
        {Images, Type} -> ?S(lists:usort([I || {_, I} <- Images]), Type)
    end.

substitution(Fun, ?S(Elements, T) = Set) ->
    case images([Fun, Set], Elements, T, Fun) of
        empty -> empty_set();
        {Images, Type} -> ?S(lists:usort(Images), {T, Type})
    end.

restriction(Fun, Set, Of) -> element(1, partition(Fun, Set, Of)).
drestriction(Fun, Set, Of) -> element(2, partition(Fun, Set, Of)).

partition(?S(Sets, [T])) ->
    %% Elements are together if they are in the same sets.
    In = grouped(lists:usort([{E, N} || {N, Set} <- lists:zip(lists:seq(1, length(Sets)), Sets), E <- Set])),
    ?S(lists:usort([Elements || {_, Elements} <- grouped(lists:usort([{Ns, E} || {E, Ns} <- In]))]), [T]);
partition(?S(_, '_')) -> empty_set();
partition(?S(_, _) = Other) -> erlang:error(badarg, [Other]).

partition(Fun, ?S(Elements, T) = Set) ->
    case images([Fun, Set], Elements, T, Fun) of
        empty -> empty_set();
        {Images, _} ->
            ?S(lists:usort([G || {_, G} <- grouped(lists:usort([{I, E} || {E, I} <- Images]))]), [T])
    end.

%% The elements whose images are in a set, and the others.
partition(Fun, ?S(_, _) = Set, ?S(_, '_') = Of) when is_function(Fun) -> {Of, Set};
partition(Fun, ?S(Elements, T) = Set, ?S(Wanted, TW) = Of) ->
    Args = [Fun, Set, Of],
    case images(Args, Elements, T, Fun) of
        empty -> {Set, Set};
        {Images, Type} ->
            _ = unify(Type, TW, Args),
            {In, Out} = lists:partition(fun({_, I}) -> ordsets:is_element(I, Wanted) end, Images),
            {?S([E || {E, _} <- In], T), ?S([E || {E, _} <- Out], T)}
    end.

partition_family(Fun, ?S(Elements, T) = Set) ->
    case images([Fun, Set], Elements, T, Fun) of
        empty -> empty_set();
        {Images, Type} -> ?S(grouped(lists:usort([{I, E} || {E, I} <- Images])), {Type, [T]})
    end.

%%% Relations

-define(R(Pairs, A, B), ?S(Pairs, {A, B})).

pairs(?R(Pairs, A, B), _) -> {Pairs, A, B};
pairs(?S([], '_'), _) -> {[], '_', '_'};
pairs(?S(_, _), Args) -> erlang:error(badarg, Args);
pairs(_, Args) -> erlang:error(function_clause, Args).

%% A relation of elements of these types, if anything is known of them.
related([], '_', _) -> empty_set();
related([], _, '_') -> empty_set();
related(Pairs, A, B) -> ?S(Pairs, {A, B}).

domain(R) ->
    {Pairs, A, _} = pairs(R, [R]),
    ?S(lists:usort([X || {X, _} <- Pairs]), A).

range(R) ->
    {Pairs, _, B} = pairs(R, [R]),
    ?S(lists:usort([Y || {_, Y} <- Pairs]), B).

field(R) -> union(domain(R), range(R)).

converse(R) ->
    {Pairs, A, B} = pairs(R, [R]),
    related(lists:usort([{Y, X} || {X, Y} <- Pairs]), B, A).

image(R, ?S(Of, T) = Set) ->
    {Pairs, A, B} = pairs(R, [R, Set]),
    _ = unify(A, T, [R, Set]),
    ?S(lists:usort([Y || {X, Y} <- Pairs, ordsets:is_element(X, Of)]), B).

inverse_image(R, Set) -> image(converse(R), Set).

restriction(R, Set) -> restriction(1, R, Set).
drestriction(R, Set) -> drestriction(1, R, Set).

strict_relation(R) ->
    {Pairs, A, B} = pairs(R, [R]),
    related([P || {X, Y} = P <- Pairs, X /= Y], A, B).

weak_relation(R) ->
    {Pairs, A, B} = pairs(R, [R]),
    is_unifiable(A, B) orelse erlang:error(badarg, [R]),
    T = unified(A, B),
    ?S(Field, _) = field(R),
    related(ordsets:union(Pairs, [{X, X} || X <- Field]), T, T).

extension(?S(_, _) = R, ?S(Keys, T) = Set, Value) ->
    Args = [R, Set, Value],
    {Pairs, A, B} = case is_sofs_set(Value) of true -> pairs(R, Args) end,
    _ = unify(A, T, Args),
    _ = unify(B, type(Value), Args),
    Known = lists:usort([X || {X, _} <- Pairs]),
    New = [{K, value(Value)} || K <- Keys, not ordsets:is_element(K, Known)],
    case {R, T, type(Value)} of
        {?S(_, '_'), '_', _} -> R;
        {?S(_, '_'), _, ['_']} -> R;
        {?S(_, '_'), _, TV} -> ?S([], {T, TV});
        {?S(_, TR), _, _} -> ?S(lists:usort(New ++ Pairs), TR)
    end.

relative_product1(R, S) -> relative_product(converse(R), S).

relative_product(?S(_, _) = R, S) ->
    {P, A, B1} = pairs(R, [R, S]),
    {Q, B2, C} = pairs(S, [R, S]),
    _ = unify(B1, B2, [R, S]),
    By = tree(Q),
    case {B1, B2} of
        {'_', _} -> R;
        {_, '_'} -> S;
        _ -> ?S(lists:usort([{X, Z} || {X, Y} <- P, Z <- found(Y, By)]), {A, C})
    end;
relative_product(Relations, ?S(_, _) = S) when is_tuple(Relations) -> relative_product(tuple_to_list(Relations), S);
relative_product(Relations, ?S(_, _) = S) when is_list(Relations) ->
    _ = pairs(S, [Relations, S]),
    relative_product(joint(Relations, [Relations, S]), S).

%% Pairs of what is in the domains of all, and the tuples of what it is related to.
relative_product(Relations) when is_tuple(Relations) -> relative_product(tuple_to_list(Relations));
relative_product(Relations) when is_list(Relations) -> joint(Relations, [Relations]).

joint([], Args) -> erlang:error(badarg, Args);
joint(Relations, Args) ->
    Parts = [pairs(R, Args) || R <- Relations],
    A = lists:foldl(fun({_, T, _}, Acc) -> unify(T, Acc, Args) end, '_', Parts),
    Bs = [B || {_, _, B} <- Parts],
    case lists:any(fun is_empty_set/1, Relations) of
        true ->
            case A =:= '_' orelse lists:any(fun(?S(_, T)) -> T =:= '_' end, Relations) of
                true -> empty_set();
                false -> ?S([], {A, list_to_tuple(Bs)})
            end;
        false ->
            [{First, _, _} | _] = Parts,
            Trees = [tree(Pairs) || {Pairs, _, _} <- Parts],
            Rows = [{X, list_to_tuple(Row)} || X <- lists:usort([X || {X, _} <- First]), Row <- rows([found(X, Tree) || Tree <- Trees])],
            ?S(lists:usort(Rows), {A, list_to_tuple(Bs)})
    end.

%% What each key of pairs in order goes with. Keys are compared as elements are, by `==`.
tree(Pairs) -> gb_trees:from_orddict(grouped(Pairs)).

found(Key, Tree) ->
    case gb_trees:lookup(Key, Tree) of
        {value, Values} -> Values;
        none -> []
    end.

%% Each element of each pair replaced by what it is related to.
multiple_relative_product(Relations, ?S(_, '_')) when is_tuple(Relations) -> empty_set();
multiple_relative_product(Relations, ?S(_, T) = Set) when is_tuple(Relations), is_tuple(T), tuple_size(T) =:= tuple_size(Relations) ->
    Numbered = lists:zip(lists:seq(1, tuple_size(T)), tuple_to_list(Relations)),
    relative_product([relative_product(substitution(I, Set), Part) || {I, Part} <- Numbered]);
multiple_relative_product(Relations, R) -> erlang:error(badarg, [Relations, R]).

%% The rows of both that agree at two places; the second's without that place.
join(?S(A, TA) = X, I, ?S(B, TB) = Y, J) when is_integer(I), is_integer(J) ->
    Args = [X, I, Y, J],
    has_place(TA, I) andalso has_place(TB, J) orelse erlang:error(badarg, Args),
    if
        TA =:= '_' -> X;
        TB =:= '_' -> Y;
        true ->
            By = tree(lists:usort([{element(J, Row), Row} || Row <- B])),
            ?S(lists:usort([glued(P, Q, J) || P <- A, Q <- found(element(I, P), By)]), glued(TA, TB, J))
    end.

has_place('_', _) -> true;
has_place(T, I) -> is_tuple(T) andalso I > 0 andalso I =< tuple_size(T).

glued(P, Q, J) -> list_to_tuple(tuple_to_list(P) ++ tuple_to_list(erlang:delete_element(J, Q))).

canonical_relation(?S(_, ['_'])) -> empty_set();
canonical_relation(?S(Sets, [T])) -> ?S(lists:usort([{E, Set} || Set <- Sets, E <- Set]), {T, [T]});
canonical_relation(?S(_, '_')) -> empty_set();
canonical_relation(?S(_, _) = Other) -> erlang:error(badarg, [Other]).

%%% Functions

constant_function(Set, Value) ->
    case {Set, is_sofs_set(Value)} of
        {?S(_, '_'), true} -> Set;
        {?S(Keys, T), true} -> ?S([{K, value(Value)} || K <- Keys], {T, type(Value)});
        _ -> erlang:error(badarg, [Set, Value])
    end.

composite(F, G) ->
    Args = [F, G],
    {P, A, B1} = pairs(F, Args),
    {Q, B2, C} = pairs(G, Args),
    _ = unify(B1, B2, Args),
    By = tree(Q),
    if
        A =:= '_' -> F;
        B2 =:= '_' -> G;
        true ->
            firsts_differ(P) andalso firsts_differ(Q) orelse erlang:error(bad_function, Args),
            ?S([{X, composed(found(Y, By), Args)} || {X, Y} <- P], {A, C})
    end.

composed([Z], _) -> Z;
composed([], Args) -> erlang:error(bad_function, Args).

inverse(F) ->
    {P, A, B} = function(F, [F]),
    Turned = lists:usort([{Y, X} || {X, Y} <- P]),
    case firsts_differ(Turned) of
        true -> related(Turned, B, A);
        false -> erlang:error(bad_function, [F])
    end.

function(F, Args) ->
    {Pairs, A, B} = pairs(F, Args),
    case firsts_differ(Pairs) of
        true -> {Pairs, A, B};
        false -> erlang:error(bad_function, Args)
    end.

%%% Families

members(?S(Pairs, {A, [B]}), _) -> {Pairs, A, B};
members(?S([], '_'), _) -> {[], '_', '_'};
members(?S(_, _), Args) -> erlang:error(badarg, Args);
members(_, Args) -> erlang:error(function_clause, Args).

fam(Pairs, '_', '_') -> ?S(Pairs, '_');
fam(Pairs, A, B) -> ?S(Pairs, {A, [B]}).

relation_to_family(R) ->
    {Pairs, A, B} = pairs(R, [R]),
    fam(grouped(Pairs), A, B).

rel2fam(R) -> relation_to_family(R).

%% Pairs in order, as keys with what goes with each.
grouped([]) -> [];
grouped([{X, Y} | Rest]) -> grouped(Rest, X, [Y]).

grouped([{X1, Y} | Rest], X, Ys) when X1 == X -> grouped(Rest, X, [Y | Ys]);
grouped([{X1, Y} | Rest], X, Ys) -> [{X, lists:usort(Ys)} | grouped(Rest, X1, [Y])];
grouped([], X, Ys) -> [{X, lists:usort(Ys)}].

family_to_relation(?S(_, '_') = F) -> F;
family_to_relation(F) ->
    {Pairs, A, B} = members(F, [F]),
    ?S([{X, Y} || {X, Ys} <- Pairs, Y <- Ys], {A, B}).

fam2rel(F) -> family_to_relation(F).

family_specification(Fun, F) ->
    {Pairs, A, B} = members(F, [Fun, F]),
    fam([P || {_, Ys} = P <- Pairs, holds(Fun, Ys, [B])], A, B).

union_of_family(F) ->
    {Pairs, _, B} = members(F, [F]),
    ?S(lists:usort(lists:append([Ys || {_, Ys} <- Pairs])), B).

intersection_of_family(F) ->
    case members(F, [F]) of
        {[], _, _} -> erlang:error(badarg, [F]);
        {[{_, First} | Pairs], _, B} -> ?S(lists:foldl(fun({_, Ys}, Acc) -> ordsets:intersection(Ys, Acc) end, First, Pairs), B)
    end.

%% Each member made another, by a function of lists; Known is what is known of the members' elements.
each(?S(Pairs, {A, _}), Fun, Known) -> ?S([{X, Fun(Ys)} || {X, Ys} <- Pairs], {A, [Known]}).

family_union(?S(_, {_, [[T]]}) = F) -> each(F, fun(Sets) -> lists:usort(lists:append(Sets)) end, T);
family_union(?S(_, '_') = F) -> F;
family_union(?S(_, _) = F) -> erlang:error(badarg, [F]).

family_intersection(?S(_, {_, [[T]]}) = F) ->
    each(F, fun([]) -> erlang:error(badarg, [F]);
               ([First | Sets]) -> lists:foldl(fun ordsets:intersection/2, First, Sets)
            end, T);
family_intersection(?S(_, '_') = F) -> F;
family_intersection(?S(_, _) = F) -> erlang:error(badarg, [F]).

family_domain(F) -> each_side(F, 1).
family_range(F) -> each_side(F, 2).

each_side(?S(_, {_, [{_, _} = T]}) = F, I) -> each(F, fun(Pairs) -> lists:usort([element(I, P) || P <- Pairs]) end, element(I, T));
each_side(?S(_, {_, ['_']}) = F, _) -> F;
each_side(?S(_, '_') = F, _) -> F;
each_side(?S(_, _) = F, _) -> erlang:error(badarg, [F]).

family_field(F) -> family_union(family_domain(F), family_range(F)).

family_projection(_, ?S(_, '_') = F) -> F;
family_projection(_, ?S([], {_, [_]})) -> empty_set();
family_projection(Fun, ?S(Pairs, {A, [B]}) = F) when not is_tuple(Fun) ->
    Args = [Fun, F],
    Sets = [{X, image_of(Fun(?S(Ys, B)), Args)} || {X, Ys} <- Pairs],
    Type = lists:foldl(fun({_, Set}, Acc) -> unify(type(Set), Acc, Args) end, '_', Sets),
    ?S([{X, value(Set)} || {X, Set} <- Sets], {A, Type});
family_projection(Fun, ?S(_, _) = F) -> erlang:error(badarg, [Fun, F]).

family_union(F, G) ->
    both(F, G, [F, G], fun(P, Q) -> orddict:merge(fun(_, Ys, Zs) -> ordsets:union(Ys, Zs) end, P, Q) end).

family_intersection(F, G) ->
    both(F, G, [F, G], fun(P, Q) ->
        Tree = gb_trees:from_orddict(Q),
        [{X, ordsets:intersection(Ys, Zs)} || {X, Ys} <- P, {value, Zs} <- [gb_trees:lookup(X, Tree)]]
    end).

family_difference(F, G) ->
    both(F, G, [F, G], fun(P, Q) ->
        Tree = gb_trees:from_orddict(Q),
        [{X, ordsets:subtract(Ys, found(X, Tree))} || {X, Ys} <- P]
    end).

both(?S(P, TF), ?S(Q, TG), Args, Fun) ->
    case unify(TF, TG, Args) of
        '_' -> empty_set();
        {_, [_]} = T -> ?S(Fun(P, Q), T);
        _ -> erlang:error(badarg, Args)
    end.

%%% Graphs

family_to_digraph(F) -> family_to_digraph(F, []).

family_to_digraph(?S(Pairs, T), Types) ->
    is_unifiable(T, {'_', ['_']}) orelse erlang:error(badarg),
    G = try digraph:new(Types) catch error:badarg -> erlang:error(badarg) end,
    case lists:all(fun({X, Ys}) -> add_edges(G, X, Ys) end, Pairs) of
        true -> G;
        false -> digraph:delete(G), erlang:error(cyclic)
    end.

%% False if a cycle would come about where none may be.
add_edges(G, X, Ys) ->
    digraph:add_vertex(G, X),
    lists:all(fun(Y) ->
                  digraph:add_vertex(G, Y),
                  not is_tuple(digraph:add_edge(G, X, Y))
              end, Ys).

digraph_to_family(G) -> digraph_to_family(G, [{atom, [atom]}]).

%% As in OTP, the type is taken as it is given. Vertices must differ by `==`.
digraph_to_family(G, [{_, [_]} = T] = Type) ->
    Pairs = try [{V, lists:usort(digraph:out_neighbours(G, V))} || V <- lists:sort(digraph:vertices(G))]
    catch _:_ -> erlang:error(badarg, [G, Type])
    end,
    is_type(Type) andalso firsts_differ(Pairs) orelse erlang:error(badarg, [G, Type]),
    ?S(Pairs, T);
digraph_to_family(G, Type) -> erlang:error(badarg, [G, Type]).

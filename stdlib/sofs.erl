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
    catch throw:_ -> erlang:error(badarg, [Term])
    end.

from_term(Term, Type) ->
    case is_type(Type) of
        true ->
            try wrapped(typed(Term, Type), Type)
            catch throw:_ -> erlang:error(badarg, [Term, Type])
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

typed(List, ['_']) when is_list(List) ->
    case List of
        [] -> [];
        _ -> throw(badarg)
    end;
typed(List, [T]) when is_list(List) -> lists:usort([typed(E, T) || E <- List]);
typed(Tuple, T) when is_tuple(T), is_tuple(Tuple), tuple_size(T) =:= tuple_size(Tuple) ->
    list_to_tuple(lists:zipwith(fun typed/2, tuple_to_list(Tuple), tuple_to_list(T)));
typed(Term, T) when is_atom(T), T =/= '_' -> Term;
typed(_, _) -> throw(badarg).

from_external(Value, Type) -> wrapped(Value, Type).

to_external(Set) -> value(Set).

from_sets(Sets) when is_list(Sets) ->
    T = lists:foldl(fun(Set, Acc) -> unify(type(Set), Acc, [Sets]) end, '_', Sets),
    ?S(lists:usort([value(Set) || Set <- Sets]), T);
from_sets(Sets) when is_tuple(Sets), tuple_size(Sets) > 0 ->
    Parts = tuple_to_list(Sets),
    ?O(list_to_tuple([value(Set) || Set <- Parts]), list_to_tuple([type(Set) || Set <- Parts]));
from_sets(Sets) -> erlang:error(badarg, [Sets]).

to_sets(?S(Elements, T)) -> [wrapped(E, T) || E <- Elements];
to_sets(?O(Tuple, T)) when is_tuple(T) -> list_to_tuple(lists:zipwith(fun wrapped/2, tuple_to_list(Tuple), tuple_to_list(T)));
to_sets(Other) -> erlang:error(badarg, [Other]).

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
            try wrapped(typed(List, Type), Type)
            catch throw:_ -> erlang:error(badarg, Args)
            end;
        false -> erlang:error(badarg, Args)
    end.

relation([]) -> ?S([], {atom, atom});
relation([Tuple | _] = Tuples) when is_tuple(Tuple), tuple_size(Tuple) > 0 ->
    made(Tuples, [tuple_of(tuple_size(Tuple))], [Tuples]);
relation(Tuples) -> erlang:error(badarg, [Tuples]).

relation(Tuples, N) when is_integer(N), N > 0 -> made(Tuples, [tuple_of(N)], [Tuples, N]);
relation(Tuples, [T] = Type) when is_tuple(T) -> made(Tuples, Type, [Tuples, Type]);
relation(Tuples, Type) -> erlang:error(badarg, [Tuples, Type]).

tuple_of(N) -> list_to_tuple(lists:duplicate(N, atom)).

a_function(Pairs) -> function_made(Pairs, [{atom, atom}], [Pairs]).

a_function(Pairs, Type) -> function_made(Pairs, Type, [Pairs, Type]).

family(Pairs) -> function_made(Pairs, [{atom, [atom]}], [Pairs]).

family(Pairs, [{_, [_]}] = Type) -> function_made(Pairs, Type, [Pairs, Type]);
family(Pairs, Type) -> erlang:error(badarg, [Pairs, Type]).

function_made(Pairs, [{_, _}] = Type, Args) ->
    Set = made(Pairs, Type, Args),
    case is_a_function(Set) of
        true -> Set;
        false -> erlang:error(bad_function, Args)
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
no_elements(Other) -> erlang:error(badarg, [Other]).

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
is_a_function(Other) -> erlang:error(badarg, [Other]).

firsts_differ([{A, _} | [{B, _} | _] = Rest]) -> A /= B andalso firsts_differ(Rest);
firsts_differ(_) -> true.

%%% Sets

union(?S(A, TA) = X, ?S(B, TB) = Y) -> ?S(ordsets:union(A, B), unify(TA, TB, [X, Y])).

intersection(?S(A, TA) = X, ?S(B, TB) = Y) -> ?S(ordsets:intersection(A, B), unify(TA, TB, [X, Y])).

difference(?S(A, TA) = X, ?S(B, TB) = Y) ->
    _ = unify(TA, TB, [X, Y]),
    ?S(ordsets:subtract(A, B), TA).

symdiff(?S(A, TA) = X, ?S(B, TB) = Y) ->
    ?S(ordsets:union(ordsets:subtract(A, B), ordsets:subtract(B, A)), unify(TA, TB, [X, Y])).

symmetric_partition(?S(A, TA) = X, ?S(B, TB) = Y) ->
    T = unify(TA, TB, [X, Y]),
    {?S(ordsets:subtract(A, B), T), ?S(ordsets:intersection(A, B), T), ?S(ordsets:subtract(B, A), T)}.

union(?S(Sets, [T])) -> ?S(lists:usort(lists:append(Sets)), T);
union(?S(_, '_')) -> empty_set();
union(Other) -> erlang:error(badarg, [Other]).

intersection(?S([], _) = Set) -> erlang:error(badarg, [Set]);
intersection(?S([First | Sets], [T])) -> ?S(lists:foldl(fun ordsets:intersection/2, First, Sets), T);
intersection(Other) -> erlang:error(badarg, [Other]).

product(Sets) when is_tuple(Sets), tuple_size(Sets) > 0 ->
    Parts = tuple_to_list(Sets),
    ?S([list_to_tuple(Row) || Row <- rows([value(S) || S <- Parts])], list_to_tuple([T || ?S(_, T) <- Parts]));
product(Other) -> erlang:error(badarg, [Other]).

rows([]) -> [[]];
rows([Elements | Rest]) ->
    Others = rows(Rest),
    [[E | Row] || E <- Elements, Row <- Others].

product(A, B) -> product({A, B}).

specification(Fun, ?S(Elements, T)) ->
    ?S([E || E <- Elements, holds(Fun, E, T)], T).

holds({external, Fun}, E, _) -> true_or_false(Fun(E));
holds(Fun, E, T) -> true_or_false(Fun(wrapped(E, T))).

true_or_false(true) -> true;
true_or_false(false) -> false;
true_or_false(_) -> erlang:error(badarg).

%% What a function of sets makes of each element: pairs of element and image, and the type of the images.
images(_, [], T, I) when is_integer(I), is_tuple(T), I > 0, I =< tuple_size(T) -> {[], element(I, T)};
images(_, Elements, T, I) when is_integer(I) ->
    case is_tuple(T) andalso I > 0 andalso I =< tuple_size(T) of
        true -> {[{E, element(I, E)} || E <- Elements], element(I, T)};
        false when Elements =:= [] -> {[], '_'};
        false -> erlang:error(badarg)
    end;
images(_, Elements, _, {external, Fun}) -> {[{E, Fun(E)} || E <- Elements], external};
images(Args, Elements, T, Fun) ->
    Images = [{E, Fun(wrapped(E, T))} || E <- Elements],
    Type = lists:foldl(fun({_, Set}, Acc) -> unify(type(Set), Acc, Args) end, '_', Images),
    {[{E, value(Set)} || {E, Set} <- Images], Type}.

%% Where an external function gives atoms, or what may be taken for them.
image_type(external) -> atom;
image_type(T) -> T.

projection(Fun, ?S(Elements, T) = Set) ->
    {Images, Type} = images([Fun, Set], Elements, T, Fun),
    ?S(lists:usort([I || {_, I} <- Images]), external_type(Fun, T, Type)).

%% Positions and tuples of positions say what type the images have.
external_type({external, Fun}, T, external) when is_tuple(T) ->
    try Fun(T) of
        Type -> case is_type(Type) of
            true -> Type;
            false -> atom
        end
    catch _:_ -> atom
    end;
external_type(_, _, Type) -> image_type(Type).

substitution(Fun, ?S(Elements, T) = Set) ->
    {Images, Type} = images([Fun, Set], Elements, T, Fun),
    ?S(lists:usort(Images), {T, external_type(Fun, T, Type)}).

restriction(Fun, ?S(Elements, T) = Set, ?S(Wanted, TW) = Of) ->
    {Images, Type} = images([Fun, Set, Of], Elements, T, Fun),
    _ = unify(external_type(Fun, T, Type), TW, [Fun, Set, Of]),
    ?S([E || {E, I} <- Images, ordsets:is_element(I, Wanted)], T).

drestriction(Fun, ?S(Elements, T) = Set, ?S(Unwanted, TU) = Of) ->
    {Images, Type} = images([Fun, Set, Of], Elements, T, Fun),
    _ = unify(external_type(Fun, T, Type), TU, [Fun, Set, Of]),
    ?S([E || {E, I} <- Images, not ordsets:is_element(I, Unwanted)], T).

partition(?S(Sets, [T])) ->
    %% Elements are together if they are in the same sets.
    In = maps:groups_from_list(fun({E, _}) -> E end, fun({_, N}) -> N end,
                               [{E, N} || {N, Set} <- lists:zip(lists:seq(1, length(Sets)), Sets), E <- Set]),
    Groups = maps:groups_from_list(fun({_, Ns}) -> lists:sort(Ns) end, fun({E, _}) -> E end, maps:to_list(In)),
    ?S(lists:usort([lists:usort(G) || G <- maps:values(Groups)]), [T]);
partition(?S(_, '_')) -> empty_set();
partition(Other) -> erlang:error(badarg, [Other]).

partition(Fun, ?S(Elements, T) = Set) ->
    {Images, _} = images([Fun, Set], Elements, T, Fun),
    Groups = maps:groups_from_list(fun({_, I}) -> I end, fun({E, _}) -> E end, Images),
    ?S(lists:usort([lists:usort(G) || G <- maps:values(Groups)]), [T]).

partition(Fun, Set, Of) -> {restriction(Fun, Set, Of), drestriction(Fun, Set, Of)}.

partition_family(Fun, ?S(Elements, T) = Set) ->
    {Images, Type} = images([Fun, Set], Elements, T, Fun),
    ?S(grouped(lists:usort([{I, E} || {E, I} <- Images])), {external_type(Fun, T, Type), [T]}).

%%% Relations

-define(R(Pairs, A, B), ?S(Pairs, {A, B})).

pairs(?R(Pairs, A, B), _) -> {Pairs, A, B};
pairs(?S([], '_'), _) -> {[], '_', '_'};
pairs(_, Args) -> erlang:error(badarg, Args).

%% A relation of elements of these types, where both are known.
related(Pairs, '_', '_') -> ?S(Pairs, '_');
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
    _ = unify(A, B, [R]),
    related([P || {X, Y} = P <- Pairs, X /= Y], A, B).

weak_relation(R) ->
    {Pairs, A, B} = pairs(R, [R]),
    T = unify(A, B, [R]),
    ?S(Field, _) = field(R),
    related(ordsets:union(Pairs, [{X, X} || X <- Field]), T, T).

extension(R, ?S(Keys, T) = Set, Value) ->
    {Pairs, A, B} = pairs(R, [R, Set, Value]),
    Args = [R, Set, Value],
    Known = [X || {X, _} <- Pairs],
    New = [{K, value(Value)} || K <- Keys, not ordsets:is_element(K, lists:usort(Known))],
    related(lists:usort(New ++ Pairs), unify(A, T, Args), unify(B, type(Value), Args)).

relative_product1(R, S) -> relative_product(converse(R), S).

relative_product(R, S) when element(1, R) =:= 'Set' ->
    {P, A, B1} = pairs(R, [R, S]),
    {Q, B2, C} = pairs(S, [R, S]),
    _ = unify(B1, B2, [R, S]),
    By = maps:groups_from_list(fun({X, _}) -> X end, fun({_, Y}) -> Y end, Q),
    related(lists:usort([{X, Z} || {X, Y} <- P, Z <- maps:get(Y, By, [])]), A, C);
relative_product(Relations, S) when is_list(Relations); is_tuple(Relations) -> products(Relations, S, [Relations, S]).

relative_product(Relations) when is_tuple(Relations), tuple_size(Relations) > 0 -> relative_product(tuple_to_list(Relations));
relative_product([First | _] = Relations) ->
    {Pairs, A, _} = pairs(First, [Relations]),
    Ranges = list_to_tuple([type_of_range(R, [Relations]) || R <- Relations]),
    Rows = [{X, list_to_tuple(Row)} || X <- lists:usort([X || {X, _} <- Pairs]), Row <- rows([reached(X, R) || R <- Relations])],
    ?S(lists:usort(Rows), {A, Ranges});
relative_product(Relations) -> erlang:error(badarg, [Relations]).

reached(X, ?S(Pairs, _)) -> [Y || {X1, Y} <- Pairs, X1 == X].

type_of_range(R, Args) ->
    {_, _, B} = pairs(R, Args),
    B.

%% As relative_product/1, and on through a relation of the tuples.
products(Relations, S, Args) when is_tuple(Relations) -> products(tuple_to_list(Relations), S, Args);
products([_ | _] = Relations, S, _) -> relative_product(relative_product(Relations), S);
products(_, _, Args) -> erlang:error(badarg, Args).

%% Each element of each pair replaced by what it is related to.
multiple_relative_product(Relations, ?S(Tuples, T) = Set) when is_tuple(Relations), is_tuple(T), tuple_size(T) =:= tuple_size(Relations) ->
    Args = [Relations, Set],
    Parts = tuple_to_list(Relations),
    Types = [begin
                 {_, A, B} = pairs(Part, Args),
                 _ = unify(A, Of, Args),
                 B
             end || {Part, Of} <- lists:zip(Parts, tuple_to_list(T))],
    Rows = [{Tuple, list_to_tuple(Row)} || Tuple <- Tuples,
                                           Row <- rows([reached(E, P) || {P, E} <- lists:zip(Parts, tuple_to_list(Tuple))])],
    ?S(lists:usort(Rows), {T, list_to_tuple(Types)});
multiple_relative_product(Relations, R) -> erlang:error(badarg, [Relations, R]).

%% The rows of both that agree at two places; the second's without that place.
join(?S(A, TA) = X, I, ?S(B, TB) = Y, J) when is_tuple(TA), is_tuple(TB), I > 0, J > 0, I =< tuple_size(TA), J =< tuple_size(TB) ->
    _ = unify(element(I, TA), element(J, TB), [X, I, Y, J]),
    By = maps:groups_from_list(fun(Row) -> element(J, Row) end, B),
    Rows = [glued(P, Q, J) || P <- A, Q <- maps:get(element(I, P), By, [])],
    ?S(lists:usort(Rows), glued(TA, TB, J));
join(X, I, Y, J) -> erlang:error(badarg, [X, I, Y, J]).

glued(P, Q, J) -> list_to_tuple(tuple_to_list(P) ++ tuple_to_list(erlang:delete_element(J, Q))).

canonical_relation(?S(Sets, [T])) -> ?S(lists:usort([{E, Set} || Set <- Sets, E <- Set]), {T, [T]});
canonical_relation(?S(_, '_')) -> empty_set();
canonical_relation(Other) -> erlang:error(badarg, [Other]).

%%% Functions

constant_function(?S(Keys, T), Value) -> ?S([{K, value(Value)} || K <- Keys], {T, type(Value)}).

composite(F, G) ->
    Args = [F, G],
    {P, A, B1} = function(F, Args),
    {Q, B2, C} = function(G, Args),
    _ = unify(B1, B2, Args),
    By = maps:from_list(Q),
    related([case By of
                 #{Y := Z} -> {X, Z};
                 _ -> erlang:error(bad_function, Args)
             end || {X, Y} <- P], A, C).

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
members(_, Args) -> erlang:error(badarg, Args).

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

family_to_relation(F) ->
    {Pairs, A, B} = members(F, [F]),
    related([{X, Y} || {X, Ys} <- Pairs, Y <- Ys], A, B).

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

%% Each member made another.
each(F, Fun, Args) ->
    case members(F, Args) of
        {_, '_', '_'} -> F;
        {Pairs, A, B} ->
            Sets = [{X, Fun(?S(Ys, B))} || {X, Ys} <- Pairs],
            Type = lists:foldl(fun({_, Set}, Acc) -> unify(type(Set), Acc, Args) end, '_', Sets),
            Known = case Type of
                '_' -> type(try Fun(?S([], B)) catch _:_ -> empty_set() end);
                _ -> Type
            end,
            ?S([{X, value(Set)} || {X, Set} <- Sets], {A, Known})
    end.

family_union(F) -> each(F, fun union/1, [F]).

family_intersection(F) -> each(F, fun intersection/1, [F]).

family_domain(F) -> each(F, fun domain/1, [F]).

family_range(F) -> each(F, fun range/1, [F]).

family_field(F) -> each(F, fun field/1, [F]).

family_projection(Fun, F) ->
    each(F, case Fun of
        {external, External} -> fun(?S(Ys, T)) -> wrapped(External(Ys), external_type(Fun, [T], external)) end;
        I when is_integer(I) -> fun(Set) -> projection(I, Set) end;
        _ -> Fun
    end, [Fun, F]).

family_union(F, G) ->
    both(F, G, [F, G], fun(Ps, Qs) ->
        [{X, ordsets:union(maps:get(X, Ps, []), maps:get(X, Qs, []))} || X <- lists:usort(maps:keys(Ps) ++ maps:keys(Qs))]
    end).

family_intersection(F, G) ->
    both(F, G, [F, G], fun(Ps, Qs) ->
        [{X, ordsets:intersection(Ys, maps:get(X, Qs))} || {X, Ys} <- lists:sort(maps:to_list(Ps)), maps:is_key(X, Qs)]
    end).

family_difference(F, G) ->
    both(F, G, [F, G], fun(Ps, Qs) ->
        [{X, ordsets:subtract(Ys, maps:get(X, Qs, []))} || {X, Ys} <- lists:sort(maps:to_list(Ps))]
    end).

both(F, G, Args, Fun) ->
    {P, A1, B1} = members(F, Args),
    {Q, A2, B2} = members(G, Args),
    fam(Fun(maps:from_list(P), maps:from_list(Q)), unify(A1, A2, Args), unify(B1, B2, Args)).

%%% Graphs

family_to_digraph(F) -> family_to_digraph(F, []).

family_to_digraph(F, Types) ->
    {Pairs, A, B} = members(F, [F, Types]),
    _ = unify(A, B, [F, Types]),
    G = digraph:new(Types),
    lists:foreach(fun({X, Ys}) ->
                      digraph:add_vertex(G, X),
                      lists:foreach(fun(Y) ->
                                        digraph:add_vertex(G, Y),
                                        case digraph:add_edge(G, X, Y) of
                                            {error, {bad_edge, _}} ->
                                                digraph:delete(G),
                                                erlang:error(cyclic, [F, Types]);
                                            _ -> ok
                                        end
                                    end, Ys)
                  end, Pairs),
    G.

digraph_to_family(G) -> digraph_to_family(G, [{atom, [atom]}]).

digraph_to_family(G, Type) ->
    family([{V, digraph:out_neighbours(G, V)} || V <- digraph:vertices(G)], Type).

%% What the body of a `try` binds is bound in the clauses behind `of`, where it is matched and captured like anything else.
%% expect: [{1,2,3,2}]
%% expect: [6,8]
%% expect: {same,5}
%% expect: {5,6}
%% expect: {1,[2]}
%% expect: {8,<<1,2>>}
%% expect: {1,2}
%% expect: 5
%% expect: 10
%% expect: {error,{try_clause,7}}
-module(what_a_try_body_binds_is_bound_behind_of).
-export([main/0]).

main() ->
    show(sum(1)), show(sum(2)), show(same(5, 5)), show(same(5, 6)),
    show((captured([1, 2]))()), show(rest(<<16, 1, 2, 3>>)), show(nested(1)),
    show(constant()), show(catch guarded(3)), show(catch guarded(0)).

sum(X) ->
    try
        Y = id(X),
        {Z, W} = id({Y * 2, Y * 3}),
        id(Y)
    of
        1 -> [{Y, Z, W, V} || V <- [Z]];
        _ -> [V + Y || V <- [Z, W]]
    after
        id(ok)
    end.

same(X, Y) ->
    try Z = id(X), id(Y) of
        Z -> {same, Z};
        Other -> {Z, Other}
    catch
        _:_ -> no
    end.

captured(List) ->
    try [First | Rest] = List of
        _ when First > 0 -> fun() -> {First, Rest} end
    after
        ok
    end.

rest(Bits) ->
    try Size = 8, Bits of
        <<Length:Size, Rest:Length/bits, _/bits>> -> {Size, Rest}
    catch
        _:_ -> no
    end.

nested(X) ->
    try
        A = id(X),
        try B = id(A + 1) of
            2 -> {A, B}
        after
            ok
        end
    of
        {A, C} -> {A, C}
    after
        ok
    end.

constant() ->
    try A = 5 of
        _ -> case id(3) of A -> same; _ -> A end
    after
        ok
    end.

guarded(X) ->
    try Y = id(X), id(7) of
        Z when Y > 0 -> Z + Y
    catch
        _:_ -> caught
    end.

id(X) -> X.

show({'EXIT', {Reason, _}}) -> show({error, Reason});
show(X) -> io:format("~p~n", [X]).

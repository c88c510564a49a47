%% What an operand binds is matched by the operands beside it, but not seen in the funs and comprehensions there: these bind the name
%% for themselves, unless the operand has matched it before them.
%% expect: {1,2,1}
%% expect: [1,3|4]
%% expect: {1,9}
%% expect: 4
%% expect: {pair,1,2}
%% expect: {1,[1,2]}
%% expect: {1,<<5,2>>}
%% expect: {{1,2},{{3,4}}}
%% expect: 1
%% expect: {error,{badmatch,2}}
%% expect: {3,3,4}
%% expect: {error,{badmatch,3}}
%% expect: [3,[3,4]]
%% expect: {1,9}
%% expect: {4,9}
%% expect: {error,{badmatch,4}}
%% expect: {4,4}
%% expect: {error,{badmatch,2}}
%% expect: {error,{badmatch,2}}
-module(funs_do_not_see_what_operands_beside_them_bind).
-export([main/0]).

-record(pair, {left, right}).

main() ->
    show(in_tuple()), show(in_list()), show(in_arguments()), show(in_operands()), show(in_record()), show(in_filter()),
    show(in_bits()), show(nested()), show(for_nothing(1, 1)), show(catch for_nothing(1, 2)),
    show(seen(3)), show(catch seen(1)), show(seen_in_comprehension(3)),
    [show(catch in_branch(B, X)) || B <- [true, false], X <- [1, 4]], show(catch in_value()), show(catch in_source()).

in_tuple() -> {X = id(1), fun() -> X = id(2), X end(), X = id(1)}.

in_list() -> [X = id(1), (fun(Y) -> case Y of X -> X end end)(3) | fun() -> X = id(4) end()].

in_arguments() -> both(X = id(1), fun F(0) -> X = 9, X; F(N) -> F(N - 1) end(2)).

in_operands() -> (X = id(1)) + fun() -> X = id(2), X end() + (X = id(1)).

in_record() -> #pair{left = X = id(1), right = fun() -> X = id(2), X end()}.

in_filter() -> {X = id(1), [Y || Y <- [1, 2], (X = Y) > 0]}.

in_bits() -> {X = id(1), << <<(begin X = Y, X end)>> || Y <- [5, 2] >>}.

nested() -> {{X = id(1), 2}, {fun() -> {X = 3, fun() -> X = 4 end()} end()}}.

for_nothing(A, B) ->
    _ = [X = id(A), begin fun() -> X = 2 end(), X = id(B) end],
    X.

seen(A) -> {X = A, begin X = id(A), fun() -> X = 3 end() end, fun() -> X = 4 end()}.

seen_in_comprehension(A) -> [X = A, begin [X | _] = id([A]), [Z || Y <- [1], Z <- [X, X + Y]] end].

in_branch(Bool, A) ->
    {X = A,
     case id(Bool) of
         true -> fun() -> X = 9 end();
         false -> X = id(A), fun() -> X = 4 end()
     end}.

in_value() -> {X = id(1), case id(2) of X -> same; _ -> other end, X = id(2)}.

in_source() -> {X = id(1), [Y || Y <- begin X = id(2), [X] end]}.

both(X, Y) -> {X, Y}.

id(X) -> X.

show({'EXIT', {Reason, _}}) -> show({error, Reason});
show(X) -> io:format("~p~n", [X]).

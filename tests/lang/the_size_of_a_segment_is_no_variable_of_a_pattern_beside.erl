%% The size of a segment in a pattern is a variable of the same binary, or one from before; patterns beside it in the same head bind
%% nothing for it.
%% expect: {16,7}
%% expect: {error,function_clause}
%% expect: {16,7}
%% expect: {16,7}
%% expect: {8,7}
%% expect: {error,function_clause}
%% expect: {1,2}
-module(the_size_of_a_segment_is_no_variable_of_a_pattern_beside).
-export([main/0]).

main() ->
    Bits = <<16, 7:16>>,
    show(list(8, [Bits, Bits])), show(catch list(8, [Bits, <<16, 8:16>>])), show(tuple(8, Bits)),
    show(map(8, [16], {#{one => Bits, two => Bits}, 16})), show(thrice(8, <<8, 7, 8>>)), show(catch thrice(8, <<8, 7, 9>>)),
    show(bound(8, {4, <<1, 2:8>>})).

list(L, Both) -> (fun([<<L:L, B:L>>, <<L:L, B:L>>]) -> {L, B} end)(Both).

tuple(L, Bits) -> (fun({L, <<L:8, B:L>>}) -> {L, B} end)({L * 2, Bits}).

map(L, One, Two) -> (fun([L], {#{one := <<L:L, B:L>>, two := <<L:L, B:L>>}, L}) -> {L, B} end)(One, Two).

thrice(L, Bits) -> (fun(<<L:L, B:L, L:L>>) -> {L, B} end)(Bits).

bound(L, Pair) ->
    case Pair of
        {_, <<M:L, N:L>>} when M < N -> {M, N}
    end.

show({'EXIT', {Reason, _}}) -> show({error, Reason});
show(X) -> io:format("~p~n", [X]).

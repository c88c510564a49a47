%% A binary that is matched, handed on and matched by another shape; caught half-way; kept in a record of what was seen.
-module(a_rest_of_a_binary_survives_exceptions_and_other_shapes).
-export([main/0]).

main() ->
    show(frames(<<3:16, "abc", 0:16, 1:16, "x", 9:16, "short">>, [])),
    show(frames(<<3:16, "abc", 1:4>>, [])),
    show(tokens(<<"foo 12 \"a b\" bar7 3.5">>, [])),
    show([attempt(B) || B <- [<<"12x">>, <<"12">>, <<"x">>, <<>>, <<1:5>>, nothing]]),
    show(nested(<<1, 2, 3, 4, 5, 6, 7>>)),
    show(in_case(<<"aab-">>)),
    show(utf(<<"h\xc3\xa9llo \xf0\x9f\x98\x80!\xff">>, [])),
    show(numbers(<<1:4, 2:12/little, -3:7/signed, 1.5:32/float, 77:64, 1:5>>)),
    show(deep(binary:copy(<<"abcdefgh">>, 2000), 0)),
    show(mutual(<<"ababac">>)),
    show(optional(<<1, 5, "hello", 0, "rest">>)),
    show(stored(<<"a1b2">>, #{})),
    show(after_(<<"xyz">>, [])),
    show(boxes(<<"ab">>)),
    show(mixed([<<"ab">>, [<<"c">>, "de"], $f])).

frames(<<L:16, Body:L/binary, R/binary>>, Acc) -> frames(R, [Body | Acc]);
frames(R, Acc) -> {lists:reverse(Acc), R}.

tokens(<<$\s, R/binary>>, Acc) -> tokens(R, Acc);
tokens(<<$", R/binary>>, Acc) -> string(R, <<>>, Acc);
tokens(<<C, _/binary>> = B, Acc) when C >= $0, C =< $9 -> number(B, 0, Acc);
tokens(<<C, R/binary>>, Acc) -> word(R, [C], Acc);
tokens(<<>>, Acc) -> lists:reverse(Acc).

string(<<$", R/binary>>, S, Acc) -> tokens(R, [{string, S} | Acc]);
string(<<C, R/binary>>, S, Acc) -> string(R, <<S/binary, C>>, Acc).

number(<<C, R/binary>>, N, Acc) when C >= $0, C =< $9 -> number(R, 10 * N + C - $0, Acc);
number(<<$., R/binary>>, N, Acc) -> number(R, 0, [{whole, N} | Acc]);
number(B, N, Acc) -> tokens(B, [{number, N} | Acc]).

word(<<C, R/binary>>, W, Acc) when C =/= $\s -> word(R, [C | W], Acc);
word(B, W, Acc) -> tokens(B, [{word, lists:reverse(W)} | Acc]).

attempt(B) ->
    try digits(B, 0) of
        N -> {ok, N}
    catch
        throw:R -> {thrown, R};
        error:R:Stack -> {R, [{F, A} || {_, F, A, _} <- [hd(Stack)]]}
    end.

digits(<<C, R/binary>>, N) when C >= $0, C =< $9 ->
    try digits(R, 10 * N + C - $0)
    catch throw:{rest, B} -> throw({rest, B, R})
    end;
digits(<<>>, N) -> N;
digits(<<B/binary>>, _) -> throw({rest, B}).

nested(<<A, R/binary>>) ->
    case R of
        <<B, C, S/binary>> when A < 4 -> {A, B, C, nested(S)};
        <<B, S/binary>> -> {A, B, nested(S), R};
        _ -> {A, R}
    end;
nested(<<>>) -> empty.

in_case(B) ->
    case B of
        <<"a", R/binary>> -> [a | in_case(R)];
        <<"b", R/binary>> ->
            case in_case(R) of
                [X] -> {X, R, B};
                _ -> other
            end;
        Other -> [Other]
    end.

utf(<<C/utf8, R/binary>>, Acc) -> utf(R, [C | Acc]);
utf(<<C, R/binary>>, Acc) -> utf(R, [{byte, C} | Acc]);
utf(<<>>, Acc) -> lists:reverse(Acc).

numbers(<<A:4, R/bits>>) -> [A | little(R)].
little(<<A:12/little, R/bits>>) -> [A | signed(R)].
signed(<<A:7/signed, R/bits>>) -> [A | float(R, now)].
float(<<F:32/float, R/bits>>, now) -> [F | large(R)].
large(<<N:64, R/bits>>) -> [N, R, bit_size(R)].

deep(<<_, R/binary>>, N) -> deep(R, N + 1) + 0;
deep(<<>>, N) -> N.

mutual(<<"a", R/binary>>) -> [a | bs(R)];
mutual(B) -> {mutual, B}.
bs(<<"b", R/binary>>) -> [b | mutual(R)];
bs(B) -> {bs, B}.

optional(<<1, L, S:L/binary, R/binary>>) -> [S | optional(R)];
optional(<<0, R/binary>>) -> R;
optional(B) -> {bad, B}.

stored(<<K, V, R/binary>>, M) -> stored(R, M#{K => V, rest => R});
stored(<<>>, M) -> maps:to_list(M).

after_(<<C, R/binary>>, Acc) ->
    try after_(R, [C | Acc])
    after put(last, R)
    end;
after_(<<>>, Acc) -> {Acc, get(last)}.

boxes(<<C, R/binary>>) -> {C, (fun boxes/1)(R), apply(fun boxes/1, [R])};
boxes(B) -> B.

mixed(B) when is_binary(B) -> {binary, mixed_bytes(B)};
mixed([H | T]) -> [mixed(H) | mixed(T)];
mixed(X) -> X.

mixed_bytes(<<C, R/binary>>) -> mixed_bytes([C | R]);
mixed_bytes([C | R]) -> [C | mixed_bytes(R)];
mixed_bytes(X) -> X.

show(X) -> io:format("~w~n", [X]).

%% expect: {[<<97,98,99>>,<<>>,<<120>>],<<0,9,115,104,111,114,116>>}
%% expect: {[],<<0,3,97,98,99,1:4>>}
%% expect: [{word,[102,111,111]},{number,12},{string,<<97,32,98>>},{word,[98,97,114,55]},{whole,3},{number,5}]
%% expect: [{thrown,{rest,<<120>>,<<120>>}},{ok,12},{thrown,{rest,<<120>>}},{ok,0},{function_clause,[{digits,[<<1:5>>,0]}]},{function_clause,[{digits,[nothing,0]}]}]
%% expect: {1,2,3,{4,5,{6,7,empty,<<7>>},<<5,6,7>>}}
%% expect: [a,a|{<<45>>,<<45>>,<<98,45>>}]
%% expect: [104,233,108,108,111,32,128512,33,{byte,255}]
%% expect: [1,2,-3,1.5,77,<<1:5>>,5]
%% expect: 16000
%% expect: [a,b,a,b,a|{bs,<<99>>}]
%% expect: [<<104,101,108,108,111>>|<<114,101,115,116>>]
%% expect: [{97,49},{98,50},{rest,<<>>}]
%% expect: {[122,121,120],undefined}
%% expect: {97,{98,<<>>,<<>>},{98,<<>>,<<>>}}
%% expect: [{binary,[97,98|<<>>]},[{binary,[99|<<>>]},[100,101]],102]

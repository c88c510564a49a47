%% A JSON encoder and decoder on binaries.
-module(program_json).
-export([main/0]).

main() ->
    T = #{<<"name">> => <<"erlet">>, <<"n">> => [1, -2, 3.5, 1.0e10], <<"t">> => true, <<"nil">> => null, <<"esc">> => <<"a\"b\\\n">>, <<"o">> => #{}},
    J = iolist_to_binary(encode(T)),
    io:format("~s~n", [J]),
    {T2, <<>>} = decode(J),
    show(T2 =:= T),
    show(decode(<<" [ 1 , [ ] , { \"a\" : [ true , false ] } ] rest">>)),
    show(attempt(fun() -> decode(<<"[1, x]">>) end)).

encode(true) -> "true";
encode(false) -> "false";
encode(null) -> "null";
encode(N) when is_integer(N) -> integer_to_list(N);
encode(F) when is_float(F) -> float_to_list(F, [short]);
encode(B) when is_binary(B) -> [$", [escape(C) || C <- binary_to_list(B)], $"];
encode(L) when is_list(L) -> [$[, lists:join($,, [encode(X) || X <- L]), $]];
encode(M) when is_map(M) -> [${, lists:join($,, [[encode(K), $:, encode(V)] || {K, V} <- lists:sort(maps:to_list(M))]), $}].

escape($") -> "\\\"";
escape($\\) -> "\\\\";
escape($\n) -> "\\n";
escape(C) -> C.

decode(<<C, R/binary>>) when C =:= $\s; C =:= $\n -> decode(R);
decode(<<"true", R/binary>>) -> {true, R};
decode(<<"false", R/binary>>) -> {false, R};
decode(<<"null", R/binary>>) -> {null, R};
decode(<<"[", R/binary>>) -> array(skip(R), []);
decode(<<"{", R/binary>>) -> object(skip(R), #{});
decode(<<"\"", R/binary>>) -> string(R, []);
decode(<<C, _/binary>> = B) when C =:= $-; C >= $0, C =< $9 -> number(B, []);
decode(B) -> error({bad_json, B}).

skip(<<C, R/binary>>) when C =:= $\s; C =:= $\n -> skip(R);
skip(B) -> B.

array(<<"]", R/binary>>, Acc) -> {lists:reverse(Acc), R};
array(<<",", R/binary>>, Acc) -> array(R, Acc);
array(B, Acc) -> {V, R} = decode(B), array(skip(R), [V | Acc]).

object(<<"}", R/binary>>, M) -> {M, R};
object(<<",", R/binary>>, M) -> object(skip(R), M);
object(<<"\"", R/binary>>, M) ->
    {K, R1} = string(R, []),
    <<":", R2/binary>> = skip(R1),
    {V, R3} = decode(R2),
    object(skip(R3), M#{K => V}).

string(<<"\\n", R/binary>>, Acc) -> string(R, [$\n | Acc]);
string(<<"\\", C, R/binary>>, Acc) -> string(R, [C | Acc]);
string(<<"\"", R/binary>>, Acc) -> {list_to_binary(lists:reverse(Acc)), R};
string(<<C, R/binary>>, Acc) -> string(R, [C | Acc]).

number(<<C, R/binary>>, Acc) when C >= $0, C =< $9; C =:= $-; C =:= $.; C =:= $e; C =:= $+ -> number(R, [C | Acc]);
number(R, Acc) ->
    S = lists:reverse(Acc),
    {try list_to_integer(S) catch error:badarg -> list_to_float(S) end, R}.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

%% expect: {"esc":"a\"b\\\n","n":[1,-2,3.5,1.0e10],"name":"erlet","nil":null,"o":{},"t":true}
%% expect: true
%% expect: {[1,[],#{<<"a">> => [true,false]}],<<" rest">>}
%% expect: {error,{bad_json,<<"x]">>}}

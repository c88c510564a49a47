%% The usual loops over binaries: sums, filters, splitting, parsing of packets, building in order and in reverse.
-module(binary_loops_accumulate).
-export([main/0]).

main() ->
    B = list_to_binary(lists:seq(0, 255)),
    show(sum(B, 0)),
    show(byte_size(evens(B, <<>>))),
    show(rev(<<"hello">>, <<>>)),
    show(words(<<"the quick  brown">>, <<>>, [])),
    show(packets(<<3, "abc", 0, 2, "de", 9, "short">>)),
    show(hex(<<1, 171, 255>>)),
    show(find(<<"needle in a haystack">>, <<"hay">>, 0)),
    show(erlang:crc32(double(B))),
    show(utf(<<"aé日😀"/utf8>>, [])).

sum(<<X, R/binary>>, S) -> sum(R, S + X);
sum(<<>>, S) -> S.

evens(<<X, R/binary>>, Acc) when X rem 2 =:= 0 -> evens(R, <<Acc/binary, X>>);
evens(<<_, R/binary>>, Acc) -> evens(R, Acc);
evens(<<>>, Acc) -> Acc.

rev(<<X, R/binary>>, Acc) -> rev(R, <<X, Acc/binary>>);
rev(<<>>, Acc) -> Acc.

words(<<" ", R/binary>>, <<>>, Acc) -> words(R, <<>>, Acc);
words(<<" ", R/binary>>, W, Acc) -> words(R, <<>>, [W | Acc]);
words(<<C, R/binary>>, W, Acc) -> words(R, <<W/binary, C>>, Acc);
words(<<>>, <<>>, Acc) -> lists:reverse(Acc);
words(<<>>, W, Acc) -> lists:reverse([W | Acc]).

packets(<<N, P:N/binary, R/binary>>) -> [P | packets(R)];
packets(<<>>) -> [];
packets(Rest) -> [{incomplete, Rest}].

hex(B) -> hex(B, <<>>).

hex(<<X, R/binary>>, Acc) -> hex(R, <<Acc/binary, (digit(X div 16)), (digit(X rem 16))>>);
hex(<<>>, Acc) -> Acc.

digit(D) when D < 10 -> $0 + D;
digit(D) -> $a + D - 10.

find(B, P, At) ->
    N = byte_size(P),
    case B of
        <<_:At/binary, P:N/binary, _/binary>> -> At;
        <<_:At/binary, _, _/binary>> -> find(B, P, At + 1);
        _ -> none
    end.

double(B) -> double(B, <<>>).

double(<<X:16/little, R/binary>>, Acc) -> double(R, <<Acc/binary, X:16/big, X:16/little>>);
double(<<>>, Acc) -> Acc.

utf(<<C/utf8, R/binary>>, Acc) -> utf(R, [C | Acc]);
utf(<<>>, Acc) -> lists:reverse(Acc).

show(X) -> io:format("~p~n", [X]).

%% expect: 32640
%% expect: 128
%% expect: <<"olleh">>
%% expect: [<<"the">>,<<"quick">>,<<"brown">>]
%% expect: [<<"abc">>,<<>>,<<"de">>,{incomplete,<<"\tshort">>}]
%% expect: <<"01abff">>
%% expect: 12
%% expect: 730159171
%% expect: [97,233,26085,128512]

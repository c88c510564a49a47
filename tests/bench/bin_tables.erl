%% Binaries: a table of comma-separated values read and written, and a packed format taken apart.
-module(bin_tables).
-export([bench/0]).

bench() ->
    Csv = iolist_to_binary([[integer_to_list(N), ",name", integer_to_list(N * 7), ",", integer_to_list(N rem 10), "\n"]
                            || N <- lists:seq(1, 1000)]),
    Packed = << <<(N rem 8):3, N:13, (N * 2):16/little, (byte_size(integer_to_binary(N))), (integer_to_binary(N))/binary>>
                || N <- lists:seq(1, 2000) >>,
    [{bin_csv_rows, 1000, fun() -> 4500 = sum_column(rows(Csv, 0, 0, [], []), 0) end},
     {bin_packed, 2000, fun() -> 4002000 = packed(Packed, 0) end},
     {bin_comprehension, byte_size(Csv), fun() -> Csv = << <<(C bxor 1)>> || <<C>> <= << <<(C bxor 1)>> || <<C>> <= Csv >> >> end}].

%% All rows as lists of fields, newest first.
rows(Bin, Start, Length, Fields, Rows) ->
    case Bin of
        <<_:Start/binary, Field:Length/binary, $,, _/binary>> ->
            rows(Bin, Start + Length + 1, 0, [Field | Fields], Rows);
        <<_:Start/binary, Field:Length/binary, $\n, _/binary>> ->
            rows(Bin, Start + Length + 1, 0, [], [[Field | Fields] | Rows]);
        <<_:Start/binary, _:Length/binary, _, _/binary>> ->
            rows(Bin, Start, Length + 1, Fields, Rows);
        _ ->
            Rows
    end.

sum_column([[Last | _] | Rows], Sum) -> sum_column(Rows, Sum + binary_to_integer(Last));
sum_column([], Sum) -> Sum.

packed(<<_:3, N:13, Double:16/little, Size, Text:Size/binary, Rest/binary>>, Sum) ->
    Double = 2 * binary_to_integer(Text),
    packed(Rest, Sum + 2 * N);
packed(<<>>, Sum) -> Sum.

%% What an I/O server reads with: `io_lib:collect_chars`, `collect_line` and `get_until`.
%%
%% Each is called with `start`, then with the state it answered last, and the next piece of input: characters, a binary,
%% or `eof`. The answer is a new state, or `{stop, Result, Rest}`.
-module(io_lib_input).

-erlet_part_of(io_lib).

-export([collect_chars/4, collect_line/4, get_until/4, get_until_by_lines/4]).

%%% A number of characters

collect_chars(start, Data, Encoding, N) when is_binary(Data) -> binary_chars([], N, Data, Encoding);
collect_chars(start, eof, _, _) -> {stop, eof, eof};
collect_chars(start, Data, _, N) when is_list(Data) -> list_chars([], N, Data);
collect_chars({binary, Done, _}, eof, _, _) -> {stop, joined(Done), eof};
collect_chars({binary, Done, N}, Data, Encoding, _) -> binary_chars(Done, N, Data, Encoding);
collect_chars({list, Done, N}, Data, _, _) -> list_chars(Done, N, Data);
%% An older form of state, for servers that count for themselves.
collect_chars([], Data, _, N) -> counted_chars(N, Data, []);
collect_chars({N, Done}, Data, _, _) -> counted_chars(N, Data, Done).

binary_chars(Done, N, Data, Encoding) ->
    case split_chars(Data, N, Encoding) of
        {more, Missing} -> {binary, [Data | Done], Missing};
        {Front, <<>>} -> {stop, joined([Front | Done]), eof};
        {Front, Rest} -> {stop, joined([Front | Done]), Rest}
    end.

%% The first N characters of a binary and the rest, or how many are missing.
split_chars(Data, N, latin1) ->
    case byte_size(Data) of
        Size when Size < N -> {more, N - Size};
        _ -> split_binary(Data, N)
    end;
split_chars(Data, N, unicode) ->
    Chars =
        case unicode:characters_to_list(Data) of
            {_, Done, _} -> Done;
            All -> All
        end,
    case length(Chars) of
        Len when Len < N -> {more, N - Len};
        _ -> split_binary(Data, byte_size(unicode:characters_to_binary(lists:sublist(Chars, N))))
    end.

joined([Only]) -> Only;
joined(Parts) -> list_to_binary(lists:reverse(Parts)).

list_chars(Done, 0, Data) -> {stop, lists:reverse(Done), Data};
list_chars(Done, _, eof) -> {stop, lists:reverse(Done), eof};
list_chars(Done, N, []) -> {list, Done, N};
list_chars(Done, N, [C | Cs]) -> list_chars([C | Done], N - 1, Cs).

counted_chars(N, Data, Done) when N =< 0 -> {done, lists:reverse(Done), Data};
counted_chars(N, [C | Cs], Done) -> counted_chars(N - 1, Cs, [C | Done]);
counted_chars(_, eof, []) -> {done, eof, []};
counted_chars(_, eof, Done) -> {done, lists:reverse(Done), []};
counted_chars(N, [], Done) -> {more, {N, Done}}.

%%% A line: `\r\n` ends it as `\n` does, and is read as `\n`

collect_line(start, eof, _, _) -> {stop, eof, eof};
collect_line(start, Data, _, _) when is_binary(Data) -> binary_line([], Data);
collect_line(start, Data, _, _) when is_list(Data) -> list_line(Data, []);
collect_line([B | _] = Done, eof, _, _) when is_binary(B) -> {stop, joined(Done), eof};
collect_line(Done, eof, _, _) -> {stop, lists:reverse(Done), eof};
collect_line(Done, Data, _, _) when is_binary(Data) -> binary_line(Done, Data);
collect_line(Done, Data, _, _) when is_list(Data) -> list_line(Data, Done).

binary_line(Done, Data) ->
    case binary:match(Data, <<"\n">>) of
        {0, 1} ->
            %% The return may have come with the last piece; it was kept apart.
            <<_, Rest/binary>> = Data,
            case Done of
                [<<"\r">> | Done1] -> {stop, joined([<<"\n">> | Done1]), Rest};
                _ -> {stop, joined([<<"\n">> | Done]), Rest}
            end;
        {At, 1} ->
            Before = At - 1,
            case Data of
                <<Line:Before/binary, "\r\n", Rest/binary>> -> {stop, joined([<<Line/binary, "\n">> | Done]), Rest};
                <<Line:At/binary, "\n", Rest/binary>> -> {stop, joined([<<Line/binary, "\n">> | Done]), Rest}
            end;
        nomatch ->
            Before = byte_size(Data) - 1,
            case Data of
                <<Line:Before/binary, "\r">> -> [<<"\r">>, Line | Done];
                _ -> [Data | Done]
            end
    end.

list_line([$\n | Cs], [$\r | Done]) -> {stop, lists:reverse(Done, "\n"), Cs};
list_line([$\n | Cs], Done) -> {stop, lists:reverse(Done, "\n"), Cs};
list_line([C | Cs], Done) -> list_line(Cs, [C | Done]);
list_line([], Done) -> Done.

%%% Until a function of the caller's is done

get_until(start, Data, Encoding, MFA) -> get_until([], Data, Encoding, MFA);
get_until(State, Data, Encoding, {M, F, Args}) ->
    Chars =
        case Data of
            _ when is_binary(Data), Encoding =:= unicode -> unicode:characters_to_list(Data);
            _ when is_binary(Data) -> binary_to_list(Data);
            _ -> Data
        end,
    case apply(M, F, [State, Chars | Args]) of
        {done, Result, Rest} when is_binary(Data), is_list(Result), Encoding =:= unicode ->
            {stop, unicode:characters_to_binary(Result), Rest};
        {done, Result, Rest} when is_binary(Data), is_list(Result) -> {stop, iolist_to_binary(Result), Rest};
        {done, Result, Rest} -> {stop, Result, Rest};
        {more, State1} -> State1
    end.

%% The same for a server that reads ahead: what follows the line that the function is done with does not become characters, and bytes again.
get_until_by_lines(State, Data, Encoding, MFA) when is_binary(Data) ->
    {Line, Later} =
        case binary:match(Data, <<"\n">>) of
            {At, 1} -> split_binary(Data, At + 1);
            nomatch -> {Data, <<>>}
        end,
    case get_until(State, Line, Encoding, MFA) of
        Answer when Later =:= <<>> -> Answer;
        {stop, Result, Rest} when Rest =:= []; Rest =:= eof -> {stop, Result, Later};
        {stop, Result, Rest} ->
            Bytes = unicode:characters_to_binary(Rest, unicode, Encoding),
            {stop, Result, <<Bytes/binary, Later/binary>>};
        State1 -> get_until_by_lines(State1, Later, Encoding, MFA)
    end;
get_until_by_lines(State, Data, Encoding, MFA) -> get_until(State, Data, Encoding, MFA).

%% Data compressed as a whole: in the zlib format, as gzip, and without a head (`zip`).
%%
%% Compressing piece by piece, with `open/0` and what takes its streams, is not built.
-module(zlib).

-export([compress/1, uncompress/1, zip/1, unzip/1, gzip/1, gunzip/1]).

%% Where the formats do not say: as thorough as zlib is by default.
-define(LEVEL, 6).

-spec compress(iodata()) -> binary().
compress(Data) ->
    Packed = deflated(Data, [Data]),
    <<16#78, 16#9C, Packed/binary, (erlang:adler32(Data)):32>>.

-spec uncompress(iodata()) -> binary().
uncompress(Data) ->
    case binary_of(Data, [Data]) of
        <<Method, Flags, Packed/binary>> when Method band 15 =:= 8, (Method * 256 + Flags) rem 31 =:= 0, Flags band 32 =:= 0 ->
            {Plain, Rest} = inflated(Packed),
            case Rest of
                <<Sum:32, _/binary>> ->
                    Sum =:= erlang:adler32(Plain) orelse error(data_error),
                    Plain;
                _ -> error(data_error)
            end;
        _ -> error(data_error)
    end.

-spec zip(iodata()) -> binary().
zip(Data) -> deflated(Data, [Data]).

-spec unzip(iodata()) -> binary().
unzip(Data) ->
    {Plain, _} = inflated(binary_of(Data, [Data])),
    Plain.

%% No name, no time, made on Unix.
-spec gzip(iodata()) -> binary().
gzip(Data) ->
    Packed = deflated(Data, [Data]),
    <<31, 139, 8, 0, 0:32, 0, 3, Packed/binary, (erlang:crc32(Data)):32/little, (iolist_size(Data)):32/little>>.

%% Several members one after the other are one text.
-spec gunzip(iodata()) -> binary().
gunzip(Data) -> iolist_to_binary(members(binary_of(Data, [Data]))).

members(Data) ->
    {Plain, Rest} = inflated(behind_head(Data)),
    case Rest of
        <<Sum:32/little, Size:32/little, More/binary>> ->
            Sum =:= erlang:crc32(Plain) andalso Size =:= byte_size(Plain) band 16#FFFFFFFF orelse error(data_error),
            case More of
                <<31, 139, _/binary>> -> [Plain | members(More)];
                _ -> [Plain]
            end;
        _ -> error(data_error)
    end.

%% A head may have an extra field, a name, a comment and a checksum.
behind_head(<<31, 139, 8, Flags, _:6/binary, Rest/binary>>) when Flags band 16#E0 =:= 0 ->
    Rest1 =
        case {Flags band 4, Rest} of
            {0, _} -> Rest;
            {_, <<Size:16/little, _:Size/binary, Behind/binary>>} -> Behind;
            _ -> error(data_error)
        end,
    Rest2 = behind_text(Flags band 8, Rest1),
    Rest3 = behind_text(Flags band 16, Rest2),
    case {Flags band 2, Rest3} of
        {0, _} -> Rest3;
        {_, <<_:16, Behind3/binary>>} -> Behind3;
        _ -> error(data_error)
    end;
behind_head(_) -> error(data_error).

behind_text(0, Data) -> Data;
behind_text(_, Data) ->
    case binary:split(Data, <<0>>) of
        [_, Rest] -> Rest;
        [_] -> error(data_error)
    end.

deflated(Data, Args) ->
    try erlet_zlib:deflate(Data, ?LEVEL)
    catch error:badarg -> error(badarg, Args)
    end.

binary_of(Data, Args) ->
    try iolist_to_binary(Data)
    catch error:badarg -> error(badarg, Args)
    end.

inflated(Packed) ->
    case erlet_zlib:inflate(Packed) of
        {Plain, Used} -> {Plain, binary:part(Packed, Used, byte_size(Packed) - Used)};
        error -> error(data_error)
    end.

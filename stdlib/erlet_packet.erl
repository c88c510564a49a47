%% Packets at the beginning of a stream of bytes: `erlang:decode_packet/3`.
%%
%% A type says where a packet ends. What is returned of packets with a length is the body for 1, 2 and 4, and all of it for the
%% others; lines keep their end; HTTP is parsed.
-module(erlet_packet).

-export([decode/3]).

%% `most` bytes a packet may have, `cut` bytes of a line to be returned at once; 0 for no limit.
-record(limits, {most = 0, cut = 0, newline = $\n}).

decode(Type, Data, Options) ->
    case is_type(Type) of
        false -> badtype;
        true when not is_bitstring(Data) -> badarg;
        true ->
            case limits(Options, #limits{}) of
                badarg -> badarg;
                Limits -> of_bytes(Type, Data, Limits)
            end
    end.

%% Bits behind the last whole byte are in no packet, and remain.
of_bytes(Type, Binary, Limits) when is_binary(Binary) -> packet(Type, Binary, Limits);
of_bytes(Type, Bits, Limits) ->
    <<Binary:(bit_size(Bits) div 8)/binary, Tail/bits>> = Bits,
    case packet(Type, Binary, Limits) of
        {ok, Packet, Rest} -> {ok, Packet, <<Rest/binary, Tail/bits>>};
        Other -> Other
    end.

is_type(Type) ->
    lists:member(Type, [raw, 0, 1, 2, 4, asn1, sunrm, cdr, fcgi, tpkt, line, http, httph, http_bin, httph_bin, ssl_tls]).

limits([{packet_size, N} | Options], Limits) when is_integer(N), N >= 0 -> limits(Options, Limits#limits{most = N});
limits([{line_length, N} | Options], Limits) when is_integer(N), N >= 0 -> limits(Options, Limits#limits{cut = N});
limits([{line_delimiter, C} | Options], Limits) when is_integer(C), C >= 0, C < 256 -> limits(Options, Limits#limits{newline = C});
limits([], Limits) -> Limits;
limits(_, _) -> badarg.

-define(MORE, {more, undefined}).
-define(INVALID, {error, invalid}).

%% A packet whose length has the 32nd bit is taken for a mistake, as it is by OTP.
-define(LONGEST, 16#7fffffff).

packet(_, <<>>, _) -> ?MORE;
packet(Type, Binary, _) when Type =:= raw; Type =:= 0 -> {ok, Binary, <<>>};
packet(N, Binary, Limits) when is_integer(N) ->
    case Binary of
        <<Length:N/unit:8, _/binary>> ->
            case whole(N, Length, Binary, Limits) of
                {ok, <<_:N/unit:8, Body/binary>>, Rest} -> {ok, Body, Rest};
                Other -> Other
            end;
        _ -> ?MORE
    end;
packet(line, Binary, Limits) -> line(Binary, Limits);
packet(http, Binary, Limits) -> start_line(Binary, Limits, fun binary_to_list/1);
packet(http_bin, Binary, Limits) -> start_line(Binary, Limits, fun(Text) -> Text end);
packet(httph, Binary, Limits) -> header_line(Binary, Limits, fun binary_to_list/1);
packet(httph_bin, Binary, Limits) -> header_line(Binary, Limits, fun(Text) -> Text end);
packet(Type, Binary, Limits) ->
    case header(Type, Binary) of
        {Header, Length} when Length >= 0 ->
            case whole(Header, Length, Binary, Limits) of
                {ok, Packet, Rest} -> {ok, opened(Type, Packet), Rest};
                Other -> Other
            end;
        more -> ?MORE;
        _ -> ?INVALID
    end.

whole(_, Length, _, #limits{most = Most}) when Most > 0, Length > Most -> ?INVALID;
whole(Header, Length, _, _) when Header + Length > ?LONGEST -> ?INVALID;
whole(Header, Length, Binary, _) ->
    case Binary of
        <<Packet:(Header + Length)/binary, Rest/binary>> -> {ok, Packet, Rest};
        _ -> {more, Header + Length}
    end.

%% Bytes of the header and length of what follows.
header(sunrm, <<_:1, Length:31, _/binary>>) -> {4, Length};
header(fcgi, <<1, _:24, Content:16, Padding, _, _/binary>>) -> {8, Content + Padding};
header(fcgi, Binary) when byte_size(Binary) >= 8 -> invalid;
header(tpkt, <<3, _, Length:16, _/binary>>) -> {4, Length - 4};
header(tpkt, Binary) when byte_size(Binary) >= 4 -> invalid;
header(cdr, <<"GIOP", _:16, _:7, 0:1, _, Length:32, _/binary>>) -> {12, Length};
header(cdr, <<"GIOP", _:16, _:7, 1:1, _, Length:32/little, _/binary>>) -> {12, Length};
header(cdr, Binary) when byte_size(Binary) >= 12 -> invalid;
%% The greeting of version 2 has a header of its own, whose length counts the type and the version too.
header(ssl_tls, <<1:1, Length:15, 1, _, _, _/binary>>) when Length >= 3 -> {5, Length - 3};
header(ssl_tls, <<1:1, _:15, 1, _, _, _/binary>>) -> invalid;
header(ssl_tls, <<_, _, _, Length:16, _/binary>>) -> {5, Length};
header(asn1, <<_:3, 31:5, Rest/binary>>) -> long_tag(Rest, 1);
header(asn1, <<_, Rest/binary>>) -> asn1_length(Rest, 1);
header(_, _) -> more.

long_tag(<<1:1, _:7, Rest/binary>>, N) -> long_tag(Rest, N + 1);
long_tag(<<_, Rest/binary>>, N) -> asn1_length(Rest, N + 1);
long_tag(<<>>, _) -> more.

asn1_length(<<0:1, Length:7, _/binary>>, N) -> {N + 1, Length};
asn1_length(<<1:1, Bytes:7, _/binary>>, _) when Bytes > 4 -> invalid;
asn1_length(<<1:1, Bytes:7, Length:Bytes/unit:8, _/binary>>, N) -> {N + 1 + Bytes, Length};
asn1_length(_, _) -> more.

opened(fcgi, <<_:32, Content:16, _/binary>> = Packet) -> binary:part(Packet, 0, 8 + Content);
opened(ssl_tls, <<1:1, Length:15, 1, Major, Minor, Rest/binary>>) ->
    {ssl_tls, [], 22, {Major, Minor}, <<1, (Length - 1):24, Major, Minor, Rest/binary>>};
opened(ssl_tls, <<Type, Major, Minor, _:16, Data/binary>>) -> {ssl_tls, [], Type, {Major, Minor}, Data};
opened(_, Packet) -> Packet.

%%% Lines

line(Binary, #limits{most = Most, cut = Cut, newline = Newline}) ->
    case binary:match(Binary, <<Newline>>) of
        {At, 1} when Most > 0, At + 1 > Most -> ?INVALID;
        {At, 1} when Cut > 0, At + 1 > Cut -> cut(Cut, Binary);
        {At, 1} -> cut(At + 1, Binary);
        nomatch when Most > 0, byte_size(Binary) > Most -> ?INVALID;
        nomatch when Cut > 0, byte_size(Binary) >= Cut -> cut(Cut, Binary);
        nomatch -> ?MORE
    end.

cut(Length, Binary) ->
    <<Line:Length/binary, Rest/binary>> = Binary,
    {ok, Line, Rest}.

%%% HTTP

%% Old programs limit lines by `line_length`.
most(#limits{most = 0, cut = Cut}) -> Cut;
most(#limits{most = Most}) -> Most.

start_line(Binary, Limits, Make) ->
    case line(Binary, #limits{most = most(Limits)}) of
        {ok, Line, Rest} ->
            case without_newline(Line) of
                {<<"HTTP/", Version/binary>>, _} -> {ok, response(Version, Line, Make), Rest};
                {Request, _} -> {ok, request(Request, Line, Make), Rest}
            end;
        Other -> Other
    end.

without_newline(Line) ->
    N = byte_size(Line),
    case binary:part(Line, N, -min(N, 2)) of
        <<"\r\n">> -> {binary:part(Line, 0, N - 2), 2};
        _ -> {binary:part(Line, 0, N - 1), 1}
    end.

response(Version, Line, Make) ->
    case version(Version) of
        {Numbers, <<C, Text/binary>>} when C =:= $\s; C =:= $\t ->
            case number(blanks(Text)) of
                {Status, Phrase} -> {http_response, Numbers, Status, Make(blanks(Phrase))};
                none -> {http_error, Make(Line)}
            end;
        _ -> {http_error, Make(Line)}
    end.

version(Text) ->
    case number(Text) of
        {Major, <<".", Text1/binary>>} ->
            case number(Text1) of
                {Minor, Rest} -> {{Major, Minor}, Rest};
                none -> none
            end;
        _ -> none
    end.

number(<<C, _/binary>> = Text) when C >= $0, C =< $9 -> number(Text, 0);
number(_) -> none.

number(<<C, Rest/binary>>, N) when C >= $0, C =< $9 -> number(Rest, 10 * N + C - $0);
number(Rest, N) -> {N, Rest}.

blanks(<<C, Rest/binary>>) when C =:= $\s; C =:= $\t -> blanks(Rest);
blanks(Text) -> Text.

request(Request, Line, Make) ->
    case words(Request) of
        {<<>>, _, _} -> {http_error, Make(Line)};
        {_, <<>>, _} -> {http_error, Make(Line)};
        {Method, Uri, <<>>} -> {http_request, method(Method, Make), uri(Uri, Make), {0, 9}};
        {Method, Uri, <<"HTTP/", Version/binary>>} ->
            case version(Version) of
                {Numbers, _} -> {http_request, method(Method, Make), uri(Uri, Make), Numbers};
                none -> {http_error, Make(Line)}
            end;
        _ -> {http_error, Make(Line)}
    end.

words(Text) ->
    {First, Rest} = word(Text, 0),
    {Second, Rest1} = word(blanks(Rest), 0),
    {First, Second, blanks(Rest1)}.

word(Text, N) ->
    case Text of
        <<Word:N/binary, C, _/binary>> when C =:= $\s; C =:= $\t -> {Word, binary:part(Text, N, byte_size(Text) - N)};
        <<_:N/binary, _, _/binary>> -> word(Text, N + 1);
        Word -> {Word, <<>>}
    end.

method(Method, Make) ->
    case lists:member(Method, [<<"OPTIONS">>, <<"GET">>, <<"HEAD">>, <<"POST">>, <<"PUT">>, <<"DELETE">>, <<"TRACE">>]) of
        true -> binary_to_atom(Method);
        false -> Make(Method)
    end.

uri(<<"*">>, _) -> '*';
uri(<<"/", _/binary>> = Path, Make) -> {abs_path, Make(Path)};
uri(Uri, Make) ->
    case binary:split(Uri, <<":">>) of
        [Scheme, <<"//", Rest/binary>>] ->
            case string:lowercase(Scheme) of
                <<"http">> -> absolute(http, Rest, Make);
                <<"https">> -> absolute(https, Rest, Make);
                _ -> {scheme, Make(Scheme), Make(<<"//", Rest/binary>>)}
            end;
        [Scheme, Rest] -> {scheme, Make(Scheme), Make(Rest)};
        [_] -> Make(Uri)
    end.

absolute(Scheme, Text, Make) ->
    {Authority, Path} =
        case binary:match(Text, <<"/">>) of
            {At, 1} -> split_binary(Text, At);
            nomatch -> {Text, <<"/">>}
        end,
    {Host, Port} =
        case binary:split(Authority, <<":">>) of
            [Name, Digits] ->
                case number(Digits) of
                    {N, <<>>} -> {Name, N};
                    _ -> {Name, undefined}
                end;
            [Name] -> {Name, undefined}
        end,
    {absoluteURI, Scheme, Make(Host), Port, Make(Path)}.

%% A field may go on in following lines that begin with a blank.
header_line(<<"\n", Rest/binary>>, _, _) -> {ok, http_eoh, Rest};
header_line(<<"\r\n", Rest/binary>>, _, _) -> {ok, http_eoh, Rest};
header_line(Binary, Limits, Make) -> header_line(Binary, 0, most(Limits), Make).

header_line(Binary, From, Most, Make) ->
    case binary:match(Binary, <<"\n">>, [{scope, {From, byte_size(Binary) - From}}]) of
        nomatch when Most > 0, byte_size(Binary) > Most -> ?INVALID;
        nomatch -> ?MORE;
        {At, 1} ->
            case Binary of
                <<_:At/binary, _, C, _/binary>> when C =:= $\s; C =:= $\t -> header_line(Binary, At + 1, Most, Make);
                <<_:At/binary, _, _, _/binary>> when Most > 0, At + 1 > Most -> ?INVALID;
                <<_:At/binary, _, _, _/binary>> ->
                    {ok, Line, Rest} = cut(At + 1, Binary),
                    {ok, field(Line, Make), Rest};
                _ when Most > 0, byte_size(Binary) =:= Most -> ?INVALID;
                _ -> ?MORE
            end
    end.

field(Line, Make) ->
    case binary:split(Line, <<":">>) of
        [Name, Value] ->
            case binary:match(Name, separators()) of
                nomatch ->
                    {Number, Field} = known(canonical(Name), Make),
                    {Text, _} = without_newline(Value),
                    {http_header, Number, Field, Make(Name), Make(blanks(Text))};
                _ -> {http_error, Make(Line)}
            end;
        [_] -> {http_error, Make(Line)}
    end.

%% What ends a name but is no colon.
separators() -> [<<C>> || C <- "()<>@,;\\\"/[]?={} \t"].

%% Names that are not very long get a capital at the beginning and behind each hyphen that is not itself in such a place.
-define(LONGEST_NAME, 50).

canonical(Name) when byte_size(Name) > ?LONGEST_NAME -> Name;
canonical(Name) -> canonical(Name, true, <<>>).

canonical(<<$-, Rest/binary>>, Capital, Done) -> canonical(Rest, not Capital, <<Done/binary, $->>);
canonical(<<C, Rest/binary>>, true, Done) when C >= $a, C =< $z -> canonical(Rest, false, <<Done/binary, (C - 32)>>);
canonical(<<C, Rest/binary>>, false, Done) when C >= $A, C =< $Z -> canonical(Rest, false, <<Done/binary, (C + 32)>>);
canonical(<<C, Rest/binary>>, _, Done) -> canonical(Rest, false, <<Done/binary, C>>);
canonical(<<>>, _, Done) -> Done.

known(Name, Make) -> known(Name, 1, names(), Make).

known(Name, I, [Name | _], _) -> {I, binary_to_atom(Name)};
known(Name, I, [_ | Names], Make) -> known(Name, I + 1, Names, Make);
known(Name, _, [], Make) -> {0, Make(Name)}.

%% The place of a name is its number.
names() ->
    [<<"Cache-Control">>, <<"Connection">>, <<"Date">>, <<"Pragma">>, <<"Transfer-Encoding">>, <<"Upgrade">>, <<"Via">>,
     <<"Accept">>, <<"Accept-Charset">>, <<"Accept-Encoding">>, <<"Accept-Language">>, <<"Authorization">>, <<"From">>,
     <<"Host">>, <<"If-Modified-Since">>, <<"If-Match">>, <<"If-None-Match">>, <<"If-Range">>, <<"If-Unmodified-Since">>,
     <<"Max-Forwards">>, <<"Proxy-Authorization">>, <<"Range">>, <<"Referer">>, <<"User-Agent">>, <<"Age">>, <<"Location">>,
     <<"Proxy-Authenticate">>, <<"Public">>, <<"Retry-After">>, <<"Server">>, <<"Vary">>, <<"Warning">>,
     <<"Www-Authenticate">>, <<"Allow">>, <<"Content-Base">>, <<"Content-Encoding">>, <<"Content-Language">>,
     <<"Content-Length">>, <<"Content-Location">>, <<"Content-Md5">>, <<"Content-Range">>, <<"Content-Type">>, <<"Etag">>,
     <<"Expires">>, <<"Last-Modified">>, <<"Accept-Ranges">>, <<"Set-Cookie">>, <<"Set-Cookie2">>, <<"X-Forwarded-For">>,
     <<"Cookie">>, <<"Keep-Alive">>, <<"Proxy-Connection">>].

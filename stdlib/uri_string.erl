%% URIs by RFC 3986: taken apart, put together, normalized and resolved; and the queries of HTML forms.
%%
%% Everything is done on lists of characters; a result is a binary if what was given is one.
-module(uri_string).

-export([parse/1, recompose/1, normalize/1, normalize/2, resolve/2, resolve/3, transcode/2, compose_query/1, compose_query/2,
         dissect_query/1, percent_decode/1, quote/1, quote/2, unquote/1, allowed_characters/0]).

-export_type([uri_string/0, uri_map/0, error/0]).

-type uri_string() :: iodata().
-type uri_map() :: #{atom() => term()}.
-type error() :: {error, atom(), term()}.

-define(UNRESERVED, "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~").
-define(SUBDELIMS, "!$&'()*+,;=").
-define(SCHEME, "+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz").

allowed_characters() ->
    Digits = "0123456789",
    [{scheme, ?SCHEME},
     {userinfo, lists:usort("%:" ++ ?SUBDELIMS ++ ?UNRESERVED)},
     {host, lists:usort(":" ++ ?SUBDELIMS ++ ?UNRESERVED)},
     {ipv4, "." ++ Digits},
     {ipv6, "." ++ Digits ++ ":ABCDEFabcdef"},
     {regname, lists:usort("%" ++ ?SUBDELIMS ++ ?UNRESERVED)},
     {path, lists:usort("%/:@" ++ ?SUBDELIMS ++ ?UNRESERVED)},
     {query, lists:usort("%/:?@" ++ ?SUBDELIMS ++ ?UNRESERVED)},
     {fragment, lists:usort("%/:?@" ++ ?SUBDELIMS ++ ?UNRESERVED)},
     {reserved, "!#$&'()*+,/:;=?@[]"},
     {unreserved, ?UNRESERVED}].

allowed(Component) -> proplists:get_value(Component, allowed_characters()).

%%% Taking apart

parse(URI) ->
    try taken_apart(characters(URI)) of
        Map -> given_back(Map, URI)
    catch throw:{error, _, _} = Error -> Error
    end.

characters(Text) when is_list(Text); is_binary(Text) ->
    case unicode:characters_to_list(Text) of
        List when is_list(List) -> List;
        _ -> throw({error, invalid_utf8, Text})
    end.

%% Strings of a map in the form of `Like`.
given_back(Map, Like) when is_binary(Like) ->
    maps:map(fun(_, V) when is_list(V) -> unicode:characters_to_binary(V);
                (_, V) -> V
             end, Map);
given_back(Map, _) -> Map.

taken_apart(Text) ->
    case lists:splitwith(fun(C) -> lists:member(C, ?SCHEME) end, Text) of
        {[First | _] = Scheme, [$: | Rest]} when First >= $a, First =< $z; First >= $A, First =< $Z ->
            %% What is wrong after the scheme is said of the whole.
            try hierarchy(Rest, #{scheme => Scheme})
            catch throw:{error, _, _} -> throw({error, invalid_uri, ":"})
            end;
        {_, [$: | _]} -> throw({error, invalid_uri, ":"});
        _ -> hierarchy(Text, #{})
    end.

hierarchy("//" ++ Rest, Map) ->
    {Authority, Path} = lists:splitwith(fun(C) -> not lists:member(C, "/?#") end, Rest),
    path(Path, authority(Authority, Map));
hierarchy(Rest, Map) -> path(Rest, Map).

authority(Authority, Map) ->
    case lists:splitwith(fun(C) -> C =/= $@ end, Authority) of
        {User, [$@ | Host]} -> host(Host, Map#{userinfo => checked(User, userinfo)});
        {Host, []} -> host(Host, Map)
    end.

host([$[ | Rest], Map) ->
    case lists:splitwith(fun(C) -> C =/= $] end, Rest) of
        {Address, [$] | Port]} ->
            Checked = checked(Address, ipv6),
            case inet_parse:ipv6strict_address(Checked) of
                {ok, _} -> port(Port, Map#{host => Checked});
                {error, _} -> throw({error, invalid_uri, Checked})
            end;
        _ -> throw({error, invalid_uri, "["})
    end;
host(Text, Map) ->
    {Host, Port} = lists:splitwith(fun(C) -> C =/= $: end, Text),
    port(Port, Map#{host => checked(Host, regname)}).

port([], Map) -> Map;
port(":", Map) -> Map#{port => undefined};
port([$: | Digits], Map) ->
    case lists:dropwhile(fun(C) -> C >= $0 andalso C =< $9 end, Digits) of
        [] -> Map#{port => list_to_integer(Digits)};
        [C | _] -> throw({error, invalid_uri, [C]})
    end;
port([C | _], _) -> throw({error, invalid_uri, [C]}).

path(Text, Map) ->
    {Path, Rest} = lists:splitwith(fun(C) -> C =/= $? andalso C =/= $# end, Text),
    query(Rest, Map#{path => checked(Path, path)}).

query([$? | Text], Map) ->
    {Query, Rest} = lists:splitwith(fun(C) -> C =/= $# end, Text),
    fragment(Rest, Map#{query => checked(Query, query)});
query(Rest, Map) -> fragment(Rest, Map).

fragment([$# | Fragment], Map) -> Map#{fragment => checked(Fragment, fragment)};
fragment([], Map) -> Map.

checked(Text, Component) ->
    Allowed = allowed(Component),
    case lists:dropwhile(fun(C) -> lists:member(C, Allowed) end, Text) of
        [] -> Text;
        [C | _] -> throw({error, invalid_uri, [C]})
    end.

%%% Putting together

recompose(Map) ->
    case is_uri_map(Map) of
        true ->
            try
                Text = put_together(maps:map(fun component/2, Map)),
                case is_binary(maps:get(path, Map)) of
                    true -> unicode:characters_to_binary(Text);
                    false -> Text
                end
            catch throw:{error, _, _} = Error -> Error
            end;
        false -> {error, invalid_map, Map}
    end.

is_uri_map(#{path := Path} = Map) when is_list(Path); is_binary(Path) ->
    maps:is_key(host, Map) orelse not (maps:is_key(userinfo, Map) orelse maps:is_key(port, Map));
is_uri_map(_) -> false.

component(port, Port) -> Port;
component(scheme, Scheme) -> characters(Scheme);
component(host, Host) ->
    Characters = characters(Host),
    case lists:member($:, Characters) of
        true -> Characters;
        false -> encoded(Characters, allowed(regname))
    end;
component(Component, Text) when Component =:= userinfo; Component =:= path; Component =:= query; Component =:= fragment ->
    encoded(characters(Text), allowed(Component));
component(_, Value) -> Value.

encoded(Text, Allowed) ->
    lists:flatmap(fun(C) ->
                      case lists:member(C, Allowed) of
                          true -> [C];
                          false -> escaped(<<C/utf8>>)
                      end
                  end, Text).

escaped(Bytes) -> lists:append([[$%, digit(B bsr 4), digit(B band 15)] || <<B>> <= Bytes]).

digit(N) when N < 10 -> $0 + N;
digit(N) -> $A + N - 10.

put_together(Map) ->
    Scheme = case Map of
        #{scheme := S} -> S ++ ":";
        _ -> ""
    end,
    Path = case Map of
        #{host := _, path := [C | _] = P} when C =/= $/ -> [$/ | P];
        #{path := P} -> P
    end,
    Scheme ++ authority_text(Map) ++ Path ++ marked($?, query, Map) ++ marked($#, fragment, Map).

authority_text(#{host := Host} = Map) ->
    User = case Map of
        #{userinfo := U} -> U ++ "@";
        _ -> ""
    end,
    Port = case Map of
        #{port := undefined} -> ":";
        #{port := N} -> ":" ++ integer_to_list(N);
        _ -> ""
    end,
    Shown = case lists:member($:, Host) of
        true -> "[" ++ Host ++ "]";
        false -> Host
    end,
    "//" ++ User ++ Shown ++ Port;
authority_text(_) -> "".

marked(Mark, Key, Map) ->
    case Map of
        #{Key := Text} -> [Mark | Text];
        _ -> ""
    end.

%%% Normalizing and resolving

normalize(URI) -> normalize(URI, []).

normalize(URI, Options) ->
    case as_map(URI) of
        {error, _, _} = Error -> Error;
        Map ->
            try
                Lists = maps:map(fun(_, V) when is_binary(V) -> characters(V);
                                    (_, V) -> V
                                 end, Map),
                Normal = by_scheme(maps:map(fun normal/2, Lists)),
                result(Normal, URI, Options)
            catch throw:{error, _, _} = Error -> Error
            end
    end.

as_map(Map) when is_map(Map) -> Map;
as_map(URI) -> parse(URI).

result(Map, Like, Options) ->
    IsBinary = is_binary(Like) orelse is_map(Like) andalso is_binary(maps:get(path, Like, [])),
    case {lists:member(return_map, Options), IsBinary} of
        {true, true} -> given_back(Map, <<>>);
        {true, false} -> Map;
        {false, _} ->
            case recompose(Map) of
                Text when IsBinary, is_list(Text) -> unicode:characters_to_binary(Text);
                Text -> Text
            end
    end.

normal(scheme, Scheme) -> string:lowercase(Scheme);
normal(host, Host) -> plain_escapes(string:lowercase(Host));
normal(path, Path) -> without_dots(plain_escapes(Path));
normal(Key, Text) when Key =:= query; Key =:= fragment; Key =:= userinfo -> plain_escapes(Text);
normal(_, Value) -> Value.

%% Escapes of what needs none are undone, others written with capital letters.
plain_escapes([$%, A, B | Rest]) ->
    case byte([A, B]) of
        none -> [$%, A, B | plain_escapes(Rest)];
        C ->
            case lists:member(C, ?UNRESERVED) of
                true -> [C | plain_escapes(Rest)];
                false -> escaped(<<C>>) ++ plain_escapes(Rest)
            end
    end;
plain_escapes([C | Rest]) -> [C | plain_escapes(Rest)];
plain_escapes([]) -> [].

byte([A, B]) ->
    case {hex(A), hex(B)} of
        {none, _} -> none;
        {_, none} -> none;
        {High, Low} -> High * 16 + Low
    end.

hex(C) when C >= $0, C =< $9 -> C - $0;
hex(C) when C >= $a, C =< $f -> C - $a + 10;
hex(C) when C >= $A, C =< $F -> C - $A + 10;
hex(_) -> none.

by_scheme(#{scheme := Scheme} = Map) ->
    Default = proplists:get_value(Scheme, [{"http", 80}, {"https", 443}, {"ftp", 21}, {"ssh", 22}, {"sftp", 22}, {"tftp", 69}]),
    Plain = case Map of
        #{port := Port} when Port =:= Default; Port =:= undefined -> maps:remove(port, Map);
        _ -> Map
    end,
    case Plain of
        #{path := "", host := _} when Scheme =:= "http"; Scheme =:= "https" -> Plain#{path => "/"};
        _ -> Plain
    end;
by_scheme(Map) -> Map.

%% "." stays where it is, ".." goes up. What is done so far is kept as segments with the slash before each, last first.
without_dots(Path) -> lists:append(lists:reverse(dots(Path, []))).

dots("../" ++ Rest, Done) -> dots(Rest, Done);
dots("./" ++ Rest, Done) -> dots(Rest, Done);
dots("/./" ++ Rest, Done) -> dots([$/ | Rest], Done);
dots("/.", Done) -> dots("/", Done);
dots("/../" ++ Rest, Done) -> dots([$/ | Rest], up(Done));
dots("/..", Done) -> dots("/", up(Done));
dots(".", Done) -> Done;
dots("..", Done) -> Done;
dots([], Done) -> Done;
dots([C | Rest], Done) ->
    {Segment, More} = lists:splitwith(fun(X) -> X =/= $/ end, Rest),
    dots(More, [[C | Segment] | Done]).

up([_ | Done]) -> Done;
up([]) -> [].

resolve(Reference, Base) -> resolve(Reference, Base, []).

resolve(Reference, Base, Options) ->
    case {as_map(Reference), as_map(Base)} of
        {{error, _, _} = Error, _} -> Error;
        {_, {error, _, _} = Error} -> Error;
        {R, #{scheme := _} = B} ->
            Lists = fun(_, V) when is_binary(V) -> characters(V);
                       (_, V) -> V
                    end,
            result(resolved(maps:map(Lists, R), maps:map(Lists, B)), Reference, Options);
        _ -> {error, invalid_scheme, ""}
    end.

resolved(#{scheme := _, path := Path} = R, _) -> R#{path => without_dots(Path)};
resolved(#{host := _, path := Path} = R, #{scheme := Scheme}) -> R#{scheme => Scheme, path => without_dots(Path)};
resolved(#{path := ""} = R, B) ->
    Query = maps:with([query], case maps:is_key(query, R) of
        true -> R;
        false -> B
    end),
    maps:merge(maps:without([query, fragment], B), maps:merge(Query, maps:with([fragment], R)));
resolved(#{path := Path} = R, B) ->
    Merged = case Path of
        [$/ | _] -> Path;
        _ -> merged(Path, B)
    end,
    Place = maps:with([scheme, userinfo, host, port], B),
    maps:merge(Place, (maps:with([query, fragment], R))#{path => without_dots(Merged)}).

merged(Path, #{host := _, path := ""}) -> [$/ | Path];
merged(Path, #{path := Base}) ->
    Folder = lists:reverse(lists:dropwhile(fun(C) -> C =/= $/ end, lists:reverse(Base))),
    Folder ++ Path.

%%% Escapes

quote(Text) -> quote(Text, "").

quote(Text, Safe) when is_binary(Text) -> list_to_binary(quote(characters(Text), Safe));
quote(Text, Safe) -> encoded(characters(Text), characters(Safe) ++ ?UNRESERVED).

%% Escapes are undone; what is none stays.
unquote(Text) when is_binary(Text) -> bytes_undone(Text, lenient);
unquote(Text) -> characters(bytes_undone(unicode:characters_to_binary(Text), lenient)).

percent_decode(Map) when is_map(Map) ->
    try maps:map(fun(Key, Text) when Key =/= port, Key =/= scheme ->
                         case percent_decode(Text) of
                             {error, Why, Of} -> throw({error, {invalid, {Key, {Why, Of}}}});
                             Decoded -> Decoded
                         end;
                    (_, Value) -> Value
                 end, Map)
    catch throw:{error, _} = Error -> Error
    end;
percent_decode(Text) ->
    try
        Bytes = bytes_undone(unicode:characters_to_binary(Text), strict),
        case unicode:characters_to_list(Bytes) of
            List when is_list(List), is_binary(Text) -> Bytes;
            List when is_list(List) -> List;
            {_, _, Rest} -> {error, invalid_utf8, Rest}
        end
    catch throw:{error, _, _} = Error -> Error
    end.

bytes_undone(Bytes, How) -> undone(Bytes, How, <<>>).

undone(<<$%, A, B, Rest/binary>>, How, Done) ->
    case byte([A, B]) of
        none when How =:= strict -> throw({error, invalid_percent_encoding, <<$%, A, B>>});
        none -> undone(<<A, B, Rest/binary>>, How, <<Done/binary, $%>>);
        Byte -> undone(Rest, How, <<Done/binary, Byte>>)
    end;
undone(<<Byte, Rest/binary>>, How, Done) -> undone(Rest, How, <<Done/binary, Byte>>);
undone(<<>>, _, Done) -> Done.

%% Escaped bytes of one encoding as those of another.
transcode(Text, Options) ->
    In = proplists:get_value(in_encoding, Options, utf8),
    Out = proplists:get_value(out_encoding, Options, utf8),
    try
        Result = transcoded(characters(Text), In, Out),
        case is_binary(Text) of
            true -> unicode:characters_to_binary(Result, utf8, Out);
            false -> Result
        end
    catch throw:{error, _, _} = Error -> Error
    end.

transcoded([$% | _] = Text, In, Out) ->
    {Bytes, Rest} = escapes(Text, <<>>),
    case unicode:characters_to_binary(Bytes, In, Out) of
        Other when is_binary(Other), Bytes =/= <<>> -> escaped(Other) ++ transcoded(Rest, In, Out);
        _ -> throw({error, invalid_percent_encoding, Text})
    end;
transcoded([C | Rest], In, Out) -> [C | transcoded(Rest, In, Out)];
transcoded([], _, _) -> [].

escapes([$%, A, B | Rest] = Text, Bytes) ->
    case byte([A, B]) of
        none -> {Bytes, Text};
        Byte -> escapes(Rest, <<Bytes/binary, Byte>>)
    end;
escapes(Rest, Bytes) -> {Bytes, Rest}.

%%% Queries of forms

compose_query(List) -> compose_query(List, []).

compose_query([], _) -> [];
compose_query(List, Options) ->
    Encoding = proplists:get_value(encoding, Options, utf8),
    try
        lists:member(Encoding, [utf8, unicode, latin1]) orelse throw({error, invalid_encoding, Encoding}),
        Text = lists:append(lists:join("&", [pair(Pair, Encoding) || Pair <- List])),
        %% One string makes a string of it.
        case lists:all(fun({Key, Value}) -> is_binary(Key) andalso (is_binary(Value) orelse Value =:= true) end, List) of
            true -> list_to_binary(Text);
            false -> Text
        end
    catch throw:{error, _, _} = Error -> Error
    end.

pair({Key, true}, Encoding) -> form_text(Key, Encoding);
pair({Key, Value}, Encoding) -> form_text(Key, Encoding) ++ "=" ++ form_text(Value, Encoding).

form_text(Text, _) when not is_list(Text), not is_binary(Text) -> throw({error, invalid_input, Text});
form_text(Text, Encoding) -> lists:flatmap(fun(C) -> form_character(C, Encoding) end, characters(Text)).

form_character($\s, _) -> "+";
form_character(C, _) when C >= $0, C =< $9; C >= $A, C =< $Z; C >= $a, C =< $z -> [C];
form_character(C, _) when C =:= $*; C =:= $-; C =:= $.; C =:= $_ -> [C];
form_character(C, latin1) when C < 256 -> escaped(<<C>>);
form_character(C, latin1) -> "%26%23" ++ integer_to_list(C) ++ "%3B";
form_character(C, _) -> escaped(<<C/utf8>>).

dissect_query(<<>>) -> [];
dissect_query([]) -> [];
dissect_query(Query) ->
    IsBinary = is_binary(Query),
    try [dissected(Pair, IsBinary) || Pair <- string:split(characters(Query), "&", all)]
    catch throw:{error, _, _} = Error -> Error
    end.

dissected(Pair, IsBinary) ->
    case lists:splitwith(fun(C) -> C =/= $= end, Pair) of
        {Key, [$= | Value]} -> {form_value(Key, IsBinary), form_value(Value, IsBinary)};
        {Key, []} -> {form_value(Key, IsBinary), true}
    end.

form_value(Text, IsBinary) ->
    Bytes = form_bytes(Text, <<>>),
    case unicode:characters_to_list(Bytes) of
        List when is_list(List), IsBinary -> unicode:characters_to_binary(references(List));
        List when is_list(List) -> references(List);
        _ -> throw({error, invalid_encoding, Bytes})
    end.

form_bytes([$+ | Rest], Bytes) -> form_bytes(Rest, <<Bytes/binary, $\s>>);
form_bytes([$%, A, B | Rest], Bytes) ->
    case byte([A, B]) of
        none -> throw({error, invalid_percent_encoding, [$%, A, B]});
        Byte -> form_bytes(Rest, <<Bytes/binary, Byte>>)
    end;
form_bytes([C | Rest], Bytes) -> form_bytes(Rest, <<Bytes/binary, C/utf8>>);
form_bytes([], Bytes) -> Bytes.

%% `&#N;` stands for the character of that number.
references("&#" ++ Rest = Text) ->
    case lists:splitwith(fun(C) -> C >= $0 andalso C =< $9 end, Rest) of
        {[_ | _] = Digits, [$; | More]} -> [list_to_integer(Digits) | references(More)];
        _ -> [hd(Text) | references(tl(Text))]
    end;
references([C | Rest]) -> [C | references(Rest)];
references([]) -> [].

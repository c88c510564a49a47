%% Regular expressions: replacing and splitting, on top of the natives compile/1,2, run/2,3 and inspect/2.
-module(re).

-export([compile/1, compile/2, inspect/2, replace/3, replace/4, run/2, run/3, split/2, split/3, version/0]).

-export_type([mp/0]).

-type mp() :: {re_pattern, term(), term(), term(), term()}.

-define(BADARG(Arguments, Info), erlang:error(badarg, Arguments, [{error_info, Info#{module => erl_stdlib_errors}}])).

version() -> erlang:nif_error(undefined).

compile(_Pattern) -> erlang:nif_error(undefined).

compile(_Pattern, _Options) -> erlang:nif_error(undefined).

run(_Subject, _RE) -> erlang:nif_error(undefined).

run(_Subject, _RE, _Options) -> erlang:nif_error(undefined).

inspect(_RE, _Item) -> erlang:nif_error(undefined).

%% Replacing.

replace(Subject, RE, Replacement) ->
    try replaced(Subject, RE, Replacement, [])
    catch
        throw:badopt -> ?BADARG([Subject, RE, Replacement], (#{cause => badopt}));
        error:badarg -> ?BADARG([Subject, RE, Replacement], (#{}))
    end.

replace(Subject, RE, Replacement, Options) ->
    try replaced(Subject, RE, Replacement, Options)
    catch
        throw:badopt -> ?BADARG([Subject, RE, Replacement, Options], (#{cause => badopt}));
        error:badarg -> ?BADARG([Subject, RE, Replacement, Options], (#{}))
    end.

replaced(Subject, RE, Replacement, Options) ->
    {Return, RunOptions} = replace_options(Options, iodata, []),
    Unicode = is_unicode(RE, Options),
    Text = to_binary(Subject, Unicode),
    Parts = parts(to_binary(Replacement, Unicode)),
    Capture = case lists:any(fun(P) -> is_integer(P) andalso P > 0 end, Parts) of
        true -> all;
        false -> first
    end,
    case run(Text, RE, [{capture, Capture, index} | RunOptions]) of
        nomatch when Return =:= iodata -> Subject;
        nomatch -> convert(Text, Return, Unicode);
        {match, Found} ->
            Result = case lists:member(global, RunOptions) of
                true -> replace_all(Found, 0, Text, Parts);
                false -> replace_one(Found, Text, Parts)
            end,
            convert(Result, Return, Unicode)
    end.

replace_options([], Return, Run) -> {Return, lists:reverse(Run)};
replace_options([{return, Return} | Rest], _, Run) -> replace_options(Rest, return(Return), Run);
replace_options([{capture, _} | _], _, _) -> throw(badopt);
replace_options([{capture, _, _} | _], _, _) -> throw(badopt);
replace_options([report_errors | _], _, _) -> throw(badopt);
replace_options([Option | Rest], Return, Run) -> replace_options(Rest, Return, [Option | Run]);
replace_options(_, _, _) -> throw(badopt).

return(iodata) -> iodata;
return(list) -> list;
return(binary) -> binary;
return(_) -> throw(badopt).

%% What comes in place of a match: texts, and numbers of groups.
parts(Replacement) -> parts(Replacement, <<>>, []).

parts(<<>>, <<>>, Parts) -> lists:reverse(Parts);
parts(<<>>, Text, Parts) -> lists:reverse(Parts, [Text]);
parts(<<$&, Rest/binary>>, Text, Parts) -> parts(Rest, <<>>, [0 | end_text(Text, Parts)]);
parts(<<"\\g{", Rest/binary>>, Text, Parts) ->
    case digits(Rest, 0, false) of
        {N, <<$}, After/binary>>} -> parts(After, <<>>, [N | end_text(Text, Parts)]);
        _ -> parts(<<${, Rest/binary>>, <<Text/binary, $g>>, Parts)
    end;
parts(<<"\\g", Rest/binary>>, Text, Parts) ->
    case digits(Rest, 0, false) of
        {N, After} -> parts(After, <<>>, [N | end_text(Text, Parts)]);
        none -> parts(Rest, <<Text/binary, $g>>, Parts)
    end;
parts(<<$\\, Digit, _/binary>> = Escape, Text, Parts) when Digit >= $0, Digit =< $9 ->
    <<$\\, Rest/binary>> = Escape,
    {N, After} = digits(Rest, 0, false),
    parts(After, <<>>, [N | end_text(Text, Parts)]);
parts(<<$\\, Char, Rest/binary>>, Text, Parts) -> parts(Rest, <<Text/binary, Char>>, Parts);
parts(<<Char, Rest/binary>>, Text, Parts) -> parts(Rest, <<Text/binary, Char>>, Parts).

end_text(<<>>, Parts) -> Parts;
end_text(Text, Parts) -> [Text | Parts].

digits(<<Digit, Rest/binary>>, N, _) when Digit >= $0, Digit =< $9 -> digits(Rest, N * 10 + Digit - $0, true);
digits(Rest, N, true) -> {N, Rest};
digits(_, _, false) -> none.

replace_one([{At, Length} | _] = Groups, Text, Parts) ->
    <<Before:At/binary, _:Length/binary, After/binary>> = Text,
    New = fill(Parts, Text, Groups),
    case {Before, After} of
        {<<>>, <<>>} -> [New];
        {<<>>, _} -> [New | After];
        {_, <<>>} -> [Before, New];
        _ -> [Before, New | After]
    end.

replace_all([], Last, Text, _Parts) ->
    case Text of
        <<_:Last/binary>> -> [];
        <<_:Last/binary, Rest/binary>> -> Rest
    end;
replace_all([[{At, Length} | _] = Groups | Found], Last, Text, Parts) ->
    New = fill(Parts, Text, Groups),
    Rest = replace_all(Found, At + Length, Text, Parts),
    case At - Last of
        Between when Between > 0 -> [binary:part(Text, Last, Between), New | Rest];
        _ -> [New | Rest]
    end.

fill([Part], _, _) when is_binary(Part) -> Part;
fill(Parts, Text, Groups) -> [fill_part(Part, Text, Groups) || Part <- Parts].

fill_part(Part, _, _) when is_binary(Part) -> Part;
fill_part(N, Text, Groups) -> group(N, Text, Groups).

group(0, Text, [Span | _]) -> span(Text, Span);
group(N, Text, [_ | Groups]) -> group(N - 1, Text, Groups);
group(_, _, []) -> <<>>.

span(_, {-1, _}) -> <<>>;
span(Text, {At, Length}) when Length >= 0 -> binary:part(Text, At, Length);
span(_, _) -> <<>>.

%% Splitting.

split(Subject, RE) ->
    try parted(Subject, RE, [])
    catch
        throw:badopt -> ?BADARG([Subject, RE], (#{cause => badopt}));
        error:badarg -> ?BADARG([Subject, RE], (#{}))
    end.

split(Subject, RE, Options) ->
    try parted(Subject, RE, Options)
    catch
        throw:badopt -> ?BADARG([Subject, RE, Options], (#{cause => badopt}));
        error:badarg -> ?BADARG([Subject, RE, Options], (#{}))
    end.

parted(Subject, RE, Options) ->
    {Return, Limit, Group, Trim, RunOptions} = split_options(Options, {iodata, infinity, false, false}, []),
    Unicode = is_unicode(RE, Options),
    Text = to_binary(Subject, Unicode),
    {Pattern, Groups} = prepared(RE, RunOptions),
    Found = case Text of
        <<>> -> [];
        _ when Limit =:= 1 -> [];
        _ ->
            case run(Text, Pattern, [global, {capture, all, index} | running(RE, RunOptions)]) of
                nomatch -> [];
                {match, Matches} -> Matches
            end
    end,
    Pieces = pieces(Found, 0, Text, Groups, Limit),
    Trimmed = case Trim andalso Text =/= <<>> of
        true -> trim(Pieces, Group);
        false -> Pieces
    end,
    Converted = [[convert_piece(P, Return, Unicode) || P <- Piece] || Piece <- Trimmed],
    case Group of
        true -> Converted;
        false -> lists:append(Converted)
    end.

split_options([], {Return, Limit, Group, Trim}, Run) -> {Return, Limit, Group, Trim, lists:reverse(Run)};
split_options([Option | Rest], {Return, Limit, Group, Trim} = Given, Run) ->
    case Option of
        {return, R} -> split_options(Rest, {return(R), Limit, Group, Trim}, Run);
        {parts, infinity} -> split_options(Rest, {Return, infinity, Group, Trim}, Run);
        {parts, 0} -> split_options(Rest, {Return, infinity, Group, true}, Run);
        {parts, N} when is_integer(N), N > 0 -> split_options(Rest, {Return, N, Group, Trim}, Run);
        {parts, _} -> throw(badopt);
        group -> split_options(Rest, {Return, Limit, true, Trim}, Run);
        trim -> split_options(Rest, {Return, Limit, Group, true}, Run);
        {capture, _} -> throw(badopt);
        {capture, _, _} -> throw(badopt);
        global -> throw(badopt);
        report_errors -> throw(badopt);
        _ -> split_options(Rest, Given, [Option | Run])
    end;
split_options(_, _, _) -> throw(badopt).

%% A compiled pattern and the number of its groups.
prepared({re_pattern, Groups, _, _, _} = RE, _) -> {RE, Groups};
prepared(RE, Options) ->
    case compile(RE, [O || O <- Options, not for_running(O)]) of
        {ok, {re_pattern, Groups, _, _, _} = Compiled} -> {Compiled, Groups};
        {error, _} -> erlang:error(badarg)
    end.

%% The options that running takes as well, where compiling has taken the others.
running({re_pattern, _, _, _, _}, Options) -> Options;
running(_, Options) -> [O || O <- Options, for_running(O)].

for_running({offset, _}) -> true;
for_running({match_limit, _}) -> true;
for_running({match_limit_recursion, _}) -> true;
for_running(notbol) -> true;
for_running(noteol) -> true;
for_running(notempty) -> true;
for_running(notempty_atstart) -> true;
for_running(_) -> false.

%% The text between matches, each piece with the groups of the match that ends it.
pieces([], Last, Text, _, _) -> [[rest(Last, Text)]];
pieces(_, Last, Text, _, 1) -> [[rest(Last, Text)]];
%% Nothing just after a match separates nothing.
pieces([[{Last, 0} | _] | Found], Last, Text, Groups, Limit) ->
    pieces(Found, Last, Text, Groups, Limit);
pieces([[{At, Length} | Captured] | Found], Last, Text, Groups, Limit) ->
    Piece = binary:part(Text, Last, At - Last),
    [[Piece | padded(Captured, Groups, Text)] | pieces(Found, At + Length, Text, Groups, less(Limit))].

less(infinity) -> infinity;
less(N) -> N - 1.

rest(Last, Text) ->
    <<_:Last/binary, Rest/binary>> = Text,
    Rest.

padded(_, 0, _) -> [];
padded([Span | Spans], N, Text) -> [span(Text, Span) | padded(Spans, N - 1, Text)];
padded([], N, Text) -> [<<>> | padded([], N - 1, Text)].

%% Without the empty pieces at the end.
trim(Pieces, true) -> lists:reverse(lists:dropwhile(fun all_empty/1, lists:reverse(Pieces)));
trim(Pieces, false) ->
    Flat = lists:reverse(lists:append(Pieces)),
    [lists:reverse(lists:dropwhile(fun(P) -> P =:= <<>> end, Flat))].

all_empty(Piece) -> lists:all(fun(P) -> P =:= <<>> end, Piece).

convert_piece(Piece, iodata, _) -> Piece;
convert_piece(Piece, Return, Unicode) -> convert(Piece, Return, Unicode).

%% Text in the form asked for.

is_unicode({re_pattern, _, Unicode, _, _}, _) -> Unicode =:= 1;
is_unicode(_, Options) -> lists:member(unicode, Options).

to_binary(Text, _) when is_binary(Text) -> Text;
to_binary(Text, false) -> iolist_to_binary(Text);
to_binary(Text, true) ->
    case unicode:characters_to_binary(Text) of
        Binary when is_binary(Binary) -> Binary;
        _ -> erlang:error(badarg)
    end.

convert(Text, iodata, _) -> Text;
convert(Text, binary, _) -> iolist_to_binary(Text);
convert(Text, list, false) -> binary_to_list(iolist_to_binary(Text));
convert(Text, list, true) ->
    case unicode:characters_to_list(iolist_to_binary(Text)) of
        List when is_list(List) -> List;
        _ -> erlang:error(badarg)
    end.

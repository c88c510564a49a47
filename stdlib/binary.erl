%% Binaries: replacing and hexadecimal text. Searching, splitting and all else are natives (see NATIVES.md).
-module(binary).

%% What explains the errors raised here, as OTP has it.
-define(INFO, [{error_info, #{module => erl_stdlib_errors}}]).

-export([split/2, split/3, replace/3, replace/4, encode_hex/1, encode_hex/2, decode_hex/1, join/2]).

-type pattern() :: binary() | [binary()] | term().

%%% Splitting: natives

-spec split(binary(), pattern()) -> [binary()].
split(_, _) -> erlang:nif_error(undefined).

-spec split(binary(), pattern(), [term()]) -> [binary()].
split(_, _, _) -> erlang:nif_error(undefined).

%%% Replacing

replace(Subject, Pattern, Replacement) ->
    try replace_1(Subject, Pattern, Replacement, [])
    catch error:_ -> error(badarg, [Subject, Pattern, Replacement], ?INFO)
    end.

%% Options: `global`, `{scope, {Start, Length}}`, `{insert_replaced, Positions}`: the replaced part is copied into the
%% replacement at these positions. The replacement may be a fun of the replaced part.
-spec replace(binary(), pattern(), binary() | fun((binary()) -> binary()), [term()]) -> binary().
replace(Subject, Pattern, Replacement, Options) ->
    try replace_1(Subject, Pattern, Replacement, Options)
    catch error:_ ->
        Cause = try is_binary(Replacement) andalso replace_options(Options, false, [], []) of
                    _ -> #{}
                catch
                    error:_ -> #{cause => badopt}
                end,
        error(badarg, [Subject, Pattern, Replacement, Options], [{error_info, Cause#{module => erl_stdlib_errors}}])
    end.

replace_1(Subject, Pattern, Replacement, Options) ->
    true = is_binary(Replacement) orelse is_function(Replacement, 1),
    {Global, Insert, Scope} = replace_options(Options, false, [], []),
    Replace = replacer(Replacement, Insert),
    case matches(Subject, Pattern, Scope, Global) of
        [] -> Subject;
        Matches -> iolist_to_binary(replaced(Subject, Matches, 0, Replace))
    end.

replace_options([global | Options], _, Insert, Scope) -> replace_options(Options, true, Insert, Scope);
replace_options([{insert_replaced, Insert} | Options], Global, _, Scope) -> replace_options(Options, Global, Insert, Scope);
replace_options([{scope, {_, _}} = Scope | Options], Global, Insert, _) -> replace_options(Options, Global, Insert, [Scope]);
replace_options([], Global, Insert, Scope) -> {Global, Insert, Scope}.

replacer(Replacement, []) when is_binary(Replacement) -> fun(_) -> Replacement end;
replacer(Replacement, At) when is_binary(Replacement), is_integer(At) -> replacer(Replacement, [At]);
replacer(Replacement, Positions) when is_binary(Replacement), is_list(Positions) ->
    Pieces = pieces(Replacement, lists:sort(Positions), 0),
    fun(Part) -> lists:join(Part, Pieces) end;
replacer(Replacement, []) ->
    fun(Part) ->
            case Replacement(Part) of
                New when is_binary(New) -> New
            end
    end.

pieces(Replacement, [At | Positions], From) when At >= From ->
    [binary:part(Replacement, From, At - From) | pieces(Replacement, Positions, At)];
pieces(Replacement, [], From) -> [after_match(Replacement, From)].

replaced(Subject, [{At, Len} | Matches], From, Replace) ->
    [binary:part(Subject, From, At - From), Replace(binary:part(Subject, At, Len)) |
     replaced(Subject, Matches, At + Len, Replace)];
replaced(Subject, [], From, _) -> [after_match(Subject, From)].

matches(Subject, Pattern, Scope, true) -> binary:matches(Subject, Pattern, Scope);
matches(Subject, Pattern, Scope, false) ->
    case binary:match(Subject, Pattern, Scope) of
        nomatch -> [];
        Match -> [Match]
    end.

after_match(Subject, From) -> binary:part(Subject, From, byte_size(Subject) - From).

%%% Hexadecimal text

encode_hex(Bin) when is_binary(Bin) -> encode_hex(Bin, uppercase);
encode_hex(Bin) -> error(badarg, [Bin], ?INFO).

-spec encode_hex(binary(), uppercase | lowercase) -> binary().
encode_hex(Bin, Case) when is_binary(Bin), (Case =:= uppercase orelse Case =:= lowercase) ->
    Ten =
        case Case of
            uppercase -> $A - 10;
            lowercase -> $a - 10
        end,
    list_to_binary([[hex(Byte bsr 4, Ten), hex(Byte band 15, Ten)] || Byte <- binary_to_list(Bin)]);
encode_hex(Bin, Case) -> error(badarg, [Bin, Case], ?INFO).

hex(N, _) when N < 10 -> $0 + N;
hex(N, Ten) -> Ten + N.

-spec decode_hex(binary()) -> binary().
decode_hex(Hex) when is_binary(Hex), byte_size(Hex) rem 2 =:= 0 ->
    try list_to_binary(bytes(binary_to_list(Hex)))
    catch error:_ -> error(badarg, [Hex], ?INFO)
    end;
decode_hex(Hex) -> error(badarg, [Hex], ?INFO).

bytes([A, B | Rest]) -> [digit(A) * 16 + digit(B) | bytes(Rest)];
bytes([]) -> [].

digit(C) when C >= $0, C =< $9 -> C - $0;
digit(C) when C >= $A, C =< $F -> C - $A + 10;
digit(C) when C >= $a, C =< $f -> C - $a + 10.

%% Binaries with a separator between them.
-spec join([binary()], binary()) -> binary().
join(Binaries, Separator) when is_list(Binaries), is_binary(Separator) ->
    try iolist_to_binary(lists:join(Separator, [Bin || Bin <- Binaries, is_binary(Bin) orelse error(badarg)]))
    catch error:_ -> error(badarg, [Binaries, Separator], ?INFO)
    end;
join(Binaries, Separator) -> error(badarg, [Binaries, Separator], ?INFO).

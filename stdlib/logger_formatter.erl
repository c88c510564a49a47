%% Events of the logger as text, by a template.
%%
%% A template is a list of text and of keys: `level`, `msg`, keys of the metadata, or paths through it; `{Key, If, Else}` depends on
%% whether there is such a value. Options say how a message is written, how long it may be, and how the time is shown.
-module(logger_formatter).

-export([format/2, check_config/1]).

-export_type([template/0]).

-type template() :: [atom() | [atom()] | {atom() | [atom()], template(), template()} | unicode:chardata()].

-spec format(logger:log_event(), map()) -> unicode:chardata().
format(#{level := Level, msg := Message, meta := Meta0}, Given) when is_map(Given) ->
    Config = complete(Given),
    Meta = with_header(Level, Meta0, Config),
    {Front, Rest} = lists:splitwith(fun(Part) -> Part =/= msg end, maps:get(template, Config)),
    Before = filled(Front, Level, Meta, Config),
    {Shown, After} =
        case Rest of
            [] -> {"", []};
            [msg | Back] ->
                Behind = filled(Back, Level, Meta, Config),
                {shown(Message, Meta, with_room(Config, [Before, Behind])), Behind}
        end,
    cut(Before, Shown, After, maps:get(max_size, Config)).

%%% Options

complete(Given) ->
    Offset =
        case Given of
            #{time_offset := Asked} -> Asked;
            _ -> case is_utc() of true -> "Z"; false -> "" end
        end,
    Size =
        case Given of
            #{max_size := Most} -> max(10, Most);
            _ -> unlimited
        end,
    Depth =
        case Given of
            #{depth := Deepest} -> max(5, Deepest);
            _ -> error_logger:get_format_depth()
        end,
    Config = maps:merge(#{chars_limit => unlimited, error_logger_notice_header => info, legacy_header => false, single_line => true,
                          time_designator => $T},
                        Given#{max_size => Size, depth => Depth, time_offset => Offset}),
    case Config of
        #{template := _} -> Config;
        #{legacy_header := true} -> Config#{template => [[logger_formatter, header], "\n", msg, "\n"]};
        #{single_line := true} -> Config#{template => [time, " ", level, ": ", msg, "\n"]};
        _ -> Config#{template => [time, " ", level, ":\n", msg, "\n"]}
    end.

%% Whether an application has asked for universal time.
is_utc() ->
    case [Flag || Application <- [sasl, stdlib], {ok, Flag} <- [application:get_env(Application, utc_log)], is_boolean(Flag)] of
        [Flag | _] -> Flag;
        [] -> false
    end.

with_room(#{chars_limit := unlimited} = Config, _) -> Config;
with_room(#{chars_limit := Limit} = Config, Around) -> Config#{chars_limit := max(0, Limit - io_lib:chars_length(Around))}.

%%% The template

filled([level | Template], Level, Meta, Config) -> [atom_to_list(Level) | filled(Template, Level, Meta, Config)];
filled([{Key, If, Else} | Template], Level, Meta, Config) ->
    Text =
        case value(Key, Meta) of
            {ok, Value} -> filled(If, Level, Meta#{Key => Value}, Config);
            error -> filled(Else, Level, Meta, Config)
        end,
    [Text | filled(Template, Level, Meta, Config)];
filled([Key | Template], Level, Meta, Config) when is_atom(Key); is_list(Key), is_atom(hd(Key)) ->
    Text =
        case value(Key, Meta) of
            {ok, Value} -> text(Key, Value, Config);
            error -> ""
        end,
    [Text | filled(Template, Level, Meta, Config)];
filled([Text | Template], Level, Meta, Config) -> [Text | filled(Template, Level, Meta, Config)];
filled([], _, _, _) -> [].

%% A path through maps may also be a key as a whole.
value(Key, Meta) when is_map_key(Key, Meta) -> {ok, maps:get(Key, Meta)};
value([Key | Path], Meta) when is_map_key(Key, Meta) -> value(Path, maps:get(Key, Meta));
value([], Value) -> {ok, Value};
value(_, _) -> error.

text(time, Time, #{time_offset := Offset, time_designator := Designator}) when is_integer(Time) ->
    calendar:system_time_to_rfc3339(Time, [{unit, microsecond}, {offset, Offset}, {time_designator, Designator}]);
text(mfa, {M, F, Args}, Config) when is_list(Args) -> text(mfa, {M, F, length(Args)}, Config);
text(mfa, {M, F, A}, _) when is_atom(M), is_atom(F), is_integer(A) -> io_lib:format("~tw:~tw/~w", [M, F, A]);
text(_, Value, _) when is_atom(Value) -> atom_to_list(Value);
text(_, Value, _) when is_integer(Value) -> integer_to_list(Value);
text(_, Value, _) when is_pid(Value) -> pid_to_list(Value);
text(_, Value, _) when is_reference(Value) -> ref_to_list(Value);
text(_, [_ | _] = Value, Config) ->
    try io_lib:printable_list(lists:flatten(Value)) of
        true -> Value;
        false -> written(Value, Config)
    catch error:_ -> written(Value, Config)
    end;
text(_, Value, Config) -> written(Value, Config).

written(Value, #{single_line := true}) -> io_lib:format("~0tp", [Value]);
written(Value, _) -> io_lib:format("~tp", [Value]).

%% The header that logs have always had, as a value of the metadata.
with_header(Level, #{time := Time} = Meta, #{legacy_header := true} = Config) ->
    Own = maps:get(logger_formatter, Meta, #{}),
    Title =
        case Own of
            #{title := Given} -> Given;
            _ when Level =:= notice, is_map_key(error_logger, Meta) -> title(maps:get(error_logger_notice_header, Config));
            _ -> title(Level)
        end,
    Universal = is_universal(maps:get(time_offset, Config)),
    {{Y, M, D}, {H, Min, S}} =
        case Universal of
            true -> calendar:system_time_to_universal_time(Time, microsecond);
            false -> calendar:system_time_to_local_time(Time, microsecond)
        end,
    Month = element(M, {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}),
    Zone = case Universal of true -> "UTC "; false -> "" end,
    Header = io_lib:format("=~ts==== ~w-~s-~4w::~2..0w:~2..0w:~2..0w.~6..0w ~s===",
                           [Title, D, Month, Y, H, Min, S, Time rem 1000000, Zone]),
    Meta#{logger_formatter => Own#{title => Title, header => Header}};
with_header(_, Meta, _) -> Meta.

title(Level) -> string:uppercase(atom_to_list(Level)) ++ " REPORT".

is_universal(0) -> true;
is_universal("z") -> true;
is_universal("Z") -> true;
is_universal([$+ | Zone]) -> io_lib:fread("~d:~d", Zone) =:= {ok, [0, 0], []};
is_universal(_) -> false.

%%% The message

shown(Message, Meta, #{single_line := true} = Config) ->
    Text = string:trim(unicode:characters_to_list(said(Message, Meta, Config)), both, " \r\n"),
    re:replace(Text, ",?\r?\n\s*", ", ", [{return, list}, global, unicode]);
shown(Message, Meta, Config) -> said(Message, Meta, Config).

said({string, Text}, _, Config) -> formatted("~ts", [Text], Config);
said({report, Report}, Meta, Config) ->
    Callback =
        case Config of
            #{report_cb := Own} when is_function(Own, 1); is_function(Own, 2) -> Own;
            _ -> maps:get(report_cb, Meta, fun logger:format_report/1)
        end,
    try
        case Callback of
            _ when is_function(Callback, 1) -> Callback(Report);
            _ -> Callback(Report, maps:with([depth, chars_limit, single_line], Config))
        end
    of
        {Format, Args} when is_function(Callback, 1), is_list(Format), is_list(Args) -> formatted(Format, Args, Config);
        Text when is_function(Callback, 2), is_list(Text) orelse is_binary(Text) ->
            %% It has kept to the limits.
            try unicode:characters_to_list(Text) of
                Chars when is_list(Chars) -> Chars;
                _ -> failed(Callback, " ERROR: ", "; Returned: ", [Report, Text], Config)
            catch error:_ -> failed(Callback, " ERROR: ", "; Returned: ", [Report, Text], Config)
            end;
        Other -> failed(Callback, " ERROR: ", "; Returned: ", [Report, Other], Config)
    catch
        Class:Reason:Stack ->
            Own1 = lists:takewhile(fun({Module, _, _, _}) -> Module =/= ?MODULE end, Stack),
            failed(Callback, " CRASH: ", "; Reason: ", [Report, {Class, Reason, Own1}], Config)
    end;
said({Format, Args}, _, Config) -> formatted(Format, Args, Config).

failed(Callback, What, Then, Args, Config) ->
    {arity, Arity} = erlang:fun_info(Callback, arity),
    Control = control(Config),
    formatted(lists:concat(["REPORT_CB/", Arity, What, Control, Then, Control]), Args, Config).

control(#{single_line := true}) -> "~0tp";
control(_) -> "~tp".

%% With the depth as an argument of every control that has one, and on one line if there is to be one.
formatted(Format, Args, #{depth := Depth, chars_limit := Limit, single_line := IsSingle} = Config) ->
    Options = case Limit of unlimited -> []; _ -> [{chars_limit, Limit}] end,
    try
        Specs = [limited(Spec, Depth, IsSingle) || Spec <- io_lib:scan_format(Format, Args)],
        io_lib:build_text(Specs, Options)
    catch
        _:_ ->
            Control = control(Config),
            Parts = [limited(Spec, Depth, IsSingle)
                     || Spec <- io_lib:scan_format("FORMAT ERROR: " ++ Control ++ " - " ++ Control, [Format, Args])],
            io_lib:build_text(Parts, Options)
    end.

limited(#{control_char := C} = Spec, Depth, true) when C =:= $p; C =:= $P -> deep(Spec#{width => 0}, Depth);
limited(#{control_char := C} = Spec, Depth, false) when C =:= $p -> deep(Spec, Depth);
limited(#{control_char := $w} = Spec, Depth, _) -> deep(Spec, Depth);
limited(Spec, _, _) -> Spec.

deep(Spec, unlimited) -> Spec;
deep(#{control_char := $p, args := Args} = Spec, Depth) -> Spec#{control_char := $P, args := Args ++ [Depth]};
deep(#{control_char := $w, args := Args} = Spec, Depth) -> Spec#{control_char := $W, args := Args ++ [Depth]};
deep(Spec, _) -> Spec.

%% What is too long ends in dots, and in the newline that it had.
cut(Before, Shown, After, unlimited) -> [Before, Shown, After];
cut(Before, Shown, After, Size) ->
    Text = [Before, Shown, After],
    case io_lib:chars_length(Text) > Size of
        false -> Text;
        true ->
            Flat = unicode:characters_to_list(Text),
            case lists:last(Flat) of
                $\n -> lists:sublist(Flat, Size - 4) ++ "...\n";
                _ -> lists:sublist(Flat, Size - 3) ++ "..."
            end
    end.

%%% Checking

-spec check_config(term()) -> ok | {error, term()}.
check_config(Config) when is_map(Config) -> check(maps:to_list(Config));
check_config(Config) -> {error, {invalid_formatter_config, ?MODULE, Config}}.

check([{template, Template} | Rest]) ->
    case is_template(Template) of
        true -> check(Rest);
        false -> {error, {invalid_formatter_template, ?MODULE, Template}}
    end;
check([{Key, Value} = Item | Rest]) ->
    case is_valid(Key, Value) of
        true -> check(Rest);
        false -> {error, {invalid_formatter_config, ?MODULE, Item}}
    end;
check([]) -> ok.

is_valid(Key, Limit) when Key =:= chars_limit; Key =:= depth; Key =:= max_size ->
    Limit =:= unlimited orelse is_integer(Limit) andalso Limit > 0;
is_valid(Key, Flag) when Key =:= single_line; Key =:= legacy_header -> is_boolean(Flag);
is_valid(error_logger_notice_header, Level) -> Level =:= info orelse Level =:= notice;
is_valid(report_cb, Callback) -> is_function(Callback, 1) orelse is_function(Callback, 2);
is_valid(time_designator, C) -> is_integer(C) andalso io_lib:printable_latin1_list([C]);
is_valid(time_offset, Offset) -> is_integer(Offset) orelse is_zone(Offset);
is_valid(_, _) -> false.

is_zone([Sign | Zone]) when Sign =:= $+; Sign =:= $- ->
    try io_lib:fread("~d:~d", Zone) of
        {ok, [_, _], []} -> true;
        _ -> false
    catch _:_ -> false
    end;
is_zone(Zone) -> Zone =:= "" orelse Zone =:= "Z" orelse Zone =:= "z".

is_template([Key | Rest]) when is_atom(Key) -> is_template(Rest);
is_template([[Key | _] = Path | Rest]) when is_atom(Key) -> lists:all(fun is_atom/1, Path) andalso is_template(Rest);
is_template([{Key, If, Else} | Rest]) when is_atom(Key); is_list(Key), Key =/= [], is_atom(hd(Key)) ->
    is_template(If) andalso is_template(Else) andalso is_template(Rest);
is_template([Text | Rest]) when is_list(Text) -> io_lib:printable_unicode_list(Text) andalso is_template(Rest);
is_template([Text | Rest]) when is_binary(Text) ->
    case unicode:characters_to_list(Text) of
        Chars when is_list(Chars) -> is_template([Chars | Rest]);
        _ -> false
    end;
is_template([]) -> true;
is_template(_) -> false.

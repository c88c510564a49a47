%% The older interface to logging: its events are the logger's, and its handlers those of the event manager `error_logger`.
%%
%% An event that comes from here, or has an entry `error_logger` in its metadata (as those of the behaviours have), is handed to the
%% manager by a handler of the logger: `{Tag, GroupLeader, {Pid, Format, Args}}` or, of a report, `{Tag, GroupLeader, {Pid, Type,
%% Report}}`. Manager and handler are there while the manager has handlers.
-module(error_logger).

-export([error_msg/1, error_msg/2, format/2, warning_msg/1, warning_msg/2, info_msg/1, info_msg/2,
         error_report/1, error_report/2, warning_report/1, warning_report/2, info_report/1, info_report/2,
         add_report_handler/1, add_report_handler/2, delete_report_handler/1, which_report_handlers/0, start/0, stop/0,
         limit_term/1, get_format_depth/0, tty/1, logfile/1, warning_map/0]).
-export([log/2]).

-spec error_msg(string()) -> ok.
error_msg(Format) -> error_msg(Format, []).

-spec error_msg(string(), [term()]) -> ok.
error_msg(Format, Args) -> message(error, error_msg, error, Format, Args).

-spec format(string(), [term()]) -> ok.
format(Format, Args) -> error_msg(Format, Args).

-spec warning_msg(string()) -> ok.
warning_msg(Format) -> warning_msg(Format, []).

-spec warning_msg(string(), [term()]) -> ok.
warning_msg(Format, Args) -> message(warning, warning_msg, warning_msg, Format, Args).

%% Informational output of this interface has the level of a notice, which is shown by default, under its own title.
-spec info_msg(string()) -> ok.
info_msg(Format) -> info_msg(Format, []).

-spec info_msg(string(), [term()]) -> ok.
info_msg(Format, Args) -> message(notice, info_msg, info_msg, Format, Args).

message(Level, Function, Tag, Format, Args) ->
    logger:log(Level, #{label => {error_logger, Function}, format => Format, args => Args},
               #{error_logger => #{tag => Tag}, report_cb => fun formatted/1}).

-spec error_report(term()) -> ok.
error_report(Report) -> error_report(std_error, Report).

-spec error_report(term(), term()) -> ok.
error_report(Type, Report) -> report(error, error_report, std_error, Type, Report).

-spec warning_report(term()) -> ok.
warning_report(Report) -> warning_report(std_warning, Report).

-spec warning_report(term(), term()) -> ok.
warning_report(Type, Report) -> report(warning, warning_report, std_warning, Type, Report).

-spec info_report(term()) -> ok.
info_report(Report) -> info_report(std_info, Report).

-spec info_report(term(), term()) -> ok.
info_report(Type, Report) -> report(notice, info_report, std_info, Type, Report).

%% Types of a program's own are a domain, for filters.
report(Level, Tag, Standard, Type, Report) ->
    Meta = #{error_logger => #{tag => Tag, type => Type}, report_cb => fun formatted/1},
    logger:log(Level, #{label => {error_logger, Tag}, report => Report},
               case Type of
                   Standard -> Meta;
                   _ -> Meta#{domain => [Type]}
               end).

formatted(#{report := Report}) when is_map(Report) -> {"~tp\n", [Report]};
formatted(#{report := Report}) -> erlet_log:report_format(Report);
formatted(#{format := Format, args := Args}) ->
    try io_lib:scan_format(Format, Args) of
        _ -> {Format, Args}
    catch _:_ -> {"ERROR: ~tp - ~tp", [Format, Args]}
    end.

%%% Handlers

%% The manager alone, for those that let the logger's events reach it themselves.
-spec start() -> ok.
start() ->
    _ = gen_event:start({local, error_logger}),
    ok.

-spec stop() -> ok.
stop() ->
    case whereis(error_logger) of
        undefined -> ok;
        _ ->
            _ = logger:remove_handler(error_logger),
            gen_event:stop(error_logger)
    end.

-spec add_report_handler(module()) -> term().
add_report_handler(Module) -> add_report_handler(Module, []).

-spec add_report_handler(module(), term()) -> term().
add_report_handler(Module, Args) when is_atom(Module) ->
    ok = start(),
    _ = logger:add_handler(error_logger, error_logger, #{level => info, filter_default => log}),
    gen_event:add_handler(error_logger, Module, Args).

-spec delete_report_handler(module()) -> term().
delete_report_handler(Module) when is_atom(Module) ->
    case whereis(error_logger) of
        undefined -> ok;
        _ ->
            Answer = gen_event:delete_handler(error_logger, Module, []),
            case gen_event:which_handlers(error_logger) of
                [] ->
                    _ = logger:remove_handler(error_logger),
                    gen_event:stop(error_logger);
                _ -> ok
            end,
            Answer
    end.

-spec which_report_handlers() -> [module()].
which_report_handlers() ->
    case whereis(error_logger) of
        undefined -> [];
        _ -> gen_event:which_handlers(error_logger)
    end.

%% As a handler of the logger.
-spec log(map(), map()) -> ok.
log(#{msg := {report, Report}, meta := #{error_logger := #{tag := Tag, type := Type}} = Meta}, _) ->
    Told =
        case Report of
            #{label := _, report := Inner} -> Inner;
            _ -> Report
        end,
    notify(Tag, Type, Told, Meta);
log(#{msg := {report, #{label := _, format := Format, args := Args}}, meta := #{error_logger := #{tag := Tag}} = Meta}, _) ->
    notify(Tag, Format, Args, Meta);
log(#{msg := {report, Report}, meta := #{error_logger := #{tag := Tag} = Older} = Meta}, _) ->
    {Format, Args} = said(maps:get(report_cb, Older, maps:get(report_cb, Meta, fun logger:format_report/1)), Report),
    notify(Tag, Format, Args, Meta);
log(#{msg := {Format, Args}, meta := #{error_logger := #{tag := Tag}} = Meta}, _) when is_list(Format), is_list(Args) ->
    notify(Tag, Format, Args, Meta);
log(_, _) -> ok.

said(Callback, Report) when is_function(Callback, 1) ->
    try Callback(Report) of
        {Format, Args} when is_list(Format), is_list(Args) -> {Format, Args};
        Other -> {"REPORT_CB ERROR: ~tp; Returned: ~tp", [Report, Other]}
    catch Class:Reason:Stack -> {"REPORT_CB CRASH: ~tp; Reason: ~tp", [Report, {Class, Reason, Stack}]}
    end;
said(Callback, Report) ->
    try Callback(Report, #{depth => get_format_depth(), chars_limit => unlimited, single_line => false}) of
        Text when is_list(Text); is_binary(Text) -> {"~ts", [Text]};
        Other -> {"REPORT_CB ERROR: ~tp; Returned: ~tp", [Report, Other]}
    catch Class:Reason -> {"REPORT_CB CRASH: ~tp; Reason: ~tp", [Report, {Class, Reason}]}
    end.

notify(Tag, What, Rest, #{pid := Pid, gl := Leader}) ->
    _ = (catch gen_event:notify(error_logger, {Tag, Leader, {Pid, What, Rest}})),
    ok.

%%% Settings

-spec limit_term(term()) -> term().
limit_term(Term) ->
    case get_format_depth() of
        unlimited -> Term;
        Depth -> io_lib:limit_term(Term, Depth)
    end.

%% How deep terms are shown: the application kernel's `error_logger_format_depth`, but at least 10.
-spec get_format_depth() -> unlimited | pos_integer().
get_format_depth() ->
    case application:get_env(kernel, error_logger_format_depth) of
        {ok, Depth} when is_integer(Depth) -> max(10, Depth);
        _ -> unlimited
    end.

-spec tty(boolean()) -> ok.
tty(true) ->
    _ = logger:remove_handler_filter(default, error_logger_tty_false),
    ok;
tty(false) ->
    _ = logger:add_handler_filter(default, error_logger_tty_false, {fun(_, _) -> stop end, ok}),
    ok.

logfile(filename) -> {error, no_log_file};
logfile(_) -> {error, no_log_file}.

warning_map() -> warning.

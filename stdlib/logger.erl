%% Logging: events with a level, a message and metadata, printed by one default handler.
%%
%% An event at or above the configured level is formatted in the caller and written to standard error in the classic form, `=ERROR REPORT==== Time ===`.
%% Handlers of one's own are modules with `log(Event, Config)`; logger_std_h is one for files and devices. erlet_log_config keeps who
%% gets what.
-module(logger).

-export([emergency/1, emergency/2, emergency/3, alert/1, alert/2, alert/3, critical/1, critical/2, critical/3,
         error/1, error/2, error/3, warning/1, warning/2, warning/3, notice/1, notice/2, notice/3,
         info/1, info/2, info/3, debug/1, debug/2, debug/3, log/2, log/3, log/4, macro_log/3, macro_log/4, macro_log/5]).
-export([allow/2, compare_levels/2, get_config/0, get_primary_config/0, set_primary_config/1, set_primary_config/2,
         update_primary_config/1, get_module_level/0, get_module_level/1, set_module_level/2, unset_module_level/0,
         unset_module_level/1, set_application_level/2, unset_application_level/1, add_handlers/1, add_handler/3, remove_handler/1,
         get_handler_ids/0, get_handler_config/0, get_handler_config/1, set_handler_config/2, set_handler_config/3,
         update_handler_config/2, update_handler_config/3, update_formatter_config/2, update_formatter_config/3,
         add_handler_filter/3, remove_handler_filter/2, add_primary_filter/2, remove_primary_filter/1, get_proxy_config/0,
         set_proxy_config/1, update_proxy_config/1, set_process_metadata/1, update_process_metadata/1, get_process_metadata/0,
         unset_process_metadata/0, format_report/1, format_otp_report/1, timestamp/0]).
-export([filter_stacktrace/2]).
-export([has_own_handlers/0]).

-type level() :: emergency | alert | critical | error | warning | notice | info | debug.
-type log_event() :: #{level := level(), msg := term(), meta := map()}.
-export_type([level/0, log_event/0]).

-define(IS_LEVEL(Level),
        (Level =:= emergency orelse Level =:= alert orelse Level =:= critical orelse Level =:= error orelse Level =:= warning
         orelse Level =:= notice orelse Level =:= info orelse Level =:= debug)).

-define(IS_FORMAT(Format), (is_list(Format) orelse is_binary(Format) orelse is_atom(Format))).

-compile({no_auto_import, [error/1, error/2, error/3]}).

%%% One function per level

emergency(X) -> log(emergency, X).
emergency(X, Y) -> log(emergency, X, Y).
emergency(X, Y, Meta) -> log(emergency, X, Y, Meta).
alert(X) -> log(alert, X).
alert(X, Y) -> log(alert, X, Y).
alert(X, Y, Meta) -> log(alert, X, Y, Meta).
critical(X) -> log(critical, X).
critical(X, Y) -> log(critical, X, Y).
critical(X, Y, Meta) -> log(critical, X, Y, Meta).
error(X) -> log(error, X).
error(X, Y) -> log(error, X, Y).
error(X, Y, Meta) -> log(error, X, Y, Meta).
warning(X) -> log(warning, X).
warning(X, Y) -> log(warning, X, Y).
warning(X, Y, Meta) -> log(warning, X, Y, Meta).
notice(X) -> log(notice, X).
notice(X, Y) -> log(notice, X, Y).
notice(X, Y, Meta) -> log(notice, X, Y, Meta).
info(X) -> log(info, X).
info(X, Y) -> log(info, X, Y).
info(X, Y, Meta) -> log(info, X, Y, Meta).
debug(X) -> log(debug, X).
debug(X, Y) -> log(debug, X, Y).
debug(X, Y, Meta) -> log(debug, X, Y, Meta).

%%% Events
%%
%% A string or a report (map or list of pairs); a string or report and metadata; a format and its arguments; a fun and its
%% argument, called only if the event is logged.

log(Level, StringOrReport) -> event(Level, StringOrReport, none, #{}, #{}).

log(Level, StringOrReport, Meta) when is_map(Meta) -> event(Level, StringOrReport, none, #{}, Meta);
log(Level, Fun, Arg) when is_function(Fun, 1) -> event(Level, Fun, {args, Arg}, #{}, #{});
log(Level, Format, Args) when is_list(Args), ?IS_FORMAT(Format) -> event(Level, Format, {args, Args}, #{}, #{}).

log(Level, Fun, Arg, Meta) when is_function(Fun, 1), is_map(Meta) -> event(Level, Fun, {args, Arg}, #{}, Meta);
log(Level, Format, Args, Meta) when is_list(Args), ?IS_FORMAT(Format), is_map(Meta) -> event(Level, Format, {args, Args}, #{}, Meta).

macro_log(Location, Level, StringOrReport) -> macro(Location, Level, StringOrReport, none, #{}).

macro_log(Location, Level, StringOrReport, Meta) when is_map(Meta) -> macro(Location, Level, StringOrReport, none, Meta);
macro_log(Location, Level, FormatOrFun, Args) -> macro(Location, Level, FormatOrFun, {args, Args}, #{}).

macro_log(Location, Level, FormatOrFun, Args, Meta) -> macro(Location, Level, FormatOrFun, {args, Args}, Meta).

macro(Location, Level, Text, Args, Meta) -> event(Level, Text, Args, Location, Meta).

%% What the process says of its events counts more than where the call stands, and less than what the call says.
event(Level, Text, Args, Location, Meta) when ?IS_LEVEL(Level) ->
    case compare_levels(Level, level(maps:merge(Location, Meta))) of
        lt -> ok;
        _ ->
            Defaults = #{pid => self(), gl => group_leader(), time => timestamp()},
            Common = maps:merge(maps:merge(Defaults, maps:get(metadata, erlet_log_config:primary())), Location),
            Meta1 = maps:merge(maps:merge(Common, process_metadata()), Meta),
            case message(Text, Args, Meta1) of
                ignore -> ok;
                {Message, Meta2} -> dispatch(#{level => Level, msg => Message, meta => Meta2})
            end
    end.

level(#{mfa := {Module, _, _}}) -> erlet_log_config:level(Module);
level(_) -> maps:get(level, erlet_log_config:primary()).

%% A message as handlers get it. Text with arguments is a format, or a fun that makes the message if it is wanted.
message(Report, none, Meta) when is_map(Report) -> {{report, Report}, Meta};
message(Text, none, Meta) when is_binary(Text) -> {{string, Text}, Meta};
message([{_, _} | _] = Report, none, Meta) -> {{report, Report}, Meta};
message(Text, none, Meta) ->
    case io_lib:deep_char_list(Text) of
        true -> {{string, Text}, Meta};
        false -> {{report, Text}, Meta}
    end;
message(F, {args, Arg}, Meta) when is_function(F, 1) ->
    try made(F(Arg), Meta) of
        bad -> {{"LAZY_FUN ERROR: ~tp; Returned: ~tp", [{F, Arg}, F(Arg)]}, Meta};
        Made -> Made
    catch Class:Reason -> {{"LAZY_FUN CRASH: ~tp; Reason: ~tp", [{F, Arg}, {Class, Reason}]}, Meta}
    end;
message(Format, {args, Args}, Meta) when is_atom(Format) -> {{atom_to_list(Format), Args}, Meta};
message(Format, {args, Args}, Meta) -> {{Format, Args}, Meta}.

made(ignore, _) -> ignore;
made({Made, Meta1}, Meta) when is_map(Meta1) -> made(Made, maps:merge(Meta, Meta1));
made({Format, Args}, Meta) when is_list(Args), ?IS_FORMAT(Format) -> message(Format, {args, Args}, Meta);
made(Made, Meta) when is_map(Made); is_list(Made); is_binary(Made) -> message(Made, none, Meta);
made(_, _) -> bad.

dispatch(Event) ->
    Primary = erlet_log_config:primary(),
    case filtered(primary, maps:get(filters, Primary), Event, Primary) of
        stop -> ok;
        Event1 -> lists:foreach(fun(Handler) -> handle(Handler, Event1) end, maps:to_list(erlet_log_config:handlers()))
    end.

filtered(_, [], Event, #{filter_default := log}) -> Event;
filtered(Owner, Filters, Event, Config) ->
    case judged(Owner, Filters, Event, ignore) of
        ignore ->
            case Config of
                #{filter_default := stop} -> stop;
                #{} -> Event
            end;
        Judged -> Judged
    end.

%% A filter that fails, or answers with something else, is taken out.
judged(Owner, [{Id, {Filter, Arg}} | Filters], Event, Judged) ->
    try Filter(Event, Arg) of
        stop -> stop;
        ignore -> judged(Owner, Filters, Event, Judged);
        #{level := Level, msg := _, meta := #{}} = Event1 when is_atom(Level) -> judged(Owner, Filters, Event1, log);
        _ ->
            erlet_log_config:drop_filter(Owner, Id),
            judged(Owner, Filters, Event, Judged)
    catch _:_ ->
            erlet_log_config:drop_filter(Owner, Id),
            judged(Owner, Filters, Event, Judged)
    end;
judged(_, [], _, ignore) -> ignore;
judged(_, [], Event, log) -> Event.

handle({Id, #{module := Module, level := Least} = Config}, #{level := Level} = Event) ->
    case compare_levels(Level, Least) of
        lt -> ok;
        _ ->
            case filtered(Id, maps:get(filters, Config), Event, Config) of
                stop -> ok;
                Event1 -> told(Id, Module, Event1, Config)
            end
    end.

told(default, logger_std_h, Event, #{config := #{type := standard_error}} = Config) -> put_out(Event, Config);
told(Id, Module, Event, Config) ->
    %% A handler that fails is taken out: the program that logs is not to blame.
    try Module:log(Event, maps:without([level, filters, filter_default], Config))
    catch _:_ ->
            _ = remove_handler(Id),
            case Id of
                default -> ok;
                _ -> log(error, "Handler ~tp of the logger has failed and is removed", [Id])
            end
    end.

put_out(Event, #{formatter := {logger_formatter, #{legacy_header := true, single_line := false} = Format}}) when map_size(Format) =:= 2 ->
    put_out(Event);
put_out(#{level := Level, meta := Meta} = Event, #{formatter := {Module, Format}}) ->
    put_out(Level, Module:format(Event, Format), author(Meta), Meta).

%% To the embedder's sink, or else on standard error.
put_out(#{level := Level, meta := Meta} = Event) ->
    Pid = author(Meta),
    case sees_the_clock() of
        true -> put_out(Level, erlet_log:format(Event), Pid, Meta);
        false ->
            %% The machine fills in the time.
            {Head, Tail} = erlet_log:around_time(Event),
            erlet_io:log_now(Level, unicode:characters_to_binary(Head), unicode:characters_to_binary(Tail), Pid)
    end.

author(#{pid := Pid}) when is_pid(Pid) -> Pid;
author(_) -> self().

put_out(Level, Text, Pid, Meta) ->
    case erlet_io:log(Level, unicode:characters_to_binary(Text), Pid, maps:get(time, Meta, 0)) of
        true -> ok;
        false -> io:put_chars(standard_error, Text)
    end.

%%% Levels

%% Whether nobody has changed who sees events.
has_own_handlers() -> erlet_log_config:is_changed().

allow(Level, Module) when is_atom(Level), is_atom(Module) ->
    compare_levels(Level, erlet_log_config:level(Module)) =/= lt.

%% By severity: `lt` means that the first is less severe.
compare_levels(A, B) ->
    case {severity(A), severity(B)} of
        {X, Y} when not is_integer(X); not is_integer(Y) -> erlang:error(badarg, [A, B]);
        {X, X} -> eq;
        {X, Y} when X < Y -> gt;
        _ -> lt
    end.

severity(none) -> -1;
severity(emergency) -> 0;
severity(alert) -> 1;
severity(critical) -> 2;
severity(error) -> 3;
severity(warning) -> 4;
severity(notice) -> 5;
severity(info) -> 6;
severity(debug) -> 7;
severity(all) -> 10;
severity(_) -> none.

%%% Configuration: see erlet_log_config

-spec get_config() -> #{primary := map(), handlers := [map()], proxy := map(), module_levels := [{module(), level() | all | none}]}.
get_config() ->
    #{primary => get_primary_config(), handlers => get_handler_config(), proxy => get_proxy_config(), module_levels => get_module_level()}.

get_primary_config() -> erlet_log_config:primary().
set_primary_config(Key, Value) -> erlet_log_config:set_primary(Key, Value).
set_primary_config(Config) -> erlet_log_config:set_primary(Config).
update_primary_config(Config) -> erlet_log_config:update_primary(Config).

get_module_level() -> maps:to_list(erlet_log_config:module_levels()).

get_module_level(Modules) when is_list(Modules) -> [Entry || {Module, _} = Entry <- get_module_level(), lists:member(Module, Modules)];
get_module_level(Module) -> get_module_level([Module]).

set_module_level(Modules, Level) when is_list(Modules) -> erlet_log_config:set_module_level(Modules, Level);
set_module_level(Module, Level) when is_atom(Module) -> set_module_level([Module], Level);
set_module_level(Module, _) -> {error, {not_a_list_of_modules, Module}}.

unset_module_level() -> erlet_log_config:unset_module_level(all).

unset_module_level(Modules) when is_list(Modules) -> erlet_log_config:unset_module_level(Modules);
unset_module_level(Module) when is_atom(Module) -> unset_module_level([Module]);
unset_module_level(Module) -> {error, {not_a_list_of_modules, Module}}.

-spec set_application_level(atom(), level() | all | none) -> ok | {error, term()}.
set_application_level(Application, Level) ->
    case application:get_key(Application, modules) of
        {ok, Modules} -> set_module_level(Modules, Level);
        undefined -> {error, {not_loaded, Application}}
    end.

-spec unset_application_level(atom()) -> ok | {error, {not_loaded, atom()}}.
unset_application_level(Application) ->
    case application:get_key(Application, modules) of
        {ok, Modules} -> unset_module_level(Modules);
        undefined -> {error, {not_loaded, Application}}
    end.

-spec add_handlers(atom() | [term()]) -> ok | {error, term()}.
add_handlers(Application) when is_atom(Application) -> add_handlers(application:get_env(Application, logger, []));
add_handlers([{handler, Id, Module, Config} | Rest]) ->
    case add_handler(Id, Module, Config) of
        ok -> add_handlers(Rest);
        Error -> Error
    end;
add_handlers([_ | Rest]) -> add_handlers(Rest);
add_handlers([]) -> ok.

add_handler(Id, Module, Config) -> erlet_log_config:add_handler(Id, Module, Config).
remove_handler(Id) -> erlet_log_config:remove_handler(Id).

get_handler_ids() -> maps:keys(erlet_log_config:handlers()).
get_handler_config() -> [Config || Id <- get_handler_ids(), {ok, Config} <- [get_handler_config(Id)]].
get_handler_config(Id) -> erlet_log_config:handler(Id).
set_handler_config(Id, Key, Value) -> erlet_log_config:change_handler(set, Id, Key, Value).
set_handler_config(Id, Config) -> erlet_log_config:change_handler(set, Id, Config).
update_handler_config(Id, Key, Value) -> erlet_log_config:change_handler(update, Id, Key, Value).
update_handler_config(Id, Config) -> erlet_log_config:change_handler(update, Id, Config).
update_formatter_config(Id, Config) -> erlet_log_config:update_formatter(Id, Config).
update_formatter_config(Id, Key, Value) -> erlet_log_config:update_formatter(Id, #{Key => Value}).

add_primary_filter(Id, Filter) -> erlet_log_config:add_filter(primary, Id, Filter).
add_handler_filter(Id, FilterId, Filter) -> erlet_log_config:add_filter(Id, FilterId, Filter).
remove_primary_filter(Id) -> erlet_log_config:remove_filter(primary, Id).
remove_handler_filter(Id, FilterId) -> erlet_log_config:remove_filter(Id, FilterId).

%% There is one node, and nothing is handed on to another: the settings are kept, and that is all.
get_proxy_config() -> erlet_log_config:proxy().
set_proxy_config(Config) when is_map(Config) -> erlet_log_config:set_proxy(Config).
update_proxy_config(Config) when is_map(Config) -> erlet_log_config:set_proxy(maps:merge(get_proxy_config(), Config)).

%%% Metadata of the calling process

set_process_metadata(Meta) when is_map(Meta) ->
    put('$logger_metadata$', Meta),
    ok;
set_process_metadata(Meta) -> erlang:error(badarg, [Meta]).

update_process_metadata(Meta) when is_map(Meta) -> set_process_metadata(maps:merge(process_metadata(), Meta));
update_process_metadata(Meta) -> erlang:error(badarg, [Meta]).

get_process_metadata() -> get('$logger_metadata$').

unset_process_metadata() ->
    erase('$logger_metadata$'),
    ok.

process_metadata() ->
    case get('$logger_metadata$') of
        undefined -> #{};
        Meta -> Meta
    end.

%% Who has no right to the clock gets the time since the machine's start.
timestamp() ->
    try os:system_time(microsecond)
    catch error:eacces -> erlang:monotonic_time(microsecond)
    end.

sees_the_clock() ->
    try os:system_time() of
        _ -> true
    catch error:eacces -> false
    end.

-spec format_report(term()) -> {string(), [term()]}.
format_report(Report) -> erlet_log:report_format(Report).

%% What a label says is for programs.
-spec format_otp_report(term()) -> {string(), [term()]}.
format_otp_report(#{label := _, report := Report}) -> format_report(Report);
format_otp_report(Report) -> format_report(Report).

%% A stack down to the first call of the module: what a formatter shows of callbacks that failed.
-spec filter_stacktrace(module(), [tuple()]) -> [tuple()].
filter_stacktrace(Module, Stack) -> lists:takewhile(fun(Frame) -> element(1, Frame) =/= Module end, Stack).

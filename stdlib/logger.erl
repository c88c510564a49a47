%% Logging: events with a level, a message and metadata, printed by one default handler.
%%
%% An event at or above the configured level is formatted in the caller and written to standard error in the classic form, `=ERROR REPORT==== Time ===`.
%% The configuration lives in persistent terms. Handlers of one's own are modules with `log(Event, Config)`.
-module(logger).

-export([emergency/1, emergency/2, emergency/3, alert/1, alert/2, alert/3, critical/1, critical/2, critical/3,
         error/1, error/2, error/3, warning/1, warning/2, warning/3, notice/1, notice/2, notice/3,
         info/1, info/2, info/3, debug/1, debug/2, debug/3, log/2, log/3, log/4, macro_log/3, macro_log/4, macro_log/5]).
-export([allow/2, compare_levels/2, get_primary_config/0, set_primary_config/1, set_primary_config/2,
         update_primary_config/1, get_module_level/0, get_module_level/1, set_module_level/2, unset_module_level/0,
         unset_module_level/1, add_handler/3, remove_handler/1, get_handler_ids/0, get_handler_config/0,
         get_handler_config/1, set_handler_config/3, add_handler_filter/3, add_primary_filter/2, remove_primary_filter/1,
         set_process_metadata/1, update_process_metadata/1, get_process_metadata/0, unset_process_metadata/0,
         format_report/1, format_otp_report/1, timestamp/0]).
-export([has_own_handlers/0]).

-define(HANDLERS, #{default => #{id => default, level => all, module => logger_std_h}}).

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

log(Level, StringOrReport) -> event(Level, StringOrReport, none, #{}).

log(Level, StringOrReport, Meta) when is_map(Meta) -> event(Level, StringOrReport, none, Meta);
log(Level, FormatOrFun, Args) -> event(Level, FormatOrFun, {args, Args}, #{}).

log(Level, FormatOrFun, Args, Meta) -> event(Level, FormatOrFun, {args, Args}, Meta).

macro_log(Location, Level, StringOrReport) -> macro(Location, Level, StringOrReport, none, #{}).

macro_log(Location, Level, StringOrReport, Meta) when is_map(Meta) -> macro(Location, Level, StringOrReport, none, Meta);
macro_log(Location, Level, FormatOrFun, Args) -> macro(Location, Level, FormatOrFun, {args, Args}, #{}).

macro_log(Location, Level, FormatOrFun, Args, Meta) -> macro(Location, Level, FormatOrFun, {args, Args}, Meta).

macro(Location, Level, Text, Args, Meta) -> event(Level, Text, Args, maps:merge(Location, Meta)).

event(Level, Text, Args, Meta) ->
    case compare_levels(Level, level(Meta)) of
        lt -> ok;
        _ ->
            Defaults = #{pid => self(), gl => group_leader(), time => timestamp()},
            Meta1 = maps:merge(maps:merge(Defaults, process_metadata()), Meta),
            case message(Text, Args, Meta1) of
                ignore -> ok;
                {Message, Meta2} -> dispatch(#{level => Level, msg => Message, meta => Meta2})
            end
    end.

level(#{mfa := {Module, _, _}}) -> maps:get(Module, config(module_levels, #{}), primary_level());
level(_) -> primary_level().

message(Report, none, Meta) when is_map(Report) -> {{report, Report}, Meta};
message(Text, none, Meta) when is_binary(Text) -> {{string, Text}, Meta};
message([{_, _} | _] = Report, none, Meta) -> {{report, Report}, Meta};
message(Text, none, Meta) ->
    case io_lib:deep_char_list(Text) of
        true -> {{string, Text}, Meta};
        false -> {{report, Text}, Meta}
    end;
message(F, {args, Arg}, Meta) when is_function(F, 1) ->
    try F(Arg) of
        ignore -> ignore;
        {Report, Meta1} when is_map(Report), is_map(Meta1) -> {{report, Report}, maps:merge(Meta, Meta1)};
        {Format, Args} when is_list(Args) -> {{Format, Args}, Meta};
        Report when is_map(Report); is_list(Report) -> message(Report, none, Meta)
    catch Class:Reason -> {{"LAZY_FUN CRASH: ~tp; Reason: ~tp", [{F, Arg}, {Class, Reason}]}, Meta}
    end;
message(Format, {args, Args}, Meta) -> {{Format, Args}, Meta}.

dispatch(Event) ->
    case filtered(config(filters, []), Event) of
        stop -> ok;
        Event1 -> lists:foreach(fun(Handler) -> handle(Handler, Event1) end, maps:to_list(handlers()))
    end.

filtered([{_, {Filter, Arg}} | Filters], Event) ->
    case Filter(Event, Arg) of
        stop -> stop;
        ignore -> filtered(Filters, Event);
        Event1 -> filtered(Filters, Event1)
    end;
filtered([], Event) -> Event.

handle({default, #{level := Least} = Config}, #{level := Level} = Event) ->
    case compare_levels(Level, Least) of
        lt -> ok;
        _ ->
            case filtered(maps:get(filters, Config, []), Event) of
                stop -> ok;
                Event1 -> put_out(Event1)
            end
    end;
handle({_, #{module := Module, level := Least} = Config}, #{level := Level} = Event) ->
    case compare_levels(Level, Least) of
        lt -> ok;
        _ ->
            case filtered(maps:get(filters, Config, []), Event) of
                stop -> ok;
                Event1 -> Module:log(Event1, Config)
            end
    end.

%% To the embedder's sink, or else on standard error.
put_out(#{level := Level, meta := Meta} = Event) ->
    Pid = case Meta of
              #{pid := From} when is_pid(From) -> From;
              _ -> self()
          end,
    case sees_the_clock() of
        true -> put_out(Level, erlet_log:format(Event), Pid, Meta);
        false ->
            %% The machine fills in the time.
            {Head, Tail} = erlet_log:around_time(Event),
            erlet_io:log_now(Level, unicode:characters_to_binary(Head), unicode:characters_to_binary(Tail), Pid)
    end.

put_out(Level, Text, Pid, Meta) ->
    case erlet_io:log(Level, unicode:characters_to_binary(Text), Pid, maps:get(time, Meta, 0)) of
        true -> ok;
        false -> io:put_chars(standard_error, Text)
    end.

%%% Configuration

config(Key, Default) -> persistent_term:get({logger, Key}, Default).

put_config(Key, Value) ->
    try persistent_term:put({logger, Key}, Value)
    catch error:eacces -> {error, eacces}
    end.

%% Whether nobody has changed who sees events.
has_own_handlers() -> config(filters, []) =/= [] orelse handlers() =/= ?HANDLERS.

primary_level() -> config(level, notice).

handlers() -> config(handlers, ?HANDLERS).

allow(Level, Module) when is_atom(Level), is_atom(Module) ->
    compare_levels(Level, maps:get(Module, config(module_levels, #{}), primary_level())) =/= lt.

%% By severity: `lt` means that the first is less severe.
compare_levels(A, B) ->
    case {severity(A), severity(B)} of
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
severity(all) -> 10.

get_primary_config() -> #{level => primary_level(), filters => config(filters, []), filter_default => log, metadata => #{}}.

set_primary_config(Key, Value) -> update_primary_config(#{Key => Value}).

set_primary_config(Config) -> update_primary_config(Config).

update_primary_config(Config) ->
    put_all([{Key, Value} || {Key, Value} <- maps:to_list(Config), Key =:= level orelse Key =:= filters]).

put_all([{level, Level} | Config]) ->
    severity(Level),
    put_all(level, Level, Config);
put_all([{filters, Filters} | Config]) -> put_all(filters, Filters, Config);
put_all([]) -> ok.

put_all(Key, Value, Config) ->
    case put_config(Key, Value) of
        ok -> put_all(Config);
        Error -> Error
    end.

get_module_level() -> maps:to_list(config(module_levels, #{})).

get_module_level(Modules) when is_list(Modules) -> [Entry || {Module, _} = Entry <- get_module_level(), lists:member(Module, Modules)];
get_module_level(Module) -> get_module_level([Module]).

set_module_level(Modules, Level) when is_list(Modules) ->
    severity(Level),
    put_config(module_levels, maps:merge(config(module_levels, #{}), maps:from_keys(Modules, Level)));
set_module_level(Module, Level) -> set_module_level([Module], Level).

unset_module_level() -> put_config(module_levels, #{}).

unset_module_level(Modules) when is_list(Modules) -> put_config(module_levels, maps:without(Modules, config(module_levels, #{})));
unset_module_level(Module) -> unset_module_level([Module]).

add_handler(Id, Module, Config) when is_atom(Id), is_atom(Module), is_map(Config) ->
    Handlers = handlers(),
    case Handlers of
        #{Id := _} -> {error, {already_exist, Id}};
        _ ->
            Full = maps:merge(#{level => all, filters => []}, Config#{id => Id, module => Module}),
            put_config(handlers, Handlers#{Id => Full})
    end.

remove_handler(Id) ->
    Handlers = handlers(),
    case Handlers of
        #{Id := _} -> put_config(handlers, maps:remove(Id, Handlers));
        _ -> {error, {not_found, Id}}
    end.

get_handler_ids() -> maps:keys(handlers()).

get_handler_config() -> maps:values(handlers()).

get_handler_config(Id) ->
    case handlers() of
        #{Id := Config} -> {ok, Config};
        _ -> {error, {not_found, Id}}
    end.

set_handler_config(Id, Key, Value) ->
    Handlers = handlers(),
    case Handlers of
        #{Id := Config} -> put_config(handlers, Handlers#{Id := Config#{Key => Value}});
        _ -> {error, {not_found, Id}}
    end.

add_handler_filter(Id, FilterId, Filter) ->
    case get_handler_config(Id) of
        {ok, Config} -> set_handler_config(Id, filters, maps:get(filters, Config, []) ++ [{FilterId, Filter}]);
        Error -> Error
    end.

add_primary_filter(Id, Filter) -> put_config(filters, config(filters, []) ++ [{Id, Filter}]).

remove_primary_filter(Id) -> put_config(filters, lists:keydelete(Id, 1, config(filters, []))).

%%% Metadata of the calling process

set_process_metadata(Meta) when is_map(Meta) ->
    put('$logger_metadata$', Meta),
    ok.

update_process_metadata(Meta) when is_map(Meta) -> set_process_metadata(maps:merge(process_metadata(), Meta)).

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

%% What a label says is for programs.
format_report(Report) -> erlet_log:report_format(Report).

format_otp_report(Report) -> format_report(Report).

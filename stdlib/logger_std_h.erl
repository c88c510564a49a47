%% The logger's handler for files and devices: `logger:add_handler(Id, logger_std_h, #{config => #{file => Name}})`.
%%
%% A handler is a process, which owns the file. Who logs makes the text and waits until it is written, so that nobody logs faster than can
%% be written. A file may be bounded: then it is moved away when it is full, and so many older ones are kept.
-module(logger_std_h).

-export([filesync/1, adding_handler/1, changing_config/3, removing_handler/1, log/2, filter_config/1]).
-export([start/3]).

-record(out, {device, name, modes, size = 0, limit = infinity, kept = 0}).

-define(PATIENCE, 5000).

%% Waits until all that was logged is on the disk.
-spec filesync(atom()) -> ok | {error, term()}.
filesync(Id) when is_atom(Id) ->
    case logger:get_handler_config(Id) of
        {ok, #{module := ?MODULE, config := #{type := file}}} -> asked(Id, sync);
        {ok, #{module := ?MODULE}} -> ok;
        _ -> {error, handler_not_found}
    end;
filesync(Id) -> {error, {badarg, {filesync, [Id]}}}.

%%% For the logger

-spec adding_handler(map()) -> {ok, map()} | {error, term()}.
adding_handler(#{id := Id} = Config) ->
    case completed(maps:get(config, Config, #{})) of
        {ok, Own} ->
            {Pid, Monitor} = spawn_monitor(?MODULE, start, [self(), registered(Id), Own]),
            receive
                {Pid, ready} ->
                    demonitor(Monitor, [flush]),
                    {ok, Config#{config => Own#{olp => Pid}}};
                {'DOWN', Monitor, process, Pid, Reason} -> {error, Reason}
            end;
        Error -> Error
    end.

%% Where it writes cannot be changed.
-spec changing_config(set | update, map(), map()) -> {ok, map()} | {error, term()}.
changing_config(_, #{config := #{olp := Pid} = Old}, New) ->
    Own = maps:merge(Old, maps:get(config, New, #{})),
    Fixed = [type, file, modes, olp],
    case {maps:with(Fixed, Old), maps:with(Fixed, Own)} of
        {Same, Same} ->
            case completed(maps:remove(olp, Own)) of
                {ok, Checked} ->
                    ok = asked_of(Pid, {bounds, maps:get(max_no_bytes, Checked), maps:get(max_no_files, Checked)}),
                    {ok, New#{config => Checked#{olp => Pid}}};
                Error -> Error
            end;
        {Before, After} -> {error, {illegal_config_change, ?MODULE, maps:without([olp], Before), maps:without([olp], After)}}
    end;
changing_config(_, #{config := Old}, New) ->
    %% The default one, which is no process.
    {ok, New#{config => maps:merge(Old, maps:get(config, New, #{}))}}.

-spec removing_handler(map()) -> ok.
removing_handler(#{config := #{olp := Pid}}) ->
    Monitor = monitor(process, Pid),
    Pid ! stop,
    receive {'DOWN', Monitor, process, Pid, _} -> ok
    after ?PATIENCE ->
            demonitor(Monitor, [flush]),
            exit(Pid, kill),
            ok
    end;
removing_handler(_) -> ok.

-spec log(logger:log_event(), map()) -> ok.
log(Event, #{config := #{olp := Pid}, formatter := {Module, Format}}) ->
    Text = unicode:characters_to_binary(Module:format(Event, Format)),
    _ = asked_of(Pid, {write, Text}),
    ok.

-spec filter_config(map()) -> map().
filter_config(#{config := Own} = Config) -> Config#{config := maps:without([olp], Own)}.

registered(Id) -> list_to_atom(lists:concat([?MODULE, "_", Id])).

asked(Id, Request) ->
    case whereis(registered(Id)) of
        undefined -> {error, handler_not_found};
        Pid -> asked_of(Pid, Request)
    end.

asked_of(Pid, Request) when Pid =/= self() ->
    Monitor = monitor(process, Pid),
    Pid ! {self(), Monitor, Request},
    receive
        {Monitor, Answer} ->
            demonitor(Monitor, [flush]),
            Answer;
        {'DOWN', Monitor, process, Pid, _} -> {error, handler_not_found}
    after ?PATIENCE ->
            demonitor(Monitor, [flush]),
            {error, handler_busy}
    end;
asked_of(_, _) -> ok.

%%% Settings

completed(Own) when is_map(Own) ->
    try
        Type = type(Own),
        Name =
            case Type of
                {file, File} -> #{file => filename:absname(maps:get(file, Own, File))};
                {file, File, Asked} -> #{file => filename:absname(File), modes => modes(Asked)};
                _ -> #{}
            end,
        Plain = case Name of #{file := _} -> file; _ -> Type end,
        Defaults =
            case Plain of
                file ->
                    #{modes => modes(maps:get(modes, Own, [append])), max_no_bytes => infinity, max_no_files => 0, file_check => 0,
                      compress_on_rotate => false, filesync_repeat_interval => 5000};
                _ -> #{}
            end,
        Limits = #{burst_limit_enable => true, burst_limit_max_count => 500, burst_limit_window_time => 1000, drop_mode_qlen => 200,
                   flush_qlen => 1000, overload_kill_enable => false, overload_kill_mem_size => 3000000, overload_kill_qlen => 20000,
                   overload_kill_restart_after => 5000, sync_mode_qlen => 10},
        Full = maps:merge(maps:merge(maps:merge(Limits, Defaults), maps:without([modes], Own)), Name),
        maps:foreach(fun check/2, maps:without([type, file, modes | maps:keys(Limits)], Full)),
        {ok, Full#{type => Plain}}
    catch throw:Bad -> {error, {invalid_config, ?MODULE, Bad}}
    end;
completed(Own) -> {error, {invalid_config, ?MODULE, Own}}.

type(#{type := Type}) when Type =:= standard_io; Type =:= standard_error -> Type;
type(#{type := file} = Own) -> {file, maps:get(file, Own, "erlang.log")};
type(#{type := {file, Name} = Type}) when is_list(Name); is_binary(Name) -> Type;
type(#{type := {file, Name, Modes} = Type}) when is_list(Name), is_list(Modes) -> Type;
type(#{type := {device, _} = Type}) -> Type;
type(#{type := Type}) -> throw(#{type => Type});
type(#{file := Name}) -> {file, Name};
type(_) -> standard_io.

modes(Modes) ->
    Kept = [Mode || Mode <- Modes, Mode =/= raw, Mode =/= binary],
    case [Mode || Mode <- Kept, lists:member(Mode, [write, append, exclusive])] of
        [] -> [append, raw, binary | Kept];
        _ -> [raw, binary | Kept]
    end.

check(max_no_bytes, N) when N =:= infinity; is_integer(N), N > 0 -> ok;
check(Key, N) when (Key =:= max_no_files orelse Key =:= file_check), is_integer(N), N >= 0 -> ok;
check(filesync_repeat_interval, N) when N =:= no_repeat; is_integer(N), N > 0 -> ok;
check(compress_on_rotate, Flag) when is_boolean(Flag) -> ok;
check(Key, Value) -> throw(#{Key => Value}).

%%% The process

-spec start(pid(), atom(), map()) -> ok.
start(Parent, Name, Own) ->
    process_flag(trap_exit, true),
    try register(Name, self())
    catch error:badarg -> exit({already_started, whereis(Name)})
    end,
    %% It must outlive who has added it.
    Leader = whereis(user),
    is_pid(Leader) andalso group_leader(Leader, self()),
    Out = opened(Own),
    Parent ! {self(), ready},
    loop(Out).

opened(#{type := file, file := Name, modes := Modes, max_no_bytes := Limit, max_no_files := Kept}) ->
    _ = filelib:ensure_dir(Name),
    open(#out{name = Name, modes = Modes, limit = Limit, kept = Kept});
opened(#{type := standard_io}) -> #out{device = user};
opened(#{type := {device, Device}}) -> #out{device = Device};
opened(#{type := Device}) -> #out{device = Device}.

open(#out{name = Name, modes = Modes} = Out) ->
    case file:open(Name, Modes) of
        {ok, File} ->
            Size = filelib:file_size(Name),
            Out#out{device = File, size = Size};
        {error, Reason} -> exit({open_failed, Name, Reason})
    end.

loop(Out) ->
    receive
        {From, Ref, {write, Text}} ->
            {Answer, Out1} = written(Text, Out),
            From ! {Ref, Answer},
            loop(Out1);
        {From, Ref, sync} ->
            Answer = case Out of #out{name = undefined} -> ok; #out{device = File} -> file:sync(File) end,
            From ! {Ref, Answer},
            loop(Out);
        {From, Ref, {bounds, Limit, Kept}} ->
            From ! {Ref, ok},
            loop(rotated(Out#out{limit = Limit, kept = Kept}));
        stop -> closed(Out);
        _ -> loop(Out)
    end.

closed(#out{name = undefined}) -> ok;
closed(#out{device = File}) ->
    _ = file:sync(File),
    _ = file:close(File),
    ok.

written(Text, #out{name = undefined, device = Device} = Out) -> {catch io:put_chars(Device, unicode, Text), Out};
written(Text, #out{name = Name} = Out) ->
    %% Somebody may have moved the file away.
    Out1 =
        case filelib:is_regular(Name) of
            true -> Out;
            false ->
                _ = closed(Out),
                open(Out)
        end,
    Answer = file:write(Out1#out.device, Text),
    {Answer, rotated(Out1#out{size = Out1#out.size + byte_size(Text)})}.

rotated(#out{size = Size, limit = Limit} = Out) when Limit =:= infinity; Size < Limit -> Out;
rotated(#out{name = Name, kept = 0} = Out) ->
    _ = closed(Out),
    _ = file:delete(Name),
    open(Out);
rotated(#out{name = Name, kept = Kept} = Out) ->
    _ = closed(Out),
    _ = [file:rename(older(Name, N), older(Name, N + 1)) || N <- lists:seq(Kept - 2, 0, -1)],
    _ = file:rename(Name, older(Name, 0)),
    open(Out).

older(Name, N) -> lists:concat([Name, ".", N]).

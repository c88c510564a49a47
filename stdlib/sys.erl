%% System messages: looking into processes of the generic behaviours, stopping and steering them.
%%
%% A request is `{system, From, Request}`; the behaviour hands it to `handle_system_msg/6`, which answers and either goes back
%% into the behaviour (`Module:system_continue/3`) or keeps the process suspended here. Debug functions are run by the behaviour
%% through `handle_debug/4` on events it names itself.
-module(sys).

-export([suspend/1, suspend/2, resume/1, resume/2, get_status/1, get_status/2, get_state/1, get_state/2,
         replace_state/2, replace_state/3, change_code/4, change_code/5, terminate/2, terminate/3,
         log/2, log/3, trace/2, trace/3, statistics/2, statistics/3, log_to_file/2, log_to_file/3, no_debug/1, no_debug/2,
         install/2, install/3, remove/2, remove/3]).
-export([wake/5, handle_system_msg/6, handle_system_msg/7, handle_debug/4, debug_options/1, get_log/1, get_debug/3, print_log/1]).

%%% Requests

suspend(Name) -> request(Name, suspend).
suspend(Name, Timeout) -> request(Name, suspend, Timeout).

resume(Name) -> request(Name, resume).
resume(Name, Timeout) -> request(Name, resume, Timeout).

get_status(Name) -> request(Name, get_status).
get_status(Name, Timeout) -> request(Name, get_status, Timeout).

get_state(Name) -> state(request(Name, get_state)).
get_state(Name, Timeout) -> state(request(Name, get_state, Timeout)).

replace_state(Name, F) -> state(request(Name, {replace_state, F})).
replace_state(Name, F, Timeout) -> state(request(Name, {replace_state, F}, Timeout)).

state({ok, State}) -> State;
state({error, Reason}) -> error(Reason).

change_code(Name, Module, Vsn, Extra) -> request(Name, {change_code, Module, Vsn, Extra}).
change_code(Name, Module, Vsn, Extra, Timeout) -> request(Name, {change_code, Module, Vsn, Extra}, Timeout).

terminate(Name, Reason) -> request(Name, {terminate, Reason}).
terminate(Name, Reason, Timeout) -> request(Name, {terminate, Reason}, Timeout).

log(Name, Flag) -> request(Name, {debug, {log, Flag}}).
log(Name, Flag, Timeout) -> request(Name, {debug, {log, Flag}}, Timeout).

trace(Name, Flag) -> request(Name, {debug, {trace, Flag}}).
trace(Name, Flag, Timeout) -> request(Name, {debug, {trace, Flag}}, Timeout).

statistics(Name, Flag) -> request(Name, {debug, {statistics, Flag}}).
statistics(Name, Flag, Timeout) -> request(Name, {debug, {statistics, Flag}}, Timeout).

log_to_file(Name, File) -> request(Name, {debug, {log_to_file, File}}).
log_to_file(Name, File, Timeout) -> request(Name, {debug, {log_to_file, File}}, Timeout).

no_debug(Name) -> request(Name, {debug, no_debug}).
no_debug(Name, Timeout) -> request(Name, {debug, no_debug}, Timeout).

install(Name, What) -> request(Name, {debug, {install, What}}).
install(Name, What, Timeout) -> request(Name, {debug, {install, What}}, Timeout).

remove(Name, What) -> request(Name, {debug, {remove, What}}).
remove(Name, What, Timeout) -> request(Name, {debug, {remove, What}}, Timeout).

request(Name, Request) ->
    try gen:call(Name, system, Request) of
        {ok, Reply} -> Reply
    catch exit:Reason -> exit({Reason, {sys, name(Request), [Name]}})
    end.

request(Name, Request, Timeout) ->
    try gen:call(Name, system, Request, Timeout) of
        {ok, Reply} -> Reply
    catch exit:Reason -> exit({Reason, {sys, name(Request), [Name, Timeout]}})
    end.

name(Request) when is_atom(Request) -> Request;
name({debug, Request}) -> name(Request);
name(Request) -> element(1, Request).

%%% In the process: what a behaviour does with a system message

handle_system_msg(Request, From, Parent, Module, Debug, Misc) ->
    handle_system_msg(Request, From, Parent, Module, Debug, Misc, false).

%% Hibernate: the process was hibernating, and goes on doing so.
handle_system_msg(Request, From, Parent, Module, Debug, Misc, Hibernate) ->
    handle(running, Request, From, Parent, Module, Debug, Misc, Hibernate).

handle(Status, Request, From, Parent, Module, Debug, Misc, Hibernate) ->
    case answer(Request, Status, Parent, Module, Debug, Misc) of
        {Status1, Reply, Debug1, Misc1} ->
            gen:reply(From, Reply),
            case Status1 of
                running -> Module:system_continue(Parent, Debug1, Misc1);
                suspended -> suspended(Parent, Module, Debug1, Misc1, Hibernate)
            end;
        {terminate, Reason} ->
            gen:reply(From, ok),
            Module:system_terminate(Reason, Parent, Debug, Misc)
    end.

suspended(Parent, Module, Debug, Misc, true) -> proc_lib:hibernate(sys, wake, [Parent, Module, Debug, Misc, true]);
suspended(Parent, Module, Debug, Misc, false) -> wake(Parent, Module, Debug, Misc, false).

wake(Parent, Module, Debug, Misc, Hibernate) ->
    receive
        {system, From, Request} -> handle(suspended, Request, From, Parent, Module, Debug, Misc, Hibernate);
        {'EXIT', Parent, Reason} -> Module:system_terminate(Reason, Parent, Debug, Misc)
    end.

answer(suspend, _, _, _, Debug, Misc) -> {suspended, ok, Debug, Misc};
answer(resume, _, _, _, Debug, Misc) -> {running, ok, Debug, Misc};
answer({terminate, Reason}, _, _, _, _, _) -> {terminate, Reason};
answer(get_state, Status, _, Module, Debug, Misc) -> {Status, get_state_of(Module, Misc), Debug, Misc};
answer({replace_state, F}, Status, _, Module, Debug, Misc) ->
    {Reply, Misc1} = replace_state_of(Module, F, Misc),
    {Status, Reply, Debug, Misc1};
answer(get_status, Status, Parent, Module, Debug, Misc) ->
    {Status, {status, self(), {module, Module}, status(Status, Parent, Module, Debug, Misc)}, Debug, Misc};
answer({debug, What}, Status, _, _, Debug, Misc) ->
    {Reply, Debug1} = debug_request(What, Debug),
    {Status, Reply, Debug1, Misc};
answer({change_code, CbModule, Vsn, Extra}, suspended, _, Module, Debug, Misc) ->
    try Module:system_code_change(Misc, CbModule, Vsn, Extra) of
        {ok, Misc1} -> {suspended, ok, Debug, Misc1};
        Other -> {suspended, {error, Other}, Debug, Misc}
    catch
        throw:{ok, Misc1} -> {suspended, ok, Debug, Misc1};
        throw:Other -> {suspended, {error, Other}, Debug, Misc};
        error:Reason:Stack -> {suspended, {error, {'EXIT', {Reason, Stack}}}, Debug, Misc};
        exit:Reason -> {suspended, {error, {'EXIT', Reason}}, Debug, Misc}
    end;
answer(Other, Status, _, _, Debug, Misc) -> {Status, {error, {unknown_system_msg, Other}}, Debug, Misc}.

get_state_of(Module, Misc) ->
    try
        case erlang:function_exported(Module, system_get_state, 1) of
            true -> {ok, _} = Module:system_get_state(Misc);
            false -> {ok, Misc}
        end
    catch Class:Reason -> {error, {callback_failed, {Module, system_get_state}, {Class, Reason}}}
    end.

replace_state_of(Module, F, Misc) ->
    try
        case erlang:function_exported(Module, system_replace_state, 2) of
            true ->
                {ok, State, Misc1} = Module:system_replace_state(F, Misc),
                {{ok, State}, Misc1};
            false ->
                State = F(Misc),
                {{ok, State}, State}
        end
    catch Class:Reason -> {{error, {callback_failed, {Module, system_replace_state}, {Class, Reason}}}, Misc}
    end.

status(Status, Parent, Module, Debug, Misc) ->
    Data = [get(), Status, Parent, Debug, Misc],
    case erlang:function_exported(Module, format_status, 2) of
        true -> [get(), Status, Parent, Debug, Module:format_status(normal, Data)];
        false -> Data
    end.

%%% Debugging
%%
%% The debug structure is a list of `{Kind, Data}`; an empty one costs the behaviour nothing.

-define(LOG_SIZE, 10).

debug_options(Options) -> lists:foldl(fun debug_option/2, [], Options).

debug_option(trace, Debug) -> put_debug(trace, true, Debug);
debug_option(log, Debug) -> put_debug(log, {?LOG_SIZE, []}, Debug);
debug_option({log, N}, Debug) when is_integer(N), N > 0 -> put_debug(log, {N, []}, Debug);
debug_option(statistics, Debug) -> put_debug(statistics, new_statistics(), Debug);
debug_option({log_to_file, Name}, Debug) -> put_debug(log_to_file, open(Name), Debug);
debug_option({install, {Function, State}}, Debug) -> put_debug(Function, {Function, State}, Debug);
debug_option({install, {Id, Function, State}}, Debug) -> put_debug(Id, {Function, State}, Debug);
debug_option(_, Debug) -> Debug.

put_debug(Kind, Data, Debug) -> lists:keystore(Kind, 1, Debug, {Kind, Data}).

open(Name) ->
    {ok, File} = file:open(Name, [write, {encoding, utf8}]),
    File.

new_statistics() ->
    {reductions, Reductions} = process_info(self(), reductions),
    {now_local(), Reductions, 0, 0}.

%% Who has no right to the clock counts from the machine's start.
now_local() ->
    try erlang:localtime()
    catch error:eacces -> calendar:system_time_to_universal_time(erlang:monotonic_time(second), second)
    end.

debug_request({trace, true}, Debug) -> {ok, put_debug(trace, true, Debug)};
debug_request({trace, false}, Debug) -> {ok, lists:keydelete(trace, 1, Debug)};
debug_request({log, true}, Debug) -> debug_request({log, {true, ?LOG_SIZE}}, Debug);
%% What is on already goes on as it was.
debug_request({What, On}, Debug) when What =:= log, is_tuple(On); What =:= statistics, On =:= true ->
    case {lists:keymember(What, 1, Debug), On} of
        {true, _} -> {ok, Debug};
        {false, true} -> {ok, put_debug(statistics, new_statistics(), Debug)};
        {false, {true, N}} -> {ok, put_debug(log, {N, []}, Debug)}
    end;
debug_request({log, false}, Debug) -> {ok, lists:keydelete(log, 1, Debug)};
debug_request({log, get}, Debug) -> {{ok, get_log(Debug)}, Debug};
debug_request({log, print}, Debug) ->
    print_log(Debug),
    {ok, Debug};
debug_request({statistics, false}, Debug) -> {ok, lists:keydelete(statistics, 1, Debug)};
debug_request({statistics, get}, Debug) ->
    case lists:keyfind(statistics, 1, Debug) of
        {_, {Start, Reductions, In, Out}} ->
            {reductions, Now} = process_info(self(), reductions),
            {{ok, [{start_time, Start}, {current_time, now_local()}, {reductions, Now - Reductions},
                   {messages_in, In}, {messages_out, Out}]}, Debug};
        false -> {{ok, no_statistics}, Debug}
    end;
debug_request({log_to_file, false}, Debug) -> {ok, close(Debug)};
debug_request({log_to_file, Name}, Debug) ->
    case file:open(Name, [write, {encoding, utf8}]) of
        {ok, File} -> {ok, put_debug(log_to_file, File, close(Debug))};
        _ -> {{error, open_file}, Debug}
    end;
debug_request(no_debug, Debug) ->
    close(Debug),
    {ok, []};
debug_request({install, {Function, State}}, Debug) -> {ok, put_debug(Function, {Function, State}, Debug)};
debug_request({install, {Id, Function, State}}, Debug) -> {ok, put_debug(Id, {Function, State}, Debug)};
debug_request({remove, Id}, Debug) -> {ok, lists:keydelete(Id, 1, Debug)};
debug_request(_, Debug) -> {unknown_debug, Debug}.

close(Debug) ->
    case lists:keytake(log_to_file, 1, Debug) of
        {value, {_, File}, Rest} ->
            file:close(File),
            Rest;
        false -> Debug
    end.

%% Runs all debug functions on an event; Format(Device, Event, Extra) prints it.
handle_debug([{trace, true} = Entry | Debug], Format, Extra, Event) ->
    print_event({Event, Extra, Format}),
    [Entry | handle_debug(Debug, Format, Extra, Event)];
handle_debug([{log, {N, Events}} | Debug], Format, Extra, Event) ->
    [{log, {N, lists:sublist([{Event, Extra, Format} | Events], N)}} | handle_debug(Debug, Format, Extra, Event)];
handle_debug([{statistics, Counts} | Debug], Format, Extra, Event) ->
    [{statistics, count(Event, Counts)} | handle_debug(Debug, Format, Extra, Event)];
handle_debug([{log_to_file, File} = Entry | Debug], Format, Extra, Event) ->
    Format(File, Event, Extra),
    [Entry | handle_debug(Debug, Format, Extra, Event)];
handle_debug([{Id, {Function, State}} | Debug], Format, Extra, Event) ->
    %% A function that is done, or fails, is taken out.
    try Function(State, Event, Extra) of
        done -> handle_debug(Debug, Format, Extra, Event);
        State1 -> [{Id, {Function, State1}} | handle_debug(Debug, Format, Extra, Event)]
    catch _:_ -> handle_debug(Debug, Format, Extra, Event)
    end;
handle_debug([], _, _, _) -> [].

count({in, _}, {Start, Reductions, In, Out}) -> {Start, Reductions, In + 1, Out};
count({in, _, _}, {Start, Reductions, In, Out}) -> {Start, Reductions, In + 1, Out};
count({out, _, _}, {Start, Reductions, In, Out}) -> {Start, Reductions, In, Out + 1};
count({out, _, _, _}, {Start, Reductions, In, Out}) -> {Start, Reductions, In, Out + 1};
count(_, Counts) -> Counts.

logged(Debug) ->
    case lists:keyfind(log, 1, Debug) of
        {_, {_, Events}} -> Events;
        false -> []
    end.

get_log(Debug) -> lists:reverse([Event || {Event, _, _} <- logged(Debug)]).

get_debug(Item, Debug, Default) ->
    case lists:keyfind(Item, 1, Debug) of
        {_, {_, _} = Data} when Item =:= log -> Data;
        {_, {_, State}} -> State;
        {_, Data} -> Data;
        false -> Default
    end.

print_log(Debug) -> lists:foreach(fun print_event/1, lists:reverse(logged(Debug))).

print_event({Event, Extra, Format}) -> Format(standard_io, Event, Extra).

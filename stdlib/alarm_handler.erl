%% Alarms: what is wrong with the system at the moment, as its parts say. The application `sasl` starts the event manager, whose name is
%% `alarm_handler` too; the handler here keeps the alarms and reports them, until a program puts its own in its place.
-module(alarm_handler).
-behaviour(gen_event).

-export([start_link/0, set_alarm/1, clear_alarm/1, get_alarms/0, add_alarm_handler/1, add_alarm_handler/2, delete_alarm_handler/1]).
-export([init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).

-type alarm_id() :: term().
-type alarm() :: {alarm_id(), AlarmDescription :: term()}.

start_link() ->
    case gen_event:start_link({local, ?MODULE}) of
        {ok, Pid} ->
            ok = gen_event:add_handler(?MODULE, ?MODULE, []),
            {ok, Pid};
        Error -> Error
    end.

-spec set_alarm(alarm()) -> term().
set_alarm(Alarm) -> gen_event:notify(?MODULE, {set_alarm, Alarm}).

-spec clear_alarm(alarm_id()) -> term().
clear_alarm(Id) -> gen_event:notify(?MODULE, {clear_alarm, Id}).

%% The newest first.
-spec get_alarms() -> [alarm()].
get_alarms() -> gen_event:call(?MODULE, ?MODULE, get_alarms).

add_alarm_handler(Module) when is_atom(Module) -> add_alarm_handler(Module, []).

add_alarm_handler(Module, Args) when is_atom(Module) -> gen_event:add_handler(?MODULE, Module, Args).

delete_alarm_handler(Module) when is_atom(Module) -> gen_event:delete_handler(?MODULE, Module, []).

%%% The handler

init(_) -> {ok, []}.

handle_event({set_alarm, Alarm}, Alarms) ->
    error_logger:info_report([{?MODULE, {set, Alarm}}]),
    {ok, [Alarm | Alarms]};
handle_event({clear_alarm, Id}, Alarms) ->
    error_logger:info_report([{?MODULE, {clear, Id}}]),
    {ok, lists:keydelete(Id, 1, Alarms)};
handle_event(_, Alarms) -> {ok, Alarms}.

handle_call(get_alarms, Alarms) -> {ok, Alarms, Alarms};
handle_call(_, Alarms) -> {ok, {error, bad_query}, Alarms}.

handle_info(_, Alarms) -> {ok, Alarms}.

%% Who takes this handler's place gets the alarms.
terminate(swap, Alarms) -> {?MODULE, Alarms};
terminate(_, _) -> ok.

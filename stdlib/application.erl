%% Applications: loading, starting and stopping them, and their environments.
%%
%% Who keeps them is `application_controller`; what is only read is read here, from its table.
-module(application).

-export([get_env/1, get_env/2, get_env/3, set_env/1, set_env/2, set_env/3, set_env/4, unset_env/2, unset_env/3, get_all_env/0,
         get_all_env/1, start/1, start/2, stop/1, ensure_started/1, ensure_started/2, ensure_all_started/1, ensure_all_started/2,
         load/1, load/2, unload/1, which_applications/0, which_applications/1, loaded_applications/0, get_application/0,
         get_application/1, get_key/1, get_key/2, get_all_key/0, get_all_key/1, permit/2, start_type/0, info/0]).

-export_type([start_type/0]).

-type start_type() :: normal | {takeover, node()} | {failover, node()}.
-type restart_type() :: permanent | transient | temporary.

-callback start(start_type(), term()) -> {ok, pid()} | {ok, pid(), term()} | {error, term()}.
-callback stop(term()) -> term().
-callback config_change([{atom(), term()}], [{atom(), term()}], [atom()]) -> ok.
-callback prep_stop(term()) -> term().
-callback start_phase(atom(), start_type(), term()) -> ok | {error, term()}.
-optional_callbacks([config_change/3, prep_stop/1, start_phase/3]).

%%% Environments

%% Those without the name of an application are about the one that the caller belongs to.
-spec get_env(atom()) -> {ok, term()} | undefined.
get_env(Key) ->
    case get_application() of
        {ok, App} -> get_env(App, Key);
        undefined -> undefined
    end.

-spec get_env(atom(), atom()) -> {ok, term()} | undefined.
get_env(App, Key) -> application_controller:environment(App, Key).

-spec get_env(atom(), atom(), Default) -> term() | Default.
get_env(App, Key, Default) ->
    case get_env(App, Key) of
        {ok, Value} -> Value;
        undefined -> Default
    end.

-spec get_all_env() -> [{atom(), term()}].
get_all_env() ->
    case get_application() of
        {ok, App} -> get_all_env(App);
        undefined -> []
    end.

-spec get_all_env(atom()) -> [{atom(), term()}].
get_all_env(App) -> application_controller:environments(App).

-spec set_env([{atom(), [{atom(), term()}]}]) -> ok.
set_env(Config) -> set_env(Config, []).

-spec set_env([{atom(), [{atom(), term()}]}], [term()]) -> ok.
set_env(Config, Options) when is_list(Config), is_list(Options) ->
    case [Bad || Bad <- Config, not is_config(Bad)] of
        [] -> application_controller:call({set_env, Config, Options});
        [Bad | _] -> error({badarg, Bad}, [Config, Options])
    end.

is_config({App, Pairs}) when is_atom(App), is_list(Pairs) -> lists:all(fun(Pair) -> is_tuple(Pair) andalso tuple_size(Pair) =:= 2 end, Pairs);
is_config(_) -> false.

-spec set_env(atom(), atom(), term()) -> ok.
set_env(App, Key, Value) -> set_env(App, Key, Value, []).

-spec set_env(atom(), atom(), term(), [term()]) -> ok.
set_env(App, Key, Value, Options) when is_list(Options) -> application_controller:call({set_env, [{App, [{Key, Value}]}], Options}).

-spec unset_env(atom(), atom()) -> ok.
unset_env(App, Key) -> application_controller:call({unset_env, App, Key}).

-spec unset_env(atom(), atom(), [term()]) -> ok.
unset_env(App, Key, _Options) -> unset_env(App, Key).

%%% Loading

%% The application's name, or what would stand in its file.
-spec load(atom() | {application, atom(), [term()]}) -> ok | {error, term()}.
load(App) -> application_controller:call({load, App}).

%% There are no other nodes that it could be distributed to.
-spec load(atom() | {application, atom(), [term()]}, term()) -> ok | {error, term()}.
load(App, _Distributed) -> load(App).

-spec unload(atom()) -> ok | {error, term()}.
unload(App) -> application_controller:call({unload, App}).

%%% Starting and stopping

-spec start(atom()) -> ok | {error, term()}.
start(App) -> start(App, temporary).

-spec start(atom(), restart_type()) -> ok | {error, term()}.
start(App, Type) when is_atom(App) ->
    case lists:member(Type, [permanent, transient, temporary]) of
        true -> application_controller:call({start, App, Type});
        false -> {error, {invalid_restart_type, Type}}
    end;
start(App, _Type) -> {error, {bad_application, App}}.

-spec stop(atom()) -> ok | {error, term()}.
stop(App) -> application_controller:call({stop, App}).

-spec ensure_started(atom()) -> ok | {error, term()}.
ensure_started(App) -> ensure_started(App, temporary).

-spec ensure_started(atom(), restart_type()) -> ok | {error, term()}.
ensure_started(App, Type) ->
    case start(App, Type) of
        {error, {already_started, App}} -> ok;
        Result -> Result
    end.

-spec ensure_all_started(atom() | [atom()]) -> {ok, [atom()]} | {error, term()}.
ensure_all_started(Apps) -> ensure_all_started(Apps, temporary).

%% Starts the applications and all that they build upon. If one cannot be, those that this call has started are stopped.
-spec ensure_all_started(atom() | [atom()], restart_type()) -> {ok, [atom()]} | {error, term()}.
ensure_all_started(Apps, Type) when is_list(Apps) ->
    case all_started(Apps, Type, []) of
        {ok, Started} -> {ok, lists:reverse(Started)};
        {error, Reason, Started} ->
            lists:foreach(fun stop/1, Started),
            {error, Reason}
    end;
ensure_all_started(App, Type) -> ensure_all_started([App], Type).

%% `Started`, newest first. An application waits behind those that it builds upon.
all_started([], _, Started) -> {ok, Started};
all_started([App | Rest] = Apps, Type, Started) ->
    case start(App, Type) of
        ok -> all_started(Rest, Type, [App | Started]);
        {error, {already_started, App}} -> all_started(Rest, Type, Started);
        {error, {not_started, Needed}} ->
            case lists:member(Needed, Apps) of
                %% They build upon each other.
                true when Needed =:= App -> {error, {App, {not_started, Needed}}, Started};
                _ ->
                    case all_started([Needed], Type, Started) of
                        {ok, Started1} -> all_started(Apps, Type, Started1);
                        Error -> Error
                    end
            end;
        {error, Reason} -> {error, {App, Reason}, Started}
    end.

%%% What there is

-spec which_applications() -> [{atom(), string(), string()}].
which_applications() -> application_controller:running().

-spec which_applications(timeout()) -> [{atom(), string(), string()}].
which_applications(_Timeout) -> which_applications().

-spec loaded_applications() -> [{atom(), string(), string()}].
loaded_applications() -> application_controller:loaded().

-spec get_application() -> {ok, atom()} | undefined.
get_application() -> get_application(self()).

-spec get_application(pid() | module()) -> {ok, atom()} | undefined.
get_application(What) when is_pid(What); is_atom(What) -> application_controller:application_of(What).

-spec get_key(atom()) -> {ok, term()} | undefined.
get_key(Key) ->
    case get_application() of
        {ok, App} -> get_key(App, Key);
        undefined -> undefined
    end.

-spec get_key(atom(), atom()) -> {ok, term()} | undefined.
get_key(App, Key) ->
    case get_all_key(App) of
        {ok, Keys} ->
            case lists:keyfind(Key, 1, Keys) of
                {_, Value} -> {ok, Value};
                false -> undefined
            end;
        undefined -> undefined
    end.

-spec get_all_key() -> {ok, [{atom(), term()}]} | [].
get_all_key() ->
    case get_application() of
        {ok, App} -> get_all_key(App);
        undefined -> []
    end.

-spec get_all_key(atom()) -> {ok, [{atom(), term()}]} | undefined.
get_all_key(App) ->
    case application_controller:description(App) of
        {ok, Keys} ->
            {Before, Behind} = lists:splitwith(fun({Key, _}) -> Key =/= mod end, Keys),
            {ok, Before ++ [{env, get_all_env(App)} | Behind]};
        undefined -> undefined
    end.

%% Whether an application may run is asked of several nodes only.
-spec permit(atom(), boolean()) -> ok.
permit(App, Permission) when is_atom(App), is_boolean(Permission) -> ok.

-spec start_type() -> start_type() | undefined.
start_type() -> application_controller:start_type(group_leader()).

-spec info() -> [{atom(), term()}].
info() -> [{loaded, loaded_applications()}, {running, [Name || {Name, _, _} <- which_applications()]}].

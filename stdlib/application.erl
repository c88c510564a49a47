%% Applications: their environments.
%%
%% What a release is made of elsewhere, descriptions in `.app` files and trees started from them, does not exist here: only the
%% applications that are part of the system count as started, and starting another is an error that says so. Environments work for every name.
-module(application).

-export([get_env/1, get_env/2, get_env/3, set_env/1, set_env/2, set_env/3, set_env/4, unset_env/2, unset_env/3, get_all_env/0,
         get_all_env/1, start/1, start/2, stop/1, ensure_started/1, ensure_started/2, ensure_all_started/1, ensure_all_started/2,
         load/1, unload/1, which_applications/0, loaded_applications/0, get_application/0, get_application/1, get_key/2]).

-define(BUILT_IN, [kernel, stdlib]).

%%% Environments: a map per application, as persistent terms

environment(App) -> persistent_term:get({application, App}, #{}).

get_env(_Key) -> undefined.

-spec get_env(atom(), atom()) -> {ok, term()} | undefined.
get_env(App, Key) ->
    case environment(App) of
        #{Key := Value} -> {ok, Value};
        #{} -> undefined
    end.

get_env(App, Key, Default) -> maps:get(Key, environment(App), Default).

set_env(Config) -> set_env(Config, []).

set_env(Config, Options) when is_list(Config), is_list(Options) ->
    lists:foreach(fun({App, Pairs}) -> lists:foreach(fun({Key, Value}) -> set_env(App, Key, Value) end, Pairs) end, Config).

set_env(App, Key, Value) -> persistent_term:put({application, App}, (environment(App))#{Key => Value}).

set_env(App, Key, Value, _Options) -> set_env(App, Key, Value).

unset_env(App, Key) -> persistent_term:put({application, App}, maps:remove(Key, environment(App))).

unset_env(App, Key, _Options) -> unset_env(App, Key).

get_all_env() -> [].

get_all_env(App) -> maps:to_list(environment(App)).

%%% Starting

start(App) -> start(App, temporary).

start(App, _Type) ->
    case lists:member(App, ?BUILT_IN) of
        true -> {error, {already_started, App}};
        false -> {error, {"no such file or directory", atom_to_list(App) ++ ".app"}}
    end.

stop(App) -> {error, {not_started, App}}.

ensure_started(App) -> ensure_started(App, temporary).

ensure_started(App, Type) ->
    case start(App, Type) of
        {error, {already_started, App}} -> ok;
        Error -> Error
    end.

ensure_all_started(Apps) -> ensure_all_started(Apps, temporary).

%% None was started by this call, as those there are run already.
ensure_all_started(Apps, Type) when is_list(Apps) ->
    case [{App, Reason} || App <- Apps, {error, Reason} <- [ensure_started(App, Type)]] of
        [] -> {ok, []};
        [Failed | _] -> {error, Failed}
    end;
ensure_all_started(App, Type) -> ensure_all_started([App], Type).

load(App) when is_atom(App) ->
    case lists:member(App, ?BUILT_IN) of
        true -> {error, {already_loaded, App}};
        false -> {error, {"no such file or directory", atom_to_list(App) ++ ".app"}}
    end;
load(Description) -> error(notsup, [Description]).

unload(App) -> {error, {not_loaded, App}}.

which_applications() -> loaded_applications().

loaded_applications() -> [{App, "", erlang:system_info(otp_release)} || App <- ?BUILT_IN].

get_application() -> undefined.

get_application(_) -> undefined.

get_key(_, _) -> undefined.

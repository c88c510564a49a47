%% Loading modules, and replacing them while they run.
%%
%% A module has a current version and at most one old one. Calls with a module's name reach the current version, processes
%% that are in the old one stay there until they make such a call. An old version goes when it is purged.
-module(code).

-export([load_file/1, load_abs/1, load_binary/3, ensure_loaded/1, ensure_modules_loaded/1, delete/1, purge/1, soft_purge/1,
         is_loaded/1, all_loaded/0, all_available/0, which/1, where_is_file/1, get_object_code/1, module_md5/1, module_status/1,
         is_sticky/1, get_mode/0, root_dir/0, lib_dir/0, lib_dir/1, priv_dir/1, get_path/0, is_module_native/1]).

-type load_error() :: badfile | nofile | not_purged | on_load_failure | sticky_directory | system_limit.

%% Loads the module's source as it is now.
-spec load_file(module()) -> {module, module()} | {error, load_error()}.
load_file(Module) when is_atom(Module) ->
    case is_sticky(Module) of
        true ->
            logger:log(error, "Can't load module '~w' that resides in sticky dir~n", [Module]),
            {error, sticky_directory};
        false -> loaded(Module, with_ticket(fun(Ticket) -> {new, Module, Ticket} end))
    end.

with_ticket(Request) ->
    case erlet_code:ticket() of
        {error, _} = Denied -> Denied;
        Ticket -> erlet_code_server:load(Request(Ticket))
    end.

loaded(Module, {error, not_purged}) ->
    logger:log(error, "Loading of ~ts failed: ~p~n", [module_file(Module), not_purged]),
    {error, not_purged};
loaded(_, Result) -> Result.

module_file(Module) ->
    case which(Module) of
        File when is_list(File) -> File;
        _ -> atom_to_list(Module)
    end.

%% There are no files of object code.
-spec load_abs(file:filename()) -> {error, nofile}.
load_abs(File) when is_list(File); is_atom(File) -> {error, nofile}.

%% Code is what get_object_code/1 gives.
-spec load_binary(module(), file:filename(), binary()) -> {module, module()} | {error, load_error()}.
load_binary(Module, File, Code) when is_atom(Module), is_list(File) orelse is_atom(File), is_binary(Code) ->
    case is_sticky(Module) of
        true ->
            logger:log(error, "Can't load module '~w' that resides in sticky dir~n", [Module]),
            {error, sticky_directory};
        false ->
            erlang:module_loaded(Module) andalso purge(Module),
            loaded(Module, with_ticket(fun(Ticket) -> {binary, Module, File, Code, Ticket} end))
    end.

-spec ensure_loaded(module()) -> {module, module()} | {error, load_error()}.
ensure_loaded(Module) when is_atom(Module) ->
    case erlang:module_loaded(Module) of
        true -> {module, Module};
        false -> erlet_code_server:load({missing, Module})
    end.

-spec ensure_modules_loaded([module()]) -> ok | {error, [{module(), load_error()}]}.
ensure_modules_loaded(Modules) ->
    case [{Module, Reason} || Module <- Modules, {error, Reason} <- [ensure_loaded(Module)]] of
        [] -> ok;
        Failed -> {error, Failed}
    end.

%% The current version becomes the old one: false if there is an old one already.
-spec delete(module()) -> boolean().
delete(Module) when is_atom(Module) ->
    case erlang:check_old_code(Module) of
        true ->
            logger:log(error, "Module ~w must be purged before deleting~n", [Module]),
            false;
        false -> erlang:delete_module(Module) =:= true
    end.

%% The old version goes, and with it the processes that run it: whether there were any.
-spec purge(module()) -> boolean().
purge(Module) when is_atom(Module) -> purge(Module, false).

purge(Module, Killed) ->
    case erlang:check_old_code(Module) andalso lingering(Module) of
        false -> Killed;
        [] ->
            forget(Module),
            Killed;
        Pids ->
            kill(Pids),
            %% Who was started meanwhile by one of them may run it too.
            purge(Module, true)
    end.

%% The old version goes if no process runs it.
-spec soft_purge(module()) -> boolean().
soft_purge(Module) when is_atom(Module) ->
    case erlang:check_old_code(Module) andalso lingering(Module) of
        false -> true;
        [] ->
            forget(Module),
            true;
        _ -> false
    end.

lingering(Module) -> [Pid || Pid <- processes(), erlang:check_process_code(Pid, Module)].

%% What is forgotten is freed a little later. Who purges faster than that waits.
forget(Module) ->
    try erlang:purge_module(Module) of
        true ->
            case erlet_code:purged() > 100 of
                true -> receive after 2 -> ok end;
                false -> ok
            end;
        {error, Reason} -> error(Reason)
    catch error:badarg -> ok
    end.

kill(Pids) ->
    Monitors =
        [begin
             Monitor = monitor(process, Pid),
             exit(Pid, kill),
             Monitor
         end || Pid <- Pids],
    [receive {'DOWN', Monitor, process, _, _} -> ok end || Monitor <- Monitors],
    ok.

%%% What there is

-spec is_loaded(module()) -> {file, file:filename() | preloaded} | false.
is_loaded(Module) when is_atom(Module) ->
    case erlet_code:origin(Module) of
        false -> false;
        File -> {file, File}
    end.

-spec all_loaded() -> [{module(), file:filename() | preloaded}].
all_loaded() -> [{Module, erlet_code:origin(Module)} || Module <- erlang:loaded()].

-spec all_available() -> [{string(), file:filename() | preloaded, boolean()}].
all_available() -> [{atom_to_list(Module), File, true} || {Module, File} <- all_loaded()].

-spec which(module()) -> file:filename() | preloaded | non_existing.
which(Module) when is_atom(Module) ->
    case erlet_code:origin(Module) of
        false -> erlet_code:file(Module);
        File -> File
    end.

-spec where_is_file(file:filename()) -> non_existing.
where_is_file(File) when is_list(File) -> non_existing.

-spec get_object_code(module()) -> {module(), binary(), file:filename() | preloaded} | error.
get_object_code(Module) when is_atom(Module) ->
    case erlet_code:object_code(Module) of
        {Code, File} -> {Module, Code, File};
        error -> error
    end.

-spec module_md5(binary()) -> binary() | undefined.
module_md5(Code) when is_binary(Code) -> undefined.

-spec module_status(module()) -> not_loaded | loaded.
module_status(Module) when is_atom(Module) ->
    case erlang:module_loaded(Module) of
        true -> loaded;
        false -> not_loaded
    end.

%% The standard library cannot be replaced while it runs.
-spec is_sticky(module()) -> boolean().
is_sticky(Module) when is_atom(Module) -> erlang:module_loaded(Module) andalso erlet_code:origin(Module) =:= preloaded andalso
                                              erlet_code:file(Module) =:= preloaded.

-spec is_module_native(module()) -> false | undefined.
is_module_native(Module) when is_atom(Module) ->
    case erlang:module_loaded(Module) of
        true -> false;
        false -> undefined
    end.

-spec get_mode() -> interactive.
get_mode() -> interactive.

%%% Folders: what erlet knows is in one file

-spec root_dir() -> file:filename().
root_dir() -> "".

-spec lib_dir() -> file:filename().
lib_dir() -> "".

-spec lib_dir(atom()) -> {error, bad_name}.
lib_dir(Name) when is_atom(Name) -> {error, bad_name}.

-spec priv_dir(atom()) -> {error, bad_name}.
priv_dir(Name) when is_atom(Name) -> {error, bad_name}.

-spec get_path() -> [file:filename()].
get_path() -> [].

%% Loading modules, and replacing them while they run.
%%
%% A module has a current version and at most one old one. Calls with a module's name reach the current version, processes
%% that are in the old one stay there until they make such a call. An old version goes when it is purged.
-module(code).

-export([load_file/1, load_abs/1, load_abs/2, load_binary/3, ensure_loaded/1, ensure_modules_loaded/1, delete/1, purge/1, soft_purge/1,
         is_loaded/1, all_loaded/0, all_available/0, which/1, where_is_file/1, get_object_code/1, module_md5/1, module_status/1,
         is_sticky/1, stick_mod/1, unstick_mod/1, get_mode/0, root_dir/0, lib_dir/0, lib_dir/1, lib_dir/2, priv_dir/1, get_path/0, set_path/1, add_path/1,
         add_patha/1, add_pathz/1, add_paths/1, add_pathsa/1, add_pathsz/1, del_path/1, replace_path/2, where_is_file/2,
         module_status/0, modified_modules/0, rehash/0, is_module_native/1, objfile_extension/0]).

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

%% The object code that compile:file/1 has written to `File.beam`.
-spec load_abs(file:filename()) -> {module, module()} | {error, load_error()}.
load_abs(File) when is_list(File); is_atom(File) -> load_abs(File, list_to_atom(filename:basename(lists:concat([File])))).

%% (For those of OTP's programs that know the name.)
-spec load_abs(file:filename(), module()) -> {module, module()} | {error, load_error()}.
load_abs(File, Module) when is_list(File) orelse is_atom(File), is_atom(Module) ->
    Path = filename:absname(lists:concat([File, objfile_extension()])),
    case file:read_file(Path) of
        {ok, Code} -> load_binary(Module, Path, Code);
        {error, _} -> {error, nofile}
    end.

%% What the names of files end with that compile:file/2 writes.
-spec objfile_extension() -> nonempty_string().
objfile_extension() -> ".beam".

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

-spec where_is_file(file:filename()) -> file:filename() | non_existing.
where_is_file(File) when is_list(File) -> where_is_file(get_path(), File).

%% The first of the folders that has the file.
-spec where_is_file([file:filename()], file:filename()) -> file:filename() | non_existing.
where_is_file(Path, File) when is_list(Path), is_list(File) ->
    case [Full || Folder <- Path, Full <- [filename:append(Folder, File)], filelib:is_regular(Full)] of
        [First | _] -> First;
        [] -> non_existing
    end.

-spec get_object_code(module()) -> {module(), binary(), file:filename() | preloaded} | error.
get_object_code(Module) when is_atom(Module) ->
    case erlet_code:object_code(Module) of
        {Code, File} -> {Module, Code, File};
        error -> error
    end.

-spec module_md5(binary()) -> binary() | undefined.
module_md5(Code) when is_binary(Code) -> undefined.

-type module_status() :: not_loaded | loaded | modified | removed.

-spec module_status() -> [{module(), module_status()}].
module_status() -> module_status(erlang:loaded()).

%% Whether the module is what its source says now.
-spec module_status(module()) -> module_status();
                   ([module()]) -> [{module(), module_status()}].
module_status(Modules) when is_list(Modules) -> [{Module, module_status(Module)} || Module <- Modules];
module_status(Module) when is_atom(Module) ->
    case erlet_code:origin(Module) of
        false -> not_loaded;
        preloaded -> loaded;
        _ ->
            Loaded = erlet_code:md5(Module),
            case erlet_code:source_md5(Module) of
                error -> removed;
                Loaded -> loaded;
                _ -> modified
            end
    end.

-spec modified_modules() -> [module()].
modified_modules() -> [Module || {Module, modified} <- module_status()].

%% Nothing is remembered of the folders.
-spec rehash() -> ok.
rehash() -> ok.

%% The standard library is not replaced while it runs, but for modules that somebody has unstuck.
-spec is_sticky(module()) -> boolean().
is_sticky(Module) when is_atom(Module) -> erlang:module_loaded(Module) andalso erlet_code:origin(Module) =:= preloaded andalso
                                              erlet_code:file(Module) =:= preloaded andalso not lists:member(Module, unstuck()).

-define(UNSTUCK, {?MODULE, unstuck}).

unstuck() -> persistent_term:get(?UNSTUCK, []).

-spec unstick_mod(module()) -> true.
unstick_mod(Module) when is_atom(Module) ->
    lists:member(Module, unstuck()) orelse persistent_term:put(?UNSTUCK, [Module | unstuck()]),
    true.

-spec stick_mod(module()) -> true.
stick_mod(Module) when is_atom(Module) ->
    lists:member(Module, unstuck()) andalso persistent_term:put(?UNSTUCK, lists:delete(Module, unstuck())),
    true.

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

%% An application is a folder of the path, by its name or as the folder around its ebin or its sources; a version may follow the name.
-spec lib_dir(atom()) -> file:filename() | {error, bad_name}.
lib_dir(Name) when is_atom(Name); is_list(Name) ->
    case [Folder || Folder <- get_path(), is_named(Folder, Name)] of
        [Folder | _] -> application_folder(Folder);
        [] -> {error, bad_name}
    end.

-spec lib_dir(atom(), atom()) -> file:filename() | {error, bad_name}.
lib_dir(Name, Folder) when is_atom(Folder) -> below(lib_dir(Name), atom_to_list(Folder)).

-spec priv_dir(atom()) -> file:filename() | {error, bad_name}.
priv_dir(Name) when is_atom(Name); is_list(Name) -> below(lib_dir(Name), "priv").

below({error, _} = Error, _) -> Error;
below(Folder, Name) -> filename:append(Folder, Name).

application_folder(Folder) ->
    case filename:basename(Folder) of
        Part when Part =:= "ebin"; Part =:= "src" -> filename:dirname(Folder);
        _ -> Folder
    end.

is_named(Folder, Name) when is_atom(Name) -> is_named(Folder, atom_to_list(Name));
is_named(Folder, Name) ->
    Base = filename:basename(application_folder(Folder)),
    Name =/= "" andalso (Base =:= Name orelse lists:prefix(Name ++ "-", Base)).

%%% The path

%% The folders in which modules are looked for that are called and not loaded.
-spec get_path() -> [file:filename()].
get_path() -> erlet_code:path().

-type path_error() :: bad_directory.

-spec set_path([file:filename()]) -> true | {error, path_error()}.
set_path(Path) when is_list(Path) ->
    case lists:all(fun is_list/1, Path) of
        true -> change(fun(_) -> [plain(Folder) || Folder <- Path] end);
        false -> {error, bad_directory}
    end.

-spec add_path(file:filename()) -> true | {error, path_error()}.
add_path(Folder) when is_list(Folder) -> add_pathz(Folder).

-spec add_pathz(file:filename()) -> true | {error, path_error()}.
add_pathz(Folder) when is_list(Folder) ->
    change(fun(Path) ->
                   Name = plain(Folder),
                   case lists:member(Name, Path) of
                       true -> Path;
                       false -> Path ++ [Name]
                   end
           end).

-spec add_patha(file:filename()) -> true | {error, path_error()}.
add_patha(Folder) when is_list(Folder) ->
    change(fun(Path) ->
                   Name = plain(Folder),
                   [Name | lists:delete(Name, Path)]
           end).

-spec add_paths([file:filename()]) -> ok.
add_paths(Folders) when is_list(Folders) -> add_pathsz(Folders).

-spec add_pathsz([file:filename()]) -> ok.
add_pathsz(Folders) when is_list(Folders) -> lists:foreach(fun add_pathz/1, Folders).

-spec add_pathsa([file:filename()]) -> ok.
add_pathsa(Folders) when is_list(Folders) -> lists:foreach(fun add_patha/1, Folders).

%% By its name, or that of its application.
-spec del_path(file:filename() | atom()) -> boolean().
del_path(Folder) when is_list(Folder); is_atom(Folder) ->
    Path = get_path(),
    case [Name || Name <- Path, is_meant(Name, Folder)] of
        [] -> false;
        [Name | _] -> exchanged(Path, lists:delete(Name, Path), fun() -> del_path(Folder) end)
    end.

is_meant(Name, Folder) when is_list(Folder) -> Name =:= plain(Folder) orelse is_named(Name, Folder);
is_meant(Name, Application) -> is_named(Name, Application).

%% Another folder for an application.
-spec replace_path(atom(), file:filename()) -> true | {error, bad_directory | bad_name}.
replace_path(Name, Folder) when is_atom(Name) orelse is_list(Name), is_list(Folder) ->
    case is_named(plain(Folder), Name) of
        false -> {error, bad_name};
        true ->
            change(fun(Path) ->
                           case lists:splitwith(fun(Old) -> not is_named(Old, Name) end, Path) of
                               {Before, [_ | After]} -> Before ++ [plain(Folder) | After];
                               {Before, []} -> Before ++ [plain(Folder)]
                           end
                   end)
    end.

%% Others may change the path at the same time.
change(Change) ->
    Path = get_path(),
    try Change(Path) of
        Changed -> exchanged(Path, Changed, fun() -> change(Change) end)
    catch error:_ -> {error, bad_directory}
    end.

exchanged(Path, Changed, Again) ->
    try erlet_code:exchange_path(Path, Changed) of
        false -> Again();
        Done -> Done
    catch error:badarg -> {error, bad_directory}
    end.

plain("") -> ".";
plain(Folder) -> filename:join([Folder]).

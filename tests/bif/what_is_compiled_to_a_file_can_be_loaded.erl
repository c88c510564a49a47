%% Object code that `compile:file/2` has written is found on the code path, and by `code:load_abs/1`.
-module(what_is_compiled_to_a_file_can_be_loaded).

-export([main/0]).

main() ->
    Folder = folder(os:getpid(), 0),
    ok = file:make_dir(filename:join(Folder, "ebin")),
    Ebin = filename:join(Folder, "ebin"),
    Source = filename:join(Folder, "compiled_here.erl"),
    ok = file:write_file(Source, "-module(compiled_here).\n-export([which/0]).\n-ifdef(SECOND).\nwhich() -> second.\n-else.\nwhich() -> first.\n-endif.\n"),
    io:format("~p~n", [try compiled_here:which() catch error:Reason -> Reason end]),
    io:format("~p~n", [compile:file(Source, [{outdir, Ebin}])]),
    true = code:add_patha(Ebin),
    io:format("~p~n", [compiled_here:which()]),
    io:format("~p~n", [filename:basename(code:which(compiled_here))]),
    io:format("~p~n", [compile:file(Source, [{outdir, Ebin}, {d, 'SECOND'}])]),
    io:format("~p ~p~n", [compiled_here:which(), code:load_file(compiled_here)]),
    io:format("~p~n", [compiled_here:which()]),
    code:purge(compiled_here),
    io:format("~p~n", [code:load_abs(filename:join(Ebin, "compiled_here"))]),
    io:format("~p~n", [code:load_abs(filename:join(Ebin, "nothing_here"))]),
    ok = file:write_file(filename:join(Ebin, "bad_one.beam"), "no code"),
    code:purge(compiled_here),
    true = code:delete(compiled_here),
    code:purge(compiled_here),
    true = code:del_path(Ebin),
    io:format("~p~n", [code:ensure_loaded(compiled_here)]),
    ok = file:del_dir_r(Folder).

% A new one: others may run this at the same time.
folder(Pid, N) ->
    Folder = filename:join(os:getenv("TMPDIR", "/tmp"), lists:concat(["compiled_", Pid, "_", N])),
    case file:make_dir(Folder) of
        ok -> Folder;
        {error, eexist} -> folder(Pid, N + 1)
    end.

%% expect: undef
%% expect: {ok,compiled_here}
%% expect: first
%% expect: "compiled_here.beam"
%% expect: {ok,compiled_here}
%% expect: first {module,compiled_here}
%% expect: second
%% expect: {module,compiled_here}
%% expect: {error,nofile}
%% expect: {error,nofile}

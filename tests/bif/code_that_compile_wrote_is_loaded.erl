%% What compile:file/2 writes is loaded by code:load_abs/1, and found on the code path.
%% expect: {ok,written}
%% expect: {module,written}
%% expect: 1
%% expect: {error,nofile}
%% expect: 1
%% expect: true
%% expect: error
-module(code_that_compile_wrote_is_loaded).
-export([main/0]).

main() ->
    %% Several machines in one process run this at once: only the system knows a name that nobody has.
    Folder = string:trim(os:cmd("mktemp -d /tmp/erlet_code_XXXXXXXX")),
    Source = filename:join(Folder, "source"),
    ok = filelib:ensure_dir(filename:join(Source, "x")),
    File = filename:join(Source, "written.erl"),
    ok = file:write_file(File, "-module(written). -export([f/0]). f() -> 1.\n"),
    io:format("~p~n", [compile:file(filename:rootname(File), [{outdir, Folder}])]),
    Written = filename:join(Folder, "written"),
    true = filelib:is_regular(Written ++ code:objfile_extension()),
    io:format("~p~n", [code:load_abs(Written)]),
    io:format("~p~n", [written:f()]),
    io:format("~p~n", [code:load_abs(filename:join(Folder, "none"))]),
    unload(),
    true = code:add_patha(Folder),
    io:format("~p~n", [written:f()]),
    io:format("~p~n", [code:which(written) =:= Written ++ ".beam"]),
    unload(),
    ok = file:write_file(Written ++ ".beam", "something else"),
    io:format("~p~n", [element(1, code:load_abs(Written))]),
    true = code:del_path(Folder),
    ok = file:del_dir_r(Folder).

unload() -> code:purge(written), code:delete(written), code:purge(written).

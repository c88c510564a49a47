%% Places in files by their start, their end and where one stands; reading nothing at the end; names of nothing; scripts without a value.
-module(files_are_read_at_a_place).

-export([main/0]).

main() ->
    Folder = folder(os:getpid(), 0),
    Name = filename:join(Folder, "places"),
    ok = file:write_file(Name, "0123456789"),
    [places(Name, Modes) || Modes <- [[read, write, binary], [read, write], [read, write, raw, binary]]],
    {ok, Old} = file:open(Name, read_write),
    io:format("~p~n", [[file:read(Old, 3), file:write(Old, "xyz"), file:position(Old, bof), file:read(Old, 8)]]),
    ok = file:close(Old),
    io:format("~p~n", [[file:make_dir(""), file:read_file_info(""), file:read_file(""), file:list_dir(""), file:set_cwd(""), file:open("", [read])]]),
    io:format("~p~n", [file:read_file_info(Name, [{time, sometime}])]),
    ok = file:write_file(Name, "%% nothing\n"),
    io:format("~p~n", [[file:script(Name), file:eval(Name)]]),
    io:format("~s~n", [file:format_error({1, file, undefined_script})]),
    ok = file:write_file(Name, "X + 1."),
    io:format("~p~n", [[file:script(Name, [{'X', 2}]), element(1, file:path_eval([filename:dirname(Name)], filename:basename(Name), [{'X', 2}]))]]),
    ok = file:del_dir_r(Folder).

%% A new one: others may run this at the same time.
folder(Pid, N) ->
    Folder = filename:join(os:getenv("TMPDIR", "/tmp"), lists:concat(["places_", Pid, "_", N])),
    case file:make_dir(Folder) of
        ok -> Folder;
        {error, eexist} -> folder(Pid, N + 1)
    end.

places(Name, Modes) ->
    {ok, File} = file:open(Name, Modes),
    {ok, 3} = file:position(File, 3),
    io:format("~p~n", [[file:pread(File, {cur, 0}, 2), file:pread(File, {bof, 1}, 2), file:pread(File, {eof, -2}, 5), file:pread(File, -1, 1)]]),
    io:format("~p~n", [[file:pwrite(File, {bof, 0}, "0"), file:position(File, eof), file:read(File, 0), file:read(File, 1), file:advise(File, 0, 0, no_advice)]]),
    ok = file:close(File).

%% expect: [{ok,<<"34">>},{ok,<<"12">>},{ok,<<"89">>},{error,einval}]
%% expect: [ok,{ok,10},{ok,<<>>},eof,{error,einval}]
%% expect: [{ok,"34"},{ok,"12"},{ok,"89"},{error,einval}]
%% expect: [ok,{ok,10},{ok,[]},eof,{error,einval}]
%% expect: [{error,badarg},{error,badarg},{error,badarg},{error,einval}]
%% expect: [{error,badarg},{ok,10},{ok,<<>>},eof,{error,einval}]
%% expect: [{ok,"012"},ok,{ok,0},{ok,"012xyz67"}]
%% expect: [{error,enoent},
%% expect:  {error,enoent},
%% expect:  {error,enoent},
%% expect:  {error,enoent},
%% expect:  {error,enoent},
%% expect:  {error,enoent}]
%% expect: {error,badarg}
%% expect: [{error,{2,file,undefined_script}},ok]
%% expect: no value returned from script
%% expect: [{ok,3},ok]

%% file:write_file_info/2,3 and change_time/2,3 set the times of files: a missing time of access is the present, a missing one of modification
%% that of access.
-module(times_of_files_are_set).
-export([main/0]).
-record(file_info, {size, type, access, atime, mtime, ctime, mode, links, major_device, minor_device, inode, uid, gid}).

%% expect: {ok,[2000,1000]}
%% expect: {ok,[now,12345]}
%% expect: {ok,[12345,12345]}
%% expect: {ok,[now,1577836800]}
%% expect: {ok,[now,now]}
%% expect: {ok,[now,now]}
%% expect: {{2021,1,2},{3,4,5}}
%% expect: {{{2021,1,1},{0,0,0}},{{2022,1,1},{0,0,0}}}
%% expect: [{error,badarg},{error,badarg},{error,badarg},{error,badarg},{error,badarg},{error,badarg}]
%% expect: [{error,enoent},{error,enoent}]
%% expect: [function_clause,function_clause,function_clause]
main() ->
    Dir = string:trim(os:cmd("mktemp -d /tmp/erlet_times_XXXXXXXX")),
    Name = filename:join(Dir, "file"),
    ok = file:write_file(Name, "x"),
    Posix = fun(Info) -> {file:write_file_info(Name, Info, [{time, posix}]), times(Name)} end,
    show(Posix(#file_info{mtime = 1000, atime = 2000})),
    show(Posix(#file_info{mtime = 12345})),
    show(Posix(#file_info{atime = 12345})),
    show({file:write_file_info(Name, #file_info{mtime = {{2020, 1, 1}, {0, 0, 0}}}, [{time, universal}]), times(Name)}),
    show(Posix(#file_info{mode = 8#600})),
    {ok, Raw} = file:read_file_info(Name, [raw]),
    show({file:write_file_info(Name, Raw#file_info{ctime = {{2020, 1, 1}, {0, 0, 0}}}, [raw]), times(Name)}),
    ok = file:change_time(Name, {{2021, 1, 2}, {3, 4, 5}}),
    {ok, #file_info{mtime = Modified}} = file:read_file_info(Name),
    show(Modified),
    ok = file:change_time(Name, {{2021, 1, 1}, {0, 0, 0}}, {{2022, 1, 1}, {0, 0, 0}}),
    {ok, #file_info{atime = Read, mtime = Written}} = file:read_file_info(Name),
    show({Read, Written}),
    show([file:write_file_info(Name, #file_info{mode = x}), file:write_file_info(Name, #file_info{mtime = {{2020, 13, 1}, {0, 0, 0}}}),
          file:write_file_info(Name, #file_info{mtime = 12}, [{time, universal}]), file:write_file_info({a}, #file_info{}),
          file:write_file_info(Name, #file_info{mtime = {{2020, 1, 1}, {0, 0, 0}}}, [{time, posix}]),
          file:write_file_info(Name, #file_info{mtime = {{2020, 1, 1}, {0, 0, 0}}}, [{time, other}])]),
    show([file:change_time("no such file", {{2020, 1, 1}, {0, 0, 0}}), file:change_mode("no such file", 8#600)]),
    show([reason(Try) || Try <- [fun() -> file:change_time(Name, {1, 2}) end, fun() -> file:write_file_info(Name, info) end,
                                 fun() -> file:change_time(Name, {{2020, 1, 1}, {0, 0, 0}}, x) end]]),
    file:del_dir_r(Dir).

times(Name) ->
    {ok, #file_info{atime = Read, mtime = Written}} = file:read_file_info(Name, [{time, posix}]),
    Now = erlang:system_time(second),
    [if abs(Time - Now) < 60 -> now; true -> Time end || Time <- [Read, Written]].

reason(Try) ->
    try Try() catch error:Reason -> Reason end.

show(X) -> io:format("~0p~n", [X]).

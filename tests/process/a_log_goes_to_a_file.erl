%% A handler of the logger for a file: it is there at once, can be moved away and bounded, and is closed with the handler.
-module(a_log_goes_to_a_file).

-export([main/0]).

main() ->
    Folder = folder(os:getpid(), 0),
    Name = filename:join([Folder, "deep", "a.log"]),
    ok = logger:set_primary_config(level, notice),
    ok = logger:add_handler_filter(default, quiet, {fun(_, _) -> stop end, none}),
    Formatter = {logger_formatter, #{template => [level, " ", msg, "\n"]}},
    io:format("~p~n", [logger:add_handler(a_file, logger_std_h, #{config => #{file => Name}, formatter => Formatter})]),
    logger:error("first ~p", [{1, 2}]),
    logger:notice("second: ~ts", ["well"]),
    io:format("~p~n", [logger_std_h:filesync(a_file)]),
    show(Name),
    {ok, #{config := #{type := Type, file := Name, max_no_bytes := Most}}} = logger:get_handler_config(a_file),
    io:format("~p ~p~n", [Type, Most]),
    io:format("~p~n", [logger:update_handler_config(a_file, config, #{max_no_bytes => 25, max_no_files => 2})]),
    [logger:warning("line ~w", [N]) || N <- lists:seq(1, 5)],
    ok = logger_std_h:filesync(a_file),
    [show(Name ++ End) || End <- ["", ".0", ".1"]],
    io:format("~p~n", [logger:add_handler(bad, logger_std_h, #{config => #{max_no_files => many, file => Name}})]),
    io:format("~p~n", [logger:remove_handler(a_file)]),
    logger:error("not there"),
    show(Name),
    ok = logger:remove_handler_filter(default, quiet),
    ok = file:del_dir_r(Folder).

show(Name) ->
    case file:read_file(Name) of
        {ok, Text} -> io:format("~s:~n~ts", [filename:extension(Name), Text]);
        Error -> io:format("~s: ~p~n", [filename:extension(Name), Error])
    end.

% A new one: others may run this at the same time.
folder(Pid, N) ->
    Folder = filename:join(os:getenv("TMPDIR", "/tmp"), lists:concat(["logs_", Pid, "_", N])),
    case file:make_dir(Folder) of
        ok -> Folder;
        {error, eexist} -> folder(Pid, N + 1)
    end.

%% expect: ok
%% expect: ok
%% expect: .log:
%% expect: error first {1,2}
%% expect: notice second: well
%% expect: file infinity
%% expect: ok
%% expect: .log:
%% expect: warning line 5
%% expect: .0:
%% expect: warning line 3
%% expect: warning line 4
%% expect: .1:
%% expect: warning line 1
%% expect: warning line 2
%% expect: {error,
%% expect:     {handler_not_added,{invalid_config,logger_std_h,#{max_no_files => many}}}}
%% expect: ok
%% expect: .log:
%% expect: warning line 5

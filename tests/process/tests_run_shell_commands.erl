%% eunit.hrl runs commands of the system's shell in tests: what they print is the value, and another status than the expected one an error.
-module(tests_run_shell_commands).
-include_lib("eunit/include/eunit.hrl").
-export([main/0]).

main() ->
    %% expect: "hi\n"
    show(fun() -> ?cmd("echo hi") end),
    %% expect: "err\n"
    show(fun() -> ?cmd("echo err >&2; printf end") end),
    %% expect: "a\nb"
    show(fun() -> ?cmd("printf 'a\\r\\nb'") end),
    %% expect: []
    show(fun() -> ?cmd("cat") end),
    %% expect: {error,{command_failed,[{module,tests_run_shell_commands},{line,16},{command,"sh -c 'exit 3'"},{expected_status,0},{status,3}]}}
    show(fun() -> ?cmd("sh -c 'exit 3'") end),
    %% expect: {error,{command_failed,[{module,tests_run_shell_commands},{line,18},{command,"exit 3"},{expected_status,0},{status,127}]}}
    show(fun() -> ?cmd("exit 3") end),
    %% expect: ok
    show(fun() -> ?assertCmd("echo x; false; true") end),
    %% expect: ok
    show(fun() -> ?assertCmdStatus(4, "sh -c 'exit 4'") end),
    %% expect: {error,{assertCmd_failed,[{module,tests_run_shell_commands},{line,24},{command,"false"},{expected_status,0},{status,1}]}}
    show(fun() -> ?assertCmd("false") end),
    %% expect: ok
    show(fun() -> ?assertCmdOutput("a b", "printf 'a b'") end),
    %% expect: {error,{assertCmdOutput_failed,[{module,tests_run_shell_commands},{line,28},{command,"echo a; false"},{expected_output,"a"},{output,"a\n"}]}}
    show(fun() -> ?assertCmdOutput("a", "echo a; false") end),
    %% expect: ["32","33","34","35"]
    show(fun() ->
             Tests = [
                 ?_cmd("true"),
                 ?_assertCmd("true"),
                 ?_assertCmdStatus(1, "false"),
                 ?_assertCmdOutput([], "true")
             ],
             [begin Test(), integer_to_list(Line) end || {Line, Test} <- Tests]
         end).

show(Try) ->
    Value = try Try() catch Class:Reason -> {Class, Reason} end,
    io:format("~0p~n", [Value]).

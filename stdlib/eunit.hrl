%% Tests beside the code they test: functions whose names end in _test, and generators of tests in _test_.
%%
%% Including this defines TEST, unless NOTEST is defined. EUNIT_NOAUTO keeps test functions from being exported.
-ifndef(EUNIT_HRL).
-define(EUNIT_HRL, true).

-ifdef(TEST).
-undef(NOTEST).
-endif.
-ifdef(DEBUG).
-undef(NODEBUG).
-endif.

-ifdef(NOTEST).
-undef(EUNIT).
-else.
-ifndef(ASSERT).
-define(ASSERT, true).
-endif.
-ifndef(TEST).
-define(TEST, true).
-endif.
-ifndef(EUNIT).
-define(EUNIT, true).
-endif.
-endif.

-include_lib("stdlib/include/assert.hrl").

-ifndef(EUNIT_NOAUTO).
-ifdef(NOTEST).
-compile({parse_transform, eunit_striptests}).
-else.
-compile({parse_transform, eunit_autoexport}).
-endif.
-endif.

%% Shorthands.

-ifndef(LET).
-define(LET(Var, Value, Expr), begin ((fun(Var) -> (Expr) end)(Value)) end).
-endif.
-ifndef(IF).
-define(IF(Test, Then, Else), begin (case (Test) of true -> (Then); false -> (Else) end) end).
-endif.
-ifndef(MATCHES).
-define(MATCHES(Pattern, Expr), begin (case (Expr) of Pattern -> true; _ -> false end) end).
-endif.
-ifndef(UNDER_EUNIT).
-define(UNDER_EUNIT, (erlet_eunit:is_under_test())).
-endif.
-ifndef(capturedOutput).
-define(capturedOutput, (erlet_eunit:captured_output())).
-endif.

%% Commands of the system's shell: what they print, or an error if they do not end with the status that is expected.

-define(COMMAND_(Kind, Status, Command),
        begin
            ((fun(X__Command, X__Status) ->
                  case erlet_eunit:command(X__Command) of
                      {X__Status, X__Output} -> X__Output;
                      {X__Other, _} ->
                          erlang:error({Kind, [{module, ?MODULE}, {line, ?LINE}, {command, X__Command},
                                               {expected_status, X__Status}, {status, X__Other}]})
                  end
              end)((Command), (Status)))
        end).
-define(cmd(Command), ?COMMAND_(command_failed, 0, Command)).
-define(_cmd(Command), ?_test(?cmd(Command))).

-ifdef(NOASSERT).
-define(assertCmdStatus(Status, Command), ok).
-define(assertCmdOutput(Expected, Command), ok).
-else.
-define(assertCmdStatus(Status, Command), begin ?COMMAND_(assertCmd_failed, Status, Command), ok end).
-define(assertCmdOutput(Expected, Command),
        begin
            ((fun(X__Command, X__Expected) ->
                  case erlet_eunit:command(X__Command) of
                      {_, X__Expected} -> ok;
                      {_, X__Output} ->
                          ?ASSERT_FAIL_(assertCmdOutput_failed, [],
                                        [{command, X__Command}, {expected_output, X__Expected}, {output, X__Output}])
                  end
              end)((Command), (Expected)))
        end).
-endif.
-define(assertCmd(Command), ?assertCmdStatus(0, (Command))).
-define(_assertCmdStatus(Status, Command), ?_test(?assertCmdStatus(Status, Command))).
-define(_assertCmd(Command), ?_test(?assertCmd(Command))).
-define(_assertCmdOutput(Expected, Command), ?_test(?assertCmdOutput(Expected, Command))).

%% Tests as objects.

-define(_test(Expr), {?LINE, fun() -> (Expr) end}).
-define(_assert(Expr), ?_test(?assert(Expr))).
-define(_assertNot(Expr), ?_test(?assertNot(Expr))).
-define(_assertMatch(Pattern, Expr), ?_test(?assertMatch(Pattern, Expr))).
-define(_assertNotMatch(Pattern, Expr), ?_test(?assertNotMatch(Pattern, Expr))).
-define(_assertEqual(Expected, Expr), ?_test(?assertEqual(Expected, Expr))).
-define(_assertNotEqual(Unexpected, Expr), ?_test(?assertNotEqual(Unexpected, Expr))).
-define(_assertException(Class, Term, Expr), ?_test(?assertException(Class, Term, Expr))).
-define(_assertNotException(Class, Term, Expr), ?_test(?assertNotException(Class, Term, Expr))).
-define(_assertError(Term, Expr), ?_test(?assertError(Term, Expr))).
-define(_assertExit(Term, Expr), ?_test(?assertExit(Term, Expr))).
-define(_assertThrow(Term, Expr), ?_test(?assertThrow(Term, Expr))).

%% Messages to the console, whatever happens to the test's own output.

-ifdef(NODEBUG).
-define(debugMsg(Text), ok).
-define(debugHere, ok).
-define(debugFmt(Format, Args), ok).
-define(debugVal(Expr), (Expr)).
-define(debugVal(Expr, Depth), (Expr)).
-define(debugValAll(Expr), (Expr)).
-define(debugTime(Text, Expr), (Expr)).
-else.
-define(debugMsg(Text), begin io:fwrite(user, "~ts:~w:~w: ~ts\n", [?FILE, ?LINE, self(), Text]), ok end).
-define(debugHere, (?debugMsg("<-"))).
-define(debugFmt(Format, Args), (?debugMsg(io_lib:format((Format), (Args))))).
-define(debugVal(Expr, Depth),
        begin
            ((fun(X__Value) ->
                  ?debugFmt("~ts = ~tP", [(??Expr), X__Value, Depth]),
                  X__Value
              end)(Expr))
        end).
-ifndef(EUNIT_DEBUG_VAL_DEPTH).
-define(EUNIT_DEBUG_VAL_DEPTH, 15).
-endif.
-define(debugVal(Expr), ?debugVal(Expr, ?EUNIT_DEBUG_VAL_DEPTH)).
-define(debugValAll(Expr),
        begin
            ((fun(X__Value) ->
                  ?debugFmt("~ts = ~tp", [(??Expr), X__Value]),
                  X__Value
              end)(Expr))
        end).
-define(debugTime(Text, Expr),
        begin
            ((fun() ->
                  X__Start = erlang:monotonic_time(millisecond),
                  X__Value = (Expr),
                  ?debugFmt("~ts: ~.3f s", [(Text), (erlang:monotonic_time(millisecond) - X__Start) / 1000]),
                  X__Value
              end)())
        end).
-endif.

-endif.

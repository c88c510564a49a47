%% Unit tests: running them, and telling how they went.
%%
%% erlet_eunit runs tests and tells each step to the process that asked for them, which is here and prints.
-module(eunit).

-export([test/1, test/2, start/0, stop/0]).

-record(told, {verbose = false, depth = 20, level = 1, passed = 0, failed = 0, skipped = 0, cancelled = false,
               %% The module whose tests come next, if its name is not printed yet.
               module}).

-spec start() -> ok.
start() -> ok.

-spec stop() -> ok.
stop() -> ok.

-spec test(term()) -> ok | error | {error, term()}.
test(Tests) -> test(Tests, []).

-spec test(term(), [atom() | tuple()]) -> ok | error | {error, term()}.
test(Tests, Options) when is_list(Options) ->
    Told = #told{verbose = proplists:get_bool(verbose, Options), depth = proplists:get_value(print_depth, Options, 20)},
    case proplists:get_bool(no_tty, Options) of
        true -> untold(erlet_eunit:start(Tests), ok);
        false ->
            Told#told.verbose andalso io:put_chars("======================== EUnit ========================\n"),
            Runner = erlet_eunit:start(Tests),
            ending(told(Runner, Told))
    end;
test(Tests, Option) -> test(Tests, [Option]).

told(Runner, Told) ->
    receive
        {Runner, ended} -> Told;
        {Runner, Event} -> told(Runner, event(Event, Told))
    end.

%% How it went, with nothing printed.
untold(Runner, Result) ->
    receive
        {Runner, ended} -> Result;
        {Runner, {test, _, passed, _}} -> untold(Runner, Result);
        {Runner, Event} when element(1, Event) =:= test; element(1, Event) =:= cancelled -> untold(Runner, error);
        {Runner, _} -> untold(Runner, Result)
    end.

event({enter, Title}, #told{level = Level} = Told) ->
    say(Told, Title),
    Told#told{level = Level + 1};
event({leave, Milliseconds}, #told{level = Level} = Told) ->
    say(Told, [io_lib:format("[done in ~.3f s]", [Milliseconds / 1000])]),
    Told#told{level = Level - 1};
event({test, Name, passed, Milliseconds}, #told{passed = Passed} = Told) ->
    case Told#told.verbose of
        true when Milliseconds > 0 -> say(Told, [Name, io_lib:format("...[~.3f s] ok", [Milliseconds / 1000])]);
        _ -> say(Told, [Name, "...ok"])
    end,
    Told#told{passed = Passed + 1};
event({test, Name, {failed, Exception, Output}, _}, #told{failed = Failed} = Told) ->
    fault(Told, Name, "*failed*"),
    io:format("~ts  output:<<\"~ts\">>~n~n", [exception(Exception, Told), Output]),
    Told#told{failed = Failed + 1};
event({test, Name, {timeout, Stack}, _}, Told) ->
    fault(Told, Name, "*timed out*"),
    io:format("~ts~n", [frames(Stack)]),
    Told#told{cancelled = true};
event({test, Name, {killed, Reason}, _}, Told) ->
    fault(Told, Name, "*skipped*"),
    io:format("*unexpected termination of test process*~n::~0tP~n~n", [Reason, Told#told.depth]),
    Told#told{cancelled = true};
event({cancelled, Why}, Told) ->
    cancelled(Why, Told),
    Told#told{cancelled = true}.

say(#told{verbose = true, level = Level}, Text) -> io:format("~ts~ts~n", [lists:duplicate(2 * (Level - 1), $\s), Text]);
say(_, _) -> ok.

fault(#told{verbose = true, level = Level}, Name, What) ->
    io:format("~ts~ts...~ts~n", [lists:duplicate(2 * (Level - 1), $\s), Name, What]);
fault(_, Name, What) -> io:format("~ts...~ts~n", [Name, What]).

%% An exception as the report of a failed test has it.
exception({Class, Reason, Stack}, #told{depth = Depth}) ->
    %% Lines of the reason are indented as if it began its line.
    [frames(Stack), io_lib:format("**~w:", [Class]), io_lib:format("~tP", [Reason, Depth]), $\n].

frames(Stack) ->
    case [Frame || {Module, Function, _, _} = Frame <- Stack, Module =/= erlet_eunit, not is_operator(Module, Function)] of
        [] -> [];
        [First | Rest] -> [["in function ", frame(First)] | [["in call from ", frame(Frame)] || Frame <- Rest]]
    end.

%% Operators are not called by name.
is_operator(erlang, Function) -> not lists:all(fun(C) -> C >= $a andalso C =< $z orelse C =:= $_ orelse C >= $0 andalso C =< $9 end, atom_to_list(Function));
is_operator(_, _) -> false.

frame({Module, Function, Args, Place}) ->
    {Arity, Called} =
        case is_list(Args) of
            true -> {length(Args), io_lib:format("  called as ~tw(~ts)~n",
                                                 [Function, lists:join(",", [io_lib:format("~0tP", [Arg, 15]) || Arg <- Args])])};
            false -> {Args, []}
        end,
    At =
        case {proplists:get_value(file, Place), proplists:get_value(line, Place)} of
            {File, Line} when File =/= undefined, Line =/= undefined -> io_lib:format(" (~ts, line ~w)", [File, Line]);
            _ -> []
        end,
    [io_lib:format("~w:~tw/~w", [Module, Function, Arity]), At, $\n, Called].

cancelled({bad_test, Term}, Told) -> trouble("bad test descriptor", io_lib:format("~0tP", [Term, Told#told.depth]));
cancelled({no_module, Module}, _) -> trouble("test module not found", io_lib:format("~0tp", [Module]));
cancelled({no_function, {Module, Function, Arity}}, _) ->
    trouble("no such function", io_lib:format("~w:~tw/~w", [Module, Function, Arity]));
cancelled({not_supported, What}, _) -> trouble("not supported", What);
cancelled({generator, Name, Exception}, Told) ->
    trouble(["test generator ", Name, " failed"], exception(Exception, Told));
cancelled({setup, Exception}, Told) -> trouble("context setup failed", exception(Exception, Told));
cancelled({cleanup, Exception}, Told) -> trouble("context cleanup failed", exception(Exception, Told));
cancelled({instantiation, Exception}, Told) -> trouble("instantiation of subtests failed", exception(Exception, Told));
cancelled(timeout, _) -> io:put_chars("*** a group of tests timed out ***\n");
cancelled({exit, Reason}, Told) -> trouble("unexpected termination of test process", io_lib:format("~0tP", [Reason, Told#told.depth]));
cancelled(quiet, _) -> ok.

trouble(Title, Text) -> io:format("*** ~ts ***~n**~ts~n~n", [Title, Text]).

ending(#told{passed = 0, failed = 0, skipped = 0, cancelled = false}) ->
    io:put_chars("  There were no tests to run.\n"),
    ok;
ending(#told{passed = Passed, failed = 0, skipped = 0, cancelled = false} = Told) ->
    rule(Told),
    case Passed of
        1 -> io:put_chars("  Test passed.\n");
        2 -> io:put_chars("  2 tests passed.\n");
        _ -> io:format("  All ~w tests passed.~n", [Passed])
    end,
    ok;
ending(#told{passed = Passed, failed = Failed, skipped = Skipped, cancelled = Cancelled}) ->
    rule(#told{verbose = true}),
    io:format("  Failed: ~w.  Skipped: ~w.  Passed: ~w.~n", [Failed, Skipped, Passed]),
    Cancelled andalso io:put_chars("One or more tests were cancelled.\n"),
    error.

rule(#told{verbose = true}) -> io:put_chars("=======================================================\n");
rule(_) -> ok.

%% Runs tests: what they are, where they run, and when they have run too long.
%%
%% A group of tests runs in a process of its own, one test after another; a fixture is set up in the process around its tests,
%% which have one of their own unless they are to be local. The process that started a group waits beside it: it ends what runs too long, and tells how a
%% process ended. All tell what happens to the one that wants to know, in order.
-module(erlet_eunit).

-export([start/1, main/2, is_under_test/0, captured_output/0, command/1]).

%% Milliseconds that a test may take.
-define(TEST_TIME, 5000).

-record(run, {observer, output, title = "",
              %% Who watches the process that runs the tests.
              watcher,
              %% How long a test may take.
              time = ?TEST_TIME}).

%% The entry of the command line: ends with the status of the whole.
-spec main([module()], [term()]) -> ok | no_return().
main(Modules, Options) ->
    case eunit:test(Modules, Options) of
        ok -> ok;
        _ -> halt(1)
    end.

%% Runs tests beside the caller, which gets `{Pid, Event}` and at last `{Pid, ended}`.
-spec start(term()) -> pid().
start(Tests) ->
    Observer = self(),
    Leader = group_leader(),
    spawn(fun() ->
              Output = spawn_link(fun() ->
                                      %% The tests' own dictionaries are empty; this one says what it leads.
                                      put(erlet_eunit, true),
                                      output([], Leader)
                                  end),
              group_leader(Output, self()),
              Run = #run{observer = {Observer, self()}, output = Output},
              insulated(fun(Inner) -> tests(Tests, Inner) end, Run, infinity),
              tell(Run, ended),
              unlink(Output),
              exit(Output, kill)
          end).

tell(#run{observer = {Observer, Root}}, Event) -> Observer ! {Root, Event}.

%% Processes.

%% Runs Work in a process of its own and waits for it: whether it came to its end.
insulated(Work, Run, Time) ->
    Watcher = self(),
    {Pid, Monitor} = spawn_monitor(fun() -> Work(Run#run{watcher = Watcher}) end),
    Limit = timer_for(Time, {Pid, group}),
    Ended = watch(Pid, Monitor, Run, none),
    stop_timer(Limit),
    Ended.

timer_for(infinity, _) -> none;
timer_for(Time, Message) -> erlang:start_timer(Time, self(), Message).

stop_timer(none) -> ok;
stop_timer(Timer) ->
    erlang:cancel_timer(Timer),
    receive {timeout, Timer, _} -> ok
    after 0 -> ok
    end.

%% Test is the name of the test that runs, and the timer that ends it.
watch(Pid, Monitor, Run, Test) ->
    receive
        {Pid, begins, Name, Time} -> watch(Pid, Monitor, Run, {Name, timer_for(Time, {Pid, test})});
        {Pid, ends} ->
            stop_timer(element(2, Test)),
            watch(Pid, Monitor, Run, none);
        {timeout, _, {Pid, test}} when Test =/= none ->
            Stack = stack(Pid),
            ended(Pid, Monitor, kill),
            tell(Run, {test, element(1, Test), {timeout, Stack}, 0}),
            false;
        {timeout, _, {Pid, group}} ->
            ended(Pid, Monitor, kill),
            Test =/= none andalso stop_timer(element(2, Test)),
            tell(Run, {cancelled, timeout}),
            false;
        {'DOWN', Monitor, process, Pid, normal} -> true;
        {'DOWN', Monitor, process, Pid, cancelled} -> false;
        {'DOWN', Monitor, process, Pid, Reason} ->
            case Test of
                none -> tell(Run, {cancelled, {exit, Reason}});
                {Name, Timer} ->
                    stop_timer(Timer),
                    tell(Run, {test, Name, {killed, Reason}, 0})
            end,
            false
    end.

stack(Pid) ->
    case process_info(Pid, current_stacktrace) of
        {current_stacktrace, Stack} -> Stack;
        undefined -> []
    end.

ended(Pid, Monitor, Reason) ->
    exit(Pid, Reason),
    receive {'DOWN', Monitor, process, Pid, _} -> ok end.

%% Tests. Each function runs in the process of the group, and says whether to go on; a group that cannot ends its process.

tests(Tests, Run) ->
    case is_list(Tests) andalso is_title(Tests) of
        true -> bad(Tests, Run);
        false -> test_set(Tests, Run)
    end.

bad(Term, Run) -> cancel({bad_test, Term}, Run).

cancel(Why, Run) ->
    tell(Run, {cancelled, Why}),
    exit(cancelled).

test_set(Tests, Run) when is_list(Tests) -> lists:foreach(fun(Test) -> tests(Test, Run) end, Tests);
test_set(Module, Run) when is_atom(Module) -> module(Module, true, Run);
test_set({module, Module}, Run) when is_atom(Module) -> module(Module, true, Run);
test_set({file, File}, Run) when is_list(File) -> module(list_to_atom(filename:basename(File, filename:extension(File))), false, Run);
test_set({dir, Folder}, Run) when is_list(Folder) ->
    Files = filelib:wildcard(filename:join(Folder, "*.erl")),
    tests([{file, File} || File <- Files], Run);
test_set({application, _}, Run) -> cancel({not_supported, "applications as tests"}, Run);
test_set({node, _, _}, Run) -> cancel({not_supported, "tests on other nodes"}, Run);
test_set({node, _, _, _}, Run) -> cancel({not_supported, "tests on other nodes"}, Run);
test_set({generator, Fun}, Run) when is_function(Fun, 0) -> tests(generated(Fun, fun_name(Fun), Run), Run);
test_set({generator, Module, Function}, Run) ->
    there_is(Module, Function, Run),
    tests(generated(fun Module:Function/0, function_name(Module, Function), Run), Run);
test_set({with, Value, Funs}, Run) when is_list(Funs) -> tests([bound(Fun, Value, Run) || Fun <- Funs], Run);
test_set({spawn, Tests}, Run) -> apart(Tests, Run, infinity);
test_set({spawn, _, _}, Run) -> cancel({not_supported, "tests on other nodes"}, Run);
test_set({timeout, Time, Tests}, Run) when is_number(Time), Time >= 0 ->
    Milliseconds = round(Time * 1000),
    case is_single(Tests) of
        true -> tests(Tests, Run#run{time = Milliseconds});
        false -> apart(Tests, Run, Milliseconds)
    end;
test_set({timeout, infinity, Tests}, Run) -> tests(Tests, Run#run{time = infinity});
test_set({inorder, Tests}, Run) -> tests(Tests, Run);
test_set({inparallel, Tests}, Run) -> parallel(Tests, infinity, Run);
test_set({inparallel, Count, Tests}, Run) when is_integer(Count), Count > 0 -> parallel(Tests, Count, Run);
test_set({setup, Setup, Tests}, Run) -> fixture(spawn, Setup, fun(_) -> ok end, Tests, Run);
test_set({setup, Where, Setup, Tests}, Run) when Where =:= spawn; Where =:= local ->
    fixture(Where, Setup, fun(_) -> ok end, Tests, Run);
test_set({setup, Setup, Cleanup, Tests}, Run) when is_function(Setup, 0), is_function(Cleanup, 1) ->
    fixture(spawn, Setup, Cleanup, Tests, Run);
test_set({setup, Where, Setup, Cleanup, Tests}, Run) when Where =:= spawn; Where =:= local ->
    fixture(Where, Setup, Cleanup, Tests, Run);
test_set({foreach, Setup, Tests}, Run) when is_function(Setup, 0), is_list(Tests) ->
    tests([{setup, Setup, Test} || Test <- Tests], Run);
test_set({foreach, Where, Setup, Tests}, Run) when Where =:= spawn orelse Where =:= local, is_list(Tests) ->
    tests([{setup, Where, Setup, Test} || Test <- Tests], Run);
test_set({foreach, Setup, Cleanup, Tests}, Run) when is_list(Tests) ->
    tests([{setup, Setup, Cleanup, Test} || Test <- Tests], Run);
test_set({foreach, Where, Setup, Cleanup, Tests}, Run) when is_list(Tests) ->
    tests([{setup, Where, Setup, Cleanup, Test} || Test <- Tests], Run);
test_set({foreachx, Setup, Pairs}, Run) when is_list(Pairs) -> each(spawn, Setup, fun(_, _) -> ok end, Pairs, Run);
test_set({foreachx, Where, Setup, Pairs}, Run) when Where =:= spawn; Where =:= local ->
    each(Where, Setup, fun(_, _) -> ok end, Pairs, Run);
test_set({foreachx, Setup, Cleanup, Pairs}, Run) when is_list(Pairs) -> each(spawn, Setup, Cleanup, Pairs, Run);
test_set({foreachx, Where, Setup, Cleanup, Pairs}, Run) when is_list(Pairs) -> each(Where, Setup, Cleanup, Pairs, Run);
test_set({test, Module, Function}, Run) -> simple({Module, Function}, Run);
test_set({Module, Function}, Run) when is_atom(Module), is_atom(Function) -> simple({Module, Function}, Run);
test_set({Line, Test}, Run) when is_integer(Line), Line >= 0 -> lined(Line, Test, Run);
test_set({{_, _, _}, Line, Test}, Run) when is_integer(Line) -> lined(Line, Test, Run);
test_set({Title, Tests}, Run) -> titled(Title, Tests, Run);
test_set({bound, Fun, Value}, Run) -> simple({bound, Fun, Value}, Run);
test_set(Fun, Run) when is_function(Fun, 0) -> simple(Fun, Run);
test_set(Tests, Run) when tuple_size(Tests) > 2, is_list(element(1, Tests)) orelse is_binary(element(1, Tests)) ->
    %% A title in the tuple that it is of.
    [Title | Titled] = tuple_to_list(Tests),
    titled(Title, list_to_tuple(Titled), Run);
test_set(Other, Run) -> bad(Other, Run).

titled(Title, Tests, Run) ->
    Text = if is_binary(Title) -> characters(Title); true -> Title end,
    case is_list(Text) andalso (Text =:= [] orelse is_title(Text)) of
        false -> bad({Title, Tests}, Run);
        true ->
            case is_single(Tests) of
                true -> tests(Tests, Run#run{title = Text});
                false -> group(Text, fun() -> tests(Tests, Run) end, Run)
            end
    end.

%% The characters of a title; what is no UTF-8 is Latin-1.
characters(Title) ->
    case unicode:characters_to_list(Title) of
        Text when is_list(Text) -> Text;
        _ -> binary_to_list(Title)
    end.

lined(Line, Test, Run) ->
    case Test of
        _ when is_function(Test, 0) -> simple({Line, Test}, Run);
        {Module, Function} when is_atom(Module), is_atom(Function) -> simple({Line, Test}, Run);
        _ -> tests(Test, Run)
    end.

is_title(Text) -> Text =/= [] andalso lists:all(fun(C) -> is_integer(C) andalso C >= 0 end, Text).

%% Whether that is one test, so that a title or a time is its own.
is_single(Fun) when is_function(Fun) -> true;
is_single({Line, Test}) when is_integer(Line) -> is_single(Test);
is_single({Module, Function}) when is_atom(Module), is_atom(Function) -> true;
is_single({test, Module, Function}) when is_atom(Module), is_atom(Function) -> true;
is_single({Title, Test}) when is_list(Title); is_binary(Title) -> is_single(Test);
is_single({timeout, _, Test}) -> is_single(Test);
is_single(Tests) when tuple_size(Tests) > 2, is_list(element(1, Tests)) orelse is_binary(element(1, Tests)) ->
    is_single(erlang:delete_element(1, Tests));
is_single(_) -> false.

group(Title, Work, Run) ->
    tell(Run, {enter, Title}),
    Start = erlang:monotonic_time(millisecond),
    Result = Work(),
    tell(Run, {leave, erlang:monotonic_time(millisecond) - Start}),
    Result.

%% In a process of its own; if that does not come to its end, the tests around it go on.
apart(Tests, Run, Time) -> insulated(fun(Inner) -> tests(Tests, Inner) end, Run, Time).

parallel(Tests, Count, Run) ->
    Set =
        case is_list(Tests) andalso not is_title(Tests) of
            true -> Tests;
            false -> [Tests]
        end,
    Start = fun(Test) -> element(2, spawn_monitor(fun() -> insulated(fun(Inner) -> tests(Test, Inner) end, Run, infinity) end)) end,
    in_parallel(Set, Count, Start, []).

in_parallel([], _, _, []) -> true;
in_parallel([Test | Tests], Count, Start, Running) when length(Running) < Count -> in_parallel(Tests, Count, Start, [Start(Test) | Running]);
in_parallel(Tests, Count, Start, Running) ->
    receive {'DOWN', Monitor, process, _, _} when is_reference(Monitor) -> in_parallel(Tests, Count, Start, lists:delete(Monitor, Running)) end.

%% Modules.

%% The tests of a module, and of the module of that name with `_tests` behind it.
module(Module, WithOthers, Run) ->
    case code:ensure_loaded(Module) of
        {module, Module} ->
            Others = list_to_atom(atom_to_list(Module) ++ "_tests"),
            Sets =
                [tests_of(Module)]
                ++ [tests_of(Others)
                    || WithOthers, not lists:suffix("_tests", atom_to_list(Module)), code:ensure_loaded(Others) =:= {module, Others}],
            Title = io_lib:format("module '~ts'", [Module]),
            case Sets of
                [[{test, _, _} = Test]] -> insulated(fun(Inner) -> tests({lists:flatten(Title), Test}, Inner) end, Run, infinity);
                _ ->
                    group(Title,
                          fun() ->
                              [case Set of
                                   {Name, [{test, _, _} = Test]} -> apart({lists:flatten(io_lib:format("module '~ts'", [Name])), Test}, Run, infinity);
                                   {Name, Tests} -> group(io_lib:format("module '~ts'", [Name]), fun() -> apart(Tests, Run, infinity) end, Run);
                                   Tests -> apart(Tests, Run, infinity)
                               end || Set <- named(Sets, Others)]
                          end, Run)
            end;
        {error, _} -> cancel({no_module, Module}, Run)
    end.

named([Own | Others], Name) -> [Own | [{Name, Tests} || Tests <- Others]].

tests_of(Module) ->
    Exports = Module:module_info(exports),
    Order = [Function || {Function, 0} <- Module:module_info(functions)],
    Tests = [Function || Function <- Order, lists:member({Function, 0}, Exports)],
    lists:append([case {lists:suffix("_test", Text), lists:suffix("_test_", Text)} of
                      {true, _} -> [{test, Module, Function}];
                      {_, true} -> [{generator, Module, Function}];
                      _ -> []
                  end || Function <- Tests, Text <- [atom_to_list(Function)]]).

%% Generators and fixtures.

generated(Fun, Name, Run) ->
    try Fun()
    catch Class:Reason:Stack -> cancel({generator, Name, {Class, Reason, pruned(Stack)}}, Run)
    end.

bound(Fun, Value, Run) ->
    case is_function(Fun, 1) of
        true -> {bound, Fun, Value};
        false -> bad(Fun, Run)
    end.

%% Sets up and cleans up here; the tests run here, too, or in a process of their own.
fixture(Where, Setup, Cleanup, Tests, Run) ->
    case attempt(fun() -> Setup() end, setup, Run) of
        {ok, Value} ->
            Work = fun(Inner) -> tests(instance(Tests, Value, Inner), Inner) end,
            try
                case Where of
                    spawn -> insulated(Work, Run, infinity);
                    local -> Work(Run)
                end
            after attempt(fun() -> Cleanup(Value) end, cleanup, Run)
            end;
        failed -> false
    end.

instance(Tests, Value, Run) when is_function(Tests, 1) ->
    case attempt(fun() -> Tests(Value) end, instantiation, Run) of
        {ok, Set} -> Set;
        failed -> exit(cancelled)
    end;
instance({with, Funs}, Value, _) when is_list(Funs) -> {with, Value, Funs};
instance(Tests, _, _) -> Tests.

%% What fails is told, and no reason to end.
attempt(Work, What, Run) ->
    try {ok, Work()}
    catch Class:Reason:Stack ->
        tell(Run, {cancelled, {What, {Class, Reason, pruned(Stack)}}}),
        failed
    end.

each(Where, Setup, Cleanup, Pairs, Run) ->
    tests([{setup, Where, fun() -> Setup(Key) end, fun(Value) -> Cleanup(Key, Value) end, fun(Value) -> Test(Key, Value) end}
           || {Key, Test} <- Pairs], Run).

%% A test.

simple(Test, #run{watcher = Watcher, output = Output, time = Time} = Run) ->
    {Name, Fun} = named_test(Test, Run),
    Full =
        case Run#run.title of
            "" -> Name;
            Title -> [Name, " (", Title, ")"]
        end,
    take_output(Output),
    Watcher ! {self(), begins, Full, Time},
    Start = erlang:monotonic_time(millisecond),
    Result =
        try
            Fun(),
            passed
        catch Class:Reason:Stack -> {failed, {Class, Reason, pruned(Stack)}}
        end,
    Spent = erlang:monotonic_time(millisecond) - Start,
    Watcher ! {self(), ends},
    Written = take_output(Output),
    case Result of
        passed -> tell(Run, {test, Full, passed, Spent});
        {failed, Exception} -> tell(Run, {test, Full, {failed, Exception, Written}, Spent})
    end,
    true.

named_test({Line, Test}, Run) when is_integer(Line) ->
    {Name, Fun} = named_test(Test, Run),
    [Module, Rest] = string:split(Name, ": "),
    {lists:flatten(io_lib:format("~ts:~w: ~ts", [Module, Line, Rest])), Fun};
named_test({Module, Function}, Run) ->
    there_is(Module, Function, Run),
    {lists:flatten(io_lib:format("~w: ~tw", [Module, Function])), fun Module:Function/0};
named_test({bound, Fun, Value}, _) -> {fun_name(Fun), fun() -> Fun(Value) end};
named_test(Fun, _) -> {fun_name(Fun), Fun}.

there_is(Module, Function, Run) ->
    case code:ensure_loaded(Module) of
        {module, Module} -> ok;
        _ -> cancel({no_module, Module}, Run)
    end,
    erlang:function_exported(Module, Function, 0) orelse cancel({no_function, {Module, Function, 0}}, Run).

fun_name(Fun) ->
    {module, Module} = erlang:fun_info(Fun, module),
    {name, Name} = erlang:fun_info(Fun, name),
    lists:flatten(io_lib:format("~w: ~ts", [Module, Name])).

function_name(Module, Function) -> io_lib:format("~w:~tw/0", [Module, Function]).

%% What of a stack trace is the test's.
pruned(Stack) -> lists:takewhile(fun({Module, _, _, _}) -> Module =/= ?MODULE end, Stack).

%% The status with which the command ends, and what it prints, errors among it. The shell runs the first command of the line in its own
%% place, so one that exits leaves none behind it.
command(Command) ->
    Text = os:cmd(["(exec ", Command, "\n) < /dev/null; printf ' %d' $?"]),
    [Output, Status] = string:split(Text, " ", trailing),
    {list_to_integer(Status), [Char || Char <- Output, Char =/= $\r]}.

%% Output of tests: gathered by the group leader, and shown with failures.

-spec is_under_test() -> boolean().
is_under_test() ->
    case process_info(group_leader(), dictionary) of
        {dictionary, Entries} -> proplists:get_bool(erlet_eunit, Entries);
        undefined -> false
    end.

-spec captured_output() -> string().
captured_output() -> request(group_leader(), output).

take_output(Output) -> request(Output, take_output).

request(Pid, What) ->
    Reference = monitor(process, Pid),
    Pid ! {What, self(), Reference},
    receive
        {Reference, Text} ->
            demonitor(Reference, [flush]),
            Text;
        {'DOWN', Reference, process, _, _} -> ""
    end.

%% Text is what was written, last first.
output(Text, Leader) ->
    receive
        {io_request, From, As, Request} ->
            {Reply, More} = io_request(Request),
            From ! {io_reply, As, Reply},
            output([More | Text], Leader);
        {take_output, From, Reference} ->
            From ! {Reference, written(Text)},
            output([], Leader);
        {output, From, Reference} ->
            From ! {Reference, written(Text)},
            output(Text, Leader);
        _ -> output(Text, Leader)
    end.

written(Text) ->
    case unicode:characters_to_list(lists:reverse(Text)) of
        Chars when is_list(Chars) -> Chars;
        {_, Chars, _} -> Chars
    end.

io_request({put_chars, Encoding, Chars}) -> {ok, text(Encoding, Chars)};
io_request({put_chars, Encoding, Module, Function, Args}) ->
    try {ok, text(Encoding, apply(Module, Function, Args))}
    catch Class:Reason -> {{error, {Class, Reason}}, []}
    end;
io_request({put_chars, Chars}) -> {ok, text(latin1, Chars)};
io_request({requests, Requests}) ->
    lists:foldl(fun(Request, {_, Text}) ->
                    {Reply, More} = io_request(Request),
                    {Reply, [Text, More]}
                end, {ok, []}, Requests);
io_request({setopts, _}) -> {ok, []};
io_request(getopts) -> {[{encoding, unicode}], []};
io_request({get_geometry, _}) -> {{error, enotsup}, []};
io_request(Request) when element(1, Request) =:= get_line; element(1, Request) =:= get_chars; element(1, Request) =:= get_until ->
    {eof, []};
io_request(_) -> {{error, request}, []}.

text(Encoding, Chars) ->
    case unicode:characters_to_binary(Chars, Encoding) of
        Binary when is_binary(Binary) -> Binary;
        _ -> []
    end.

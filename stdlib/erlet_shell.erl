%% The interactive shell: one process for each shell, and one that evaluates for it.
%%
%% The **shell** (this module's loop) asks the terminal side for a statement, hands it to its evaluator and waits until that is done
%% or dead. It keeps the bindings, the history and the results, and answers the evaluator's requests about them meanwhile. The
%% **evaluator** (`evaluator/2`) has each statement compiled to a module of one function, calls that, prints the value or what went
%% wrong, and gives the module back. It lives on after exceptions, and with it everything it owns (ETS tables, links); only when
%% it is killed, by an exit signal or an interrupt, another takes its place, with the same bindings. What a native or a collection
%% keeps from dying at once dies later: nobody waits for it.
%%
%% The terminal side is the embedding program (`erlet_host`): it reads, edits, finds the ends of statements, and compiles.
%%
%% Local calls that no one has defined arrive in local/2: commands about the shell's own state are here; then `user_default` is
%% asked, then `shell_default`. Commands about what was defined at the prompt are in `erlet_definitions`.
-module(erlet_shell).

-export([start/1, id/0, local/2, local_fun/2, note/1, print/1, interrupt/0, tell/2]).

%% bindings: an orddict of names and values. history: `{Number, Text, Result}`, newest first, as long as `results` and `keep` allow.
%% given: whether the evaluator has the bindings; they are not copied for each statement. kept: modules that may still have funs.
%% pressed: the number of the last interrupt that arrived while a statement was waited for. before: that of the last one before the
%% statement that is evaluated; those up to it were not meant for it.
-record(shell, {id, number = 1, bindings = [], history = [], keep = 20, results = 20, evaluator, monitor,
                about, console, failed = false, catching = true, quiet = false,
                interrupted = false, given = false, kept = [], pressed = 0, before = 0}).

-define(KEY, '$erlet_shell').
-define(QUIET, '$erlet_quiet').
-define(NOTES, '$erlet_notes').
-define(FORGOT, '$erlet_forgot').

%% How long an interrupted evaluator is waited for: less than anybody notices, and enough for all that is not in a long native.
-define(DEATH_MS, 40).

-spec start(pos_integer()) -> no_return().
start(Id) ->
    About = erlet_host:call(about, []),
    Console = erlet_console:start(self()),
    group_leader(Console, self()),
    Id =:= 1 andalso banner(About),
    Shell = with_evaluator(#shell{id = Id, about = About, console = Console}),
    loop(lists:foldl(fun initial/2, Shell, erlet_host:call(start_statements, [Id]))).

banner({true, _}) ->
    io:put_chars("erlet shell: help() lists the commands, Ctrl-C stops an evaluation, q() or Ctrl-D leaves.\n");
banner(_) -> ok.

%% A statement of the start file or the command line: silent unless it fails.
initial(Text, Shell) ->
    #shell{bindings = Bindings} = Done = evaluate(Text, Shell#shell{quiet = true}),
    Done#shell{bindings = Bindings, quiet = false, number = 1, history = []}.

with_evaluator(#shell{id = Id} = Shell) ->
    Self = self(),
    {Pid, Monitor} = spawn_monitor(fun() -> evaluator(Self, Id) end),
    spawn(fun() -> guard(Self, Pid) end),
    Shell#shell{evaluator = Pid, monitor = Monitor, given = false}.

%% An evaluator goes with its shell.
guard(Shell, Evaluator) ->
    Monitor = monitor(process, Shell),
    Other = monitor(process, Evaluator),
    receive
        {'DOWN', Monitor, process, _, _} -> exit(Evaluator, kill);
        {'DOWN', Other, process, _, _} -> ok
    end.

%%% The loop

%% Asks for the turn, then for a statement; evaluators may die meanwhile, and others ask.
loop(#shell{number = Number, about = {IsTerminal, _}} = Shell) ->
    Prompt = case IsTerminal of
                 true -> list_to_binary([integer_to_list(Number), "> "]);
                 false -> <<>>
             end,
    erlet_jobs:turn(),
    read({turn, Prompt}, none, Shell).

read(Reader, Monitor, #shell{id = Id, evaluator = Evaluator, monitor = Watch} = Shell) ->
    receive
        turn when is_tuple(Reader) ->
            Self = self(),
            {turn, Prompt} = Reader,
            {New, Other} = spawn_monitor(fun() -> Self ! {self(), erlet_host:call(statement, [Id, Prompt])} end),
            read(New, Other, Shell);
        interrupt ->
            erlet_host:call(resume, []),
            read(Reader, Monitor, Shell);
        {interrupt, Pressed} ->
            erlet_host:call(resume, []),
            read(Reader, Monitor, Shell#shell{pressed = Pressed});
        {Reader, Answer} ->
            demonitor(Monitor, [flush]),
            answer(Answer, Shell);
        {'DOWN', Watch, process, Evaluator, Reason} ->
            read(Reader, Monitor, with_evaluator(died(Reason, Shell)));
        {'DOWN', Monitor, process, Reader, _} -> loop(Shell);
        {module, _, {kept, Module}} -> read(Reader, Monitor, kept(Module, Shell));
        {request, From, Ref, Request} ->
            {Reply, Shell1} = request(Request, Shell),
            From ! {Ref, Reply},
            read(Reader, Monitor, Shell1);
        _ -> read(Reader, Monitor, Shell)
    end.

answer({ok, Text, Before}, #shell{pressed = Pressed, number = Number} = Shell) when Pressed > Before ->
    %% The interrupt was quicker than what it is meant for.
    loop(remember(Number, Text, {'EXIT', killed}, died(killed, Shell#shell{interrupted = true, failed = true})));
answer({ok, Text, Before}, Shell) -> loop(evaluate(Text, Shell#shell{before = Before}));
answer(eof, #shell{about = {true, _}}) -> halt(0);
answer(eof, #shell{failed = true}) -> halt(1);
answer(eof, _) -> halt(0);
answer(jobs, Shell) ->
    erlet_jobs:menu(),
    loop(Shell);
answer(_, Shell) -> loop(Shell).

evaluate(Text, #shell{evaluator = Evaluator, bindings = Bindings, number = Number} = Shell) ->
    Ref = make_ref(),
    Given = case Shell#shell.given of
                true -> own;
                false -> Bindings
            end,
    Evaluator ! {evaluate, Ref, Text, Given, Shell#shell.quiet},
    case wait(Ref, none, Shell) of
        {{value, Value, Change}, Shell1} -> remember(Number, Text, {value, Value}, changed(Change, Shell1));
        {{failed, Exception}, Shell1} ->
            remember(Number, Text, {'EXIT', Exception}, survived(Shell1#shell{failed = true}));
        {refused, Shell1} -> Shell1#shell{failed = true};
        {{died, Reason}, Shell1} ->
            remember(Number, Text, {'EXIT', Reason}, Shell1#shell{failed = true})
    end.

changed({all, Bindings}, Shell) -> Shell#shell{bindings = Bindings};
changed({new, New}, #shell{bindings = Bindings} = Shell) -> Shell#shell{bindings = orddict:merge(fun(_, _, B) -> B end, Bindings, New)}.

%% An exception ends the evaluator if that is wanted.
survived(#shell{catching = true} = Shell) -> Shell;
survived(Shell) ->
    abandon(none, Shell),
    with_evaluator(Shell).

%% Waits until the evaluator has done, and serves it.
wait(Ref, Module, #shell{evaluator = Evaluator, monitor = Watch} = Shell) ->
    Patience = case Shell#shell.interrupted of
                   true -> ?DEATH_MS;
                   false -> infinity
               end,
    receive
        {Ref, Result} when Shell#shell.interrupted ->
            %% It was quicker than the interrupt, which it does not survive.
            abandon(none, Shell),
            erlet_host:call(resume, []),
            {Result, with_evaluator(Shell#shell{interrupted = false})};
        {Ref, Result} -> {Result, Shell#shell{given = true}};
        {module, _, {kept, Old}} -> wait(Ref, none, kept(Old, Shell));
        {module, Evaluator, New} -> wait(Ref, New, Shell);
        {request, From, RequestRef, Request} ->
            {Reply, Shell1} = request(Request, Shell),
            From ! {RequestRef, Reply},
            wait(Ref, Module, Shell1);
        {interrupt, Pressed} when Pressed =< Shell#shell.before ->
            erlet_host:call(resume, []),
            wait(Ref, Module, Shell);
        Interrupt when Interrupt =:= interrupt; element(1, Interrupt) =:= interrupt ->
            exit(Evaluator, kill),
            Shell#shell.console ! {interrupt, Evaluator},
            wait(Ref, Module, Shell#shell{interrupted = true});
        {'DOWN', Watch, process, Evaluator, Reason} ->
            {{died, Reason}, with_evaluator(died(Reason, discarded(Module, Shell)))}
    after Patience ->
        abandon(Module, Shell),
        {{died, killed}, with_evaluator(died(killed, Shell))}
    end.

%% Goes on without an evaluator that was killed; its code is given back when it is dead.
abandon(Module, #shell{evaluator = Evaluator, monitor = Watch}) ->
    demonitor(Watch, [flush]),
    Shell = self(),
    spawn(fun() ->
                  Monitor = monitor(process, Evaluator),
                  receive {'DOWN', Monitor, process, _, _} -> keep(Module, Shell) end
          end),
    ok.

died(killed, #shell{interrupted = true} = Shell) ->
    erlet_host:call(resume, []),
    %% Not by way of the console, which may be at something long.
    erlet_io:write_stdout(<<"** interrupted\n">>),
    Shell#shell{interrupted = false};
died(Reason, Shell) ->
    {Class, Why, Stack} =
        case Reason of
            {Error, [{_, _, _, _} | _] = Trace} -> {error, Error, Trace};
            _ -> {exit, Reason, []}
        end,
    report(Class, Why, Stack),
    Shell.

remember(Number, Text, Result, #shell{history = History, keep = Keep, results = Results} = Shell) ->
    Shown = [entry(N, T, R, Number, Results) || {N, T, R} <- History, N > Number - Keep],
    Kept = case Results of
               0 -> none;
               _ -> Result
           end,
    Shell#shell{history = [{Number, Text, Kept} | Shown], number = Number + 1}.

entry(N, Text, _, Number, Results) when N =< Number - Results -> {N, Text, none};
entry(N, Text, Result, _, _) -> {N, Text, Result}.

%% Stops what the current shell evaluates.
interrupt() -> erlet_jobs:interrupt().

%% Tells the terminal side what it wants to know for completing: the answer to question Number.
tell({What, About}, Number) ->
    Answer = try known(What, About)
             catch _:_ -> []
             end,
    erlet_host:call(told, [Number, Answer]).

known(variables, _) -> [Name || {Name, _} <- bindings()];
known(words, Begun) ->
    [[Name || Text <- erlet_commands:names(), begins(Name = list_to_binary(Text), Begun)],
     [Module || Module <- erlang:loaded(), begins(atom_to_binary(Module), Begun), not is_own(Module)]];
known(exports, About) ->
    Module = binary_to_existing_atom(About),
    %% Nothing is compiled for the sake of a name: a module is loaded already, or part of the machine.
    case not erlang:module_loaded(Module) andalso code:which(Module) of
        preloaded -> code:ensure_loaded(Module);
        _ -> ok
    end,
    [Function || {Name, _} = Function <- Module:module_info(exports), Name =/= module_info, Name =/= '-on_load-'];
known(source, About) ->
    case code:which(binary_to_existing_atom(About)) of
        Path when is_list(Path) -> unicode:characters_to_binary(Path);
        _ -> undefined
    end;
known(keys, About) ->
    {_, Map} = lists:keyfind(binary_to_existing_atom(About), 1, bindings()),
    [Key || Key <- lists:sublist(maps:keys(Map), 1000), is_atom(Key)].

begins(Name, Begun) ->
    Size = byte_size(Begun),
    case Name of
        <<Begun:Size/binary, _/binary>> -> true;
        _ -> false
    end.

bindings() ->
    Shell = erlet_jobs:current(),
    Ref = make_ref(),
    Shell ! {request, self(), Ref, bindings},
    receive {Ref, Bindings} -> Bindings after 1000 -> [] end.

%%% Requests of the evaluator

request(bindings, #shell{bindings = Bindings} = Shell) -> {Bindings, Shell};
request(history, #shell{history = History} = Shell) -> {lists:reverse(History), Shell};
request({entry, N}, #shell{history = History, number = Number} = Shell) ->
    Wanted = case N < 0 of
                 true -> Number + N;
                 false -> N
             end,
    {lists:keyfind(Wanted, 1, History), Shell};
request({keep, N}, #shell{keep = Keep} = Shell) -> {Keep, Shell#shell{keep = N}};
request({results, N}, #shell{results = Results} = Shell) -> {Results, Shell#shell{results = N}};
request({catching, Is}, #shell{catching = Was} = Shell) -> {Was, Shell#shell{catching = Is}};
request(catching, #shell{catching = Is} = Shell) -> {Is, Shell}.

ask(Request) ->
    case get(?KEY) of
        {Shell, _} ->
            Ref = make_ref(),
            Shell ! {request, self(), Ref, Request},
            receive {Ref, Reply} -> Reply end;
        undefined -> error(notsup)
    end.

%%% The evaluator

evaluator(Shell, Id) ->
    put(?KEY, {Shell, Id}),
    evaluator_loop(Shell, Id, []).

evaluator_loop(Shell, Id, Own) ->
    receive
        {evaluate, Ref, Text, Given, Quiet} ->
            put(?QUIET, Quiet),
            Before = case Given of
                         own -> Own;
                         _ -> Given
                     end,
            case parts(Text, 0, Before, Id, Shell) of
                {value, Value, After} ->
                    Shell ! {Ref, {value, Value, change(Before, After)}},
                    evaluator_loop(Shell, Id, After);
                %% What has no value changes nothing, not even by what it forgot before it failed.
                refused ->
                    erase(?FORGOT),
                    Shell ! {Ref, refused},
                    evaluator_loop(Shell, Id, Before);
                {failed, Exception} ->
                    erase(?FORGOT),
                    Shell ! {Ref, {failed, Exception}},
                    case ask(catching) of
                        true -> evaluator_loop(Shell, Id, Before);
                        false -> exit(normal)
                    end
            end
    end.

%% What a statement did to the bindings: values do not change, unless they were forgotten.
change(Before, After) ->
    case erase(?FORGOT) of
        true -> {all, After};
        undefined -> {new, [Binding || {Name, _} = Binding <- After, not orddict:is_key(Name, Before)]}
    end.

parts(Text, Part, Bindings, Id, Shell) ->
    case erlet_host:call(compile, [Id, Text, Part, [Name || {Name, _} <- Bindings]]) of
        {error, Said} ->
            io:put_chars(Said),
            refused;
        {refused, Said} ->
            io:put_chars(Said),
            {failed, refused};
        {ok, Statement, Said} ->
            Said =:= <<>> orelse io:put_chars(Said),
            part(Statement, Text, Part, Bindings, Id, Shell)
    end.

part({forget, Names, More}, Text, Part, Bindings, Id, Shell) ->
    put(?FORGOT, true),
    Left = case Names of
               [] -> [];
               _ -> [Binding || {Name, _} = Binding <- Bindings, not lists:member(Name, Names)]
           end,
    next(More, ok, Left, Text, Part, Id, Shell);
part({record, Name, More}, Text, Part, Bindings, Id, Shell) ->
    next(More, Name, Bindings, Text, Part, Id, Shell);
part({code, Module, Inputs, Outputs, Kept, More}, Text, Part, Bindings, Id, Shell) ->
    Shell ! {module, self(), Module},
    Values = list_to_tuple([orddict:fetch(Name, Bindings) || Name <- Inputs]),
    try Module:eval(Values) of
        Result ->
            [Value | Bound] = tuple_to_list(Result),
            Noted = noted(Bindings),
            New = lists:foldl(fun({Name, V}, Bs) -> orddict:store(Name, V, Bs) end, Noted, lists:zip(Outputs, Bound)),
            release(Module, Kept, Shell),
            next(More, Value, New, Text, Part, Id, Shell)
    catch
        Class:Reason:Stack ->
            noted([]),
            release(Module, Kept, Shell),
            report(Class, Reason, Stack),
            case Reason of
                {shell_message, _} -> refused;
                _ -> {failed, exception(Class, Reason, Stack)}
            end
    end;
part({defined, Name, Arity}, _, _, Bindings, _, _) ->
    get(?QUIET) orelse io:put_chars("ok\n"),
    {value, {Name, Arity}, Bindings};
part(module, Text, _, Bindings, _, _) ->
    Value = module(Text),
    print(Value),
    {value, Value, Bindings};
part(nothing, _, _, _, _, _) ->
    io:put_chars("* this attribute means something in a module only\n"),
    refused.

%% A module that was typed or pasted.
module(Text) ->
    case erlet_host:call(compile_text, [Text]) of
        {ok, Module, Code, Said} ->
            io:put_chars(Said),
            code:purge(Module),
            case code:load_binary(Module, "shell", Code) of
                {module, Module} -> {ok, Module};
                Error -> Error
            end;
        {error, Said} ->
            io:put_chars(Said),
            error
    end.

next(true, _, Bindings, Text, Part, Id, Shell) -> parts(Text, Part + 1, Bindings, Id, Shell);
next(false, Value, Bindings, _, _, _, _) ->
    try get(?QUIET) orelse print(Value)
    catch Class:Reason:Stack -> report(Class, Reason, Stack)
    end,
    {value, Value, Bindings}.

exception(error, Reason, Stack) -> {Reason, Stack};
exception(throw, Reason, _) -> {nocatch, Reason};
exception(exit, Reason, _) -> Reason.

%% Variables bound on the way that an evaluation went.
note(Bindings) ->
    put(?NOTES, Bindings ++ case get(?NOTES) of
                                undefined -> [];
                                Before -> Before
                            end).

noted(Bindings) ->
    case erase(?NOTES) of
        undefined -> Bindings;
        Noted -> lists:foldr(fun({Name, Value}, Bs) -> orddict:store(Name, Value, Bs) end, Bindings, Noted)
    end.

%% Code that no value can hold on to is thrown away; its name is used again.
release(Module, false, Shell) ->
    erlang:delete_module(Module),
    erlang:purge_module(Module),
    erlet_host:call(release, [Module]),
    Shell ! {module, self(), none};
release(Module, true, Shell) -> keep(Module, Shell).

%% Other code goes when no fun of it is left; until then its name is taken.
keep(none, _) -> ok;
keep(Module, Shell) ->
    erlang:delete_module(Module),
    erlet_code:wane(Module),
    Shell ! {module, self(), {kept, Module}}.

%% An evaluator died in the midst of this code, which may have spawned processes; it may have come so far that the code is gone.
discarded(none, Shell) -> Shell;
discarded(Module, Shell) ->
    erlang:delete_module(Module),
    erlet_code:wane(Module),
    kept(Module, Shell).

%% How many modules are kept before those that have gone are looked for.
-define(KEPT, 16).

kept(Module, #shell{kept = Kept} = Shell) ->
    case [Module | lists:delete(Module, Kept)] of
        Modules when length(Modules) rem ?KEPT =:= 0 -> Shell#shell{kept = [M || M <- Modules, is_there(M)]};
        Modules -> Shell#shell{kept = Modules}
    end.

is_there(Module) ->
    case erlang:check_old_code(Module) of
        true -> true;
        false ->
            erlet_host:call(release, [Module]),
            false
    end.

%%% Printing

print(Value) -> io:put_chars([pretty(Value, 1, 30), $\n]).

pretty(Value, Column, Depth) ->
    io_lib_pretty:print(Value, [{column, Column}, {line_length, columns()}, {depth, Depth}, {line_max_chars, 60},
                                {encoding, unicode}, {record_print_fun, record_fun()}]).

columns() ->
    case io:columns() of
        {ok, Columns} -> Columns;
        _ -> 80
    end.

record_fun() ->
    Records = case get(?KEY) of
                  {_, Id} -> [{Name, Fields} || {Name, Fields, _} <- erlet_host:call(records, [Id])];
                  _ -> []
              end,
    fun(Tag, Count) ->
            case lists:keyfind(Tag, 1, Records) of
                {_, Fields} when length(Fields) =:= Count -> Fields;
                _ -> no
            end
    end.

report(Class, Reason, Stack) ->
    io:put_chars([exception_text(Class, Reason, Stack), $\n]).

exception_text(error, {shell_undef, Name, Arity}, _) ->
    io_lib:format("** exception error: undefined shell command ~ts/~w", [io_lib:write_atom(Name), Arity]);
exception_text(error, {shell_clause, Name, Arity}, _) ->
    io_lib:format("** exception error: no function clause matching call to ~ts/~w", [Name, Arity]);
exception_text(_, {shell_message, Text}, _) -> ["* ", string:trim(Text, trailing)];
exception_text(error, {badarity, {Fun, Args}} = Reason, Stack) ->
    %% The names that the compiler gives to funs at the prompt say nothing.
    {_, Module} = erlang:fun_info(Fun, module),
    case is_own(Module) of
        true ->
            {_, Arity} = erlang:fun_info(Fun, arity),
            io_lib:format("** exception error: fun with arity ~w called with ~s", [Arity, arguments(length(Args))]);
        false -> formatted(error, Reason, Stack)
    end;
exception_text(Class, Reason, Stack) -> formatted(Class, Reason, Stack).

arguments(0) -> "no arguments";
arguments(1) -> "one argument";
arguments(2) -> "two arguments";
arguments(N) -> [integer_to_list(N), " arguments"].

formatted(Class, Reason, Stack) ->
    Format = fun(Term, Column) -> pretty(Term, Column, 30) end,
    Calls = case Reason of
                function_clause -> clause_stack(Stack);
                _ -> Stack
            end,
    Hide = fun(Module, _, _) -> is_own(Module) end,
    ["** " | erl_error:format_exception(Class, Reason, Calls, #{column => 4, format_fun => Format, hide_fun => Hide})].

%% The function that no clause of matched stays, in words.
clause_stack([{Module, _, Args, _} = Call | Stack]) when is_list(Args) ->
    First = case is_own(Module) of
                true -> {shell, 'fun', Args, []};
                false -> Call
            end,
    [First | [C || C <- Stack, not is_own(element(1, C))]];
clause_stack(Stack) -> Stack.

is_own(?MODULE) -> true;
is_own(Module) when is_atom(Module) -> lists:prefix("erlet_eval_", atom_to_list(Module));
is_own(_) -> false.

%%% Local calls

local(Name, Args) ->
    case command(Name, Args) of
        {ok, Value} -> Value;
        undefined ->
            Arity = length(Args),
            case provider(Name, Arity, [user_default, shell_default]) of
                false -> error({shell_undef, Name, Arity});
                Module -> apply(Module, Name, Args)
            end
    end.

provider(_, _, []) -> false;
provider(Name, Arity, [Module | Modules]) ->
    case code:ensure_loaded(Module) of
        {module, _} ->
            case erlang:function_exported(Module, Name, Arity) of
                true -> Module;
                false -> provider(Name, Arity, Modules)
            end;
        _ -> provider(Name, Arity, Modules)
    end.

%% `fun Name/Arity` of a function that is called as local/2 calls it.
local_fun(Name, 0) -> fun() -> local(Name, []) end;
local_fun(Name, 1) -> fun(A) -> local(Name, [A]) end;
local_fun(Name, 2) -> fun(A, B) -> local(Name, [A, B]) end;
local_fun(Name, 3) -> fun(A, B, C) -> local(Name, [A, B, C]) end;
local_fun(Name, Arity) -> error({shell_undef, Name, Arity}).

command(b, []) -> {ok, show_bindings(ask(bindings))};
command(h, []) -> {ok, show_history(ask(history))};
command(v, [N]) when is_integer(N) ->
    case ask({entry, N}) of
        {_, _, {value, Value}} -> {ok, Value};
        {_, _, {'EXIT', _} = Exit} -> {ok, Exit};
        _ -> no_command(N)
    end;
command(e, [N]) when is_integer(N) ->
    case ask({entry, N}) of
        {_, Text, _} -> {ok, again(Text)};
        false -> no_command(N)
    end;
command(history, [N]) when is_integer(N), N >= 0 -> {ok, ask({keep, N})};
command(results, [N]) when is_integer(N), N >= 0 -> {ok, ask({results, N})};
command(rp, [Term]) ->
    io:put_chars([pretty(Term, 1, -1), $\n]),
    {ok, ok};
command(catch_exception, [Is]) when is_boolean(Is) -> {ok, ask({catching, Is})};
command(Name, [_]) when Name =:= v; Name =:= e; Name =:= history; Name =:= results; Name =:= catch_exception ->
    error({shell_clause, Name, 1});
command(f, [_]) -> error({shell_message, "f/1 takes a variable"});
command(rd, _) -> error({shell_message, "write the record as in rd(name, {field, field = Default})"});
command(Name, Args) -> erlet_definitions:command(Name, Args).

%% The number of the shell that the caller evaluates for.
id() ->
    case get(?KEY) of
        {_, Id} -> Id;
        undefined -> error(notsup)
    end.

no_command(N) -> error({shell_message, io_lib:format("~w: command not found", [N])}).

%% Evaluates a statement once more, inside another.
again(Text) ->
    {Shell, Id} = get(?KEY),
    Bindings = ask(bindings),
    case erlet_host:call(compile, [Id, Text, 0, [Name || {Name, _} <- Bindings]]) of
        {ok, {code, Module, Inputs, Outputs, Kept, false}, _} ->
            Values = list_to_tuple([orddict:fetch(Name, Bindings) || Name <- Inputs]),
            try
                [Value | Bound] = tuple_to_list(Module:eval(Values)),
                note(lists:zip(Outputs, Bound)),
                Value
            after
                release(Module, Kept, Shell)
            end;
        {Error, Said} when Error =:= error; Error =:= refused -> error({shell_message, Said});
        _ -> error({shell_message, "this cannot be done again"})
    end.

show_bindings(Bindings) ->
    lists:foreach(fun({Name, Value}) ->
                          Text = [atom_to_list(Name), " = "],
                          io:put_chars([Text, pretty(Value, length(lists:flatten(Text)) + 1, 30), $\n])
                  end, Bindings).

show_history(History) ->
    lists:foreach(fun({N, Text, Result}) ->
                          io:put_chars([integer_to_list(N), ": ", string:trim(string:trim(Text), trailing, "."), $\n]),
                          case Result of
                              none -> ok;
                              {value, Value} -> io:put_chars(["-> ", pretty(Value, 4, 30), $\n]);
                              Exit -> io:put_chars(["-> ", pretty(Exit, 4, 30), $\n])
                          end
                  end, History).

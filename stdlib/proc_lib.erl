%% Processes that know who started them, start in step with their parent, and leave a report when they crash.
%%
%% Such a process keeps its forebears in its dictionary (`'$ancestors'`, the parent first) and what it was started to do
%% (`'$initial_call'`). It runs under `init_p/3,5`, which turn an error into an exit after reporting it.
-module(proc_lib).

-export([spawn/1, spawn/2, spawn/3, spawn/4, spawn_link/1, spawn_link/2, spawn_link/3, spawn_link/4,
         spawn_opt/2, spawn_opt/3, spawn_opt/4, spawn_opt/5, start/3, start/4, start/5, start_link/3, start_link/4, start_link/5,
         start_monitor/3, start_monitor/4, start_monitor/5, init_ack/1, init_ack/2, init_fail/2, init_fail/3,
         hibernate/3, stop/1, stop/3, set_label/1, get_label/1]).
-export([initial_call/1, translate_initial_call/1, format/1, format/2, format/3, report_cb/2]).
-export([init_p/3, init_p/5, wake_up/3]).

-compile({no_auto_import, [spawn/1, spawn/2, spawn/3, spawn/4, spawn_link/1, spawn_link/2, spawn_link/3, spawn_link/4,
                           spawn_opt/2, spawn_opt/3, spawn_opt/4, spawn_opt/5]}).

%%% Spawning

spawn(F) when is_function(F) -> erlang:spawn(proc_lib, init_p, [me(), ancestors(), F]).
spawn(M, F, A) when is_atom(M), is_atom(F), is_list(A) -> erlang:spawn(proc_lib, init_p, [me(), ancestors(), M, F, A]).

spawn_link(F) when is_function(F) -> erlang:spawn_link(proc_lib, init_p, [me(), ancestors(), F]).
spawn_link(M, F, A) when is_atom(M), is_atom(F), is_list(A) ->
    erlang:spawn_link(proc_lib, init_p, [me(), ancestors(), M, F, A]).

spawn_opt(F, Options) when is_function(F) -> erlang:spawn_opt(proc_lib, init_p, [me(), ancestors(), F], Options).
spawn_opt(M, F, A, Options) when is_atom(M), is_atom(F), is_list(A) ->
    erlang:spawn_opt(proc_lib, init_p, [me(), ancestors(), M, F, A], Options).

%% With a node in front.
spawn(Node, F) when is_function(F) -> erlang:spawn(Node, proc_lib, init_p, [me(), ancestors(), F]).
spawn(Node, M, F, A) -> erlang:spawn(Node, proc_lib, init_p, [me(), ancestors(), M, F, A]).
spawn_link(Node, F) when is_function(F) -> erlang:spawn_link(Node, proc_lib, init_p, [me(), ancestors(), F]).
spawn_link(Node, M, F, A) -> erlang:spawn_link(Node, proc_lib, init_p, [me(), ancestors(), M, F, A]).
spawn_opt(Node, F, Options) when is_function(F) ->
    erlang:spawn_opt(Node, proc_lib, init_p, [me(), ancestors(), F], Options).
spawn_opt(Node, M, F, A, Options) -> erlang:spawn_opt(Node, proc_lib, init_p, [me(), ancestors(), M, F, A], Options).

me() ->
    case process_info(self(), registered_name) of
        {registered_name, Name} -> Name;
        _ -> self()
    end.

ancestors() ->
    case get('$ancestors') of
        Ancestors when is_list(Ancestors) -> Ancestors;
        _ -> []
    end.

%%% Inside the new process

init_p(Parent, Ancestors, F) when is_function(F) ->
    {module, M} = erlang:fun_info(F, module),
    {name, Name} = erlang:fun_info(F, name),
    {arity, Arity} = erlang:fun_info(F, arity),
    put('$initial_call', {M, Name, Arity}),
    put('$ancestors', [Parent | Ancestors]),
    try F()
    catch Class:Reason:Stack -> crash(Class, Reason, Stack)
    end.

init_p(Parent, Ancestors, M, F, A) ->
    put('$initial_call', callback(M, F, A)),
    put('$ancestors', [Parent | Ancestors]),
    try apply(M, F, A)
    catch Class:Reason:Stack -> crash(Class, Reason, Stack)
    end.

%% For a behaviour the call that matters is its module's init.
callback(gen, init_it, [gen_server, _, _, supervisor, {_, Module, _}, _]) -> {supervisor, Module, 1};
callback(gen, init_it, [gen_server, _, _, _, supervisor, {_, Module, _}, _]) -> {supervisor, Module, 1};
callback(gen, init_it, [gen_server, _, _, supervisor_bridge, [Module | _], _]) -> {supervisor_bridge, Module, 1};
callback(gen, init_it, [gen_server, _, _, _, supervisor_bridge, [Module | _], _]) -> {supervisor_bridge, Module, 1};
callback(gen, init_it, [gen_event | _]) -> {gen_event, init_it, 6};
callback(gen, init_it, [_, _, _, Module, _, _]) when is_atom(Module) -> {Module, init, 1};
callback(gen, init_it, [_, _, _, _, Module | _]) when is_atom(Module) -> {Module, init, 1};
callback(M, F, A) -> {M, F, length(A)}.

crash(Class, Reason, Stack) ->
    report(Class, Reason, Stack),
    ExitReason =
        case Class of
            exit -> Reason;
            error -> {Reason, Stack};
            throw -> {{nocatch, Reason}, Stack}
        end,
    erlang:raise(exit, ExitReason, Stack).

%% A process that hibernates has left the try above and comes back into this one.
hibernate(M, F, A) when is_atom(M), is_atom(F), is_list(A) -> erlang:hibernate(proc_lib, wake_up, [M, F, A]).

wake_up(M, F, A) ->
    try apply(M, F, A)
    catch Class:Reason:Stack -> crash(Class, Reason, Stack)
    end.

%%% Starting in step: the parent waits until the child has called init_ack, or is dead

start(M, F, A) -> start(M, F, A, infinity).

start(M, F, A, Timeout) -> start(M, F, A, Timeout, []).

start(M, F, A, Timeout, Options) when is_atom(M), is_atom(F), is_list(A) ->
    no_monitor([M, F, A, Timeout, Options], Options),
    {Pid, Monitor} = spawn_opt(M, F, A, [monitor | Options]),
    receive
        {ack, Pid, Result} ->
            demonitor(Monitor, [flush]),
            Result;
        {nack, Pid, Result} ->
            %% The child has failed and is on its way out.
            receive {'DOWN', Monitor, process, Pid, _} -> ok end,
            Result;
        {'DOWN', Monitor, process, Pid, Reason} -> {error, Reason}
    after Timeout ->
            demonitor(Monitor, [flush]),
            give_up(Pid),
            {error, timeout}
    end.

start_link(M, F, A) -> start_link(M, F, A, infinity).

start_link(M, F, A, Timeout) -> start_link(M, F, A, Timeout, []).

start_link(M, F, A, Timeout, Options) when is_atom(M), is_atom(F), is_list(A) ->
    no_monitor([M, F, A, Timeout, Options], Options),
    Pid = spawn_opt(M, F, A, [link | Options]),
    receive
        {ack, Pid, Result} -> Result;
        {nack, Pid, Result} ->
            gone(Pid),
            Result;
        {'EXIT', Pid, Reason} -> {error, Reason}
    after Timeout ->
            give_up(Pid),
            {error, timeout}
    end.

%% A failed child's end is waited for, so that its name is free again. Who traps exits is spared the message.
gone(Pid) ->
    case process_info(self(), trap_exit) of
        {trap_exit, true} -> receive {'EXIT', Pid, _} -> ok end;
        _ ->
            Monitor = monitor(process, Pid),
            receive {'DOWN', Monitor, process, Pid, _} -> ok end
    end.

start_monitor(M, F, A) -> start_monitor(M, F, A, infinity).

start_monitor(M, F, A, Timeout) -> start_monitor(M, F, A, Timeout, []).

start_monitor(M, F, A, Timeout, Options) when is_atom(M), is_atom(F), is_list(A) ->
    no_monitor([M, F, A, Timeout, Options], Options),
    {Pid, Monitor} = spawn_opt(M, F, A, [monitor | Options]),
    receive
        {ack, Pid, Result} -> {Result, Monitor};
        {nack, Pid, Result} ->
            receive {'DOWN', Monitor, process, Pid, _} = Down -> self() ! Down end,
            {Result, Monitor};
        {'DOWN', Monitor, process, Pid, Reason} = Down ->
            self() ! Down,
            {{error, Reason}, Monitor}
    after Timeout ->
            give_up(Pid),
            {{error, timeout}, Monitor}
    end.

no_monitor(Args, Options) ->
    case lists:member(monitor, Options) orelse lists:keymember(monitor, 1, Options) of
        true -> error(badarg, Args);
        false -> ok
    end.

give_up(Pid) ->
    unlink(Pid),
    exit(Pid, kill),
    receive {'EXIT', Pid, _} -> ok
    after 0 -> ok
    end.

init_ack(Parent, Result) ->
    Parent ! {ack, self(), Result},
    ok.

init_ack(Result) ->
    [Parent | _] = get('$ancestors'),
    init_ack(Parent, Result).

%% The child could not start: the parent gets Result once the child is dead of the given exception.
init_fail(Result, Exception) ->
    [Parent | _] = get('$ancestors'),
    init_fail(Parent, Result, Exception).

init_fail(Parent, Result, Exception) ->
    Parent ! {nack, self(), Result},
    case Exception of
        {Class, Reason} -> erlang:raise(Class, Reason, []);
        {Class, Reason, Stack} -> erlang:raise(Class, Reason, Stack)
    end.

%%% Stopping

stop(Process) -> stop(Process, normal, infinity).

%% Asks through the system messages all behaviours understand, and waits. Exits unless it ends with Reason.
stop(Process, Reason, Timeout) ->
    %% Watched from before the request, so that its end cannot be missed.
    Monitor = monitor(process, Process),
    Deadline =
        case Timeout of
            infinity -> infinity;
            _ -> erlang:monotonic_time(millisecond) + Timeout
        end,
    try sys:terminate(Process, Reason, Timeout) of
        ok -> ok
    catch
        exit:{Why, {sys, terminate, _}} when Why =:= timeout; Why =:= noproc ->
            demonitor(Monitor, [flush]),
            exit(Why);
        %% It died before it could answer; how, the monitor will tell.
        exit:_ -> ok
    end,
    Left =
        case Deadline of
            infinity -> infinity;
            _ -> max(0, Deadline - erlang:monotonic_time(millisecond))
        end,
    receive
        {'DOWN', Monitor, _, _, Reason} -> ok;
        {'DOWN', Monitor, _, _, Other} -> exit(Other)
    after Left ->
            demonitor(Monitor, [flush]),
            exit(timeout)
    end.

%%% What a process is about

set_label(Label) ->
    put('$process_label', Label),
    ok.

get_label(Pid) -> from_dictionary('$process_label', Pid, undefined).

from_dictionary(Key, Pid, Default) ->
    case process_info(Pid, dictionary) of
        {dictionary, Dictionary} -> proplists:get_value(Key, Dictionary, Default);
        undefined -> Default
    end.

%% The call it was started with, with atoms for arguments, or false.
initial_call(Process) ->
    case started_as(Process) of
        {M, F, Arity} -> {M, F, dummy_args(Arity)};
        false -> false
    end.

translate_initial_call(Process) ->
    case started_as(Process) of
        false -> {proc_lib, init_p, 5};
        MFA -> MFA
    end.

started_as(Info) when is_list(Info) ->
    case lists:keyfind(dictionary, 1, Info) of
        {_, Dictionary} -> proplists:get_value('$initial_call', Dictionary, false);
        false -> false
    end;
started_as(Pid) -> from_dictionary('$initial_call', Pid, false).

%% At most 255 of these atoms can come to be.
dummy_args(Arity) -> [list_to_atom("Argument__" ++ integer_to_list(I)) || I <- lists:seq(1, Arity)].

%%% Crash reports

report(exit, normal, _) -> ok;
report(exit, shutdown, _) -> ok;
report(exit, {shutdown, _}, _) -> ok;
report(Class, Reason, Stack) ->
    Own = [{initial_call, initial_call(self())} || get('$initial_call') =/= undefined] ++
        [{pid, self()}, info(self(), registered_name), {error_info, {Class, Reason, Stack}},
         {ancestors, ancestors()}, info(self(), message_queue_len), info(self(), messages), info(self(), links),
         {dictionary, [Entry || {Key, _} = Entry <- get(), Key =/= '$ancestors', Key =/= '$initial_call']} |
         [info(self(), Item) || Item <- [trap_exit, status, heap_size, stack_size, reductions]]],
    logger:log(error, #{label => {proc_lib, crash}, report => [Own, neighbours()]},
               #{domain => [otp, sasl], report_cb => fun proc_lib:report_cb/2,
                 logger_formatter => #{title => "CRASH REPORT"}, error_logger => #{tag => error_report, type => crash_report}}).

info(Pid, Item) ->
    case process_info(Pid, Item) of
        [] -> {Item, []};
        Info -> Info
    end.

%% Linked processes that do not trap exits will die with this one.
neighbours() ->
    {links, Links} = process_info(self(), links),
    [{neighbour, neighbour(Pid)} || Pid <- Links, is_pid(Pid), process_info(Pid, trap_exit) =:= {trap_exit, false}].

neighbour(Pid) ->
    InitialCall =
        case initial_call(Pid) of
            false -> info(Pid, initial_call);
            Call -> {initial_call, Call}
        end,
    [{pid, Pid}, info(Pid, registered_name), InitialCall, info(Pid, current_function),
     {ancestors, from_dictionary('$ancestors', Pid, [])} |
     [info(Pid, Item) || Item <- [message_queue_len, links, trap_exit, status, heap_size, stack_size, reductions,
                                  current_stacktrace]]].

report_cb(#{label := {proc_lib, crash}, report := Report}, Options) ->
    Defaults = #{chars_limit => unlimited, depth => unlimited, single_line => false, encoding => unicode},
    layout(Report, maps:merge(Defaults, Options)).

format(Report) -> format(Report, latin1).

format(Report, Encoding) -> format(Report, Encoding, unlimited).

format(Report, Encoding, Depth) ->
    layout(Report, #{chars_limit => unlimited, depth => Depth, single_line => false, encoding => Encoding}).

%% Where there is a limit of characters, all items but the exception have equal shares of two thirds of it, and the exception has
%% what they leave over. The last line stays open.
layout([Own, Neighbours], #{single_line := Single, chars_limit := Limit} = O) ->
    {Indent, Break, Apart} =
        case Single of
            true -> {"", " ", "; "};
            false -> {"  ", "\n", "\n"}
        end,
    Left = left(Limit, length(Indent ++ "crasher" ++ Break) + length(Apart) * (1 + length(Own))),
    Share =
        case Left of
            unlimited -> unlimited;
            _ -> (Left - Left div 3) div max(1, length(Own))
        end,
    Last = neighbours(Neighbours, Indent, Break, Apart, O, Share),
    [Indent, "crasher:", Break, own(Own, Indent ++ Indent, O, Share, left(Left, string:length(Last))), Apart, Last].

own(Own, Indent, O, Share, Left) ->
    case is_list(Own) andalso lists:splitwith(fun({error_info, _}) -> false; (_) -> true end, Own) of
        {Before, [{error_info, Exception} | After]} ->
            {First, Rest} = {lines(Indent, Before, O, Share), lines(Indent, After, O, Share)},
            %% What stands between the items is accounted for already.
            Between = fun([]) -> 0; (Items) -> length(between(O)) * (2 * length(Items) - 1) end,
            Shown = [joined(First, O), joined(Rest, O)],
            Limit = left(Left, string:length(Shown) - Between(First) - Between(Rest)),
            joined(First ++ [exception(Exception, Indent, O, Limit)] ++ Rest, O);
        _ -> joined(lines(Indent, Own, O, Left), O)
    end.

%% Under a limit they are only named.
neighbours(Neighbours, Indent, _, _, O, Share) when is_integer(Share) ->
    Pids = [Pid || {neighbour, [{pid, Pid} | _]} <- Neighbours],
    print(Indent ++ "neighbours: ", "", Pids, O, Share);
neighbours(Neighbours, Indent, Break, Apart, O, Share) ->
    Inner = Indent ++ Indent,
    Shown =
        case is_list(Neighbours) of
            true -> lists:join(Apart, [[Inner, "neighbour:", Break, joined(lines("  " ++ Inner, Items, O, Share), O)]
                                       || {neighbour, Items} <- Neighbours]);
            false -> lines(Inner, Neighbours, O, Share)
        end,
    [Indent, "neighbours:", Break, Shown].

joined(Lines, O) -> lists:join(between(O), Lines).

between(#{single_line := true}) -> ", ";
between(_) -> "\n".

left(unlimited, _) -> unlimited;
left(Limit, Used) -> max(1, Limit - Used).

%% What is no list of items is no report of ours.
lines(Indent, Items, O, Limit) when is_list(Items) -> [line(Indent, Item, O, Limit) || Item <- Items, Item =/= undefined];
lines(Indent, Other, O, Limit) -> [print("~s", "", [inset(Indent, O)], Other, O, Limit)].

line(Indent, {initial_call, {M, F, Args}}, #{encoding := Encoding} = O, _) when is_list(Args) ->
    [inset(Indent, O), "initial call: ", io_lib:format(modify("~p:~p/~w", Encoding), [M, F, length(Args)])];
%% Values that take several lines begin in the same column, whatever their name.
line(Indent, {Tag, Value}, #{single_line := true} = O, Limit) ->
    print("~s~0p: ", ".18", [inset(Indent, O), Tag], Value, O, Limit);
line(Indent, {Tag, Value}, O, Limit) -> print("~s~p: ", ".18", [Indent, Tag], Value, O, Limit).

inset(_, #{single_line := true}) -> "";
inset(Indent, _) -> Indent.

exception({Class, Reason, Stack}, _, #{single_line := true} = O, Limit) ->
    [atom_to_list(Class), ": ", print("", "", {Reason, Stack}, O, Limit)];
exception({Class, Reason, Stack}, Indent, #{encoding := Encoding} = O, Limit) ->
    %% What proc_lib does below it is of no interest.
    Trim = fun(M, _, _) -> M =:= proc_lib end,
    Print = fun(Term, Column) -> print("", "." ++ integer_to_list(Column), Term, O, Limit) end,
    Options = #{column => length(Indent) + 1, stack_trim_fun => Trim, encoding => Encoding, format_fun => Print},
    [Indent, erl_error:format_exception(Class, Reason, Stack, Options)].

print(Before, Field, Value, O, Limit) -> print(Before, Field, [], Value, O, Limit).

%% The value, as deep, as long and in as many lines as asked for, behind what `Before` makes of `Args`.
print(Before, Field, Args, Value, #{depth := Depth, single_line := Single, encoding := Encoding}, Limit) ->
    Width = [$0 || Single],
    {Letter, Deep} =
        case Depth of
            unlimited -> {"p", []};
            _ -> {"P", [Depth]}
        end,
    Format = Before ++ "~" ++ Width ++ Field ++ modify(Letter, Encoding),
    io_lib:format(Format, Args ++ [Value | Deep], [{chars_limit, Limit} || Limit =/= unlimited]).

modify(Format, latin1) -> Format;
modify(Format, _) -> lists:flatmap(fun($p) -> "tp"; ($P) -> "tP"; (C) -> [C] end, Format).

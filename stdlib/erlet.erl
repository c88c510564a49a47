%% Tools for the prompt: what an evaluation costs, reloading what was saved, watching processes.
-module(erlet).

-export([time/1, watch/1, unwatch/0, ps/0]).

%%% What it costs

%% Evaluates `Fun()` in a process of its own, tells what that took, and gives its value (or raises its exception).
-spec time(fun(() -> Value)) -> Value.
time(Fun) when is_function(Fun, 0) ->
    Self = self(),
    Leader = group_leader(),
    {Pid, Monitor} = spawn_monitor(fun() -> group_leader(Leader, self()), measure(Fun, Self) end),
    receive
        {Pid, Result, Cost} ->
            demonitor(Monitor, [flush]),
            show(Cost),
            outcome(Result);
        {'DOWN', Monitor, process, Pid, Reason} -> exit(Reason)
    end.

measure(Fun, Asker) ->
    erlang:garbage_collect(),
    {_, Reductions} = process_info(self(), reductions),
    Before = erlang:monotonic_time(),
    Result = try {value, Fun()}
             catch Class:Reason:Stack -> {Class, Reason, Stack}
             end,
    After = erlang:monotonic_time(),
    [{_, Later}, {_, Memory}, {_, Messages}] = process_info(self(), [reductions, memory, message_queue_len]),
    Time = erlang:convert_time_unit(After - Before, native, microsecond),
    Asker ! {self(), Result, {Time, Later - Reductions, Memory, Messages}}.

show({Time, Reductions, Memory, Messages}) ->
    io:format("~ts, ~ts reductions, ~ts bytes held at the end, ~w messages left unread~n",
              [duration(Time), grouped(Reductions), grouped(Memory), Messages]).

duration(Us) when Us < 1000 -> io_lib:format("~w us", [Us]);
duration(Us) when Us < 1000000 -> io_lib:format("~.3f ms", [Us / 1000]);
duration(Us) -> io_lib:format("~.3f s", [Us / 1000000]).

%% Digits in groups of three.
grouped(N) when N < 1000 -> integer_to_list(N);
grouped(N) -> [grouped(N div 1000), $,, io_lib:format("~3..0w", [N rem 1000])].

outcome({value, Value}) -> Value;
outcome({Class, Reason, Stack}) -> erlang:raise(Class, Reason, Stack).

%%% Reloading

%% How often files are looked at.
-define(LOOK_MS, 300).

%% Compiles and loads a file, or the `.erl` files of a folder, whenever they change.
-spec watch(file:name()) -> {ok, pid()} | {error, enoent}.
watch(Path) ->
    case filelib:last_modified(Path) of
        0 -> {error, enoent};
        _ ->
            Leader = group_leader(),
            Now = times(Path),
            Pid = spawn(fun() ->
                                group_leader(Leader, self()),
                                watching(Path, Now)
                        end),
            put('$erlet_watch', [Pid | watchers()]),
            {ok, Pid}
    end.

-spec unwatch() -> ok.
unwatch() ->
    lists:foreach(fun(Pid) -> exit(Pid, kill) end, watchers()),
    erase('$erlet_watch'),
    ok.

watchers() ->
    case get('$erlet_watch') of
        undefined -> [];
        Pids -> Pids
    end.

watching(Path, Before) ->
    timer:sleep(?LOOK_MS),
    Now = times(Path),
    lists:foreach(fun({File, _}) -> reload(File) end, Now -- Before),
    watching(Path, Now).

times(Path) ->
    Files = case filelib:is_dir(Path) of
                true -> filelib:wildcard(filename:join(Path, "*.erl"));
                false -> [Path]
            end,
    [{File, {filelib:last_modified(File), filelib:file_size(File)}} || File <- Files].

reload(File) ->
    case c:c(File) of
        {ok, Module} -> io:format("~ts: ~tw is loaded~n", [File, Module]);
        error -> io:format("~ts: not loaded~n", [File])
    end.

%%% Watching processes

%% A table of the processes that is drawn anew each second; `r`, `m` and `l` sort by reductions, memory and mailbox, `q`
%% returns. Where there is no terminal it is printed once.
-spec ps() -> ok.
ps() ->
    case erlet_host:call(about, []) of
        {true, _} -> live(reductions, #{});
        _ -> table(reductions, sample(), #{}, 20)
    end.

live(Key, Before) ->
    Now = sample(),
    Rows = case io:rows() of
               {ok, N} -> max(1, N - 5);
               _ -> 20
           end,
    io:put_chars("\e[H\e[2J"),
    table(Key, Now, Before, Rows),
    io:put_chars("r reductions, m memory, l mailbox, q returns\n"),
    case erlet_host:call(key, [1000]) of
        <<"q">> -> ok;
        <<"r">> -> live(reductions, maps:from_list(Now));
        <<"m">> -> live(memory, maps:from_list(Now));
        <<"l">> -> live(mailbox, maps:from_list(Now));
        Answer when Answer =:= eof; Answer =:= interrupted -> ok;
        _ -> live(Key, maps:from_list(Now))
    end.

sample() ->
    Items = [reductions, memory, message_queue_len, registered_name, current_function],
    [{Pid, [Value || {_, Value} <- Info]}
     || Pid <- processes(), Info <- [process_info(Pid, Items)], is_list(Info)].

table(Key, Now, Before, Count) ->
    Rows = lists:sort(fun(A, B) -> weight(Key, A) >= weight(Key, B) end, [since(Row, Before) || Row <- Now]),
    io:format("~w processes, by ~s~n", [length(Now), Key]),
    row("Pid", "Reductions", "Memory", "Mailbox", "Name or function"),
    lists:foreach(fun({Pid, [Reductions, Memory, Mailbox, Name, Function]}) ->
                          row(pid_to_list(Pid), grouped(Reductions), grouped(Memory), integer_to_list(Mailbox), called(Name, Function))
                  end, lists:sublist(Rows, Count)).

%% The reductions since the last look.
since({Pid, [Reductions | Rest]}, Before) ->
    case Before of
        #{Pid := [Earlier | _]} -> {Pid, [Reductions - Earlier | Rest]};
        #{} -> {Pid, [Reductions | Rest]}
    end.

weight(reductions, {_, [N | _]}) -> N;
weight(memory, {_, [_, N | _]}) -> N;
weight(mailbox, {_, [_, _, N | _]}) -> N.

called([], {M, F, A}) -> io_lib:format("~tw:~tw/~w", [M, F, A]);
called([], _) -> "";
called(Name, _) -> io_lib:format("~tw", [Name]).

%% A row is a line, however narrow the window is.
row(A, B, C, D, E) ->
    Line = [string:pad(A, 14), pad(B, 14), pad(C, 14), pad(D, 9), "  ", E],
    Shown = case io:columns() of
                {ok, Columns} -> string:slice(Line, 0, Columns);
                _ -> Line
            end,
    io:put_chars([Shown, $\n]).

pad(Text, Width) -> string:pad(unicode:characters_to_list(Text), Width, leading).

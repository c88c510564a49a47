%% The commands that a shell offers besides its own: compiling and loading, looking at processes and files.
-module(c).

-export([bt/1, c/1, c/2, c/3, cd/1, flush/0, h/1, h/2, h/3, help/0, ht/1, ht/2, i/0, i/1, i/3, l/1, lc/1, ls/0, ls/1, m/0, m/1, memory/0,
         memory/1, ni/0, nregs/0, pid/3, pwd/0, q/0, regs/0, uptime/0]).

-spec help() -> ok.
help() -> erlet_commands:help().

%%% Code

%% Compiles a module or file and loads it, if it has no errors; what is wrong is shown.
-spec c(module() | file:name()) -> {ok, module()} | error.
c(File) -> c(File, []).

-spec c(module() | file:name(), [term()] | term()) -> {ok, module()} | error.
c(File, Option) when not is_list(Option) -> c(File, [Option]);
c(File, Options) ->
    Path = source(File),
    case filelib:is_regular(Path) of
        false ->
            io:format("~ts: no such file or directory~n", [Path]),
            error;
        true ->
            try erlet_host:call(compile_file, [unicode:characters_to_binary(Path), Options]) of
                {ok, Module, Code, Said} ->
                    io:put_chars(Said),
                    load(Module, Path, Code);
                {error, Said} ->
                    io:put_chars(Said),
                    error
            catch
                %% No shell is here that compiles.
                error:notsup -> compiled(Path, Options)
            end
    end.

compiled(Path, Options) ->
    case compile:file(Path, [binary, report_errors, report_warnings | Options -- [return, return_errors, return_warnings]]) of
        {ok, Module, Code} -> load(Module, Path, Code);
        error -> error
    end.

%% The same; nothing is known of options that Filter could choose among.
-spec c(module(), [term()] | term(), fun((term()) -> boolean())) -> {ok, module()} | error.
c(Module, Options, Filter) when is_atom(Module), is_function(Filter, 1) -> c(Module, Options).

source(File) ->
    Name = if is_atom(File) -> atom_to_list(File); true -> unicode:characters_to_list(File) end,
    case filename:extension(Name) of
        ".erl" -> Name;
        _ ->
            Path = Name ++ ".erl",
            case is_atom(File) andalso not filelib:is_regular(Path) andalso known_source(File) of
                Known when is_list(Known) -> Known;
                _ -> Path
            end
    end.

%% Where a module was found before.
known_source(Module) ->
    case code:which(Module) of
        Path when is_list(Path) -> filename:extension(Path) =:= ".erl" andalso Path;
        _ -> false
    end.

load(Module, Path, Code) ->
    code:purge(Module),
    case code:load_binary(Module, Path, Code) of
        {module, Module} -> {ok, Module};
        {error, Reason} ->
            io:format("~ts: cannot be loaded: ~tp~n", [Module, Reason]),
            error
    end.

-spec lc([module() | file:name()]) -> ok | error.
lc(Files) ->
    case [error || File <- Files, c(File) =:= error] of
        [] -> ok;
        _ -> error
    end.

-spec l(module()) -> {module, module()} | {error, term()}.
l(Module) ->
    code:purge(Module),
    case code:load_file(Module) of
        {error, nofile} = Nowhere ->
            %% What c/1 compiled may lie anywhere.
            case known_source(Module) of
                Path when is_list(Path) ->
                    case c(Path) of
                        {ok, Module} -> {module, Module};
                        _ -> {error, badfile}
                    end;
                false -> Nowhere
            end;
        Loaded -> Loaded
    end.

%% The loaded modules and where they come from.
-spec m() -> ok.
m() ->
    row("Module", "File"),
    lists:foreach(fun({Module, File}) -> row(text("~tw", Module), text("~tp", File)) end, lists:sort(loaded())).

loaded() -> [Loaded || {Module, _} = Loaded <- code:all_loaded(), not lists:prefix("erlet_eval_", atom_to_list(Module))].

row(Name, File) -> io:put_chars([cell(Name, 20), "  ", File, $\n]).

text(Format, Term) when is_list(Term) ->
    case io_lib:printable_unicode_list(Term) of
        true -> Term;
        false -> io_lib:format(Format, [Term])
    end;
text(Format, Term) -> unicode:characters_to_list(io_lib:format(Format, [Term])).

-spec m(module()) -> ok.
m(Module) ->
    Info = Module:module_info(),
    {md5, Md5} = lists:keyfind(md5, 1, Info),
    io:format("Module: ~tw~nMD5: ~ts~nFile: ~ts~nExports:~n",
              [Module, [io_lib:format("~2.16.0b", [Byte]) || <<Byte>> <= Md5], text("~tp", code:which(Module))]),
    {exports, Exports} = lists:keyfind(exports, 1, Info),
    columns([text("~tw", F) ++ "/" ++ integer_to_list(A) || {F, A} <- lists:sort(Exports)]).

%% In as many columns as the terminal has room for, down and then right.
columns([]) -> ok;
columns(Texts) ->
    Width = lists:max([string:length(Text) || Text <- Texts]) + 2,
    Count = max(1, screen() div Width),
    Rows = (length(Texts) + Count - 1) div Count,
    print_rows(Texts, Rows, Width, 1).

print_rows(Texts, Rows, Width, Row) when Row =< Rows ->
    io:put_chars([string:trim(unicode:characters_to_list(every(Texts, Rows, Row, Width)), trailing), $\n]),
    print_rows(Texts, Rows, Width, Row + 1);
print_rows(_, _, _, _) -> ok.

every(Texts, Rows, Row, Width) ->
    case length(Texts) >= Row of
        true -> [cell(lists:nth(Row, Texts), Width) | every(safe_nthtail(Rows, Texts), Rows, Row, Width)];
        false -> []
    end.

safe_nthtail(N, List) when length(List) >= N -> lists:nthtail(N, List);
safe_nthtail(_, _) -> [].

screen() ->
    case io:columns() of
        {ok, Columns} -> Columns;
        _ -> 80
    end.

%% Exactly so wide, cut if need be.
cell(Text, Width) -> string:pad(string:slice(Text, 0, Width), Width).

%%% Processes

-spec i() -> ok.
i() -> i(processes()).

-spec i([pid()]) -> ok.
i(Pids) ->
    process_row("Pid", "Initial Call", "Heap", "Reds", "Msgs"),
    process_row("Registered", "Current Function", "Stack", "", ""),
    Totals = lists:foldl(fun process/2, {0, 0, 0, 0}, Pids),
    {Heap, Reductions, Messages, Stack} = Totals,
    process_row("Total", "", number(Heap), number(Reductions), number(Messages)),
    process_row("", "", number(Stack), "", "").

process(Pid, {Heap, Reductions, Messages, Stack} = Totals) ->
    Items = [registered_name, initial_call, current_function, heap_size, reductions, message_queue_len, stack_size, dictionary],
    case is_pid(Pid) andalso erlang:process_info(Pid, Items) of
        [{_, Name}, {_, Initial}, {_, Current}, {_, H}, {_, R}, {_, M}, {_, S}, {_, Dictionary}] ->
            process_row(pid_to_list(Pid), call(proplists:get_value('$initial_call', Dictionary, Initial)), number(H), number(R), number(M)),
            process_row(case Name of [] -> ""; _ -> text("~tw", Name) end, call(Current), number(S), "", ""),
            {Heap + H, Reductions + R, Messages + M, Stack + S};
        _ -> Totals
    end.

number(N) -> integer_to_list(N).

call({M, F, A}) -> text("~tw", M) ++ ":" ++ text("~tw", F) ++ "/" ++ integer_to_list(A);
call(_) -> "".

process_row(A, B, C, D, E) ->
    Line = [cell(A, 21), $\s, cell(B, 33), $\s, right(C, 8), $\s, right(D, 8), $\s, right(E, 4)],
    io:put_chars([string:trim(unicode:characters_to_list(Line), trailing), $\n]).

right(Text, Width) -> string:pad(Text, Width, leading).

-spec i(non_neg_integer(), non_neg_integer(), non_neg_integer()) -> [tuple()] | undefined.
i(X, Y, Z) -> erlang:process_info(pid(X, Y, Z)).

-spec pid(non_neg_integer(), non_neg_integer(), non_neg_integer()) -> pid().
pid(X, Y, Z) when is_integer(X), is_integer(Y), is_integer(Z) ->
    list_to_pid("<" ++ number(X) ++ "." ++ number(Y) ++ "." ++ number(Z) ++ ">").

-spec ni() -> ok.
ni() -> i().

-spec nregs() -> ok.
nregs() -> regs().

%% The processes with names.
-spec regs() -> ok.
regs() ->
    named_row("Name", "Pid", "Initial Call", "Reds", "Msgs"),
    lists:foreach(fun named/1, lists:sort(registered())).

named(Name) ->
    case whereis(Name) of
        Pid when is_pid(Pid) ->
            case erlang:process_info(Pid, [initial_call, reductions, message_queue_len]) of
                [{_, Initial}, {_, Reductions}, {_, Messages}] ->
                    named_row(text("~tw", Name), pid_to_list(Pid), call(Initial), number(Reductions), number(Messages));
                undefined -> ok
            end;
        _ -> ok
    end.

named_row(A, B, C, D, E) ->
    Line = [cell(A, 21), $\s, cell(B, 12), $\s, cell(C, 30), $\s, right(D, 8), $\s, right(E, 4)],
    io:put_chars([string:trim(unicode:characters_to_list(Line), trailing), $\n]).

%% The calls a process is in, the innermost first.
-spec bt(pid()) -> ok | undefined.
bt(Pid) when not is_pid(Pid) -> undefined;
bt(Pid) ->
    case erlang:process_info(Pid, current_stacktrace) of
        {_, Calls} ->
            lists:foreach(fun({M, F, A, Info}) ->
                                  io:put_chars([call({M, F, if is_list(A) -> length(A); true -> A end}), place(Info), $\n])
                          end, Calls);
        undefined -> undefined
    end.

place(Info) ->
    case {proplists:get_value(file, Info), proplists:get_value(line, Info)} of
        {File, Line} when File =/= undefined, Line =/= undefined -> io_lib:format(" (~ts, line ~w)", [File, Line]);
        _ -> ""
    end.

%% Shows and removes all messages in the caller's mailbox.
-spec flush() -> ok.
flush() ->
    receive
        Message ->
            io:format("Shell got ~tp~n", [Message]),
            flush()
    after 0 -> ok
    end.

-spec memory() -> [{atom(), non_neg_integer()}].
memory() -> erlang:memory().

-spec memory(atom() | [atom()]) -> non_neg_integer() | [{atom(), non_neg_integer()}].
memory(Kind) -> erlang:memory(Kind).

%% How long the machine has been running.
-spec uptime() -> ok.
uptime() ->
    {Milliseconds, _} = erlang:statistics(wall_clock),
    {Days, {Hours, Minutes, Seconds}} = calendar:seconds_to_daystime(Milliseconds div 1000),
    Parts = [io_lib:format("~w ~s~s", [N, Unit, if N =:= 1 -> ""; true -> "s" end])
             || {N, Unit} <- [{Days, "day"}, {Hours, "hour"}, {Minutes, "minute"}], N > 0],
    io:put_chars([lists:join(", ", Parts ++ [io_lib:format("~w second~s", [Seconds, if Seconds =:= 1 -> ""; true -> "s" end])]), $\n]).

-spec q() -> ok.
q() ->
    init:stop(),
    %% What stands behind it is not to be read any more.
    receive after 5000 -> ok end.

%%% Files

-spec pwd() -> ok.
pwd() ->
    case file:get_cwd() of
        {ok, Dir} -> io:format("~ts~n", [Dir]);
        {error, Reason} -> io:format("~ts~n", [file:format_error(Reason)])
    end.

-spec cd(file:name()) -> ok.
cd(Dir) ->
    case file:set_cwd(Dir) of
        ok ->
            {ok, Now} = file:get_cwd(),
            erlet_host:call(cd, [unicode:characters_to_binary(Now)]),
            pwd();
        {error, Reason} -> io:format("~ts: ~ts~n", [Dir, file:format_error(Reason)])
    end.

-spec ls() -> ok.
ls() -> ls(".").

-spec ls(file:name()) -> ok.
ls(Dir) ->
    case file:list_dir(Dir) of
        {ok, Names} -> columns(lists:sort(Names));
        {error, enotdir} -> io:format("~ts~n", [Dir]);
        {error, Reason} -> io:format("~ts: ~ts~n", [Dir, file:format_error(Reason)])
    end.

%%% Documentation

-spec h(module()) -> ok | {error, missing | non_existing}.
h(Module) -> documented(Module, notes(documentation, Module, [])).

-spec h(module(), atom()) -> ok | {error, missing | non_existing}.
h(Module, Function) -> documented({Module, Function}, notes(documentation, Module, [Function])).

-spec h(module(), atom(), arity()) -> ok | {error, missing | non_existing}.
h(Module, Function, Arity) ->
    documented({Module, Function}, notes(documentation, Module, [Function, Arity])).

-spec ht(module()) -> ok | {error, missing | non_existing}.
ht(Module) -> documented(Module, notes(types, Module, [])).

-spec ht(module(), atom()) -> ok | {error, missing | non_existing}.
ht(Module, Type) -> documented({Module, Type}, notes(types, Module, [Type])).

%% A loaded module knows where its source is.
notes(Kind, Module, Rest) ->
    File = case code:which(Module) of
               Path when is_list(Path) -> unicode:characters_to_binary(Path);
               _ -> undefined
           end,
    erlet_host:call(Kind, [Module, File | Rest]).

documented(_, Text) when is_binary(Text) ->
    Lines = binary:split(Text, <<"\n">>, [global, trim]),
    lists:foreach(fun(Line) -> io:put_chars([erlet_commands:line(Line), $\n]) end, Lines);
documented(What, _) ->
    io:format("there is no documentation of ~tw~n", [What]),
    Module = if is_tuple(What) -> element(1, What); true -> What end,
    {error, case code:which(Module) of non_existing -> non_existing; _ -> missing end}.

%% The shell's commands: one row each, from which `help()` is made and what the shell completes.
%%
%% A command is a function that is called without a module. Those of the group `shell` know the state of the shell and work at
%% its prompt only; the others are functions of `c` and can be called from anywhere with that name.
-module(erlet_commands).

-export([rows/0, help/0, names/0, line/1]).

-type group() :: shell | code | processes | files | help | erlet.

%% The group, how the command is written, and what it does.
-spec rows() -> [{group(), string(), string()}].
rows() ->
    [{shell, "b()", "show the variables and their values"},
     {shell, "f()", "forget all variables"},
     {shell, "f(X)", "forget the variable X"},
     {shell, "h()", "show what was evaluated, with results"},
     {shell, "history(N)", "keep the last N evaluations"},
     {shell, "results(N)", "keep the results of the last N evaluations"},
     {shell, "v(N)", "the result of evaluation N; of the last but N if it is negative"},
     {shell, "e(N)", "evaluate number N again"},
     {shell, "catch_exception(B)", "whether the evaluating process lives on after an exception (it does)"},
     {shell, "rd(R, {F, ...})", "define a record"},
     {shell, "rr(File)", "read the records of a file or module; wildcards are fine"},
     {shell, "rr(File, R)", "read one record, or those of a list"},
     {shell, "rr(File, R, Opts)", "the same, compiling with options"},
     {shell, "rl()", "show the record definitions"},
     {shell, "rl(R)", "show the definition of one record, or of those in a list"},
     {shell, "rf()", "forget all records"},
     {shell, "rf(R)", "forget a record, or those in a list"},
     {shell, "rp(Term)", "print all of a term, with the shell's records"},
     {shell, "lf()", "show the functions defined at the prompt"},
     {shell, "ff()", "forget all functions defined at the prompt"},
     {shell, "ff(F)", "forget those of a name"},
     {shell, "ff(F, A)", "forget one of a name and arity"},
     {shell, "lt()", "show the types defined at the prompt"},
     {shell, "tf()", "forget all types"},
     {shell, "tf(T)", "forget the types of a name"},
     {shell, "lr()", "show the record definitions"},
     {shell, "lm()", "show the macros defined at the prompt with -define"},
     {shell, "fl()", "forget all functions, types, records and macros"},
     {shell, "save_module(File)", "write what was defined at the prompt to a new file, as a module"},
     {shell, "q()", "leave the shell and stop the machine"},
     {code, "c(File)", "compile a file or module and load it"},
     {code, "c(File, Opts)", "the same with options such as {d, Macro}, {i, Folder}, export_all"},
     {code, "l(Module)", "load a module again, from its source"},
     {code, "lc([File])", "compile and load several files"},
     {code, "m()", "the modules that are loaded"},
     {code, "m(Module)", "what a module exports, and where it comes from"},
     {processes, "i()", "all processes"},
     {processes, "i(X, Y, Z)", "all about the process <X.Y.Z>"},
     {processes, "pid(X, Y, Z)", "the process identifier <X.Y.Z>"},
     {processes, "regs()", "the processes that have names"},
     {processes, "bt(Pid)", "the calls a process is in"},
     {processes, "flush()", "show and remove the messages sent to the shell"},
     {processes, "memory()", "what the machine uses of memory, in bytes"},
     {processes, "memory(Kind)", "what it uses for one kind, or for those of a list"},
     {processes, "uptime()", "how long the machine has been running"},
     {files, "pwd()", "the working directory"},
     {files, "cd(Dir)", "go to another directory"},
     {files, "ls()", "the files in the working directory"},
     {files, "ls(Dir)", "the files in another"},
     {help, "help()", "this list"},
     {help, "h(Module)", "what a module is for, and its functions"},
     {help, "h(Module, F)", "the documentation of a function"},
     {help, "h(Module, F, A)", "the same for one arity"},
     {help, "ht(Module)", "the types of a module"},
     {help, "ht(Module, Type)", "the definition of a type"},
     {erlet, "erlet:time(Fun)", "evaluate Fun() and tell time, reductions, memory and messages"},
     {erlet, "erlet:watch(Path)", "compile and load a file, or those of a folder, whenever they change"},
     {erlet, "erlet:unwatch()", "stop watching"},
     {erlet, "erlet:ps()", "a live table of the processes; q returns"}].

title(shell) -> "At the prompt";
title(code) -> "Code";
title(processes) -> "Processes and the machine";
title(files) -> "Files";
title(help) -> "Documentation";
title(erlet) -> "Tools".

%% All commands, by group.
-spec help() -> ok.
help() ->
    Rows = rows(),
    Width = lists:max([length(Call) || {_, Call, _} <- Rows]),
    print(Rows, none, Width).

print([{Group, _, _} | _] = Rows, Before, Width) when Group =/= Before ->
    io:put_chars([case Before of none -> ""; _ -> "\n" end, title(Group), $\n]),
    print(Rows, Group, Width);
print([{Group, Call, Text} | Rows], _, Width) ->
    io:put_chars(["  ", string:pad(Call, Width), "  ", wrapped(Text, Width + 4), $\n]),
    print(Rows, Group, Width);
print([], _, _) ->
    Typing = "Typing: TAB completes, Ctrl-R searches what was typed before, Ctrl-C stops an evaluation, Ctrl-G shows the jobs.",
    io:put_chars([$\n, wrapped(Typing, 0), $\n]).

%% A line of text as several that fit the window, if need be; they begin where it does.
-spec line(unicode:chardata()) -> iolist().
line(Line) ->
    {Spaces, Text} = lists:splitwith(fun(C) -> C =:= $\s end, unicode:characters_to_list(Line)),
    [Spaces, wrapped(Text, length(Spaces))].

%% The text from that column on, in lines of whole words.
wrapped(Text, Column) ->
    Length = length(Text),
    case io:columns() of
        {ok, Columns} when Columns - Column > 15, Columns - Column < Length ->
            [First | Words] = string:lexemes(Text, " "),
            lines(Words, length(First), Columns - Column, Column, [First]);
        _ -> Text
    end.

lines([], _, _, _, Lines) -> lists:reverse(Lines);
lines([Word | Words], Length, Room, Column, Lines) ->
    case Length + 1 + length(Word) of
        Longer when Longer =< Room -> lines(Words, Longer, Room, Column, [Word, $\s | Lines]);
        _ -> lines(Words, length(Word), Room, Column, [Word, lists:duplicate(Column, $\s), $\n | Lines])
    end.

%% The names of the commands that are written without a module.
-spec names() -> [string()].
names() ->
    lists:usort([lists:takewhile(fun(C) -> C =/= $( end, Call) || {Group, Call, _} <- rows(), Group =/= erlet]).

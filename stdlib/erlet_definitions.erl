%% The shell's commands about what was defined at its prompt: records, functions, types, specs and macros.
%%
%% The definitions themselves, as texts, are with the terminal side, which compiles with them.
-module(erlet_definitions).

-export([command/2]).

%% The value of a command, if it is one of these.
-spec command(atom(), [term()]) -> {ok, term()} | undefined.
command(rr, [File]) -> {ok, read_records(File, all, [])};
command(rr, [File, Names]) -> {ok, read_records(File, names(Names), [])};
command(rr, [File, Names, Options]) -> {ok, read_records(File, names(Names), options(Options))};
command(rl, []) -> {ok, show_records(all)};
command(rl, [Names]) -> {ok, show_records(names(Names))};
command(rf, []) -> {ok, forget(record, all)};
command(rf, [Names]) ->
    {ok, case names(Names) of
             all -> forget(record, all);
             List -> forget(record, [{Name, 0} || Name <- List])
         end};
command(lf, []) -> {ok, show_functions()};
command(lr, []) -> {ok, show_records(all)};
command(lt, []) -> {ok, show(definitions(type))};
command(lm, []) -> {ok, show(definitions(macro))};
command(fl, []) ->
    lists:foreach(fun(What) -> forget(What, all) end, [function, spec, type, record, macro]),
    {ok, ok};
command(ff, []) -> {ok, forget(function, all)};
command(ff, [{Name, Arity}]) -> command(ff, [Name, Arity]);
command(ff, [Name]) -> {ok, forget(function, named(Name, function))};
command(ff, [Name, Arity]) when is_atom(Name), is_integer(Arity) -> {ok, forget(function, [{Name, Arity}])};
command(tf, []) -> {ok, forget(type, all)};
command(tf, [{Name, Arity}]) -> {ok, forget(type, [{Name, Arity}])};
command(tf, [Name]) -> {ok, forget(type, named(Name, type))};
command(save_module, [File]) -> {ok, save_module(File)};
command(_, _) -> undefined.

names('_') -> all;
names(Name) when is_atom(Name) -> [Name];
names(Names) when is_list(Names) -> Names;
names(_) -> error({shell_message, "the name of a record is wanted, or a list of names"}).

options(Options) when is_list(Options) -> Options;
options(Option) -> [Option].

records() -> erlet_host:call(records, [erlet_shell:id()]).

%% Names, arities and texts of what was defined.
definitions(record) -> [{Name, 0, Text} || {Name, _, Text} <- records()];
definitions(What) -> erlet_host:call(definitions, [erlet_shell:id(), What]).

named(Name, What) -> [{N, Arity} || {N, Arity, _} <- definitions(What), N =:= Name].

forget(What, all) -> forget(What, [{Name, Arity} || {Name, Arity, _} <- definitions(What)]);
forget(What, Names) -> lists:foreach(fun({Name, Arity}) -> erlet_host:call(forget, [erlet_shell:id(), What, Name, Arity]) end, Names).

show_records(Names) -> show([Record || {Name, _, _} = Record <- definitions(record), Names =:= all orelse lists:member(Name, Names)]).

show(Definitions) -> lists:foreach(fun({_, _, Text}) -> io:put_chars([Text, $\n]) end, Definitions).

show_functions() -> io:put_chars(function_texts()).

%% Functions, each with its spec above it.
function_texts() ->
    Specs = definitions(spec),
    [[[[Spec, $\n] || {N, A, Spec} <- Specs, N =:= Name, A =:= Arity], Text, $\n]
     || {Name, Arity, Text} <- definitions(function)].

%% What was defined at the prompt as a module, which is named as the file is.
save_module(File) ->
    Module = list_to_atom(filename:basename(File, ".erl")),
    Exports = lists:join(", ", [io_lib:format("~tw/~w", [Name, Arity]) || {Name, Arity, _} <- definitions(function)]),
    Texts = [[Text, $\n] || What <- [macro, record, type], {_, _, Text} <- definitions(What)],
    Text = [io_lib:format("-module(~tw).~n-export([~ts]).~n~n", [Module, Exports]), Texts, function_texts()],
    case file:open(File, [write, exclusive]) of
        {ok, Device} ->
            file:close(Device),
            file:write_file(File, unicode:characters_to_binary(Text));
        Error -> Error
    end.

%% A file, a module, or a pattern with wildcards.
read_records(File, Names, Options) ->
    Read = [records_of(Path, Names, Options) || Path <- record_files(File)],
    case [Error || {error, _} = Error <- Read] of
        [] when Read =:= [] -> {error, nofile};
        [{error, Said} | _] ->
            io:put_chars(Said),
            {error, unreadable};
        [] -> lists:usort(lists:append([Found || {ok, Found} <- Read]))
    end.

records_of(Path, Names, Options) ->
    erlet_host:call(read_records, [erlet_shell:id(), unicode:characters_to_binary(Path), Names, Options]).

record_files(Module) when is_atom(Module) ->
    Source = atom_to_list(Module) ++ ".erl",
    case code:which(Module) of
        Path when is_list(Path) -> [Path];
        _ -> [Source || filelib:is_regular(Source)]
    end;
record_files(Pattern) ->
    case filelib:wildcard(Pattern) of
        [] -> [Pattern || filelib:is_regular(Pattern)];
        Paths -> Paths
    end.

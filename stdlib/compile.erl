%% Compiling, for programs: files or forms to code that `code:load_binary/3` takes.
%%
%% The compiler is the one that compiles everything else (erlet_forms:compile/4); here are its options, parse transforms,
%% and the shapes of its answers.
-module(compile).

-export([file/1, file/2, forms/1, forms/2, noenv_file/2, noenv_forms/2, format_error/1, env_compiler_options/0,
         output_generated/1, noenv_output_generated/1]).

-type option() :: atom() | tuple().
-type errors() :: [{file:filename(), [{erl_anno:location() | none, module(), term()}]}].

%% What the environment's ERL_COMPILER_OPTIONS says: a term, or several in a list.
-spec env_compiler_options() -> [option()].
env_compiler_options() ->
    case os:getenv("ERL_COMPILER_OPTIONS", "") of
        "" -> [];
        Text ->
            Parsed = case erl_scan:string(Text ++ ".") of
                         {ok, Tokens, _} -> erl_parse:parse_term(Tokens);
                         {error, Fault, _} -> {error, Fault}
                     end,
            case Parsed of
                {ok, Options} when is_list(Options) -> Options;
                {ok, Option} -> [Option];
                {error, {_, Module, Description}} ->
                    io:format("ERL_COMPILER_OPTIONS is no term, and counts for nothing: ~ts~n", [Module:format_error(Description)]),
                    []
            end
    end.

-spec file(file:filename()) -> term().
file(Name) -> file(Name, [verbose, report_errors, report_warnings]).

-spec file(file:filename(), [option()] | option()) ->
          {ok, module()} | {ok, module(), binary() | errors()} | {ok, module(), binary(), errors()} | error | {error, errors(), errors()}.
file(Name, Options) when is_list(Options) -> noenv_file(Name, Options ++ env_compiler_options());
file(Name, Option) -> file(Name, [Option]).

-spec noenv_file(file:filename(), [option()] | option()) -> term().
noenv_file(Name, Options) when is_list(Options) ->
    Path = source(filename:flatten(Name)),
    Given = expanded(Options),
    case refused(Given) of
        none ->
            Includes = [".", filename:dirname(Path) | [Folder || {i, Folder} <- Given]],
            Macros = [Macro || Macro <- Given, is_tuple(Macro), element(1, Macro) =:= d],
            case epp:parse_file(Path, [{includes, Includes}, {macros, [macro(Macro) || Macro <- Macros]}, {location, {1, 1}}]) of
                {ok, Forms} -> compiled(Forms, Path, Given, file);
                {error, Reason} -> failed([{Path, none, compile, {epp, Reason}}], [], Given)
            end;
        Option -> failed([{Path, none, compile, {not_supported, Option}}], [], Given)
    end;
noenv_file(Name, Option) -> noenv_file(Name, [Option]).

-spec forms([erl_parse:abstract_form()]) -> term().
forms(Forms) -> forms(Forms, [verbose, report_errors, report_warnings]).

-spec forms([erl_parse:abstract_form()], [option()] | option()) ->
          {ok, module(), binary()} | {ok, module(), binary(), errors()} | error | {error, errors(), errors()}.
forms(Forms, Options) when is_list(Options) -> noenv_forms(Forms, Options ++ env_compiler_options());
forms(Forms, Option) -> forms(Forms, [Option]).

-spec noenv_forms([erl_parse:abstract_form()], [option()] | option()) -> term().
noenv_forms(Forms, Options) when is_list(Options) ->
    Given = [binary | expanded(Options)],
    Path = proplists:get_value(source, Given, ""),
    case refused(Given) of
        none ->
            %% What is not even a list of tuples is a fault of the caller, told as one of the compiler's.
            try compiled(lists:flatten(Forms), Path, Given, forms)
            catch error:Reason:Stack -> failed([{Path, none, compile, {crash, forms, Reason, Stack}}], [], Given)
            end;
        Option -> failed([{Path, none, compile, {not_supported, Option}}], [], Given)
    end;
noenv_forms(Forms, Option) -> noenv_forms(Forms, [Option]).

-spec output_generated([option()]) -> boolean().
output_generated(Options) -> noenv_output_generated(Options ++ env_compiler_options()).

-spec noenv_output_generated([option()]) -> boolean().
noenv_output_generated(Options) -> not lists:member(binary, Options) andalso refused(expanded(Options)) =:= none.

-spec format_error(term()) -> io_lib:chars().
format_error({not_supported, Option}) -> io_lib:format("the option ~tp is not supported", [Option]);
format_error({epp, Reason}) -> file:format_error(Reason);
format_error({undef_parse_transform, Module}) -> io_lib:format("undefined parse transform '~ts'", [Module]);
format_error({parse_transform, Module, {Class, Reason, Stack}}) ->
    io_lib:format("error in parse transform '~ts': ~ts", [Module, erl_error:format_exception(Class, Reason, Stack, #{})]);
format_error({write_error, Reason}) -> io_lib:format("error writing file: ~ts", [file:format_error(Reason)]);
format_error({module_name, Module, Name}) -> io_lib:format("the module ~tw is in the file ~ts.erl", [Module, Name]);
format_error({crash, Pass, Reason, Stack}) ->
    io_lib:format("the pass ~ts failed: ~ts", [Pass, erl_error:format_exception(error, Reason, Stack, #{})]);
format_error(Text) when is_list(Text) -> Text;
format_error(Other) -> io_lib:format("~tp", [Other]).

%%% Options

source(Name) ->
    case filename:extension(Name) of
        ".erl" -> Name;
        _ -> Name ++ ".erl"
    end.

expanded(Options) -> lists:flatmap(fun expand/1, Options).

expand(return) -> [return_errors, return_warnings];
expand(report) -> [report_errors, report_warnings];
expand({parse_transform, Module}) -> [{parse_transform, Module}];
expand(Option) -> [Option].

%% Listings of what this compiler does not have.
refused(Options) ->
    Listings = ['E', 'S', 'A', 'T', dabstr, to_pp, to_exp, to_core, to_core0, to_asm, to_abstr, to_kernel, from_core, from_asm,
                from_abstr, makedep, makedep_output, asm, strip_listings],
    case [Option || Option <- Options, lists:member(Option, Listings)] of
        [First | _] -> First;
        [] -> none
    end.

macro({d, Name}) -> Name;
macro({d, Name, Value}) -> {Name, Value}.

%%% The way of forms

compiled(Forms, Path, Options, Kind) ->
    case faults(Forms, Path) of
        [] -> transform(Forms, Path, Options, Kind);
        Faults ->
            {Errors, Warnings} = judged([Form || Form <- Forms, element(1, Form) =/= error], Path, Options),
            Columns = with_columns(Forms, Options),
            Unread = [{File, told_place(Place, Columns), Module, Description} || {File, Place, Module, Description} <- Faults],
            failed_twice(Unread, Errors, Warnings, Options)
    end.

%% What is to be said of the forms that could be read; nothing if they are to be transformed first.
judged(Forms, Path, Options) ->
    Asked = [Module || {parse_transform, Module} <- Options] ++ asked(Forms),
    Columns = with_columns(Forms, Options),
    case Asked =:= [] andalso erlet_forms:compile(with_options(Forms, Options), Path, lists:member(export_all, Options), flags(Options)) of
        {error, Errors, Warnings} -> {told(Errors, Columns), told(Warnings, Columns)};
        {ok, _, _, Warnings} -> {[], told(Warnings, Columns)};
        false -> {[], []}
    end.

%% What the preprocessor and the parser refused.
faults([{attribute, _, file, {File, _}} | Forms], _) -> faults(Forms, File);
faults([{error, {Location, Module, Description}} | Forms], File) ->
    [{File, Location, Module, Description} | faults(Forms, File)];
faults([_ | Forms], File) -> faults(Forms, File);
faults([], _) -> [].

transform(Forms, Path, Options, Kind) ->
    Asked = [Module || {parse_transform, Module} <- Options] ++ asked(Forms),
    case transformed(Asked, Forms, Options, []) of
        {ok, New, Said} ->
            All = in_forms(New) ++ Options,
            Compiled = erlet_forms:compile(with_options(New, Options), Path, lists:member(export_all, Options), flags(Options)),
            Columns = with_columns(New, Options),
            case Compiled of
                {ok, Name, Code, Warnings} ->
                    coded({Name, Code, Forms, New}, Said ++ told(Warnings, Columns), Path, All, Kind);
                {error, Errors, Warnings} -> failed(told(Errors, Columns), Said ++ told(Warnings, Columns), All)
            end;
        {error, Module, Description} -> failed([{Path, none, Module, Description}], [], Options);
        {refused, Errors, Warnings} -> failed(one_by_one(Errors), one_by_one(Warnings), Options)
    end.

%% Messages by their files, each with its file.
one_by_one(Messages) -> [{File, Place, Module, Description} || {File, Said} <- Messages, {Place, Module, Description} <- Said].

%% What the forms' own `-compile` attributes say to this module.
in_forms(Forms) ->
    [Option || {attribute, _, compile, Value} <- Forms, Option <- lists:flatten([Value]), Option =:= warnings_as_errors].

%% The forms with what the options say of functions and records as attributes: of functions that the module has.
with_options(Forms, Options) ->
    Functions = [{Name, Arity} || {function, _, Name, Arity, _} <- Forms],
    Attributes = [{attribute, erl_anno:new(0), compile, Option} || Option <- named(Options, Functions)],
    {Before, Behind} = lists:splitwith(fun(Form) -> element(1, Form) =/= attribute orelse element(3, Form) =/= module end, Forms),
    case Behind of
        [Module | Rest] -> Before ++ [Module | Attributes] ++ Rest;
        [] -> Forms
    end.

named([Option | Options], Functions) when Option =:= inline; Option =:= no_auto_import -> [Option | named(Options, Functions)];
named([{Option, Names} | Options], Functions) when Option =:= inline; Option =:= nowarn_unused_function ->
    [{Option, [Name || Name <- lists:flatten([Names]), lists:member(Name, Functions)]} | named(Options, Functions)];
named([{inline_size, Size} = Option | Options], Functions) when is_integer(Size) -> [Option | named(Options, Functions)];
named([{Name, _} = Option | Options], Functions) when Name =:= no_auto_import; Name =:= nowarn_unused_record; Name =:= nowarn_deprecated_function ->
    [Option | named(Options, Functions)];
named([_ | Options], Functions) -> named(Options, Functions);
named([], _) -> [].

%% Transforms that the forms themselves ask for.
asked(Forms) ->
    [Module || {attribute, _, compile, Value} <- Forms,
               {parse_transform, Module} <- if is_list(Value) -> Value; true -> [Value] end].

transformed([], Forms, _, Said) -> {ok, Forms, Said};
transformed([eunit_autoexport | Rest], Forms, Options, Said) -> transformed(Rest, erlet_autoexport:forms(Forms), Options, Said);
transformed([Module | Rest], Forms, Options, Said) ->
    case erlet_transform:run(Module, Forms, Options) of
        {ok, New, Warnings} -> transformed(Rest, New, Options, Said ++ one_by_one(Warnings));
        {refused, Errors, Warnings} -> {refused, Errors, Warnings};
        undefined -> {error, compile, {undef_parse_transform, Module}};
        {unloadable, Reason} -> {error, compile, {parse_transform, Module, {error, Reason, []}}};
        {raised, Class, Reason, Stack} -> {error, compile, {parse_transform, Module, {Class, Reason, Stack}}}
    end.

%% The names of warnings that are switched on or off.
flags(Options) ->
    [atom_to_list(Option) || Option <- Options, is_atom(Option),
                             lists:prefix("warn_", atom_to_list(Option)) orelse lists:prefix("nowarn_", atom_to_list(Option))].

coded(Result, Told, Path, Options, Kind) ->
    case Told =/= [] andalso lists:member(warnings_as_errors, Options) of
        true -> failed([], Told, Options);
        false ->
            case made(Result, Path, Options, Kind) of
                {ok, Parts} ->
                    report(warning, Told, Options),
                    succeeded(Parts, Told, Options);
                {error, File, Description} -> failed([{File, none, compile, Description}], Told, Options)
            end
    end.

%% What is answered behind `ok`, made and written as the options say.
made({Module, Code, Given, Forms}, Path, Options, Kind) ->
    Binary = lists:member(binary, Options),
    Base = filename:basename(Path, ".erl"),
    case [Option || Option <- Options, lists:member(Option, [strong_validation, basic_validation, dpp, 'P'])] of
        [basic_validation | _] -> {ok, [[]]};
        [strong_validation | _] -> {ok, [Module]};
        [dpp | _] when Binary -> {ok, [[], Given]};
        [dpp | _] -> {ok, [[]]};
        ['P' | _] when Binary -> {ok, [[], Forms]};
        ['P' | _] -> written([[]], Base ++ ".P", listing(Forms), Options);
        [] when Binary -> {ok, [Module, Code]};
        [] when Kind =:= file ->
            case atom_to_list(Module) =:= Base orelse lists:member(no_error_module_mismatch, Options) of
                true -> written([Module], Base ++ ".beam", Code, Options);
                false -> {error, Base ++ ".beam", {module_name, Module, Base}}
            end
    end.

written(Parts, Name, Content, Options) ->
    case file:write_file(filename:join(proplists:get_value(outdir, Options, "."), Name), Content) of
        ok -> {ok, Parts};
        {error, Reason} -> {error, Name, {write_error, Reason}}
    end.

listing(Forms) -> unicode:characters_to_binary([[erl_pp:form(Form, [{encoding, utf8}]), $\n] || Form <- Forms]).

succeeded(Parts, Warnings, Options) ->
    case lists:member(return_warnings, Options) of
        true -> list_to_tuple([ok | Parts] ++ [by_file(lists:sort(Warnings))]);
        false -> list_to_tuple([ok | Parts])
    end.

failed(Errors, Warnings, Options) -> failed_twice([], Errors, Warnings, Options).

%% What could not be read stands before what is wrong with the rest.
failed_twice(Unread, Errors, Told, Options) ->
    %% What has errors is not optimised, so nothing is said of what would come out there.
    Warnings = [Message || {_, _, Module, _} = Message <- Told, Errors =:= [] andalso Unread =:= [] orelse not is_of_code(Module)],
    report(error, Unread ++ Errors, Options),
    report(warning, Warnings, Options),
    case lists:member(return_errors, Options) of
        true -> {error, by_file(Unread) ++ by_file(lists:sort(Errors)), by_file(lists:sort(Warnings))};
        false -> error
    end.

is_of_code(Module) -> Module =:= sys_core_fold orelse Module =:= v3_core.

%%% Messages

%% What the compiler says as OTP's linter would, where that is known.
told(Messages, Columns) -> [told_one(Message, Columns) || Message <- Messages].

told_one({File, Line, Column, Code, Text, Further}, Columns) ->
    Places = [{location(AtLine, AtColumn, Columns), Words} || {AtLine, AtColumn, Words} <- Further],
    {Module, Description} = erlet_messages:description(Code, Text, Places),
    {if File =:= "nofile" -> ""; true -> File end, location(Line, Column, Columns), Module, Description}.

told_place({Line, Column}, Columns) -> location(Line, Column, Columns);
told_place(Place, _) -> Place.

location(0, _, _) -> none;
location(Line, Column, true) -> {Line, Column};
location(Line, _, false) -> Line.

%% Whether places have columns: the forms must, and they must not be unwanted.
with_columns(Forms, Options) ->
    proplists:get_value(error_location, Options, column) =:= column
        andalso not lists:any(fun(Form) -> has_line_alone(element(2, Form)) end, Forms).

has_line_alone(Anno) -> erl_anno:is_anno(Anno) andalso erl_anno:column(Anno) =:= undefined.

by_file(Messages) ->
    Files = lists:foldl(fun({File, _, _, _}, Seen) -> case lists:member(File, Seen) of true -> Seen; false -> Seen ++ [File] end end, [], Messages),
    [{File, [{Location, Module, Description} || {Of, Location, Module, Description} <- Messages, Of =:= File]} || File <- Files].

report(Kind, Messages, Options) ->
    Wanted = case Kind of error -> report_errors; warning -> report_warnings end,
    case lists:member(Wanted, Options) of
        true -> lists:foreach(fun(Message) -> print(Kind, Message) end, lists:sort(Messages));
        false -> ok
    end.

print(Kind, {File, Location, Module, Description}) ->
    Place =
        case Location of
            {Line, Column} -> io_lib:format("~w:~w: ", [Line, Column]);
            none -> "";
            Line -> io_lib:format("~w: ", [Line])
        end,
    Word = case Kind of error -> ""; warning -> "Warning: " end,
    io:format("~ts:~ts~ts~ts~n", [File, if Place =:= "" -> " "; true -> Place end, Word, Module:format_error(Description)]).

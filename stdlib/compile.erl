%% Compiling, for programs: files or forms to code that `code:load_binary/3` takes.
%%
%% The compiler is the one that compiles everything else (erlet_forms:compile/4); here are its options, parse transforms,
%% and the shapes of its answers.
-module(compile).

-export([file/1, file/2, forms/1, forms/2, noenv_file/2, noenv_forms/2, format_error/1, env_compiler_options/0,
         output_generated/1, noenv_output_generated/1]).

-type option() :: atom() | tuple().
-type errors() :: [{file:filename(), [{erl_anno:location() | none, module(), term()}]}].

-spec env_compiler_options() -> [option()].
env_compiler_options() -> [].

-spec file(file:filename()) -> term().
file(Name) -> file(Name, [verbose, report_errors, report_warnings]).

-spec file(file:filename(), [option()] | option()) ->
          {ok, module()} | {ok, module(), binary() | errors()} | {ok, module(), binary(), errors()} | error | {error, errors(), errors()}.
file(Name, Options) when is_list(Options) ->
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
file(Name, Option) -> file(Name, [Option]).

-spec noenv_file(file:filename(), [option()] | option()) -> term().
noenv_file(Name, Options) -> file(Name, Options).

-spec forms([erl_parse:abstract_form()]) -> term().
forms(Forms) -> forms(Forms, [verbose, report_errors, report_warnings]).

-spec forms([erl_parse:abstract_form()], [option()] | option()) ->
          {ok, module(), binary()} | {ok, module(), binary(), errors()} | error | {error, errors(), errors()}.
forms(Forms, Options) when is_list(Options) ->
    Given = [binary | expanded(Options)],
    Path = proplists:get_value(source, Given, ""),
    case refused(Given) of
        none -> compiled(lists:flatten(Forms), Path, Given, forms);
        Option -> failed([{Path, none, compile, {not_supported, Option}}], [], Given)
    end;
forms(Forms, Option) -> forms(Forms, [Option]).

-spec noenv_forms([erl_parse:abstract_form()], [option()] | option()) -> term().
noenv_forms(Forms, Options) -> forms(Forms, Options).

-spec output_generated([option()]) -> boolean().
output_generated(Options) -> not lists:member(binary, Options) andalso refused(expanded(Options)) =:= none.

-spec noenv_output_generated([option()]) -> boolean().
noenv_output_generated(Options) -> output_generated(Options).

-spec format_error(term()) -> io_lib:chars().
format_error({not_supported, Option}) -> io_lib:format("the option ~tp is not supported", [Option]);
format_error({epp, Reason}) -> file:format_error(Reason);
format_error({undef_parse_transform, Module}) -> io_lib:format("undefined parse transform '~ts'", [Module]);
format_error({parse_transform, Module, Text}) -> io_lib:format("error in parse transform '~ts': ~ts", [Module, Text]);
format_error({write_error, Reason}) -> io_lib:format("error writing file: ~ts", [file:format_error(Reason)]);
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
    Listings = ['P', 'E', 'S', 'A', 'T', dpp, dabstr, to_pp, to_exp, to_core, to_core0, to_asm, to_abstr, to_kernel, from_core, from_asm,
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
        Faults -> failed(Faults, [], Options)
    end.

%% What the preprocessor and the parser refused.
faults([{attribute, _, file, {File, _}} | Forms], _) -> faults(Forms, File);
faults([{error, {Location, Module, Description}} | Forms], File) ->
    [{File, Location, Module, Description} | faults(Forms, File)];
faults([_ | Forms], File) -> faults(Forms, File);
faults([], _) -> [].

transform(Forms, Path, Options, Kind) ->
    Asked = [Module || {parse_transform, Module} <- Options] ++ asked(Forms),
    case transformed(Asked, Forms, Options) of
        {ok, New} ->
            Inlining = with_inlining(New, Options),
            coded(erlet_forms:compile(Inlining, Path, lists:member(export_all, Options), flags(Options)), Path, Options, Kind);
        {error, Module, Description} -> failed([{Path, none, Module, Description}], [], Options)
    end.

%% The forms with what the options say of inlining as attributes: of functions that the module has.
with_inlining(Forms, Options) ->
    Functions = [{Name, Arity} || {function, _, Name, Arity, _} <- Forms],
    Attributes = [{attribute, erl_anno:new(0), compile, Option} || Option <- inlining(Options, Functions)],
    {Before, Behind} = lists:splitwith(fun(Form) -> element(1, Form) =/= attribute orelse element(3, Form) =/= module end, Forms),
    case Behind of
        [Module | Rest] -> Before ++ [Module | Attributes] ++ Rest;
        [] -> Forms
    end.

inlining([inline | Options], Functions) -> [inline | inlining(Options, Functions)];
inlining([{inline, Named} | Options], Functions) ->
    Known = [Name || Name <- lists:flatten([Named]), lists:member(Name, Functions)],
    [{inline, Known} | inlining(Options, Functions)];
inlining([{inline_size, Size} | Options], Functions) when is_integer(Size) ->
    [{inline_size, Size} | inlining(Options, Functions)];
inlining([_ | Options], Functions) -> inlining(Options, Functions);
inlining([], _) -> [].

%% Transforms that the forms themselves ask for.
asked(Forms) ->
    [Module || {attribute, _, compile, Value} <- Forms,
               {parse_transform, Module} <- if is_list(Value) -> Value; true -> [Value] end].

transformed([], Forms, _) -> {ok, Forms};
transformed([eunit_autoexport | Rest], Forms, Options) -> transformed(Rest, erlet_autoexport:forms(Forms), Options);
transformed([Module | Rest], Forms, Options) ->
    case erlet_transform:run(Module, Forms, Options) of
        {ok, New} -> transformed(Rest, New, Options);
        undefined -> {error, compile, {undef_parse_transform, Module}};
        {failed, Text} -> {error, compile, {parse_transform, Module, lists:flatten(Text)}}
    end.

%% The names of warnings that are switched on or off.
flags(Options) ->
    [atom_to_list(Option) || Option <- Options, is_atom(Option),
                             lists:prefix("warn_", atom_to_list(Option)) orelse lists:prefix("nowarn_", atom_to_list(Option))].

coded({ok, Module, Code, Warnings}, Path, Options, Kind) ->
    Told = [told(Warning) || Warning <- Warnings],
    case Told =/= [] andalso lists:member(warnings_as_errors, Options) of
        true -> failed([], Told, Options);
        false ->
            report(warning, Told, Options),
            case lists:member(binary, Options) of
                true -> succeeded([Module, Code], Told, Options);
                false when Kind =:= file ->
                    Folder = proplists:get_value(outdir, Options, "."),
                    File = filename:join(Folder, filename:basename(Path, ".erl") ++ ".beam"),
                    case file:write_file(File, Code) of
                        ok -> succeeded([Module], Told, Options);
                        {error, Reason} -> failed([{Path, none, compile, {write_error, Reason}}], Told, Options)
                    end
            end
    end;
coded({error, Errors, Warnings}, _, Options, _) ->
    failed([told(Error) || Error <- Errors], [told(Warning) || Warning <- Warnings], Options).

succeeded(Parts, Warnings, Options) ->
    case lists:member(return_warnings, Options) of
        true -> list_to_tuple([ok | Parts] ++ [by_file(Warnings)]);
        false -> list_to_tuple([ok | Parts])
    end.

failed(Errors, Warnings, Options) ->
    report(error, Errors, Options),
    report(warning, Warnings, Options),
    case lists:member(return_errors, Options) of
        true -> {error, by_file(Errors), by_file(Warnings)};
        false -> error
    end.

%%% Messages

%% What the compiler says as OTP's linter would, where that is known.
told({File, Line, Column, Code, Text}) ->
    {Module, Description} = erl_lint:description(Code, Text),
    {if File =:= "nofile" -> ""; true -> File end, if Line =:= 0 -> none; true -> {Line, Column} end, Module, Description}.

by_file(Messages) ->
    Files = lists:foldl(fun({File, _, _, _}, Seen) -> case lists:member(File, Seen) of true -> Seen; false -> Seen ++ [File] end end, [], Messages),
    [{File, [{Location, Module, Description} || {Of, Location, Module, Description} <- Messages, Of =:= File]} || File <- Files].

report(Kind, Messages, Options) ->
    Wanted = case Kind of error -> report_errors; warning -> report_warnings end,
    case lists:member(Wanted, Options) of
        true -> lists:foreach(fun(Message) -> print(Kind, Message) end, Messages);
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

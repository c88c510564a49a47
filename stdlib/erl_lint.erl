%% Judging forms: what the compiler would say of them.
-module(erl_lint).

-export([module/1, module/2, module/3, format_error/1, description/2, bool_option/4, check_format_string/1]).

-type messages() :: [{file:filename(), [{erl_anno:location() | none, module(), term()}]}].

-spec module([erl_parse:abstract_form()]) -> {ok, messages()} | {error, messages(), messages()}.
module(Forms) -> module(Forms, "nofile", []).

-spec module([erl_parse:abstract_form()], file:filename()) -> {ok, messages()} | {error, messages(), messages()}.
module(Forms, File) -> module(Forms, File, []).

-spec module([erl_parse:abstract_form()], file:filename(), [term()]) -> {ok, messages()} | {error, messages(), messages()}.
module(Forms, File, Options) ->
    Kept = [Option || Option <- Options, not is_tuple(Option) orelse element(1, Option) =/= parse_transform],
    case compile:forms(Forms, [return, {source, File} | Kept -- [report, report_errors, report_warnings]]) of
        {ok, _, _, Warnings} -> {ok, Warnings};
        {error, Errors, Warnings} -> {error, Errors, Warnings}
    end.

%% The last of two opposite options counts.
-spec bool_option(atom(), atom(), boolean(), [term()]) -> boolean().
bool_option(On, Off, Default, Options) ->
    lists:foldl(fun(Option, _) when Option =:= On -> true;
                   (Option, _) when Option =:= Off -> false;
                   (_, Last) -> Last
                end, Default, Options).

%% A message of the compiler as OTP's description of it, where there is one: which names are meant stands in its text.
-spec description(string(), string()) -> {module(), term()}.
description(Code, Text) ->
    case {Code, quoted(Text)} of
        {"E0301", _} -> {erl_parse, Text};
        {"E02" ++ _, _} -> {epp, Text};
        {"E0407", [Name]} -> {?MODULE, {unbound_var, list_to_atom(Name)}};
        {"W0501", [Name]} -> {?MODULE, {unused_var, list_to_atom(Name)}};
        {"W0502", [Name]} -> {?MODULE, {unused_function, function(Name)}};
        {"E0403", [Name]} -> {?MODULE, {undefined_function, function(Name)}};
        {"E0404", [Name]} -> {?MODULE, {redefine_function, function(Name)}};
        {"W0503", [Name]} -> {?MODULE, {unused_record, list_to_atom(Name)}};
        {"E0412", [Name]} -> {?MODULE, {undefined_record, list_to_atom(Name)}};
        _ -> {?MODULE, Text}
    end.

%% The parts of a text in backquotes.
quoted(Text) ->
    case string:split(Text, "`", all) of
        [_ | Parts] -> every_other(Parts);
        [] -> []
    end.

every_other([Name, _ | Rest]) -> [Name | every_other(Rest)];
every_other(_) -> [].

function(Text) ->
    case string:split(Text, "/", trailing) of
        [Name, Arity] -> {list_to_atom(Name), list_to_integer(Arity)};
        _ -> Text
    end.

-spec format_error(term()) -> io_lib:chars().
format_error({unbound_var, Name}) -> io_lib:format("variable ~w is unbound", [Name]);
format_error({unused_var, Name}) -> io_lib:format("variable ~w is unused", [Name]);
format_error({unused_function, {Name, Arity}}) -> io_lib:format("function ~tw/~w is unused", [Name, Arity]);
format_error({undefined_function, {Name, Arity}}) -> io_lib:format("function ~tw/~w undefined", [Name, Arity]);
format_error({redefine_function, {Name, Arity}}) -> io_lib:format("function ~tw/~w already defined", [Name, Arity]);
format_error({unused_record, Name}) -> io_lib:format("record ~tw is unused", [Name]);
format_error({undefined_record, Name}) -> io_lib:format("record ~tw undefined", [Name]);
format_error(Text) when is_list(Text) -> Text;
format_error(Other) -> io_lib:format("~tp", [Other]).

%%% Format strings

%% The kinds of the arguments that a format string takes, or what is wrong with it.
-spec check_format_string(atom() | string() | binary()) -> {ok, [term | string | int | float]} | {error, string()}.
check_format_string(Format) when is_atom(Format) -> check_format_string(atom_to_list(Format));
check_format_string(Format) when is_binary(Format) -> check_format_string(binary_to_list(Format));
check_format_string(Format) ->
    try {ok, directives(Format)}
    catch
        throw:Text -> {error, Text}
    end.

directives([$~ | Format]) ->
    {Width, Format1} = field(Format),
    {Precision, Format2} = precision(Format1),
    {Modifiers, [C | Format3]} = modifiers(padding(Format2), []),
    Width ++ Precision ++ arguments(C, Modifiers) ++ directives(Format3);
directives([_ | Format]) -> directives(Format);
directives([]) -> [].

field([$- | Format]) -> number(Format);
field(Format) -> number(Format).

number([$* | Format]) -> {[int], Format};
number([C | Format]) when C >= $0, C =< $9 -> number(Format);
number([]) -> throw("truncated");
number(Format) -> {[], Format}.

precision([$. | Format]) -> number(Format);
precision(Format) -> {[], Format}.

padding([$., $* | _]) -> throw("invalid control ~*");
padding([$., _ | Format]) -> padding(Format);
padding([$.]) -> throw("truncated");
padding(Format) -> Format.

modifiers([M | Format], Modifiers) when M =:= $t; M =:= $l -> modifiers(Format, [M | Modifiers]);
modifiers([], _) -> throw("truncated");
modifiers(Format, Modifiers) -> {Modifiers, Format}.

arguments(C, Modifiers) ->
    Kinds =
        case C of
            $~ -> [];
            $n -> [];
            $c -> [int];
            $s -> [string];
            $i -> [term];
            _ when C =:= $p; C =:= $w -> [term];
            _ when C =:= $P; C =:= $W -> [term, int];
            _ when C =:= $e; C =:= $f; C =:= $g -> [float];
            _ when C =:= $b; C =:= $B; C =:= $+; C =:= $# -> [int];
            _ when C =:= $x; C =:= $X -> [int, string];
            _ -> none
        end,
    Fits = lists:all(fun($t) -> lists:member(C, "cspwPW"); ($l) -> lists:member(C, "pwPW") end, Modifiers),
    case Kinds =/= none andalso Fits of
        true -> Kinds;
        false -> throw("invalid control ~" ++ lists:reverse(Modifiers) ++ [C])
    end.

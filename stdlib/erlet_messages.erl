%% What the compiler says, as the terms that OTP's has for it.
%%
%% Programs that compile others look at these terms: `{erl_lint, {unbound_var, 'X'}}` where the compiler wrote a sentence. A kind of
%% message is known by its code and the words of its sentence, names by the backquotes around them. What OTP has no term
%% for, or what needs more than the sentence says, stays the sentence.
-module(erlet_messages).

-export([description/3]).

%% Further are the other places of which the message speaks.
-spec description(string(), string(), [{erl_anno:location() | none, string()}]) -> {module(), term()}.
description(Code, Text, Further) ->
    case Code of
        "E0301" -> {erl_parse, Text};
        "W0210" -> {epp, {warning, Text}};
        "E0209" -> {epp, {error, Text}};
        "E02" ++ _ -> {epp, Text};
        _ ->
            {Words, Names} = split(Text),
            case placed(Code, Names, Further) of
                {Module, Term} -> {Module, Term};
                none -> named(Code, Words, Names, Text)
            end
    end.

named(Code, Words, Names, Text) ->
    case term(Code, Words, Names) of
        {Module, Term} -> {Module, Term};
        none -> lint(Text)
    end.

%% Where another place is a part of the term.
placed("E0408", [Name], [{Place, Where} | _]) -> lint({unsafe_var, list_to_atom(Name), {construct(Where), Place}});
placed("W0507", [Name, Construct], [{Place, _} | _]) -> lint({exported_var, list_to_atom(Name), {list_to_atom(Construct), Place}});
placed("W0509", _, [{{Line, _}, _} | _]) -> fold({nomatch, {shadow, Line}});
placed("W0509", _, [{Line, _} | _]) -> fold({nomatch, {shadow, Line}});
placed(_, _, _) -> none.

construct(Words) ->
    {_, [Construct | _]} = split(Words),
    list_to_atom(Construct).

%% The words of a sentence, and what is between its backquotes.
split(Text) ->
    {Words, Names} = parts(string:split(Text, "`", all)),
    {lists:append(lists:join("_", Words)), Names}.

parts([Words, Name | Rest]) ->
    {More, Names} = parts(Rest),
    {[Words | More], [Name | Names]};
parts(Rest) -> {Rest, []}.

term("E0306", "this range is empty", _) -> lint({type_syntax, range});
term("E0306", "the ends of a range" ++ _, _) -> lint({type_syntax, range});
term("E0306", "the sizes of a binary type" ++ _, _) -> lint({type_syntax, binary});
term("E0306", "this is no integer", _) -> lint({type_syntax, integer});
term("E04" ++ _ = Code, Words, Names) -> refusal(Code, Words, Names);
term("W05" ++ _ = Code, Words, Names) -> warning(Code, Words, Names);
term(_, _, _) -> none.

lint(Term) -> {erl_lint, Term}.
fold(Term) -> {sys_core_fold, Term}.

%%% Errors

refusal("E0401", _, _) -> lint(undefined_module);
refusal("E0402", "the attribute _ stands after function definitions", [Name]) -> lint({attribute, atom(Name)});
refusal("E0402", _, [_]) -> lint(redefine_module);
refusal("E0403", _, [Name]) -> lint({undefined_function, function(Name)});
refusal("E0404", _, [Name]) -> lint({redefine_function, function(Name)});
refusal("E0405", "_ is already imported from _", [Name, Module]) -> lint({redefine_import, {function(Name), atom(Module)}});
refusal("E0405", "function _ is imported from _ and defined here", [Name, _]) -> lint({define_import, function(Name)});
refusal("E0406", "the import hides" ++ _, [Name | _]) -> lint({redefine_old_bif_import, function(Name)});
refusal("E0406", _, [Name | _]) -> lint({call_to_redefined_old_bif, function(Name)});
refusal("E0407", _, [Name]) -> lint({unbound_var, list_to_atom(Name)});
refusal("E0409", "_ in a map pattern", _) -> lint(illegal_pattern);
refusal("E0409", "two binary patterns" ++ _, _) -> lint(illegal_bin_pattern);
refusal("E0409", _, _) -> lint(illegal_pattern);
refusal("E0410", "the function _ cannot be called in a guard", [Name]) -> lint({illegal_guard_local_call, function(Name)});
refusal("E0410", _, _) -> lint(illegal_guard_expr);
refusal("E0411", "_ takes _ or _ and the name of a record" ++ _, _) -> lint(illegal_record_info);
refusal("E0411", _, _) -> lint(illegal_expr);
refusal("E0412", _, [Name]) -> lint({undefined_record, atom(Name)});
refusal("E0413", _, [Name]) -> lint({redefine_record, atom(Name)});
refusal("E0414", _, [Record, Field]) -> lint({undefined_field, atom(Record), atom(Field)});
refusal("E0415", "field _ is repeated in record _", [Field, Record]) -> lint({redefine_field, atom(Record), atom(Field)});
refusal("E0415", "field _ is given twice for record _", [Field, Record]) -> lint({redefine_field, atom(Record), atom(Field)});
refusal("E0416", "_ is not a field of record _", [Field, Record]) -> lint({field_name_is_variable, atom(Record), list_to_atom(Field)});
refusal("E0416", "variable _ in the default" ++ _, [Name]) -> lint({variable_in_record_def, list_to_atom(Name)});
refusal("E0416", "_ initialises no field of record _", [_, Record]) -> lint({bad_field_init, atom(Record)});
refusal("E0416", "_ means nothing in an update" ++ _, [_, Record]) -> lint({wildcard_in_update, atom(Record)});
refusal("E0417", Words, Names) -> segment(Words, Names);
refusal("E0418", _, _) -> lint(illegal_map_construction);
refusal("E0420", _, [Name]) -> lint({undefined_type, function(Name)});
refusal("E0421", "type _ is already defined", [Name]) -> lint({redefine_type, function(Name)});
refusal("E0421", _, [Name]) -> lint({builtin_type, function(Name)});
refusal("E0422", "spec for _ is already given", [Name]) -> lint({redefine_spec, function(Name)});
refusal("E0422", "spec for the undefined function _", [Name]) -> lint({spec_fun_undefined, function(Name)});
refusal("E0422", "callback _ is already given", [Name]) -> lint({redefine_callback, function(Name)});
refusal("E0422", "a callback has no module: _", [Name]) ->
    {Module, {Function, Arity}} = remote(Name),
    lint({bad_callback, {Module, Function, Arity}});
refusal("E0422", "the signatures differ" ++ _, _) -> lint(spec_wrong_arity);
refusal("E0423", _, [Name]) -> lint({singleton_typevar, list_to_atom(Name)});
refusal("E0424", "_ is deprecated, but not exported", [Name]) -> lint({bad_deprecated, function(Name)});
refusal("E0424", "_ is removed, but still exported", [Name]) -> lint({bad_removed, function(Name)});
refusal("E0424", "option _ names the undefined function _", ["inline", Name]) -> lint({bad_inline, function(Name)});
refusal("E0424", "option _ names the undefined function _", [_, Name]) -> lint({bad_nowarn_unused_function, function(Name)});
refusal("E0424", "the function of _ has no parameters, but _ has", [_, Name]) -> lint({bad_on_load_arity, function(Name)});
refusal("E0424", "there is more than one _", _) -> lint(multiple_on_loads);
refusal("E0424", "function _ is undefined", [Name]) -> lint({undefined_nif, function(Name)});
refusal("E0425", "the stack trace variable _ is already bound", [Name]) -> lint({stacktrace_bound, list_to_atom(Name)});
refusal("E0425", _, [Name]) -> lint({stacktrace_guard, list_to_atom(Name)});
refusal("E0426", "callback _ is undefined", [Name]) -> lint({undefined_callback, function(Name)});
refusal("E0427", "the name of a module cannot be empty", _) -> lint(empty_module_name);
refusal("E0427", "the name of a module cannot have control" ++ _, _) -> lint(ctrl_chars_in_module_name);
refusal("E0427", "the name of a module needs a visible" ++ _, _) -> lint(blank_module_name);
refusal("E0427", "the name of a module has only Latin-1" ++ _, _) -> lint(non_latin1_module_unsupported);
refusal(_, _, _) -> none.

segment("unknown type _ of a binary segment", [Type]) -> lint({undefined_bittype, atom(Type)});
segment("a unit without a size", _) -> lint(bittype_unit);
segment("a segment of type _" ++ _, _) -> lint(utf_bittype_size_or_unit);
segment("a literal string in a binary pattern" ++ _, _) -> lint(typed_literal_string);
segment("a binary segment without size stands" ++ _, _) -> lint(unsized_binary_not_at_end);
segment("a binary segment without size cannot be in the pattern of a generator", _) -> lint(unsized_binary_in_bin_gen_pattern);
segment("_ and _ contradict each other", [First, Second]) ->
    lint({bittype_mismatch, atom(Second), atom(First), property(First)});
segment(_, _) -> none.

property(Type) ->
    case lists:member(Type, ["signed", "unsigned"]) of
        true -> "sign";
        false ->
            case Type of
                "unit" ++ _ -> "unit";
                _ -> case lists:member(Type, ["big", "little", "native"]) of true -> "endianness"; false -> "type" end
            end
    end.

%%% Warnings

warning("W0501", _, [Name]) -> lint({unused_var, list_to_atom(Name)});
warning("W0502", _, [Name]) -> lint({unused_function, function(Name)});
warning("W0503", _, [Name]) -> lint({unused_record, atom(Name)});
warning("W0504", _, [Name]) -> lint({unused_type, function(Name)});
warning("W0505", _, [Name]) ->
    {Module, Function} = remote(Name),
    lint({unused_import, {Function, Module}});
warning("W0506", "variable _ is shadowed in a fun", [Name]) -> lint({shadowed_var, list_to_atom(Name), 'fun'});
warning("W0506", "variable _ is shadowed in a generator", [Name]) -> lint({shadowed_var, list_to_atom(Name), generate});
warning("W0506", _, [Name]) -> lint({shadowed_var, list_to_atom(Name), 'named fun'});
warning("W0508", "a term is built, but never used", _) -> fold({ignored, useless_building});
warning("W0509", _, _) -> fold({nomatch, shadow});
warning("W0510", "this is no " ++ _, _) -> {v3_core, {nomatch, pattern}};
warning("W0510", _, _) -> fold({nomatch, no_clause});
warning("W0511", _, _) -> lint(export_all);
warning("W0512", "the type _ is already exported", [Name]) -> lint({duplicated_export_type, function(Name)});
warning("W0512", _, [Name]) -> lint({duplicated_export, function(Name)});
warning("W0513", _, [Name]) -> lint({match_underscore_var, list_to_atom(Name)});
warning("W0514", _, [Name]) ->
    {Module, {Function, Arity}} = remote(Name),
    lint({deprecated, {Module, Function, Arity}, "it is deprecated"});
warning("W0515", "behaviour _ is undefined", [Name]) -> lint({undefined_behaviour, atom(Name)});
warning("W0515", _, [Name, Behaviour]) -> lint({undefined_behaviour_func, function(Name), atom(Behaviour)});
warning("W0517", "the format string has an illegal" ++ _, [Directive]) ->
    lint({format_error, {"format string invalid (~ts)", ["invalid control " ++ Directive]}});
warning("W0517", "the format string wants" ++ _, _) -> lint({format_error, {"wrong number of arguments in format call", []}});
warning("W0517", _, _) -> lint({format_error, {"format arguments not a list", []}});
warning("W0518", "the import hides" ++ _, [Name | _]) -> lint({redefine_bif_import, function(Name)});
warning("W0518", _, [Name | _]) -> lint({call_to_redefined_bif, function(Name)});
warning("W0519", _, [Name]) -> lint({obsolete_guard, function(Name)});
warning("W0521", "function _ has no spec", [Name]) -> lint({missing_spec, function(Name)});
warning("W0521", _, _) -> lint(untyped_record);
warning("W0522", "opaque type _ is not exported", [Name]) -> lint({not_exported_opaque, function(Name)});
warning("W0522", _, [Name]) -> lint({underspecified_opaque, function(Name)});
warning("W0523", "_ always fails here with _", [Operator, Reason]) ->
    fold({failed, {eval_failure, {erlang, atom(Operator), 2}, atom(Reason)}});
warning("W0523", "this is no function" ++ _, _) -> lint(invalid_call);
warning("W0523", "this is no record" ++ _, _) -> lint(invalid_record);
warning("W0523", "a float has 16" ++ _, _) -> lint({bad_bitsize, "float"});
warning("W0524", "_ without a call of _", ["-nifs", _]) -> lint(no_load_nif);
warning("W0526", _, _) -> lint(match_float_zero);
warning("W0529", _, _) -> fold({nomatch, guard});
warning(_, _, _) -> none.

%%% Names

%% An atom as it is written.
atom(Text) ->
    case erl_scan:string(Text) of
        {ok, [{atom, _, Name}], _} -> Name;
        _ -> list_to_atom(Text)
    end.

%% `module:name/arity`
remote(Text) ->
    [Module, Function] = string:split(Text, ":"),
    {atom(Module), function(Function)}.

function(Text) ->
    case string:split(Text, "/", trailing) of
        [Name, Arity] ->
            %% (A row of an attribute may stand for all arities.)
            {atom(Name), case Arity of "_" -> '_'; _ -> list_to_integer(Arity) end};
        _ -> Text
    end.

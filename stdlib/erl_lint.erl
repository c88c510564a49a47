%% Judging forms: what the compiler would say of them.
-module(erl_lint).

-export([module/1, module/2, module/3, format_error/1, bool_option/4, check_format_string/1,
         is_guard_test/1, is_guard_test/2, is_guard_test/3, is_guard_expr/1]).

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

-spec format_error(term()) -> io_lib:chars().
format_error({Kind, Names}) when Kind =:= unused_import; Kind =:= redefine_import ->
    {{Name, Arity}, Module} = Names,
    case Kind of
        unused_import -> io_lib:format("the import ~w:~tw/~w is unused", [Module, Name, Arity]);
        redefine_import -> io_lib:format("~tw/~w is already imported from ~w", [Name, Arity, Module])
    end;
format_error({Kind, {Name, Arity}}) when is_atom(Name), is_integer(Arity) orelse Arity =:= '_' ->
    case sentence(Kind) of
        {Before, Behind} -> io_lib:format("~ts~tw/~w~ts", [Before, Name, Arity, Behind]);
        none -> other({Kind, {Name, Arity}})
    end;
format_error({undefined_behaviour_func, {Name, Arity}, Behaviour}) ->
    io_lib:format("the callback ~tw/~w of ~w is missing", [Name, Arity, Behaviour]);
format_error({undefined_field, Record, Field}) -> io_lib:format("record ~tw has no field ~tw", [Record, Field]);
format_error({redefine_field, Record, Field}) -> io_lib:format("field ~tw stands twice in record ~tw", [Field, Record]);
format_error({field_name_is_variable, Record, Field}) ->
    io_lib:format("~tw is not a field of record ~tw", [Field, Record]);
format_error({bad_field_init, Record}) -> io_lib:format("_ initialises no field of record ~tw", [Record]);
format_error({wildcard_in_update, Record}) -> io_lib:format("_ means nothing in an update of record ~tw", [Record]);
format_error({type_syntax, What}) -> io_lib:format("this is no ~w type", [What]);
format_error({bad_callback, {Module, Name, Arity}}) -> io_lib:format("a callback has no module: ~w:~tw/~w", [Module, Name, Arity]);
format_error({attribute, Name}) -> io_lib:format("the attribute ~tw stands behind functions", [Name]);
format_error({shadowed_var, Name, Where}) -> io_lib:format("variable ~w is shadowed in a ~w", [Name, Where]);
format_error({exported_var, Name, {Where, Place}}) -> io_lib:format("variable ~w comes out of ~w (~ts)", [Name, Where, place(Place)]);
format_error({unsafe_var, Name, {Where, Place}}) -> io_lib:format("variable ~w is unsafe: ~w binds it on some ways only (~ts)", [Name, Where, place(Place)]);
format_error({bittype_mismatch, One, Other, What}) -> io_lib:format("the ~s of a segment cannot be ~p and ~p", [What, One, Other]);
format_error({undefined_bittype, Type}) -> io_lib:format("unknown type ~tw of a segment", [Type]);
format_error({bad_bitsize, Type}) -> io_lib:format("a ~s has no such size", [Type]);
format_error({deprecated, {Module, Name, Arity}, Advice}) -> io_lib:format("~w:~tw/~w: ~ts", [Module, Name, Arity, Advice]);
format_error({format_error, {Format, Arguments}}) -> io_lib:format(Format, Arguments);
format_error({Kind, Name}) when is_atom(Name) ->
    case sentence(Kind) of
        {Before, Behind} -> io_lib:format("~ts~tw~ts", [Before, Name, Behind]);
        none -> other({Kind, Name})
    end;
format_error(Kind) when is_atom(Kind) ->
    case plain(Kind) of
        none -> other(Kind);
        Text -> Text
    end;
format_error(Other) -> other(Other).

other(Text) when is_list(Text) -> Text;
other(Other) -> io_lib:format("~tp", [Other]).

place({Line, Column}) -> io_lib:format("line ~w, column ~w", [Line, Column]);
place(Line) -> io_lib:format("line ~w", [Line]).

%% What stands before and behind a name.
sentence(bad_deprecated) -> {"", " is deprecated, but not exported"};
sentence(bad_removed) -> {"", " is removed, but still exported"};
sentence(bad_inline) -> {"the option inline names ", ", which is undefined"};
sentence(bad_nowarn_unused_function) -> {"the option nowarn_unused_function names ", ", which is undefined"};
sentence(bad_on_load_arity) -> {"the function of -on_load has no parameters, but ", " has"};
sentence(undefined_nif) -> {"function ", " is undefined"};
sentence(redefine_callback) -> {"the callback ", " is already given"};
sentence(unbound_var) -> {"variable ", " is unbound"};
sentence(unused_var) -> {"variable ", " is unused"};
sentence(unused_function) -> {"function ", " is unused"};
sentence(unused_record) -> {"record ", " is unused"};
sentence(unused_type) -> {"type ", " is unused"};
sentence(undefined_function) -> {"function ", " is undefined"};
sentence(undefined_record) -> {"record ", " is undefined"};
sentence(undefined_type) -> {"type ", " is undefined"};
sentence(undefined_callback) -> {"callback ", " is undefined"};
sentence(undefined_behaviour) -> {"behaviour ", " is unknown"};
sentence(redefine_function) -> {"function ", " is already defined"};
sentence(redefine_record) -> {"record ", " is already defined"};
sentence(redefine_type) -> {"type ", " is already defined"};
sentence(redefine_spec) -> {"the spec for ", " is already given"};
sentence(define_import) -> {"function ", " is imported and defined"};
sentence(duplicated_export) -> {"", " is already exported"};
sentence(duplicated_export_type) -> {"the type ", " is already exported"};
sentence(spec_fun_undefined) -> {"spec for ", ", which is undefined"};
sentence(missing_spec) -> {"function ", " has no spec"};
sentence(builtin_type) -> {"type ", " is built in and cannot be redefined"};
sentence(singleton_typevar) -> {"type variable ", " is used only once"};
sentence(variable_in_record_def) -> {"variable ", " in the default value of a record"};
sentence(match_underscore_var) -> {"variable ", " is already bound, so this is a match"};
sentence(stacktrace_guard) -> {"the stack trace variable ", " is used in a guard"};
sentence(stacktrace_bound) -> {"the stack trace variable ", " is already bound"};
sentence(illegal_guard_local_call) -> {"the function ", " cannot be called in a guard"};
sentence(obsolete_guard) -> {"the test ", " is obsolete"};
sentence(not_exported_opaque) -> {"opaque type ", " is not exported"};
sentence(underspecified_opaque) -> {"opaque type ", " says nothing"};
sentence(call_to_redefined_bif) -> {"", " is ambiguous: defined here, and automatically imported"};
sentence(call_to_redefined_old_bif) -> {"", " is ambiguous: defined here, and automatically imported"};
sentence(redefine_bif_import) -> {"the import hides the automatically imported ", ""};
sentence(redefine_old_bif_import) -> {"the import hides the automatically imported ", ""};
sentence(_) -> none.

plain(undefined_module) -> "the module has no -module attribute";
plain(redefine_module) -> "the module already has a name";
plain(illegal_pattern) -> "this cannot be a pattern";
plain(illegal_bin_pattern) -> "two binary patterns cannot be matched in parallel";
plain(illegal_guard_expr) -> "this cannot be in a guard";
plain(illegal_expr) -> "this means nothing here";
plain(illegal_map_construction) -> ":= where a map is made";
plain(illegal_record_info) -> "record_info takes fields or size and the name of a record";
plain(multiple_on_loads) -> "there is more than one -on_load";
plain(no_load_nif) -> "-nifs without a call of erlang:load_nif/2";
plain(bittype_unit) -> "a unit without a size";
plain(utf_bittype_size_or_unit) -> "a segment of type utf8, utf16 or utf32 has neither size nor unit";
plain(typed_literal_string) -> "a literal string in a binary pattern has neither size nor type";
plain(unsized_binary_not_at_end) -> "a binary segment without size stands only at the end of a pattern";
plain(unsized_binary_in_bin_gen_pattern) -> "a binary segment without size cannot be in the pattern of a generator";
plain(spec_wrong_arity) -> "the signatures differ in the number of parameters";
plain(match_float_zero) -> "this matches 0.0 but not -0.0";
plain(export_all) -> "all functions are exported";
plain(invalid_call) -> "this is no function, so the call always fails";
plain(invalid_record) -> "this is no record, so the expression always fails";
plain(untyped_record) -> "a record has fields without types";
plain(empty_module_name) -> "the name of a module cannot be empty";
plain(blank_module_name) -> "the name of a module needs a visible character";
plain(ctrl_chars_in_module_name) -> "the name of a module cannot have control characters";
plain(non_latin1_module_unsupported) -> "the name of a module has only Latin-1 characters";
plain(_) -> none.

%%% Guards

%% Whether an expression may be a test of a guard.
-spec is_guard_test(erl_parse:abstract_expr()) -> boolean().
is_guard_test(Expr) -> is_guard_test(Expr, []).

%% The forms define records.
-spec is_guard_test(erl_parse:abstract_expr(), [erl_parse:abstract_form()]) -> boolean().
is_guard_test(Expr, Forms) -> is_guard_test(Expr, Forms, fun(_) -> false end).

%% IsLocal says which functions are the module's own.
-spec is_guard_test(erl_parse:abstract_expr(), [erl_parse:abstract_form()], fun(({atom(), arity()}) -> boolean())) -> boolean().
is_guard_test(Expr, Forms, IsLocal) ->
    Records = #{Name => Fields || {attribute, _, record, {Name, Fields}} <- Forms},
    is_test(Expr, {Records, IsLocal}).

-spec is_guard_expr(erl_parse:abstract_expr()) -> boolean().
is_guard_expr(Expr) -> is_expr(Expr, {#{}, fun(_) -> false end}).

is_test({call, _, {atom, _, Name}, Arguments} = Call, {_, IsLocal} = Context) ->
    Arity = length(Arguments),
    case erl_internal:old_type_test(Name, Arity) andalso not IsLocal({Name, Arity}) of
        true -> are_exprs(Arguments, Context);
        false -> is_expr(Call, Context)
    end;
is_test(Expr, Context) -> is_expr(Expr, Context).

is_expr({Leaf, _, _}, _) when Leaf =:= var; Leaf =:= char; Leaf =:= integer; Leaf =:= float; Leaf =:= atom; Leaf =:= string -> true;
is_expr({nil, _}, _) -> true;
is_expr({cons, _, Head, Tail}, Context) -> is_expr(Head, Context) andalso is_expr(Tail, Context);
is_expr({tuple, _, Elements}, Context) -> are_exprs(Elements, Context);
is_expr({map, _, Fields}, Context) -> are_fields(Fields, Context);
is_expr({map, _, Map, Fields}, Context) -> is_expr(Map, Context) andalso are_fields(Fields, Context);
is_expr({bin, _, Segments}, Context) ->
    lists:all(fun({bin_element, _, Value, Size, _}) ->
                      is_expr(Value, Context) andalso (Size =:= default orelse is_expr(Size, Context))
              end, Segments);
is_expr({record_index, _, _, Field}, Context) -> is_expr(Field, Context);
is_expr({record_field, _, Record, _, Field}, Context) -> is_expr(Record, Context) andalso is_expr(Field, Context);
is_expr({record, _, Name, Fields}, {Records, _} = Context) ->
    Given = [Field || {record_field, _, {_, _, Field}, _} <- Fields],
    Defaults = case lists:member('_', Given) of
                   true -> [];
                   false -> [Default || {Field, Default} <- defaults(maps:get(Name, Records, [])), not lists:member(Field, Given)]
               end,
    are_exprs([Value || {record_field, _, _, Value} <- Fields] ++ Defaults, Context);
is_expr({call, _, {atom, _, Name}, Arguments}, {_, IsLocal} = Context) ->
    Arity = length(Arguments),
    not IsLocal({Name, Arity}) andalso erl_internal:guard_bif(Name, Arity) andalso are_exprs(Arguments, Context);
is_expr({call, _, {remote, _, {atom, _, erlang}, {atom, _, Name}}, Arguments}, Context) ->
    Arity = length(Arguments),
    (erl_internal:guard_bif(Name, Arity) orelse is_operator(Name, Arity)) andalso are_exprs(Arguments, Context);
is_expr({op, _, Operator, Operand}, Context) -> is_operator(Operator, 1) andalso is_expr(Operand, Context);
is_expr({op, _, Operator, Left, Right}, Context) ->
    (Operator =:= 'andalso' orelse Operator =:= 'orelse' orelse is_operator(Operator, 2)) andalso
        is_expr(Left, Context) andalso is_expr(Right, Context);
is_expr(_, _) -> false.

are_exprs(Exprs, Context) -> lists:all(fun(Expr) -> is_expr(Expr, Context) end, Exprs).

are_fields(Fields, Context) -> lists:all(fun({_, _, Key, Value}) -> are_exprs([Key, Value], Context) end, Fields).

defaults(Fields) ->
    lists:flatmap(fun({typed_record_field, Field, _}) -> defaults([Field]);
                     ({record_field, _, {atom, _, Name}, Default}) -> [{Name, Default}];
                     (_) -> []
                  end, Fields).

is_operator(Name, Arity) ->
    erl_internal:arith_op(Name, Arity) orelse erl_internal:bool_op(Name, Arity) orelse erl_internal:comp_op(Name, Arity).

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

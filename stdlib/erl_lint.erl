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
format_error({bittype_mismatch, One, Other, What}) ->
    io_lib:format("conflict in ~s specification for bit field: '~p' and '~p'", [What, One, Other]);
format_error({bad_bitsize, Type}) -> io_lib:format("bad ~s bit size", [Type]);
format_error({obsolete_guard, {Name, Arity}}) -> io_lib:format("~p/~p obsolete (use is_~p/~p)", [Name, Arity, Name, Arity]);
format_error({deprecated, {Module, Name, Arity}, Advice}) -> io_lib:format("~tw:~tw/~w is deprecated; ~ts", [Module, Name, Arity, Advice]);
format_error({undefined_callback, {_, Name, Arity}}) -> io_lib:format("callback ~tw/~w is undefined", [Name, Arity]);
format_error({format_error, {Format, Arguments}}) -> io_lib:format(Format, Arguments);
format_error({Kind, {Name, Arity}})
  when Kind =:= undefined_type; Kind =:= unused_type; Kind =:= builtin_type; Kind =:= redefine_type; Kind =:= not_exported_opaque;
       Kind =:= underspecified_opaque ->
    about_type(Kind, Name, Arity);
format_error({Kind, {Name, Arity}}) when is_atom(Name), is_integer(Arity) orelse Arity =:= '_' -> about_function(Kind, Name, Arity);
format_error({Kind, Name}) when is_atom(Name) -> about_name(Kind, Name);
format_error({unsafe_var, Name, {What, Where}}) -> io_lib:format("variable ~w unsafe in ~w ~ts", [Name, What, at(Where)]);
format_error({exported_var, Name, {What, Where}}) -> io_lib:format("variable ~w exported from ~w ~ts", [Name, What, at(Where)]);
format_error({shadowed_var, Name, In}) -> io_lib:format("variable ~w shadowed in ~w", [Name, In]);
format_error({redefine_field, Record, Field}) -> io_lib:format("field ~tw already defined in record ~tw", [Field, Record]);
format_error({undefined_field, Record, Field}) -> io_lib:format("field ~tw undefined in record ~tw", [Field, Record]);
format_error({field_name_is_variable, Record, Field}) ->
    io_lib:format("field ~tw is not an atom or _ in record ~tw", [Field, Record]);
format_error({bad_callback, {Module, Name, Arity}}) ->
    io_lib:format("explicit module not allowed for callback ~tw:~tw/~w", [Module, Name, Arity]);
format_error({redefine_import, {{Name, Arity}, Module}}) ->
    io_lib:format("function ~tw/~w already imported from ~w", [Name, Arity, Module]);
format_error({unused_import, {{Name, Arity}, Module}}) -> io_lib:format("import ~w:~tw/~w is unused", [Module, Name, Arity]);
format_error({too_many_arguments, Arity}) -> io_lib:format("too many arguments (~w) - maximum allowed is 255", [Arity]);
format_error({undefined_behaviour_func, {Name, Arity}, Behaviour}) ->
    io_lib:format("undefined callback function ~tw/~w (behaviour '~w')", [Name, Arity, Behaviour]);
format_error(Kind) when is_atom(Kind) -> about_nothing(Kind);
format_error(Text) when is_list(Text) -> Text;
format_error(Other) -> io_lib:format("~tp", [Other]).

at({Line, Column}) -> io_lib:format("(line ~w, column ~w)", [Line, Column]);
at(Line) -> io_lib:format("(line ~w)", [Line]).

about_function(Kind, Name, Arity) ->
    {Before, Behind} = case in_words(Kind) of {_, _} = Words -> Words; none -> {"~tw: ", ""} end,
    io_lib:format(Before ++ "~tw/~w" ++ Behind, [Kind || Before =:= "~tw: "] ++ [Name, Arity]).

in_words(Kind) ->
    case Kind of
        _ when Kind =:= undefined_function; Kind =:= undefined_on_load; Kind =:= bad_nowarn_unused_function -> {"function ", " undefined"};
        redefine_function -> {"function ", " already defined"};
        unused_function -> {"function ", " is unused"};
        duplicated_export -> {"function ", " already exported"};
        define_import -> {"defining imported function ", ""};
        redefine_bif_import -> {"import directive overrides auto-imported BIF ", ""};
        redefine_old_bif_import -> {"import directive overrides pre R14 auto-imported BIF ", ""};
        call_to_redefined_bif -> {"ambiguous call of overridden auto-imported BIF ", ""};
        call_to_redefined_old_bif -> {"ambiguous call of overridden pre R14 auto-imported BIF ", ""};
        illegal_guard_local_call -> {"call to local/imported function ", " is illegal in guard"};
        bad_inline -> {"inlined function ", " undefined"};
        undefined_nif -> {"nif ", " undefined"};
        bad_on_load_arity -> {"function ", " has wrong arity (must be 0)"};
        bad_removed -> {"removed function ", " is still exported"};
        bad_deprecated -> {"deprecated function ", " undefined or not exported"};
        undefined_callback -> {"callback ", " is undefined"};
        spec_fun_undefined -> {"spec for undefined function ", ""};
        redefine_spec -> {"spec for ", " already defined"};
        redefine_callback -> {"callback ", " already defined"};
        redefine_optional_callback -> {"optional callback ", " duplicated"};
        missing_spec -> {"missing specification for function ", ""};
        duplicated_export_type -> {"type ", " already exported"};
        _ -> none
    end.

about_type(Kind, Name, Arity) ->
    {Before, Behind} =
        case Kind of
            undefined_type -> {"type", "undefined"};
            unused_type -> {"type", "is unused"};
            builtin_type -> {"type", "is a builtin type; it cannot be redefined"};
            redefine_type -> {"type", "already defined"};
            not_exported_opaque -> {"opaque type", "is not exported"};
            underspecified_opaque -> {"opaque type", "is underspecified and therefore meaningless"}
        end,
    io_lib:format("~s ~tw(~s) ~s", [Before, Name, lists:join(",", lists:duplicate(Arity, "_")), Behind]).

about_name(Kind, Name) ->
    Format =
        case Kind of
            unbound_var -> "variable ~w is unbound";
            unused_var -> "variable ~w is unused";
            match_underscore_var ->
                "variable ~w is already bound. If you mean to ignore this value, use '_' or a different underscore-prefixed name";
            variable_in_record_def -> "variable ~w in record definition";
            stacktrace_guard -> "stacktrace variable ~w must not be used in a guard";
            stacktrace_bound -> "stacktrace variable ~w must not be previously bound";
            singleton_typevar -> "type variable ~w is only used once (is unbound)";
            unused_record -> "record ~tw is unused";
            undefined_record -> "record ~tw undefined";
            redefine_record -> "record ~tw already defined";
            untyped_record -> "record ~tw has field(s) without type information";
            wildcard_in_update -> "meaningless use of _ in update of record ~tw";
            type_syntax -> "bad ~tw type";
            attribute -> "attribute ~tw after function definitions";
            undefined_behaviour -> "behaviour ~tw undefined";
            undefined_bittype -> "bit type ~tw undefined";
            _ -> "~tp"
        end,
    io_lib:format(Format, [Name]).

about_nothing(Kind) ->
    case Kind of
        undefined_module -> "no module definition";
        redefine_module -> "redefining module";
        non_latin1_module_unsupported -> "module names with non-latin1 characters are not supported";
        empty_module_name -> "the module name must not be empty";
        blank_module_name -> "the module name must contain at least one visible character";
        ctrl_chars_in_module_name -> "the module name must not contain control characters";
        export_all -> "export_all flag enabled - all functions will be exported";
        no_load_nif -> "nifs defined, but no call to erlang:load_nif/2";
        multiple_on_loads -> "more than one on_load attribute";
        illegal_bin_pattern -> "binary patterns cannot be matched in parallel using '='";
        illegal_expr -> "illegal expression";
        illegal_guard_expr -> "illegal guard expression";
        illegal_map_construction -> "only association operators '=>' are allowed in map construction";
        bad_multi_field_init -> "'_' initializes no omitted fields";
        spec_wrong_arity -> "spec has wrong arity";
        invalid_call -> "invalid function call";
        invalid_record -> "invalid record expression";
        bittype_unit -> "a bit unit size must not be specified unless a size is specified too";
        unsized_binary_not_at_end -> "a binary field without size is only allowed at the end of a binary pattern";
        typed_literal_string -> "a literal string in a binary pattern must not have a type or a size";
        utf_bittype_size_or_unit -> "neither size nor unit must be given for segments of type utf8/utf16/utf32";
        unsized_binary_in_bin_gen_pattern -> "binary fields without size are not allowed in patterns of bit string generators";
        _ -> lists:flatten(string:replace(atom_to_list(Kind), "_", " ", all))
    end.

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

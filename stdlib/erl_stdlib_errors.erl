%% What is wrong with the arguments of functions of `binary`, `ets`, `io`, `lists`, `maps`, `math`, `re` and `unicode`. The rules are
%% those of `erlet_argument`.
-module(erl_stdlib_errors).

-export([format_error/2]).

-define(RANGE, <<"out of range">>).
-define(BAD_OPTIONS, <<"invalid options">>).
-define(BAD_KEY, <<"not a key that exists in the table">>).

-spec format_error(term(), [tuple()]) -> #{pos_integer() | general => unicode:chardata()}.
format_error(_, [{Module, Function, Args, Info} | _]) ->
    Cause = erlet_argument:cause(Info),
    Rules =
        case Module of
            binary -> binary(Function, Args, Cause);
            ets -> ets(Function, Args, Cause);
            io -> io(Function, Args, Cause);
            lists -> list(Function, Args);
            maps -> map(Function, Args);
            math -> math(Function, Args);
            re -> regular(Function, Args, Cause);
            unicode -> [char_data | [encoding || _ <- tl(Args)]];
            _ -> []
        end,
    erlet_argument:explain(Rules, Args).

%%% binary

binary(Function, Args, Cause) ->
    case {Function, length(Args)} of
        {at, 2} -> [plain_binary, natural];
        {bin_to_list, 1} -> [plain_binary];
        {bin_to_list, N} -> part(N, Args);
        {compile_pattern, 1} -> [{no, pattern}];
        {copy, 1} -> [plain_binary];
        {copy, 2} -> [plain_binary, natural];
        {decode_hex, 1} -> hex(Args);
        {decode_unsigned, 1} -> [plain_binary];
        {decode_unsigned, 2} -> [plain_binary, endianness];
        {encode_hex, 1} -> [plain_binary];
        {encode_unsigned, 1} -> [natural];
        {encode_unsigned, 2} -> [natural, endianness];
        {first, 1} -> [filled_binary];
        {last, 1} -> [filled_binary];
        {list_to_bin, 1} -> [{no, iodata}];
        {longest_common_prefix, 1} -> [{bad, <<"not a flat list of binaries">>}];
        {longest_common_suffix, 1} -> [{bad, <<"not a flat list of binaries">>}];
        {match, N} -> found(N, Args);
        {matches, N} -> found(N, Args);
        {part, N} -> part(N, Args);
        {referenced_byte_size, 1} -> [plain_binary];
        {replace, 3} -> [plain_binary, pattern, plain_binary];
        {replace, 4} -> replaced(Args, Cause);
        {split, 2} -> [plain_binary, pattern];
        {split, 3} -> erlet_argument:unless_faulty([plain_binary, pattern], Args, [any, any, {bad, ?BAD_OPTIONS}]);
        _ -> []
    end.

hex([Binary]) when is_binary(Binary), byte_size(Binary) rem 2 =:= 1 -> [{bad, "must contain an even number of bytes"}];
hex(_) -> [plain_binary].

part(2, [Binary, {At, Length}]) when is_integer(At), is_integer(Length) ->
    [_ | Faults] = Rules = part(3, [Binary, At, Length]),
    case erlet_argument:faultless([any | Faults], [Binary, At, Length]) of
        true -> [hd(Rules)];
        false -> [hd(Rules), {bad, ?RANGE}]
    end;
part(2, _) -> [plain_binary, {bad, <<"not a valid {Pos,Length} tuple">>}];
part(3, [Binary, At, _] = Args) ->
    Where =
        case is_binary(Binary) andalso is_integer(At) andalso At > byte_size(Binary) of
            true -> [any, {bad, ?RANGE}];
            false -> [any, any, {bad, ?RANGE}]
        end,
    erlet_argument:unless_faulty([plain_binary, natural, integer], Args, Where).

found(2, _) -> [plain_binary, pattern];
found(3, [_, _, Options] = Args) ->
    What = case Options of
               [{scope, {At, Length}}] when is_integer(At), is_integer(Length) ->
                   <<"specified part is not wholly inside binary">>;
               _ -> ?BAD_OPTIONS
           end,
    erlet_argument:unless_faulty([plain_binary, pattern], Args, [any, any, {bad, What}]).

replaced(_, badopt) -> [plain_binary, pattern, plain_binary, {bad, ?BAD_OPTIONS}];
replaced(Args, _) -> erlet_argument:unless_faulty([plain_binary, pattern, plain_binary], Args, [any, any, any, {bad, ?BAD_OPTIONS}]).

%%% lists, maps, math

list(Function, Args) ->
    case {Function, length(Args)} of
        {keyfind, 3} -> [any, positive, list];
        {keymember, 3} -> [any, positive, list];
        {keysearch, 3} -> [any, positive, list];
        {member, 2} -> [any, list];
        {reverse, 2} -> [list];
        {seq, 3} -> erlet_argument:unless_faulty([integer, integer, integer], Args, [any, any, {bad, increment(Args)}]);
        _ -> []
    end.

increment([First, Last, Step]) when Step =< 0, First - Step =< Last -> <<"not a positive increment">>;
increment(_) -> <<"not a negative increment">>.

map(Function, Args) ->
    case {Function, Args} of
        {get, [_, Map]} when is_map(Map) -> [{bad, <<"not present in map">>}];
        {_, _} -> map_table(Function, length(Args))
    end.

map_table(Function, Arity) ->
    case {Function, Arity} of
        {filter, 2} -> [{function, 2}, map_or_iterator];
        {filtermap, 2} -> [{function, 2}, map_or_iterator];
        {find, 2} -> [any, {no, map}];
        {fold, 3} -> [{function, 3}, any, map_or_iterator];
        {foreach, 2} -> [{function, 2}, map_or_iterator];
        {from_keys, 2} -> [list];
        {from_list, 1} -> [list];
        {get, 2} -> [any, {no, map}];
        {get, 3} -> [any, {no, map}];
        {groups_from_list, 2} -> [{function, 1}, list];
        {groups_from_list, 3} -> [{function, 1}, {function, 1}, list];
        {intersect, 2} -> [map, map];
        {intersect_with, 3} -> [{function, 3}, map, map];
        {is_key, 2} -> [any, {no, map}];
        {iterator, 1} -> [{no, map}];
        {iterator, 2} -> [map];
        {keys, 1} -> [{no, map}];
        {map, 2} -> [{function, 2}, map_or_iterator];
        {merge, 2} -> [map, map];
        {merge_with, 3} -> [{function, 3}, map, map];
        {next, 1} -> [{bad, <<"not a valid iterator">>}];
        {put, 3} -> [any, any, {no, map}];
        {remove, 2} -> [any, {no, map}];
        {size, 1} -> [{no, map}];
        {take, 2} -> [any, {no, map}];
        {to_list, 1} -> [{no, map}];
        {update, 3} -> [any, any, {no, map}];
        {update_with, 3} -> [any, {function, 1}, map];
        {update_with, 4} -> [any, {function, 1}, any, map];
        {values, 1} -> [{no, map}];
        {with, 2} -> [list, map];
        {without, 2} -> [list, map];
        _ -> []
    end.

math(fmod, [_, Divisor] = Args) ->
    Zero = [{bad, outside_domain()} || Divisor == 0],
    erlet_argument:unless_faulty([number, number], Args, [any | Zero]);
math(Function, [_]) ->
    case lists:member(Function, [acos, acosh, asin, atanh, log, log2, log10, sqrt]) of
        true -> [{number, outside_domain()}];
        false -> [number]
    end;
math(_, Args) -> [number || _ <- Args].

outside_domain() -> <<"is outside the domain for this function">>.

%%% re

regular(compile, [_], _) -> [{no, iodata}];
regular(compile, [Pattern, _], Cause) ->
    Fault =
        try re:compile(Pattern) of
            {ok, _} -> any;
            {error, Reason} -> {bad, not_parsed(Reason)}
        catch
            error:_ -> {no, iodata}
        end,
    [Fault | bad_options(Cause)];
regular(inspect, [Pattern, Item], _) ->
    Compiled =
        try re:inspect(Pattern, namelist) of
            _ -> any
        catch
            error:_ -> {bad, <<"not a compiled regular expression">>}
        end,
    [Compiled | [{bad, <<"not a valid item">>} || Compiled =:= any orelse not is_atom(Item)]];
regular(replace, [_, Pattern, _ | Options], Cause) ->
    [iodata, expression(Pattern), iodata | bad_options(Cause, Options)];
regular(_, [_, Pattern | Options], Cause) -> [iodata, expression(Pattern) | bad_options(Cause, Options)];
regular(_, _, _) -> [].

bad_options(Cause, Options) -> [Bad || _ <- Options, Bad <- bad_options(Cause)].

bad_options(badopt) -> [{bad, ?BAD_OPTIONS}];
bad_options(_) -> [].

expression(Pattern) ->
    try re:compile(Pattern) of
        {ok, _} -> any;
        {error, Reason} -> {bad, not_parsed(Reason)}
    catch
        error:_ ->
            try re:run("", Pattern) of
                _ -> any
            catch
                error:_ -> {bad, <<"neither an iodata term nor a compiled regular expression">>}
            end
    end.

not_parsed({Text, At}) ->
    unicode:characters_to_binary(io_lib:format("could not parse regular expression~n~ts on character ~p", [Text, At])).

%%% io

%% The cause is `{io, What}` if there is no such device, else `{device, What}` of it.
io(fwrite, Args, Cause) -> io(format, Args, Cause);
io(Function, Args, {io, What}) ->
    Text = case What of
               arguments -> <<"the device does not exist">>;
               calling_self -> <<"the device is not allowed to be the current process">>;
               terminated -> <<"the device has terminated">>
           end,
    about_device(has_device(Function, length(Args)), Text);
io(Function, Args, {device, What}) ->
    HasDevice = has_device(Function, length(Args)),
    case What of
        {no_translation, From, To} ->
            about_device(HasDevice, io_lib:format("device failed to transcode string from ~p to ~p", [From, To]));
        _ ->
            case posix(What) of
                none -> written(Function, HasDevice, Args, What);
                Text -> about_device(HasDevice, Text) ++ [char_data || Function =:= put_chars]
            end
    end;
io(_, _, _) -> [].

has_device(Function, Arity) ->
    lists:member({Function, Arity}, [{format, 3}, {put_chars, 2}, {put_chars, 3}, {nl, 1}, {write, 2}]).

about_device(true, Text) -> [{bad, Text}];
about_device(false, Text) -> [{general, Text}].

%% What the operating system says, with its name.
posix(Code) when is_atom(Code) ->
    case erl_posix_msg:message(Code) of
        "unknown POSIX error" -> none;
        Text -> io_lib:format("~ts (~tp)", [Text, Code])
    end;
posix(_) -> none.

written(format, true, [_ | Args], Cause) -> [any | formatted(Args, Cause)];
written(format, false, Args, Cause) -> formatted(Args, Cause);
written(put_chars, HasDevice, Args, Cause) ->
    Before = [any || HasDevice],
    Chars = lists:nth(length(Before) + 1, Args),
    case erlet_argument:fault(char_data, Chars) of
        ok -> [unknown(Cause)];
        _ -> Before ++ [char_data]
    end;
written(_, _, _, Cause) -> [unknown(Cause)].

unknown(Cause) -> {general, unicode:characters_to_binary(io_lib:format("unknown error: ~tp", [Cause]))}.

formatted([Format], Cause) -> formatted([Format, []], Cause);
formatted([Format, Args], Cause) ->
    case is_format(Format) of
        false ->
            Missing = (is_pid(Format) orelse is_atom(Format)) andalso is_format(Args),
            [{bad, <<"not a valid format string">>}, list | [no_list() || Missing]];
        true when not is_list(Args) -> [any, list];
        true ->
            case erl_lint:check_format_string(Format) of
                {error, Text} -> [{bad, io_lib:format("format string invalid (~ts)", [Text])}];
                {ok, Types} when length(Types) =/= length(Args) ->
                    [{bad, <<"wrong number of arguments">>} | [no_list() || is_atom(Format)]];
                {ok, Types} -> directives(Format, Types, Args, Cause)
            end
    end.

no_list() -> {general, <<"possibly missing argument list">>}.

is_format(Format) when is_list(Format) ->
    erlet_argument:fault(list, Format) =:= ok andalso lists:all(fun(C) -> is_integer(C) end, Format);
is_format(Format) -> is_atom(Format) orelse is_binary(Format).

directives(Format, Types, Args, Cause) ->
    Numbered = lists:zip3(Types, Args, lists:seq(1, length(Args))),
    case [io_lib:format("element ~B must be of type ~p", [I, name(Type)]) || {Type, Arg, I} <- Numbered, not suits(Type, Arg)] of
        [] when Cause =:= format -> [failed()];
        [] ->
            try io_lib:format(Format, Args) of
                _ -> [unknown(Cause)]
            catch
                _:_ -> [failed()]
            end;
        Faults -> [any, {bad, lists:join("\n", Faults)}]
    end.

failed() -> {bad, <<"failed to format string">>}.

name(int) -> integer;
name(Type) -> Type.

suits(term, _) -> true;
suits(float, Arg) -> is_float(Arg);
suits(int, Arg) -> is_integer(Arg);
suits(string, Arg) when is_atom(Arg); is_binary(Arg) -> true;
suits(string, Arg) when is_list(Arg) ->
    try unicode:characters_to_binary(Arg) of
        _ -> true
    catch
        error:_ -> false
    end;
suits(_, _) -> false.

%%% ets

%% Functions whose first argument is no table, or that say nothing else once the table is wrong; then the rest.
ets(Function, Args, Cause) ->
    case {Function, Args} of
        {match, [_]} -> [{no, continuation}];
        {match_object, [_]} -> [{no, continuation}];
        {select, [_]} -> [{no, continuation}];
        {select_reverse, [_]} -> [{no, continuation}];
        {match_spec_compile, [_]} -> [{no, match_spec}];
        {whereis, _} -> [{bad, bad_name()}];
        {new, [_, _]} when Cause =:= already_exists ->
            erlet_argument:unless_faulty([atom, list], Args, [{bad, name_exists()}]);
        {new, [_, _]} -> erlet_argument:unless_faulty([atom, list], Args, [any, {bad, ?BAD_OPTIONS}]);
        {_, [Table | Others]} ->
            Rule = table(Table, Cause),
            [Rule | ets_others(Function, Others, Cause, Rule =:= any)];
        _ -> []
    end.

bad_name() -> <<"invalid table name (must be an atom)">>.

name_exists() -> <<"table name already exists">>.

table(Table, type) when is_reference(Table) -> {bad, <<"not a valid table identifier">>};
table(_, type) -> {bad, <<"not an atom or a table identifier">>};
table(_, id) -> {bad, <<"the table identifier does not refer to an existing ETS table">>};
table(_, access) -> {bad, <<"the table identifier refers to an ETS table with insufficient access rights">>};
table(_, table_type) ->
    {bad, <<"the table identifier refers to an ETS table of a type not supported by this operation">>};
table(_, _) -> any.

ets_others(Function, Others, Cause, IsTable) ->
    case {Function, Others} of
        {delete_object, [_]} -> [filled_tuple];
        {give_away, [_, _]} -> [heir(Cause, IsTable)];
        {insert, [Objects]} -> objects(Objects);
        {insert_new, [Objects]} -> objects(Objects);
        {lookup_element, [_, _]} when Cause =:= badkey -> [{bad, ?BAD_KEY}, positive];
        {lookup_element, [_, _]} when IsTable ->
            [any, {positive, <<"position is greater than the size of the object">>}];
        {lookup_element, [_, _]} -> [any, positive];
        {rename, [_]} -> [new_name(hd(Others), IsTable)];
        {update_counter, [_, Operation]} -> [counter_key(Cause), counter(Operation, Cause)];
        {update_counter, [_, Operation, Default]} when IsTable -> counter_or(Operation, Default, Cause);
        {update_element, [_, Elements]} -> [any | elements(Elements, Cause, IsTable)];
        {Limited, [_, _]} when Limited =:= match; Limited =:= match_object -> [any, positive];
        {Limited, [Spec, _]} when Limited =:= select; Limited =:= select_count; Limited =:= select_reverse ->
            [match_spec(Spec), positive];
        _ when IsTable -> else_wrong(Function, length(Others));
        _ -> []
    end.

%% What is wrong if it is not the table.
else_wrong(Function, Others) ->
    case {Function, Others} of
        {info, _} -> [{bad, <<"not a valid info item">>}];
        {next, _} -> [{bad, ?BAD_KEY}];
        {prev, _} -> [{bad, ?BAD_KEY}];
        {safe_fixtable, _} -> [{bad, <<"not a boolean value">>}];
        {select, 1} -> [{no, match_spec}];
        {select_count, 1} -> [{no, match_spec}];
        {internal_select_delete, _} -> [{no, match_spec}];
        {select_replace, _} -> [{no, match_spec}];
        {select_reverse, 1} -> [{no, match_spec}];
        {setopts, _} -> [{bad, ?BAD_OPTIONS}];
        {slot, _} -> [{bad, ?RANGE}];
        _ -> []
    end.

heir(owner, _) -> {bad, <<"the process is already the owner of the table">>};
heir(not_owner, _) -> {bad, <<"the current process is not the owner">>};
heir(_, true) -> {pid, <<"the pid refers to a terminated process">>};
heir(_, false) -> pid.

objects(Objects) when is_list(Objects) ->
    Fits = fun(Object) -> is_tuple(Object) andalso Object =/= {} end,
    case erlet_argument:fault(list, Objects) =:= ok andalso lists:all(Fits, Objects) of
        true -> [];
        false -> [{bad, <<"not a non-empty tuple or a list of non-empty tuples">>}]
    end;
objects(_) -> [filled_tuple].

new_name(Name, _) when not is_atom(Name) -> {bad, bad_name()};
new_name(_, true) -> {bad, name_exists()};
new_name(_, false) -> any.

match_spec(Spec) ->
    case ets:is_compiled_ms(Spec) of
        true -> any;
        false ->
            try ets:match_spec_compile(Spec) of
                _ -> any
            catch
                error:_ -> {no, match_spec}
            end
    end.

counter_key(badkey) -> {bad, ?BAD_KEY};
counter_key(_) -> any.

counter(_, keypos) -> {bad, key_place()};
counter(_, position) -> {bad, <<"the position in the update operation is out of range">>};
counter(Operation, none) ->
    case counter_operation(Operation) of
        any -> {bad, <<"the value in the given position, in the object, is not an integer">>};
        Bad -> Bad
    end;
counter(Operation, _) -> counter_operation(Operation).

key_place() -> <<"the position is the same as the key position">>.

counter_or(Operation, Default, Cause) ->
    case Cause of
        badkey -> [{bad, ?BAD_KEY}, counter_operation(Operation), filled_tuple];
        keypos -> [any, {bad, key_place()}, filled_tuple];
        position -> [any, counter(Operation, position)];
        _ ->
            case {counter_operation(Operation), erlet_argument:fault(filled_tuple, Default)} of
                {any, ok} -> [any, counter(Operation, none)];
                {Rule, _} -> [any, Rule, filled_tuple]
            end
    end.

counter_operation(Operation) ->
    case all_fit(fun is_operation/1, Operation) of
        true -> any;
        false -> {bad, <<"not a valid update operation">>}
    end.

is_operation(Step) when is_integer(Step) -> true;
is_operation({At, Step}) -> is_integer(At) andalso is_integer(Step);
is_operation({At, Step, Most, Then}) ->
    is_integer(At) andalso is_integer(Step) andalso is_integer(Most) andalso is_integer(Then);
is_operation(_) -> false.

all_fit(Fits, Terms) when is_list(Terms) -> lists:all(Fits, Terms);
all_fit(Fits, Term) -> Fits(Term).

elements(_, keypos, _) -> [{bad, key_place()}];
elements(Elements, _, IsTable) ->
    Fits = fun({At, _}) -> is_integer(At) andalso At > 0;
              (_) -> false
           end,
    case all_fit(Fits, Elements) of
        true -> [{bad, ?RANGE} || IsTable];
        false -> [{bad, <<"is not a valid element specification">>}]
    end.

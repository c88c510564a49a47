%% What is wrong with the arguments of natives of `erlang`, `atomics`, `counters` and `persistent_term`, and with segments of binaries
%% that cannot be built. The rules are those of `erlet_argument`.
-module(erl_erts_errors).

-export([format_error/2, format_bs_fail/2]).

-define(BAD_OPTION, <<"invalid option in list">>).
-define(DEAD, <<"the pid does not refer to an existing process">>).
-define(RANGE, <<"out of range">>).

-spec format_error(term(), [tuple()]) -> #{pos_integer() => unicode:chardata()}.
format_error(Reason, [{Module, Function, Args, Info} | _]) ->
    Cause = erlet_argument:cause(Info),
    Rules =
        case Module of
            erlang when Reason =:= system_limit -> [];
            erlang -> erlang(Function, Args, Cause);
            atomics -> shared(atomics, Function, Args, Reason, Cause);
            counters -> shared(counters, Function, Args, Reason, Cause);
            persistent_term when Function =:= get -> [{bad, <<"no persistent term stored with this key">>}];
            _ -> []
        end,
    erlet_argument:explain(Rules, Args).

%%% Arrays of shared numbers

shared(Module, new, [_, _], system_limit, _) ->
    [{bad, <<(atom_to_binary(Module))/binary, " array size reached a system limit">>}, list];
shared(_, new, [_, _], _, badopt) -> [positive, {list, ?BAD_OPTION}];
shared(_, new, [_, _], _, _) -> [positive];
shared(_, info, [_], _, _) -> [no_array()];
shared(Module, _, [Array, Index | Values], _, _) ->
    try Module:info(Array) of
        #{size := Size} = Info -> [any, {integer, 1, Size} | values(Module, Size, Index, Values, Info)]
    catch
        error:badarg -> [no_array(), positive | [integer || _ <- Values]]
    end;
shared(_, _, _, _, _) -> [].

no_array() -> {bad, <<"invalid atomics reference">>}.

values(atomics, _, _, Values, #{min := Min, max := Max}) -> [{integer, Min, Max} || _ <- Values];
values(counters, Size, Index, [_ | _], _) when is_integer(Index), Index >= 1, Index =< Size -> [{integer, ?RANGE}];
values(counters, _, _, _, _) -> [].

%%% The functions of `erlang`: those whose rules depend on the arguments or on the cause, then the table of the others

erlang(Function, Args, Cause) ->
    case by_arguments(Function, Args, Cause) of
        table -> table(Function, length(Args));
        Rules -> Rules
    end.

by_arguments(Function, Args, Cause) ->
    case {Function, Args} of
        {atom_to_binary, [_, Encoding]} -> [in_encoding(Encoding), encoding(Encoding)];
        {binary_part, [_, _]} -> part_in(Args, binary);
        {binary_part, [_, _, _]} -> part(Args, binary);
        {binary_to_atom, [Binary]} -> atom_text(Binary, utf8, ok);
        {binary_to_atom, [Binary, Encoding]} -> atom_text(Binary, Encoding, ok);
        {binary_to_existing_atom, [Binary]} -> atom_text(Binary, utf8, no_atom());
        {binary_to_existing_atom, [Binary, Encoding]} -> atom_text(Binary, Encoding, no_atom());
        {binary_to_integer, [_, Base]} -> in_base(binary, Base);
        {binary_to_list, [Binary, Start, Stop]} -> stretch(Binary, Start, Stop);
        {binary_to_term, [_, Options]} -> external(Args, Options, Cause);
        {check_process_code, [_, _, _]} -> [local_pid, atom | [{bad, ?BAD_OPTION} || Cause =:= bad_option]];
        {decode_packet, [_, _, _]} when Cause =:= badopt -> packet_type(Args);
        {garbage_collect, [_, _]} -> [local_pid | [{bad, ?BAD_OPTION} || Cause =:= bad_option]];
        {halt, [_, _]} when Cause =:= badopt -> [any, {list, ?BAD_OPTION}];
        {link, [Pid]} when is_pid(Pid) -> [{bad, ?DEAD}];
        {list_to_existing_atom, [List]} -> [existing_text(List)];
        {list_to_integer, [_, Base]} -> in_base(list, Base);
        {map_get, [_, Map]} when is_map(Map) -> [{bad, <<"not present in map">>}];
        {md5_final, [Context]} -> [digest_context(Context)];
        {md5_update, [Context, _]} -> [digest_context(Context), iodata];
        {memory, [Item]} -> [memory_item(Item)];
        {match_spec_test, [_, _, Type]} -> spec_type(Type);
        {monitor_node, [_, _, _]} when Cause =:= badopt -> [atom, boolean, {list, ?BAD_OPTION}];
        {monitor, [Type | _]} -> watch(Type, Args, Cause);
        {nodes, [Type]} -> [{bad, node_type(Type)}];
        {nodes, [Type, Options]} -> [any_node_type(Type), node_options(Options)];
        {open_port, [Name, Settings]} -> port_name(Name, Settings, Cause);
        {process_flag, _} -> flag(Args, Cause);
        {process_info, [_, _]} ->
            erlet_argument:unless_faulty([local_pid], Args, [any, {bad, <<"invalid item or item list">>}]);
        {register, [Name, Named]} -> name(Name, Named, Cause);
        {fun_info, [_, _]} -> erlet_argument:unless_faulty([function], Args, [any, {bad, <<"invalid item">>}]);
        {is_function, [_, Arity]} when is_integer(Arity) -> [any, {bad, ?RANGE}];
        {split_binary, [Binary, _]} when is_binary(Binary) -> [any, {integer, 0, byte_size(Binary)}];
        {start_timer, _} -> timer(Args, Cause);
        {send_after, _} -> timer(Args, Cause);
        {system_flag, [_, _]} when Cause =:= badopt -> [{bad, <<"invalid system flag">>}];
        _ when Function =:= element; Function =:= setelement; Function =:= delete_element; Function =:= insert_element ->
            [place(Args), tuple];
        _ when Function =:= send; Function =:= send_nosuspend -> to_send(Args, Cause);
        _ -> spawning(Function, Args, Cause)
    end.

%%% Text and binaries

encoding(Encoding) ->
    case lists:member(Encoding, [latin1, unicode, utf8]) of
        true -> any;
        false -> {bad, <<"is an invalid encoding option">>}
    end.

in_encoding(latin1) -> {atom, <<"contains a character not expressible in latin1">>};
in_encoding(_) -> atom.

no_atom() -> <<"not an already existing atom">>.

atom_text(_, latin1, ok) -> [binary];
atom_text(_, latin1, Otherwise) -> [{binary, Otherwise}];
atom_text(Binary, Encoding, _) when Encoding =:= utf8; Encoding =:= unicode ->
    case is_binary(Binary) andalso unicode:characters_to_list(Binary) of
        Chars when is_list(Chars) -> [{bad, no_atom()}];
        _ -> [{binary, <<"invalid UTF8 encoding">>}]
    end;
atom_text(_, _, _) -> [binary, {bad, <<"not one of the atoms: latin1, utf8, or unicode">>}].

existing_text(List) ->
    case erlet_argument:fault(list, List) =:= ok andalso lists:all(fun is_character/1, List) of
        true -> {bad, no_atom()};
        false -> {list, erlet_argument:lacks(characters)}
    end.

is_character(C) -> is_integer(C) andalso C >= 0 andalso C =< 16#10FFFF andalso not (C >= 16#D800 andalso C =< 16#DFFF).

represents(Thing) -> [<<"not a textual representation of ">>, Thing].

in_base(Kind, Base) ->
    case erlet_argument:fault(base, Base) of
        ok -> [{Kind, represents(<<"an integer">>)}];
        Fault -> [Kind, {bad, Fault}]
    end.

part_in([Binary, {At, Length}], Kind) when is_integer(At), is_integer(Length) ->
    [_ | Faults] = Rules = part([Binary, At, Length], Kind),
    case erlet_argument:faultless([any | Faults], [Binary, At, Length]) of
        true -> [hd(Rules)];
        false -> [hd(Rules), {bad, ?RANGE}]
    end;
part_in(_, Kind) -> [Kind, {bad, <<"not a valid {Pos,Length} tuple">>}].

part([Binary, At, _] = Args, Kind) ->
    Where =
        case is_binary(Binary) andalso is_integer(At) andalso At > byte_size(Binary) of
            true -> [any, {bad, ?RANGE}];
            false -> [any, any, {bad, ?RANGE}]
        end,
    erlet_argument:unless_faulty([Kind, natural, integer], Args, Where).

stretch(Binary, Start, Stop) ->
    Rules =
        if
            not is_binary(Binary); not is_integer(Start); not is_integer(Stop) -> [];
            Start > Stop -> [any, {bad, <<"start position greater than stop position">>}];
            true -> [any, {integer, 1, byte_size(Binary)}, {integer, 1, byte_size(Binary)}]
        end,
    erlet_argument:unless_faulty([binary, positive, positive], [Binary, Start, Stop], Rules).

external(Args, Options, Cause) ->
    Rules = [binary | [{list, ?BAD_OPTION} || Cause =:= badopt]],
    What = case erlet_argument:fault(list, Options) =:= ok andalso lists:member(safe, Options) of
               true -> <<"invalid or unsafe external representation of a term">>;
               false -> <<"invalid external representation of a term">>
           end,
    erlet_argument:unless_faulty(Rules, Args, [{bad, What}]).

packet_type([_, Binary, _]) when is_binary(Binary) -> [{bad, <<"invalid packet type">>}, any, {list, ?BAD_OPTION}];
packet_type(_) -> [{bad, <<"invalid packet type">>}, binary, list].

digest_context(Context) when is_binary(Context), byte_size(Context) =/= 88 -> {bad, <<"invalid MD5 context">>};
digest_context(_) -> binary.

spec_type(trace) -> [{no, list}];
spec_type(table) -> [{no, tuple}];
spec_type(_) -> [any, any, {bad, <<"invalid type for match spec">>}].

%%% Tuples

place([_, Tuple | _]) when is_tuple(Tuple) -> {integer, 1, tuple_size(Tuple)};
place([Index | _]) when is_integer(Index), Index =< 0 -> {bad, ?RANGE};
place(_) -> integer.

%%% The system

memory_item(Item) when is_atom(Item) -> {bad, <<"invalid memory type option">>};
memory_item(Items) ->
    case erlet_argument:fault(list, Items) of
        ok -> {bad, ?BAD_OPTION};
        _ -> {bad, <<"not an atom or a list of atoms">>}
    end.

node_type(Type) when is_atom(Type) -> <<"not a valid node type">>;
node_type(Types) when is_list(Types) -> <<"not a list of valid node types">>;
node_type(_) -> <<"not a valid node type or list of valid node types">>.

any_node_type(Type) ->
    Known = [this, connected, visible, hidden, known],
    case lists:member(Type, Known) orelse (is_list(Type) andalso Type -- [T || T <- Type, lists:member(T, Known)] =:= []) of
        true -> any;
        false -> {bad, node_type(Type)}
    end.

node_options(Options) when is_map(Options) ->
    Fits = fun({Key, Value}) -> is_boolean(Value) andalso lists:member(Key, [connection_id, node_type]) end,
    case lists:all(Fits, maps:to_list(Options)) of
        true -> any;
        false -> {bad, <<"invalid options in map">>}
    end;
node_options(_) -> map.

port_name(_, _, badopt) -> [tuple, {bad, ?BAD_OPTION}];
port_name(Name, Settings, _) when is_tuple(Name) ->
    case lists:keymember(args, 1, Settings) andalso element(1, Name) =/= spawn_executable of
        true -> [{bad, <<"must be spawn_executable">>}];
        false -> [{bad, <<"invalid port name">>}]
    end;
port_name(_, _, _) -> [tuple].

%%% Processes

watch(_, [_, _], badtype) -> [{bad, <<"invalid monitor type">>}];
watch(_, [_, _, _], badtype) -> [{bad, <<"invalid monitor type">>}];
watch(Type, Args, Cause) ->
    Item = case Type of
               port -> local_port;
               process -> pid;
               _ -> any
           end,
    [any, Item | [{list, ?BAD_OPTION} || length(Args) =:= 3, Cause =:= badopt]].

flag([_, _], badopt) -> [{bad, <<"invalid process flag">>}];
flag([_, _], _) -> [any, {bad, <<"invalid value for this process flag">>}];
flag([Pid, Flag, _], Cause) ->
    Known = case Flag of
                save_calls -> any;
                _ -> {bad, <<"invalid process flag">>}
            end,
    case Cause of
        badtype -> [{local_pid, ?DEAD}, Known];
        _ -> erlet_argument:unless_faulty([local_pid, Known], [Pid, Flag], [any, any, {bad, <<"invalid value for process flag 'save_calls'">>}])
    end.

name(_, _, registered_name) -> [any, {bad, <<"this process or port already has a name">>}];
name(_, _, notalive) -> [any, {bad, ?DEAD}];
name(Name, Named, _) ->
    Rules = [case Name of
                 undefined -> {bad, <<"'undefined' is not a valid name">>};
                 _ -> atom
             end,
             if
                 is_pid(Named) -> local_pid;
                 is_port(Named) -> local_port;
                 true -> {bad, <<"not a pid or port">>}
             end],
    erlet_argument:unless_faulty(Rules, [Name, Named], [{bad, <<"name is in use">>}]).

timer([_, To, _ | Options], Cause) ->
    Time = case Cause of
               time -> {natural, <<"exceeds the maximum supported time value">>};
               _ -> natural
           end,
    Destination = if
                      is_pid(To) -> local_pid;
                      is_atom(To) -> any;
                      true -> {bad, <<"not a pid or an atom">>}
                  end,
    Option = case Cause of
                 badopt -> {list, ?BAD_OPTION};
                 _ -> list
             end,
    [Time, Destination, any | [Option || _ <- Options]].

to_send([_, _, _], badopt) -> [any, any, {list, ?BAD_OPTION}];
to_send(_, _) -> [{no, destination}].

%%% Spawning

spawning(Function, Args, Cause) when Function =:= spawn; Function =:= spawn_link; Function =:= spawn_monitor ->
    case {Args, Cause} of
        {[_], _} -> [{no, function}];
        {[_, _], _} -> [atom, function];
        {[_, _, _], _} -> [atom, atom, list];
        {[_, _, _, _], _} -> [atom, atom, atom, list]
    end;
spawning(spawn_opt, Args, Cause) ->
    Options = [{list, <<"invalid spawn option">>} || Cause =:= badopt],
    case length(Args) of
        2 -> [function | Options];
        3 -> [atom, function | Options];
        4 -> [atom, atom, list | Options];
        5 -> [atom, atom, atom, list | Options]
    end;
spawning(spawn_request, Args, Cause) ->
    Options = [{bad, ?BAD_OPTION} || Cause =:= badopt],
    case Args of
        [_] -> [{no, function}];
        [F, _] when is_function(F) -> [any | Options];
        [_, F] when is_function(F) -> [{no, atom}];
        [Node, _] when is_atom(Node) -> [any, {no, function}];
        [_, _] -> [{bad, <<"not a fun or an atom">>}];
        [_, F, _] when is_function(F), Cause =:= badopt -> [atom, any, {list, ?BAD_OPTION}];
        [_, F, _] when is_function(F) -> [atom, any, list];
        [_, _, _] -> [atom, atom, list];
        [_, _, F, _] when is_atom(F) -> [atom, atom, atom, list];
        [_, _, _, _] -> [atom, atom, list | Options];
        [_, _, _, _, _] -> [atom, atom, atom, list | Options]
    end;
spawning(suspend_process, [Pid], _) when Pid =:= self() -> [{bad, <<"the pid refers to the current process">>}];
spawning(suspend_process, [_, _], badopt) -> [local_pid, {list, ?BAD_OPTION}];
spawning(suspend_process, [Pid, _], _) -> spawning(suspend_process, [Pid], none);
spawning(suspend_process, [_], _) -> [{local_pid, ?DEAD}];
spawning(_, _, _) -> table.

%%% The table

table(Function, Arity) ->
    case {Function, Arity} of
        {abs, 1} -> [{no, number}];
        {adler32, 1} -> [{no, iodata}];
        {adler32, 2} -> [word, iodata];
        {adler32_combine, 3} -> [word, word, natural];
        {alias, 1} -> [{list, ?BAD_OPTION}];
        {append, 2} -> [{no, list}];
        {append_element, 2} -> [{no, tuple}];
        {apply, 3} -> [atom, atom, list];
        {atom_to_binary, 1} -> [{no, atom}];
        {atom_to_list, 1} -> [{no, atom}];
        {binary_to_float, 1} -> [{binary, represents(<<"a float">>)}];
        {binary_to_integer, 1} -> [{binary, represents(<<"an integer">>)}];
        {binary_to_list, 1} -> [{no, binary}];
        {binary_to_term, 1} -> [{binary, <<"invalid external representation of a term">>}];
        {bit_size, 1} -> [{no, bitstring}];
        {bitstring_to_list, 1} -> [{no, bitstring}];
        {bump_reductions, 1} -> [natural];
        {byte_size, 1} -> [{no, bitstring}];
        {cancel_timer, 1} -> [{no, reference}];
        {cancel_timer, 2} -> [reference, options];
        {ceil, 1} -> [{no, number}];
        {check_old_code, 1} -> [{no, atom}];
        {check_process_code, 2} -> [local_pid, atom];
        {convert_time_unit, 3} -> [integer, time_unit, time_unit];
        {crc32, 1} -> [{no, iodata}];
        {crc32, 2} -> [word, iodata];
        {crc32_combine, 3} -> [word, word, natural];
        {decode_packet, 3} -> [any, binary, options];
        {delete_module, 1} -> [{no, atom}];
        {demonitor, 1} -> [{no, reference}];
        {demonitor, 2} -> [reference, options];
        {display_string, 1} -> [{no, characters}];
        {exit, 2} -> [{no, pid}];
        {exit_signal, 2} -> [{no, pid}];
        {external_size, 2} -> [any, {list, ?BAD_OPTION}];
        {float, 1} -> [{no, number}];
        {float_to_binary, 1} -> [{no, float}];
        {float_to_binary, 2} -> [float, options];
        {float_to_list, 1} -> [{no, float}];
        {float_to_list, 2} -> [float, options];
        {floor, 1} -> [{no, number}];
        {fun_info, 1} -> [{no, function}];
        {fun_info_mfa, 1} -> [{no, function}];
        {fun_to_list, 1} -> [{no, function}];
        {function_exported, 3} -> [atom, atom, natural];
        {garbage_collect, 1} -> [local_pid];
        {get_cookie, 1} -> [atom];
        {group_leader, 2} -> [pid, pid];
        {halt, 1} -> [{bad, <<"invalid status">>}];
        {halt, 2} -> [{bad, <<"invalid status">>}];
        {hd, 1} -> [{no, cons}];
        {hibernate, 3} -> [atom, atom, list];
        {integer_to_binary, 1} -> [{no, integer}];
        {integer_to_binary, 2} -> [integer, base];
        {integer_to_list, 1} -> [{no, integer}];
        {integer_to_list, 2} -> [integer, base];
        {iolist_size, 1} -> [{no, iodata}];
        {iolist_to_binary, 1} -> [{no, iodata}];
        {iolist_to_iovec, 1} -> [{no, iodata}];
        {is_builtin, 3} -> [atom, atom, natural];
        {is_function, 2} -> [any, {no, integer}];
        {is_map_key, 2} -> [any, {no, map}];
        {is_process_alive, 1} -> [{no, pid}];
        {is_record, 2} -> [{no, atom}];
        {is_record, 3} -> [any, atom, integer];
        {length, 1} -> [{no, list}];
        {link, 1} -> [{no, pid}];
        _ -> second_half(Function, Arity)
    end.

second_half(Function, Arity) ->
    case {Function, Arity} of
        {list_to_atom, 1} -> [{list, erlet_argument:lacks(characters)}];
        {list_to_binary, 1} -> [{no, iolist}];
        {list_to_bitstring, 1} -> [{no, bit_list}];
        {list_to_float, 1} -> [{proper, represents(<<"a float">>)}];
        {list_to_integer, 1} -> [{proper, represents(<<"an integer">>)}];
        {list_to_pid, 1} -> [{proper, represents(<<"a pid">>)}];
        {list_to_port, 1} -> [{proper, represents(<<"a port">>)}];
        {list_to_ref, 1} -> [{proper, represents(<<"a reference">>)}];
        {list_to_tuple, 1} -> [{no, list}];
        {load_module, 2} -> [atom, binary];
        {load_nif, 2} -> [{bad, <<"not a valid path name">>}];
        {localtime_to_universaltime, 1} -> [local_time];
        {localtime_to_universaltime, 2} -> [local_time, dst];
        {make_fun, 3} -> [atom, atom, natural];
        {make_tuple, 2} -> [{bad, ?RANGE}];
        {make_tuple, 3} -> [natural, any, options];
        {map_get, 2} -> [any, {no, map}];
        {map_size, 1} -> [{no, map}];
        {md5, 1} -> [{no, iodata}];
        {module_loaded, 1} -> [{no, atom}];
        {monitor_node, 2} -> [atom, boolean];
        {monitor_node, 3} -> [atom, boolean, list];
        {monotonic_time, 1} -> [{no, time_unit}];
        {node, 1} -> [{no, pid}];
        {phash, 2} -> [any, positive];
        {phash2, 2} -> [any, positive];
        {pid_to_list, 1} -> [{no, pid}];
        {port_call, 3} -> [local_port, word];
        {port_close, 1} -> [local_port];
        {port_command, 2} -> [local_port, iodata];
        {port_command, 3} -> [local_port, iodata, options];
        {port_connect, 2} -> [local_port, local_pid];
        {port_control, 3} -> [local_port, word, iodata];
        {port_info, 1} -> [local_port];
        {port_info, 2} -> [local_port, {bad, ?BAD_OPTION}];
        {port_to_list, 1} -> [{no, port}];
        {posixtime_to_universaltime, 1} -> [{no, integer}];
        {process_info, 1} -> [local_pid];
        {purge_module, 1} -> [atom];
        {read_timer, 1} -> [{no, reference}];
        {read_timer, 2} -> [reference, options];
        {ref_to_list, 1} -> [{no, reference}];
        {resume_process, 1} -> [{local_pid, <<"process is not suspended or is not alive">>}];
        {round, 1} -> [{no, number}];
        {set_cookie, 1} -> [atom];
        {size, 1} -> [{bad, <<"not tuple or binary">>}];
        {spawn_request_abandon, 1} -> [{no, reference}];
        {split_binary, 2} -> [binary, natural];
        {statistics, 1} -> [{bad, <<"invalid statistics item">>}];
        {subtract, 2} -> [list, list];
        {system_flag, 2} -> [any, {bad, <<"invalid value for this system flag">>}];
        {system_info, 1} -> [{bad, <<"invalid system info item">>}];
        {system_time, 1} -> [{no, time_unit}];
        {term_to_binary, 2} -> [any, {list, ?BAD_OPTION}];
        {term_to_iovec, 2} -> [any, {list, ?BAD_OPTION}];
        {time_offset, 1} -> [{no, time_unit}];
        {tl, 1} -> [{no, cons}];
        {trunc, 1} -> [{no, number}];
        {tuple_size, 1} -> [{no, tuple}];
        {tuple_to_list, 1} -> [{no, tuple}];
        {unalias, 1} -> [{no, reference}];
        {unique_integer, 1} -> [{list, <<"invalid modifier">>}];
        {universaltime_to_localtime, 1} -> [{no, universal_time}];
        {universaltime_to_posixtime, 1} -> [{no, universal_time}];
        {unlink, 1} -> [{no, pid}];
        {unregister, 1} -> [{no, pid}];
        {whereis, 1} -> [{no, atom}];
        _ -> []
    end.

%%% Segments that cannot be built

%% The cause is `{Segment, Type, What, Value}`.
-spec format_bs_fail(term(), [tuple()]) -> #{general | reason => unicode:chardata()}.
format_bs_fail(Reason, [{_, _, _, Info} | _]) ->
    {_, ErrorInfo} = lists:keyfind(error_info, 1, Info),
    case ErrorInfo of
        #{cause := {Place, Type, What, Value}} ->
            Segment = maps:get(override_segment_position, ErrorInfo, Place),
            Print = maps:get(pretty_printer, ErrorInfo, fun shortened/1),
            Text = io_lib:format("segment ~p of type '~ts': ~ts", [Segment, Type, segment(Reason, Type, What, Value, Print)]),
            #{general => unicode:characters_to_binary(Text), reason => <<"construction of binary failed">>};
        #{} -> #{}
    end.

segment(system_limit, binary, binary, size, _) ->
    ["the size of the binary/bitstring is too large (exceeding ", integer_to_list((1 bsl 31) - 1), " bits)"];
segment(system_limit, _, size, Value, _) -> io_lib:format("the size ~p is too large", [Value]);
segment(_, float, invalid, Value, _) ->
    io_lib:format("expected one of the supported sizes 16, 32, or 64 but got: ~p", [Value]);
segment(_, float, no_float, Value, Print) -> ["the value ", Print(Value), " is outside the range expressible as a float"];
segment(_, binary, unit, Value, Print) ->
    ["the size of the value ", Print(Value), " is not a multiple of the unit for the segment"];
segment(_, _, short, Value, Print) -> ["the value ", Print(Value), " is shorter than the size of the segment"];
segment(_, _, size, Value, Print) -> ["expected a non-negative integer as size but got: ", Print(Value)];
segment(_, Type, type, Value, Print) -> ["expected ", wanted(Type), " but got: ", Print(Value)].

wanted(binary) -> "a binary";
wanted(float) -> "a float or an integer";
wanted(integer) -> "an integer";
wanted(Type) -> ["a non-negative integer encodable as ", atom_to_list(Type)].

%% Long values without their middle.
shortened(Integer) when is_integer(Integer) ->
    Digits = integer_to_list(Integer),
    case length(Digits) of
        N when N < 48 -> Digits;
        N -> [lists:sublist(Digits, 12), "..." | lists:nthtail(N - 12, Digits)]
    end;
shortened(Bits) when is_bitstring(Bits), byte_size(Bits) < 16 -> io_lib:format("~p", [Bits]);
shortened(Bits) when is_bitstring(Bits) ->
    Skip = byte_size(Bits) - 10,
    <<Begin:8/binary, _:Skip/binary, End/bitstring>> = Bits,
    [lists:droplast(lists:droplast(bytes(Begin))), "...," | lists:nthtail(2, bytes(End))];
shortened(Value) -> io_lib:format("~P", [Value, 20]).

bytes(Bits) -> lists:flatten(io_lib:format("~w", [Bits])).

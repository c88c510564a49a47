%% What the language itself knows: functions that need no module name, those allowed in guards, and the operators.
-module(erl_internal).

-export([bif/2, bif/3, guard_bif/2, type_test/2, new_type_test/2, old_type_test/2, op_type/2,
         arith_op/2, bool_op/2, comp_op/2, list_op/2, send_op/2,
         is_type/2]).

%% Is it an auto-imported function of `erlang`? Arities by name.
-spec bif(atom(), arity()) -> boolean().
bif(Name, Arity) -> guard_bif(Name, Arity) orelse lists:member(Arity, auto_imported(Name)).

bif(erlang, Name, Arity) -> bif(Name, Arity);
bif(_, _, _) -> false.

auto_imported(Name) ->
    case Name of
        alias -> [0, 1];
        apply -> [2, 3];
        binary_to_list -> [1, 3];
        check_process_code -> [2, 3];
        demonitor -> [1, 2];
        erase -> [0, 1];
        error -> [1, 2, 3];
        exit -> [1, 2];
        garbage_collect -> [0, 1, 2];
        get -> [0, 1];
        get_keys -> [0, 1];
        group_leader -> [0, 2];
        halt -> [0, 1, 2];
        list_to_integer -> [1, 2];
        monitor -> [2, 3];
        nodes -> [0, 1, 2];
        port_command -> [2, 3];
        process_flag -> [2, 3];
        process_info -> [1, 2];
        spawn -> [1, 2, 3, 4];
        spawn_link -> [1, 2, 3, 4];
        spawn_monitor -> [1, 2, 3, 4];
        spawn_opt -> [2, 3, 4, 5];
        spawn_request -> [1, 2, 3, 4, 5];
        _ -> auto_imported_1(Name)
    end.

auto_imported_1(Name) ->
    OneOrTwo = [atom_to_binary, binary_to_atom, binary_to_existing_atom, binary_to_integer, binary_to_term, float_to_binary,
                float_to_list, integer_to_binary, integer_to_list, term_to_binary, term_to_iovec],
    None = [date, is_alive, make_ref, now, pre_loaded, processes, registered, time],
    One = [atom_to_list, binary_to_float, bitstring_to_list, check_old_code, delete_module, disconnect_node, iolist_size,
           iolist_to_binary, is_process_alive, link, list_to_atom, list_to_binary, list_to_bitstring,
           list_to_existing_atom, list_to_float, list_to_pid, list_to_port, list_to_ref, list_to_tuple, module_loaded,
           pid_to_list, port_close, port_to_list, purge_module, ref_to_list, spawn_request_abandon, statistics, throw,
           tuple_to_list, unalias, unlink, unregister, whereis],
    Two = [load_module, max, min, monitor_node, open_port, port_connect, put, register, split_binary],
    Three = [port_control, setelement],
    [1 || lists:member(Name, OneOrTwo)] ++ [2 || lists:member(Name, OneOrTwo)] ++ [0 || lists:member(Name, None)]
        ++ [1 || lists:member(Name, One)] ++ [2 || lists:member(Name, Two)] ++ [3 || lists:member(Name, Three)].

-spec guard_bif(atom(), arity()) -> boolean().
guard_bif(Name, 1) ->
    new_type_test(Name, 1) orelse
        lists:member(Name, [abs, bit_size, byte_size, ceil, float, floor, hd, length, map_size, node, round, size, tl, trunc,
                            tuple_size]);
guard_bif(Name, 0) -> Name =:= self orelse Name =:= node;
guard_bif(Name, 2) -> new_type_test(Name, 2) orelse lists:member(Name, [binary_part, element, is_map_key, map_get]);
guard_bif(Name, 3) -> Name =:= is_record orelse Name =:= binary_part;
guard_bif(_, _) -> false.

type_test(Name, Arity) -> new_type_test(Name, Arity) orelse old_type_test(Name, Arity).

new_type_test(Name, 1) ->
    lists:member(Name, [is_atom, is_binary, is_bitstring, is_boolean, is_float, is_function, is_integer, is_list, is_map,
                        is_number, is_pid, is_port, is_reference, is_tuple]);
new_type_test(Name, 2) -> Name =:= is_function orelse Name =:= is_record;
new_type_test(Name, 3) -> Name =:= is_record;
new_type_test(_, _) -> false.

old_type_test(Name, 1) ->
    lists:member(Name, [atom, binary, float, function, integer, list, number, pid, port, reference, tuple]);
old_type_test(Name, 2) -> Name =:= record;
old_type_test(_, _) -> false.

%%% Operators

op_type(Op, Arity) ->
    Kinds = [{arith, fun arith_op/2}, {bool, fun bool_op/2}, {comp, fun comp_op/2}, {list, fun list_op/2}, {send, fun send_op/2}],
    [Kind | _] = [Kind || {Kind, Is} <- Kinds, Is(Op, Arity)],
    Kind.

arith_op(Op, 1) -> lists:member(Op, ['+', '-', 'bnot']);
arith_op(Op, 2) -> lists:member(Op, ['+', '-', '*', '/', 'div', 'rem', 'band', 'bor', 'bxor', 'bsl', 'bsr']);
arith_op(_, _) -> false.

bool_op('not', 1) -> true;
bool_op(Op, 2) -> lists:member(Op, ['and', 'or', 'xor']);
bool_op(_, _) -> false.

comp_op(Op, 2) -> lists:member(Op, ['==', '/=', '=<', '<', '>=', '>', '=:=', '=/=']);
comp_op(_, _) -> false.

list_op(Op, 2) -> Op =:= '++' orelse Op =:= '--';
list_op(_, _) -> false.

send_op(Op, Arity) -> Op =:= '!' andalso Arity =:= 2.

%% Is it a type of the language, with so many parameters?
-spec is_type(atom(), non_neg_integer()) -> boolean().
is_type(Name, Arity) ->
    case Name of
        list -> Arity =< 1;
        nonempty_list -> Arity =< 1;
        maybe_improper_list -> Arity =:= 0 orelse Arity =:= 2;
        nonempty_maybe_improper_list -> Arity =:= 0 orelse Arity =:= 2;
        nonempty_improper_list -> Arity =:= 2;
        dynamic -> Arity =:= 0;
        _ -> Arity =:= 0 andalso lists:member(Name, simple_types())
    end.

simple_types() ->
    [any, arity, atom, binary, bitstring, bool, boolean, byte, char, float, function, identifier, integer, iodata, iolist, map, mfa,
     module, neg_integer, nil, no_return, node, non_neg_integer, none, nonempty_binary, nonempty_bitstring, nonempty_string,
     number, pid, port, pos_integer, reference, string, term, timeout, tuple].

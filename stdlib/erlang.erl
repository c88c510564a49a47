%% The functions of `erlang` that need not be native: those of nodes, for a system that is a node by itself, and what others can
%% say. All others are natives (`src/bif/erlang`, `src/bif/process`); what both have, the native has.
-module(erlang).

-export([adler32_combine/3, decode_packet/3, exit_signal/2, iolist_to_iovec/1, load_module/2, match_spec_test/3,
         term_to_iovec/1, term_to_iovec/2]).
-export([disconnect_node/1, get_cookie/0, get_cookie/1, monitor_node/2, monitor_node/3, nodes/1, nodes/2, ports/0, pre_loaded/0,
         set_cookie/1, set_cookie/2, spawn_monitor/2, spawn_monitor/4]).

-compile({no_auto_import, [nodes/1, nodes/2, monitor_node/2, spawn_monitor/2, spawn_monitor/4, ports/0, pre_loaded/0,
                           disconnect_node/1, iolist_to_iovec/1, load_module/2, term_to_iovec/1, term_to_iovec/2]}).

%% What explains these errors, as OTP has it.
-define(INFO, [{error_info, #{module => erl_erts_errors}}]).
-define(INFO(Cause), [{error_info, #{module => erl_erts_errors, cause => Cause}}]).

%%% Data

%% The largest prime below 2^16: the sums of Adler-32 are taken modulo it.
-define(ADLER_BASE, 65521).
-define(IS_WORD(N), is_integer(N), N >= 0, N =< 16#ffffffff).

%% The checksum of two pieces of data from theirs and the size of the second.
-spec adler32_combine(non_neg_integer(), non_neg_integer(), non_neg_integer()) -> non_neg_integer().
adler32_combine(First, Second, Size) when ?IS_WORD(First), ?IS_WORD(Second), ?IS_WORD(Size) ->
    {A1, B1} = {First band 16#ffff, First bsr 16},
    {A2, B2} = {Second band 16#ffff, Second bsr 16},
    A = (A1 + A2 + ?ADLER_BASE - 1) rem ?ADLER_BASE,
    B = (B1 + B2 + Size rem ?ADLER_BASE * (A1 + ?ADLER_BASE - 1)) rem ?ADLER_BASE,
    B bsl 16 bor A;
adler32_combine(First, Second, Size) -> error(badarg, [First, Second, Size], ?INFO).

%% The first packet of a stream.
-spec decode_packet(term(), bitstring(), list()) -> {ok, term(), bitstring()} | {more, undefined | non_neg_integer()} | {error, term()}.
decode_packet(Type, Binary, Options) ->
    case erlet_packet:decode(Type, Binary, Options) of
        badtype -> error(badarg, [Type, Binary, Options], ?INFO(badopt));
        badarg -> error(badarg, [Type, Binary, Options], ?INFO);
        Result -> Result
    end.

%% As one binary.
-spec iolist_to_iovec(iodata()) -> [binary()].
iolist_to_iovec(Data) ->
    try iolist_to_binary(Data) of
        <<>> -> [];
        Binary -> [Binary]
    catch
        error:badarg -> error(badarg, [Data], ?INFO)
    end.

%% Code is what `code:get_object_code/1` gives. The version that was current becomes old, so there must be no old one.
-spec load_module(module(), binary()) -> {module, module()} | {error, badfile | not_purged | on_load_failure}.
load_module(Module, Code) when is_atom(Module), is_binary(Code) ->
    case erlang:check_old_code(Module) of
        true -> {error, not_purged};
        false -> code:load_binary(Module, "", Code)
    end;
load_module(Module, Code) -> error(badarg, [Module, Code], ?INFO).

-spec term_to_iovec(term()) -> [binary()].
term_to_iovec(Term) -> [term_to_binary(Term)].

-spec term_to_iovec(term(), list()) -> [binary()].
term_to_iovec(Term, Options) ->
    try [term_to_binary(Term, Options)]
    catch
        error:badarg -> error(badarg, [Term, Options], ?INFO)
    end.

%% Match specifications of tables only: there is no tracing.
-spec match_spec_test(tuple(), list(), table) -> {ok, term(), [], []} | {error, list()}.
match_spec_test(Object, Spec, table) when is_tuple(Object) ->
    try ets:test_ms(Object, Spec) of
        {ok, Result} -> {ok, Result, [], []};
        {error, Errors} -> {error, Errors}
    catch
        error:_ -> error(badarg, [Object, Spec, table], ?INFO)
    end;
match_spec_test(Object, Spec, Type) -> error(badarg, [Object, Spec, Type], ?INFO).

%%% Nodes: there is this one alone

-define(THIS, nonode@nohost).

-spec exit_signal(pid(), term()) -> true.
exit_signal(Pid, Reason) when is_pid(Pid) -> exit(Pid, Reason);
exit_signal(Pid, Reason) -> error(badarg, [Pid, Reason], ?INFO).

-spec disconnect_node(node()) -> ignored.
disconnect_node(_) -> ignored.

-spec get_cookie() -> nocookie.
get_cookie() -> nocookie.

-spec get_cookie(node()) -> nocookie.
get_cookie(Node) when is_atom(Node) -> nocookie;
get_cookie(Node) -> error(badarg, [Node], ?INFO).

-spec set_cookie(atom()) -> no_return().
set_cookie(Cookie) when is_atom(Cookie) -> error(distribution_not_started);
set_cookie(Cookie) -> error(badarg, [Cookie], ?INFO).

-spec set_cookie(node(), atom()) -> no_return().
set_cookie(Node, Cookie) when is_atom(Node), Node =/= ?THIS, is_atom(Cookie) -> error(distribution_not_started);
set_cookie(Node, Cookie) -> error(badarg, [Node, Cookie], ?INFO).

-spec monitor_node(node(), boolean()) -> true.
monitor_node(?THIS, Flag) when is_boolean(Flag) -> true;
monitor_node(Node, Flag) when is_atom(Node), Node =/= ?THIS -> error(notalive, [Node, Flag], ?INFO);
monitor_node(Node, Flag) -> error(badarg, [Node, Flag], ?INFO).

-spec monitor_node(node(), boolean(), [allow_passive_connect]) -> true.
monitor_node(Node, Flag, Options) ->
    Args = [Node, Flag, Options],
    case is_list(Options) andalso lists:all(fun(Option) -> Option =:= allow_passive_connect end, Options) of
        false -> error(badarg, Args, ?INFO(badopt));
        true when Node =:= ?THIS, is_boolean(Flag) -> true;
        true when is_atom(Node), Node =/= ?THIS -> error(notalive, Args, ?INFO);
        true -> error(badarg, Args, ?INFO)
    end.

-spec nodes(atom() | [atom()]) -> [node()].
nodes(Types) ->
    case own(Types) of
        badarg -> error(badarg, [Types], ?INFO);
        Nodes -> Nodes
    end.

-spec nodes(atom() | [atom()], map()) -> [{node(), map()}].
nodes(Types, Options) ->
    case own(Types) of
        Nodes when is_list(Nodes), is_map(Options) ->
            Infos = [{Key, info(Key)} || {Key, true} <- maps:to_list(Options)],
            case [Key || {Key, Wanted} <- maps:to_list(Options), not is_boolean(Wanted) orelse info(Key) =:= none] of
                [] -> [{Node, maps:from_list(Infos)} || Node <- Nodes];
                _ -> error(badarg, [Types, Options], ?INFO)
            end;
        _ -> error(badarg, [Types, Options], ?INFO)
    end.

info(connection_id) -> undefined;
info(node_type) -> this;
info(_) -> none.

%% This node, if it is of one of the types.
own(Type) when is_atom(Type) -> own([Type]);
own(Types) when is_list(Types) ->
    try lists:all(fun(Type) -> lists:member(Type, [visible, hidden, connected, this, known]) end, Types) of
        true -> [?THIS || lists:member(this, Types) orelse lists:member(known, Types)];
        false -> badarg
    catch
        error:_ -> badarg
    end;
own(_) -> badarg.

%% There are none.
-spec ports() -> [].
ports() -> [].

-spec pre_loaded() -> [module()].
pre_loaded() -> [persistent_term, counters, atomics, erlang].

-spec spawn_monitor(node(), fun(() -> term())) -> {pid(), reference()}.
spawn_monitor(?THIS, F) when is_function(F, 0) -> erlang:spawn_monitor(F);
spawn_monitor(Node, F) -> error(badarg, [Node, F], ?INFO).

-spec spawn_monitor(node(), module(), atom(), [term()]) -> {pid(), reference()}.
spawn_monitor(?THIS, M, F, Args) when is_atom(M), is_atom(F), length(Args) >= 0 -> erlang:spawn_monitor(M, F, Args);
spawn_monitor(Node, M, F, Args) -> error(badarg, [Node, M, F, Args], ?INFO).

%% Calls library functions with all kinds of arguments, right and wrong, and writes down what comes of each call: the value, or
%% class, reason, first entry of the stack trace, and the words for the arguments. Run on two systems, the files are to be equal.
%%
%%     sweep:main([Exports, Out, Seed, Count, Module...])
%%
%% The file Exports lists the functions; where it is not there it is written, with those of this system.
-module(sweep).
-export([main/1, call/3]).

%% A call that takes longer is one of a huge number of things.
-define(PATIENCE_MS, 300).

main([Exports, Out, Seed, Count | Modules]) ->
    Names = [list_to_atom(Module) || Module <- Modules],
    filelib:is_regular(Exports) orelse file:write_file(Exports, [io_lib:format("~p.~n", [{M, exports(M)}]) || M <- Names]),
    {ok, Functions} = file:consult(Exports),
    Lines = [function(M, F, A, list_to_integer(Seed), list_to_integer(Count)) || {M, FAs} <- Functions, {F, A} <- FAs],
    ok = file:write_file(Out, unicode:characters_to_binary(Lines)).

exports(M) ->
    {module, M} = code:ensure_loaded(M),
    Skipped = skipped(M),
    lists:usort([FA || {F, _} = FA <- M:module_info(exports), F =/= module_info, not lists:member(F, Skipped)]).

%% What ends the system, waits, answers differently each time, or is OTP's own business.
skipped(erlang) ->
    [F || {F, _} <- erlang:module_info(exports), lists:any(fun(Prefix) -> lists:prefix(Prefix, atom_to_list(F)) end,
        ["dist_", "dt_", "port_", "trace", "seq_trace", "system_", "load_", "finish_", "prepare_", "display", "alloc_", "garbage_",
         "gather_", "process_display", "dmonitor", "open_port", "spawn", "set_cpu", "time", "mono", "universaltime", "localtime", "unique", "now",
         "date", "halt", "hibernate", "call_on_load", "delay", "fun_info", "fun_to", "phash", "processes", "ports", "registered", "loaded", "pre_",
         "memory", "get_module_info", "purge", "delete_module", "crasher", "yield", "set_cookie", "setnode", "disconnect", "suspend",
         "send_after", "start_timer", "convert_time", "has_prepared", "nif_error", "md5_init", "format_cpu", "group_leader", "apply", "nodes",
         "module_loaded", "term_to", "external_size", "make_ref", "posixtime", "bump", "list_to_port", "is_builtin", "statistics", "register"])];
skipped(lists) -> [zf];
skipped(ets) ->
    [all, i, info, whereis, give_away, tab2file, file2tab, tabfile_info, table, to_dets, from_dets, fun2ms, test_ms, init_table,
     match_delete, select_delete, delete_all_objects, tab2list, match_spec_run, match_spec_run_r, repair_continuation,
     internal_request_all, internal_delete_all, internal_select_delete];
skipped(unicode) -> [characters_to_binary_int, characters_to_list_int];
skipped(re) -> [grun, urun, ucompile, internal_run];
skipped(io) ->
    [request, requests, read, fread, get_line, get_chars, get_password, scan_erl_exprs, scan_erl_form, parse_erl_exprs, parse_erl_form,
     getopts, setopts];
skipped(os) -> [cmd, find_executable, set_signal, getpid, timestamp, perf_counter, system_time];
skipped(persistent_term) -> [info];
skipped(_) -> [].

values() ->
    {0, 1, -1, 2, 3, 1.5, -2.0, 1 bsl 70, -(1 bsl 70), a, true, false, undefined, '', [], [1, 2, 3], "abc", [a | b], [1, 2 | 3],
     [{a, 1}, {b, 2}], [{1, 2} | x], [[1], [2, 3]], {}, {a, 1}, {1, 2, 3}, <<>>, <<"abc">>, <<1:3>>, <<255, 0>>, #{},
     #{a => 1, b => 2}, fun(X) -> X end, fun(X, Y) -> {X, Y} end, fun(_) -> true end, fun() -> ok end, [<<"ab">>, "c", $d],
     [1024, 2], "12", "1.5", <<"12">>, 16, 255, infinity, {0, 2}, {1, 1}, [{0, 1}], [global], latin1, unicode, [[a], [b]],
     [a, b, c]}.

function(_, _, A, _, _) when A =:= 0; A > 5 -> [];
function(M, F, A, Seed, Count) -> [one(M, F, Args) || Args <- combinations(A, Count, erlang:phash2({M, F, A, Seed}))].

combinations(0, _, _) -> [[]];
combinations(_, 0, _) -> [];
combinations(A, N, Chance) ->
    {Args, Next} = pick(A, Chance, []),
    [Args | combinations(A, N - 1, Next)].

pick(0, Chance, Args) -> {Args, Chance};
pick(A, Chance, Args) ->
    Next = (Chance * 1103515245 + 12345) band 16#7fffffff,
    pick(A - 1, Next, [element((Next bsr 8) rem tuple_size(values()) + 1, values()) | Args]).

one(M, F, Args) ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() -> Self ! {self(), ?MODULE:call(M, F, Args)} end),
    Outcome =
        receive
            {Pid, Text} -> Text;
            {'DOWN', Ref, _, _, _} -> "died"
        after ?PATIENCE_MS ->
            exit(Pid, kill),
            "timeout"
        end,
    demonitor(Ref, [flush]),
    io_lib:format("~w:~w~w -> ~ts~n", [M, F, [plain(Arg) || Arg <- Args], Outcome]).

call(M, F, Args) ->
    try apply(M, F, Args) of
        Value -> outcome(M, Value)
    catch
        Class:Reason:Stack -> io_lib:format("! ~w ~w @ ~ts ~ts", [Class, plain(Reason), entry(Stack), words(Reason, Stack)])
    end.

%% Functions that look outside only have to succeed.
outcome(M, _) when M =:= os; M =:= io; M =:= ets -> "ok";
outcome(_, Value) -> io_lib:format("~w", [plain(Value)]).

entry([{?MODULE, call, _, _} | _]) -> "caller";
entry([{M, F, A, Info} | _]) ->
    io_lib:format("~w", [{M, F, if is_list(A) -> plain(A); true -> A end, [Item || {error_info, _} = Item <- Info]}]);
entry([]) -> "nothing".

words(Reason, [{_, _, _, Info} | _] = Stack) ->
    case lists:keyfind(error_info, 1, Info) of
        {_, #{module := Explainer}} ->
            try lists:sort([{I, unicode:characters_to_binary(Text)} || {I, Text} <- maps:to_list(Explainer:format_error(Reason, Stack))]) of
                Texts -> [io_lib:format("~w: ~ts; ", [I, Text]) || {I, Text} <- Texts]
            catch
                error:_ -> "unexplained"
            end;
        false -> ""
    end;
words(_, []) -> "".

%% Terms without what no two systems have in common.
plain(F) when is_function(F) -> {'fun', element(2, erlang:fun_info(F, arity))};
plain(P) when is_pid(P) -> pid;
plain(R) when is_reference(R) -> ref;
plain([H | T]) -> [plain(H) | plain(T)];
plain(T) when is_tuple(T) -> list_to_tuple(plain(tuple_to_list(T)));
plain(M) when is_map(M) -> {map, lists:sort([{plain(K), plain(V)} || {K, V} <- maps:to_list(M)])};
plain(B) when is_bitstring(B), bit_size(B) > 10000 -> {long, bit_size(B)};
plain(I) when is_integer(I), abs(I) > 1 bsl 2000 -> {huge, erlang:phash2(I)};
plain(X) -> X.

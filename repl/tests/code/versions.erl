%% A module is replaced, deleted and purged while processes run it. What is printed stands in versions.txt, as Erlang/OTP 25
%% prints it (where each version is compiled to a file first).
-module(versions).
-export([main/1]).

main(_) ->
    write("1"),
    show(not_loaded, code:is_loaded(w)),
    show(version, w:v()),
    show(ensure, element(1, code:ensure_loaded(w))),
    F = w:f(),
    Pid = spawn(w, old, []),
    show(local, ask(Pid, local)),
    write("2"),
    show(load, code:load_file(w)),
    show(new_export, {w:v(), w:g2()}),
    show(lost_export, catch w:g1()),
    show(local_and_remote, {ask(Pid, local), ask(Pid, remote)}),
    show(old_fun, F()),
    show(soft_purge, code:soft_purge(w)),
    show(old_code, {erlang:check_old_code(w), erlang:check_process_code(Pid, w), erlang:check_process_code(self(), w)}),
    write("3"),
    show(load_third, code:load_file(w)),
    Pid ! {self(), switch},
    show(switched, ask(Pid, local)),
    show(process, erlang:check_process_code(Pid, w)),
    show(soft_purge, code:soft_purge(w)),
    show(load, code:load_file(w)),
    show(versions, {w:v(), ask(Pid, local), ask(Pid, remote)}),
    show(purged_fun, catch F()),
    Monitor = monitor(process, Pid),
    show(purge, code:purge(w)),
    receive {'DOWN', Monitor, _, _, Reason} -> show(killed, Reason) end,
    show(purge_again, code:purge(w)),
    show(delete, {code:delete(w), code:is_loaded(w), erlang:check_old_code(w)}),
    show(delete_again, code:delete(w)),
    show(purge_deleted, code:purge(w)),
    write("4"),
    show(load_by_call, w:v()),
    show(nowhere, {code:load_file(nope), code:ensure_loaded(nope), code:purge(nope), code:soft_purge(nope), code:delete(nope)}),
    show(which, {code:which(nope), is_list(code:which(w))}),
    {w, Code, File} = code:get_object_code(w),
    show(load_binary, {code:load_binary(w, File, Code), w:v()}),
    show(load_rubbish, code:load_binary(w, File, <<1, 2>>)),
    show(sticky, code:load_file(lists)),
    show(all_loaded, lists:keymember(w, 1, code:all_loaded())),
    show(purge, code:purge(w)),
    holder(),
    show(wrong, catch code:load_file("x")),
    show(no_old, catch erlang:purge_module(w)),
    show(no_module, erlang:delete_module(nope)),
    show(info, {w:module_info(module), erlang:module_loaded(w)}),
    show(exported, {erlang:function_exported(w, g4, 0), erlang:function_exported(w, g5, 0)}).

%% A process that holds no more than a fun of the old version does not keep it.
holder() ->
    Self = self(),
    Pid = spawn(fun() ->
                        F = w:f(),
                        Self ! ready,
                        receive go -> ok end,
                        Self ! {result, catch F()}
                end),
    receive ready -> ok end,
    write("5"),
    show(load, code:load_file(w)),
    show(soft_purge, code:soft_purge(w)),
    Pid ! go,
    receive {result, Result} -> show(fun_of_no_version, Result) end.

ask(Pid, How) ->
    Pid ! {self(), How},
    receive Answer -> Answer end.

write(V) ->
    ok = file:write_file("w.erl",
                         ["-module(w).\n-export([v/0, f/0, g", V, "/0, old/0]).\n"
                          "v() -> ", V, ".\n"
                          "f() -> fun() -> ", V, " end.\n"
                          "g", V, "() -> ", V, ".\n"
                          "old() ->\n"
                          "    receive\n"
                          "        {From, local} -> From ! v(), old();\n"
                          "        {From, remote} -> From ! w:v(), old();\n"
                          "        {_, switch} -> w:old()\n"
                          "    end.\n"]),
    case code:which(compile) of
        non_existing -> ok;
        _ -> {ok, w} = apply(compile, file, [w])
    end.

show(What, {'EXIT', {{badfun, F}, _}}) when is_function(F) -> io:format("~p: badfun~n", [What]);
show(What, {'EXIT', {Reason, [{M, F, A, _} | _]}}) -> io:format("~p: ~p~n", [What, {Reason, M, F, A}]);
show(What, Value) -> io:format("~p: ~p~n", [What, Value]).

%% Modules with an -on_load function: good, refusing, failing.
-module(on_load).
-export([main/1]).

main(_) ->
    lists:foreach(fun run/1, [{good, "ok"}, {quiet, "false"}, {loud, "{error, lists:seq(1, 40)}"}, {leaving, "exit(bye)"}]),
    %% All who call it meanwhile wait for the one that loads it.
    write(slow, "timer:sleep(100), ok"),
    Self = self(),
    [spawn(fun() -> Self ! slow:f() end) || _ <- lists:seq(1, 3)],
    show(slow, [receive X -> X end || _ <- lists:seq(1, 3)]),
    show(runs, persistent_term:get(slow)).

run({Module, Result}) ->
    write(Module, Result),
    show(Module, catch Module:f()),
    show(Module, {code:is_loaded(Module) =/= false, code:ensure_loaded(Module), code:load_file(Module)}),
    show(runs, persistent_term:get(Module)).

write(Module, Result) ->
    Name = atom_to_list(Module),
    ok = file:write_file(Name ++ ".erl",
                         ["-module(", Name, ").\n-export([f/0]).\n-on_load(init/0).\n"
                          "f() -> {f, g()}.\n"
                          "g() -> persistent_term:get(", Name, ") > 0.\n"
                          "init() -> persistent_term:put(", Name, ", persistent_term:get(", Name, ", 0) + 1), ", Result, ".\n"]),
    case code:which(compile) of
        non_existing -> ok;
        _ -> {ok, Module} = apply(compile, file, [Module])
    end.

show(What, {'EXIT', {Reason, [{M, F, A, _} | _]}}) -> io:format("~p: ~p~n", [What, {Reason, M, F, A}]);
show(What, Value) -> io:format("~p: ~p~n", [What, Value]).

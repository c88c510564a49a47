%% Code that was deleted and is to wane works as long as there are funs of it, in whatever process or message, and as long as a process
%% runs it; then it goes by itself.
%% never on OTP: there is no such purge.
%% expect: none is old: false
%% expect: a fun in a heap: 1
%% expect: a fun that came as a message: 2
%% expect: a fun in a table: 3
%% expect: a constant fun: ok
%% expect: it runs: 4
%% expect: all but the table's have gone: [true,true,true,true,true]
%% expect: the table's is there: true
-module(old_code_wanes_when_the_last_of_its_funs_has_gone).
-export([main/0]).

main() ->
    io:format("none is old: ~p~n", [erlet_code:wane(waning_none)]),
    Self = self(),
    Table = ets:new(table, [public]),
    Heap = spawn(fun() -> hold(made(waning_heap, 1)) end),
    Late = spawn(fun() -> receive {fun_is, Fun} -> hold(Fun) end end),
    Late ! {fun_is, made(waning_message, 2)},
    ets:insert(Table, {key, made(waning_table, 3)}),
    Constant = spawn(fun() -> hold(constant(waning_constant)) end),
    Runner = runner(waning_runner, Self),
    unused(waning_unused),
    %% Code goes in rounds; what is still needed must outlive some.
    rounds(30),
    io:format("a fun in a heap: ~p~n", [ask(Heap)]),
    io:format("a fun that came as a message: ~p~n", [ask(Late)]),
    io:format("a fun in a table: ~p~n", [(ets:lookup_element(Table, key, 2))()]),
    io:format("a constant fun: ~p~n", [ask(Constant)]),
    Runner ! {stop, 4},
    io:format("it runs: ~p~n", [receive {Runner, Answer} -> Answer end]),
    Gone = [waning_heap, waning_message, waning_constant, waning_runner, waning_unused],
    io:format("all but the table's have gone: ~p~n", [[gone(Module, 500) || Module <- Gone]]),
    io:format("the table's is there: ~p~n", [erlang:check_old_code(waning_table)]).

made(Module, Value) -> wane(Module, Module:make(load(Module, Value))).

constant(Module) ->
    load(Module, 0),
    wane(Module, Module:constant()).

runner(Module, Self) ->
    load(Module, 0),
    wane(Module, spawn(Module, run, [Self])).

unused(Module) -> wane(Module, load(Module, 0)).

wane(Module, Value) ->
    true = erlang:delete_module(Module),
    true = erlet_code:wane(Module),
    Value.

hold(Fun) -> receive {ask, From} -> From ! {self(), Fun()} end.

ask(Holder) ->
    Holder ! {ask, self()},
    receive {Holder, Answer} -> Answer end.

rounds(0) -> ok;
rounds(N) ->
    unused(waning_round),
    true = gone(waning_round, 500),
    rounds(N - 1).

%% Whether the old code goes; each look asks for another round.
gone(_, 0) -> false;
gone(Module, N) ->
    case erlang:check_old_code(Module) of
        false -> true;
        true ->
            erlet_code:wane(Module),
            receive after 5 -> gone(Module, N - 1) end
    end.

load(Module, Value) ->
    Text =
        "-module(" ++ atom_to_list(Module) ++ "). -export([make/1, constant/0, run/1]). "
        "make(X) -> fun() -> X end. constant() -> fun() -> ok end. "
        "run(From) -> receive {stop, X} -> From ! {self(), X} end. ",
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Module, Code} = compile:forms(forms(Tokens, []), []),
    {module, Module} = code:load_binary(Module, "waning.beam", Code),
    Value.

forms([], []) -> [];
forms([{dot, _} = Dot | Tokens], Form) ->
    {ok, Parsed} = erl_parse:parse_form(lists:reverse([Dot | Form])),
    [Parsed | forms(Tokens, [])];
forms([Token | Tokens], Form) -> forms(Tokens, [Token | Form]).

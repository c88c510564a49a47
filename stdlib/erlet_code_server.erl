%% The process `code_server`: loads modules, one after the other, and runs their `-on_load` functions.
%%
%% A call of a function whose module is not there arrives in undefined/3, by itself if the module takes more than a look into
%% memory. While a module's `-on_load` function runs in a process of its own, those who want the module wait, and others are served.
%%
%% It also takes the steps in which purged code is freed.
%%
%% This module uses natives only: it is what finds all others.
-module(erlet_code_server).

-export([start/0, undefined/3, undefined_fun/2, load/1]).

%% A module being loaded: its name, the process that runs its -on_load function with the monitor, and who waits.
-record(pending, {module, pid, monitor, waiting}).

-spec start() -> no_return().
start() -> loop([], infinity).

%% After so many milliseconds, the next step of freeing purged code is taken.
loop(Pending, Wait) ->
    receive
        {load, From, Ref, Request} -> loop(request(Request, {From, Ref}, Pending), step(Wait));
        {'DOWN', Monitor, process, _, Result} -> loop(done(Monitor, Result, Pending), step(Wait));
        purge -> loop(Pending, erlet_code:free_purged());
        _ -> loop(Pending, step(Wait))
    after Wait -> loop(Pending, erlet_code:free_purged())
    end.

%% Requests may come faster than the time passes.
step(infinity) -> infinity;
step(_) -> erlet_code:free_purged().

%% The call of a function that is not there.
undefined(Module, Function, Args) ->
    load({missing, Module}),
    erlet_code:looked_for(Module, Function, length(Args)),
    apply(Module, Function, Args).

%% The call of a fun whose code is not there. If its module, once loaded, has no such fun any more, the fun is a bad one.
undefined_fun(Fun, Args) ->
    {module, Module} = erlang:fun_info(Fun, module),
    Loaded = load({missing, Module}),
    case erlet_code:is_defined(Fun) of
        true -> apply(Fun, Args);
        false ->
            try error(undef)
            catch error:undef:Trace ->
                    [_ | Stack] = Trace,
                    case Loaded of
                        {module, _} -> erlang:raise(error, {badfun, Fun}, Stack);
                        _ -> erlang:raise(error, undef, [{Fun, Args, []} | Stack])
                    end
            end
    end.

%% `{missing, Module}`, `{new, Module, Ticket}` or `{binary, Module, File, Code, Ticket}`: `{module, Module}` or an error. Tickets are
%% for those who may load code.
load(Request) ->
    case whereis(code_server) of
        Server when is_pid(Server), Server =/= self() ->
            Ref = monitor(process, Server),
            Server ! {load, self(), Ref, Request},
            receive
                {Ref, Result} ->
                    demonitor(Ref, [flush]),
                    Result;
                {'DOWN', Ref, process, _, _} -> perform(Request)
            end;
        _ -> perform(Request)
    end.

perform({missing, Module}) -> erlet_code:load(Module, missing);
perform({new, Module, Ticket}) -> permitted(Ticket, fun() -> erlet_code:load(Module, new) end);
perform({binary, Module, File, Code, Ticket}) -> permitted(Ticket, fun() -> erlet_code:load_binary(Module, File, Code) end).

permitted(Ticket, Load) ->
    case erlet_code:take_ticket(Ticket) of
        true -> Load();
        false -> {error, eacces}
    end.

request(Request, {From, _} = Client, Pending) ->
    Module = element(2, Request),
    case find(Module, #pending.module, Pending) of
        %% The function itself calls its module's exports, which are not there yet.
        #pending{pid = From} ->
            answer(Client, {error, on_load_failure}),
            Pending;
        #pending{waiting = Waiting} = Entry ->
            [Entry#pending{waiting = [Client | Waiting]} | remove(Entry, Pending)];
        false ->
            case perform(Request) of
                {on_load, Module} ->
                    {Pid, Monitor} = spawn_monitor(fun() -> exit({'-on_load-', Module:'-on_load-'()}) end),
                    [#pending{module = Module, pid = Pid, monitor = Monitor, waiting = [Client]} | Pending];
                Result ->
                    answer(Client, Result),
                    Pending
            end
    end.

answer({From, Ref}, Result) -> From ! {Ref, Result}.

done(Monitor, Result, Pending) ->
    case find(Monitor, #pending.monitor, Pending) of
        false -> Pending;
        #pending{module = Module, waiting = Waiting} = Entry ->
            Answer =
                case Result of
                    {'-on_load-', ok} ->
                        erlet_code:on_load_done(Module, true),
                        {module, Module};
                    _ ->
                        erlet_code:on_load_done(Module, false),
                        complain(Module, Result),
                        {error, on_load_failure}
                end,
            tell(Waiting, Answer),
            remove(Entry, Pending)
    end.

tell([Client | Waiting], Answer) ->
    tell(Waiting, Answer),
    answer(Client, Answer);
tell([], _) -> ok.

%% A function may refuse quietly, by an atom. (The logger is not called from here: it might have to be loaded first.)
complain(Module, {'-on_load-', Value}) -> complain(Module, Value);
complain(_, Value) when is_atom(Value) -> ok;
complain(Module, Value) ->
    spawn(fun() -> logger:log(warning, "The on_load function for module ~s returned:~n~P\n", [Module, Value, 10]) end),
    ok.

find(Key, Position, [Entry | _]) when element(Position, Entry) =:= Key -> Entry;
find(Key, Position, [_ | Pending]) -> find(Key, Position, Pending);
find(_, _, []) -> false.

remove(Entry, [Entry | Pending]) -> Pending;
remove(Entry, [Other | Pending]) -> [Other | remove(Entry, Pending)].

%% Ends the processes of a machine in order, for the host that stops it.
%%
%% Those that nobody inside has started come first: a supervisor among them ends what it has started itself. Whoever is left when
%% half of the time has passed is asked as well. The machine's own servers are spared, since others write by them until the end.
-module(erlet_shutdown).
-export([stop/1]).

%% What is left after so many milliseconds: `{Pid, Name, InitialCall, CurrentFunction, Messages, Reductions}` of each.
-spec stop(non_neg_integer()) -> [tuple()].
stop(Time) ->
    Own = [self() | [Pid || Name <- own(), Pid <- [whereis(Name)], is_pid(Pid)]],
    Processes = [Pid || Pid <- processes() -- Own, not is_host(Pid)],
    Watched = maps:from_list([{monitor(process, Pid), Pid} || Pid <- Processes]),
    Now = erlang:monotonic_time(millisecond),
    ask([Pid || Pid <- Processes, is_first(Pid)]),
    Left = await(Watched, Now + Time div 2),
    ask(maps:values(Left)),
    describe(maps:values(await(Left, Now + Time))).

own() -> [user, standard_error, logger, code_server].

%% It is a mailbox of the host's, or watches for it.
is_host(Pid) -> process_info(Pid, initial_call) =:= {initial_call, {erlang, native, 0}}.

%% Nobody inside the machine has started it, or whoever has is gone.
is_first(Pid) ->
    case process_info(Pid, parent) of
        {parent, Parent} when is_pid(Parent) -> not is_process_alive(Parent);
        _ -> true
    end.

ask(Pids) -> lists:foreach(fun(Pid) -> exit(Pid, shutdown) end, Pids).

await(Watched, _) when map_size(Watched) =:= 0 -> Watched;
await(Watched, Until) ->
    receive
        {'DOWN', Reference, process, _, _} -> await(maps:remove(Reference, Watched), Until)
    after max(0, Until - erlang:monotonic_time(millisecond)) -> Watched
    end.

describe(Pids) ->
    Items = [registered_name, initial_call, current_function, message_queue_len, reductions],
    [description(Pid, Info) || Pid <- Pids, Info <- [process_info(Pid, Items)], Info =/= undefined].

description(Pid, [{_, Name}, {_, Initial}, {_, Current}, {_, Messages}, {_, Reductions}]) ->
    {Pid, name(Name), text(Initial), text(Current), Messages, Reductions}.

name([]) -> undefined;
name(Name) -> atom_to_binary(Name).

text({Module, Function, Arity}) -> iolist_to_binary(io_lib:format("~tw:~tw/~b", [Module, Function, Arity]));
text(undefined) -> <<"undefined">>.

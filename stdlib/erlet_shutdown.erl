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
    Remaining = describe(maps:values(await(Left, Now + Time))),
    %% Last words reach the host: a mailbox hands over what it was sent after it has answered, so with the second answer the first is done.
    [is_host(Pid) || _ <- [first, second], Pid <- processes()],
    Remaining.

own() -> [user, standard_error, logger, code_server].

%% It is a mailbox of the host's, or watches for it.
is_host(Pid) -> process_info(Pid, initial_call) =:= {initial_call, {erlang, native, 0}}.

%% Nobody inside the machine has started it, or whoever has is gone.
is_first(Pid) ->
    case process_info(Pid, parent) of
        {parent, Parent} when is_pid(Parent) -> not is_process_alive(Parent);
        _ -> true
    end.

%% Servers and supervisors that trap exits end with their parent, and take any other exit for a message. So whoever traps exits is told
%% that its parent has ended, and that it has itself: a server that was started without a link is its own parent.
ask(Pids) -> lists:foreach(fun ask_one/1, Pids).

ask_one(Pid) ->
    case process_info(Pid, [trap_exit, parent]) of
        [{trap_exit, true}, {parent, Parent}] -> [Pid ! {'EXIT', Whose, shutdown} || Whose <- [Parent, Pid], is_pid(Whose)];
        _ -> exit(Pid, shutdown)
    end.

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

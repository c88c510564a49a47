%% Job control: the shells there are, and which of them has the terminal.
%%
%% The process `erlet_jobs` is the first of an interactive machine. It starts shells and gives the *turn* to the current one: a
%% shell asks for its turn before it reads. The menu (Ctrl-G while typing, Ctrl-\ while something is evaluated) reads commands
%% until one of them gives the terminal back to a shell. A shell that dies is replaced if it was the current one.
-module(erlet_jobs).

-export([start/0, turn/0, menu/0, interrupt/0, interrupt/1, current/0]).

%% jobs: numbers and shells, newest first. waiting: shells that asked for their turn. menu: whether the menu has the terminal.
-record(state, {jobs = [], current = 0, next = 1, waiting = [], menu = false}).

-spec start() -> no_return().
start() ->
    register(erlet_jobs, self()),
    loop(new_job(#state{})).

%% Waits until the caller may read from the terminal.
turn() ->
    erlet_jobs ! {turn, self()},
    ok.

%% Opens the menu.
menu() ->
    erlet_jobs ! menu,
    ok.

%% Stops what the current shell evaluates.
interrupt() ->
    erlet_jobs ! interrupt,
    ok.

%% The same, by a key: the interrupt of that number.
interrupt(Number) ->
    erlet_jobs ! {interrupt, Number},
    ok.

%% The current shell.
current() ->
    Ref = make_ref(),
    erlet_jobs ! {current, self(), Ref},
    receive {Ref, Shell} -> Shell after 1000 -> undefined end.

new_job(#state{jobs = Jobs, next = Number} = State) ->
    {Shell, _} = spawn_monitor(fun() -> erlet_shell:start(Number) end),
    State#state{jobs = [{Number, Shell} | Jobs], current = Number, next = Number + 1}.

loop(#state{menu = Menu, waiting = Waiting, jobs = Jobs, current = Current} = State) ->
    receive
        {turn, Shell} -> loop(next_turn(State#state{waiting = [Shell | Waiting]}));
        menu when Menu -> loop(State);
        menu ->
            io:put_chars("\nUser switch command (h for help)\n"),
            ask(),
            loop(State#state{menu = true});
        {line, Line} -> loop(command(Line, State));
        interrupt ->
            interrupt(Current, interrupt, State),
            loop(State);
        {interrupt, _} = Interrupt ->
            interrupt(Current, Interrupt, State),
            loop(State);
        {current, From, Ref} ->
            From ! {Ref, shell(Current, State)},
            loop(State);
        {'DOWN', _, process, Shell, _} ->
            Left = State#state{jobs = lists:keydelete(Shell, 2, Jobs), waiting = lists:delete(Shell, Waiting)},
            case shell(Current, State) of
                Shell when Menu -> loop(Left#state{current = 0});
                Shell ->
                    io:put_chars("*** the shell has died; here is another\n"),
                    loop(next_turn(new_job(Left)));
                _ -> loop(Left)
            end;
        _ -> loop(State)
    end.

shell(Number, #state{jobs = Jobs}) ->
    case lists:keyfind(Number, 1, Jobs) of
        {_, Shell} -> Shell;
        false -> undefined
    end.

%% The current shell may read, if it asked and nobody else does.
next_turn(#state{menu = true} = State) -> State;
next_turn(#state{current = Current, waiting = Waiting} = State) ->
    Shell = shell(Current, State),
    case lists:member(Shell, Waiting) of
        true ->
            Shell ! turn,
            State#state{waiting = lists:delete(Shell, Waiting)};
        false -> State
    end.

interrupt(Number, Interrupt, State) ->
    case shell(Number, State) of
        undefined -> io:put_chars("no such job\n");
        Shell -> Shell ! Interrupt
    end.

%%% The menu

ask() ->
    Self = self(),
    spawn(fun() -> Self ! {line, erlet_host:call(line, [<<" --> ">>])} end).

command(eof, State) -> back(State);
command(Line, State) when is_binary(Line) ->
    case string:lexemes(unicode:characters_to_list(Line), " \n") of
        [] -> again(State);
        [Command | Args] -> command(Command, Args, State)
    end;
command(_, State) -> again(State).

command("c", Args, State) ->
    Number = number(Args, State),
    case shell(Number, State) of
        undefined -> unknown(State);
        _ -> back(State#state{current = Number})
    end;
command("i", Args, State) ->
    interrupt(number(Args, State), interrupt, State),
    again(State);
command("k", Args, #state{jobs = Jobs, current = Current} = State) ->
    Number = number(Args, State),
    case shell(Number, State) of
        undefined -> unknown(State);
        Shell ->
            exit(Shell, kill),
            %% It is gone for whoever reads on here, whenever its death becomes known.
            Next = if Number =:= Current -> 0; true -> Current end,
            again(State#state{jobs = lists:keydelete(Number, 1, Jobs), current = Next})
    end;
command("j", _, State) ->
    lists:foreach(fun({Number, _}) ->
                          Mark = if Number =:= State#state.current -> "*"; true -> "" end,
                          io:format("~4w~s {erlet_shell,start,[~w]}~n", [Number, Mark, Number])
                  end, lists:sort(State#state.jobs)),
    again(State);
command("s", _, State) -> again(new_job(State));
command("q", _, _) -> halt(0);
command(Help, _, State) when Help =:= "h"; Help =:= "?" ->
    io:put_chars("  c [nn]            - connect to job\n"
                 "  i [nn]            - interrupt job\n"
                 "  k [nn]            - kill job\n"
                 "  j                 - list all jobs\n"
                 "  s                 - start a shell\n"
                 "  q                 - leave\n"
                 "  ? | h             - this message\n"),
    again(State);
command(_, _, State) -> unknown(State).

unknown(State) ->
    io:put_chars("unknown command or job; h for help\n"),
    again(State).

number([], #state{current = Current}) -> Current;
number([Text | _], _) ->
    try list_to_integer(Text)
    catch error:badarg -> 0
    end.

again(State) ->
    ask(),
    State.

%% The terminal goes to the current shell, which may be a new one.
back(State) ->
    case shell(State#state.current, State) of
        undefined -> next_turn(new_job(State#state{menu = false}));
        _ -> next_turn(State#state{menu = false})
    end.

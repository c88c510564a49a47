%% A state machine made of functions and selective receive: a door with a code lock.
%%
%%     erlet run examples/door.erl
%%
%% Each state is a function, and each waits only for the messages that mean something in that state. What comes
%% too early is not lost: it stays in the mailbox until a state asks for it.
-module(door).
-export([main/1]).

main(_) ->
    Self = self(),
    Door = spawn_link(fun() -> locked([1, 2, 3, 4], [], Self) end),
    %% The visitor is hasty: pushes first, then types a wrong code, then the right one.
    Door ! push,
    [Door ! {digit, D} || D <- [9, 9, 9, 9, 1, 2, 3, 4]],
    Door ! close,
    Door ! {ask, Self},
    print_events().

%% Locked: only digits count. A push waits in the mailbox.
locked(Code, Typed, Owner) when length(Typed) =:= length(Code) ->
    case lists:reverse(Typed) of
        Code -> Owner ! {event, unlocked}, closed(Code, Owner);
        Wrong -> Owner ! {event, {wrong_code, Wrong}}, locked(Code, [], Owner)
    end;
locked(Code, Typed, Owner) ->
    receive
        {digit, D} -> locked(Code, [D | Typed], Owner);
        {ask, From} -> From ! {state, locked}, locked(Code, Typed, Owner)
    end.

%% Unlocked but closed: a push opens it; left alone, it locks itself again.
closed(Code, Owner) ->
    receive
        push -> Owner ! {event, opened}, open(Code, Owner)
    after 50 ->
        Owner ! {event, locked_again},
        locked(Code, [], Owner)
    end.

open(Code, Owner) ->
    receive
        close -> Owner ! {event, closed}, locked(Code, [], Owner)
    end.

%% Prints what the door tells, until it answers the question for its state.
print_events() ->
    receive
        {event, Event} -> io:format("~w~n", [Event]), print_events();
        {state, State} -> io:format("the door is ~p~n", [State])
    end.

%% A chat room: one process for the room, one for each guest.
%%
%%     erlet run examples/chat.erl
%%
%% The room keeps a map from pid to name and monitors its guests, so it notices when one leaves without saying
%% goodbye. Each guest keeps what it heard and tells it at the end, so that the printed order does not
%% depend on who runs first.
-module(chat).
-export([main/1]).

main(_) ->
    Room = spawn_link(fun() -> room(#{}) end),
    Ada = guest(Room, "Ada"),
    Joe = guest(Room, "Joe"),
    Bob = guest(Room, "Bob"),
    say(Ada, "Hello, everyone."),
    say(Joe, "Hi Ada!"),
    exit(Bob, kill),
    wait_until_gone(Bob, Room),
    say(Ada, "Where is Bob?"),
    [io:format("~s heard:~n~s", [Name, heard(Guest)]) || {Name, Guest} <- [{"Ada", Ada}, {"Joe", Joe}]],
    ok.

%% --- the room

room(Guests) ->
    receive
        {enter, Pid, Name, From} ->
            monitor(process, Pid),
            tell(Guests, [Name, " enters"]),
            From ! {entered, Pid},
            room(Guests#{Pid => Name});
        {say, Pid, Text, From} ->
            tell(Guests, [maps:get(Pid, Guests), ": ", Text]),
            From ! said,
            room(Guests);
        {'DOWN', _, process, Pid, _Reason} ->
            {Name, Rest} = maps:take(Pid, Guests),
            tell(Rest, [Name, " is gone"]),
            room(Rest);
        {present, Pid, From} ->
            From ! {present, maps:is_key(Pid, Guests)},
            room(Guests)
    end.

tell(Guests, Line) ->
    [Pid ! {heard, Line} || Pid <- maps:keys(Guests)].

%% --- a guest

guest(Room, Name) ->
    Guest = spawn(fun() -> listen(Room, []) end),
    Room ! {enter, Guest, Name, self()},
    receive
        {entered, Guest} -> Guest
    end.

listen(Room, Lines) ->
    receive
        {heard, Line} -> listen(Room, [Line | Lines]);
        {say, Text, From} -> Room ! {say, self(), Text, From}, listen(Room, Lines);
        {what, From} -> From ! {lines, lists:reverse(Lines)}, listen(Room, Lines)
    end.

say(Guest, Text) ->
    Guest ! {say, Text, self()},
    receive
        said -> ok
    end.

heard(Guest) ->
    Guest ! {what, self()},
    receive
        {lines, Lines} -> [["  ", Line, "\n"] || Line <- Lines]
    end.

wait_until_gone(Guest, Room) ->
    Room ! {present, Guest, self()},
    receive
        {present, true} -> wait_until_gone(Guest, Room);
        {present, false} -> ok
    end.

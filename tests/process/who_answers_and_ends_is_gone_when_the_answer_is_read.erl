%% A server that answers and ends has no name and no tables any more when the one it answered looks, also after a pause in which
%% other schedulers have fallen asleep, and when it has told others of its end first.
%% plain only: elsewhere slices end anywhere, also between the answer and the end
-module(who_answers_and_ends_is_gone_when_the_answer_is_read).
-export([main/0, init/1, handle_call/3, handle_cast/2, terminate/2]).

main() ->
    show([few(fun() -> plain(Pause) end) || Pause <- [none, 1]]),
    show([few(fun() -> server(Pause) end) || Pause <- [none, 1]]),
    show([few(fun() -> started_by_another(Pause) end) || Pause <- [none, 1]]).

%% On several schedulers the operating system may stop the server just then: seldom.
few(Round) ->
    Seen = [Round() || _ <- lists:seq(1, 100)],
    case length([seen || true <- Seen]) of
        Few when Few =< 30 -> few;
        Many -> {many, Many}
    end.

plain(Pause) ->
    Me = self(),
    Other = spawn(fun() -> receive stop -> ok end end),
    Server = spawn(fun() ->
        register(server, self()),
        ets:new(table, [named_table, public]),
        Me ! ready,
        receive stop -> ok end,
        Other ! stop,
        Me ! stopped
    end),
    receive ready -> ok end,
    pause(Pause),
    Server ! stop,
    receive stopped -> ok end,
    seen().

server(Pause) ->
    Other = spawn(fun() -> receive stop -> ok end end),
    {ok, Pid} = gen_server:start({local, server}, ?MODULE, Other, []),
    pause(Pause),
    ok = gen_server:call(Pid, stop),
    seen().

%% The one that stops it ends, too, and who hears of that looks.
started_by_another(Pause) ->
    {_, Monitor} = spawn_monitor(fun() ->
        Other = spawn(fun() -> receive stop -> ok end end),
        {ok, Pid} = gen_server:start_link({local, server}, ?MODULE, Other, []),
        pause(Pause),
        ok = gen_server:call(Pid, stop)
    end),
    receive {'DOWN', Monitor, process, _, normal} -> ok end,
    seen().

pause(none) -> ok;
pause(Time) -> timer:sleep(Time).

%% Whether a trace of the server is there, which is gone when this returns.
seen() ->
    Seen = whereis(server) =/= undefined orelse ets:whereis(table) =/= undefined,
    gone(),
    Seen.

gone() ->
    case whereis(server) of
        undefined -> ok;
        _ -> erlang:yield(), gone()
    end.

init(Other) ->
    table = ets:new(table, [named_table, public]),
    {ok, Other}.

handle_call(stop, _, Other) -> {stop, normal, ok, Other}.

handle_cast(_, Other) -> {noreply, Other}.

terminate(normal, Other) -> Other ! stop.

show(X) -> io:format("~p~n", [X]).

%% expect: [few,few]
%% expect: [few,few]
%% expect: [few,few]

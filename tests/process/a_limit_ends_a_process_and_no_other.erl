%% Who uses more than it may ends with {limit, What}, which it cannot catch; what it spawned is counted with it.
%% never on OTP: there are no such limits.
-module(a_limit_ends_a_process_and_no_other).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    show(ends(#{reductions => 5000}, fun() -> loop() end)),
    show(ends(#{reductions => 5000}, fun() -> process_flag(trap_exit, true), stubborn() end)),
    show(ends(#{processes => 4}, fun() -> bomb() end)),
    show(ends(#{atoms => 3}, fun() -> atoms(0) end)),
    show(ends(#{memory => 300000}, fun() -> grow([]) end)),
    show(ends(#{memory => 300000}, fun() -> lists:seq(1, 1000000) end)),
    show(ends(#{mailbox_messages => 50}, fun() -> flood() end)),
    show(ends(#{mailbox_bytes => 5000}, fun() -> flood() end)),
    show(ends(#{ets_bytes => 5000}, fun() -> rows(ets:new(t, []), 0) end)),
    show(ends(#{wall_time => 20}, fun() -> receive never -> ok end end)),
    show(ends(#{reductions => 100000, memory => 10000000}, fun() -> ok end)),
    %% A child cannot have more than its parent.
    show(ends(#{processes => 3}, fun() -> exit(ends(#{processes => 1000}, fun() -> bomb() end)) end)),
    %% What a child does counts for its parent, too.
    show(ends(#{reductions => 20000},
              fun() ->
                      {P, R} = spawn_monitor(fun() -> loop() end),
                      receive {'DOWN', R, process, P, Why} -> exit(Why) end
              end)),
    %% A supervisor restarts what has ended so.
    process_flag(trap_exit, true),
    show(restarted(3)),
    show([catch spawn_opt(fun() -> ok end, [{limits, Bad}]) || Bad <- [#{memory => -1}, #{wishes => 1}, [], #{1 => 1}]]).

ends(Limits, Fun) ->
    {Pid, Ref} = spawn_opt(Fun, [monitor, {limits, Limits}]),
    receive {'DOWN', Ref, process, Pid, Why} -> Why end.

restarted(0) -> restarted;
restarted(N) ->
    Pid = spawn_opt(fun() -> loop() end, [link, {limits, #{reductions => 1000}}]),
    receive {'EXIT', Pid, {limit, reductions}} -> restarted(N - 1) end.

loop() -> loop().

stubborn() ->
    try loop()
    catch _:_ -> stubborn()
    end.

bomb() -> spawn(fun() -> receive never -> ok end end), bomb().

atoms(N) -> list_to_atom("not yet " ++ integer_to_list(N)), atoms(N + 1).

grow(L) -> grow([1, 2, 3, 4 | L]).

flood() -> self() ! {some, message}, flood().

rows(T, N) -> ets:insert(T, {N, N}), rows(T, N + 1).

show({'EXIT', {Reason, _}}) -> show(Reason);
show(Terms) when is_list(Terms) -> io:format("~p~n", [[R || {'EXIT', {R, _}} <- Terms]]);
show(Term) -> io:format("~p~n", [Term]).

%% expect: {limit,reductions}
%% expect: {limit,reductions}
%% expect: {limit,processes}
%% expect: {limit,atoms}
%% expect: {limit,memory}
%% expect: {limit,memory}
%% expect: {limit,mailbox_messages}
%% expect: {limit,mailbox_bytes}
%% expect: {limit,ets_bytes}
%% expect: {limit,wall_time}
%% expect: normal
%% expect: {limit,processes}
%% expect: {limit,reductions}
%% expect: restarted
%% expect: [badarg,badarg,badarg,badarg]

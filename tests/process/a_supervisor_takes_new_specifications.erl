%% New code of a supervisor's module may say other things of its children; who is there stays. OTP 25 answers the same.
-module(a_supervisor_takes_new_specifications).
-behaviour(supervisor).
-export([main/0, init/1, start/0]).

main() ->
    put_spec({#{}, [child(a, 100), child(b, 100)]}),
    {ok, S} = supervisor:start_link(?MODULE, []),
    Before = supervisor:which_children(S),
    io:format("~p~n", [ids(S)]),
    upgrade(S, {#{intensity => 3}, [child(c, 100), child(a, 200), child(d, 1)]}),
    io:format("~p~n", [[{Id, lists:keyfind(Id, 1, supervisor:which_children(S)) =:= Child} || {Id, _, _, _} = Child <- Before]]),
    {ok, #{shutdown := Shutdown}} = supervisor:get_childspec(S, a),
    io:format("~p ~p~n", [Shutdown, [{Id, is_pid(P)} || {Id, P, _, _} <- supervisor:which_children(S)]]),
    {ok, _} = supervisor:restart_child(S, d),
    io:format("~p~n", [supervisor:count_children(S)]),
    ok = supervisor:terminate_child(S, b),
    io:format("~p ~p ~p~n", [supervisor:delete_child(S, b), supervisor:delete_child(S, b), ids(S)]),
    io:format("~p~n", [supervisor:start_child(S, child(c, 1))]),
    {ok, _} = supervisor:start_child(S, child(1, 1)),
    {ok, _} = supervisor:start_child(S, child(1.0, 1)),
    io:format("~p~n", [ids(S)]),
    upgrade(S, {nonsense, []}),
    upgrade(S, {#{intensity => many}, []}),
    upgrade(S, {#{}, [child(x, 1), child(x, 1)]}),
    upgrade(S, {#{}, [{x, none}]}),
    put_spec({#{strategy => simple_one_for_one}, [child(s, 1)]}),
    {ok, Simple} = supervisor:start_link(?MODULE, []),
    upgrade(Simple, {#{strategy => simple_one_for_one}, []}),
    upgrade(Simple, {#{strategy => simple_one_for_one}, [child(s, 2)]}),
    {ok, #{shutdown := Now}} = supervisor:get_childspec(Simple, s),
    io:format("~p~n", [Now]),
    %% One of many is found as fast as one of few.
    [{ok, _} = supervisor:start_child(S, child(Id, 1)) || Id <- lists:seq(2, 5000)],
    io:format("~p~n", [lists:usort([supervisor:terminate_child(S, Id) || Id <- lists:seq(2, 5000)])]).

child(Id, Shutdown) -> #{id => Id, start => {?MODULE, start, []}, shutdown => Shutdown}.

start() -> {ok, spawn_link(fun() -> receive stop -> ok end end)}.

ids(S) -> [Id || {Id, _, _, _} <- supervisor:which_children(S)].

put_spec(Spec) -> persistent_term:put(?MODULE, Spec).

init([]) -> {ok, persistent_term:get(?MODULE)}.

upgrade(S, Spec) ->
    put_spec(Spec),
    ok = sys:suspend(S),
    io:format("~p~n", [sys:change_code(S, ?MODULE, old, [])]),
    ok = sys:resume(S).

%% expect: [b,a]
%% expect: ok
%% expect: [{b,true},{a,true}]
%% expect: 200 [{b,true},{d,false},{a,true},{c,false}]
%% expect: [{specs,4},{active,3},{supervisors,0},{workers,4}]
%% expect: ok {error,not_found} [d,a,c]
%% expect: {error,already_present}
%% expect: [1.0,1,d,a,c]
%% expect: {error,{error,{bad_flags,nonsense}}}
%% expect: {error,{error,{invalid_intensity,many}}}
%% expect: {error,{error,{duplicate_child_name,x}}}
%% expect: {error,{error,{invalid_child_spec,{x,none}}}}
%% expect: {error,{error,{ok,{[],#{}}}}}
%% expect: ok
%% expect: 2
%% expect: [ok]

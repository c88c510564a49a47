%% A state machine of old: events, calls, time-outs, timers, events for all states.
-module(states_are_functions).
-behaviour(gen_fsm).
-export([main/0, init/1, idle/2, idle/3, busy/2, busy/3, handle_event/3, handle_sync_event/4, handle_info/3, terminate/3, code_change/4]).

init(stop) -> {stop, no};
init(ignore) -> ignore;
init(N) -> {ok, idle, N}.

idle({add, N}, D) -> {next_state, busy, D + N};
idle(timeout, D) -> show({timed_out, D}), {next_state, idle, D};
idle({timeout, _, M}, D) -> show({timer, M}), {next_state, idle, D};
idle(quick, D) -> {next_state, idle, D, 5};
idle(E, D) -> show({idle, E}), {next_state, idle, D}.

idle(get, _, D) -> {reply, {idle, D}, idle, D};
idle(later, From, D) -> gen_fsm:reply(From, later), {next_state, busy, D};
idle(never, _, D) -> {next_state, idle, D}.

busy(done, D) -> {next_state, idle, D};
busy(E, D) -> show({busy, E}), {next_state, busy, D}.

busy(get, _, D) -> {reply, {busy, D}, busy, D};
busy(stop, _, D) -> {stop, normal, stopped, D}.

handle_event(reset, S, _) -> {next_state, S, 0};
handle_event(arm, S, D) -> gen_fsm:start_timer(1, ring), gen_fsm:send_event_after(20, later), {next_state, S, D};
handle_event(disarm, S, D) -> T = gen_fsm:send_event_after(10000, never), show(is_integer(gen_fsm:cancel_timer(T))), show(gen_fsm:cancel_timer(T)), {next_state, S, D}.

handle_sync_event(where, _, S, D) -> {reply, {S, D}, S, D}.

handle_info(I, S, D) -> show({info, I, S}), {next_state, S, D}.

terminate(R, _, D) -> show({terminate, R, D}).

code_change(_, S, D, _) -> {ok, S, D}.

main() ->
    {ok, P} = gen_fsm:start_link({local, fsm}, ?MODULE, 1, []),
    show(gen_fsm:sync_send_event(P, get)), show(gen_fsm:send_event(fsm, {add, 5})), show(gen_fsm:sync_send_event(fsm, get)),
    gen_fsm:send_event(P, hello), gen_fsm:send_event(P, done), show(gen_fsm:sync_send_all_state_event(P, where)),
    gen_fsm:send_event(P, quick), timer:sleep(50), P ! hi, gen_fsm:send_all_state_event(P, arm), timer:sleep(100),
    gen_fsm:send_all_state_event(P, disarm), gen_fsm:send_all_state_event(P, reset), show(gen_fsm:sync_send_event(P, get, 1000)),
    {'EXIT', {timeout, {gen_fsm, sync_send_event, [P, never, 10]}}} = (catch gen_fsm:sync_send_event(P, never, 10)),
    show(gen_fsm:sync_send_event(P, later)),
    Monitor = monitor(process, P), show(gen_fsm:sync_send_event(P, stop)), receive {'DOWN', Monitor, _, _, _} -> ok end,
    show(catch gen_fsm:sync_send_event(fsm, get)),
    process_flag(trap_exit, true),
    show(gen_fsm:start(?MODULE, stop, [])), show(gen_fsm:start(?MODULE, ignore, [])),
    {ok, Q} = gen_fsm:start(?MODULE, 7, []),
    show(gen_fsm:stop(Q)).

show(X) -> io:format("~0p~n", [X]).

%% expect: {idle,1}
%% expect: ok
%% expect: {busy,6}
%% expect: {busy,hello}
%% expect: {idle,6}
%% expect: {timed_out,6}
%% expect: {info,hi,idle}
%% expect: {timer,ring}
%% expect: {idle,later}
%% expect: true
%% expect: false
%% expect: {idle,0}
%% expect: later
%% expect: {terminate,normal,0}
%% expect: stopped
%% expect: {'EXIT',{noproc,{gen_fsm,sync_send_event,[fsm,get]}}}
%% expect: {error,no}
%% expect: ignore
%% expect: {terminate,normal,7}
%% expect: ok

//! A game's world: 10,000 scripted entities, a process each, ticked from Rust: `cargo run --release --example game`.
//!
//! The machine has no threads of its own (`threads(0)`): the game decides when scripts run, and for how long, frame by frame.
//! Two entities misbehave. One loops for ever, one eats memory: both end at their limits, their supervisor starts them again, and
//! the world goes on meanwhile.

use std::time::Instant;

use erlet::{Error, Mailbox, Pid, Progress, Vm};

const ENTITIES: i64 = 10_000;
const TICKS: i64 = 20;

const WORLD: &str = r#"
-module(world).
-behaviour(supervisor).
-export([start/2, init/1, entity/2, tick/1]).

%% Starts the world; entities report to Host.
start(Host, Count) ->
    {ok, World} = supervisor:start_link({local, world}, ?MODULE, Host),
    [{ok, _} = supervisor:start_child(World, [Number]) || Number <- lists:seq(1, Count)],
    unlink(World),
    ok.

init(Host) ->
    Child = #{id => entity, start => {?MODULE, entity, [Host]}},
    {ok, {#{strategy => simple_one_for_one, intensity => 10, period => 10}, [Child]}}.

%% An entity may hold a megabyte, and live for two million reductions.
entity(Host, Number) ->
    Limits = #{memory => 1_000_000, reductions => 2_000_000},
    Born = proc_lib:spawn_opt(fun() -> live(Host, Number, Number rem 100) end, [link, {limits, Limits}]),
    {ok, Born}.

tick(Number) ->
    [Entity ! {tick, Number} || {_, Entity, _, _} <- supervisor:which_children(world)],
    ok.

live(Host, Number, Place) ->
    receive
        {tick, 5} when Number =:= 13 -> think(Place);
        {tick, 9} when Number =:= 17 -> hoard([Place]);
        {tick, _} ->
            Next = (Place + 1) rem 100,
            Host ! {moved, Number, Next},
            live(Host, Number, Next)
    end.

%% Never comes to an end.
think(Thought) -> think(Thought + 1).

%% Never has enough.
hoard(Things) -> hoard([Things | lists:seq(1, 1000)] ++ Things).
"#;

fn main() -> Result<(), Error> {
    let vm = Vm::builder().threads(0).build()?;
    vm.load_source("world.erl", WORLD)?;
    let host = vm.mailbox()?;
    let () = vm.call("world", "start", (host.pid(), ENTITIES))?;
    let began = Instant::now();
    let mut moved = Vec::new();
    for tick in 1..=TICKS {
        moved.push(frame(&vm, &host, tick)?);
    }
    // All of them moved but the one that was lost in thought and the one that hoarded, each in one tick.
    let lost = [5, 9];
    let expected: Vec<i64> = (1..=TICKS).map(|tick| ENTITIES - i64::from(lost.contains(&tick))).collect();
    assert_eq!(moved, expected);
    println!("{TICKS} ticks of {ENTITIES} entities in {:?}", began.elapsed());
    Ok(())
}

/// One tick of the world: how many entities moved.
fn frame(vm: &Vm, host: &Mailbox, tick: i64) -> Result<i64, Error> {
    let _: Pid = vm.spawn("world", "tick", (tick,))?;
    // In slices, so that the game could draw between them; a script that never ends takes its share like any other.
    while vm.poll(1000)? == Progress::Runnable {}
    let mut moved = 0;
    while let Some((_moved, _entity, _place)) = host.try_recv::<(erlet::Atom, i64, i64)>()? {
        moved += 1;
    }
    Ok(moved)
}

#[test]
fn runaways_end_and_come_back_while_the_world_goes_on() {
    main().expect("no error");
}

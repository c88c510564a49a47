//! Runs programs that nobody trusts: each in a machine of its own, with limits and without any rights.
//!
//! ```text
//! cargo run --release --example sandbox
//! ```
//!
//! The programs below try what hostile programs try. Each ends with the reason that says what it ran into, in little time
//! and memory, while a neighbour in the same operating system process goes on as if nothing were there: it ticks every
//! millisecond and exchanges messages, and tells how late it was.

use std::time::{Duration, Instant};

use erlet::{Capabilities, Limits, Outcome, Vm};

/// A program and how it ends: what its first process exits with, one of these.
pub struct Script {
    pub name: &'static str,
    pub source: &'static str,
    pub ends: &'static [&'static str],
}

macro_rules! scripts {
    ($($name:literal $source:literal => $($end:literal)|+;)*) => {
        /// The programs. Each is the body of a module `hostile` that exports `main/0`.
        pub const SCRIPTS: &[Script] = &[$(Script { name: $name, source: $source, ends: &[$($end),+] }),*];
    };
}

scripts! {
    "infinite loop" "main() -> main()." => "{limit,reductions}";
    "loop that catches everything"
        "main() -> process_flag(trap_exit, true), try loop() catch _:_ -> main() after main() end. loop() -> loop()."
        => "{limit,reductions}";
    "fork bomb" "main() -> spawn(fun main/0), main()." => "{limit,processes}";
    "atom bomb" "main() -> atoms(0). atoms(N) -> list_to_atom(\"atom\" ++ integer_to_list(N)), atoms(N + 1)."
        => "{limit,atoms}";
    "atom bomb from bytes" "main() -> atoms(0). atoms(N) -> binary_to_term(<<131, 115, 8, $a, N:56>>), atoms(N + 1)."
        => "{limit,atoms}";
    "memory bomb" "main() -> grow([]). grow(L) -> grow([1, 2, 3, 4 | L])." => "{limit,memory}";
    "binary bomb" "main() -> grow(<<0>>). grow(B) -> grow(<<B/binary, B/binary>>)." => "{limit,memory}";
    "dictionary bomb" "main() -> fill(0). fill(N) -> put(N, N), fill(N + 1)." => "{limit,memory}";
    "monitor bomb"
        "main() -> watch(spawn(fun() -> receive never -> ok end end)). watch(P) -> monitor(process, P), watch(P)."
        => "{limit,memory}";
    "timer bomb" "main() -> erlang:send_after(1000000000, self(), boo), main()." => "{limit,memory}";
    "mailbox bomb" "main() -> self() ! boo, main()." => "{limit,mailbox_messages}";
    "mailbox bomb in another"
        "main() -> flood(spawn_link(fun() -> receive never -> ok end end)). flood(P) -> P ! [boo, boo, boo], flood(P)."
        => "{limit,mailbox_messages}";
    "table bomb"
        "main() -> fill(ets:new(t, []), 0). fill(T, N) -> ets:insert(T, {N, some, data}), fill(T, N + 1)."
        => "{limit,ets_bytes}";
    "persistent bomb" "main() -> fill(0). fill(N) -> persistent_term:put(N, lists:seq(1, 1000)), fill(N + 1)."
        => "{limit,ets_bytes}";
    "output flood" "main() -> io:format(\"~p~n\", [lists:seq(1, 100)]), main()." => "{limit,output_bytes}";
    "huge integer" "main() -> square(3). square(N) -> try N * N of M -> square(M) catch error:system_limit -> exit(system_limit) end."
        => "{limit,memory}" | "{limit,reductions}" | "system_limit";
    "deep recursion" "main() -> 1 + main()." => "{limit,memory}";
    "catastrophic regex"
        "main() -> re:run(lists:duplicate(100, $a) ++ \"b\", \"^(([a-z])+.)+[A-Z]([a-z])+$\"), re:run(lists:duplicate(40, $a), \
         \"(a*)*b\"), main()."
        => "{limit,reductions}";
    "shared list flattened"
        "main() -> length(lists:flatten(twice(40, [a]))). twice(0, T) -> T; twice(N, T) -> twice(N - 1, [T | T])."
        => "{limit,memory}" | "{limit,reductions}" | "system_limit";
    "endless sleep" "main() -> receive never -> ok end." => "{limit,wall_time}";
    "long work in the output server"
        "main() -> user ! {io_request, self(), x, {put_chars, unicode, ?MODULE, loop, []}}, receive never -> ok end. \
         loop() -> loop()."
        => "{limit,reductions}" | "{limit,wall_time}";
    "files"
        "main() -> exit([file:read_file(\"/etc/passwd\"), file:write_file(\"/tmp/erlet_was_here\", \"x\"), \
         file:list_dir(\"/\"), file:read_file(\"../../../../etc/passwd\"), file:delete(\"/tmp/x\"), file:get_cwd()])."
        => "[{error,eacces},{error,eacces},{error,eacces},{error,eacces},{error,eacces},{error,eacces}]";
    "sockets" "main() -> try gen_tcp:connect(\"localhost\", 22, []) catch error:R -> exit(R) end." => "undef";
    "commands and environment"
        "main() -> exit([try os:cmd(\"id\") catch error:R -> R end, os:getenv(\"PATH\"), os:getenv()])."
        => "[eacces,false,[]]";
    "halt" "main() -> exit([try halt(7) catch error:R -> R end, try halt() catch error:R -> R end])." => "[eacces,eacces]";
    "code"
        "main() -> exit([code:load_binary(lists, \"lists.erl\", <<>>), code:load_binary(mine, \"mine.erl\", <<>>), \
         code:delete(hostile)])."
        => "[{error,eacces},{error,eacces},false]";
    "killing everybody" "main() -> [exit(P, kill) || P <- processes(), P =/= self()], exit(done)." => "done";
    "tracing everybody" "main() -> try erlang:trace(all, true, [all]) catch error:R -> exit(R) end." => "undef";
}

/// What each program may use.
pub fn limits() -> Limits {
    Limits::new()
        .memory(32 << 20)
        .reductions(20_000_000)
        .wall_time(Duration::from_secs(2))
        .processes(100)
        .atoms(1000)
        .mailbox_messages(10_000)
        .mailbox_bytes(4 << 20)
        .ets_bytes(4 << 20)
        .output_bytes(64 * 1024)
}

/// Runs a program in a machine of its own: what it ended with, and how long it took.
///
/// # Errors
/// What the compiler or the machine has against it.
pub fn run(script: &Script) -> Result<(String, Duration), String> {
    let started = Instant::now();
    let vm = machine(1, limits(), "hostile", script.source)?;
    let outcome = vm.run("hostile", "main", ()).map_err(|error| error.to_string())?;
    let end = match outcome {
        Outcome::Failed { reason, .. } => reason,
        outcome => format!("{outcome:?}"),
    };
    Ok((end, started.elapsed()))
}

/// A machine that runs nothing yet but has a module loaded.
fn machine(schedulers: usize, limits: Limits, module: &str, body: &str) -> Result<Vm, String> {
    let source = format!(
        "-module({module}).\n-export([main/0, loop/0]).\n-compile([nowarn_unused_function]).\n{body}\n"
    );
    let source = if body.contains("loop()") { source } else { source.replace(", loop/0", "") };
    let vm = Vm::builder()
        .threads(schedulers)
        .limits(limits)
        .capabilities(Capabilities::none())
        .stdout(Box::new(std::io::sink()))
        .stderr(Box::new(std::io::sink()))
        .build()
        .map_err(|error| error.to_string())?;
    vm.load_source(format!("{module}.erl"), &source).map_err(|error| error.to_string())?;
    Ok(vm)
}

/// The neighbour: for a time it ticks every millisecond and asks a server; in the end it tells how many microseconds late ticks
/// and answers were: `[Ticks, Median, P99, Worst, AnswerP99]`.
const NEIGHBOUR: &str = "
main() ->
    Server = spawn_link(fun serve/0),
    {Late, Waits} = tick(erlang:monotonic_time(millisecond) + @TIME@, Server, [], []),
    unlink(Server),
    exit([length(Late), part(Late, 50), part(Late, 99), lists:max(Late), part(Waits, 99)]).
serve() -> receive {From, Ref} -> From ! Ref end, serve().
tick(End, Server, Late, Waits) ->
    T0 = erlang:monotonic_time(microsecond),
    receive after 1 -> ok end,
    T1 = erlang:monotonic_time(microsecond),
    Ref = make_ref(),
    Server ! {self(), Ref},
    receive Ref -> ok end,
    T2 = erlang:monotonic_time(microsecond),
    case T2 div 1000 < End of
        true -> tick(End, Server, [T1 - T0 - 1000 | Late], [T2 - T1 | Waits]);
        false -> {Late, Waits}
    end.
part(List, Percent) -> lists:nth(max(1, length(List) * Percent div 100), lists:sort(List)).
";

/// How a neighbour fared.
#[derive(Debug)]
pub struct Latency {
    pub ticks: u64,
    /// Microseconds late: half of the ticks, 99 of 100, the worst, and 99 of 100 answers.
    pub median: u64,
    pub p99: u64,
    pub worst: u64,
    pub answer_p99: u64,
}

/// Runs a neighbour for this time, and `beside` again and again meanwhile.
///
/// # Errors
/// What went wrong in either.
pub fn beside_a_neighbour(
    time: Duration,
    mut beside: impl FnMut() -> Result<(), String>,
) -> Result<Latency, String> {
    let body = NEIGHBOUR.replace("@TIME@", &time.as_millis().to_string());
    let vm = machine(1, Limits::new(), "neighbour", &body)?;
    let ends = std::thread::spawn(move || vm.run("neighbour", "main", ()).map_err(|error| error.to_string()));
    while !ends.is_finished() {
        beside()?;
    }
    let reason = match ends.join().map_err(|_| "the neighbour's thread panicked")?? {
        Outcome::Failed { reason, .. } => reason,
        outcome => format!("{outcome:?}"),
    };
    let numbers: Vec<u64> =
        reason.trim_matches(['[', ']']).split(',').filter_map(|number| number.parse().ok()).collect();
    match numbers[..] {
        [ticks, median, p99, worst, answer_p99] => Ok(Latency { ticks, median, p99, worst, answer_p99 }),
        _ => Err(format!("the neighbour ended with {reason}")),
    }
}

/// Runs all programs at once.
///
/// # Errors
/// The first that ended in another way than it should.
pub fn all_at_once() -> Result<(), String> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = SCRIPTS.iter().map(|script| scope.spawn(move || check(script))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "a thread panicked")?.map(drop))
    })
}

/// Runs a program that must end as it should.
///
/// # Errors
/// If it does not.
pub fn check(script: &Script) -> Result<(String, Duration), String> {
    let (end, time) = run(script)?;
    // On a busy machine it may be the time that is up first.
    let is_right = script.ends.contains(&end.as_str()) || end == "{limit,wall_time}";
    if is_right { Ok((end, time)) } else { Err(format!("{}: {end}", script.name)) }
}

#[cfg_attr(test, allow(dead_code))]
fn main() -> Result<(), String> {
    for script in SCRIPTS {
        let (end, time) = check(script)?;
        println!("{:32} {:7.1} ms   {end}", script.name, time.as_secs_f64() * 1000.0);
    }
    let mut next = SCRIPTS.iter().cycle();
    let alone = beside_a_neighbour(Duration::from_secs(2), || {
        std::thread::sleep(Duration::from_millis(1));
        Ok(())
    })?;
    let one = beside_a_neighbour(Duration::from_secs(5), || match next.next() {
        Some(script) => check(script).map(drop),
        None => Ok(()),
    })?;
    let all = beside_a_neighbour(Duration::from_secs(5), all_at_once)?;
    for (what, latency) in [("alone", alone), ("beside one", one), ("beside all", all)] {
        let Latency { ticks, median, p99, worst, answer_p99 } = latency;
        println!(
            "neighbour {what}: {ticks} ticks, late by {median} us, p99 {p99} us, at worst {worst} us; answers p99 {answer_p99} us"
        );
    }
    Ok(())
}

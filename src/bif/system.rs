//! Facts and figures about the machine: `system_info`, `statistics`, `memory`.

use crate::atom::{Atom, known};
use crate::bif::{BifResult, Cx, Stop};
use crate::term::Term;
use std::sync::atomic::Ordering;

/// The release whose language and behaviour this is.
const OTP_RELEASE: &str = "27";

/// `system_info(Item) -> term()`.
///
/// # Errors
/// `badarg` for items there is nothing to tell about.
pub fn system_info<'h>(cx: &mut Cx<'h>, [item]: [Term<'h>; 1]) -> BifResult<'h> {
    if let Some(&[key, value]) = item.as_tuple() {
        return match (key.as_atom(), value.as_atom()) {
            (Some(known::WORDSIZE), Some(known::INTERNAL | known::EXTERNAL)) => Ok(cx.int(8)?),
            _ => Err(Stop::badarg()),
        };
    }
    let item = item.as_atom().ok_or_else(Stop::badarg)?;
    if let Some(number) = number(cx, item) {
        return Ok(cx.uint(number)?);
    }
    if let Some(text) = text(cx, item) {
        return Ok(cx.string(&text)?);
    }
    let policy = cx.rt.policy();
    match item {
        known::SMP_SUPPORT | known::THREADS => super::process::yes(),
        known::DIST | known::KERNEL_POLL => Ok(Term::boolean(item == known::KERNEL_POLL)),
        known::BUILD_TYPE => Ok(Term::atom(known::OPT)),
        known::EMU_FLAVOR => Ok(Term::atom(known::EMU)),
        known::EMU_TYPE => Ok(Term::atom(known::OPT)),
        known::MULTI_SCHEDULING => Ok(Term::atom(known::ENABLED)),
        known::SCHEDULER_BIND_TYPE => Ok(Term::atom(known::UNBOUND)),
        known::ENDIAN => Ok(Term::atom(if cfg!(target_endian = "big") { known::BIG } else { known::LITTLE })),
        known::TIME_WARP_MODE => Ok(Term::atom(known::NO_TIME_WARP)),
        known::TIME_CORRECTION => super::process::yes(),
        known::OS_MONOTONIC_TIME_SOURCE | known::OS_SYSTEM_TIME_SOURCE => Ok(Term::NIL),
        known::SYSTEM_LOGGER => Ok(Term::atom(known::LOGGER)),
        known::MAX_HEAP_SIZE => Ok(crate::runtime::info::max_heap_size(cx, &policy)?),
        known::MIN_HEAP_SIZE => named_number(cx, item, policy.min_heap_words),
        known::MIN_BIN_VHEAP_SIZE => named_number(cx, item, policy.min_shared_bytes / 8),
        known::FULLSWEEP_AFTER => named_number(cx, item, policy.fullsweep_after as usize),
        known::GARBAGE_COLLECTION => {
            let max = crate::runtime::info::max_heap_size(cx, &policy)?;
            let mut pairs = vec![cx.tuple(&[Term::atom(known::MAX_HEAP_SIZE), max])?];
            pairs.push(named_number(cx, known::MIN_BIN_VHEAP_SIZE, policy.min_shared_bytes / 8)?);
            pairs.push(named_number(cx, known::MIN_HEAP_SIZE, policy.min_heap_words)?);
            pairs.push(named_number(cx, known::FULLSWEEP_AFTER, policy.fullsweep_after as usize)?);
            Ok(cx.list(&pairs)?)
        }
        known::HEAP_TYPE => Ok(Term::atom(known::PRIVATE)),
        known::MESSAGE_QUEUE_DATA => Ok(Term::atom(known::ON_HEAP)),
        known::MULTI_SCHEDULING_BLOCKERS | known::NORMAL_MULTI_SCHEDULING_BLOCKERS => Ok(Term::NIL),
        known::CPU_TOPOLOGY => Ok(Term::atom(known::UNDEFINED)),
        known::SCHEDULER_BINDINGS => {
            let bindings = vec![Term::atom(known::UNBOUND); cx.rt.workers()];
            Ok(cx.tuple(&bindings)?)
        }
        known::DEBUG_COMPILED | known::PORT_PARALLELISM | known::ASYNC_DIST => Ok(Term::boolean(false)),
        known::DYNAMIC_TRACE => Ok(Term::atom(known::NONE)),
        known::TOLERANT_TIMEOFDAY => Ok(Term::atom(known::ENABLED)),
        _ => Err(Stop::badarg()),
    }
}

/// `system_flag(Flag, Value) -> OldValue`: the flags about stack traces and the heaps of later processes; of the others, what is so
/// anyway.
///
/// # Errors
/// `badarg` for other flags and values.
pub fn system_flag<'h>(cx: &mut Cx<'h>, [flag, value]: [Term<'h>; 2]) -> BifResult<'h> {
    let flag = flag.as_atom().ok_or_else(|| Stop::badarg_because(known::BADOPT))?;
    let fixed = |so: bool| if so { Ok(value) } else { Err(Stop::badarg()) };
    match flag {
        known::BACKTRACE_DEPTH => {
            let depth =
                value.as_small().and_then(|depth| usize::try_from(depth).ok()).ok_or_else(Stop::badarg)?;
            let old = cx.rt.settings.set_trace_depth(depth);
            Ok(cx.uint(old as u64)?)
        }
        known::FULLSWEEP_AFTER | known::MIN_HEAP_SIZE | known::MIN_BIN_VHEAP_SIZE | known::MAX_HEAP_SIZE => {
            let rt = cx.rt;
            let old = rt
                .settings
                .change_policy(|policy| super::process::spawn::heap_option(cx, policy, flag, value))?;
            super::process::flag::heap_value(cx, &old, flag)
        }
        known::SCHEDULERS_ONLINE => fixed(value.as_small() == i64::try_from(cx.rt.workers()).ok()),
        known::SCHEDULER_BIND_TYPE => fixed(value.is_atom(known::UNBOUND)),
        known::SYSTEM_LOGGER => fixed(value.is_atom(known::LOGGER)),
        known::SCHEDULER_WALL_TIME | known::MICROSTATE_ACCOUNTING => fixed(value.is_atom(known::FALSE)),
        known::MULTI_SCHEDULING if value.is_atom(known::UNBLOCK) => Ok(Term::atom(known::ENABLED)),
        known::TIME_OFFSET if value.is_atom(known::FINALIZE) => Ok(Term::atom(known::FINAL)),
        known::MULTI_SCHEDULING | known::TIME_OFFSET => Err(Stop::badarg()),
        _ => Err(Stop::badarg_because(known::BADOPT)),
    }
}

fn named_number<'h>(cx: &mut Cx<'h>, name: Atom, number: usize) -> BifResult<'h> {
    let number = cx.uint(number as u64)?;
    Ok(cx.tuple(&[Term::atom(name), number])?)
}

fn number(cx: &Cx<'_>, item: Atom) -> Option<u64> {
    let rt = cx.rt;
    let number = match item {
        known::PROCESS_COUNT => rt.slots.count(),
        known::PROCESS_LIMIT => rt.slots.limit(),
        known::PORT_COUNT => 0,
        known::PORT_LIMIT => 1 << 16,
        known::ATOM_COUNT => rt.atoms.count() as usize,
        known::ATOM_LIMIT => rt.atoms.limit() as usize,
        known::ETS_COUNT => rt.tables.count(),
        known::ETS_LIMIT => usize::MAX >> 4,
        known::SCHEDULERS | known::SCHEDULERS_ONLINE => rt.workers(),
        known::LOGICAL_PROCESSORS
        | known::LOGICAL_PROCESSORS_ONLINE
        | known::LOGICAL_PROCESSORS_AVAILABLE => rt.workers(),
        known::DIRTY_CPU_SCHEDULERS | known::DIRTY_CPU_SCHEDULERS_ONLINE | known::DIRTY_IO_SCHEDULERS => 10,
        known::SCHEDULER_ID => cx.worker.index() + 1,
        known::THREAD_POOL_SIZE => 1,
        known::WORDSIZE => 8,
        known::CREATION => 0,
        known::START_TIME => 0,
        known::DELAYED_NODE_TABLE_GC => 60,
        _ => return None,
    };
    Some(number as u64)
}

fn text(cx: &Cx<'_>, item: Atom) -> Option<String> {
    Some(match item {
        known::OTP_RELEASE => OTP_RELEASE.to_string(),
        known::MACHINE => "ERLET".to_string(),
        known::VERSION => env!("CARGO_PKG_VERSION").to_string(),
        known::SYSTEM_VERSION => {
            format!("Erlet {} [{} schedulers]\n", env!("CARGO_PKG_VERSION"), cx.rt.workers())
        }
        known::SYSTEM_ARCHITECTURE => format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
        known::NIF_VERSION | known::DRIVER_VERSION => "0.0".to_string(),
        _ => return None,
    })
}

/// `statistics(Item) -> term()`.
///
/// # Errors
/// `badarg` for items there is nothing to tell about.
pub fn statistics<'h>(cx: &mut Cx<'h>, [item]: [Term<'h>; 1]) -> BifResult<'h> {
    let rt = cx.rt;
    let zero = Term::small(0).unwrap_or(Term::NIL);
    match item.as_atom().ok_or_else(Stop::badarg)? {
        known::RUNTIME => since_last(cx, rt.clock.cpu_ns() / 1_000_000, 0),
        known::WALL_CLOCK => since_last(cx, rt.clock.now() / 1_000_000, 1),
        known::REDUCTIONS | known::EXACT_REDUCTIONS => {
            // What the running slice has used is not counted yet; the caller's own part is known.
            let process = cx.process();
            let slice = rt.config.slice.saturating_sub(process.reductions).max(0) as u64;
            since_last(cx, rt.counts.sum().reductions + slice, 2)
        }
        known::CONTEXT_SWITCHES => {
            let switches = cx.uint(rt.counts.sum().slices)?;
            Ok(cx.tuple(&[switches, zero])?)
        }
        known::GARBAGE_COLLECTION => {
            let counts = rt.counts.sum();
            let count = cx.uint(counts.minor_collections + counts.major_collections)?;
            let words = cx.uint(counts.collected_words)?;
            Ok(cx.tuple(&[count, words, zero])?)
        }
        known::RUN_QUEUE | known::TOTAL_RUN_QUEUE_LENGTHS | known::TOTAL_RUN_QUEUE_LENGTHS_ALL => {
            Ok(cx.uint(rt.queues.len() as u64)?)
        }
        // Of those that run one is sure: who asks.
        known::TOTAL_ACTIVE_TASKS | known::TOTAL_ACTIVE_TASKS_ALL => Ok(cx.uint(rt.queues.len() as u64 + 1)?),
        item @ (known::RUN_QUEUE_LENGTHS
        | known::RUN_QUEUE_LENGTHS_ALL
        | known::ACTIVE_TASKS
        | known::ACTIVE_TASKS_ALL) => queue_lengths(cx, item),
        known::IO => {
            let input = cx.tuple(&[Term::atom(known::INPUT), zero])?;
            let output = cx.tuple(&[Term::atom(known::OUTPUT), zero])?;
            Ok(cx.tuple(&[input, output])?)
        }
        known::SCHEDULER_WALL_TIME => Ok(Term::atom(known::UNDEFINED)),
        _ => Err(Stop::badarg()),
    }
}

/// How many processes wait for each scheduler, or are run by it; for all, one number more: there are no dirty ones.
fn queue_lengths<'h>(cx: &mut Cx<'h>, item: Atom) -> BifResult<'h> {
    let (mut lengths, outside) = cx.rt.queues.lengths();
    let own = cx.worker.index().min(lengths.len() - 1);
    lengths[own] += outside + usize::from(matches!(item, known::ACTIVE_TASKS | known::ACTIVE_TASKS_ALL));
    if matches!(item, known::RUN_QUEUE_LENGTHS_ALL | known::ACTIVE_TASKS_ALL) {
        lengths.push(0);
    }
    let mut terms = Vec::with_capacity(lengths.len());
    for length in lengths {
        terms.push(cx.uint(length as u64)?);
    }
    Ok(cx.list(&terms)?)
}

/// `{Total, SinceLastCall}`.
fn since_last<'h>(cx: &mut Cx<'h>, total: u64, which: usize) -> BifResult<'h> {
    let last = cx.rt.asked[which].swap(total, Ordering::Relaxed);
    let since = cx.uint(total.saturating_sub(last))?;
    let total = cx.uint(total)?;
    Ok(cx.tuple(&[total, since])?)
}

/// What `memory/0` tells, in its order.
const MEMORY: &[Atom] = &[
    known::TOTAL,
    known::PROCESSES,
    known::PROCESSES_USED,
    known::SYSTEM,
    known::ATOM,
    known::ATOM_USED,
    known::BINARY,
    known::CODE,
    known::ETS,
];

/// Bytes of a process that its account knows nothing of, about: its slot, its header, and what allocation adds.
const PROCESS_BYTES: u64 = 330;

/// Bytes that an atom takes, about: its text, its entry, and its share of the index.
const ATOM_BYTES: u64 = 64;

/// `memory() -> [{Type, Bytes}]`.
pub fn memory<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    // The operating system is asked.
    cx.work(UNITS_OF_MEMORY)?;
    let held = Held::now(cx);
    let mut pairs = Vec::new();
    for kind in MEMORY {
        pairs.push(held.pair(cx, *kind)?);
    }
    Ok(cx.list(&pairs)?)
}

/// `memory(Type | [Type]) -> Bytes | [{Type, Bytes}]`.
///
/// # Errors
/// `badarg` for other types.
pub fn memory_of<'h>(cx: &mut Cx<'h>, [kinds]: [Term<'h>; 1]) -> BifResult<'h> {
    cx.work(UNITS_OF_MEMORY)?;
    let kind = |term: Term<'h>| term.as_atom().filter(|kind| MEMORY.contains(kind)).ok_or_else(Stop::badarg);
    if kinds.proper_length().is_none() {
        let kind = kind(kinds)?;
        let bytes = Held::now(cx).of(kind);
        return Ok(cx.uint(bytes)?);
    }
    let wanted = kinds.list().map(kind).collect::<Result<Vec<Atom>, _>>()?;
    let held = Held::now(cx);
    let mut pairs = Vec::new();
    for kind in wanted {
        pairs.push(held.pair(cx, kind)?);
    }
    Ok(cx.list(&pairs)?)
}

/// What finding out takes, about.
const UNITS_OF_MEMORY: usize = 2000;

/// What a machine holds at one moment, in bytes. `total` is what the operating system sees, except under a seed, whose runs must not
/// depend on it; it is the sum of `processes` and `system`, which the rest is a part of.
struct Held {
    total: u64,
    processes: u64,
    atom: u64,
    binary: u64,
    code: u64,
    ets: u64,
}

impl Held {
    fn now(cx: &Cx<'_>) -> Held {
        let rt = cx.rt;
        let binary = rt.account.binary_bytes() as u64;
        let ets = rt.tables.bytes() as u64;
        // The account lags a little.
        let heaps = (rt.account.bytes() as u64).saturating_sub(binary + ets);
        let processes = heaps + rt.slots.count() as u64 * PROCESS_BYTES;
        let (atom, code) = (u64::from(rt.atoms.count()) * ATOM_BYTES, rt.code.bytes() as u64);
        let known = processes + atom + binary + code + ets;
        let seen = if rt.is_seeded() { None } else { resident_bytes() };
        Held { total: seen.map_or(known, |seen| seen.max(known)), processes, atom, binary, code, ets }
    }

    fn of(&self, kind: Atom) -> u64 {
        match kind {
            known::TOTAL => self.total,
            known::PROCESSES | known::PROCESSES_USED => self.processes,
            known::SYSTEM => self.total - self.processes,
            known::ATOM | known::ATOM_USED => self.atom,
            known::BINARY => self.binary,
            known::CODE => self.code,
            _ => self.ets,
        }
    }

    fn pair<'h>(&self, cx: &mut Cx<'h>, kind: Atom) -> BifResult<'h> {
        let bytes = cx.uint(self.of(kind))?;
        Ok(cx.tuple(&[Term::atom(kind), bytes])?)
    }
}

/// Resident memory of the operating system process, where that is told.
fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

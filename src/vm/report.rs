//! What the machine has to say of processes: sent to the process `logger`, which says it in the words of OTP's default logger.
//!
//! If there is no such process, or no room for the message, the machine says it itself, on one line.

use crate::atom::known;
use crate::heap::{AllocError, Fragment, HeapRef, Usage};
use crate::limits::Quota;
use crate::process::{Monitor, Process, Signal, SignalKind, Target};
use crate::runtime::compose::{self, Part};
use crate::runtime::log::LogEvent;
use crate::runtime::watch::Happening;
use crate::runtime::{Report, Runtime, WorkerCx, limits};
use crate::term::print::{self, Range, Style};
use crate::term::{Pid, Term, Word};

/// Characters of a term shown where there is nobody to break lines: nobody reads a megabyte.
const LIMIT: usize = 64 * 1024;

/// What writing a report takes, about, and a word of the reason: the logger does it, but who has failed pays.
const REPORT_REDUCTIONS: u32 = 400;
const REDUCTIONS_PER_WORD: u32 = 8;

/// Reports not written yet past which those of limits are dropped: a bomb of processes ends in as many pieces.
const MOST_PENDING: usize = 100;

/// The term as one line.
pub(super) fn text(rt: &Runtime, term: Term<'_>) -> String {
    let mut text = String::new();
    let style = Style { strings: Some(Range::Latin1), unicode: false };
    if !print::write(&mut text, &rt.atoms, term, style, LIMIT) {
        text.push_str("...");
    }
    text
}

/// Reports what has happened to a process.
pub(super) fn send(rt: &Runtime, worker: &mut WorkerCx, process: &mut Process, report: Report<'_>) {
    rt.reports.about(process);
    tell(rt, process, report);
    let logger = rt.names.get(known::LOGGER).and_then(Word::as_pid).filter(|pid| rt.slots.is_alive(*pid));
    if matches!(report, Report::Limit(_)) && rt.reports.pending() > MOST_PENDING {
        return;
    }
    // What has gone wrong in the logger itself it cannot write.
    let Some(logger) = logger.filter(|logger| *logger != process.pid) else {
        return say(rt, process.pid, report);
    };
    let number = rt.reports.sent();
    let message = match report {
        Report::Uncaught(reason) => {
            let words = reason.words().min(LIMIT) as u32;
            process.charge(REPORT_REDUCTIONS + words * REDUCTIONS_PER_WORD);
            uncaught(rt, process, number, reason)
        }
        Report::HeapLimit(words) => heap_limit(rt, process, number, words).ok(),
        Report::Limit(quota) => limit(rt, process, number, quota).ok(),
    };
    match message {
        Some(message) => rt.deliver(worker, Signal::new(SignalKind::Message, logger, message)),
        None => {
            rt.reports.written(number);
            say(rt, process.pid, report);
        }
    }
}

/// Lets `asker` get a message when all reports are written or nobody is there to write them; false if they are.
pub(super) fn ask_for_silence(rt: &Runtime, worker: &mut WorkerCx, asker: &mut Process) -> bool {
    let logger = rt.names.get(known::LOGGER).and_then(Word::as_pid).filter(|pid| rt.slots.is_alive(*pid));
    let Some(logger) = logger.filter(|_| !rt.reports.is_quiet()) else { return false };
    let me = Word::pid(asker.pid);
    let reference = worker.make_unique();
    let monitor = Monitor { target: Target::Pid(logger), tag: None };
    asker.relations().monitors.insert(reference, monitor);
    rt.deliver_bare(worker, SignalKind::Monitor, logger, me, reference);
    let parts = [Word::atom(known::FLUSH), me, Word::NIL].map(Part::Word);
    let Some(message) = compose::tuple(&rt.account, &parts) else { return false };
    rt.deliver(worker, Signal::new(SignalKind::Message, logger, message));
    true
}

/// Tells whoever watches.
fn tell(rt: &Runtime, process: &Process, report: Report<'_>) {
    let Some(watcher) = rt.watcher() else { return };
    let pid = process.pid;
    match report {
        Report::Uncaught(reason) => {
            watcher(Happening::Failed { pid, reason: &text(rt, reason.term()) });
        }
        Report::HeapLimit(words) => {
            let bytes = |words: usize| words as u64 * 8;
            let usage = Some((bytes(words), bytes(process.heap.policy().max_heap_words)));
            watcher(Happening::Limit { pid, quota: Quota::Memory, usage });
        }
        Report::Limit(quota) => {
            let usage = usage(process, quota).map(|Usage { used, limit }| (used, limit));
            watcher(Happening::Limit { pid, quota, usage });
        }
    }
}

/// `{uncaught, Number, Pid, GroupLeader, Microseconds, Reason}`.
fn uncaught(rt: &Runtime, process: &Process, number: u64, reason: &Fragment) -> Option<Fragment> {
    let [label, number, pid, leader, time] = beginning(rt, process, known::UNCAUGHT, number).map(Part::Word);
    // Who fails with large reasons pays for them until they are written.
    compose::tuple(process.account(), &[label, number, pid, leader, time, Part::Whole(reason)])
}

/// `{limit, Number, Pid, GroupLeader, Microseconds, {Quota, Used, Limit}}`.
fn limit(rt: &Runtime, process: &Process, number: u64, quota: Quota) -> Result<Fragment, AllocError> {
    let usage = usage(process, quota);
    compose::fragment(rt, &rt.own_account, |h| {
        let values = match usage {
            Some(Usage { used, limit }) => [h.uint(used)?, h.uint(limit)?],
            None => [Term::atom(known::UNDEFINED); 2],
        };
        let values = h.tuple(&[Term::atom(limits::atom(quota)), values[0], values[1]])?;
        let mut parts = beginning(rt, process, known::LIMIT, number)
            .map(|w| Term::immediate(w).unwrap_or(Term::NIL))
            .to_vec();
        parts.push(values);
        h.tuple(&parts)
    })
}

/// How much of it there is and may be; time is not told.
fn usage(process: &Process, quota: Quota) -> Option<Usage> {
    let (messages, bytes) = process.account().mailbox_limits();
    match quota {
        Quota::MailboxMessages => Some(Usage { used: process.mailbox.len() as u64, limit: messages }),
        Quota::MailboxBytes => Some(Usage { used: process.mailbox.bytes() as u64, limit: bytes }),
        _ => process.account().usage(quota),
    }
}

fn beginning(rt: &Runtime, process: &Process, label: crate::atom::Atom, number: u64) -> [Word; 5] {
    let small = |value| Word::try_small(value).unwrap_or(Word::small(0));
    let (number, time) = (small(number as i64), small(rt.clock.system_ns() / 1000));
    [Word::atom(label), number, Word::pid(process.pid), process.group_leader, time]
}

/// `{heap_limit, Number, Pid, GroupLeader, Microseconds, {Limit, Size, Kill, Log, Messages, Details}}`.
fn heap_limit(rt: &Runtime, process: &Process, number: u64, words: usize) -> Result<Fragment, AllocError> {
    compose::fragment(rt, &rt.account, |h| {
        let policy = *process.heap.policy();
        let values = [
            h.uint(policy.max_heap_words as u64)?,
            h.uint(words as u64)?,
            Term::boolean(policy.max_heap_kill),
            Term::boolean(policy.max_heap_report),
            h.uint(process.mailbox.len() as u64)?,
            sizes(h, process)?,
        ];
        let values = h.tuple(&values)?;
        let mut parts = beginning(rt, process, known::HEAP_LIMIT, number)
            .map(|w| Term::immediate(w).unwrap_or(Term::NIL))
            .to_vec();
        parts.push(values);
        h.tuple(&parts)
    })
}

/// The sizes of the parts of a heap, in words.
fn sizes<'h>(h: &mut HeapRef<'h>, process: &Process) -> Result<Term<'h>, AllocError> {
    let heap = &process.heap;
    let shared = heap.shared_bytes() / 8;
    let sizes = [
        (known::OLD_HEAP_BLOCK_SIZE, heap.old_words()),
        (known::HEAP_BLOCK_SIZE, heap.young_words()),
        (known::MBUF_SIZE, heap.fragment_words()),
        (known::STACK_SIZE, heap.stack_words()),
        (known::HEAP_SIZE, heap.used_words()),
        (known::BIN_VHEAP_SIZE, shared),
    ];
    let mut pairs = Vec::with_capacity(sizes.len());
    for (name, size) in sizes {
        let size = h.uint(size as u64)?;
        pairs.push(h.tuple(&[Term::atom(name), size])?);
    }
    h.list(&pairs)
}

/// The report on one line, from the machine itself.
fn say(rt: &Runtime, pid: Pid, report: Report<'_>) {
    let stamp = stamp(rt.clock.system_ns());
    let pid = print::pid_text(pid);
    let what = match report {
        Report::Uncaught(reason) => {
            format!("Error in process {pid} with exit value:\n{}\n", text(rt, reason.term()))
        }
        Report::HeapLimit(words) => format!("Process {pid} has a heap of {words} words, more than it may\n"),
        Report::Limit(quota) => format!("Process {pid} has used more {} than it may\n", quota.name()),
    };
    if let Some(log) = rt.log.get() {
        let text = format!("=ERROR REPORT==== {stamp} ===\n{what}\n");
        let (level, time_us) = ("error".to_owned(), rt.clock.system_ns() / 1000);
        return log.put(LogEvent { level, text, process: pid.to_string(), time_us, dropped: 0 });
    }
    // A broken standard error has nobody to be told of it.
    let _ = rt.stderr.put(format!("=ERROR REPORT==== {stamp} ===\n{what}\n").as_bytes());
}

/// `29-Nov-2026::17:25:27.114046`, in UTC: the machine knows no time zone.
fn stamp(system_ns: i64) -> String {
    let microseconds = system_ns.div_euclid(1000);
    let (seconds, micro) = (microseconds.div_euclid(1_000_000), microseconds.rem_euclid(1_000_000));
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    format!(
        "{day}-{}-{year}::{:02}:{:02}:{:02}.{micro:06}",
        MONTHS[month as usize - 1],
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

/// Year, month and day of a number of days since 1970, by the usual shift of the year's start to March.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_dates() {
        assert_eq!(stamp(0), "1-Jan-1970::00:00:00.000000");
        assert_eq!(stamp(1_795_973_127_114_046_000), "29-Nov-2026::17:25:27.114046");
        assert_eq!(stamp(1_709_164_800_000_000_000), "29-Feb-2024::00:00:00.000000");
    }
}

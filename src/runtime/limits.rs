//! Limits at work: where what a process uses is counted, and how it ends of it.
//!
//! Where something is asked for that a limit refuses (memory, a process, an atom, output) the native fails with
//! [`AllocError::Limit`] and the interpreter ends the process. What only grows by itself (reductions, time, the mailbox, what a heap
//! has gathered) is looked at here, at the end of each slice of a process with limits, and by long work on the pool every
//! few milliseconds. A process that waits is woken when its time is over, by a timer of its own.
//!
//! However it comes about, the process ends by the exit machine with the reason `{limit, Quota}`, after a report.

use std::sync::Arc;

use super::compose::{self, Part};
use super::{Report, Runtime, WorkerCx, exit};
use crate::atom::{Atom, known};
use crate::heap::{Account, AllocError, Fragment};
use crate::limits::{Capabilities, Limits, Quota};
use crate::process::Process;

/// What a new process may use and touch, within what its parent may.
#[derive(Clone, Debug, Default)]
pub struct Narrowing {
    /// Limits of it and all it spawns.
    pub limits: Limits,
    /// What it and all it spawns may touch; `None`: what the parent may.
    pub capabilities: Option<Capabilities>,
}

/// What a process takes besides its heap: its record and its slot.
pub const PROCESS_BYTES: usize = 512;

/// The atom of a quantity: the second element of the reason.
pub fn atom(quota: Quota) -> Atom {
    match quota {
        Quota::Memory => known::MEMORY,
        Quota::MailboxMessages => known::MAILBOX_MESSAGES,
        Quota::MailboxBytes => known::MAILBOX_BYTES,
        Quota::Reductions => known::REDUCTIONS,
        Quota::WallTime => known::WALL_TIME,
        Quota::Processes => known::PROCESSES,
        Quota::Atoms => known::ATOMS,
        Quota::EtsBytes => known::ETS_BYTES,
        Quota::OutputBytes => known::OUTPUT_BYTES,
        Quota::OpenFiles => known::OPEN_FILES,
    }
}

/// `{limit, Quota}`.
///
/// # Errors
/// If there is no memory for it.
pub fn reason(rt: &Runtime, quota: Quota) -> Result<Fragment, AllocError> {
    let parts = [Part::atom(known::LIMIT), Part::atom(atom(quota))];
    compose::tuple(&rt.account, &parts).ok_or(AllocError::OutOfMemory)
}

/// Reports that a process has passed a limit.
pub fn report(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, quota: Quota) {
    (rt.hooks.report)(rt, worker, process, Report::Limit(quota));
}

/// Lets a process die of a limit, wherever it is.
#[cold]
pub fn end(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, quota: Quota) {
    if process.is_exiting {
        return;
    }
    report(worker, rt, process, quota);
    match reason(rt, quota) {
        Ok(reason) => exit::begin(process, reason),
        Err(_) => exit::begin_with_atom(process, known::LIMIT),
    }
}

/// At the end of a slice of `used` reductions, if the process has limits or its mailbox has grown: tells the account what has
/// gathered, and lets the process die if that is too much.
#[inline(never)]
pub fn settle(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process, used: u64) {
    let account = process.heap.account();
    process.mailbox.settle(account);
    let is_limited = process.heap.is_limited();
    let passed = if is_limited { passed(rt, process, used) } else { None };
    if is_limited {
        process.heap.settle();
        if !process.is_emptied {
            settle_tables(process, bytes_of_tables(process));
        }
    }
    let passed = passed.or_else(|| process.account().is_over_memory().then_some(Quota::Memory));
    if let Some(quota) = passed {
        end(worker, rt, process, quota);
    }
}

/// What the tables of a process take that are not on its heap.
fn bytes_of_tables(process: &Process) -> usize {
    let relations = process.relations.as_ref().map_or(0, |relations| relations.entries());
    let entries = process.dictionary.as_ref().map_or(0, |dictionary| dictionary.len());
    relations * RELATION_BYTES + entries * ENTRY_BYTES
}

/// What an entry of the dictionary takes, about.
const ENTRY_BYTES: usize = 48;
/// What a link or monitor takes, about, on both sides: that of another process may wait and tell nobody.
const RELATION_BYTES: usize = 128;

fn settle_tables(process: &mut Process, bytes: usize) {
    let told = process.cold.as_ref().map_or(0, |cold| cold.told);
    if bytes.abs_diff(told) <= SMALL_TABLES {
        return;
    }
    match bytes.checked_sub(told) {
        Some(more) => process.account().charge_anyway(more),
        None => process.account().refund(told - bytes),
    }
    process.cold().told = bytes;
}

/// Bytes of tables that are not worth telling.
const SMALL_TABLES: usize = 1024;

/// What an account is charged for something outside of heaps as long as that is there: a timer's message and its place on the
/// wheel, an array of counters.
#[derive(Debug)]
pub struct Paid {
    account: Arc<Account>,
    bytes: usize,
}

impl Paid {
    /// Charges a process with limits for something of `bytes`. If that is too much, the end of its slice shows it.
    pub fn by(process: &Process, bytes: usize) -> Option<Paid> {
        process.heap.is_limited().then(|| {
            process.account().charge_anyway(bytes);
            Paid { account: Arc::clone(process.account()), bytes }
        })
    }

    /// Charges an account for something of `bytes` that is about to be made.
    ///
    /// # Errors
    /// `Limit` if it may not have that much.
    pub fn ahead(account: &Arc<Account>, bytes: usize) -> Result<Paid, AllocError> {
        account.charge(bytes)?;
        Ok(Paid { account: Arc::clone(account), bytes })
    }
}

/// Some of a quota that is held, and given back when this is dropped.
#[derive(Debug)]
pub struct Held {
    account: Arc<Account>,
    quota: Quota,
}

impl Held {
    /// One more of it for this account.
    ///
    /// # Errors
    /// `Limit` if there may be no more.
    pub fn one(account: &Arc<Account>, quota: Quota) -> Result<Held, AllocError> {
        account.take(quota, 1)?;
        Ok(Held { account: Arc::clone(account), quota })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.account.give_back(self.quota, 1);
    }
}

impl Drop for Paid {
    fn drop(&mut self) {
        self.account.refund(self.bytes);
    }
}

/// Which limit has been passed, but for memory.
fn passed(rt: &Runtime, process: &Process, used: u64) -> Option<Quota> {
    let account = process.account();
    if account.spend(Quota::Reductions, used).is_err() {
        return Some(Quota::Reductions);
    }
    if account.deadline() != u64::MAX && rt.clock.now() >= account.deadline() {
        return Some(Quota::WallTime);
    }
    mailbox_passed(account, process.mailbox.len(), process.mailbox.bytes())
}

fn mailbox_passed(account: &Account, messages: usize, bytes: usize) -> Option<Quota> {
    let (most_messages, most_bytes) = account.mailbox_limits();
    if messages as u64 > most_messages {
        return Some(Quota::MailboxMessages);
    }
    (bytes as u64 > most_bytes).then_some(Quota::MailboxBytes)
}

/// Asked now and then by long work of a process on the pool: whether it is to be given up.
pub struct Watch {
    pid: crate::term::Pid,
    traps: bool,
    /// Of a process with limits: its account, and messages and bytes of its mailbox.
    limited: Option<(Arc<Account>, usize, usize)>,
}

impl Watch {
    /// A watch over a process that goes to the pool.
    pub fn new(process: &Process) -> Watch {
        let mailbox = &process.mailbox;
        let limited = process
            .heap
            .is_limited()
            .then(|| (Arc::clone(process.account()), mailbox.len(), mailbox.bytes()));
        Watch { pid: process.pid, traps: process.trap_exit, limited }
    }

    /// Goes on if nothing is against it.
    ///
    /// # Errors
    /// `Cancelled` if the process is to die, `Limit` if it has passed one.
    pub fn ask(&self, rt: &Runtime) -> Result<(), AllocError> {
        if rt.is_stopping() || rt.slots.is_doomed(self.pid, self.traps) {
            return Err(AllocError::Cancelled);
        }
        let Some((account, messages, bytes)) = &self.limited else { return Ok(()) };
        if account.deadline() != u64::MAX && rt.clock.now() >= account.deadline() {
            return Err(AllocError::Limit(Quota::WallTime));
        }
        let (more, more_bytes) = rt.slots.queued(self.pid);
        mailbox_passed(account, messages + more, bytes + more_bytes)
            .map_or(Ok(()), |quota| Err(AllocError::Limit(quota)))
    }
}

/// Counts a new process of this account.
///
/// # Errors
/// If there may be no more.
#[inline]
pub fn admit(worker: &mut WorkerCx, rt: &Runtime, account: &Account) -> Result<(), AllocError> {
    if account.is_limited() {
        return admit_limited(account);
    }
    worker.process_bytes += PROCESS_BYTES as isize;
    if worker.process_bytes > MOST_UNTOLD { tell(worker, rt) } else { Ok(()) }
}

fn admit_limited(account: &Account) -> Result<(), AllocError> {
    account.take(Quota::Processes, 1)?;
    account.charge(PROCESS_BYTES).inspect_err(|_| account.give_back(Quota::Processes, 1))
}

/// A process is gone, but for its heap and for those it has to tell.
#[inline]
pub fn leave(worker: &mut WorkerCx, rt: &Runtime, process: &mut Process) {
    let account = process.heap.account();
    process.mailbox.settle(account);
    if let Some(cold) = &process.cold {
        account.refund(cold.told);
    }
    dismiss(worker, rt, account);
}

/// A process of this account is gone.
#[inline]
pub fn dismiss(worker: &mut WorkerCx, rt: &Runtime, account: &Account) {
    if account.is_limited() {
        account.give_back(Quota::Processes, 1);
        return account.refund(PROCESS_BYTES);
    }
    worker.process_bytes -= PROCESS_BYTES as isize;
    if worker.process_bytes < -MOST_UNTOLD {
        // What is given back is never refused.
        let _ = tell(worker, rt);
    }
}

/// Bytes of processes without limits that a worker may be ahead of what the machine's account was told.
const MOST_UNTOLD: isize = 64 * 1024;

/// Tells the machine's account of the processes that came and went.
#[cold]
pub(super) fn tell(worker: &mut WorkerCx, rt: &Runtime) -> Result<(), AllocError> {
    match usize::try_from(worker.process_bytes) {
        Ok(more) => {
            rt.account.charge(more).inspect_err(|_| worker.process_bytes -= PROCESS_BYTES as isize)?
        }
        Err(_) => rt.account.refund(worker.process_bytes.unsigned_abs()),
    }
    worker.process_bytes = 0;
    Ok(())
}

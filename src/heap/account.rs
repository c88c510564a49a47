//! Accounts: who pays for memory.
//!
//! Every process, shared binary, table, timer and job belongs to an account; spawn hands it on. An account may have a
//! parent, which pays for all its children, and a limit. Allocations above [`FREE_BYTES`] are charged before they are made;
//! smaller ones are gathered per heap (plain arithmetic, see `Heap::settle`) and charged in lumps, so that a message
//! costs no atomic operation on a line all workers share.
//!
//! **Limited accounts.** What else than memory can be limited (reductions, processes, atoms, ...) is counted only where it is:
//! an account for which somebody has set [`Limits`], and those below it, have a [`Ledger`]; the heaps they pay for know it
//! (`Heap::is_limited`), and their processes settle at the end of each slice what they gathered in it. A process without limits
//! pays nothing for their being possible.

use std::sync::atomic::{AtomicIsize, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use crate::limits::{Capabilities, Limits, Quota};

/// Up to this many bytes a heap may be ahead of what its account was told.
pub const FREE_BYTES: usize = 64 * 1024;

/// What a machine may hold if its owner sets no limit: half of the memory there is, so that a program that wants everything
/// ends with an error of its own and not with the end of the operating system's patience.
pub fn default_limit_bytes() -> usize {
    *DEFAULT_LIMIT.get_or_init(|| memory_bytes().map_or(UNKNOWN_LIMIT_BYTES, |bytes| bytes / 2))
}

/// To ask the operating system takes longer than many a call of a machine's.
static DEFAULT_LIMIT: OnceLock<usize> = OnceLock::new();

/// The limit where the size of memory is not known.
const UNKNOWN_LIMIT_BYTES: usize = 4 << 30;

#[cfg(target_os = "linux")]
fn memory_bytes() -> Option<usize> {
    let info = rustix::system::sysinfo();
    usize::try_from(u64::from(info.mem_unit).saturating_mul(info.totalram as u64)).ok()
}

#[cfg(not(target_os = "linux"))]
fn memory_bytes() -> Option<usize> {
    None
}

/// What was asked for and cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllocError {
    /// Larger than the machine's words or OTP's limits allow: `system_limit`.
    SystemLimit,
    /// The account's limit of this, or that of one of its parents, would be passed.
    Limit(Quota),
    /// The operating system has no memory left.
    OutOfMemory,
    /// Not room but time: it takes longer than a worker may be held (see `heap::work`).
    Time,
    /// The process is to die; nobody wants the result any more.
    Cancelled,
}

impl std::fmt::Display for AllocError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            AllocError::SystemLimit => "larger than the system allows",
            AllocError::Limit(quota) => return write!(f, "the limit of {} is reached", quota.name()),
            AllocError::OutOfMemory => "out of memory",
            AllocError::Time => "longer than a worker may be held",
            AllocError::Cancelled => "no longer wanted",
        })
    }
}

impl std::error::Error for AllocError {}

/// Counters and limits of one payer.
#[derive(Debug)]
pub struct Account {
    /// Below zero while a worker has told of the end of processes of whose beginning another one has not told yet.
    bytes: AtomicIsize,
    /// Those of them that shared binaries take.
    binary_bytes: AtomicIsize,
    limit: AtomicUsize,
    parent: Option<Arc<Account>>,
    /// Of limited accounts.
    ledger: Option<Box<Ledger>>,
    capabilities: Arc<Capabilities>,
    /// It pays for the machine's own servers: nothing is refused.
    is_own: bool,
}

/// What limited accounts count, and the limits that hold for each process by itself.
#[derive(Debug)]
struct Ledger {
    counters: [Counter; COUNTED.len()],
    /// Of the mailbox of each process: the smallest of those here and above.
    mailbox_messages: u64,
    mailbox_bytes: u64,
    /// By the machine's clock: the first of those here and above; `u64::MAX` for never.
    deadline: u64,
}

/// Something counted along the chain of accounts.
#[derive(Debug)]
struct Counter {
    used: AtomicU64,
    limit: u64,
}

/// What counters are of.
const COUNTED: [Quota; 6] = [
    Quota::Reductions,
    Quota::Processes,
    Quota::Atoms,
    Quota::EtsBytes,
    Quota::OutputBytes,
    Quota::OpenFiles,
];

fn place(quota: Quota) -> Option<usize> {
    COUNTED.iter().position(|counted| *counted == quota)
}

impl Ledger {
    fn new(parent: Option<&Ledger>, limits: &Limits, now: u64) -> Ledger {
        let least =
            |quota, above: Option<u64>| limits.get(quota).unwrap_or(u64::MAX).min(above.unwrap_or(u64::MAX));
        let deadline = limits.get(Quota::WallTime).map_or(u64::MAX, |time| now.saturating_add(time));
        Ledger {
            counters: COUNTED.map(|quota| Counter {
                used: AtomicU64::new(0),
                limit: limits.get(quota).unwrap_or(u64::MAX),
            }),
            mailbox_messages: least(Quota::MailboxMessages, parent.map(|above| above.mailbox_messages)),
            mailbox_bytes: least(Quota::MailboxBytes, parent.map(|above| above.mailbox_bytes)),
            deadline: deadline.min(parent.map_or(u64::MAX, |above| above.deadline)),
        }
    }
}

/// A limit and how much of it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// How much there is of it now.
    pub used: u64,
    /// How much there may be.
    pub limit: u64,
}

impl Account {
    /// An account without parent or limit.
    pub fn root() -> Arc<Account> {
        Account::new(None, usize::MAX)
    }

    /// An account below `parent` that may hold at most `limit_bytes`, for which nothing else is limited.
    pub fn new(parent: Option<Arc<Account>>, limit_bytes: usize) -> Arc<Account> {
        let capabilities = match &parent {
            Some(parent) => Arc::clone(&parent.capabilities),
            None => Arc::new(Capabilities::all()),
        };
        Account::made(parent, limit_bytes, None, capabilities)
    }

    /// The account of a whole machine.
    pub fn machine(limit_bytes: usize, limits: &Limits, capabilities: Capabilities) -> Arc<Account> {
        let memory = limits.get(Quota::Memory).map_or(limit_bytes, addressable);
        let ledger = (!limits.is_empty()).then(|| Box::new(Ledger::new(None, limits, 0)));
        Account::made(None, memory, ledger, Arc::new(capabilities))
    }

    /// The account of a tree of processes below `parent`, with limits and capabilities of its own, which narrow the parent's.
    /// `now` is the time by the machine's clock.
    pub fn narrowed(
        parent: &Arc<Account>,
        limits: &Limits,
        capabilities: Option<&Capabilities>,
        now: u64,
    ) -> Arc<Account> {
        let capabilities = match capabilities {
            Some(wanted) => Arc::new(parent.capabilities.narrowed(wanted)),
            None => Arc::clone(&parent.capabilities),
        };
        let memory = limits.get(Quota::Memory).map_or(usize::MAX, addressable);
        let ledger = (!limits.is_empty() || parent.ledger.is_some())
            .then(|| Box::new(Ledger::new(parent.ledger.as_deref(), limits, now)));
        Account::made(Some(Arc::clone(parent)), memory, ledger, capabilities)
    }

    /// Whether it pays for the machine's own servers, which nothing is refused to.
    pub fn is_own(&self) -> bool {
        self.is_own
    }

    fn made(
        parent: Option<Arc<Account>>,
        limit: usize,
        ledger: Option<Box<Ledger>>,
        capabilities: Arc<Capabilities>,
    ) -> Arc<Account> {
        Arc::new(Account {
            bytes: AtomicIsize::new(0),
            binary_bytes: AtomicIsize::new(0),
            limit: AtomicUsize::new(limit),
            parent,
            ledger,
            capabilities,
            is_own: false,
        })
    }

    /// The account of servers of the machine `root` is of. What floods them is counted there, where those who do it find
    /// that there is too much; the servers themselves go on.
    pub fn of_servers(root: &Arc<Account>, capabilities: Capabilities) -> Arc<Account> {
        Arc::new(Account {
            bytes: AtomicIsize::new(0),
            binary_bytes: AtomicIsize::new(0),
            limit: AtomicUsize::new(usize::MAX),
            parent: Some(Arc::clone(root)),
            ledger: None,
            capabilities: Arc::new(capabilities),
            is_own: true,
        })
    }

    /// Bytes charged and not yet refunded. Lags by what heaps gather, at most `FREE_BYTES` each.
    pub fn bytes(&self) -> usize {
        usize::try_from(self.bytes.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// Those of them that shared binaries take.
    pub fn binary_bytes(&self) -> usize {
        usize::try_from(self.binary_bytes.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// Charges a shared binary, as `charge` does.
    ///
    /// # Errors
    /// As `charge`.
    pub fn charge_binary(&self, bytes: usize) -> Result<(), AllocError> {
        self.charge(bytes)?;
        for payer in self.chain() {
            payer.binary_bytes.fetch_add(bytes.cast_signed(), Ordering::Relaxed);
        }
        Ok(())
    }

    /// Gives back what `charge_binary` charged.
    pub fn refund_binary(&self, bytes: usize) {
        for payer in self.chain() {
            payer.bytes.fetch_sub(bytes.cast_signed(), Ordering::Relaxed);
            payer.binary_bytes.fetch_sub(bytes.cast_signed(), Ordering::Relaxed);
        }
    }

    /// The limit in bytes; `usize::MAX` is none.
    pub fn limit(&self) -> usize {
        self.limit.load(Ordering::Relaxed)
    }

    /// Changes the limit. What is already held stays held.
    pub fn set_limit(&self, limit_bytes: usize) {
        self.limit.store(limit_bytes, Ordering::Relaxed);
    }

    /// What its processes may touch of the world.
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// The same, to be kept by a job.
    pub fn shared_capabilities(&self) -> &Arc<Capabilities> {
        &self.capabilities
    }

    /// Whether somebody has set limits for it or above it, so that more than memory is counted, and that exactly.
    #[inline]
    pub fn is_limited(&self) -> bool {
        self.ledger.is_some()
    }

    /// This account, its parent, and so on.
    fn chain(&self) -> impl Iterator<Item = &Account> {
        std::iter::successors(Some(self), |account| account.parent.as_deref())
    }

    /// Whether what this one is charged is charged to `other` too.
    pub fn is_within(&self, other: &Account) -> bool {
        self.chain().any(|account| std::ptr::eq(account, other))
    }

    // ---- memory ----

    /// Charges `bytes` here and to all parents.
    ///
    /// # Errors
    /// `Limit` if one of them would pass its limit; then nothing is charged.
    pub fn charge(&self, bytes: usize) -> Result<(), AllocError> {
        if self.is_own {
            self.charge_anyway(bytes);
            return Ok(());
        }
        let mut account = self;
        loop {
            // Relaxed: a counter, it publishes nothing.
            let before = account.bytes.fetch_add(bytes.cast_signed(), Ordering::Relaxed);
            let now = before.saturating_add_unsigned(bytes);
            if usize::try_from(now).is_ok_and(|now| now > account.limit()) {
                self.refund_through(bytes, account);
                return Err(AllocError::Limit(Quota::Memory));
            }
            match &account.parent {
                Some(parent) => account = parent,
                None => return Ok(()),
            }
        }
    }

    /// Whether so many bytes more would pass no limit: a fact about one moment.
    pub fn has_room(&self, bytes: usize) -> bool {
        let mut account = Some(self);
        while let Some(payer) = account {
            if payer.bytes().saturating_add(bytes) > payer.limit() {
                return false;
            }
            account = payer.parent.as_deref();
        }
        true
    }

    /// Charges what is already there, whatever the limits say.
    pub fn charge_anyway(&self, bytes: usize) {
        for payer in self.chain() {
            payer.bytes.fetch_add(bytes.cast_signed(), Ordering::Relaxed);
        }
    }

    /// Gives back what was charged.
    pub fn refund(&self, bytes: usize) {
        for payer in self.chain() {
            payer.bytes.fetch_sub(bytes.cast_signed(), Ordering::Relaxed);
        }
    }

    fn refund_through(&self, bytes: usize, last: &Account) {
        for payer in self.chain() {
            payer.bytes.fetch_sub(bytes.cast_signed(), Ordering::Relaxed);
            if std::ptr::eq(payer, last) {
                return;
            }
        }
    }

    /// Whether more is held than may be.
    pub fn is_over_memory(&self) -> bool {
        !self.is_own && self.chain().any(|account| account.bytes() > account.limit())
    }

    // ---- what is counted ----

    fn counters(&self, quota: Quota) -> impl Iterator<Item = &Counter> {
        let place = place(quota);
        self.chain().filter_map(move |account| account.ledger.as_ref()?.counters.get(place?))
    }

    /// Counts `amount` of what only grows, here and above, whatever the limits say.
    ///
    /// # Errors
    /// `Limit` if it is more than there may be; never for the machine's own servers.
    pub fn spend(&self, quota: Quota, amount: u64) -> Result<(), AllocError> {
        let mut result = Ok(());
        for counter in self.counters(quota) {
            // Relaxed, here and below: counters, they publish nothing.
            let used = counter.used.fetch_add(amount, Ordering::Relaxed).saturating_add(amount);
            if used > counter.limit && !self.is_own {
                result = Err(AllocError::Limit(quota));
            }
        }
        result
    }

    /// Counts `amount` of what is given back one day, here and above.
    ///
    /// # Errors
    /// `Limit` if that would be more than there may be; then nothing is counted.
    pub fn take(&self, quota: Quota, amount: u64) -> Result<(), AllocError> {
        let result = self.spend(quota, amount);
        if result.is_err() {
            self.give_back(quota, amount);
        }
        result
    }

    /// Charges memory that is counted as something else, too.
    ///
    /// # Errors
    /// `Limit` if one of them would be more than there may be; then nothing is charged.
    pub fn charge_as(&self, quota: Quota, bytes: usize) -> Result<(), AllocError> {
        self.take(quota, bytes as u64)?;
        self.charge(bytes).inspect_err(|_| self.give_back(quota, bytes as u64))
    }

    /// Gives back what was taken.
    pub fn give_back(&self, quota: Quota, amount: u64) {
        for counter in self.counters(quota) {
            counter.used.fetch_sub(amount, Ordering::Relaxed);
        }
    }

    /// How much may still be counted.
    pub fn left(&self, quota: Quota) -> u64 {
        let left = |counter: &Counter| counter.limit.saturating_sub(counter.used.load(Ordering::Relaxed));
        self.counters(quota).map(left).min().unwrap_or(u64::MAX)
    }

    /// Most messages in a mailbox, and most bytes of them.
    pub fn mailbox_limits(&self) -> (u64, u64) {
        self.ledger
            .as_ref()
            .map_or((u64::MAX, u64::MAX), |ledger| (ledger.mailbox_messages, ledger.mailbox_bytes))
    }

    /// When its processes must end, by the machine's clock; `u64::MAX` for never.
    pub fn deadline(&self) -> u64 {
        self.ledger.as_ref().map_or(u64::MAX, |ledger| ledger.deadline)
    }

    /// The tightest of the limits of `quota` that hold for the account, if there is one: the first to be reached.
    pub fn usage(&self, quota: Quota) -> Option<Usage> {
        let usages = self.chain().filter_map(|account| match quota {
            Quota::Memory => Some(Usage { used: account.bytes() as u64, limit: account.limit() as u64 }),
            _ => {
                let counter = account.ledger.as_ref()?.counters.get(place(quota)?)?;
                Some(Usage { used: counter.used.load(Ordering::Relaxed), limit: counter.limit })
            }
        });
        usages
            .min_by_key(|usage| i128::from(usage.limit) - i128::from(usage.used))
            .filter(|usage| usage.limit != u64::MAX && usage.limit != usize::MAX as u64)
    }
}

fn addressable(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: AllocError = AllocError::Limit(Quota::Memory);

    #[test]
    fn parents_pay_and_limits_leave_nothing_behind() {
        let root = Account::new(None, 1000);
        let child = Account::new(Some(root.clone()), 600);
        let other = Account::new(Some(root.clone()), 600);
        assert_eq!(child.charge(500), Ok(()));
        assert_eq!(child.charge(101), Err(FULL));
        assert_eq!(other.charge(501), Err(FULL));
        assert_eq!((root.bytes(), child.bytes(), other.bytes()), (500, 500, 0));
        child.refund(500);
        assert_eq!((root.bytes(), child.bytes()), (0, 0));
        child.refund(100);
        assert_eq!((child.bytes(), child.charge(600)), (0, Ok(())), "told of the end before the beginning");
        child.refund(500);
        assert!(!child.is_limited());
    }

    #[test]
    fn limits_only_narrow() {
        let limits = Limits::new().processes(3).atoms(10).mailbox_messages(5);
        let root = Account::machine(1 << 20, &limits, Capabilities::none());
        let wider = Limits::new().processes(100).mailbox_messages(100).memory(1000);
        let child = Account::narrowed(&root, &wider, Some(&Capabilities::all()), 0);
        assert_eq!(child.capabilities(), &Capabilities::none());
        assert_eq!(child.mailbox_limits(), (5, u64::MAX));
        assert_eq!(child.take(Quota::Processes, 2), Ok(()));
        assert_eq!(root.take(Quota::Processes, 1), Ok(()));
        assert_eq!(child.take(Quota::Processes, 1), Err(AllocError::Limit(Quota::Processes)));
        assert_eq!(root.usage(Quota::Processes), Some(Usage { used: 3, limit: 3 }), "nothing left behind");
        child.give_back(Quota::Processes, 2);
        assert_eq!(child.left(Quota::Processes), 2);
        assert_eq!(child.spend(Quota::Atoms, 11), Err(AllocError::Limit(Quota::Atoms)));
        assert_eq!(root.left(Quota::Atoms), 0, "what only grows is counted all the same");
        assert_eq!(child.charge(1001), Err(FULL));
        assert_eq!(child.usage(Quota::Memory), Some(Usage { used: 0, limit: 1000 }));
        assert_eq!(child.usage(Quota::OutputBytes), None);
        assert!(child.is_within(&root) && !root.is_within(&child));
    }

    #[test]
    fn the_first_deadline_counts() {
        use std::time::Duration;
        let root = Account::machine(
            1 << 20,
            &Limits::new().wall_time(Duration::from_nanos(100)),
            Capabilities::none(),
        );
        let at = |now, ns| {
            Account::narrowed(&root, &Limits::new().wall_time(Duration::from_nanos(ns)), None, now).deadline()
        };
        assert_eq!((at(50, 10), at(50, 100)), (60, 100));
        assert_eq!(Account::narrowed(&root, &Limits::new(), None, 50).deadline(), 100);
    }
}

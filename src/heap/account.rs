//! Accounts: who pays for memory.
//!
//! Every process, shared binary, table, timer and job belongs to an account; spawn hands it on. An account may have a
//! parent, which pays for all its children, and a limit. Allocations above [`FREE_BYTES`] are charged before they are made;
//! smaller ones are gathered per heap (plain arithmetic, see `Heap::settle`) and charged in lumps, so that a message
//! costs no atomic operation on a line all workers share.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Up to this many bytes a heap may be ahead of what its account was told.
pub const FREE_BYTES: usize = 64 * 1024;

/// What a machine may hold if its owner sets no limit: half of the memory there is, so that a program that wants everything
/// ends with an error of its own and not with the end of the operating system's patience.
pub fn default_limit_bytes() -> usize {
    memory_bytes().map_or(UNKNOWN_LIMIT_BYTES, |bytes| bytes / 2)
}

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
    /// The account's limit, or that of one of its parents, would be passed.
    AccountLimit,
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
            AllocError::AccountLimit => "the account's memory limit is reached",
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
    bytes: AtomicUsize,
    limit: AtomicUsize,
    parent: Option<Arc<Account>>,
}

impl Account {
    /// An account without parent or limit.
    pub fn root() -> Arc<Account> {
        Account::new(None, usize::MAX)
    }

    /// An account below `parent` that may hold at most `limit_bytes`.
    pub fn new(parent: Option<Arc<Account>>, limit_bytes: usize) -> Arc<Account> {
        Arc::new(Account { bytes: AtomicUsize::new(0), limit: AtomicUsize::new(limit_bytes), parent })
    }

    /// Bytes charged and not yet refunded. Lags by what heaps gather, at most `FREE_BYTES` each.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The limit in bytes; `usize::MAX` is none.
    pub fn limit(&self) -> usize {
        self.limit.load(Ordering::Relaxed)
    }

    /// Changes the limit. What is already held stays held.
    pub fn set_limit(&self, limit_bytes: usize) {
        self.limit.store(limit_bytes, Ordering::Relaxed);
    }

    /// Charges `bytes` here and to all parents.
    ///
    /// # Errors
    /// `AccountLimit` if one of them would pass its limit; then nothing is charged.
    pub fn charge(&self, bytes: usize) -> Result<(), AllocError> {
        let mut account = self;
        loop {
            // Relaxed: a counter, it publishes nothing.
            let before = account.bytes.fetch_add(bytes, Ordering::Relaxed);
            if before.saturating_add(bytes) > account.limit() {
                self.refund_through(bytes, account);
                return Err(AllocError::AccountLimit);
            }
            match &account.parent {
                Some(parent) => account = parent,
                None => return Ok(()),
            }
        }
    }

    /// Charges what is already there, whatever the limits say.
    pub fn charge_anyway(&self, bytes: usize) {
        let mut account = Some(self);
        while let Some(payer) = account {
            payer.bytes.fetch_add(bytes, Ordering::Relaxed);
            account = payer.parent.as_deref();
        }
    }

    /// Gives back what was charged.
    pub fn refund(&self, bytes: usize) {
        let mut account = Some(self);
        while let Some(payer) = account {
            payer.bytes.fetch_sub(bytes, Ordering::Relaxed);
            account = payer.parent.as_deref();
        }
    }

    fn refund_through(&self, bytes: usize, last: &Account) {
        let mut account = Some(self);
        while let Some(payer) = account {
            payer.bytes.fetch_sub(bytes, Ordering::Relaxed);
            if std::ptr::eq(payer, last) {
                return;
            }
            account = payer.parent.as_deref();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_pay_and_limits_leave_nothing_behind() {
        let root = Account::new(None, 1000);
        let child = Account::new(Some(root.clone()), 600);
        let other = Account::new(Some(root.clone()), 600);
        assert_eq!(child.charge(500), Ok(()));
        assert_eq!(child.charge(101), Err(AllocError::AccountLimit));
        assert_eq!(other.charge(501), Err(AllocError::AccountLimit));
        assert_eq!((root.bytes(), child.bytes(), other.bytes()), (500, 500, 0));
        child.refund(500);
        assert_eq!((root.bytes(), child.bytes()), (0, 0));
    }
}

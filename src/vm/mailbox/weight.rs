//! What the messages in a mailbox of the host's take, of which the machine's account is told in lumps.
//!
//! So that is how a flood ends: who sends what is too much for the machine's limit of memory ends at the end of its turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::heap::{Account, Fragment};

/// Bytes of messages that are not worth telling.
const UNTOLD_BYTES: usize = 64 * 1024;

/// The messages of one mailbox together.
pub(super) struct Scale {
    account: Arc<Account>,
    /// Bytes of the messages, and those the account was told of.
    bytes: AtomicUsize,
    told: AtomicUsize,
}

impl Scale {
    pub fn new(account: &Arc<Account>) -> Arc<Scale> {
        Arc::new(Scale {
            account: Arc::clone(account),
            bytes: AtomicUsize::new(0),
            told: AtomicUsize::new(0),
        })
    }

    /// Tells the account of messages that have come or gone.
    fn settle(&self) {
        let (told, bytes) = (self.told.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed));
        if bytes.abs_diff(told) <= UNTOLD_BYTES {
            return;
        }
        // Whoever makes this step tells of it; others tell of what comes after.
        if self.told.compare_exchange(told, bytes, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            return;
        }
        match bytes.checked_sub(told) {
            Some(more) => self.account.charge_anyway(more),
            None => self.account.refund(told - bytes),
        }
    }
}

impl Drop for Scale {
    fn drop(&mut self) {
        self.account.refund(*self.told.get_mut());
    }
}

/// The part of one message; it ends with the message.
pub(super) struct Weight {
    scale: Arc<Scale>,
    bytes: usize,
}

impl Weight {
    /// Of a message of `content`, which lies in `extra` bytes more.
    pub fn new(scale: &Arc<Scale>, content: &Fragment, extra: usize) -> Weight {
        let bytes = extra + if content.is_paid() { 0 } else { content.bytes() };
        scale.bytes.fetch_add(bytes, Ordering::Relaxed);
        scale.settle();
        Weight { scale: Arc::clone(scale), bytes }
    }
}

impl Drop for Weight {
    fn drop(&mut self) {
        self.scale.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
        self.scale.settle();
    }
}

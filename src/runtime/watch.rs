//! What happens in a machine, told to whoever the embedder has put there to watch.
//!
//! Nothing here is asked where it is hot: an ended process with an error, a passed limit, a slice in which there were collections. Without a
//! watcher each costs one look at a pointer.

use super::Runtime;
use crate::limits::Quota;
use crate::term::Pid;

/// Something that has happened.
#[derive(Clone, Copy, Debug)]
pub enum Happening<'a> {
    /// A process has ended with an error that nobody caught.
    Failed {
        /// The process.
        pid: Pid,
        /// The reason, as `~p` shows it.
        reason: &'a str,
    },
    /// A process has passed a limit, which ends it.
    Limit {
        /// The process.
        pid: Pid,
        /// Of what.
        quota: Quota,
        /// How much there was and how much there may be, where that is known.
        usage: Option<(u64, u64)>,
    },
    /// A process had collections in a slice.
    Collected {
        /// The process.
        pid: Pid,
        /// Collections of young terms only.
        minor: u32,
        /// Collections of the whole heap.
        major: u32,
        /// Words they have freed.
        freed_words: u64,
    },
}

/// Who is told. It runs where things happen, so it must be quick and never wait.
pub type Watcher = Box<dyn Fn(Happening<'_>) + Send + Sync>;

impl Runtime {
    /// Puts a watcher there; the first one counts.
    pub fn watch(&self, watcher: Watcher) {
        // The builder does it once, before anything runs.
        let _ = self.watcher.set(watcher);
    }

    /// Who watches.
    #[inline]
    pub fn watcher(&self) -> Option<&Watcher> {
        self.watcher.get()
    }
}

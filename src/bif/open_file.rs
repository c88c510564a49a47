//! Open files: what a handle refers to, and whose it is.

use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};

use crate::bif::Cx;
use crate::runtime::limits::Held;

/// An open file, which its opener owns: it is closed with that process, be it that a copy of the handle is still elsewhere.
pub(super) struct Handle {
    file: Mutex<Option<Open>>,
    /// Its owner is gone: whoever has it locked closes it.
    orphaned: AtomicBool,
}

pub(super) struct Open {
    pub file: File,
    /// Counted as open as long as it is.
    _held: Held,
}

impl Handle {
    /// Runs `work` on what is open.
    pub fn with<R>(&self, work: impl FnOnce(&mut Option<Open>) -> R) -> R {
        let result = work(&mut self.file.lock().unwrap_or_else(PoisonError::into_inner));
        // SeqCst: pairs with that in `orphan`. Either it finds the lock free, or this finds the mark.
        if self.orphaned.load(Ordering::SeqCst) {
            self.try_close();
        }
        result
    }

    /// Closes it, now or when who works with it is done. It does not wait.
    fn orphan(&self) {
        self.orphaned.store(true, Ordering::SeqCst);
        self.try_close();
    }

    fn try_close(&self) {
        let open = match self.file.try_lock() {
            Ok(mut file) => file.take(),
            Err(TryLockError::Poisoned(file)) => file.into_inner().take(),
            Err(TryLockError::WouldBlock) => None,
        };
        drop(open);
    }
}

/// Files that a process has opened.
#[derive(Clone, Default)]
pub(super) struct Opened(Arc<Mutex<Files>>);

/// Kept by the process; dropped with it.
struct Owned(Opened);

#[derive(Default)]
struct Files {
    files: Vec<Weak<Handle>>,
    /// How many there were when those that were closed were last forgotten.
    known: usize,
    is_over: bool,
}

impl Files {
    /// One more; `false` if its owner is gone.
    fn add(&mut self, handle: &Arc<Handle>) -> bool {
        if self.files.len() >= 2 * self.known.max(8) {
            self.files.retain(|file| file.strong_count() > 0);
            self.known = self.files.len();
        }
        self.files.push(Arc::downgrade(handle));
        !self.is_over
    }
}

impl Opened {
    /// Those of the calling process.
    pub fn by(cx: &mut Cx<'_>) -> Opened {
        let owned = cx.process_mut().cold().owned.get_or_insert_with(|| Box::new(Owned(Opened::default())));
        owned.downcast_ref::<Owned>().map_or_else(Opened::default, |owned| owned.0.clone())
    }

    /// One more.
    pub fn add(&self, file: File, held: Held) -> Arc<Handle> {
        let file = Mutex::new(Some(Open { file, _held: held }));
        let handle = Arc::new(Handle { file, orphaned: AtomicBool::new(false) });
        if !self.lock().add(&handle) {
            handle.orphan();
        }
        handle
    }

    fn lock(&self) -> MutexGuard<'_, Files> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        let mut files = self.0.lock();
        files.is_over = true;
        let files = std::mem::take(&mut files.files);
        files.iter().filter_map(Weak::upgrade).for_each(|file| file.orphan());
    }
}

//! Open files: what a handle refers to, and whose it is.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
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
    /// It is no pipe or device: what was read can be given back.
    is_regular: bool,
    /// Counted as open as long as it is.
    _held: Held,
}

impl Open {
    /// Reads up to `wanted` bytes, less only at the end of the file, if the system has them in memory: it does not wait for a disk.
    pub fn read_at_once(&mut self, wanted: usize) -> Option<Vec<u8>> {
        if !self.is_regular {
            return None;
        }
        let mut bytes = vec![0; wanted];
        let mut filled = 0;
        while filled < wanted {
            match read_cached(&self.file, &mut bytes[filled..]) {
                Some(0) => break,
                Some(count) => filled += count,
                None => {
                    if filled > 0 {
                        self.file.seek(SeekFrom::Current(-(filled as i64))).ok()?;
                    }
                    return None;
                }
            }
        }
        bytes.truncate(filled);
        Some(bytes)
    }

    /// Moves the position, where that takes no time.
    pub fn seek_at_once(&mut self, to: SeekFrom) -> Option<io::Result<u64>> {
        self.is_regular.then(|| self.file.seek(to))
    }
}

/// Reads at the position what is in memory; `None` if nothing is, or the system cannot tell.
#[cfg(target_os = "linux")]
fn read_cached(file: &File, into: &mut [u8]) -> Option<usize> {
    /// No place but where the file is, which then moves on.
    const AT_POSITION: u64 = u64::MAX;
    let mut into = [io::IoSliceMut::new(into)];
    rustix::io::preadv2(file, &mut into, AT_POSITION, rustix::io::ReadWriteFlags::NOWAIT).ok()
}

#[cfg(not(target_os = "linux"))]
fn read_cached(_: &File, _: &mut [u8]) -> Option<usize> {
    None
}

impl Handle {
    /// Runs `work` on what is open, unless somebody else is at it or it is closed.
    pub fn try_with<R>(&self, work: impl FnOnce(&mut Open) -> Option<R>) -> Option<R> {
        let result = match self.file.try_lock() {
            Ok(mut file) => file.as_mut().and_then(work),
            Err(_) => return None,
        };
        self.close_if_orphaned();
        result
    }

    /// Runs `work` on what is open.
    pub fn with<R>(&self, work: impl FnOnce(&mut Option<Open>) -> R) -> R {
        let result = work(&mut self.file.lock().unwrap_or_else(PoisonError::into_inner));
        self.close_if_orphaned();
        result
    }

    /// What who had the lock does after it.
    fn close_if_orphaned(&self) {
        // SeqCst: pairs with that in `orphan`. Either it finds the lock free, or this finds the mark.
        if self.orphaned.load(Ordering::SeqCst) {
            self.try_close();
        }
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
    pub fn add(&self, file: File, is_regular: bool, held: Held) -> Arc<Handle> {
        let file = Mutex::new(Some(Open { file, is_regular, _held: held }));
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

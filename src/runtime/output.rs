//! Output devices: standard output and standard error as the program sees them.
//!
//! A worker must never block, and a write to a pipe or a terminal may. So [`Output::put`] only appends to a buffer, and a
//! thread of the device's own, started with the first output, writes what has gathered since its last write; many
//! small outputs become one write. The buffer is bounded by its callers: `put` says when the backlog is high, and
//! the caller then waits (in a job) until it is low again. [`Output::flush`] returns when everything put before it is
//! written, which is how nothing is lost at `halt`.
//!
//! Invariant: bytes leave in the order of the `put` calls.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// From this many waiting bytes on, callers are asked to wait: large enough that a writing burst of small lines never
/// waits on a fast device, small enough to be no memory leak on a stuck one.
const HIGH_BYTES: usize = 1 << 20;

/// Where the bytes go: a file descriptor, a buffer of the embedder's.
pub type Sink = Box<dyn Write + Send>;

/// One device; clones are the same one.
#[derive(Clone)]
pub struct Output(Arc<Device>);

struct Device {
    shared: Arc<Shared>,
    /// The writing thread, once something was put.
    writer: Mutex<Option<JoinHandle<()>>>,
}

/// What [`Output::put`] tells its caller.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backlog {
    /// Go on.
    Low,
    /// Wait with [`Output::drain`] before putting more.
    High,
}

struct Shared {
    state: Mutex<State>,
    /// Signalled by `put` and `close`; the writer waits for it.
    work: Condvar,
    /// Signalled by the writer after each write; `drain` and `flush` wait for it.
    written: Condvar,
}

struct State {
    buffer: Vec<u8>,
    sink: Option<Sink>,
    /// The writer is at the sink with bytes taken from the buffer.
    writing: bool,
    closed: bool,
    /// The sink failed once; nothing more is written.
    failure: Option<io::ErrorKind>,
}

impl State {
    fn is_busy(&mut self) -> bool {
        (self.writing || !self.buffer.is_empty()) && self.failure.is_none()
    }
}

impl Output {
    /// A device that writes to `sink`.
    pub fn new(sink: Sink) -> Output {
        let state =
            State { buffer: Vec::new(), sink: Some(sink), writing: false, closed: false, failure: None };
        let shared = Shared { state: Mutex::new(state), work: Condvar::new(), written: Condvar::new() };
        Output(Arc::new(Device { shared: Arc::new(shared), writer: Mutex::new(None) }))
    }

    /// Appends `bytes` to what will be written.
    ///
    /// # Errors
    ///
    /// The kind of error with which an earlier write failed.
    pub fn put(&self, bytes: &[u8]) -> Result<Backlog, io::ErrorKind> {
        let mut state = self.0.shared.lock();
        if let Some(failure) = state.failure {
            return Err(failure);
        }
        let idle = state.buffer.is_empty();
        state.buffer.extend_from_slice(bytes);
        let backlog = if state.buffer.len() > HIGH_BYTES { Backlog::High } else { Backlog::Low };
        drop(state);
        if idle && !bytes.is_empty() {
            self.0.wake_writer()?;
        }
        Ok(backlog)
    }

    /// Blocks until the backlog is low. Not for workers.
    pub fn drain(&self) {
        let state = self.0.shared.lock();
        let low = |state: &mut State| state.buffer.len() > HIGH_BYTES / 2 && state.failure.is_none();
        drop(self.0.shared.written.wait_while(state, low).unwrap_or_else(PoisonError::into_inner));
    }

    /// Blocks until everything put so far is written. Not for workers.
    pub fn flush(&self) {
        let shared = &self.0.shared;
        drop(
            shared.written.wait_while(shared.lock(), State::is_busy).unwrap_or_else(PoisonError::into_inner),
        );
    }

    /// The same, but no longer than this: somebody may be writing without end, or the device be stuck. Not for workers.
    pub fn flush_within(&self, time: Duration) {
        let shared = &self.0.shared;
        // A poisoned lock holds a state that is whole: nothing panics between two changes.
        drop(shared.written.wait_timeout_while(shared.lock(), time, State::is_busy));
    }
}

impl Device {
    fn wake_writer(&self) -> Result<(), io::ErrorKind> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.is_none() {
            let shared = Arc::clone(&self.shared);
            let thread =
                std::thread::Builder::new().name("erlet-output".into()).spawn(move || shared.write_loop());
            match thread {
                Ok(handle) => *writer = Some(handle),
                Err(error) => {
                    self.shared.fail(error.kind());
                    return Err(error.kind());
                }
            }
        }
        drop(writer);
        self.shared.work.notify_one();
        Ok(())
    }
}

impl Drop for Device {
    /// Writes what is left and ends the thread.
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.work.notify_one();
        let writer = self.writer.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(handle) = writer {
            // The writer cannot panic on its own; a panicking sink of the embedder's has lost its bytes already.
            let _ = handle.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fail(&self, kind: io::ErrorKind) {
        let mut state = self.lock();
        state.failure = Some(kind);
        state.writing = false;
        state.buffer = Vec::new();
        drop(state);
        self.written.notify_all();
    }

    /// The writer: takes all that has gathered, writes it without the lock, and again.
    fn write_loop(&self) {
        let Some(mut sink) = self.lock().sink.take() else { return };
        let mut batch = Vec::new();
        loop {
            let idle = |state: &mut State| state.buffer.is_empty() && !state.closed;
            let mut state = self.work.wait_while(self.lock(), idle).unwrap_or_else(PoisonError::into_inner);
            if state.buffer.is_empty() {
                return;
            }
            std::mem::swap(&mut state.buffer, &mut batch);
            state.writing = true;
            drop(state);
            if let Err(error) = sink.write_all(&batch).and_then(|()| sink.flush()) {
                return self.fail(error.kind());
            }
            batch.clear();
            self.lock().writing = false;
            self.written.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sink whose bytes can be read back, and that fails after `limit` bytes.
    #[derive(Clone)]
    struct Probe {
        bytes: Arc<Mutex<Vec<u8>>>,
        limit: usize,
    }

    impl Write for Probe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut all = self.bytes.lock().unwrap();
            if all.len() + bytes.len() > self.limit {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            all.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn probe(limit: usize) -> (Probe, Output) {
        let probe = Probe { bytes: Arc::default(), limit };
        (probe.clone(), Output::new(Box::new(probe)))
    }

    #[test]
    fn flush_waits_for_everything_in_order() {
        let (probe, output) = probe(usize::MAX);
        let mut expected = Vec::new();
        for line in 0..1000 {
            let text = format!("{line}\n");
            expected.extend_from_slice(text.as_bytes());
            assert_eq!(output.put(text.as_bytes()), Ok(Backlog::Low));
        }
        output.flush();
        assert_eq!(*probe.bytes.lock().unwrap(), expected);
    }

    #[test]
    fn drop_writes_the_rest() {
        let (probe, output) = probe(usize::MAX);
        assert_eq!(output.put(b"last words"), Ok(Backlog::Low));
        drop(output);
        assert_eq!(*probe.bytes.lock().unwrap(), b"last words");
    }

    #[test]
    fn a_broken_sink_is_reported_and_blocks_nobody() {
        let (_, output) = probe(4);
        assert_eq!(output.put(b"12345"), Ok(Backlog::Low));
        output.flush();
        output.drain();
        assert_eq!(output.put(b"x"), Err(io::ErrorKind::BrokenPipe));
    }

    #[test]
    fn a_high_backlog_is_said() {
        let (probe, output) = probe(usize::MAX);
        let gate = probe.bytes.lock().unwrap();
        let big = vec![b'x'; HIGH_BYTES + 1];
        assert_eq!(output.put(&big), Ok(Backlog::High));
        drop(gate);
        output.drain();
        output.flush();
        assert_eq!(probe.bytes.lock().unwrap().len(), big.len());
    }
}

//! What the machine and its programs log, handed to the embedder.
//!
//! A sink may take its time, so it runs on a thread of its own; what is logged while it is busy waits in a queue, and when
//! that is full, events are dropped and counted: a program that logs without end must not take the machine's memory.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};

/// Something that was logged: a report of the machine's (a process has ended with an error, or has passed a limit), or what a
/// program gave to `logger`.
///
/// ```
/// use std::sync::mpsc::channel;
/// use erlet::Vm;
///
/// let (sender, events) = channel();
/// let vm = Vm::builder().log(move |event| drop(sender.send(event))).build()?;
/// # drop(vm);
/// # assert!(events.recv().is_err(), "nothing was logged");
/// # Ok::<(), erlet::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogEvent {
    /// `error`, `warning`, `notice`, ...
    pub level: String,
    /// The text as OTP's default handler prints it, its first line included.
    pub text: String,
    /// The process it is about or from, as it prints: `<0.12.0>`.
    pub process: String,
    /// Microseconds since 1970.
    pub time_us: i64,
    /// Events that were dropped before this one, since the sink was busy.
    pub dropped: u64,
}

/// The embedder's sink.
pub type Sink = Box<dyn FnMut(LogEvent) + Send>;

/// The way to the sink.
pub struct Log {
    queue: Mutex<SyncSender<LogEvent>>,
    dropped: AtomicU64,
}

/// Events that wait for the sink at most.
const WAITING: usize = 1000;

impl Log {
    /// Starts the sink's thread, which ends when the log is dropped.
    ///
    /// # Errors
    /// If there is no thread for it.
    pub fn start(mut sink: Sink) -> std::io::Result<Log> {
        let (queue, events) = sync_channel(WAITING);
        std::thread::Builder::new().name("erlet-log".into()).spawn(move || {
            for event in events {
                // A sink that panics has lost its event; the machine goes on.
                let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| sink(event)));
            }
        })?;
        Ok(Log { queue: Mutex::new(queue), dropped: AtomicU64::new(0) })
    }

    /// Hands an event over, or drops it.
    pub fn put(&self, mut event: LogEvent) {
        // Relaxed: a count for people.
        event.dropped = self.dropped.swap(0, Ordering::Relaxed);
        let queue = self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Err(TrySendError::Full(event) | TrySendError::Disconnected(event)) = queue.try_send(event) {
            self.dropped.fetch_add(event.dropped + 1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    fn event(text: &str) -> LogEvent {
        LogEvent {
            level: "error".into(),
            text: text.into(),
            process: "<0.1.0>".into(),
            time_us: 0,
            dropped: 0,
        }
    }

    #[test]
    fn a_busy_sink_loses_events_and_is_told() {
        let ((sender, got), (open, gate)) = (channel(), channel::<()>());
        let log = Log::start(Box::new(move |event| {
            let _ = gate.recv();
            let _ = sender.send(event);
        }))
        .expect("a thread");
        for _ in 0..WAITING + 50 {
            log.put(event("x"));
        }
        drop(open);
        let first = got.recv().expect("the sink runs");
        assert_eq!(first.dropped, 0);
        while got.recv_timeout(std::time::Duration::from_millis(200)).is_ok() {}
        log.put(event("last"));
        let last = got.recv().expect("the sink goes on");
        assert_eq!(last.text, "last");
        assert!((49..=50).contains(&last.dropped), "{last:?}");
        drop(log);
        assert!(got.recv().is_err(), "the thread has ended");
    }
}

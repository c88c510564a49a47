//! Processes: what a process is, where it lives, and how others reach it.
//!
//! # The two halves
//! Everything of a process belongs to whoever holds its [`Handle`]: the worker that runs it, the run queue it waits in, the
//! sender that has just woken it. All others reach only its *slot* ([`slot`]): they look the pid up in the table
//! ([`slots`]), and push a signal ([`signal`]) on the slot's one atomic word ([`signal_word`]). The owner takes signals at
//! its own pace, puts messages into its private [`mailbox`], and acts on the rest.
//!
//! # Life of a process
//! 1. *Made*: slot and pid reserved, heap filled with its arguments, everything in place; then the slot is opened, from when
//!    on others can reach it. It starts active, in its spawner's run queue.
//! 2. *Active*: runs for a slice, goes back to a queue, runs again.
//! 3. *Parked*: waits for a signal; nobody holds it, and a parked process costs its header and its block.
//! 4. *Exiting*: private to the exit machine (`runtime::exit`); no code of its own runs any more.
//! 5. *Dead*: the slot is closed, queued signals are bounced, links and monitors are told, the slot is released.
//!
//! Invariant: nothing on this floor sends, schedules or knows of workers; state transitions return what is to be done.

pub mod answer;
pub mod dictionary;
pub mod handle;
pub mod mailbox;
pub mod relations;
mod roots;
pub mod signal;
pub mod signal_word;
pub mod slot;
pub mod slots;
mod state;
pub mod ties;

pub use answer::{Answer, Awaited, Ended};
pub use dictionary::Dictionary;
pub use handle::Handle;
pub use mailbox::Mailbox;
pub use relations::{AliasMode, Link, Monitor, Relations, Target, Watcher};
pub use signal::{Signal, SignalKind};
pub use slots::{Delivered, FreeSlots, Parked, SlotTable, TooManyProcesses};
pub use state::{
    Class, Cold, Entry, ExitReason, Priority, Process, QueueData, ReceiveTimer, Resume, SavedX, SliceEnd,
    WaitState,
};

//! The schedulers: workers that pick processes and run them.
//!
//! [`Driver`] is one worker's loop body, the same for all modes: threads of their own ([`thread`]), or the caller's thread
//! ([`Driver::run_until_idle`]), with or without a seed.
//!
//! A pick asks, in this order: the run-next slot; every 61st time the injectors first; the worker's own queues; the
//! injectors; other workers' queues. Due timers are sent before.
//!
//! Invariant: a worker blocks nowhere but in its poll.

mod driver;
mod poll;
mod slice;
pub mod thread;

pub use driver::{Driver, Idleness};

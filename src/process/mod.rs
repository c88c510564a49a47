//! Processes.
pub mod signal_word;
pub mod slot;

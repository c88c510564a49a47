//! The interactive shell in a real terminal: keys are typed into tmux, screens are read back.
//!
//! Each test is one session with a server of its own. Without tmux they are skipped.

mod commands;
mod control;
mod evaluating;
mod typing;
mod window;

//! The processes that serve the program's standard streams.

use std::sync::OnceLock;

use crate::term::Pid;

/// Who they are, once they are started: they live as long as the machine.
#[derive(Debug, Default)]
pub struct Servers {
    user: OnceLock<Pid>,
    standard_error: OnceLock<Pid>,
}

impl Servers {
    /// The server of standard input and output, registered `user`.
    pub fn user(&self) -> Option<Pid> {
        self.user.get().copied()
    }

    /// The server of standard error, registered `standard_error`.
    pub fn standard_error(&self) -> Option<Pid> {
        self.standard_error.get().copied()
    }

    /// Makes them known, once.
    pub fn set(&self, user: Pid, standard_error: Pid) {
        let first = self.user.set(user).is_ok() && self.standard_error.set(standard_error).is_ok();
        debug_assert!(first, "the servers are started once");
    }
}

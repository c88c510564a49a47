//! What the embedder offers to programs by `erlet_host:call/2`, as the natives see it.

use super::Runtime;
use super::jobs::Answer;
use crate::atom::Atom;
use crate::term::Term;

/// Work that answers a call.
pub type HostWork = Box<dyn FnOnce() -> Answer + Send>;

/// Functions of the embedder.
pub trait HostCalls: Send + Sync {
    /// Reads the arguments of a call, a list, and gives the work that answers it, for the pool; `None` if they cannot be read.
    fn prepare(&self, rt: &Runtime, function: Atom, args: Term<'_>) -> Option<HostWork>;
}

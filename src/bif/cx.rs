//! The context of a native call.

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;

use crate::ets::Table;
use crate::heap::{AllocError, Fragment, HeapRef};
use crate::limits::Capabilities;
use crate::process::Process;
use crate::runtime::{Measured, Runtime, WorkerCx};
use crate::term::{Pid, Term, Word};

/// What a native sees of the world: the calling process, the VM's services, the worker it runs on. Dereferences to the
/// process's heap, which makes terms.
///
/// Every term it gives out carries `'h`, which ends with the call.
pub struct Cx<'h> {
    heap: HeapRef<'h>,
    process: NonNull<Process>,
    /// Services of the virtual machine.
    pub rt: &'h Runtime,
    /// The worker that runs the process.
    pub worker: &'h mut WorkerCx,
}

impl<'h> Cx<'h> {
    /// Opens a context for one call.
    ///
    /// # Safety
    /// Until `'h` ends, `process` is alive and owned by the caller, who does not touch it but through this context; no
    /// collection happens (H4); `'h` is fresh.
    #[inline(always)]
    pub unsafe fn new(process: NonNull<Process>, rt: &'h Runtime, worker: &'h mut WorkerCx) -> Cx<'h> {
        // SAFETY: the caller's promise; the atoms belong to the runtime, which outlives 'h.
        let heap = unsafe {
            let heap = NonNull::new_unchecked(&raw mut (*process.as_ptr()).heap);
            HeapRef::new(heap, NonNull::from(&rt.atoms))
        };
        Cx { heap, process, rt, worker }
    }

    /// The calling process. Its heap is to be reached through the context itself.
    #[inline(always)]
    pub fn process(&self) -> &Process {
        // SAFETY: `new`: owned by this context; nobody writes while the borrow of `self` lasts.
        unsafe { self.process.as_ref() }
    }

    /// The calling process, to change it. Its heap is to be reached through the context itself.
    #[inline(always)]
    pub fn process_mut(&mut self) -> &mut Process {
        // SAFETY: `new`: owned by this context, which is borrowed mutably.
        unsafe { self.process.as_mut() }
    }

    /// Services, worker and process at once, for those that need all three.
    #[inline(always)]
    pub fn parts(&mut self) -> (&'h Runtime, &mut WorkerCx, &mut Process) {
        // SAFETY: as in `process_mut`; the three are different objects.
        (self.rt, self.worker, unsafe { self.process.as_mut() })
    }

    /// Pid of the calling process.
    #[inline(always)]
    pub fn self_pid(&self) -> Pid {
        self.process().pid
    }

    /// Trusts a word that the process owns (dictionary, group leader, a message it adopted).
    ///
    /// # Safety
    /// `word` is a term of the process's heap, valid now.
    #[inline(always)]
    pub unsafe fn owned_term(&self, word: Word) -> Term<'h> {
        // SAFETY: the caller's promise.
        unsafe { self.heap.term(word) }
    }

    /// A copy of a term for somebody else: a message, a reason. The caller's account pays.
    ///
    /// # Errors
    /// If there is no time or room for it.
    #[inline]
    pub fn copy_out(&mut self, term: Term<'h>) -> Result<Fragment, AllocError> {
        let heap = &mut self.process_mut().heap;
        let account = Arc::clone(heap.account());
        heap.copy_out(term, &account)
    }

    /// A copy of a term for a table: the table's account pays.
    ///
    /// # Errors
    /// If there is no time or room for it.
    #[inline]
    pub fn copy_for_table(&mut self, term: Term<'h>, table: &Table) -> Result<Fragment, AllocError> {
        let account = table.account();
        let copied = self.process_mut().heap.copy_out(term, account);
        copied.map_err(|error| self.fault_of_table(error, table))
    }

    /// The error, if it is of a table's account: only a limit of its own ends a process.
    #[cold]
    pub fn fault_of_table(&self, error: AllocError, table: &Table) -> AllocError {
        match error {
            AllocError::Limit(_) if !self.process().account().is_within(table.account()) => {
                AllocError::SystemLimit
            }
            error => error,
        }
    }

    /// What the calling process may touch of the world.
    #[inline]
    pub fn capabilities(&self) -> &'h Capabilities {
        self.payer().capabilities()
    }

    /// Announces copies of these terms, which the runtime then makes; the sizes of the first few.
    ///
    /// # Errors
    /// If there is no time; `SystemLimit` for more than can be copied.
    pub fn copying(&mut self, terms: &[Term<'h>]) -> Result<Measured, AllocError> {
        let heap = &mut self.process_mut().heap;
        let mut sizes = Measured::default();
        for (index, term) in terms.iter().enumerate() {
            let size = heap.copying(*term)?;
            if let Some(place) = sizes.get_mut(index) {
                *place = size;
            }
        }
        Ok(sizes)
    }

    /// Charges the caller's slice: `reductions` more than the one each call costs. Ask [`Cx::is_used_up`] now and then.
    #[inline]
    pub fn charge(&mut self, reductions: usize) {
        self.process_mut().charge(u32::try_from(reductions).unwrap_or(u32::MAX));
    }

    /// Whether the slice is used up, so that long work should stop with [`Stop::again`](super::Stop::again).
    #[inline]
    pub fn is_used_up(&self) -> bool {
        self.process().reductions <= 0
    }
}

impl<'h> Deref for Cx<'h> {
    type Target = HeapRef<'h>;

    #[inline(always)]
    fn deref(&self) -> &HeapRef<'h> {
        &self.heap
    }
}

impl<'h> DerefMut for Cx<'h> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut HeapRef<'h> {
        &mut self.heap
    }
}

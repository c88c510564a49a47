//! Fragments: one allocation each, a header and a payload of words.
//!
//! A message is a fragment: built by the sender ([`Fragment::copy`](super::copy)), carried by a signal queue through its
//! header's own link and spare words, adopted by the receiver's heap without a second copy. Natives whose block is full
//! allocate from fragments as well. A fragment without payload carries an immediate root.

use std::alloc::{Layout, alloc, dealloc};
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;

use super::account::{Account, AllocError};
use super::shared::{self, SharedList};
use crate::term::{Term, Word};

/// The head of a fragment. `next`, `kind`, `flags`, `to` and `aux` are free for whoever owns it (a signal queue).
#[repr(C, align(16))]
pub struct FragmentHeader {
    /// Link of the list the fragment is on: a signal queue's, or its heap's.
    pub next: *mut FragmentHeader,
    /// The owner's: what kind of signal it is.
    pub kind: u32,
    /// The owner's.
    pub flags: u32,
    /// The owner's: the full destination pid.
    pub to: Word,
    /// The term the payload holds.
    pub root: Word,
    /// The owner's: raw values, not looked at by any collection.
    pub aux: [u64; 2],
    /// Words of payload there is room for.
    words: usize,
    /// Shared objects in the payload.
    shared: SharedList,
    /// Who was charged, for payloads charged before adoption (`Arc::into_raw`), or null.
    payer: *const Account,
}

/// An owned fragment.
#[derive(Debug)]
pub struct Fragment(NonNull<FragmentHeader>);

// SAFETY: a fragment is memory without ties to a thread, owned once (H6, H9); its shared buffers count atomically.
unsafe impl Send for Fragment {}
// SAFETY: through a shared reference a fragment is only read (H9: its payload does not change once built).
unsafe impl Sync for Fragment {}

impl Fragment {
    /// A fragment with room for `words` words of payload, charged to nobody.
    ///
    /// # Errors
    /// If it cannot be had.
    pub fn new(words: usize) -> Result<Fragment, AllocError> {
        let layout = layout(words)?;
        // SAFETY: the layout is not empty.
        let header =
            NonNull::new(unsafe { alloc(layout) }.cast::<FragmentHeader>()).ok_or(AllocError::OutOfMemory)?;
        let fresh = FragmentHeader {
            next: null_mut(),
            kind: 0,
            flags: 0,
            to: Word::NONE,
            root: Word::NIL,
            aux: [0; 2],
            words,
            shared: SharedList::EMPTY,
            payer: std::ptr::null(),
        };
        // SAFETY: freshly allocated with room for the header.
        unsafe { header.write(fresh) };
        Ok(Fragment(header))
    }

    /// A fragment without payload; `root` must be an immediate.
    ///
    /// # Errors
    /// If it cannot be had.
    ///
    /// # Panics
    /// If `root` is a pointer.
    pub fn immediate(root: Word) -> Result<Fragment, AllocError> {
        assert!(root.is_immediate(), "a pointer needs a payload to point into");
        let mut fragment = Fragment::new(0)?;
        fragment.header_mut().root = root;
        Ok(fragment)
    }

    /// Bytes of memory a fragment of `words` words takes.
    pub fn bytes_for(words: usize) -> usize {
        size_of::<FragmentHeader>() + words * 8
    }

    /// Bytes of memory it takes.
    pub fn bytes(&self) -> usize {
        Fragment::bytes_for(self.words())
    }

    /// Words of payload.
    #[inline]
    pub fn words(&self) -> usize {
        self.header().words
    }

    /// The term it carries.
    #[inline]
    pub fn root(&self) -> Word {
        self.header().root
    }

    /// The term it carries, readable while the fragment is borrowed.
    #[inline]
    pub fn term(&self) -> Term<'_> {
        // SAFETY: H9: the root is a term of the payload or a literal, and both live as long as the borrow.
        unsafe { Term::from_word(self.root()) }
    }

    /// Writes an immediate element over an immediate element of the root, a tuple; `false` if it is not of that shape.
    /// For owners of unpublished terms (rows of tables), who hold the fragment alone.
    pub fn set_immediate(&mut self, index: usize, value: Word) -> bool {
        let old = self.term().as_tuple().and_then(|elements| elements.get(index)).map(|old| old.word());
        if !value.is_immediate()
            || !old.is_some_and(Word::is_immediate)
            || super::literal::is_literal(self.root())
        {
            return false;
        }
        // SAFETY: H6: owned alone, so nobody reads; the root is a tuple of this payload with more than `index` elements.
        unsafe { self.root().address().add(1 + index).write(value) };
        true
    }

    /// The header, to read.
    #[inline]
    pub fn header(&self) -> &FragmentHeader {
        // SAFETY: H6: owned and alive.
        unsafe { self.0.as_ref() }
    }

    /// The header, to set the owner's fields and the root.
    #[inline]
    pub fn header_mut(&mut self) -> &mut FragmentHeader {
        // SAFETY: H6: owned alone.
        unsafe { self.0.as_mut() }
    }

    /// First word of the payload.
    #[inline]
    pub(crate) fn payload(&self) -> *mut Word {
        // SAFETY: the payload follows the header in the same allocation.
        unsafe { self.0.as_ptr().add(1).cast() }
    }

    pub(crate) fn next(&self) -> *mut FragmentHeader {
        self.header().next
    }

    /// Gives the fragment up as a pointer, for a queue that links headers.
    #[inline]
    pub fn into_raw(self) -> *mut FragmentHeader {
        let raw = self.0.as_ptr();
        std::mem::forget(self);
        raw
    }

    /// The fragment that `into_raw` gave up.
    ///
    /// # Safety
    /// The pointer comes from `into_raw`, once (H6).
    #[inline]
    pub unsafe fn from_raw(raw: *mut FragmentHeader) -> Fragment {
        Fragment(NonNull::new(raw).expect("into_raw gives no null"))
    }

    /// Remembers the list of shared objects in the payload.
    pub(crate) fn set_shared(&mut self, list: SharedList) {
        self.header_mut().shared = list;
    }

    /// Hands the list of shared objects over to a heap.
    pub(crate) fn take_shared(&mut self) -> SharedList {
        std::mem::replace(&mut self.header_mut().shared, SharedList::EMPTY)
    }

    /// A fragment charged to `account` before it is allocated, until it is adopted or dropped.
    ///
    /// # Errors
    /// If the account's limit would be passed or there is no memory.
    pub fn charged(words: usize, account: &Arc<Account>) -> Result<Fragment, AllocError> {
        let bytes = Fragment::bytes_for(words);
        account.charge(bytes)?;
        match Fragment::new(words) {
            Ok(mut fragment) => {
                fragment.header_mut().payer = Arc::into_raw(account.clone());
                Ok(fragment)
            }
            Err(error) => {
                account.refund(bytes);
                Err(error)
            }
        }
    }

    /// Gives back what `charged` charged.
    pub(crate) fn refund(&mut self) {
        let bytes = self.bytes();
        let payer = std::mem::replace(&mut self.header_mut().payer, std::ptr::null());
        if !payer.is_null() {
            // SAFETY: it is the pointer `charged` stored, taken out once.
            unsafe { Arc::from_raw(payer) }.refund(bytes);
        }
    }
}

impl Drop for Fragment {
    fn drop(&mut self) {
        self.refund();
        let list = self.take_shared();
        let layout = layout(self.words()).expect("the layout was good when it was allocated");
        // SAFETY: H5: a fragment that still has its list owns one count of each object on it. H6: allocated by `new`.
        unsafe {
            shared::release_list(list.first);
            dealloc(self.0.as_ptr().cast(), layout);
        }
    }
}

fn layout(words: usize) -> Result<Layout, AllocError> {
    let payload = Layout::array::<Word>(words).map_err(|_| AllocError::SystemLimit)?;
    let (layout, _) = Layout::new::<FragmentHeader>().extend(payload).map_err(|_| AllocError::SystemLimit)?;
    Ok(layout)
}

/// Payload, its words, and the next fragment of the list.
///
/// # Safety
/// `header` is a live fragment (H6).
pub(crate) unsafe fn payload_of(header: *mut FragmentHeader) -> (*mut Word, usize, *mut FragmentHeader) {
    // SAFETY: the caller's promise; the payload follows the header.
    unsafe { (header.add(1).cast(), (*header).words, (*header).next) }
}

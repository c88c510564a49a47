//! Bytes that Rust and machines share.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::heap::{Account, HeapRef, SharedBytes};
use crate::term::Term;
use crate::term::bits::HEAP_LIMIT_BYTES;

/// Immutable bytes, cheap to clone and to take parts of.
///
/// Above 64 bytes they lie in a counted buffer that a machine's binaries can share: a `Bytes` becomes a binary, and a binary a
/// `Bytes`, without copying them. Making one from a `Vec` or a slice copies once; its memory is then the host's, whoever
/// refers to it. The buffer of a binary stays charged to the machine's account until both sides have dropped it.
///
/// ```
/// use erlet::Bytes;
/// let bytes = Bytes::from(vec![7; 1000]);
/// let part = bytes.slice(10, 20);
/// assert_eq!((bytes.len(), part.len()), (1000, 20));
/// ```
#[derive(Clone)]
pub struct Bytes(Repr);

#[derive(Clone)]
enum Repr {
    Small(Arc<[u8]>),
    Shared { buffer: SharedBytes, start: usize, length: usize },
}

impl Bytes {
    /// A copy of these bytes.
    ///
    /// # Panics
    /// If there is no memory for them, as `Vec` does.
    ///
    /// ```
    /// assert_eq!(&erlet::Bytes::copy_from(b"abc")[..], b"abc");
    /// ```
    pub fn copy_from(bytes: &[u8]) -> Bytes {
        if bytes.len() <= HEAP_LIMIT_BYTES {
            return Bytes(Repr::Small(bytes.into()));
        }
        match SharedBytes::copy(&Account::root(), bytes) {
            Ok(buffer) => Bytes::of(buffer, 0, bytes.len()),
            // An account without a limit refuses nothing: there is no memory, and this asks for it the usual way.
            Err(_) => Bytes(Repr::Small(bytes.into())),
        }
    }

    /// `length` of the bytes from `start` on; nothing is copied.
    ///
    /// # Panics
    /// If they are not inside.
    ///
    /// ```
    /// assert_eq!(&erlet::Bytes::copy_from(b"abc").slice(1, 2)[..], b"bc");
    /// ```
    #[must_use]
    pub fn slice(&self, start: usize, length: usize) -> Bytes {
        let part = &self[start..start + length];
        match &self.0 {
            Repr::Shared { buffer, start: first, .. } if length > HEAP_LIMIT_BYTES => {
                Bytes::of(buffer.clone(), first + start, length)
            }
            _ => Bytes::copy_from(part),
        }
    }

    fn of(buffer: SharedBytes, start: usize, length: usize) -> Bytes {
        Bytes(Repr::Shared { buffer, start, length })
    }

    /// The bytes of a binary term, shared if they are counted.
    pub(super) fn of_term(term: Term<'_>, whole: &[u8]) -> Bytes {
        match SharedBytes::of_term(term) {
            Some((buffer, start)) if whole.len() > HEAP_LIMIT_BYTES => Bytes::of(buffer, start, whole.len()),
            _ => Bytes::copy_from(whole),
        }
    }

    /// As a binary.
    pub(super) fn to_term<'h>(&self, h: &mut HeapRef<'h>) -> Result<Term<'h>, crate::heap::AllocError> {
        match &self.0 {
            Repr::Small(bytes) => h.binary(bytes),
            Repr::Shared { buffer, start, length } => {
                let whole = h.binary_shared(buffer.clone())?;
                h.sub_bits(whole, start * 8, length * 8)
            }
        }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Repr::Small(bytes) => bytes,
            Repr::Shared { buffer, start, length } => &buffer.as_slice()[*start..start + length],
        }
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Default for Bytes {
    fn default() -> Bytes {
        Bytes::copy_from(&[])
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes::copy_from(&bytes)
    }
}

impl From<String> for Bytes {
    fn from(text: String) -> Bytes {
        Bytes::copy_from(text.as_bytes())
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Bytes {
        Bytes::copy_from(bytes)
    }
}

impl From<&str> for Bytes {
    fn from(text: &str) -> Bytes {
        Bytes::copy_from(text.as_bytes())
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Bytes) -> bool {
        self[..] == other[..]
    }
}

impl Eq for Bytes {}

impl PartialEq<[u8]> for Bytes {
    fn eq(&self, other: &[u8]) -> bool {
        self[..] == *other
    }
}

impl<const N: usize> PartialEq<&[u8; N]> for Bytes {
    fn eq(&self, other: &&[u8; N]) -> bool {
        self[..] == other[..]
    }
}

impl PartialOrd for Bytes {
    fn partial_cmp(&self, other: &Bytes) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bytes {
    fn cmp(&self, other: &Bytes) -> std::cmp::Ordering {
        self[..].cmp(&other[..])
    }
}

impl std::hash::Hash for Bytes {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self[..].hash(state);
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.escape_ascii())
    }
}

/// Bits that are no whole number of bytes.
///
/// ```
/// use erlet::{Bitstring, Value};
/// let bits = Bitstring::new(&[0b1010_0000], 3).expect("one byte has three bits");
/// assert_eq!(Value::Bits(bits).to_string(), "<<5:3>>");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bitstring {
    bytes: Bytes,
    bits: usize,
}

impl Bitstring {
    /// The first `bits` bits of `bytes`; `None` if there are not as many.
    ///
    /// ```
    /// assert!(erlet::Bitstring::new(&[1], 9).is_none());
    /// ```
    pub fn new(bytes: &[u8], bits: usize) -> Option<Bitstring> {
        let mut bytes = bytes.get(..bits.div_ceil(8))?.to_vec();
        if let Some(last) = bytes.last_mut()
            && !bits.is_multiple_of(8)
        {
            *last &= !(0xff >> (bits % 8));
        }
        Some(Bitstring { bytes: bytes.into(), bits })
    }

    /// Its bytes; the last is filled up with zeros.
    ///
    /// ```
    /// assert_eq!(erlet::Bitstring::new(&[0xff], 4).map(|bits| bits.bytes().to_vec()), Some(vec![0xf0]));
    /// ```
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its length in bits.
    ///
    /// ```
    /// assert_eq!(erlet::Bitstring::new(&[0xff], 4).map(|bits| bits.bit_length()), Some(4));
    /// ```
    pub fn bit_length(&self) -> usize {
        self.bits
    }
}

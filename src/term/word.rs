//! The machine word every register, stack slot and heap slot holds.
//!
//! The low three bits are the tag:
//!
//! ```text
//! 000  small integer: 61 bits, value << 3 (so add and subtract are plain checked operations on the words)
//! 001  cons pointer: two words, head and tail
//! 010  boxed pointer: the first word there is a header
//! 011, 100  float: the double rotated left by 4; exponents 0x300..=0x4ff, that is magnitudes 2^-255 up to 2^257
//! 101  other immediates; bits 3..6 say which, the payload is bits 6..64:
//!        atom (u32 index), nil, local pid, local port (28 bits slot index below 30 bits serial),
//!        catch mark, +0.0 and -0.0, and the word that is no term
//! 110  header of a boxed object; as the head of a cons: the mark of a cons that was moved (its tail is the new place)
//! 111  continuation (return address); on stacks only
//! ```
//!
//! A header is `arity << 8 | subtag << 3 | 110`: bits 8..48 are the number of words that follow it, so the size of every
//! boxed object is known without looking at its kind; bits 48..64 are the subtag's own (the bitmap of a hash-map node).
//!
//! `Word` is raw: it never dereferences anything. [`Term`](super::Term) is the safe reading side.

use crate::atom::Atom;

/// One tagged machine word; see the module's essay for the layout.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Word(u64);

/// Bits of the tag.
pub const TAG_MASK: u64 = 0b111;
/// Tag of a small integer.
pub const TAG_SMALL: u64 = 0b000;
/// Tag of a cons pointer.
pub const TAG_CONS: u64 = 0b001;
/// Tag of a boxed pointer.
pub const TAG_BOXED: u64 = 0b010;
/// Tag of the immediates that are neither integers nor non-zero floats.
pub const TAG_IMMEDIATE: u64 = 0b101;
/// Tag of a header.
pub const TAG_HEADER: u64 = 0b110;
/// Tag of a continuation (return address).
pub const TAG_CONTINUATION: u64 = 0b111;

/// Smallest small integer, -2^60.
pub const SMALL_MIN: i64 = -(1 << 60);
/// Largest small integer, 2^60 - 1.
pub const SMALL_MAX: i64 = (1 << 60) - 1;

const KIND_MASK: u64 = 0b111_111;
const KIND_ATOM: u64 = 0b000_101;
const KIND_PID: u64 = 0b001_101;
const KIND_PORT: u64 = 0b010_101;
const KIND_NIL: u64 = 0b011_101;
const KIND_CATCH: u64 = 0b100_101;
const KIND_ZERO: u64 = 0b101_101;
const KIND_NONE: u64 = 0b110_101;
const PAYLOAD_SHIFT: u32 = 6;

const SUBTAG_SHIFT: u32 = 3;
const SUBTAG_BITS: u64 = 0b1_1111;
const ARITY_SHIFT: u32 = 8;
const ARITY_BITS: u64 = (1 << 40) - 1;
const AUX_SHIFT: u32 = 48;

/// Slot index bits of a pid or port: 2^28 slots.
pub const SLOT_INDEX_BITS: u32 = 28;
/// Serial bits of a pid or port.
pub const SLOT_SERIAL_BITS: u32 = 30;

/// What kind of object a header begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Subtag {
    /// `arity` elements.
    Tuple = 0,
    /// Limbs of a non-negative big integer, least significant first, no leading zero limb, outside the small range.
    BigPositive = 1,
    /// The same for a negative one (magnitude and sign).
    BigNegative = 2,
    /// One word: the bits of a double outside the immediate range.
    Float = 3,
    /// Bit length, then the bytes; unused bits of the last byte are zero.
    HeapBits = 4,
    /// Reference to a shared buffer: bit length, buffer address, link of the owner's list of shared objects.
    SharedBits = 5,
    /// Part of a shared buffer: bit offset, bit length, the `SharedBits` word.
    SubBits = 6,
    /// Match context: position in bits (the only word ever changed), end in bits, the `HeapBits` or `SharedBits` word.
    MatchContext = 7,
    /// Up to 32 associations: the tuple of keys in exact order, then the values.
    FlatMap = 8,
    /// More than 32 associations: count (raw), root node.
    HashMap = 9,
    /// Node of a hash map: children in bitmap order; a cons `[Key | Value]` is a leaf, a boxed word a deeper node.
    HashNode = 10,
    /// Leaves whose hashes are wholly equal, in exact order of their keys.
    HashBucket = 11,
    /// Fun with an environment: address of its entry, then the captured values.
    Fun = 12,
    /// `fun M:F/A`: module, function, arity, and a raw word the code floor owns (its export).
    ExternalFun = 13,
    /// Reference: 64 unique bits (raw), the pid of the process that made it.
    Ref = 14,
    /// A value of the host or of a native: address of its counted box, link of the owner's list, unique 64 bits.
    Resource = 15,
    /// Raw words that mean nothing.
    Filler = 31,
}

impl Word {
    /// The empty list.
    pub const NIL: Word = Word(KIND_NIL);
    /// A word that is no term; marks empty places in native code, never inside a term.
    pub const NONE: Word = Word(KIND_NONE);
    /// `0.0`.
    pub const FLOAT_ZERO: Word = Word(KIND_ZERO);
    /// `-0.0`.
    pub const FLOAT_NEG_ZERO: Word = Word(KIND_ZERO | 1 << PAYLOAD_SHIFT);
    /// What a poisoned from-space is filled with: a continuation no code ever has.
    pub const POISON: Word = Word(0xdead_dead_dead_deaf);

    /// The word with these bits. Making a word is harmless; only dereferencing functions trust it.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Word {
        Word(bits)
    }

    /// The bits of the word.
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The three tag bits.
    #[inline(always)]
    pub const fn tag(self) -> u64 {
        self.0 & TAG_MASK
    }

    // ---- small integers ----

    /// A small integer; `value` must be in `SMALL_MIN..=SMALL_MAX` (checked in debug builds).
    #[inline(always)]
    pub const fn small(value: i64) -> Word {
        debug_assert!(value >= SMALL_MIN && value <= SMALL_MAX);
        Word((value as u64) << 3)
    }

    /// A small integer if `value` fits in 61 bits.
    #[inline(always)]
    pub const fn try_small(value: i64) -> Option<Word> {
        if fits_small(value) { Some(Word((value as u64) << 3)) } else { None }
    }

    /// Whether this is a small integer.
    #[inline(always)]
    pub const fn is_small(self) -> bool {
        self.tag() == TAG_SMALL
    }

    /// Whether both are small integers.
    #[inline(always)]
    pub const fn both_small(self, other: Word) -> bool {
        (self.0 | other.0) & TAG_MASK == TAG_SMALL
    }

    /// Value of a small integer (meaningless for other words).
    #[inline(always)]
    pub const fn small_value(self) -> i64 {
        (self.0 as i64) >> 3
    }

    // ---- pointers ----

    /// A cons pointer; `address` must be 8-byte aligned.
    #[inline(always)]
    pub fn cons(address: *const Word) -> Word {
        debug_assert!(address.addr() & 7 == 0);
        Word(address.expose_provenance() as u64 | TAG_CONS)
    }

    /// A boxed pointer; `address` must be 8-byte aligned.
    #[inline(always)]
    pub fn boxed(address: *const Word) -> Word {
        debug_assert!(address.addr() & 7 == 0);
        Word(address.expose_provenance() as u64 | TAG_BOXED)
    }

    /// Whether this is a cons pointer.
    #[inline(always)]
    pub const fn is_cons(self) -> bool {
        self.tag() == TAG_CONS
    }

    /// Whether this is a boxed pointer.
    #[inline(always)]
    pub const fn is_boxed(self) -> bool {
        self.tag() == TAG_BOXED
    }

    /// Whether this points into a heap (cons or boxed).
    #[inline(always)]
    pub const fn is_pointer(self) -> bool {
        // Tags 001 and 010 are the two values for which (tag - 1) < 2.
        self.0.wrapping_sub(1) & TAG_MASK < 2
    }

    /// Whether the value is wholly in this word (integer, float, atom, nil, pid, port).
    #[inline(always)]
    pub const fn is_immediate(self) -> bool {
        !self.is_pointer()
    }

    /// The address a cons or boxed pointer holds.
    #[inline(always)]
    pub fn address(self) -> *mut Word {
        std::ptr::with_exposed_provenance_mut((self.0 & !TAG_MASK) as usize)
    }

    // ---- floats ----

    /// A float held in the word itself, or `None` if it must be boxed (or is no Erlang float: NaN, infinity).
    #[inline(always)]
    pub const fn float(value: f64) -> Option<Word> {
        let bits = value.to_bits();
        let word = bits.rotate_left(4);
        if is_float_tag(word) {
            return Some(Word(word));
        }
        // A zero is common enough in numeric code to be kept out of line only by this one test.
        if bits << 1 == 0 { Some(Word(KIND_ZERO | (bits >> 63) << PAYLOAD_SHIFT)) } else { None }
    }

    /// Whether this is a float held in the word itself, the two zeros included.
    #[inline(always)]
    pub const fn is_float(self) -> bool {
        is_float_tag(self.0) || self.0 & KIND_MASK == KIND_ZERO
    }

    /// Whether this is a non-zero float held in the word itself (one test; the hot path of arithmetic).
    #[inline(always)]
    pub const fn is_nonzero_float(self) -> bool {
        is_float_tag(self.0)
    }

    /// Whether both are floats other than zero, held in the words themselves.
    #[inline(always)]
    pub const fn both_nonzero_floats(self, other: Word) -> bool {
        // As in `is_float_tag`: less than 2 is to have no bit but the lowest.
        (self.0.wrapping_add(5) | other.0.wrapping_add(5)) & (TAG_MASK - 1) == 0
    }

    /// Value of a non-zero immediate float (meaningless for other words).
    #[inline(always)]
    pub const fn nonzero_float_value(self) -> f64 {
        f64::from_bits(self.0.rotate_right(4))
    }

    /// Value of an immediate float, zeros included (meaningless for other words).
    #[inline(always)]
    pub const fn float_value(self) -> f64 {
        if is_float_tag(self.0) {
            f64::from_bits(self.0.rotate_right(4))
        } else {
            f64::from_bits(self.0 >> PAYLOAD_SHIFT << 63)
        }
    }

    // ---- atoms, pids, ports ----

    /// An atom.
    #[inline(always)]
    pub const fn atom(atom: Atom) -> Word {
        Word((atom.index() as u64) << PAYLOAD_SHIFT | KIND_ATOM)
    }

    /// Whether this is an atom.
    #[inline(always)]
    pub const fn is_atom(self) -> bool {
        self.0 & KIND_MASK == KIND_ATOM
    }

    /// The atom, if it is one.
    #[inline(always)]
    pub const fn as_atom(self) -> Option<Atom> {
        if self.is_atom() { Some(Atom::from_index((self.0 >> PAYLOAD_SHIFT) as u32)) } else { None }
    }

    /// A local process identifier.
    #[inline(always)]
    pub const fn pid(pid: Pid) -> Word {
        Word(pid.0 << PAYLOAD_SHIFT | KIND_PID)
    }

    /// Whether this is a process identifier.
    #[inline(always)]
    pub const fn is_pid(self) -> bool {
        self.0 & KIND_MASK == KIND_PID
    }

    /// The pid, if it is one.
    #[inline(always)]
    pub const fn as_pid(self) -> Option<Pid> {
        if self.is_pid() { Some(Pid(self.0 >> PAYLOAD_SHIFT)) } else { None }
    }

    /// A local port identifier.
    #[inline(always)]
    pub const fn port(port: Port) -> Word {
        Word(port.0 << PAYLOAD_SHIFT | KIND_PORT)
    }

    /// Whether this is a port identifier.
    #[inline(always)]
    pub const fn is_port(self) -> bool {
        self.0 & KIND_MASK == KIND_PORT
    }

    /// The port, if it is one.
    #[inline(always)]
    pub const fn as_port(self) -> Option<Port> {
        if self.is_port() { Some(Port(self.0 >> PAYLOAD_SHIFT)) } else { None }
    }

    /// Whether this is the empty list.
    #[inline(always)]
    pub const fn is_nil(self) -> bool {
        self.0 == KIND_NIL
    }

    // ---- machine words that are no terms ----

    /// A catch mark with 58 bits of the interpreter's own.
    #[inline(always)]
    pub const fn catch_mark(payload: u64) -> Word {
        Word(payload << PAYLOAD_SHIFT | KIND_CATCH)
    }

    /// Payload of a catch mark, if it is one.
    #[inline(always)]
    pub const fn as_catch_mark(self) -> Option<u64> {
        if self.0 & KIND_MASK == KIND_CATCH { Some(self.0 >> PAYLOAD_SHIFT) } else { None }
    }

    /// A continuation with 61 bits of the interpreter's own (an 8-byte aligned code address fits as it is).
    #[inline(always)]
    pub const fn continuation(address: u64) -> Word {
        Word(address & !TAG_MASK | TAG_CONTINUATION)
    }

    /// Whether this is a continuation.
    #[inline(always)]
    pub const fn is_continuation(self) -> bool {
        self.tag() == TAG_CONTINUATION
    }

    /// The address a continuation holds (its low three bits are zero).
    #[inline(always)]
    pub const fn continuation_address(self) -> u64 {
        self.0 & !TAG_MASK
    }

    // ---- headers ----

    /// The header of an object of `arity` words after it.
    #[inline(always)]
    pub const fn header(subtag: Subtag, arity: usize) -> Word {
        debug_assert!(arity as u64 <= ARITY_BITS);
        Word((arity as u64) << ARITY_SHIFT | (subtag as u64) << SUBTAG_SHIFT | TAG_HEADER)
    }

    /// The header of a hash-map node with this bitmap.
    #[inline(always)]
    pub const fn node_header(bitmap: u16) -> Word {
        let plain = Word::header(Subtag::HashNode, bitmap.count_ones() as usize);
        Word(plain.0 | (bitmap as u64) << AUX_SHIFT)
    }

    /// Whether this is a header.
    #[inline(always)]
    pub const fn is_header(self) -> bool {
        self.tag() == TAG_HEADER
    }

    /// Words that follow this header.
    #[inline(always)]
    pub const fn header_arity(self) -> usize {
        (self.0 >> ARITY_SHIFT & ARITY_BITS) as usize
    }

    /// The 16 bits of the subtag's own (bitmap of a hash-map node).
    #[inline(always)]
    pub const fn header_aux(self) -> u16 {
        (self.0 >> AUX_SHIFT) as u16
    }

    /// The raw subtag number of a header.
    #[inline(always)]
    pub const fn header_subtag_bits(self) -> u64 {
        self.0 >> SUBTAG_SHIFT & SUBTAG_BITS
    }

    /// Whether this is a header of that kind.
    #[inline(always)]
    pub const fn is_header_of(self, subtag: Subtag) -> bool {
        self.0 & (SUBTAG_BITS << SUBTAG_SHIFT | TAG_MASK) == (subtag as u64) << SUBTAG_SHIFT | TAG_HEADER
    }

    /// Whether this is a header of a bitstring of some kind, or of a match context.
    #[inline(always)]
    pub const fn is_header_of_bits(self) -> bool {
        let subtag = self.0 >> SUBTAG_SHIFT & SUBTAG_BITS;
        self.tag() == TAG_HEADER && subtag >= Subtag::HeapBits as u64 && subtag <= Subtag::MatchContext as u64
    }

    /// This pointer to an object that was moved by so many bytes (a multiple of 8; wraps).
    #[inline(always)]
    pub const fn moved_by(self, bytes: usize) -> Word {
        Word(self.0.wrapping_add(bytes as u64))
    }

    /// The subtag of a header.
    #[inline]
    pub const fn header_subtag(self) -> Subtag {
        match self.header_subtag_bits() {
            0 => Subtag::Tuple,
            1 => Subtag::BigPositive,
            2 => Subtag::BigNegative,
            3 => Subtag::Float,
            4 => Subtag::HeapBits,
            5 => Subtag::SharedBits,
            6 => Subtag::SubBits,
            7 => Subtag::MatchContext,
            8 => Subtag::FlatMap,
            9 => Subtag::HashMap,
            10 => Subtag::HashNode,
            11 => Subtag::HashBucket,
            12 => Subtag::Fun,
            13 => Subtag::ExternalFun,
            14 => Subtag::Ref,
            15 => Subtag::Resource,
            _ => Subtag::Filler,
        }
    }
}

/// Whether `value` is in the range of small integers.
#[inline(always)]
pub const fn fits_small(value: i64) -> bool {
    value << 3 >> 3 == value
}

#[inline(always)]
const fn is_float_tag(word: u64) -> bool {
    // Tags 011 and 100 are the two values for which (tag + 5) mod 8 < 2.
    word.wrapping_add(5) & TAG_MASK < 2
}

impl std::fmt::Debug for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Word({:#x})", self.0)
    }
}

macro_rules! slot_identifier {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(transparent)]
        pub struct $name(u64);

        impl $name {
            /// From slot index (28 bits) and serial (30 bits); the serial is the more significant part.
            #[inline(always)]
            pub const fn new(index: u32, serial: u32) -> $name {
                debug_assert!(index < 1 << SLOT_INDEX_BITS && serial < 1 << SLOT_SERIAL_BITS);
                $name((serial as u64) << SLOT_INDEX_BITS | index as u64)
            }

            /// The slot index.
            #[inline(always)]
            pub const fn index(self) -> u32 {
                (self.0 & ((1 << SLOT_INDEX_BITS) - 1)) as u32
            }

            /// The number of its birth, of which it has the low 30 bits: the younger has the greater one.
            #[inline(always)]
            pub const fn serial(self) -> u32 {
                (self.0 >> SLOT_INDEX_BITS) as u32
            }

            /// All 58 bits: serial above index.
            #[inline(always)]
            pub const fn bits(self) -> u64 {
                self.0
            }

            /// From what `bits` gave.
            #[inline(always)]
            pub const fn from_bits(bits: u64) -> $name {
                debug_assert!(bits >> (SLOT_INDEX_BITS + SLOT_SERIAL_BITS) == 0);
                $name(bits)
            }
        }
    };
}

slot_identifier! {
    /// A local process identifier: serial above slot index.
    Pid
}
slot_identifier! {
    /// A local port identifier: serial above slot index.
    Port
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_pinned() {
        assert_eq!(size_of::<Word>(), 8);
        assert_eq!(size_of::<Pid>(), 8);
    }

    #[test]
    fn smalls_keep_their_value_and_their_order_as_words() {
        for value in [0, 1, -1, SMALL_MIN, SMALL_MAX] {
            let word = Word::try_small(value).expect("in range");
            assert!(word.is_small() && word.is_immediate());
            assert_eq!(word.small_value(), value);
        }
        assert_eq!(Word::try_small(SMALL_MAX + 1), None);
        assert_eq!(Word::try_small(SMALL_MIN - 1), None);
    }

    #[test]
    fn floats_between_2_pow_minus_255_and_2_pow_257_are_immediate() {
        let low = 2f64.powi(-255);
        let high = 2f64.powi(257).next_down();
        for value in [low, high, -low, -high, 1.0, -1.5, 0.1, 0.0, -0.0] {
            let word = Word::float(value).expect("immediate");
            assert!(word.is_float() && word.is_immediate() && !word.is_small() && !word.is_atom());
            assert_eq!(word.float_value().to_bits(), value.to_bits());
        }
        for value in [low.next_down(), high.next_up(), f64::MAX, 5e-324, f64::NAN, f64::INFINITY] {
            assert_eq!(Word::float(value), None);
        }
    }

    #[test]
    fn headers_carry_kind_arity_and_bitmap() {
        let header = Word::header(Subtag::Fun, 7);
        assert!(
            header.is_header() && header.is_header_of(Subtag::Fun) && !header.is_header_of(Subtag::Tuple)
        );
        assert_eq!((header.header_arity(), header.header_subtag()), (7, Subtag::Fun));
        let node = Word::node_header(0xffff);
        assert_eq!((node.header_arity(), node.header_aux()), (16, 0xffff));
        assert!(node.is_header_of(Subtag::HashNode));
    }

    #[test]
    fn immediates_are_told_apart() {
        let pid = Pid::new((1 << 28) - 1, (1 << 30) - 1);
        assert_eq!(Word::pid(pid).as_pid(), Some(pid));
        assert_eq!(Word::pid(pid).as_port(), None);
        assert_eq!((pid.index(), pid.serial()), ((1 << 28) - 1, (1 << 30) - 1));
        assert!(Pid::new(9, 0) < Pid::new(0, 1));
        assert_eq!(Word::atom(Atom::from_index(u32::MAX)).as_atom(), Some(Atom::from_index(u32::MAX)));
        assert_eq!(Word::catch_mark(77).as_catch_mark(), Some(77));
        assert!(Word::NIL.is_nil() && !Word::NONE.is_nil());
        assert!(Word::POISON.is_continuation());
    }
}

//! Bytes to terms.

use super::{NODE, VERSION, tag};
use crate::atom::{Atom, MAX_CHARACTERS};
use crate::heap::{AllocError, HeapRef, Scratch};
use crate::num::integer::MAX_LIMBS;
use crate::term::print::ref_from_parts;
use crate::term::word::{SLOT_INDEX_BITS, SLOT_SERIAL_BITS};
use crate::term::{Bits, EntryAddress, Pid, Port, Term};

/// Why bytes are no term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecodeError {
    /// Malformed, or something this VM does not read: `badarg`.
    Malformed,
    /// An atom or fun that does not exist yet, with `safe`: `badarg`.
    Unsafe,
    /// The atom table is full, or an integer is too large: `system_limit`.
    SystemLimit,
    /// No room on the heap.
    Alloc(AllocError),
}

impl From<AllocError> for DecodeError {
    fn from(error: AllocError) -> DecodeError {
        match error {
            AllocError::SystemLimit => DecodeError::SystemLimit,
            error => DecodeError::Alloc(error),
        }
    }
}

/// What may be decoded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Refuse what would make new atoms or funs (`safe`).
    pub safe: bool,
}

/// Finds the code behind funs; the code floor's.
pub trait Resolver {
    /// The entry of a fun. `None` if funs cannot be made here.
    fn fun(
        &self,
        module: Atom,
        index: u32,
        uniq: u32,
        module_hash: &[u8; 16],
        arity: u8,
    ) -> Option<EntryAddress>;

    /// The code floor's word for `fun M:F/A`.
    fn export(&self, module: Atom, function: Atom, arity: u8) -> u64;
}

/// Decodes one term, version byte first; also how many bytes it took.
///
/// # Errors
/// See [`DecodeError`].
pub fn decode<'h>(
    h: &mut HeapRef<'h>,
    bytes: &[u8],
    options: Options,
    resolver: &dyn Resolver,
) -> Result<(Term<'h>, usize)> {
    let mut decoder = Decoder::new(h, bytes, options)?;
    loop {
        match decoder.step(h, resolver, AT_ONCE)? {
            Some(term) => return Ok((term, decoder.used())),
            None => h.work(4 * AT_ONCE)?,
        }
    }
}

/// Parts put together for one unit of work.
const PARTS_PER_UNIT: usize = 4;

/// Terms read between two announcements of work.
const AT_ONCE: usize = 64;

/// Decoding in steps.
pub struct Decoder<'b, 'h> {
    bytes: &'b [u8],
    place: usize,
    options: Options,
    /// Decoded terms that wait for the term they are part of.
    values: Scratch<'h, Term<'h>>,
    frames: Scratch<'h, Frame>,
}

/// A term whose parts are being decoded.
#[derive(Clone, Copy)]
struct Frame {
    /// Where its parts begin among the values.
    start: usize,
    /// How many parts it has.
    parts: usize,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Tuple,
    /// The last part is the tail.
    List,
    Map,
    Fun(EntryAddress),
}

type Result<T> = std::result::Result<T, DecodeError>;

impl<'b, 'h> Decoder<'b, 'h> {
    /// Begins to decode.
    ///
    /// # Errors
    /// `Malformed` if the version byte is missing.
    pub fn new(h: &HeapRef<'h>, bytes: &'b [u8], options: Options) -> Result<Decoder<'b, 'h>> {
        let mut decoder = Decoder { bytes, place: 0, options, values: h.scratch(), frames: h.scratch() };
        if decoder.byte()? != VERSION {
            return Err(DecodeError::Malformed);
        }
        Ok(decoder)
    }

    /// Bytes read so far.
    pub fn used(&self) -> usize {
        self.place
    }

    /// Reads about `budget` terms more; the whole term once it is complete.
    ///
    /// # Errors
    /// See [`DecodeError`].
    pub fn step(
        &mut self,
        h: &mut HeapRef<'h>,
        resolver: &dyn Resolver,
        budget: usize,
    ) -> Result<Option<Term<'h>>> {
        for _ in 0..budget {
            if let Some(term) = self.read(h, resolver)? {
                self.values.push(term)?;
            }
            while let Some(frame) = self.frames.last().copied() {
                if self.values.len() - frame.start < frame.parts {
                    break;
                }
                self.frames.pop();
                let term = self.close(h, frame)?;
                self.values.truncate(frame.start);
                self.values.push(term)?;
            }
            if self.frames.is_empty() {
                return Ok(self.values.pop());
            }
        }
        Ok(None)
    }

    fn close(&self, h: &mut HeapRef<'h>, frame: Frame) -> Result<Term<'h>> {
        let parts = &self.values[frame.start..];
        h.work(parts.len() / PARTS_PER_UNIT)?;
        Ok(match frame.kind {
            Kind::Tuple => h.tuple(parts)?,
            Kind::List => match parts.split_last() {
                Some((tail, elements)) => h.list_with_tail(elements, *tail)?,
                None => Term::NIL,
            },
            Kind::Map => {
                let mut pairs = h.scratch();
                pairs.reserve(parts.len() / 2)?;
                for pair in parts.chunks_exact(2) {
                    pairs.push((pair[0], pair[1]))?;
                }
                let map = h.map(&pairs)?;
                // A key twice is no map.
                if map.as_map().is_none_or(|map| map.len() != pairs.len()) {
                    return Err(DecodeError::Malformed);
                }
                map
            }
            Kind::Fun(entry) => h.fun(entry, parts)?,
        })
    }

    /// Opens a term of `parts` parts, each of which takes at least a byte.
    fn open(&mut self, kind: Kind, parts: usize) -> Result<Option<Term<'h>>> {
        if parts > self.bytes.len() - self.place {
            return Err(DecodeError::Malformed);
        }
        self.frames.push(Frame { start: self.values.len(), parts, kind })?;
        Ok(None)
    }

    /// Reads one term; `None` if its parts are still to come.
    fn read(&mut self, h: &mut HeapRef<'h>, resolver: &dyn Resolver) -> Result<Option<Term<'h>>> {
        let tag = self.byte()?;
        Ok(Some(match tag {
            tag::SMALL_INTEGER => h.int(i64::from(self.byte()?))?,
            tag::INTEGER => h.int(i64::from(self.u32()? as i32))?,
            tag::SMALL_BIG => {
                let size = usize::from(self.byte()?);
                self.big(h, size)?
            }
            tag::LARGE_BIG => {
                let size = self.size()?;
                self.big(h, size)?
            }
            tag::NEW_FLOAT => {
                let value = f64::from_be_bytes(self.array()?);
                h.float(value)?.ok_or(DecodeError::Malformed)?
            }
            tag::FLOAT => {
                let text = self.take(31)?;
                let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
                let value = crate::num::float::parse(&text[..end]).ok_or(DecodeError::Malformed)?;
                h.float(value)?.ok_or(DecodeError::Malformed)?
            }
            tag::ATOM | tag::SMALL_ATOM | tag::ATOM_UTF8 | tag::SMALL_ATOM_UTF8 => {
                Term::atom(self.atom_of(h, tag)?)
            }
            tag::NIL => Term::NIL,
            tag::STRING => {
                let length = usize::from(self.u16()?);
                let bytes = self.take(length)?;
                h.byte_list(bytes, Term::NIL)?
            }
            tag::LIST => {
                let length = self.size()?;
                return self.open(Kind::List, length.saturating_add(1));
            }
            tag::SMALL_TUPLE | tag::LARGE_TUPLE => {
                let arity = if tag == tag::SMALL_TUPLE { usize::from(self.byte()?) } else { self.size()? };
                if arity > 0 {
                    return self.open(Kind::Tuple, arity);
                }
                h.tuple(&[])?
            }
            tag::MAP => {
                let size = self.size()?;
                if size > 0 {
                    return self.open(Kind::Map, size.saturating_mul(2));
                }
                h.map(&[])?
            }
            tag::BINARY => {
                let length = self.size()?;
                let bytes = self.take(length)?;
                h.binary(bytes)?
            }
            tag::BIT_BINARY => self.bits(h)?,
            tag::NEW_PID | tag::PID => {
                self.local_node(h)?;
                let (serial, index) = (self.u32()?, self.u32()?);
                self.creation(tag == tag::NEW_PID)?;
                Term::pid(Pid::new(bounded(index, SLOT_INDEX_BITS)?, bounded(serial, SLOT_SERIAL_BITS)?))
            }
            tag::NEW_PORT | tag::PORT | tag::V4_PORT => self.port(h, tag)?,
            tag::NEWER_REFERENCE | tag::NEW_REFERENCE | tag::REFERENCE => self.reference(h, tag)?,
            tag::EXPORT => {
                let (module, function) = (self.atom(h)?, self.atom(h)?);
                if self.byte()? != tag::SMALL_INTEGER {
                    return Err(DecodeError::Malformed);
                }
                let arity = self.byte()?;
                h.external_fun(module, function, arity, resolver.export(module, function, arity))?
            }
            tag::NEW_FUN => return self.fun(h, resolver),
            _ => return Err(DecodeError::Malformed),
        }))
    }

    fn big(&mut self, h: &mut HeapRef<'h>, size: usize) -> Result<Term<'h>> {
        let negative = self.byte()? != 0;
        let bytes = self.take(size)?;
        if size > MAX_LIMBS * 8 {
            return Err(DecodeError::SystemLimit);
        }
        let limb = |chunk: &[u8]| chunk.iter().rev().fold(0, |limb, byte| limb << 8 | u64::from(*byte));
        let limbs: Vec<u64> = bytes.chunks(8).map(limb).collect();
        Ok(h.big(negative, &limbs)?)
    }

    fn bits(&mut self, h: &mut HeapRef<'h>) -> Result<Term<'h>> {
        let length = self.size()?;
        let last = usize::from(self.byte()?);
        let bytes = self.take(length)?;
        if last > 8 || (last == 0) != (length == 0) {
            return Err(DecodeError::Malformed);
        }
        let bits = if length == 0 { 0 } else { (length - 1) * 8 + last };
        Ok(h.bits(Bits::from_parts(bytes, 0, bits))?)
    }

    fn port(&mut self, h: &mut HeapRef<'h>, tag: u8) -> Result<Term<'h>> {
        self.local_node(h)?;
        let index =
            if tag == tag::V4_PORT { u64::from_be_bytes(self.array()?) } else { u64::from(self.u32()?) };
        let serial = if tag == tag::PORT { u32::from(self.byte()? & 3) } else { self.u32()? };
        let index = u32::try_from(index).map_err(|_| DecodeError::Malformed)?;
        Ok(Term::port(Port::new(bounded(index, SLOT_INDEX_BITS)?, bounded(serial, SLOT_SERIAL_BITS)?)))
    }

    fn reference(&mut self, h: &mut HeapRef<'h>, tag: u8) -> Result<Term<'h>> {
        let count = if tag == tag::REFERENCE { 1 } else { usize::from(self.u16()?) };
        if !(1..=5).contains(&count) {
            return Err(DecodeError::Malformed);
        }
        self.local_node(h)?;
        let mut numbers = [0_u32; 5];
        if tag == tag::REFERENCE {
            numbers[0] = self.u32()?;
            self.creation(false)?;
        } else {
            self.creation(tag == tag::NEWER_REFERENCE)?;
            for number in &mut numbers[..count] {
                *number = self.u32()?;
            }
        }
        let [low, middle, high, index, serial] = numbers;
        let unique = ref_from_parts([high, middle, low].map(u64::from)).ok_or(DecodeError::Malformed)?;
        let owner = if count == 5 {
            Some(Pid::new(bounded(index, SLOT_INDEX_BITS)?, bounded(serial, SLOT_SERIAL_BITS)?))
        } else {
            None
        };
        Ok(h.reference(unique, owner)?)
    }

    fn fun(&mut self, h: &mut HeapRef<'h>, resolver: &dyn Resolver) -> Result<Option<Term<'h>>> {
        let _size = self.u32()?;
        let arity = self.byte()?;
        let module_hash: [u8; 16] = self.array()?;
        let _index = self.u32()?;
        let captured = self.size()?;
        let module = self.atom(h)?;
        let index = self.small_number()?;
        let uniq = self.small_number()?;
        if self.byte()? != tag::NEW_PID && self.bytes[self.place - 1] != tag::PID {
            return Err(DecodeError::Malformed);
        }
        let new = self.bytes[self.place - 1] == tag::NEW_PID;
        self.local_node(h)?;
        self.take(8)?;
        self.creation(new)?;
        let entry = resolver.fun(module, index, uniq, &module_hash, arity).ok_or(DecodeError::Unsafe)?;
        // The code behind the entry relies on as many values as it captured.
        if entry.captured() != captured {
            return Err(DecodeError::Malformed);
        }
        if captured == 0 {
            return Ok(Some(h.fun(entry, &[])?));
        }
        self.open(Kind::Fun(entry), captured)
    }

    /// An encoded integer of up to 32 bits.
    fn small_number(&mut self) -> Result<u32> {
        match self.byte()? {
            tag::SMALL_INTEGER => Ok(u32::from(self.byte()?)),
            tag::INTEGER => self.u32(),
            tag::SMALL_BIG => {
                let size = usize::from(self.byte()?);
                let _sign = self.byte()?;
                let value =
                    self.take(size)?.iter().rev().fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
                u32::try_from(value).map_err(|_| DecodeError::Malformed)
            }
            _ => Err(DecodeError::Malformed),
        }
    }

    // ---- atoms and nodes ----

    fn atom(&mut self, h: &HeapRef<'h>) -> Result<Atom> {
        let tag = self.byte()?;
        self.atom_of(h, tag)
    }

    fn atom_of(&mut self, h: &HeapRef<'h>, tag: u8) -> Result<Atom> {
        let long = match tag {
            tag::ATOM | tag::ATOM_UTF8 => true,
            tag::SMALL_ATOM | tag::SMALL_ATOM_UTF8 => false,
            _ => return Err(DecodeError::Malformed),
        };
        let length = if long { usize::from(self.u16()?) } else { usize::from(self.byte()?) };
        let bytes = self.take(length)?;
        let latin1;
        let text = if matches!(tag, tag::ATOM | tag::SMALL_ATOM) && !bytes.is_ascii() {
            latin1 = bytes.iter().map(|byte| char::from(*byte)).collect::<String>();
            latin1.as_str()
        } else {
            std::str::from_utf8(bytes).map_err(|_| DecodeError::Malformed)?
        };
        if self.options.safe {
            return h.atoms().existing(text).ok_or(DecodeError::Unsafe);
        }
        if text.chars().count() > MAX_CHARACTERS {
            return Err(DecodeError::Malformed);
        }
        Ok(h.intern(text)?)
    }

    /// Reads the node of an identifier: only this node's can be had.
    fn local_node(&mut self, h: &HeapRef<'h>) -> Result<()> {
        let node = self.atom(h)?;
        if h.atoms().text(node) == NODE { Ok(()) } else { Err(DecodeError::Malformed) }
    }

    fn creation(&mut self, long: bool) -> Result<()> {
        self.take(if long { 4 } else { 1 }).map(|_| ())
    }

    // ---- bytes ----

    fn take(&mut self, count: usize) -> Result<&'b [u8]> {
        let rest = &self.bytes[self.place..];
        let taken = rest.get(..count).ok_or(DecodeError::Malformed)?;
        self.place += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.take(N)?.try_into().map_err(|_| DecodeError::Malformed)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    fn u16(&mut self) -> Result<u16> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    fn size(&mut self) -> Result<usize> {
        Ok(self.u32()? as usize)
    }
}

fn bounded(number: u32, bits: u32) -> Result<u32> {
    if number < 1 << bits { Ok(number) } else { Err(DecodeError::Malformed) }
}

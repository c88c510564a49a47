//! Terms to bytes.

use super::{NODE, VERSION, tag};
use crate::atom::Atoms;
use crate::heap::{AllocError, HeapRef, Scratch};
use crate::term::map::Iter;
use crate::term::print::ref_parts;
use crate::term::{Bits, Fun, Pid, Term, View};

/// The encoding of `term`, version byte first, as work of the opened heap's process.
///
/// # Errors
/// If there is no time or room for it.
pub fn encode<'h>(h: &mut HeapRef<'h>, term: Term<'h>) -> Result<Scratch<'h, u8>, AllocError> {
    encode_with(h, term, Floats::Bits)
}

/// How floats are written: `minor_version`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Floats {
    /// Their eight bytes.
    #[default]
    Bits,
    /// In decimal, as releases before R11 did: minor version 0.
    Text,
}

/// As [`encode`], with floats written in this way.
///
/// # Errors
/// As [`encode`].
pub fn encode_with<'h>(
    h: &mut HeapRef<'h>,
    term: Term<'h>,
    floats: Floats,
) -> Result<Scratch<'h, u8>, AllocError> {
    let mut out = Output { bytes: h.scratch(), failed: None };
    let encoder = Encoder::new(h.atoms(), term).with_floats(floats);
    drive(h, term, encoder, &mut out, |out| out.failed.map_or(Ok(()), Err))?;
    Ok(out.bytes)
}

/// Bytes that [`encode_with`] would give (`erlang:external_size/1,2`).
///
/// # Errors
/// If there is no time.
pub fn encoded_size<'h>(h: &mut HeapRef<'h>, term: Term<'h>, floats: Floats) -> Result<usize, AllocError> {
    let mut counter = Counter(0);
    let encoder = Encoder::new(h.atoms(), term).with_floats(floats);
    drive(h, term, encoder, &mut counter, |_| Ok(()))?;
    Ok(counter.0)
}

/// Terms written between two announcements of work.
const AT_ONCE: usize = 64;

fn drive<'h, S: Sink>(
    h: &mut HeapRef<'h>,
    term: Term<'h>,
    mut encoder: Encoder<'h>,
    out: &mut S,
    check: impl Fn(&S) -> Result<(), AllocError>,
) -> Result<(), AllocError> {
    let mut steps = 0;
    while !encoder.step(out, AT_ONCE) {
        check(out)?;
        steps += AT_ONCE;
        h.suspect(term, steps)?;
        h.work(2 * AT_ONCE + encoder.ahead())?;
    }
    check(out)
}

/// Where bytes go.
pub trait Sink {
    /// Adds bytes.
    fn put(&mut self, bytes: &[u8]);
    /// How many bytes were added.
    fn position(&self) -> usize;
    /// Writes over four bytes that were added before.
    fn patch(&mut self, at: usize, bytes: [u8; 4]);
}

/// Bytes that are kept, until there is no room for more.
struct Output<'h> {
    bytes: Scratch<'h, u8>,
    failed: Option<AllocError>,
}

impl Sink for Output<'_> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        if let Err(error) = self.bytes.extend(bytes) {
            self.failed = Some(error);
        }
    }

    fn position(&self) -> usize {
        self.bytes.len()
    }

    fn patch(&mut self, at: usize, bytes: [u8; 4]) {
        // After a failure the place may not be there; then nothing counts any more.
        if let Some(place) = self.bytes.get_mut(at..at + 4) {
            place.copy_from_slice(&bytes);
        }
    }
}

struct Counter(usize);

impl Sink for Counter {
    fn put(&mut self, bytes: &[u8]) {
        self.0 = self.0.saturating_add(bytes.len());
    }

    fn position(&self) -> usize {
        self.0
    }

    fn patch(&mut self, _: usize, _: [u8; 4]) {}
}

/// Encoding in steps.
pub struct Encoder<'h> {
    atoms: &'h Atoms,
    floats: Floats,
    begun: bool,
    rest: Vec<Item<'h>>,
    maps: Vec<Iter<'h>>,
    /// What the next step takes more than others, announced by the last one.
    ahead: usize,
}

#[derive(Clone, Copy)]
enum Item<'h> {
    Term(Term<'h>),
    /// A list whose cells are being counted, how far and how many; whether all were bytes so far.
    Count(Term<'h>, Term<'h>, usize, bool),
    /// The cells of a list whose head was written, and then its tail.
    Cells(Term<'h>),
    Row(&'h [Term<'h>]),
    /// What is left of the innermost map.
    Pairs,
    /// The end of a fun whose size stands at this position.
    FunEnd(usize),
}

/// Cells of a list counted in one step.
const CELLS_AT_ONCE: usize = 64;

impl<'h> Encoder<'h> {
    /// Begins to encode a term.
    pub fn new<'x: 'h>(atoms: &'h Atoms, term: Term<'x>) -> Encoder<'h> {
        let rest = vec![Item::Term(term.shorten())];
        Encoder { atoms, floats: Floats::Bits, begun: false, rest, maps: Vec::new(), ahead: 0 }
    }

    /// Has floats written in this way.
    #[must_use]
    pub fn with_floats(mut self, floats: Floats) -> Encoder<'h> {
        self.floats = floats;
        self
    }

    /// What the next step takes more than others (a long bitstring is written in one go), in units of some nanoseconds.
    pub fn ahead(&self) -> usize {
        self.ahead
    }

    /// Writes about `budget` terms more; whether all is written.
    pub fn step(&mut self, out: &mut impl Sink, budget: usize) -> bool {
        if !self.begun {
            self.begun = true;
            out.put(&[VERSION]);
        }
        for _ in 0..budget {
            match self.rest.pop() {
                None => return true,
                Some(Item::Term(term)) => {
                    if self.ahead == 0 {
                        self.ahead = crate::term::bits::units_to_read(term);
                        if self.ahead > 0 {
                            self.rest.push(Item::Term(term));
                            return false;
                        }
                    }
                    self.ahead = 0;
                    self.term(out, term);
                }
                Some(Item::Count(list, from, count, bytes)) => self.list(out, list, from, count, bytes),
                Some(Item::Cells(list)) => match list.as_cons() {
                    Some(cell) => {
                        self.rest.push(Item::Cells(cell.tail()));
                        self.rest.push(Item::Term(cell.head()));
                    }
                    None => self.rest.push(Item::Term(list)),
                },
                Some(Item::Row(row)) => {
                    if let Some((first, rest)) = row.split_first() {
                        self.rest.push(Item::Row(rest));
                        self.rest.push(Item::Term(*first));
                    }
                }
                Some(Item::FunEnd(at)) => {
                    let size = out.position().saturating_sub(at);
                    out.patch(at, (size as u32).to_be_bytes());
                }
                Some(Item::Pairs) => match self.maps.last_mut().and_then(Iterator::next) {
                    Some((key, value)) => {
                        self.rest.push(Item::Pairs);
                        self.rest.push(Item::Term(value));
                        self.rest.push(Item::Term(key));
                    }
                    None => {
                        self.maps.pop();
                    }
                },
            }
        }
        self.rest.is_empty()
    }

    fn term(&mut self, out: &mut impl Sink, term: Term<'h>) {
        match term.view() {
            View::Int(value) => put_int(out, value),
            View::Big(big) => put_big(out, big.is_negative(), big.limbs()),
            View::Float(value) if self.floats == Floats::Text => put_float_text(out, value),
            View::Float(value) => {
                out.put(&[tag::NEW_FLOAT]);
                out.put(&value.to_be_bytes());
            }
            View::Atom(atom) => put_atom(out, self.atoms.text(atom)),
            View::Nil => out.put(&[tag::NIL]),
            View::Cons(_) => self.list(out, term, term, 0, true),
            View::Tuple(elements) => {
                match u8::try_from(elements.len()) {
                    Ok(arity) => out.put(&[tag::SMALL_TUPLE, arity]),
                    Err(_) => put_sized(out, tag::LARGE_TUPLE, elements.len()),
                }
                self.rest.push(Item::Row(elements));
            }
            View::Map(map) => {
                put_sized(out, tag::MAP, map.len());
                self.maps.push(map.iter());
                self.rest.push(Item::Pairs);
            }
            View::Bits(bits) => put_bits(out, bits),
            View::Pid(pid) => put_pid(out, pid),
            View::Port(port) => {
                out.put(&[tag::NEW_PORT]);
                put_atom(out, NODE);
                out.put(&port.index().to_be_bytes());
                out.put(&port.serial().to_be_bytes());
            }
            View::Ref(reference) => {
                let [high, middle, low] = ref_parts(reference.unique());
                // Five numbers as OTP writes references that know their process; the last two are the owner's pid.
                let owner = reference.owner();
                out.put(&[tag::NEWER_REFERENCE, 0, if owner.is_some() { 5 } else { 3 }]);
                put_atom(out, NODE);
                out.put(&[0; 4]);
                for part in [low, middle, high] {
                    out.put(&(part as u32).to_be_bytes());
                }
                if let Some(owner) = owner {
                    out.put(&owner.index().to_be_bytes());
                    out.put(&owner.serial().to_be_bytes());
                }
            }
            View::ExternalFun(fun) => {
                out.put(&[tag::EXPORT]);
                put_atom(out, self.atoms.text(fun.module()));
                put_atom(out, self.atoms.text(fun.function()));
                out.put(&[tag::SMALL_INTEGER, fun.arity()]);
            }
            View::Fun(fun) => self.fun(out, fun),
        }
    }

    /// Counts the cells of a list, some at a time, and writes what begins it.
    fn list(
        &mut self,
        out: &mut impl Sink,
        list: Term<'h>,
        from: Term<'h>,
        mut count: usize,
        mut bytes: bool,
    ) {
        let mut cells = from.list();
        for element in cells.by_ref().take(CELLS_AT_ONCE) {
            count += 1;
            bytes = bytes && element.as_small().is_some_and(|value| (0..256).contains(&value));
        }
        let rest = cells.rest();
        if rest.as_cons().is_some() {
            return self.rest.push(Item::Count(list, rest, count, bytes));
        }
        if bytes && count <= usize::from(u16::MAX) && rest.is_nil() {
            out.put(&[tag::STRING]);
            out.put(&(count as u16).to_be_bytes());
            for element in list.list() {
                out.put(&[element.as_small().unwrap_or_default() as u8]);
            }
            return;
        }
        put_sized(out, tag::LIST, count);
        self.rest.push(Item::Cells(list));
    }

    fn fun(&mut self, out: &mut impl Sink, fun: Fun<'h>) {
        let (entry, captured) = (fun.entry(), fun.captured());
        out.put(&[tag::NEW_FUN]);
        // The size counts itself and everything to the end of the captured values: it is written when that is reached.
        self.rest.push(Item::FunEnd(out.position()));
        out.put(&[0; 4]);
        fun_head(out, self.atoms, fun);
        debug_assert_eq!(captured.len(), usize::from(entry.captured));
        self.rest.push(Item::Row(captured));
    }
}

/// What stands between a fun's size and its captured values.
fn fun_head(out: &mut impl Sink, atoms: &Atoms, fun: Fun<'_>) {
    let (entry, captured) = (fun.entry(), fun.captured().len());
    out.put(&[entry.arity]);
    out.put(&entry.module_hash);
    out.put(&entry.index.to_be_bytes());
    out.put(&(captured as u32).to_be_bytes());
    put_atom(out, atoms.text(entry.module));
    put_int(out, i64::from(entry.index));
    put_int(out, i64::from(entry.uniq));
    put_pid(out, Pid::new(0, 0));
}

fn put_sized(out: &mut impl Sink, tag: u8, size: usize) {
    out.put(&[tag]);
    out.put(&(size as u32).to_be_bytes());
}

fn put_int(out: &mut impl Sink, value: i64) {
    if let Ok(byte) = u8::try_from(value) {
        out.put(&[tag::SMALL_INTEGER, byte]);
    } else if let Ok(value) = i32::try_from(value) {
        out.put(&[tag::INTEGER]);
        out.put(&value.to_be_bytes());
    } else {
        put_big(out, value < 0, &[value.unsigned_abs()]);
    }
}

fn put_big(out: &mut impl Sink, negative: bool, limbs: &[u64]) {
    let unused = limbs.last().map_or(0, |last| last.leading_zeros() as usize / 8);
    let bytes = limbs.len() * 8 - unused;
    match u8::try_from(bytes) {
        Ok(size) => out.put(&[tag::SMALL_BIG, size]),
        Err(_) => put_sized(out, tag::LARGE_BIG, bytes),
    }
    out.put(&[u8::from(negative)]);
    for (index, limb) in limbs.iter().enumerate() {
        out.put(&limb.to_le_bytes()[..(bytes - index * 8).min(8)]);
    }
}

/// Bytes of a float in decimal, zeros behind it.
const FLOAT_TEXT: usize = 31;

/// Digits behind the point there.
const FLOAT_DECIMALS: usize = 20;

fn put_float_text(out: &mut impl Sink, value: f64) {
    let text = crate::num::float::scientific(value, FLOAT_DECIMALS).unwrap_or_default();
    out.put(&[tag::FLOAT]);
    out.put(text.as_bytes());
    out.put(&[0; FLOAT_TEXT][text.len().min(FLOAT_TEXT)..]);
}

fn put_atom(out: &mut impl Sink, text: &str) {
    match u8::try_from(text.len()) {
        Ok(length) => out.put(&[tag::SMALL_ATOM_UTF8, length]),
        Err(_) => {
            out.put(&[tag::ATOM_UTF8]);
            // 255 characters of at most four bytes.
            out.put(&(text.len() as u16).to_be_bytes());
        }
    }
    out.put(text.as_bytes());
}

fn put_pid(out: &mut impl Sink, pid: Pid) {
    out.put(&[tag::NEW_PID]);
    put_atom(out, NODE);
    out.put(&pid.serial().to_be_bytes());
    out.put(&pid.index().to_be_bytes());
    out.put(&[0; 4]);
}

fn put_bits(out: &mut impl Sink, bits: Bits<'_>) {
    let last = bits.bit_length() % 8;
    put_sized(out, if last == 0 { tag::BINARY } else { tag::BIT_BINARY }, bits.byte_length());
    if last > 0 {
        out.put(&[last as u8]);
    }
    match bits.as_bytes() {
        Some(bytes) => out.put(bytes),
        None => bits.iter_bytes().for_each(|byte| out.put(&[byte])),
    }
}

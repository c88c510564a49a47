//! `erlang:phash2`: OTP's portable hash, value for value.
//!
//! Programs store and compare these numbers across nodes and releases, so every constant here is part of the language. The
//! mixing function is Bob Jenkins' of 1996 ("lookup2"); each kind of term is mixed in with its own multiple of the golden
//! ratio; maps combine their associations by exclusive or, so that their order does not matter. Iterative, and can be done in
//! steps.

use super::map::Iter;
use super::worklist::Worklist;
use super::{Bits, Term, View};
use crate::atom::Atoms;

/// `erlang:phash2(Term, 1 bsl 32)`: 32 bits, of which `phash2/1` takes the low 27.
pub fn phash2(atoms: &Atoms, term: Term<'_>) -> u32 {
    let mut walk = Phash::new(atoms, term);
    loop {
        if let Some(hash) = walk.step(usize::MAX) {
            return hash;
        }
    }
}

/// The golden ratio's multiples that mark the kinds of terms.
const fn mark(multiple: u32) -> u32 {
    0x9e37_79b9_u32.wrapping_mul(multiple)
}

const SMALL: u32 = mark(1);
const NIL: u32 = mark(2);
const ATOM: u32 = mark(3);
const BYTES_OF_LIST: u32 = mark(4);
const PID: u32 = mark(5);
const PORT: u32 = mark(6);
const REF: u32 = mark(7);
const TUPLE: u32 = mark(9);
const NEGATIVE: u32 = mark(10);
const POSITIVE: u32 = mark(11);
const FLOAT: u32 = mark(12);
const BINARY: u32 = mark(13);
const EXPORT_NAME: u32 = mark(14);
const LAST_BITS: u32 = mark(15);
const MAP: u32 = mark(16);
const PAIRS: u32 = mark(19);

/// Hash of `[]` alone.
const LONE_NIL: u32 = 3_468_870_702;
/// What is mixed in for `[]` elsewhere.
const NIL_NUMBER: u32 = 2;

/// A hash computed in steps.
pub struct Phash<'h> {
    atoms: &'h Atoms,
    hash: u32,
    pairs: u32,
    rest: Worklist<Item<'h>, 16>,
    maps: Vec<Iter<'h>>,
    /// What the next step takes more than others, announced by the last one.
    ahead: usize,
}

#[derive(Clone, Copy)]
enum Item<'h> {
    Term(Term<'h>),
    Row(&'h [Term<'h>]),
    /// The next association of the innermost map, after the hash of the last one was completed.
    Pair,
    /// The end of a map: the hash before it, and the pairs of the map around it.
    MapEnd(u32, u32),
}

impl<'h> Phash<'h> {
    /// Begins to hash a term.
    pub fn new<'x: 'h>(atoms: &'h Atoms, term: Term<'x>) -> Phash<'h> {
        let term = term.shorten();
        let mut rest = Worklist::new();
        rest.push(Item::Term(term));
        Phash { atoms, hash: 0, pairs: 0, rest, maps: Vec::new(), ahead: 0 }
    }

    /// What the next step takes more than others (a long bitstring is hashed in one go), in units of some nanoseconds.
    pub fn ahead(&self) -> usize {
        self.ahead
    }

    /// Looks at about `budget` objects more; the hash when all have been seen.
    pub fn step(&mut self, budget: usize) -> Option<u32> {
        for _ in 0..budget {
            match self.rest.pop() {
                None => return Some(self.hash),
                Some(Item::Term(term)) => {
                    if self.ahead == 0 && term.word().is_boxed() {
                        // Bytes are mixed in one by one.
                        self.ahead = 16 * super::bits::units_to_read(term);
                        if self.ahead > 0 {
                            self.rest.push(Item::Term(term));
                            return None;
                        }
                    }
                    self.ahead = 0;
                    self.term(term);
                }
                Some(Item::Row(row)) => self.row(row),
                Some(Item::Pair) => self.pair(),
                Some(Item::MapEnd(hash, pairs)) => {
                    self.hash = hash;
                    self.mix(self.pairs, 0, PAIRS);
                    self.pairs = pairs;
                }
            }
        }
        None
    }

    /// Immediates are mixed in here; the first object is next, the rest of the row comes behind it.
    fn row(&mut self, row: &'h [Term<'h>]) {
        let (now, later) = row.split_at(row.len().min(ELEMENTS_PER_STEP));
        for (index, element) in now.iter().enumerate() {
            if element.word().is_pointer() {
                if index + 1 < row.len() {
                    self.rest.push(Item::Row(&row[index + 1..]));
                }
                self.rest.push(Item::Term(*element));
                return;
            }
            self.term(*element);
        }
        if !later.is_empty() {
            self.rest.push(Item::Row(later));
        }
    }

    fn pair(&mut self) {
        // Zero before the first association, since the map began with it.
        self.pairs ^= self.hash;
        self.hash = 0;
        match self.maps.last_mut().and_then(Iterator::next) {
            Some((key, value)) => {
                self.rest.push(Item::Pair);
                self.rest.push(Item::Term(value));
                self.rest.push(Item::Term(key));
            }
            None => {
                self.maps.pop();
            }
        }
    }

    fn term(&mut self, term: Term<'h>) {
        match term.view() {
            View::Int(value) => self.small(value),
            View::Big(big) => {
                let kind = if big.is_negative() { NEGATIVE } else { POSITIVE };
                for limb in big.limbs() {
                    self.mix(*limb as u32, (*limb >> 32) as u32, kind);
                }
            }
            View::Float(value) => {
                let bits = if value == 0.0 { 0 } else { value.to_bits() };
                self.mix((bits >> 32) as u32, bits as u32, FLOAT);
            }
            View::Atom(atom) => {
                let text = atom_hash(self.atoms.text(atom));
                if self.hash == 0 { self.hash = text } else { self.mix(text, 0, ATOM) }
            }
            View::Nil if self.hash == 0 => self.hash = LONE_NIL,
            View::Nil => self.mix(NIL_NUMBER, 0, NIL),
            View::Cons(_) => self.list(term),
            View::Tuple(elements) => {
                self.mix(elements.len() as u32, 0, TUPLE);
                self.rest.push(Item::Row(elements));
            }
            View::Map(map) => {
                self.mix(map.len() as u32, 0, MAP);
                if !map.is_empty() {
                    self.rest.push(Item::MapEnd(self.hash, self.pairs));
                    self.rest.push(Item::Pair);
                    self.maps.push(map.iter());
                    (self.hash, self.pairs) = (0, 0);
                }
            }
            View::Bits(bits) => self.bits(bits),
            View::Fun(fun) => {
                let entry = fun.entry();
                let captured = fun.captured();
                self.mix(captured.len() as u32, atom_hash(self.atoms.text(entry.module)), SMALL);
                self.mix(entry.index, entry.uniq, SMALL);
                self.rest.push(Item::Row(captured));
            }
            View::ExternalFun(fun) => {
                self.mix(u32::from(fun.arity()), atom_hash(self.atoms.text(fun.module())), SMALL);
                self.mix(atom_hash(self.atoms.text(fun.function())), 0, EXPORT_NAME);
            }
            View::Pid(pid) => self.mix(pid.serial(), 0, PID),
            View::Port(port) => self.mix(port.index(), 0, PORT),
            View::Ref(reference) => self.mix(super::print::ref_parts(reference.unique())[2] as u32, 0, REF),
        }
    }

    fn small(&mut self, value: i64) {
        if (-(1 << 27)..1 << 27).contains(&value) {
            if value < 0 {
                // Negative numbers are mixed in twice.
                self.mix(value.unsigned_abs() as u32, 0, SMALL);
            }
            self.mix(value as u32, 0, SMALL);
        } else {
            let magnitude = value.unsigned_abs();
            let kind = if value < 0 { NEGATIVE } else { POSITIVE };
            self.mix(magnitude as u32, (magnitude >> 32) as u32, kind);
        }
    }

    /// Bytes at the front of a list are taken four at a time; then comes one other element, or the tail.
    fn list(&mut self, mut term: Term<'h>) {
        let (mut count, mut word) = (0, 0_u32);
        for _ in 0..BYTES_PER_STEP {
            let Some(cell) = term.as_cons() else { break };
            let Some(byte) = cell.head().as_small().filter(|value| (0..256).contains(value)) else { break };
            word = word << 8 | byte as u32;
            count += 1;
            if count == 4 {
                self.mix(word, 0, BYTES_OF_LIST);
                (count, word) = (0, 0);
            }
            term = cell.tail();
        }
        let ended = count == 0 && term.as_cons().is_some_and(|cell| is_byte(cell.head()));
        if count > 0 {
            self.mix(word, 0, BYTES_OF_LIST);
        }
        match term.as_cons() {
            // More bytes, four at a time from here on as well.
            Some(_) if ended => self.rest.push(Item::Term(term)),
            Some(cell) => {
                self.rest.push(Item::Term(cell.tail()));
                self.rest.push(Item::Term(cell.head()));
            }
            None => self.rest.push(Item::Term(term)),
        }
    }

    fn bits(&mut self, bits: Bits<'h>) {
        let start = BINARY.wrapping_add(self.hash);
        if bits.bit_length() == 0 {
            self.hash = start;
            return;
        }
        let (whole, last) = (bits.bit_length() / 8, bits.bit_length() % 8);
        let bytes = bits.slice(0, whole * 8).to_bytes().expect("whole bytes are a binary");
        self.hash = block_hash(&bytes, start);
        if last > 0 {
            self.mix(last as u32, u32::from(bits.byte(whole) >> (8 - last)), LAST_BITS);
        }
    }

    #[inline]
    fn mix(&mut self, a: u32, b: u32, kind: u32) {
        self.hash = mix(kind.wrapping_add(a), kind.wrapping_add(b), self.hash).2;
    }
}

/// Elements of a row looked at in one step.
const ELEMENTS_PER_STEP: usize = 16;

/// Bytes of a list taken in one step; a multiple of four.
const BYTES_PER_STEP: usize = 256;

fn is_byte(term: Term<'_>) -> bool {
    term.as_small().is_some_and(|value| (0..256).contains(&value))
}

/// Jenkins' hash of a block of bytes.
fn block_hash(bytes: &[u8], start: u32) -> u32 {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0_u32, |word, byte| word << 8 | u32::from(*byte));
    let (mut a, mut b, mut c) = (mark(1), mark(1), start);
    let mut chunks = bytes.chunks_exact(12);
    for chunk in &mut chunks {
        a = a.wrapping_add(word(&chunk[..4]));
        b = b.wrapping_add(word(&chunk[4..8]));
        c = c.wrapping_add(word(&chunk[8..]));
        (a, b, c) = mix(a, b, c);
    }
    let rest = chunks.remainder();
    c = c.wrapping_add(bytes.len() as u32);
    a = a.wrapping_add(word(&rest[..rest.len().min(4)]));
    b = b.wrapping_add(word(rest.get(4..rest.len().min(8)).unwrap_or(&[])));
    // The lowest byte of the third word is the length's.
    c = c.wrapping_add(word(rest.get(8..).unwrap_or(&[])) << 8);
    mix(a, b, c).2
}

/// Jenkins' mixing of three words; the third is the result of a hash.
#[inline]
fn mix(mut a: u32, mut b: u32, mut c: u32) -> (u32, u32, u32) {
    for (first, second, third) in [(13, 8, 13), (12, 16, 5), (3, 10, 15)] {
        a = a.wrapping_sub(b).wrapping_sub(c) ^ c >> first;
        b = b.wrapping_sub(c).wrapping_sub(a) ^ a << second;
        c = c.wrapping_sub(a).wrapping_sub(b) ^ b >> third;
    }
    (a, b, c)
}

/// The classic "hashpjw" of an atom's text, Latin-1 characters counting as one byte.
pub fn atom_hash(text: &str) -> u32 {
    let step = |hash: u32, value: u32| {
        let hash = (hash << 4).wrapping_add(value);
        let high = hash & 0xf000_0000;
        hash ^ high >> 24 ^ high
    };
    let mut hash = 0;
    for character in text.chars() {
        if u32::from(character) < 0x100 {
            hash = step(hash, u32::from(character));
        } else {
            let mut buffer = [0; 4];
            hash = character
                .encode_utf8(&mut buffer)
                .bytes()
                .fold(hash, |hash, byte| step(hash, u32::from(byte)));
        }
    }
    hash
}

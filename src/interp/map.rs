//! Instructions on maps.

use super::live::{Live, a, b, c};
use super::machine::{Machine, Next};
use crate::atom::known;
use crate::bif::Cx;
use crate::code::BifId;
use crate::heap::AllocError;
use crate::process::Class;
use crate::term::hash::hash_at_once;
use crate::term::{Map, Subtag, Term, Word};

/// Pairs of a map instruction that are gathered without an allocation of their own.
const FEW_PAIRS: usize = 8;

/// What storing into a map came to.
enum Stored {
    Map(Word),
    NoMap,
    NoKey(Word),
}

impl Machine<'_> {
    /// `map_put` and `map_update`: `a := c#{pairs}`.
    #[inline(never)]
    pub fn map_store(&mut self, must_exist: bool) -> Next {
        let word = self.operand(0);
        let (dst, count, map) = (a(word), b(word) as usize, self.get(c(word)));
        let mut few = [(Word::NIL, Word::NIL); FEW_PAIRS];
        let mut many = Vec::new();
        let pairs = if count <= FEW_PAIRS {
            &mut few[..count]
        } else {
            many.resize(count, (Word::NIL, Word::NIL));
            &mut many[..]
        };
        for (index, pair) in pairs.iter_mut().enumerate() {
            *pair = (self.source(self.operand(2 + 2 * index)), self.source(self.operand(3 + 2 * index)));
        }
        if let [(key, value)] = *pairs
            && let Some(changed) = self.replace(map, key, value)
        {
            return match changed {
                Ok(changed) => {
                    self.set(dst, changed);
                    self.after(4)
                }
                Err(error) => self.no_memory(error),
            };
        }
        let mut cx = self.cx();
        match store(&mut cx, map, pairs, must_exist) {
            Ok(Stored::Map(map)) => {
                self.set(dst, map);
                self.after(2 + 2 * count)
            }
            Ok(failed) => match (self.target(1), failed) {
                (Some(fail), _) => fail,
                (None, Stored::NoKey(key)) => self.raise_tagged(known::BADKEY, key),
                (None, _) => self.raise_tagged(known::BADMAP, map),
            },
            Err(AllocError::SystemLimit) => self.raise(Class::Error, Word::atom(known::SYSTEM_LIMIT)),
            Err(error) => self.no_memory(error),
        }
    }

    /// `map_get(key, map)` as an expression: the map in field `a`, the key in word 2.
    #[inline(never)]
    pub fn map_get_native(&mut self, id: BifId, key: Word, map: Word) -> Next {
        self.begin_work();
        match self.lookup(map, key) {
            Ok(Some(value)) => {
                self.set(b(self.operand(0)), value);
                self.after(3)
            }
            Ok(None) | Err(_) => self.guard_native(id, &[key, map], b(self.operand(0)), 3),
        }
    }

    /// `map_get`: reads all keys of `a`, or jumps.
    #[inline(never)]
    pub fn map_get(&mut self) -> Next {
        let word = self.operand(0);
        let (map, count) = (self.get(a(word)), b(word) as usize);
        self.begin_work();
        if count == 1 {
            return match self.lookup(map, self.source(self.operand(2))) {
                Ok(Some(value)) => {
                    self.set((self.operand(3) >> 3) as u16, value);
                    self.after(4)
                }
                Ok(None) => self.target(1).unwrap_or_else(|| self.after(4)),
                Err(error) => self.no_value(error),
            };
        }
        // Nothing is written before all keys are found: the instruction may have to run again.
        let mut few = [Word::NIL; FEW_PAIRS];
        let mut many = Vec::new();
        let values = if count <= FEW_PAIRS {
            &mut few[..count]
        } else {
            many.resize(count, Word::NIL);
            &mut many[..]
        };
        for (index, value) in values.iter_mut().enumerate() {
            let key = self.source(self.operand(2 + 2 * index));
            match self.lookup(map, key) {
                Ok(Some(found)) => *value = found,
                Ok(None) => return self.target(1).unwrap_or_else(|| self.after(2 + 2 * count)),
                Err(error) => return self.no_value(error),
            }
        }
        for (index, value) in values.iter().enumerate() {
            self.set((self.operand(3 + 2 * index) >> 3) as u16, *value);
        }
        self.after(2 + 2 * count)
    }

    /// `map_has`: jumps unless `a` has all keys.
    #[inline(never)]
    pub fn map_has(&mut self) -> Next {
        let word = self.operand(0);
        let (map, count) = (self.get(a(word)), b(word) as usize);
        self.begin_work();
        for index in 0..count {
            let key = self.source(self.operand(2 + index));
            match self.lookup(map, key) {
                Ok(Some(_)) => {}
                Ok(None) => return self.target(1).unwrap_or_else(|| self.after(2 + count)),
                Err(error) => return self.no_value(error),
            }
        }
        self.after(2 + count)
    }

    /// A key could not be looked up. One that is too large to be hashed is no key of any map there can be.
    #[cold]
    fn no_value(&mut self, error: AllocError) -> Next {
        match (error, self.target(1)) {
            (AllocError::SystemLimit, Some(fail)) => fail,
            (AllocError::SystemLimit, None) => self.raise(Class::Error, Word::atom(known::SYSTEM_LIMIT)),
            (error, _) => self.no_memory(error),
        }
    }

    /// A small map with another value for an immediate key that it has; `None` if it is no such map.
    fn replace(&mut self, map: Word, key: Word, value: Word) -> Option<Result<Word, AllocError>> {
        if !key.is_immediate() || !Live::is_boxed_of(map, Subtag::FlatMap) {
            return None;
        }
        let (keys, words) = (Live::body(map, 0), 1 + Live::header(map).header_arity());
        let position = (0..words - 2).find(|&index| Live::body(keys, index) == key)?;
        if Live::body(map, 1 + position) == value {
            return Some(Ok(map));
        }
        let place = match self.process.heap.alloc(words) {
            Ok(place) => place,
            Err(error) => return Some(Err(error)),
        };
        // SAFETY: I2, H1: `alloc` gave as many words as the old map has, which is copied whole; then one value is another.
        unsafe {
            std::ptr::copy_nonoverlapping(map.address(), place, words);
            place.add(2 + position).write(value);
        }
        Some(Ok(Word::boxed(place)))
    }

    fn lookup(&mut self, map: Word, key: Word) -> Result<Option<Word>, AllocError> {
        // SAFETY: I3: operands; nothing moves while they are looked at.
        let (map, key): (Term<'_>, Term<'_>) = unsafe { (Term::from_word(map), Term::from_word(key)) };
        let Some(map) = map.as_map() else { return Ok(None) };
        if map.flat().is_none()
            && let Some(hash) = hash_at_once(&self.rt.atoms, key)
        {
            return Ok(map.get_hashed(hash, key).map(Term::word));
        }
        if key.word().is_pointer() {
            self.process.heap.weigh(key)?;
        }
        Ok(map.get(&self.rt.atoms, key).map(Term::word))
    }
}

fn store(cx: &mut Cx<'_>, map: Word, pairs: &[(Word, Word)], must_exist: bool) -> Result<Stored, AllocError> {
    // SAFETY: I3: an operand.
    let mut term = unsafe { cx.term(map) };
    if !must_exist && term.as_map().is_some_and(Map::is_empty) {
        // A map that is written out: made at once, not association by association.
        // SAFETY: I3: operands.
        let pairs: Vec<_> =
            pairs.iter().map(|&(key, value)| unsafe { (cx.term(key), cx.term(value)) }).collect();
        return Ok(Stored::Map(cx.map(&pairs)?.word()));
    }
    for &(key, value) in pairs {
        let Some(map) = term.as_map() else { return Ok(Stored::NoMap) };
        // SAFETY: I3: operands.
        let (key, value) = unsafe { (cx.term(key), cx.term(value)) };
        term = if must_exist {
            match cx.map_update(map, key, value)? {
                Some(term) => term,
                None => return Ok(Stored::NoKey(key.word())),
            }
        } else {
            cx.map_put(map, key, value)?
        };
    }
    Ok(if term.as_map().is_some() { Stored::Map(term.word()) } else { Stored::NoMap })
}

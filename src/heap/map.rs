//! Making maps.
//!
//! Flat maps are copied with the change (their keys' tuple is shared where the keys stay); in tries the path from the root is
//! copied. Depth is bounded by the sixteen levels. Every maker leaves the canonical shape (H8).

use super::{AllocError, HeapRef, Scratch};
use crate::term::compare::{compare_exact, equal_exact};
use crate::term::hash::hash;
use crate::term::map::{FLAT_LIMIT, Kind, LEVELS, Part, flat_position, flat_search};
use crate::term::worklist::Worklist;
use crate::term::{Map, Subtag, Term, Word};

/// An association, with the hash of its key.
#[derive(Clone, Copy)]
struct Entry<'h> {
    hash: u64,
    key: Term<'h>,
    value: Term<'h>,
}

/// A node passed on the way down, and which of its bits was followed.
#[derive(Clone, Copy)]
struct Step<'h> {
    bitmap: u16,
    children: &'h [Term<'h>],
    bit: u16,
}

impl<'h> Step<'h> {
    fn position(self) -> usize {
        (self.bitmap & (self.bit - 1)).count_ones() as usize
    }
}

/// Associations hashed between two announcements of work, and what each takes besides its hash until it is in its trie.
const ENTRIES_AT_ONCE: usize = 64;
const ENTRY_UNITS: usize = 16;

impl<'h> HeapRef<'h> {
    /// A map of these associations; of equal keys the last one counts.
    ///
    /// # Errors
    /// If there is no room.
    pub fn map(&mut self, pairs: &[(Term<'h>, Term<'h>)]) -> Result<Term<'h>, AllocError> {
        if pairs.len() <= FLAT_LIMIT {
            for (key, _) in pairs {
                self.weigh(*key)?;
            }
            return self.flat_of(pairs.to_vec());
        }
        let mut entries = self.scratch();
        entries.reserve(pairs.len())?;
        for chunk in pairs.chunks(ENTRIES_AT_ONCE) {
            self.work(ENTRY_UNITS * chunk.len())?;
            for (key, value) in chunk {
                entries.push(Entry { hash: self.hash(*key)?, key: *key, value: *value })?;
            }
        }
        self.sorting(entries.len())?;
        sort_for_trie(&mut entries);
        keep_last(&mut entries);
        if entries.len() <= FLAT_LIMIT {
            return self.flat_of(entries.iter().map(|entry| (entry.key, entry.value)).collect());
        }
        let root = self.trie(&entries, 0)?;
        self.hash_map(entries.len(), root)
    }

    /// A flat map of up to 32 associations, of equal keys the last one.
    fn flat_of(&mut self, mut pairs: Vec<(Term<'h>, Term<'h>)>) -> Result<Term<'h>, AllocError> {
        let atoms = self.atoms();
        // Stable: equal keys stay in the order they came.
        pairs.sort_by(|a, b| compare_exact(atoms, a.0, b.0));
        let mut kept: Vec<(Term<'h>, Term<'h>)> = Vec::with_capacity(pairs.len());
        for pair in pairs {
            match kept.last_mut() {
                Some(last) if equal_exact(last.0, pair.0) => *last = pair,
                _ => kept.push(pair),
            }
        }
        let (keys, values): (Vec<Term<'h>>, Vec<Term<'h>>) = kept.into_iter().unzip();
        let keys = self.tuple(&keys)?;
        self.flat_map(keys, &values)
    }

    /// A flat map of a tuple of distinct keys in exact order, at most 32, and as many values.
    ///
    /// # Errors
    /// If there is no room.
    ///
    /// # Panics
    /// If `keys` is no tuple of as many elements as there are values, or too many.
    pub fn flat_map(&mut self, keys: Term<'h>, values: &[Term<'h>]) -> Result<Term<'h>, AllocError> {
        assert!(keys.as_tuple().is_some_and(|keys| keys.len() == values.len() && keys.len() <= FLAT_LIMIT));
        let place = self.raw(2 + values.len())?;
        // SAFETY: `raw` gave the room, and all of it is written with terms (H1, H3). `Term` is a transparent `Word`.
        unsafe {
            place.write(Word::header(Subtag::FlatMap, 1 + values.len()));
            place.add(1).write(keys.word());
            std::ptr::copy_nonoverlapping(values.as_ptr().cast::<Word>(), place.add(2), values.len());
            Ok(Term::from_word(Word::boxed(place)))
        }
    }

    /// The value of a key, as work.
    ///
    /// # Errors
    /// If there is no time.
    #[inline]
    pub fn map_get(&mut self, map: Map<'h>, key: Term<'h>) -> Result<Option<Term<'h>>, AllocError> {
        if map.flat().is_some() {
            self.weigh(key)?;
            return Ok(map.get(self.atoms(), key));
        }
        let hash = self.hash(key)?;
        Ok(map.get_hashed(hash, key))
    }

    /// The map with `key` associated with `value` (`maps:put`); the map itself if it already is, word for word.
    ///
    /// # Errors
    /// If there is no room.
    pub fn map_put(&mut self, map: Map<'h>, key: Term<'h>, value: Term<'h>) -> Result<Term<'h>, AllocError> {
        let Some((keys, values)) = map.flat() else {
            let hash = self.hash(key)?;
            return self.trie_put(map, Entry { hash, key, value });
        };
        self.weigh(key)?;
        if let Some(position) = flat_position(keys, key) {
            return self.flat_replace(map, values, position, value);
        }
        let position = flat_search(self.atoms(), keys, key).unwrap_or_else(|position| position);
        if keys.len() == FLAT_LIMIT {
            let mut pairs: Vec<(Term<'h>, Term<'h>)> = map.iter().collect();
            pairs.push((key, value));
            return self.map(&pairs);
        }
        let count = 1 + keys.len();
        let place = self.raw(3 + 2 * count)?;
        let map = place.wrapping_add(1 + count);
        // SAFETY: `raw` gave the room: a tuple of the keys, then the map, all of both written with terms (H1, H3).
        unsafe {
            place.write(Word::header(Subtag::Tuple, count));
            map.write(Word::header(Subtag::FlatMap, 1 + count));
            map.add(1).write(Word::boxed(place));
            // Rows are short: a loop for both is quicker than four calls to copy them.
            let mut to = (place.add(1), map.add(2));
            for (index, (own, kept)) in keys.iter().zip(values).enumerate() {
                if index == position {
                    to.0.write(key.word());
                    to.1.write(value.word());
                    to = (to.0.add(1), to.1.add(1));
                }
                to.0.write(own.word());
                to.1.write(kept.word());
                to = (to.0.add(1), to.1.add(1));
            }
            if position == keys.len() {
                to.0.write(key.word());
                to.1.write(value.word());
            }
            Ok(Term::from_word(Word::boxed(map)))
        }
    }

    /// `[{Key, Value}]` of a map, in iteration order.
    ///
    /// # Errors
    /// If there is no room.
    pub fn pairs_of_map(&mut self, map: Map<'h>) -> Result<Term<'h>, AllocError> {
        const PAIR_WORDS: usize = 3;
        let words = (PAIR_WORDS + 2) * map.len();
        if words == 0 {
            return Ok(Term::NIL);
        }
        let first = self.raw(words)?;
        let mut place = first;
        for (key, value) in map.iter() {
            let next = place.wrapping_add(PAIR_WORDS + 2);
            // SAFETY: `raw` gave the room for as many associations as there are; a tuple and a cell are written for each.
            unsafe {
                place.write(Word::header(Subtag::Tuple, 2));
                place.add(1).write(key.word());
                place.add(2).write(value.word());
                place.add(PAIR_WORDS).write(Word::boxed(place));
                place.add(PAIR_WORDS + 1).write(Word::cons(next.wrapping_add(PAIR_WORDS)));
            }
            place = next;
        }
        // SAFETY: the last cell's tail; and all words of the objects are written (H1, H3).
        unsafe {
            place.sub(1).write(Word::NIL);
            Ok(Term::from_word(Word::cons(first.add(PAIR_WORDS))))
        }
    }

    fn flat_replace(
        &mut self,
        map: Map<'h>,
        values: &[Term<'h>],
        position: usize,
        value: Term<'h>,
    ) -> Result<Term<'h>, AllocError> {
        if values[position].word() == value.word() {
            return Ok(map.term());
        }
        let mut row = [Term::NIL; FLAT_LIMIT];
        let row = &mut row[..values.len()];
        row.copy_from_slice(values);
        row[position] = value;
        let keys = map.keys_tuple().expect("the caller found it flat");
        self.flat_map(keys, row)
    }

    /// As `map_put` for a key that is there (`maps:update`, `:=`); `None` if it is not.
    ///
    /// # Errors
    /// If there is no room.
    pub fn map_update(
        &mut self,
        map: Map<'h>,
        key: Term<'h>,
        value: Term<'h>,
    ) -> Result<Option<Term<'h>>, AllocError> {
        if let Some((keys, values)) = map.flat() {
            self.weigh(key)?;
            let Some(position) = flat_position(keys, key) else { return Ok(None) };
            return self.flat_replace(map, values, position, value).map(Some);
        }
        let hash = self.hash(key)?;
        if map.get_hashed(hash, key).is_none() {
            return Ok(None);
        }
        self.trie_put(map, Entry { hash, key, value }).map(Some)
    }

    /// The value of `key`, and the map without it; `None` if it is not there.
    ///
    /// # Errors
    /// If there is no room.
    pub fn map_take(
        &mut self,
        map: Map<'h>,
        key: Term<'h>,
    ) -> Result<Option<(Term<'h>, Term<'h>)>, AllocError> {
        let Some((keys, values)) = map.flat() else { return self.trie_take(map, key) };
        self.weigh(key)?;
        let Some(position) = flat_position(keys, key) else { return Ok(None) };
        let mut row = [Term::NIL; FLAT_LIMIT];
        let keys = self.tuple(without(&mut row, keys, position))?;
        let rest = self.flat_map(keys, without(&mut row, values, position))?;
        Ok(Some((values[position], rest)))
    }

    /// The map without `key`.
    ///
    /// # Errors
    /// If there is no room.
    pub fn map_remove(&mut self, map: Map<'h>, key: Term<'h>) -> Result<Term<'h>, AllocError> {
        let taken = self.map_take(map, key)?;
        Ok(taken.map_or(map.term(), |(_, rest)| rest))
    }

    /// All associations of both; of equal keys those of `over` (`maps:merge`).
    ///
    /// # Errors
    /// If there is no room.
    pub fn map_merge(&mut self, map: Map<'h>, over: Map<'h>) -> Result<Term<'h>, AllocError> {
        if over.is_empty() {
            return Ok(map.term());
        }
        // A few additions to a large map copy a few paths; otherwise the whole is built anew at once.
        if over.len() * 4 < map.len() {
            let mut merged = map;
            for (key, value) in over.iter() {
                merged = self.map_put(merged, key, value)?.as_map().expect("a map was made");
            }
            return Ok(merged.term());
        }
        let mut pairs = self.scratch();
        pairs.reserve(map.len() + over.len())?;
        for pair in map.iter().chain(over.iter()) {
            pairs.push(pair)?;
        }
        self.map(&pairs)
    }

    // ---- tries ----

    fn hash_map(&mut self, count: usize, root: Term<'h>) -> Result<Term<'h>, AllocError> {
        let place = self.raw(3)?;
        // SAFETY: `raw` gave the room; count (raw) and root are written (H1, H3).
        unsafe {
            place.write(Word::header(Subtag::HashMap, 2));
            place.add(1).write(Word::from_bits(count as u64));
            place.add(2).write(root.word());
            Ok(Term::from_word(Word::boxed(place)))
        }
    }

    /// A node (`bitmap` not zero) or, with `None`, a bucket.
    fn part(&mut self, bitmap: Option<u16>, children: &[Term<'h>]) -> Result<Term<'h>, AllocError> {
        let header = match bitmap {
            Some(bitmap) => Word::node_header(bitmap),
            None => Word::header(Subtag::HashBucket, children.len()),
        };
        debug_assert_eq!(header.header_arity(), children.len());
        let place = self.raw(1 + children.len())?;
        // SAFETY: `raw` gave the room; all of it is written (H1, H3). The word is a part, only ever read as one.
        unsafe {
            place.write(header);
            std::ptr::copy_nonoverlapping(children.as_ptr().cast::<Word>(), place.add(1), children.len());
            Ok(Term::from_word(Word::boxed(place)))
        }
    }

    /// The trie of entries in trie order (two at least), which agree on the bits below `level`. Recursion is at most 16 deep.
    fn trie(&mut self, entries: &[Entry<'h>], level: usize) -> Result<Term<'h>, AllocError> {
        if level == LEVELS {
            return self.bucket(entries);
        }
        let mut children = [Term::NIL; 16];
        let (mut count, mut bitmap) = (0, 0_u16);
        for group in entries.chunk_by(|a, b| nibble(a.hash, level) == nibble(b.hash, level)) {
            bitmap |= 1 << nibble(group[0].hash, level);
            children[count] = match group {
                [entry] => self.cons(entry.key, entry.value)?,
                _ => self.trie(group, level + 1)?,
            };
            count += 1;
        }
        self.part(Some(bitmap), &children[..count])
    }

    fn bucket(&mut self, entries: &[Entry<'h>]) -> Result<Term<'h>, AllocError> {
        let atoms = self.atoms();
        let mut sorted = entries.to_vec();
        sorted.sort_by(|a, b| compare_exact(atoms, a.key, b.key));
        let mut leaves = Vec::with_capacity(sorted.len());
        for entry in sorted {
            leaves.push(self.cons(entry.key, entry.value)?);
        }
        self.part(None, &leaves)
    }

    /// Follows a hash down to where its key is or would be: the nodes passed, and the leaf or bucket met, if any.
    fn descend(&self, map: Map<'h>, mut hash: u64) -> (Path<'h>, Option<Part<'h>>) {
        let mut path = Path::new();
        let mut part = map.root();
        while let Kind::Node(bitmap, children) = part.kind() {
            let step = Step { bitmap, children, bit: 1 << (hash & 15) };
            path.push(step);
            if bitmap & step.bit == 0 {
                return (path, None);
            }
            part = Part::new(children[step.position()]);
            hash >>= 4;
        }
        (path, Some(part))
    }

    fn trie_put(&mut self, map: Map<'h>, entry: Entry<'h>) -> Result<Term<'h>, AllocError> {
        let atoms = self.atoms();
        let (path, met) = self.descend(map, entry.hash);
        let level = path.length;
        let mut count = map.len();
        let child = match met.map(Part::kind) {
            None => {
                count += 1;
                self.cons(entry.key, entry.value)?
            }
            Some(Kind::Leaf(key, value)) if equal_exact(key, entry.key) => {
                if value.word() == entry.value.word() {
                    return Ok(map.term());
                }
                self.cons(key, entry.value)?
            }
            Some(Kind::Leaf(key, value)) => {
                count += 1;
                let mut pair = [Entry { hash: hash(atoms, key), key, value }, entry];
                sort_for_trie(&mut pair);
                self.trie(&pair, level)?
            }
            Some(Kind::Bucket(leaves)) => {
                let mut entries: Vec<Entry<'h>> = leaves_of(leaves, entry.hash).collect();
                match entries.iter_mut().find(|own| equal_exact(own.key, entry.key)) {
                    Some(own) => own.value = entry.value,
                    None => {
                        count += 1;
                        entries.push(entry);
                    }
                }
                self.bucket(&entries)?
            }
            Some(Kind::Node(..)) => unreachable!("the way down ends at a leaf or a bucket"),
        };
        let root = self.rebuild(path, Some(child))?;
        self.hash_map(count, root)
    }

    /// Copies the path with a new child at its end, or without one; a node left with one leaf is replaced by that leaf.
    fn rebuild(&mut self, mut path: Path<'h>, mut child: Option<Term<'h>>) -> Result<Term<'h>, AllocError> {
        while let Some(step) = path.steps.pop() {
            path.length -= 1;
            let position = step.position();
            if let Some(changed) = child
                && step.bitmap & step.bit != 0
            {
                let alone = path.length > 0 && step.children.len() == 1 && changed.word().is_cons();
                if !alone {
                    child = Some(self.changed(step, position, changed)?);
                }
                continue;
            }
            let mut row = [Term::NIL; 16];
            let (bitmap, children): (u16, &[Term<'h>]) = match child {
                Some(child) => (step.bitmap | step.bit, spliced(&mut row, step.children, position, child)),
                None => (step.bitmap & !step.bit, without(&mut row, step.children, position)),
            };
            child = match children {
                [leaf] if path.length > 0 && leaf.word().is_cons() => Some(*leaf),
                _ => Some(self.part(Some(bitmap), children)?),
            };
        }
        Ok(child.expect("a hash map has a root"))
    }

    /// A node with another child at `position`.
    fn changed(&mut self, step: Step<'h>, position: usize, child: Term<'h>) -> Result<Term<'h>, AllocError> {
        assert!(position < step.children.len());
        let place = self.raw(1 + step.children.len())?;
        // SAFETY: `raw` gave the room; all of it is written (H1, H3), and `position` is inside.
        unsafe {
            place.write(Word::node_header(step.bitmap));
            std::ptr::copy_nonoverlapping(
                step.children.as_ptr().cast::<Word>(),
                place.add(1),
                step.children.len(),
            );
            place.add(1 + position).write(child.word());
            Ok(Term::from_word(Word::boxed(place)))
        }
    }

    fn trie_take(&mut self, map: Map<'h>, key: Term<'h>) -> Result<Option<(Term<'h>, Term<'h>)>, AllocError> {
        let hash = self.hash(key)?;
        let (path, met) = self.descend(map, hash);
        let (value, child) = match met.map(Part::kind) {
            Some(Kind::Leaf(own, value)) if equal_exact(own, key) => (value, None),
            Some(Kind::Bucket(leaves)) => {
                let entries: Vec<Entry<'h>> = leaves_of(leaves, hash).collect();
                let Some(position) = entries.iter().position(|own| equal_exact(own.key, key)) else {
                    return Ok(None);
                };
                let mut rest = entries.clone();
                rest.remove(position);
                let child = match rest.as_slice() {
                    [last] => self.cons(last.key, last.value)?,
                    _ => self.bucket(&rest)?,
                };
                (entries[position].value, Some(child))
            }
            _ => return Ok(None),
        };
        if map.len() == FLAT_LIMIT + 1 {
            let rest = map.iter().filter(|(own, _)| !equal_exact(*own, key)).collect();
            return Ok(Some((value, self.flat_of(rest)?)));
        }
        let root = self.rebuild(path, child)?;
        Ok(Some((value, self.hash_map(map.len() - 1, root)?)))
    }
}

/// The nodes passed on the way down.
struct Path<'h> {
    steps: Worklist<Step<'h>, LEVELS>,
    length: usize,
}

impl<'h> Path<'h> {
    fn new() -> Path<'h> {
        Path { steps: Worklist::new(), length: 0 }
    }

    fn push(&mut self, step: Step<'h>) {
        self.steps.push(step);
        self.length += 1;
    }
}

#[inline]
fn nibble(hash: u64, level: usize) -> u64 {
    hash >> (4 * level) & 15
}

/// Trie order: by the lowest four bits first, then the next. Stable, so equal keys stay in the order they came.
fn sort_for_trie(entries: &mut [Entry<'_>]) {
    // Swapping the bytes, and the halves of each byte, makes it the order of numbers.
    entries.sort_by_key(|entry| {
        let bytes = entry.hash.swap_bytes();
        (bytes & 0x0f0f_0f0f_0f0f_0f0f) << 4 | bytes >> 4 & 0x0f0f_0f0f_0f0f_0f0f
    });
}

/// Of entries with equal keys (adjacent but for others of the same hash) keeps the last.
fn keep_last(entries: &mut Scratch<'_, Entry<'_>>) {
    let mut kept = 0;
    for index in 0..entries.len() {
        let entry = entries[index];
        let same_hash =
            entries[..kept].iter().rposition(|own| own.hash != entry.hash).map_or(0, |last| last + 1);
        match entries[same_hash..kept].iter().position(|own| equal_exact(own.key, entry.key)) {
            Some(position) => entries[same_hash + position] = entry,
            None => {
                entries[kept] = entry;
                kept += 1;
            }
        }
    }
    entries.truncate(kept);
}

fn leaves_of<'h>(leaves: &'h [Term<'h>], hash: u64) -> impl Iterator<Item = Entry<'h>> {
    leaves.iter().filter_map(move |leaf| {
        let leaf = leaf.as_cons()?;
        Some(Entry { hash, key: leaf.head(), value: leaf.tail() })
    })
}

/// `row` with `extra` inserted at `position`, in `place`.
fn spliced<'a, 'h>(
    place: &'a mut [Term<'h>],
    row: &[Term<'h>],
    position: usize,
    extra: Term<'h>,
) -> &'a [Term<'h>] {
    place[..position].copy_from_slice(&row[..position]);
    place[position] = extra;
    place[position + 1..row.len() + 1].copy_from_slice(&row[position..]);
    &place[..row.len() + 1]
}

/// `row` without the element at `position`, in `place`.
fn without<'a, 'h>(place: &'a mut [Term<'h>], row: &[Term<'h>], position: usize) -> &'a [Term<'h>] {
    place[..position].copy_from_slice(&row[..position]);
    place[position..row.len() - 1].copy_from_slice(&row[position + 1..]);
    &place[..row.len() - 1]
}

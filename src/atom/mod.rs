//! Atoms: a static prefix shared by every VM, then one table per VM.
//!
//! An atom is an index. The first [`known::COUNT`] indices mean the same in every VM: the atoms Rust code speaks of, one
//! row each in [`known`]. Later indices are handed out by a VM's own [`Atoms`] and mean nothing elsewhere; no word crosses
//! VMs. Whatever needs an atom's text (order, printing, portable hashing, the external format) is given `&Atoms`.
//!
//! The static prefix is a [`Prefix`], made once for all VMs of the OS process: to make a VM must not mean to enter a thousand
//! names. It is hashed without a VM's key, which does no harm, since nobody can add to it.
//!
//! **Reading takes no lock.** Entries live in segments that double in size and never move; the index from text to entry is
//! a chain of open-addressing tables, each twice the last, of which only the newest is searched: a reader that still
//! searches an older one misses at worst what was added since, and then looks again under the lock that orders additions.
//! Old tables are kept until the VM ends; together they are smaller than the newest.
//!
//! **Capped.** The table never shrinks, so it has a limit (`system_limit` when reached), as in OTP.

mod hash;
pub mod known;

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

pub use hash::{HashKey, mix};

/// An atom: an index into the static prefix or the VM's table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct Atom(u32);

impl Atom {
    /// The atom with this index.
    #[inline(always)]
    pub const fn from_index(index: u32) -> Atom {
        Atom(index)
    }

    /// The index.
    #[inline(always)]
    pub const fn index(self) -> u32 {
        self.0
    }
}

/// Longest atom, in characters.
pub const MAX_CHARACTERS: usize = 255;

/// Default cap of a VM's table, as OTP's.
pub const DEFAULT_LIMIT: u32 = 1_048_576;

/// Why an atom could not be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtomError {
    /// More than 255 characters.
    TooLong,
    /// The VM's table is full.
    TableFull,
}

/// The atoms that VMs have in common: those of [`known`], and others that whoever makes the VMs wants them all to have.
pub struct Prefix {
    entries: Box<[Entry]>,
    /// Indices plus 1 by [`PREFIX_KEY`]'s hashes; 0 is free. At most half full.
    table: Box<[u32]>,
}

/// Hashes the texts of prefixes.
const PREFIX_KEY: HashKey = HashKey::from_seed(0);

/// The prefix of VMs that want no other.
static KNOWN: OnceLock<Prefix> = OnceLock::new();

impl Prefix {
    /// The known atoms, and those of `others` that are not known.
    pub fn new(others: impl Iterator<Item = &'static str>) -> Prefix {
        let others: Vec<&'static str> = others.collect();
        let most = known::TEXTS.len() + others.len();
        let table = vec![0; (2 * most).next_power_of_two()].into();
        let mut prefix = Prefix { entries: Box::default(), table };
        let mut entries = Vec::with_capacity(most);
        for text in known::TEXTS.iter().copied().chain(others) {
            let hash = PREFIX_KEY.bytes(text.as_bytes());
            let slot = match prefix.slot(&entries, text, hash) {
                Ok(_) => continue,
                Err(slot) => slot,
            };
            let text = Text::Known(text);
            entries.push(Entry { prefix: prefix_of(&text), text, hash });
            prefix.table[slot] = entries.len() as u32;
        }
        prefix.entries = entries.into();
        prefix
    }

    /// The atom of that text.
    fn find(&self, text: &str) -> Option<Atom> {
        self.slot(&self.entries, text, PREFIX_KEY.bytes(text.as_bytes())).ok()
    }

    /// The atom of that text among `entries`, or the free slot where it belongs.
    fn slot(&self, entries: &[Entry], text: &str, hash: u64) -> Result<Atom, usize> {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        while self.table[slot] != 0 {
            let index = self.table[slot] - 1;
            let entry = &entries[index as usize];
            if entry.hash == hash && entry.text() == text {
                return Ok(Atom(index));
            }
            slot = (slot + 1) & mask;
        }
        Err(slot)
    }
}

/// The atoms of one VM.
pub struct Atoms {
    /// The first ones; those of `segments` follow.
    prefix: &'static Prefix,
    segments: [OnceLock<Box<[OnceLock<Entry>]>>; SEGMENTS],
    /// How many there are, the prefix included.
    count: AtomicU32,
    limit: u32,
    tables: [OnceLock<Box<[AtomicU32]>>; TABLES],
    newest: AtomicUsize,
    additions: Mutex<()>,
    key: HashKey,
}

struct Entry {
    text: Text,
    /// The first eight bytes, big-endian and zero-padded: decides most comparisons of order.
    prefix: u64,
    /// Keyed hash of the text.
    hash: u64,
}

enum Text {
    Known(&'static str),
    Own(Box<str>),
}

impl Entry {
    fn text(&self) -> &str {
        match &self.text {
            Text::Known(text) => text,
            Text::Own(text) => text,
        }
    }
}

/// Entries of the first segment; a power of two that holds a small program's.
const FIRST_SEGMENT: u32 = 64;
/// Segments double: 64 << 26 covers the 2^32 indices there can be.
const SEGMENTS: usize = 27;
/// Slots of the first text table: twice the first segment, so that it is at most half full.
const FIRST_TABLE: usize = 2 * FIRST_SEGMENT as usize;
const TABLES: usize = 27;

impl Atoms {
    /// A table of the known atoms, with room for `limit` atoms in all, hashing keyed by `key`.
    pub fn new(key: HashKey, limit: u32) -> Atoms {
        let prefix = KNOWN.get_or_init(|| Prefix::new(std::iter::empty()));
        Atoms::with_prefix(prefix, key, limit)
    }

    /// The same with this prefix.
    pub fn with_prefix(prefix: &'static Prefix, key: HashKey, limit: u32) -> Atoms {
        let shared = prefix.entries.len() as u32;
        let atoms = Atoms {
            prefix,
            segments: [const { OnceLock::new() }; SEGMENTS],
            count: AtomicU32::new(shared),
            limit: limit.max(shared),
            tables: [const { OnceLock::new() }; TABLES],
            newest: AtomicUsize::new(0),
            additions: Mutex::new(()),
            key,
        };
        atoms.tables[0].get_or_init(|| empty_table(FIRST_TABLE));
        atoms
    }

    /// The key of all content hashes of this VM.
    #[inline(always)]
    pub fn key(&self) -> HashKey {
        self.key
    }

    /// How many atoms there are.
    pub fn count(&self) -> u32 {
        // Acquire pairs with the Release in `add`: indices below the count have their entries.
        self.count.load(Ordering::Acquire)
    }

    /// How many there may be.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// The text of an atom of this VM.
    #[inline]
    pub fn text(&self, atom: Atom) -> &str {
        self.entry(atom).text()
    }

    /// Keyed hash of the atom.
    #[inline]
    pub fn hash(&self, atom: Atom) -> u64 {
        match self.prefix.entries.get(atom.0 as usize) {
            Some(entry) => self.key.word(self.key.start(), entry.hash),
            None => self.entry(atom).hash,
        }
    }

    /// Order of two atoms: by their characters' code points.
    #[inline]
    pub fn compare(&self, a: Atom, b: Atom) -> std::cmp::Ordering {
        if a == b {
            return std::cmp::Ordering::Equal;
        }
        let (a, b) = (self.entry(a), self.entry(b));
        // UTF-8 keeps the order of code points, so bytes are enough.
        a.prefix.cmp(&b.prefix).then_with(|| a.text().cmp(b.text()))
    }

    /// The atom with this text, made if it is new.
    ///
    /// # Errors
    /// `TooLong` above 255 characters, `TableFull` at the VM's limit.
    pub fn intern(&self, text: &str) -> Result<Atom, AtomError> {
        let hash = self.key.bytes(text.as_bytes());
        if let Some(atom) = self.find(text, hash).or_else(|| self.prefix.find(text)) {
            return Ok(atom);
        }
        if text.len() > MAX_CHARACTERS && text.chars().count() > MAX_CHARACTERS {
            return Err(AtomError::TooLong);
        }
        let _guard = self.additions.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // It may have been added since the look without the lock.
        if let Some(atom) = self.find(text, hash) {
            return Ok(atom);
        }
        if self.count.load(Ordering::Relaxed) >= self.limit {
            return Err(AtomError::TableFull);
        }
        Ok(self.add(Text::Own(text.into()), hash))
    }

    /// The atom with this text, if there is one already.
    pub fn existing(&self, text: &str) -> Option<Atom> {
        let hash = self.key.bytes(text.as_bytes());
        self.find(text, hash).or_else(|| self.prefix.find(text)).or_else(|| {
            // A reader that met an old table waits for the additions under way and looks once more.
            drop(self.additions.lock());
            self.find(text, hash)
        })
    }

    #[inline]
    fn entry(&self, atom: Atom) -> &Entry {
        if let Some(entry) = self.prefix.entries.get(atom.0 as usize) {
            return entry;
        }
        let (segment, offset) = place(atom.0 - self.prefix.entries.len() as u32);
        self.segments[segment]
            .get()
            .and_then(|segment| segment[offset].get())
            .expect("an atom's index is handed out after its entry is set")
    }

    /// The VM's own atom of that text.
    fn find(&self, text: &str, hash: u64) -> Option<Atom> {
        // Acquire pairs with the Release in `grow`: the newer table is filled before it is announced.
        let table = self.tables[self.newest.load(Ordering::Acquire)].get()?;
        let mask = table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            // Acquire pairs with the Release in `insert`: the entry is set before its slot.
            match table[slot].load(Ordering::Acquire) {
                0 => return None,
                stored => {
                    let atom = Atom(stored - 1);
                    let entry = self.entry(atom);
                    if entry.hash == hash && entry.text() == text {
                        return Some(atom);
                    }
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Adds an entry that is not there; callers hold the lock.
    fn add(&self, text: Text, hash: u64) -> Atom {
        let index = self.count.load(Ordering::Relaxed);
        let shared = self.prefix.entries.len() as u32;
        let (segment, offset) = place(index - shared);
        let slots = self.segments[segment].get_or_init(|| {
            (0..(FIRST_SEGMENT as usize) << segment.saturating_sub(1)).map(|_| OnceLock::new()).collect()
        });
        let entry = Entry { prefix: prefix_of(&text), text, hash };
        let fresh = slots[offset].set(entry).is_ok();
        debug_assert!(fresh, "indices are handed out once, under the lock");
        self.count.store(index + 1, Ordering::Release);
        self.grow((index - shared) as usize + 1);
        self.insert(self.newest.load(Ordering::Relaxed), index, hash);
        Atom(index)
    }

    fn insert(&self, table: usize, index: u32, hash: u64) {
        let table = self.tables[table].get().expect("the newest table exists");
        let mask = table.len() - 1;
        let mut slot = hash as usize & mask;
        while table[slot].load(Ordering::Relaxed) != 0 {
            slot = (slot + 1) & mask;
        }
        table[slot].store(index + 1, Ordering::Release);
    }

    /// Makes room for `count` atoms of its own, of which the last is not entered yet.
    fn grow(&self, count: usize) {
        let newest = self.newest.load(Ordering::Relaxed);
        let size = FIRST_TABLE << newest;
        if 2 * count <= size {
            return;
        }
        self.tables[newest + 1].get_or_init(|| empty_table(2 * size));
        let shared = self.prefix.entries.len() as u32;
        for index in shared..shared + count as u32 - 1 {
            self.insert(newest + 1, index, self.entry(Atom(index)).hash);
        }
        self.newest.store(newest + 1, Ordering::Release);
    }
}

fn empty_table(size: usize) -> Box<[AtomicU32]> {
    (0..size).map(|_| AtomicU32::new(0)).collect()
}

/// Segment and offset of an index behind the prefix: segment 0 and 1 have `FIRST_SEGMENT` entries, each later one twice its predecessor.
fn place(index: u32) -> (usize, usize) {
    let segment = (u32::BITS - (index / FIRST_SEGMENT).leading_zeros()) as usize;
    let first = if segment == 0 { 0 } else { (FIRST_SEGMENT as usize) << (segment - 1) };
    (segment, index as usize - first)
}

fn prefix_of(text: &Text) -> u64 {
    let text = match text {
        Text::Known(text) => text.as_bytes(),
        Text::Own(text) => text.as_bytes(),
    };
    let mut bytes = [0; 8];
    let length = text.len().min(8);
    bytes[..length].copy_from_slice(&text[..length]);
    u64::from_be_bytes(bytes)
}

impl std::fmt::Debug for Atoms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Atoms")
            .field("count", &self.count())
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atoms() -> Atoms {
        Atoms::new(HashKey::from_seed(1), DEFAULT_LIMIT)
    }

    #[test]
    fn known_atoms_are_the_prefix_of_every_table() {
        let atoms = atoms();
        assert_eq!(atoms.count(), known::COUNT);
        assert_eq!(atoms.text(known::OK), "ok");
        assert_eq!(atoms.intern("ok"), Ok(known::OK));
        assert_eq!(atoms.existing("badarg"), Some(known::BADARG));
        for (index, text) in known::TEXTS.iter().enumerate() {
            assert_eq!(atoms.intern(text), Ok(Atom(index as u32)), "{text} stands twice");
        }
    }

    #[test]
    fn a_larger_prefix_means_the_same_in_all_tables() {
        let prefix: &'static Prefix =
            Box::leak(Box::new(Prefix::new(["ok", "zebra", "yak", "zebra"].into_iter())));
        let tables = [1, 2].map(|seed| Atoms::with_prefix(prefix, HashKey::from_seed(seed), DEFAULT_LIMIT));
        for atoms in &tables {
            assert_eq!(atoms.count(), known::COUNT + 2, "two of the four are new");
            assert_eq!(atoms.intern("zebra"), Ok(Atom(known::COUNT)));
            assert_eq!(atoms.existing("yak"), Some(Atom(known::COUNT + 1)));
            assert_eq!(atoms.intern("own"), Ok(Atom(known::COUNT + 2)));
            assert_eq!(atoms.text(Atom(known::COUNT + 2)), "own");
        }
        assert_ne!(tables[0].hash(known::OK), tables[1].hash(known::OK), "hashes are keyed");
    }

    #[test]
    fn many_atoms_keep_text_and_identity() {
        let atoms = atoms();
        let made: Vec<Atom> = (0..50_000).map(|i| atoms.intern(&format!("a{i}")).expect("room")).collect();
        for (i, atom) in made.iter().enumerate() {
            assert_eq!(atoms.text(*atom), format!("a{i}"));
            assert_eq!(atoms.existing(&format!("a{i}")), Some(*atom));
        }
        assert_eq!(atoms.existing("b"), None);
    }

    #[test]
    fn order_is_by_code_points() {
        let atoms = atoms();
        let order = |a: &str, b: &str| atoms.compare(atoms.intern(a).unwrap(), atoms.intern(b).unwrap());
        assert_eq!(order("a", "b"), std::cmp::Ordering::Less);
        assert_eq!(order("abcdefgh", "abcdefghi"), std::cmp::Ordering::Less);
        assert_eq!(order("abcdefghj", "abcdefghi"), std::cmp::Ordering::Greater);
        assert_eq!(order("", "a"), std::cmp::Ordering::Less);
        assert_eq!(order("\u{ff5e}", "\u{1f600}"), std::cmp::Ordering::Less);
    }

    #[test]
    fn the_limits_hold() {
        let atoms = Atoms::new(HashKey::from_seed(1), known::COUNT + 1);
        assert_eq!(atoms.intern(&"x".repeat(256)), Err(AtomError::TooLong));
        assert!(atoms.intern(&"\u{1f600}".repeat(255)).is_ok());
        assert_eq!(atoms.intern("one_too_many"), Err(AtomError::TableFull));
        assert!(atoms.intern("ok").is_ok());
    }

    #[test]
    fn threads_agree_on_what_they_intern_at_once() {
        let atoms = atoms();
        let results: Vec<Vec<Atom>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| (0..5_000).map(|i| atoms.intern(&format!("t{i}")).unwrap()).collect())
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
        assert_eq!(atoms.count(), known::COUNT + 5_000);
    }
}

//! Freeing what was purged.
//!
//! Purged code is *retired*: no call, no fun and no export leads there. But processes may have its constants in their heaps and
//! funs made by it, and may even run it (if whoever purged it did not look). So retired code goes in *rounds*, which the
//! [runtime](crate::runtime::purge) makes: the areas of its constants are condemned, every process is asked to leave them, and
//! says what it still needs; when all have answered and nobody is in the middle of something begun before, the code that nobody
//! runs is freed, with its lines, its literals and the entries of its funs. What is still run waits for the next round.
//!
//! **Fun entries** are counted by the modules that have them (the same code loaded again has the same entries). An entry that
//! no module has any more goes when a round has seen no fun of it. While a round lasts, its entries are *watched*: looking at a
//! heap and copying a term mark the entries of the funs that are met. A fun that was copied to where nobody looks (a table,
//! a timer) marks its entry for ever: what stays then is one entry for a `fun` in the source text, not code.
//!
//! **Waning code** is code that was replaced or deleted, and whose funs are to work as long as there are any: that of expressions typed
//! at a prompt. A round looks at it as at retired code, and if no process ran it, and no fun of it was seen or had gone where
//! nobody looks, purges it; the next round frees it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::module::LoadedModule;
use super::server::CodeServer;
use crate::heap::{Areas, Condemnation};
use crate::term::FunEntry;

/// Retired code that is to be freed.
#[derive(Debug)]
pub struct Round {
    modules: Vec<Retired>,
    areas: Areas,
    /// Ends with the round.
    #[allow(dead_code, reason = "held for its drop")]
    condemnation: Condemnation,
}

#[derive(Debug)]
struct Retired {
    module: Arc<LoadedModule>,
    is_needed: AtomicBool,
    /// It may still be called by way of its funs.
    is_waning: bool,
}

impl Round {
    /// The areas that processes are to leave.
    pub fn areas(&self) -> &Areas {
        &self.areas
    }

    /// A process is going to answer: what `runs` says that it runs stays.
    pub fn keep(&self, runs: impl Fn(&LoadedModule) -> bool) {
        for retired in self.modules.iter().filter(|retired| runs(&retired.module)) {
            // Relaxed: the answer that follows orders it.
            retired.is_needed.store(true, Ordering::Relaxed);
        }
    }
}

/// A fun's key among those of its module.
pub(super) type FunKey = (u32, u32, u32);

/// A fun's entry, and how many loaded modules have it.
pub(super) struct CountedEntry {
    pub entry: Box<FunEntry>,
    pub modules: usize,
}

impl CodeServer {
    /// Begins a round if something was retired since the last one began. From then on the areas are condemned.
    pub fn begin_round(&self) -> Option<Round> {
        let retired = self.take_retired()?;
        let waning = self.take_waning();
        // Funs among the constants of waning code are seen where they are copied to.
        let areas = Areas::new(retired.iter().chain(&waning).flat_map(|module| module.literals.areas()));
        {
            let mut funs = self.lock_funs();
            let keys_of = |modules: &[Arc<LoadedModule>]| {
                modules.iter().flat_map(|module| &module.funs).copied().collect::<Vec<FunKey>>()
            };
            let (keys, others) = (keys_of(&retired), keys_of(&waning));
            for key in keys.iter().chain(&others).chain(&funs.lingering) {
                if let Some(counted) = funs.entries.get(key) {
                    counted.entry.marks.fetch_and(!FunEntry::SEEN, Ordering::Relaxed);
                    counted.entry.marks.fetch_or(FunEntry::WATCHED, Ordering::Relaxed);
                }
            }
            funs.lingering.extend(keys);
            funs.lingering.sort_unstable();
            funs.lingering.dedup();
        }
        let condemnation = Condemnation::of(areas.iter());
        let watched =
            |is_waning| move |module| Retired { module, is_needed: AtomicBool::new(false), is_waning };
        let modules = retired.into_iter().map(watched(false)).chain(waning.into_iter().map(watched(true)));
        Some(Round { modules: modules.collect(), areas, condemnation })
    }

    /// Ends a round that everybody has answered: frees what nobody runs.
    ///
    /// Every process has left the areas since the round began, and everybody has let go of what was begun before the last
    /// answer (C4).
    pub fn end_round(&self, round: &Round) {
        let is_needed = |retired: &&Retired| retired.is_needed.load(Ordering::Relaxed);
        let (waning, retired): (Vec<_>, Vec<_>) = round.modules.iter().partition(|retired| retired.is_waning);
        let (needed, freed): (Vec<_>, Vec<_>) = retired.into_iter().partition(is_needed);
        self.put_back(needed.iter().map(|retired| retired.module.clone()).collect());
        let mut gone = Vec::new();
        {
            let mut funs = self.lock_funs();
            for key in freed.iter().flat_map(|retired| &retired.module.funs) {
                if let Some(counted) = funs.entries.get_mut(key) {
                    counted.modules = counted.modules.saturating_sub(1);
                }
            }
            let lingering = std::mem::take(&mut funs.lingering);
            for key in lingering {
                let Some(counted) = funs.entries.get(&key) else { continue };
                let marks = counted.entry.marks.fetch_and(FunEntry::ESCAPED, Ordering::Relaxed);
                if counted.modules > 0 || marks & FunEntry::ESCAPED != 0 {
                    continue;
                }
                match marks & FunEntry::SEEN != 0 {
                    true => funs.lingering.push(key),
                    false => gone.extend(funs.entries.remove(&key)),
                }
            }
        }
        self.forget_addresses(freed.iter().map(|retired| &*retired.module));
        for module in waning.into_iter().filter(|waning| !is_needed(waning)).map(|waning| &waning.module) {
            if self.has_no_funs(module) {
                self.has_waned(module);
            }
        }
    }

    /// Whether the round that ends has seen none of the module's funs.
    fn has_no_funs(&self, module: &LoadedModule) -> bool {
        let funs = self.lock_funs();
        let entries = module.funs.iter().filter_map(|key| funs.entries.get(key));
        // All of them: none is watched any longer.
        entries.fold(true, |none, counted| {
            let marks = counted.entry.marks.fetch_and(FunEntry::ESCAPED, Ordering::Relaxed);
            none && marks & (FunEntry::SEEN | FunEntry::ESCAPED) == 0
        })
    }

    /// How many versions wait to be freed.
    pub fn retired_count(&self) -> usize {
        self.read_versions().retired_count()
    }
}

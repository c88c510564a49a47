//! Programs of patterns that were used lately.
//!
//! A compiled pattern is, as a term, its source: so it can be sent, stored and compared, and nothing has to be believed of
//! bytes that a program may have made up. What compiling it gave is kept here, for as long as it is in use.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Program;

/// Bytes of programs and their sources of one generation; two are kept.
const GENERATION_BYTES: usize = 1 << 19;

/// Programs by their sources: those used since the last change of generations, and those used before it.
#[derive(Debug, Default)]
struct Generations {
    young: BTreeMap<Vec<u8>, Arc<Program>>,
    young_bytes: usize,
    old: BTreeMap<Vec<u8>, Arc<Program>>,
}

/// The cache of one machine.
#[derive(Debug, Default)]
pub struct Cache(Mutex<Generations>);

impl Cache {
    /// The program of a source.
    pub fn get(&self, source: &[u8]) -> Option<Arc<Program>> {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = generations.young.get(source) {
            return Some(Arc::clone(program));
        }
        let (source, program) = generations.old.remove_entry(source)?;
        generations.add(source, &program);
        Some(program)
    }

    /// Keeps the program of a source.
    pub fn put(&self, source: &[u8], program: &Arc<Program>) {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        generations.add(source.to_vec(), program);
    }
}

impl Generations {
    fn add(&mut self, source: Vec<u8>, program: &Arc<Program>) {
        let bytes = source.len() + program.bytes();
        if bytes > GENERATION_BYTES {
            return;
        }
        if self.young_bytes + bytes > GENERATION_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        if self.young.insert(source, Arc::clone(program)).is_none() {
            self.young_bytes += bytes;
        }
    }
}

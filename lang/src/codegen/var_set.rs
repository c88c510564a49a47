//! Sets of variables.
//!
//! Most hold a handful: those are lists in order, one allocation each and nothing to hash. Functions that computers write have
//! sets of thousands, which are tables.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use crate::core::Var;

/// A set of variables; the same on every run, so nothing depends on chance.
#[derive(Clone)]
pub(super) enum VarSet {
    /// In order.
    Few(Vec<Var>),
    Many(HashSet<Var, BuildHasherDefault<IndexHasher>>),
}

/// As long as what is moved to enter another one fits into a few cache lines.
const FEW: usize = 64;

impl Default for VarSet {
    fn default() -> VarSet {
        VarSet::Few(Vec::new())
    }
}

impl VarSet {
    /// Enters a variable; whether it is new.
    pub fn insert(&mut self, var: Var) -> bool {
        match self {
            VarSet::Few(vars) => {
                // Variables are numbered as they come, so most go to the end.
                let place = match vars.last() {
                    Some(last) if *last >= var => vars.binary_search(&var),
                    _ => Err(vars.len()),
                };
                let Err(place) = place else { return false };
                if vars.len() < FEW {
                    vars.insert(place, var);
                } else {
                    let more = vars.drain(..).chain([var]).collect();
                    *self = VarSet::Many(more);
                }
                true
            }
            VarSet::Many(vars) => vars.insert(var),
        }
    }

    /// Takes a variable out; whether it was there.
    pub fn remove(&mut self, var: Var) -> bool {
        match self {
            VarSet::Few(vars) => match vars.binary_search(&var) {
                Ok(place) => {
                    vars.remove(place);
                    true
                }
                Err(_) => false,
            },
            VarSet::Many(vars) => vars.remove(&var),
        }
    }

    pub fn contains(&self, var: Var) -> bool {
        match self {
            VarSet::Few(vars) => vars.binary_search(&var).is_ok(),
            VarSet::Many(vars) => vars.contains(&var),
        }
    }

    pub fn is_empty(&self) -> bool {
        match self {
            VarSet::Few(vars) => vars.is_empty(),
            VarSet::Many(vars) => vars.is_empty(),
        }
    }

    /// Calls `visit` with each variable, in no order.
    pub fn each(&self, visit: impl FnMut(Var)) {
        match self {
            VarSet::Few(vars) => vars.iter().copied().for_each(visit),
            VarSet::Many(vars) => vars.iter().copied().for_each(visit),
        }
    }

    /// The variables in order.
    pub fn sorted(&self) -> Vec<Var> {
        match self {
            VarSet::Few(vars) => vars.clone(),
            VarSet::Many(vars) => {
                let mut vars: Vec<Var> = vars.iter().copied().collect();
                vars.sort_unstable();
                vars
            }
        }
    }

    /// Enters all of another set.
    pub fn add_all(&mut self, other: &VarSet) {
        match (&mut *self, other) {
            (VarSet::Few(vars), VarSet::Few(others)) if vars.is_empty() => vars.extend_from_slice(others),
            _ => other.each(|var| {
                self.insert(var);
            }),
        }
    }

    pub fn clear(&mut self) {
        match self {
            VarSet::Few(vars) => vars.clear(),
            VarSet::Many(_) => *self = VarSet::default(),
        }
    }

    /// Takes all out, and calls `visit` with each, in no order.
    pub fn drain(&mut self, visit: impl FnMut(Var)) {
        match self {
            VarSet::Few(vars) => vars.drain(..).for_each(visit),
            VarSet::Many(vars) => vars.drain().for_each(visit),
        }
    }
}

impl Extend<Var> for VarSet {
    fn extend<I: IntoIterator<Item = Var>>(&mut self, vars: I) {
        vars.into_iter().for_each(|var| {
            self.insert(var);
        });
    }
}

/// Spreads small numbers.
#[derive(Default)]
pub(super) struct IndexHasher(u64);

impl Hasher for IndexHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        // The golden ratio: neighbours land far apart, in the high bits too, which the table looks at.
        self.0 = (self.0.rotate_left(5) ^ u64::from(value)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn lists_and_tables_are_the_same_set() {
        let (mut set, mut model) = (VarSet::default(), BTreeSet::new());
        let mut state: u32 = 1;
        for step in 0..2_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // It grows over the limit, and shrinks below it again.
            let var = Var(state >> 16 & 0xFF);
            if step < 1_000 || step % 3 == 0 {
                assert_eq!(set.insert(var), model.insert(var));
            } else {
                assert_eq!(set.remove(var), model.remove(&var));
            }
            assert_eq!(set.contains(Var(var.0 ^ 1)), model.contains(&Var(var.0 ^ 1)));
            assert_eq!(set.is_empty(), model.is_empty());
            assert!(set.sorted().iter().eq(&model));
        }
        let mut both = VarSet::default();
        both.extend([Var(1), Var(7)]);
        both.add_all(&set);
        model.extend([Var(1), Var(7)]);
        assert!(both.sorted().iter().eq(&model));
        let mut left = Vec::new();
        both.drain(|var| left.push(var));
        left.sort_unstable();
        assert!(both.is_empty() && left.iter().eq(&model));
        set.clear();
        assert!(set.is_empty());
    }
}

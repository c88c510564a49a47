//! What each variable stands for.

use crate::hash::HashMap;

use crate::Name;
use crate::core::Value;

/// Bindings, and how to take them back.
#[derive(Default)]
pub(super) struct Scope {
    values: HashMap<Name, Value>,
    undo: Vec<(Name, Option<Value>)>,
}

/// A point to go back to.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl Scope {
    pub fn clear(&mut self) {
        self.values.clear();
        self.undo.clear();
    }

    pub fn get(&self, name: Name) -> Option<Value> {
        self.values.get(&name).copied()
    }

    pub fn bind(&mut self, name: Name, value: Value) {
        let before = self.values.insert(name, value);
        self.undo.push((name, before));
    }

    pub fn mark(&self) -> Mark {
        Mark(self.undo.len())
    }

    /// Takes a name out of scope.
    pub fn unbind(&mut self, name: Name) {
        if let Some(value) = self.values.remove(&name) {
            self.undo.push((name, Some(value)));
        }
    }

    pub fn has_changed_since(&self, mark: Mark) -> bool {
        self.undo.len() > mark.0
    }

    /// Names bound since `mark` that were not bound before, with what they stand for now.
    pub fn new_since(&self, mark: Mark) -> Vec<(Name, Value)> {
        let mut new: Vec<(Name, Value)> = self.undo[mark.0..]
            .iter()
            .filter(|(_, before)| before.is_none())
            .filter_map(|(name, _)| self.values.get(name).map(|&value| (*name, value)))
            .collect();
        new.sort_unstable_by_key(|(name, _)| *name);
        new.dedup_by_key(|(name, _)| *name);
        new
    }

    /// Forgets what was bound since `mark`.
    pub fn rollback(&mut self, mark: Mark) {
        while self.undo.len() > mark.0 {
            if let Some((name, before)) = self.undo.pop() {
                match before {
                    Some(value) => self.values.insert(name, value),
                    None => self.values.remove(&name),
                };
            }
        }
    }
}

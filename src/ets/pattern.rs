//! Matching a row against a pattern of `ets:match/2` and its family: `'_'` fits anything, `'$1'` and the like bind.

use std::cmp::Ordering;

use crate::atom::{Atom, Atoms};
use crate::term::compare::{compare, equal_exact};
use crate::term::{Term, View};

/// The highest variable number taken: `'$100000000'`, as in Erlang/OTP.
const LAST_VARIABLE: u32 = 100_000_000;

/// What the variables of a pattern were bound to, in the order of their first occurrence.
#[derive(Default)]
pub struct Bindings<'v> {
    bound: Vec<(u32, Term<'v>)>,
}

/// The number of a pattern variable: of `'$12'`, 12.
pub fn variable_number(atoms: &Atoms, atom: Atom) -> Option<u32> {
    let digits = atoms.text(atom).strip_prefix('$')?;
    let all_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = digits == "0" || !digits.starts_with('0');
    (all_digits && canonical).then(|| digits.parse().ok())?.filter(|&number| number <= LAST_VARIABLE)
}

/// Whether `key`, a part of a pattern, holds neither variables nor `'_'`, so that the row can be looked up.
pub fn is_constant_key(atoms: &Atoms, key: Term<'_>) -> bool {
    let mut waiting = vec![key];
    while let Some(term) = waiting.pop() {
        match term.view() {
            View::Atom(atom) if is_wildcard(atoms, atom) || variable_number(atoms, atom).is_some() => {
                return false;
            }
            View::Cons(cell) => waiting.extend([cell.head(), cell.tail()]),
            View::Tuple(elements) => waiting.extend_from_slice(elements),
            View::Map(map) => waiting.extend(map.iter().flat_map(|(key, value)| [key, value])),
            _ => {}
        }
    }
    true
}

/// Whether a term can be a pattern: no key of a map in it may be open.
pub fn is_pattern(atoms: &Atoms, pattern: Term<'_>) -> bool {
    let mut waiting = vec![pattern];
    while let Some(term) = waiting.pop() {
        match term.view() {
            View::Cons(cell) => waiting.extend([cell.head(), cell.tail()]),
            View::Tuple(elements) => waiting.extend_from_slice(elements),
            View::Map(map) => {
                for (key, value) in map.iter() {
                    if !is_constant_key(atoms, key) {
                        return false;
                    }
                    waiting.push(value);
                }
            }
            _ => {}
        }
    }
    true
}

/// Where a key stands to a key with open parts, as far as these let it be told: equal is what may fit. Keys in their order are
/// first less, then equal, then greater.
pub fn order_of_open(atoms: &Atoms, key: Term<'_>, pattern: Term<'_>) -> Ordering {
    let mut waiting = vec![(key, pattern)];
    while let Some((key, pattern)) = waiting.pop() {
        match (key.view(), pattern.view()) {
            (_, View::Atom(atom)) if is_wildcard(atoms, atom) || variable_number(atoms, atom).is_some() => {
                return Ordering::Equal;
            }
            (View::Cons(cell), View::Cons(open)) => {
                waiting.push((cell.tail(), open.tail()));
                waiting.push((cell.head(), open.head()));
            }
            (View::Tuple(parts), View::Tuple(open)) => {
                if parts.len() != open.len() {
                    return parts.len().cmp(&open.len());
                }
                waiting.extend(parts.iter().copied().zip(open.iter().copied()).rev());
            }
            (View::Map(_), View::Map(_)) if !is_constant_key(atoms, pattern) => return Ordering::Equal,
            _ => match compare(atoms, key, pattern) {
                Ordering::Equal => {}
                order => return order,
            },
        }
    }
    Ordering::Equal
}

fn is_wildcard(atoms: &Atoms, atom: Atom) -> bool {
    atoms.text(atom) == "_"
}

impl<'v> Bindings<'v> {
    /// No variables bound.
    pub fn new() -> Bindings<'v> {
        Bindings::default()
    }

    /// The value of a variable.
    pub fn get(&self, number: u32) -> Option<Term<'v>> {
        self.bound.iter().find(|(bound, _)| *bound == number).map(|(_, value)| *value)
    }

    /// All values by the number of their variable: what `'$$'` stands for.
    pub fn in_order(&self) -> Vec<Term<'v>> {
        let mut sorted = self.bound.clone();
        sorted.sort_by_key(|(number, _)| *number);
        sorted.into_iter().map(|(_, value)| value).collect()
    }

    /// Matches a value, from empty bindings; repeated variables must be bound to exactly equal values.
    pub fn match_value(&mut self, atoms: &Atoms, pattern: Term<'_>, value: Term<'v>) -> bool {
        self.bound.clear();
        let mut waiting = vec![(pattern, value)];
        while let Some((pattern, value)) = waiting.pop() {
            match pattern.view() {
                View::Atom(atom) => {
                    if !self.match_atom(atoms, atom, value) {
                        return false;
                    }
                }
                View::Cons(cell) => {
                    let Some(other) = value.as_cons() else { return false };
                    waiting.push((cell.tail(), other.tail()));
                    waiting.push((cell.head(), other.head()));
                }
                View::Tuple(elements) => {
                    let Some(others) = value.as_tuple() else { return false };
                    if elements.len() != others.len() {
                        return false;
                    }
                    waiting.extend(elements.iter().copied().zip(others.iter().copied()).rev());
                }
                View::Map(map) => {
                    let Some(other) = value.as_map() else { return false };
                    for (key, part) in map.iter() {
                        let Some(found) = other.iter().find(|(k, _)| equal_exact(*k, key)) else {
                            return false;
                        };
                        waiting.push((part, found.1));
                    }
                }
                _ if equal_exact(pattern, value) => {}
                _ => return false,
            }
        }
        true
    }

    fn match_atom(&mut self, atoms: &Atoms, atom: Atom, value: Term<'v>) -> bool {
        if value.is_atom(atom) && !atoms.text(atom).starts_with('$') || is_wildcard(atoms, atom) {
            return true;
        }
        let Some(number) = variable_number(atoms, atom) else { return value.is_atom(atom) };
        match self.get(number) {
            Some(bound) => equal_exact(bound, value),
            None => {
                self.bound.push((number, value));
                true
            }
        }
    }
}

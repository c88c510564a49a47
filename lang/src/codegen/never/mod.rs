//! What never returns, and what comes behind it.
//!
//! A call that never returns needs no frame, as in OTP: what its function would do with the result goes. All functions are taken to
//! be such until one is seen to return, and with which kinds of arguments it does; so those that only call each other stay. What is
//! not looked at (the fields of a tuple, what other modules do) may be anything: a function may be taken for one that returns,
//! never the other way round.

mod types;
mod walk;

use crate::Name;
use crate::core::Module;
use crate::hash::HashMap;

use types::Type;
use walk::Walk;

/// A function's name and arity.
type Key = (Name, u8);

/// What is known of a function that has been seen to return.
#[derive(Clone, PartialEq)]
struct Returns {
    /// The kinds of its arguments when it does.
    params: Vec<Type>,
    value: Type,
    /// How often this has changed.
    changes: u32,
}

/// After so many changes a summary no longer tells numbers and atoms apart: it has to come to an end.
const EXACT_CHANGES: u32 = 8;

#[derive(Default)]
struct Summaries {
    returning: HashMap<Key, Returns>,
}

impl Summaries {
    fn get(&self, function: Key) -> Option<&Returns> {
        self.returning.get(&function)
    }

    /// Adds a way on which a function returns. Whether that is news.
    fn add(&mut self, function: Key, params: &[Type], value: Type) -> bool {
        let Some(known) = self.returning.get_mut(&function) else {
            self.returning.insert(function, Returns { params: params.to_vec(), value, changes: 0 });
            return true;
        };
        let join = |one: Type, other: Type| {
            let joined = one.join(other);
            if joined != one && known.changes >= EXACT_CHANGES { joined.widened() } else { joined }
        };
        let params: Vec<Type> =
            known.params.iter().zip(params).map(|(&known, &param)| join(known, param)).collect();
        let value = join(known.value, value);
        let is_news = params != known.params || value != known.value;
        if is_news {
            *known = Returns { params, value, changes: known.changes + 1 };
        }
        is_news
    }
}

/// Takes out what comes behind calls that never return, and behind operators that always raise.
pub(super) fn cut(module: &mut Module) {
    let mut summaries = Summaries::default();
    // Who is to be looked at again when more is known of a function.
    let mut waiting: HashMap<Key, Vec<usize>> = HashMap::default();
    let mut is_open = vec![true; module.functions.len()];
    let mut open: Vec<usize> = (0..module.functions.len()).rev().collect();
    while let Some(index) = open.pop() {
        is_open[index] = false;
        let function = &mut module.functions[index];
        let key = (function.name, function.arity());
        let mut walk = Walk::new(function, &module.literals, &summaries, false);
        walk.function(function);
        let (returns, called) = walk.finish();
        for callee in called {
            let waiting = waiting.entry(callee).or_default();
            if !waiting.contains(&index) {
                waiting.push(index);
            }
        }
        if let Some((params, value)) = returns
            && summaries.add(key, &params, value)
        {
            for &caller in waiting.get(&key).into_iter().flatten() {
                if !std::mem::replace(&mut is_open[caller], true) {
                    open.push(caller);
                }
            }
        }
    }
    for function in &mut module.functions {
        Walk::new(function, &module.literals, &summaries, true).function(function);
    }
}

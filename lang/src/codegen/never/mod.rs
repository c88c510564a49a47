//! What never returns, and what comes behind it.
//!
//! A call that never returns needs no frame, as in OTP: what its function would do with the result goes. All functions are taken to
//! be such until one is seen to return, and with which kinds of arguments it does; so those that only call each other stay. What is
//! not looked at (the fields of a tuple, what other modules do) may be anything: a function may be taken for one that returns,
//! never the other way round.

mod types;
mod walk;

use std::collections::VecDeque;

use crate::Name;
use crate::core::{Function, Module, visit};
use crate::hash::{HashMap, HashSet};

use types::Type;
use walk::Walk;

/// A function's name and arity.
type Key = (Name, u8);

/// Kinds of values that come together, as far as they have been seen.
struct Seen {
    values: Vec<Type>,
    /// How often this has changed.
    changes: u32,
}

/// After so many changes a summary no longer tells numbers and atoms apart: it has to come to an end.
const EXACT_CHANGES: u32 = 8;

impl Seen {
    /// Adds some. Whether that is news.
    fn add(&mut self, values: &[Type]) -> bool {
        let join = |(&one, &other): (&Type, &Type)| {
            let joined = one.join(other);
            if joined != one && self.changes >= EXACT_CHANGES { joined.widened() } else { joined }
        };
        let joined: Vec<Type> = self.values.iter().zip(values).map(join).collect();
        let is_news = joined != self.values;
        if is_news {
            self.values = joined;
            self.changes += 1;
        }
        is_news
    }
}

/// The arguments of functions when they return, and behind those the results. Functions that are not there do not return.
type Returning = HashMap<Key, Seen>;

/// A function that has been looked at so often may return, with anything.
const MOST_LOOKS: u32 = 20;

fn key(function: &Function) -> Key {
    (function.name, function.arity())
}

/// Takes out what comes behind calls that never return, and behind operators that always raise.
pub(super) fn cut(module: &mut Module) {
    let mut returning = Returning::default();
    // Who is to be looked at again when more is known of a function.
    let mut callers: HashMap<Key, HashSet<usize>> = HashMap::default();
    let mut looks = vec![0; module.functions.len()];
    let mut can_cut = vec![false; module.functions.len()];
    let mut open: VecDeque<usize> = callees_first(module).into();
    let mut is_open = vec![true; module.functions.len()];
    while let Some(index) = open.pop_front() {
        is_open[index] = false;
        looks[index] += 1;
        let function = &mut module.functions[index];
        let key = key(function);
        let returns = if looks[index] > MOST_LOOKS {
            can_cut[index] = true;
            Some(vec![Type::ANY; function.params.len() + 1])
        } else {
            let mut walk = Walk::new(function, &module.literals, &returning, false);
            walk.function(function);
            let found = walk.finish();
            for callee in found.called {
                callers.entry(callee).or_default().insert(index);
            }
            // The last look counts: then all is known.
            can_cut[index] = found.can_cut;
            found.returns
        };
        let Some(returns) = returns else { continue };
        let is_news = match returning.get_mut(&key) {
            Some(seen) => seen.add(&returns),
            None => returning.insert(key, Seen { values: returns, changes: 0 }).is_none(),
        };
        if is_news {
            for &caller in callers.get(&key).into_iter().flatten() {
                if !std::mem::replace(&mut is_open[caller], true) {
                    open.push_back(caller);
                }
            }
        }
    }
    for (function, _) in module.functions.iter_mut().zip(can_cut).filter(|(_, can_cut)| *can_cut) {
        Walk::new(function, &module.literals, &returning, true).function(function);
    }
}

/// The functions in an order in which few have to be looked at twice.
fn callees_first(module: &mut Module) -> Vec<usize> {
    let places: HashMap<Key, usize> =
        module.functions.iter().enumerate().map(|(index, function)| (key(function), index)).collect();
    let mut callees: Vec<Vec<usize>> = Vec::with_capacity(module.functions.len());
    for function in &mut module.functions {
        let mut called = Vec::new();
        visit::calls(&mut function.body, &mut |name, args| {
            called.extend(places.get(&(name, args.len() as u8)));
        });
        callees.push(called);
    }
    let mut order = Vec::with_capacity(callees.len());
    let mut is_met = vec![false; callees.len()];
    for first in 0..callees.len() {
        if std::mem::replace(&mut is_met[first], true) {
            continue;
        }
        let mut way = vec![first];
        while let Some(&at) = way.last() {
            match callees[at].pop() {
                Some(callee) if !std::mem::replace(&mut is_met[callee], true) => way.push(callee),
                Some(_) => {}
                None => {
                    way.pop();
                    order.push(at);
                }
            }
        }
    }
    order
}

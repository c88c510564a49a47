//! What never returns, and what comes behind it.
//!
//! A call that never returns needs no frame, as in OTP: what its function would do with the result goes. All functions are taken to
//! be such until one is seen to return, and with which kinds of arguments it does; so those that only call each other stay. Functions
//! that only their module can call get no other arguments than those of the calls that are seen. What is not looked at (the fields of a tuple, what other modules do) may be anything: a function may be taken for one that returns,
//! never the other way round.

mod types;
mod walk;

use crate::Name;
use crate::core::{Function, Module};
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

/// What has been seen of functions.
#[derive(Default)]
struct Summaries {
    /// What they are called with. Nothing is known of functions that are not there.
    given: HashMap<Key, Seen>,
    /// Their arguments when they return, and behind those the result. Functions that are not there do not.
    returning: HashMap<Key, Seen>,
}

fn add(to: &mut HashMap<Key, Seen>, function: Key, values: &[Type]) -> bool {
    match to.get_mut(&function) {
        Some(seen) => seen.add(values),
        None => {
            to.insert(function, Seen { values: values.to_vec(), changes: 0 });
            true
        }
    }
}

/// Functions that may be called from elsewhere, with anything.
fn roots(module: &Module) -> impl Iterator<Item = Key> + '_ {
    let exported = module.functions.iter().filter(|function| function.exported);
    let lambdas = module.lambdas.iter().map(|lambda| (lambda.name, lambda.arity));
    exported.map(key).chain(lambdas).chain(module.on_load.map(|name| (name, 0)))
}

fn key(function: &Function) -> Key {
    (function.name, function.arity())
}

/// Functions to be looked at.
struct Open {
    places: HashMap<Key, usize>,
    is_open: Vec<bool>,
    open: Vec<usize>,
}

impl Open {
    fn add(&mut self, function: Key) {
        if let Some(&index) = self.places.get(&function)
            && !std::mem::replace(&mut self.is_open[index], true)
        {
            self.open.push(index);
        }
    }

    fn take(&mut self) -> Option<usize> {
        let index = self.open.pop()?;
        self.is_open[index] = false;
        Some(index)
    }
}

/// Takes out what comes behind calls that never return, and behind operators that always raise.
pub(super) fn cut(module: &mut Module) {
    let mut summaries = Summaries::default();
    let places = module.functions.iter().enumerate().map(|(index, function)| (key(function), index)).collect();
    let mut open = Open { places, is_open: vec![false; module.functions.len()], open: Vec::new() };
    for root in roots(module) {
        add(&mut summaries.given, root, &vec![Type::ANY; root.1.into()]);
        open.add(root);
    }
    // Who is to be looked at again when more is known of what a function returns.
    let mut callers: HashMap<Key, HashSet<Key>> = HashMap::default();
    while let Some(index) = open.take() {
        let function = &mut module.functions[index];
        let key = key(function);
        let Some(mut walk) = Walk::new(function, &module.literals, &summaries, false) else { continue };
        walk.function(function);
        let (returns, calls) = walk.finish();
        for (callee, args) in calls {
            callers.entry(callee).or_default().insert(key);
            if add(&mut summaries.given, callee, &args) {
                open.add(callee);
            }
        }
        if let Some(values) = returns
            && add(&mut summaries.returning, key, &values)
        {
            callers.get(&key).into_iter().flatten().for_each(|&caller| open.add(caller));
        }
    }
    for function in &mut module.functions {
        if let Some(mut walk) = Walk::new(function, &module.literals, &summaries, true) {
            walk.function(function);
        }
    }
}

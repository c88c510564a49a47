//! Which functions of a module never return: every way through them raises or goes on for ever.
//!
//! A call of one needs no frame, as in OTP. All functions are taken to be such until one is seen to return, so that those that only
//! call each other stay. Who looks at no values may take a function for one that returns, never the other way round.

use crate::hash::{HashMap, HashSet};

use super::words;
use crate::core::{Body, End, Failure, Function, Op, Step};
use crate::{Name, known};

/// A function's name and arity.
type Key = (Name, u8);

/// Functions by name and arity.
pub(super) type Never = HashSet<Key>;

fn key(function: &Function) -> Key {
    (function.name, function.arity())
}

/// The functions that never return.
pub(super) fn never_return(functions: &[Function]) -> Never {
    let mut never: Never = functions.iter().map(key).collect();
    // Who is to be looked at again when a function is seen to return.
    let mut waiting: HashMap<Key, Vec<&Function>> = HashMap::default();
    let mut open: Vec<&Function> = functions.iter().collect();
    while let Some(function) = open.pop() {
        if !never.contains(&key(function)) {
            continue;
        }
        let mut walk = Walk { never: &never, awaited: Vec::new() };
        if walk.body(&function.body) {
            never.remove(&key(function));
            open.extend(waiting.remove(&key(function)).unwrap_or_default());
        } else {
            for awaited in walk.awaited {
                waiting.entry(awaited).or_default().push(function);
            }
        }
    }
    never
}

struct Walk<'w> {
    never: &'w Never,
    /// Calls at which ways through the function ended, as far as is known.
    awaited: Vec<Key>,
}

impl Walk<'_> {
    /// Whether the end of a body may be reached, or an escape out of it be taken.
    fn body(&mut self, body: &Body) -> bool {
        body.steps.iter().all(|step| self.step(step)) && !matches!(body.end, End::Never)
    }

    fn step(&mut self, step: &Step) -> bool {
        match &step.op {
            Op::Call(name, args) => {
                let callee = (*name, args.len() as u8);
                let returns = !self.never.contains(&callee);
                if !returns {
                    self.awaited.push(callee);
                }
                returns
            }
            Op::CallExt(known::ERLANG, name, args) => !words::never_returns(*name, args.len()),
            Op::Fail(failure) => escapes(failure),
            Op::Case(case) => {
                escapes(&case.otherwise) || case.clauses.iter().any(|clause| self.body(&clause.body))
            }
            Op::Receive(receive) => {
                receive.clauses.iter().any(|clause| self.body(&clause.body))
                    || receive.timeout.as_ref().is_some_and(|timeout| self.body(&timeout.body))
            }
            Op::Try(attempt) => {
                (self.body(&attempt.body) && self.body(&attempt.then)) || self.body(&attempt.handler)
            }
            Op::Escape { body, otherwise, .. } => self.body(body) || self.body(otherwise),
            _ => true,
        }
    }
}

fn escapes(failure: &Failure) -> bool {
    matches!(failure, Failure::Escape(..))
}

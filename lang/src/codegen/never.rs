//! Which functions of a module never return: every way through them raises or goes on for ever.
//!
//! A call of one needs no frame, as in OTP. All functions are taken to be such until one is seen to return, so that those that only
//! call each other stay. Who looks at no values may take a function for one that returns, never the other way round.

use crate::hash::HashSet;

use super::words::Words;
use crate::core::{Body, End, Failure, Function, Op, Step};
use crate::{Name, known};

/// Functions by name and arity.
pub(super) type Never = HashSet<(Name, u8)>;

/// The functions that never return.
pub(super) fn never_return(functions: &[Function], words: &Words) -> Never {
    let mut never: Never = functions.iter().map(|function| (function.name, function.arity())).collect();
    let mut open: Vec<&Function> = functions.iter().collect();
    loop {
        let before = open.len();
        open.retain(|function| {
            let returns = Walk { never: &never, words }.body(&function.body);
            if returns {
                never.remove(&(function.name, function.arity()));
            }
            !returns
        });
        if open.len() == before {
            return never;
        }
    }
}

struct Walk<'w> {
    never: &'w Never,
    words: &'w Words,
}

impl Walk<'_> {
    /// Whether the end of a body may be reached, or an escape out of it be taken.
    fn body(&self, body: &Body) -> bool {
        body.steps.iter().all(|step| self.step(step)) && !matches!(body.end, End::Never)
    }

    fn step(&self, step: &Step) -> bool {
        match &step.op {
            Op::Call(name, args) => !self.never.contains(&(*name, args.len() as u8)),
            Op::CallExt(module, name, args) => {
                !(*module == known::ERLANG && self.words.never_returns(*name, args.len()))
            }
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

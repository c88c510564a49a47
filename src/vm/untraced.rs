//! Without the feature `tracing`: nobody is told anything, and nothing is done for it.

use std::sync::Arc;

use crate::atom::Atom;
use crate::process::Ended;
use crate::runtime::Runtime;
use crate::term;

/// Who tells what happens: nobody.
pub(super) struct Tracer;

/// What is to be told: there is no such wish.
pub(super) enum Setting {}

impl Tracer {
    pub fn off() -> Tracer {
        Tracer
    }

    pub fn start(setting: Setting, _: &Arc<Runtime>) -> Tracer {
        match setting {}
    }

    #[inline(always)]
    pub fn call(&self, _: &Runtime, _: (Atom, Atom)) -> Span {
        Span
    }

    #[inline(always)]
    pub fn spawned(&self, _: &Runtime, _: (Atom, Atom), _: term::Pid) {}
}

/// The time of a call.
#[derive(Clone)]
pub(super) struct Span;

impl Span {
    pub fn none() -> Span {
        Span
    }

    #[inline(always)]
    pub fn in_scope<R>(&self, what: impl FnOnce() -> R) -> R {
        what()
    }

    #[inline(always)]
    pub fn runs(&self, _: term::Pid) {}

    #[inline(always)]
    pub fn ended(&self, _: &Runtime, _: &Ended) {}

    #[inline(always)]
    pub fn given_up(&self, _: &'static str) {}
}

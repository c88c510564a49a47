//! How a native ends other than with a result.

use super::Cx;
use crate::atom::{Atom, known};
use crate::heap::AllocError;
use crate::heap::arith::ArithError;
use crate::process::{Class, WaitState};
use crate::term::Term;

/// What a native gives: its result, or why there is none now.
pub type BifResult<'h> = Result<Term<'h>, Stop<'h>>;

/// The atom of a class.
pub const fn class_atom(class: Class) -> Atom {
    match class {
        Class::Error => known::ERROR,
        Class::Exit => known::EXIT,
        Class::Throw => known::THROW,
    }
}

/// The class an atom names.
pub fn class_of(atom: Atom) -> Option<Class> {
    match atom {
        known::ERROR => Some(Class::Error),
        known::EXIT => Some(Class::Exit),
        known::THROW => Some(Class::Throw),
        _ => None,
    }
}

/// What the stack trace says of the native itself.
#[derive(Clone, Copy, Debug)]
pub enum ErrorInfo<'h> {
    /// The native does not show up: `error/1`, `exit/1`, `throw/1`.
    Hidden,
    /// `{M, F, Args, [{error_info, #{module => ...}}]}`, as OTP's natives do.
    Standard,
    /// The same with a `cause` in the map.
    Cause(Term<'h>),
    /// The native does not show up, but the calling function does with these arguments: `error/2`.
    Arguments(Term<'h>),
    /// The same with an `error_info` map: `error/3`.
    ArgumentsWithInfo(Term<'h>, Term<'h>),
    /// This is the whole trace: `raise/3`.
    Trace(Term<'h>),
}

/// Why a native has no result now. One word, so that a result is two.
#[derive(Debug)]
pub struct Stop<'h>(Box<StopKind<'h>>);

/// What a [`Stop`] holds.
#[derive(Debug)]
pub enum StopKind<'h> {
    /// An exception.
    Raise { class: Class, reason: Term<'h>, info: ErrorInfo<'h> },
    /// The result is that of `module:function(args)`, called in the native's place.
    TailCall { module: Atom, function: Atom, args: Vec<Term<'h>> },
    /// The result is that of the fun, called in the native's place.
    TailCallFun { fun: Term<'h>, args: Vec<Term<'h>> },
    /// The slice is used up: the native is to be called again with these arguments, as many as it takes.
    Again { args: Vec<Term<'h>> },
    /// The process waits; its result, or an exception, arrives with the event.
    Block(WaitState),
    /// The slice ends here, with this result.
    Yield { result: Term<'h> },
    /// The process ends at once with this reason, whatever it catches.
    Exit(Term<'h>),
    /// The virtual machine ends.
    Halt(i32),
    /// No memory: the process ends with `system_limit` as if killed by its limits.
    NoMemory(AllocError),
}

impl<'h> Stop<'h> {
    /// The stop of that kind.
    pub fn new(kind: StopKind<'h>) -> Stop<'h> {
        Stop(Box::new(kind))
    }

    /// What it holds.
    pub fn into_kind(self) -> StopKind<'h> {
        *self.0
    }

    /// Error `reason`, with the native in the stack trace.
    pub fn error(reason: Term<'h>) -> Stop<'h> {
        Stop::new(StopKind::Raise { class: Class::Error, reason, info: ErrorInfo::Standard })
    }

    /// Error `reason`, with the native and a `cause` in the stack trace.
    pub fn error_with_cause(reason: Term<'h>, cause: Term<'h>) -> Stop<'h> {
        Stop::new(StopKind::Raise { class: Class::Error, reason, info: ErrorInfo::Cause(cause) })
    }

    /// Error `badarg` with a `cause` in the stack trace.
    #[cold]
    pub fn badarg_because(cause: Atom) -> Stop<'h> {
        Stop::error_with_cause(Term::atom(known::BADARG), Term::atom(cause))
    }

    /// The same stop, with that cause if it is a `badarg` without one: what a part of a native failed with.
    #[cold]
    pub fn because(mut self, cause: Atom) -> Stop<'h> {
        if let StopKind::Raise { class: Class::Error, reason, info: info @ ErrorInfo::Standard } =
            &mut *self.0
            && reason.is_atom(known::BADARG)
        {
            *info = ErrorInfo::Cause(Term::atom(cause));
        }
        self
    }

    /// Whether it is error `badarg`.
    pub fn is_badarg(&self) -> bool {
        matches!(&*self.0, StopKind::Raise { class: Class::Error, reason, .. } if reason.is_atom(known::BADARG))
    }

    /// Error `badarg`.
    #[cold]
    pub fn badarg() -> Stop<'h> {
        Stop::error(Term::atom(known::BADARG))
    }

    /// Error `badarith`.
    #[cold]
    pub fn badarith() -> Stop<'h> {
        Stop::error(Term::atom(known::BADARITH))
    }

    /// Error `system_limit`.
    #[cold]
    pub fn system_limit() -> Stop<'h> {
        Stop::error(Term::atom(known::SYSTEM_LIMIT))
    }

    /// Error `eacces`: the process may not do that.
    #[cold]
    pub fn denied() -> Stop<'h> {
        Stop::error(Term::atom(known::EACCES))
    }

    /// The answer `{error, eacces}`.
    ///
    /// # Errors
    /// If there is no room for it.
    #[cold]
    pub fn answer_denied(cx: &mut Cx<'h>) -> BifResult<'h> {
        Ok(cx.tuple(&[Term::atom(known::ERROR), Term::atom(known::EACCES)])?)
    }

    /// Any exception, the native not in the stack trace.
    pub fn raise(class: Class, reason: Term<'h>) -> Stop<'h> {
        Stop::new(StopKind::Raise { class, reason, info: ErrorInfo::Hidden })
    }

    /// Calls `module:function` in the native's place.
    pub fn tail_call(module: Atom, function: Atom, args: Vec<Term<'h>>) -> Stop<'h> {
        Stop::new(StopKind::TailCall { module, function, args })
    }

    /// Calls a fun in the native's place.
    pub fn tail_call_fun(fun: Term<'h>, args: Vec<Term<'h>>) -> Stop<'h> {
        Stop::new(StopKind::TailCallFun { fun, args })
    }

    /// Gives way to others, and calls the native again with these arguments.
    pub fn again(args: Vec<Term<'h>>) -> Stop<'h> {
        Stop::new(StopKind::Again { args })
    }

    /// Waits.
    pub fn block(wait: WaitState) -> Stop<'h> {
        Stop::new(StopKind::Block(wait))
    }
}

impl From<AllocError> for Stop<'_> {
    #[cold]
    fn from(error: AllocError) -> Self {
        match error {
            AllocError::SystemLimit => Stop::system_limit(),
            error => Stop::new(StopKind::NoMemory(error)),
        }
    }
}

impl From<ArithError> for Stop<'_> {
    #[cold]
    fn from(error: ArithError) -> Self {
        match error {
            ArithError::BadArith => Stop::badarith(),
            ArithError::SystemLimit => Stop::system_limit(),
            ArithError::Alloc(error) => error.into(),
        }
    }
}

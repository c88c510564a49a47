//! Raising and applying.

use crate::atom::known;
use crate::bif::{BifResult, Class, Cx, ErrorInfo, Stop, StopKind, class_of};
use crate::heap::AllocError;
use crate::term::{Term, View};

/// `error(Reason) -> no_return()`.
///
/// # Errors
/// Always: error `Reason`.
pub fn error<'h>(_: &mut Cx<'h>, [reason]: [Term<'h>; 1]) -> BifResult<'h> {
    Err(Stop::raise(Class::Error, reason))
}

/// `error(Reason, Args :: [term()] | none) -> no_return()`.
///
/// # Errors
/// Always: error `Reason`, the calling function with `Args` in the stack trace if that is a list.
pub fn error_with_arguments<'h>(_: &mut Cx<'h>, [reason, args]: [Term<'h>; 2]) -> BifResult<'h> {
    if !matches!(args.view(), View::Cons(_) | View::Nil) {
        return Err(Stop::raise(Class::Error, reason));
    }
    Err(Stop::new(StopKind::Raise { class: Class::Error, reason, info: ErrorInfo::Arguments(args) }))
}

/// `error(Reason, Args, Options) -> no_return()`; of the options, `error_info` shows in the stack trace.
///
/// # Errors
/// Always: error `Reason`.
pub fn error_with_options<'h>(cx: &mut Cx<'h>, [reason, args, options]: [Term<'h>; 3]) -> BifResult<'h> {
    // Wrong options do not hide the error that was meant.
    let mut items = options.list();
    let mut info = None;
    let known = items.by_ref().all(|option| match option.as_tuple() {
        Some(&[key, map]) if key.is_atom(known::ERROR_INFO) && map.as_map().is_some() => {
            info = Some(map);
            true
        }
        _ => false,
    });
    match info.filter(|_| known && items.rest().is_nil()) {
        None => error_with_arguments(cx, [reason, args]),
        Some(map) => {
            let info = ErrorInfo::ArgumentsWithInfo(args, map);
            Err(Stop::new(StopKind::Raise { class: Class::Error, reason, info }))
        }
    }
}

/// `exit(Reason) -> no_return()`.
///
/// # Errors
/// Always: exit `Reason`.
pub fn exit<'h>(_: &mut Cx<'h>, [reason]: [Term<'h>; 1]) -> BifResult<'h> {
    Err(Stop::raise(Class::Exit, reason))
}

/// `throw(Any) -> no_return()`.
///
/// # Errors
/// Always: throws `Any`.
pub fn throw<'h>(_: &mut Cx<'h>, [any]: [Term<'h>; 1]) -> BifResult<'h> {
    Err(Stop::raise(Class::Throw, any))
}

/// `raise(Class, Reason, Stacktrace) -> badarg`: raises with this stack trace; the value if the arguments are wrong.
///
/// # Errors
/// The exception, if class and stack trace are good.
pub fn raise<'h>(cx: &mut Cx<'h>, [class, reason, trace]: [Term<'h>; 3]) -> BifResult<'h> {
    let refused = Ok(Term::atom(known::BADARG));
    let Some(class) = class.as_atom().and_then(class_of) else { return refused };
    if trace.proper_length().is_none() {
        return refused;
    }
    let mut frames = cx.scratch();
    let mut complete = true;
    for frame in trace.list() {
        let Some((whole, frame)) = whole_frame(cx, frame)? else { return refused };
        complete &= whole;
        frames.push(frame)?;
    }
    let trace = if complete { trace } else { cx.list(&frames)? };
    Err(Stop::new(StopKind::Raise { class, reason, info: ErrorInfo::Trace(trace) }))
}

/// A frame of a stack trace, `{M, F, Arity | Args, Location}` or `{Fun, Args, Location}`, and whether it was given so: a location may be
/// left out. As in OTP, arities, arguments and what is in locations are not looked at.
fn whole_frame<'h>(cx: &mut Cx<'h>, frame: Term<'h>) -> Result<Option<(bool, Term<'h>)>, AllocError> {
    let is_fun = |term: Term<'_>| super::guard::fun_arity(term).is_some();
    let is_name = |term: Term<'_>| term.as_atom().is_some();
    Ok(match frame.as_tuple() {
        Some(&[fun, args]) if is_fun(fun) => Some((false, cx.tuple(&[fun, args, Term::NIL])?)),
        Some(&[fun, _, location]) if is_fun(fun) && location.is_list() => Some((true, frame)),
        Some(&[module, function, args]) if is_name(module) && is_name(function) => {
            Some((false, cx.tuple(&[module, function, args, Term::NIL])?))
        }
        Some(&[module, function, _, location])
            if is_name(module) && is_name(function) && location.is_list() =>
        {
            Some((true, frame))
        }
        _ => None,
    })
}

/// `apply(Fun, Args :: [term()]) -> term()`.
///
/// # Errors
/// `badarg` if the arguments are no proper list; `{badfun, Fun}`, `{badarity, {Fun, Args}}`.
pub fn apply_fun<'h>(_: &mut Cx<'h>, [fun, args]: [Term<'h>; 2]) -> BifResult<'h> {
    if args.proper_length().is_none_or(|length| length > 255) {
        return Err(Stop::badarg());
    }
    Err(Stop::tail_call_fun(fun, args.list().collect()))
}

/// `apply(Module, Function, Args :: [term()]) -> term()`.
///
/// # Errors
/// `badarg` if they are not two atoms and a proper list; `undef`.
pub fn apply<'h>(_: &mut Cx<'h>, [module, function, args]: [Term<'h>; 3]) -> BifResult<'h> {
    match (module.view(), function.view(), args.proper_length()) {
        (View::Atom(module), View::Atom(function), Some(0..=255)) => {
            Err(Stop::tail_call(module, function, args.list().collect()))
        }
        _ => Err(Stop::badarg()),
    }
}

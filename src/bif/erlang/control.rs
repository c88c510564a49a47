//! Raising and applying.

use crate::atom::known;
use crate::bif::{BifResult, Class, Cx, ErrorInfo, Stop, StopKind, class_of};
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
    let badarg = Ok(Term::atom(known::BADARG));
    let Some(class) = class.as_atom().and_then(class_of) else { return badarg };
    if trace.proper_length().is_none() {
        return badarg;
    }
    let mut frames = cx.scratch();
    for frame in trace.list() {
        let Some(frame) = whole_frame(cx, frame)? else { return badarg };
        frames.push(frame)?;
    }
    let trace = cx.list(&frames)?;
    Err(Stop::new(StopKind::Raise { class, reason, info: ErrorInfo::Trace(trace) }))
}

/// An entry of a stack trace with its location: `{M, F, Arity | Args}` and `{Fun, Args}` may come without. `None` for other terms.
fn whole_frame<'h>(cx: &mut Cx<'h>, frame: Term<'h>) -> Result<Option<Term<'h>>, Stop<'h>> {
    let is_fun = |term: Term<'_>| super::guard::fun_arity(term).is_some();
    let nowhere = Term::NIL;
    Ok(match frame.as_tuple() {
        Some(&[fun, args]) if is_fun(fun) => Some(cx.tuple(&[fun, args, nowhere])?),
        Some(&[fun, _, location]) if is_fun(fun) => location.is_list().then_some(frame),
        Some(&[module, function, args]) if module.as_atom().is_some() && function.as_atom().is_some() => {
            Some(cx.tuple(&[module, function, args, nowhere])?)
        }
        Some(&[module, function, _, location]) => {
            let is_named = module.as_atom().is_some() && function.as_atom().is_some();
            (is_named && location.is_list()).then_some(frame)
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

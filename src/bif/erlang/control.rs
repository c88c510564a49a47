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
pub fn raise<'h>(_: &mut Cx<'h>, [class, reason, trace]: [Term<'h>; 3]) -> BifResult<'h> {
    match class.as_atom().and_then(class_of) {
        Some(class) if is_trace(trace) => {
            Err(Stop::new(StopKind::Raise { class, reason, info: ErrorInfo::Trace(trace) }))
        }
        _ => Ok(Term::atom(known::BADARG)),
    }
}

/// Whether a term is a stack trace: a list of `{M, F, Arity | Args}`, `{M, F, Arity | Args, Location}` or `{Fun, Args}`,
/// `{Fun, Args, Location}`.
fn is_trace(trace: Term<'_>) -> bool {
    trace.proper_length().is_some() && trace.list().all(is_frame)
}

fn is_frame(frame: Term<'_>) -> bool {
    let is_arguments =
        |term: Term<'_>| term.proper_length().is_some() || term.as_small().is_some_and(|n| n >= 0);
    match frame.as_tuple() {
        Some(&[fun, args]) => super::guard::fun_arity(fun).is_some() && is_arguments(args),
        Some(&[module, function, args]) => {
            let named = module.as_atom().is_some() && function.as_atom().is_some() && is_arguments(args);
            named || super::guard::fun_arity(module).is_some() && is_arguments(function) && args.is_list()
        }
        Some(&[module, function, args, location]) => {
            module.as_atom().is_some()
                && function.as_atom().is_some()
                && is_arguments(args)
                && location.proper_length().is_some()
        }
        _ => false,
    }
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

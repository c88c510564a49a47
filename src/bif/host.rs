//! Natives of module `erlet_host`: what the embedding program offers.

use super::io::block;
use crate::atom::known;
use crate::bif::{BifResult, Cx, ErrorInfo, Stop, StopKind};
use crate::heap::AllocError;
use crate::process::Class;
use crate::runtime::host::{Caller, Completion, HostEnd};
use crate::runtime::pool::JobKind;
use crate::term::{Term, View};

/// `call(Function :: atom(), Arguments :: [term()]) -> term()`: calls a function of the embedding program; only the caller waits.
///
/// # Errors
/// `badarg` if the function is no atom or the arguments are no list; `notsup` if nothing is offered.
pub fn call<'h>(cx: &mut Cx<'h>, [function, args]: [Term<'h>; 2]) -> BifResult<'h> {
    let View::Atom(function) = function.view() else { return Err(Stop::badarg()) };
    let Some(host) = cx.rt.environment.host() else { return Err(Stop::error(Term::atom(known::NOTSUP))) };
    let work = host.prepare(cx.rt, function, args).ok_or_else(Stop::badarg)?;
    Err(block(cx, JobKind::Host, work))
}

macro_rules! invoke {
    ($($name:ident $arity:literal;)*) => {$(
        #[doc = concat!("`invoke(Args..., Number) -> term()` with ", $arity, " arguments in all: calls the typed function of that number.")]
        ///
        /// # Errors
        /// `badarg` if there is no such function or it takes other arguments; what the function raises.
        pub fn $name<'h>(cx: &mut Cx<'h>, args: [Term<'h>; $arity]) -> BifResult<'h> {
            invoke(cx, &args)
        }
    )*};
}

invoke! {
    invoke_1 1;
    invoke_2 2;
    invoke_3 3;
    invoke_4 4;
    invoke_5 5;
    invoke_6 6;
    invoke_7 7;
    invoke_8 8;
    invoke_9 9;
}

#[inline(always)]
fn invoke<'h>(cx: &mut Cx<'h>, args: &[Term<'h>]) -> BifResult<'h> {
    let rt = cx.rt;
    let (number, args) = args.split_last().ok_or_else(Stop::badarg)?;
    let number = number.as_small().and_then(|number| usize::try_from(number).ok());
    let function = number.and_then(|number| rt.host_functions.get(number)).ok_or_else(Stop::badarg)?;
    let caller = Caller { rt, pid: cx.process().pid };
    // Nobody knows how long it takes.
    cx.worker.leave_search(rt);
    match function.call(cx, caller, args) {
        HostEnd::Value(term) => Ok(term),
        other => Err(stopped(cx, args, other)),
    }
}

/// `badarg`, with what is wrong in the stack trace: `{error_info, #{module => erlet_argument, cause => #{Argument => Why}}}`.
#[cold]
fn bad_argument<'h>(cx: &mut Cx<'h>, args: &[Term<'h>], argument: usize, why: &str) -> Stop<'h> {
    let detailed = |cx: &mut Cx<'h>| {
        let (argument, why) = (cx.uint(argument as u64)?, cx.binary(why.as_bytes())?);
        let cause = cx.map(&[(argument, why)])?;
        let module = (Term::atom(known::MODULE), Term::atom(known::ERLET_ARGUMENT));
        let info = cx.map(&[(Term::atom(known::CAUSE), cause), module])?;
        Ok::<_, AllocError>(ErrorInfo::ArgumentsWithInfo(cx.list(args)?, info))
    };
    match detailed(cx) {
        Ok(info) => {
            Stop::new(StopKind::Raise { class: Class::Error, reason: Term::atom(known::BADARG), info })
        }
        Err(error) => error.into(),
    }
}

#[cold]
fn stopped<'h>(cx: &mut Cx<'h>, args: &[Term<'h>], end: HostEnd<'h>) -> Stop<'h> {
    match end {
        HostEnd::Value(result) => Stop::new(StopKind::Yield { result }),
        HostEnd::Raise(class, reason) => Stop::raise(class, reason),
        HostEnd::BadArgument { argument, why } => bad_argument(cx, args, argument, &why),
        HostEnd::Exit(reason) => Stop::new(StopKind::Exit(reason)),
        HostEnd::NoMemory(error) => error.into(),
        HostEnd::Blocking(work) => {
            let (rt, worker, process) = cx.parts();
            let completion = Completion::of(worker, rt, process);
            rt.pool.submit(JobKind::Host, Box::new(move || work(completion)));
            Stop::block(process.wait)
        }
        HostEnd::Awaiting(begin) => {
            let (rt, worker, process) = cx.parts();
            let completion = Completion::of(worker, rt, process);
            let awaited = begin(completion);
            process.cold().awaited = Some(awaited);
            Stop::block(process.wait)
        }
    }
}

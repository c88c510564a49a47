//! Closures as host functions: arguments from terms, answers to terms.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Weak};

use crate::atom::known;
use crate::error::{Class, Error};
use crate::heap::{Account, AllocError, Fragment, HeapRef, work};
use crate::limits::{Capabilities, Quota};
use crate::process::{Signal, SignalKind};
use crate::runtime::Runtime;
use crate::runtime::host::{Caller, Completion, HostEnd, HostFunction, UNITS_PER_WORD};
use crate::term::Term;
use crate::value::{self, FromTerm, Held, IntoTerm, Pid, Reply, TermMaker, TermReader, Toll};
use crate::vm::Vm;

/// Who calls a host function. A parameter of this type is none of the Erlang function's.
///
/// ```
/// # let vm = erlet::vm::Vm::builder().threads(0).build()?;
/// use erlet::Context;
/// vm.module("me").function("pid", |context: Context, _name: String| context.pid()).install()?;
/// // me:pid(<<"x">>) =:= self()
/// # Ok::<(), erlet::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Context {
    machine: Weak<Runtime>,
    pid: Pid,
    account: Arc<Account>,
}

impl Context {
    /// The calling process.
    ///
    /// ```
    /// fn caller(context: &erlet::Context) -> erlet::Pid {
    ///     context.pid()
    /// }
    /// ```
    pub fn pid(&self) -> Pid {
        self.pid
    }

    /// The machine, as a handle like any other: to speak to its processes, to look at it, or to keep. `None` if the host has dropped
    /// its last handle, so that the machine is about to end.
    ///
    /// What waits ([`Vm::call`], [`Mailbox::recv`](crate::Mailbox::recv)) gives [`Error::WouldBlockScheduler`] in a plain host
    /// function; a blocking or async one may wait.
    ///
    /// ```
    /// # let vm = erlet::vm::Vm::builder().threads(1).build()?;
    /// use erlet::Context;
    /// vm.module("host")
    ///     .function("count", |context: Context| context.vm().map_or(0, |vm| vm.processes().len()))
    ///     .blocking("twice", |context: Context, n: i64| match context.vm() {
    ///         Some(vm) => vm.call::<i64>("erlang", "+", (n, n)),
    ///         None => Err(erlet::Error::Stopped),
    ///     })
    ///     .install()?;
    /// assert!(vm.call::<i64>("host", "count", ())? > 0);
    /// assert_eq!(vm.call::<i64>("host", "twice", (21,))?, 42);
    /// # Ok::<(), erlet::Error>(())
    /// ```
    pub fn vm(&self) -> Option<Vm> {
        Vm::of(&*self.machine.upgrade()?)
    }

    /// What the calling process may touch of the world. A function that does on a program's behalf what the program has no
    /// natives for, such as to open a socket, asks here whether it may; see [`Capabilities::addresses`].
    ///
    /// ```
    /// # let vm = erlet::vm::Vm::builder().threads(0).build()?;
    /// use erlet::{Context, HostError, limits::Access};
    /// vm.module("size")
    ///     .blocking("of_file", |caller: Context, path: String| {
    ///         let path = caller.capabilities().file(path, Access::Read, true)?;
    ///         Ok::<u64, HostError>(std::fs::metadata(path)?.len())
    ///     })
    ///     .install()?;
    /// let denied = vm.call::<u64>("size", "of_file", ("/etc/hosts",)).unwrap_err();
    /// assert!(denied.to_string().contains("eacces"));
    /// # Ok::<(), erlet::Error>(())
    /// ```
    pub fn capabilities(&self) -> &Capabilities {
        self.account.capabilities()
    }

    /// How much the calling process may still use of what is counted, by the tightest of the limits that hold for it; `None`
    /// if it is not limited, or is limited for each process by itself, as mailboxes are, or in time.
    ///
    /// ```
    /// use erlet::{Context, Limits, Vm, limits::Quota};
    /// let vm = Vm::builder().threads(0).limits(Limits::new().atoms(10)).build()?;
    /// vm.module("left").function("atoms", |caller: Context| caller.left(Quota::Atoms)).install()?;
    /// assert_eq!(vm.call::<Option<u64>>("left", "atoms", ())?, Some(10));
    /// # Ok::<(), erlet::Error>(())
    /// ```
    pub fn left(&self, quota: Quota) -> Option<u64> {
        self.account.usage(quota).map(|usage| usage.limit.saturating_sub(usage.used))
    }

    /// Counts work done on the calling process's behalf against its limit of [reductions](crate::Limits::reductions). If that is more
    /// than it may do, it ends at the end of its turn.
    ///
    /// ```
    /// # let vm = erlet::vm::Vm::builder().threads(0).build()?;
    /// use erlet::Context;
    /// vm.module("hard").function("work", |caller: Context, n: u64| caller.spend(n)).install()?;
    /// # Ok::<(), erlet::Error>(())
    /// ```
    pub fn spend(&self, reductions: u64) {
        // Whoever passes a limit so is found at the end of its slice.
        let _ = self.account.spend(Quota::Reductions, reductions);
    }

    /// Sends a message to a process of the same machine, as `To ! Message` does: it does not wait, and to a process that is gone it does
    /// nothing.
    ///
    /// # Errors
    /// Those of the conversion; [`Error::Stopped`] if the machine is gone, [`Error::OtherVm`] for a pid of another one.
    ///
    /// ```
    /// # let vm = erlet::vm::Vm::builder().threads(0).build()?;
    /// use erlet::{Context, Pid};
    /// vm.module("post").function("send", |context: Context, to: Pid| context.send(to, ("hello", 1))).install()?;
    /// # Ok::<(), erlet::Error>(())
    /// ```
    pub fn send(&self, to: Pid, message: impl IntoTerm) -> Result<(), Error> {
        let rt = self.machine.upgrade().ok_or(Error::Stopped)?;
        if to.machine != rt.identity {
            return Err(Error::OtherVm);
        }
        let message = value::fragment(&rt, &rt.account, |maker| message.into_term(maker))?;
        let mut outside = rt.outside();
        rt.deliver(&mut outside, Signal::new(SignalKind::Message, to.raw, message));
        outside.retire(&rt);
        Ok(())
    }
}

/// A call as its parameters see it.
#[doc(hidden)]
pub struct Call<'c, 'h> {
    caller: Caller<'h>,
    args: &'c [Term<'h>],
    toll: &'c Toll<'c>,
}

/// What a parameter of a host function may be: any [`FromTerm`] type, or [`Context`].
pub trait Argument: Sized {
    /// Whether it takes one of the Erlang function's arguments.
    #[doc(hidden)]
    const IS_TERM: bool;

    #[doc(hidden)]
    fn take(call: &Call<'_, '_>, index: &mut usize) -> Result<Self, Error>;
}

impl<T: FromTerm> Argument for T {
    const IS_TERM: bool = true;

    #[inline(always)]
    fn take(call: &Call<'_, '_>, index: &mut usize) -> Result<T, Error> {
        let term = call.args[*index];
        *index += 1;
        call.toll.read(term)?;
        T::from_term(term, &TermReader::of_arguments(call.caller.rt, call.toll))
    }
}

impl Argument for Context {
    const IS_TERM: bool = false;

    #[inline]
    fn take(call: &Call<'_, '_>, _: &mut usize) -> Result<Context, Error> {
        let Caller { rt, pid } = call.caller;
        let account = Arc::clone(call.toll.account());
        Ok(Context { machine: rt.weak(), pid: Pid::new(rt.identity, pid), account })
    }
}

/// Closures that can be host functions: of up to eight parameters, and one more for each [`Context`]. `P` is the tuple of the
/// parameters' types, which the compiler finds.
pub trait HostFn<P>: Send + Sync + 'static {
    /// What it returns.
    type Output;

    /// How many arguments the Erlang function has.
    #[doc(hidden)]
    const ARITY: usize;

    /// The parameters, or which argument is none, counted from 1, and why.
    #[doc(hidden)]
    fn read(call: &Call<'_, '_>) -> Result<P, (usize, Error)>;

    #[doc(hidden)]
    fn run(&self, parameters: P) -> Self::Output;
}

macro_rules! closures {
    ($($($name:ident)*;)*) => {$(
        impl<Fun, Output, $($name),*> HostFn<($($name,)*)> for Fun
        where
            Fun: Fn($($name),*) -> Output + Send + Sync + 'static,
            $($name: Argument,)*
        {
            type Output = Output;

            const ARITY: usize = 0 $(+ $name::IS_TERM as usize)*;

            #[inline(always)]
            #[allow(unused_variables, unused_mut, reason = "of no parameters")]
            fn read(call: &Call<'_, '_>) -> Result<($($name,)*), (usize, Error)> {
                let mut index = 0;
                Ok(($($name::take(call, &mut index).map_err(|error| (index, error))?,)*))
            }

            #[inline(always)]
            #[allow(non_snake_case, reason = "parameters are named as their types")]
            fn run(&self, ($($name,)*): ($($name,)*)) -> Output {
                self($($name),*)
            }
        }
    )*};
}

closures! {
    ;
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
    A B C D E F G H I;
}

/// Reads the parameters of a call. That is foreign code too, and may panic.
#[inline(always)]
fn parameters<'h, P, F: HostFn<P>>(
    caller: Caller<'h>,
    args: &[Term<'h>],
    toll: &Toll<'_>,
) -> Result<P, HostEnd<'h>> {
    if args.len() != F::ARITY {
        return Err(HostEnd::Raise(Class::Error, Term::atom(known::BADARG)));
    }
    F::read(&Call { caller, args, toll }).map_err(|(argument, error)| match toll.refused() {
        Some(error) => HostEnd::NoMemory(error),
        None => HostEnd::BadArgument { argument, why: error.to_string() },
    })
}

/// The same, with the work of it announced, and the memory that they take held; before there is any effect.
#[inline(always)]
fn read<'h, P, F: HostFn<P>>(
    heap: &mut HeapRef<'h>,
    caller: Caller<'h>,
    args: &[Term<'h>],
) -> (Result<P, HostEnd<'h>>, Option<Held>) {
    let toll = Toll::new(heap);
    let parameters = parameters::<P, F>(caller, args, &toll);
    let (units, held) = (toll.units(), toll.held());
    drop(toll);
    if units > 0
        && let Err(error) = heap.work(units)
    {
        return (Err(HostEnd::NoMemory(error)), None);
    }
    (parameters, held)
}

/// A closure that runs on the caller's worker; on the pool, where its arguments take long to read.
pub(super) struct Quick<F, P>(pub F, pub std::marker::PhantomData<fn() -> P>);

impl<P, F> HostFunction for Quick<F, P>
where
    F: HostFn<P>,
    F::Output: IntoTerm,
{
    fn call<'h>(&self, heap: &mut HeapRef<'h>, caller: Caller<'h>, args: &[Term<'h>]) -> HostEnd<'h> {
        // What a panic leaves behind is the host's own, and the caller's heap, which is always whole.
        let end = catch_unwind(AssertUnwindSafe(|| {
            let (parameters, _held) = read::<P, F>(heap, caller, args);
            let output = match parameters {
                Ok(parameters) => self.0.run(parameters),
                Err(end) => return end,
            };
            // It has had its effects: the answer is made here, however long it takes.
            heap.commit();
            let before = heap.heap().used_words();
            let end = TermMaker::with(heap, caller.rt, |maker| match output.into_reply(maker) {
                Ok(Reply::Value(term)) => HostEnd::Value(term),
                Ok(Reply::Raise(class, reason)) => HostEnd::Raise(class, reason),
                Err(error) => refused(maker, &error),
            });
            let made = heap.heap().used_words().saturating_sub(before);
            heap.worked(made.saturating_mul(UNITS_PER_WORD));
            end
        }));
        end.unwrap_or_else(|panic| panicked(heap, &*panic))
    }
}

/// The answer is no term.
#[cold]
fn refused<'h>(maker: &mut TermMaker<'h>, error: &Error) -> HostEnd<'h> {
    if let Error::Limit(name) = error {
        // A limit of the caller's ends it, as everywhere.
        if let Some(quota) = Quota::named(name) {
            return HostEnd::NoMemory(AllocError::Limit(quota));
        }
        return HostEnd::Raise(Class::Error, Term::atom(known::SYSTEM_LIMIT));
    }
    match maker.make(error.to_string()) {
        Ok(text) => HostEnd::Raise(Class::Error, text),
        Err(_) => HostEnd::Raise(Class::Error, Term::atom(known::SYSTEM_LIMIT)),
    }
}

/// `{internal_error, Message}` ends the caller.
#[cold]
fn panicked<'h>(heap: &mut HeapRef<'h>, panic: &(dyn Any + Send)) -> HostEnd<'h> {
    let text = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text.as_str(),
        _ => "a panic",
    };
    let reason =
        heap.binary(text.as_bytes()).and_then(|text| heap.tuple(&[Term::atom(known::INTERNAL_ERROR), text]));
    reason.map_or_else(HostEnd::NoMemory, HostEnd::Exit)
}

/// Answers a caller that waits with what a function gave.
pub(super) fn complete<T: IntoTerm>(completion: Completion, output: T) {
    let Some((rt, account)) = completion.machine() else { return };
    let mut raises = None;
    let made = value::fragment(&rt, &account, |maker| match output.into_reply(maker)? {
        Reply::Value(term) => Ok(term),
        Reply::Raise(class, reason) => {
            raises = Some(class);
            Ok(reason)
        }
    });
    let made = made.or_else(|error| {
        raises = Some(Class::Error);
        match error {
            Error::Limit(_) => {
                Fragment::immediate(crate::term::Word::atom(known::SYSTEM_LIMIT)).map_err(Error::from)
            }
            other => value::fragment(&rt, &account, |maker| maker.make(other.to_string())),
        }
    });
    // Without memory for the reason, the completion answers when it is dropped.
    if let Ok(content) = made {
        // Whoever passes a limit so is found when it goes on.
        let units = i32::try_from(content.words().saturating_mul(UNITS_PER_WORD)).unwrap_or(i32::MAX);
        let _ = account.spend(Quota::Reductions, u64::from(work::reductions(units)));
        completion.answer(content, raises);
    }
}

/// A closure that runs on the pool.
pub(super) struct Blocking<F, P>(pub std::sync::Arc<F>, pub std::marker::PhantomData<fn() -> P>);

impl<P, F> HostFunction for Blocking<F, P>
where
    P: Send + 'static,
    F: HostFn<P>,
    F::Output: IntoTerm,
{
    fn call<'h>(&self, heap: &mut HeapRef<'h>, caller: Caller<'h>, args: &[Term<'h>]) -> HostEnd<'h> {
        match catch_unwind(AssertUnwindSafe(|| read::<P, F>(heap, caller, args))) {
            Ok((Ok(parameters), held)) => {
                let function = std::sync::Arc::clone(&self.0);
                // A panic drops the completion, which then answers.
                HostEnd::Blocking(Box::new(move |mut completion| {
                    completion.hold(held);
                    complete(completion, function.run(parameters));
                }))
            }
            Ok((Err(end), _)) => end,
            Err(panic) => panicked(heap, &*panic),
        }
    }
}

/// A closure whose future an executor runs.
pub(super) struct Awaiting<F, P, E> {
    pub function: F,
    pub executor: E,
    pub parameters: std::marker::PhantomData<fn() -> P>,
}

impl<P, F, E> HostFunction for Awaiting<F, P, E>
where
    F: HostFn<P>,
    F::Output: Future + Send + 'static,
    <F::Output as Future>::Output: IntoTerm,
    E: Fn(super::module::BoxFuture) + Clone + Send + Sync + 'static,
{
    fn call<'h>(&self, heap: &mut HeapRef<'h>, caller: Caller<'h>, args: &[Term<'h>]) -> HostEnd<'h> {
        let begun = catch_unwind(AssertUnwindSafe(|| {
            let (parameters, held) = read::<P, F>(heap, caller, args);
            parameters.map(|parameters| (self.function.run(parameters), held))
        }));
        match begun {
            Ok(Ok((future, held))) => {
                let executor = self.executor.clone();
                HostEnd::Awaiting(Box::new(move |mut completion| {
                    completion.hold(held);
                    super::future::start(future, completion, executor)
                }))
            }
            Ok(Err(end)) => end,
            Err(panic) => panicked(heap, &*panic),
        }
    }
}

/// No room for what was to be made.
impl From<AllocError> for HostEnd<'_> {
    fn from(error: AllocError) -> Self {
        HostEnd::NoMemory(error)
    }
}

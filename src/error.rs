//! What can go wrong between the host and a machine.

mod explain;

use std::borrow::Cow;
use std::fmt;

use crate::atom::AtomError;
use crate::code::LoadError;
use crate::heap::AllocError;
use crate::runtime::SpawnError;
use crate::value::{Atom, FromTerm, TermReader, Value};
use crate::vm::Diagnostics;

pub use crate::process::Class;

/// What can go wrong between the host and a machine.
///
/// It is `Send + Sync + 'static`, so `?` turns it into a `Box<dyn std::error::Error + Send + Sync>` and into what crates like `anyhow`
/// have; [`Exception`], [`Conversion`] and [`Diagnostics`] are errors by themselves too.
///
/// ```
/// use erlet::Error;
/// fn advice(error: &Error) -> &'static str {
///     match error {
///         Error::Exception(_) | Error::Exit(_) => "the script is wrong",
///         Error::Conversion(_) => "the script and the host expect different things",
///         _ => "ask for help",
///     }
/// }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused what the machine needs (a thread, a poll).
    System(std::io::Error),
    /// A module could not be loaded.
    Load(LoadError),
    /// Source text could not be compiled: everything the compiler has to say.
    Compile(Box<Diagnostics>),
    /// Erlang code raised an exception that nobody caught: class, reason and stack.
    Exception(Box<Exception>),
    /// The process ended with this reason before it had an answer: it was killed, or linked to one that failed.
    Exit(Box<Value>),
    /// A term is something else than the Rust type wants, or a Rust value is no term.
    Conversion(Box<Conversion>),
    /// No room: too many atoms or processes, or no memory.
    Limit(&'static str),
    /// A setting makes no sense.
    Setting(&'static str),
    /// The time allowed has passed.
    Timeout,
    /// The machine has been stopped.
    Stopped,
    /// The program has ended the machine by `halt`, with this status.
    Halted(i32),
    /// Nothing can happen any more in a machine without threads: all its processes wait for each other.
    Stuck,
    /// A name cannot be registered.
    Name(&'static str),
    /// A call that waits was made on one of the machine's own workers, which must never wait.
    WouldBlockScheduler,
    /// A pid, reference or fun of another machine.
    OtherVm,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::System(error) => write!(f, "the operating system refused: {error}"),
            Error::Load(error) => write!(f, "cannot load: {error}"),
            Error::Compile(diagnostics) => write!(f, "{diagnostics}"),
            Error::Exception(exception) => write!(f, "{exception}"),
            Error::Exit(reason) => write!(f, "the process ended with reason {reason}"),
            Error::Conversion(conversion) => write!(f, "{conversion}"),
            Error::Limit(what) => write!(f, "limit reached: {what}"),
            Error::Setting(what) => f.write_str(what),
            Error::Timeout => f.write_str("the time allowed has passed"),
            Error::Halted(status) => write!(f, "the program has halted the machine with status {status}"),
            Error::Stuck => f.write_str("all processes wait for each other"),
            Error::Name(why) => write!(f, "cannot register: {why}"),
            Error::Stopped => f.write_str("the machine has been stopped"),
            Error::WouldBlockScheduler => f.write_str("a blocking call on a worker of the machine"),
            Error::OtherVm => f.write_str("a pid, reference or fun of another machine"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::System(error) => Some(error),
            Error::Load(error) => Some(error),
            _ => None,
        }
    }
}

impl Error {
    /// The exception, if it is one.
    ///
    /// ```
    /// assert!(erlet::Error::Timeout.exception().is_none());
    /// ```
    pub fn exception(&self) -> Option<&Exception> {
        if let Error::Exception(exception) = self { Some(exception) } else { None }
    }

    /// Adds where it happened to an error of conversion: inside which part of what was converted.
    ///
    /// ```
    /// let error = erlet::Error::from(erlet::Conversion::new("a pid", "42")).inside(format_args!("[3]"));
    /// assert_eq!(error.to_string(), "expected a pid, found 42 at [3]");
    /// ```
    #[must_use]
    pub fn inside(mut self, part: fmt::Arguments<'_>) -> Error {
        if let Error::Conversion(conversion) = &mut self {
            conversion.path.insert_str(0, &part.to_string());
        }
        self
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        Error::System(error)
    }
}

impl From<Conversion> for Error {
    fn from(conversion: Conversion) -> Error {
        Error::Conversion(Box::new(conversion))
    }
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Error {
        Error::Load(error)
    }
}

impl From<AtomError> for Error {
    fn from(_: AtomError) -> Error {
        Error::Limit("atoms")
    }
}

impl From<AllocError> for Error {
    fn from(error: AllocError) -> Error {
        match error {
            AllocError::Limit(quota) => Error::Limit(quota.name()),
            AllocError::SystemLimit => Error::Limit("the size of a term"),
            _ => Error::Limit("memory"),
        }
    }
}

impl From<SpawnError> for Error {
    fn from(error: SpawnError) -> Error {
        match error {
            SpawnError::TooMany => Error::Limit("processes"),
            SpawnError::Memory(error) => error.into(),
            SpawnError::Arguments => Error::Limit("arguments of a function"),
        }
    }
}

/// A conversion that failed.
///
/// ```
/// let conversion = erlet::Conversion::new("a pid", "42");
/// assert_eq!(conversion.to_string(), "expected a pid, found 42");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conversion {
    /// What was expected.
    pub expected: Cow<'static, str>,
    /// What was there instead, as `~p` shows it, cut if it is long.
    pub found: String,
    /// Where: `[3]` is the element of a list (from 0), `{2}` that of a tuple (from 1), `.key` the value of a map; empty at the
    /// outermost.
    pub path: String,
}

impl Conversion {
    /// A conversion that failed at the outermost.
    ///
    /// ```
    /// let conversion = erlet::Conversion::new("an even number", "7");
    /// assert_eq!(conversion.path, "");
    /// ```
    pub fn new(expected: impl Into<Cow<'static, str>>, found: impl Into<String>) -> Conversion {
        Conversion { expected: expected.into(), found: found.into(), path: String::new() }
    }
}

impl std::error::Error for Conversion {}

impl fmt::Display for Conversion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, self.found)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, " at {}", self.path) }
    }
}

/// An exception of Erlang code: what `catch Class:Reason:Stack` binds.
///
/// It displays as OTP's shell reports it: the class, the reason in words, and a line for each call of the stack; but terms are on one
/// line however long they are, funs are shown as `#Fun<...>`, and of what is wrong with the arguments (`*** argument 1: ...`) only that
/// is told which is in the [stack](Frame::faults): that of host functions. (`erl_error:format_exception/3` tells it of natives as well.)
///
/// ```
/// # let vm = erlet::Vm::builder().threads(0).build()?;
/// let Err(erlet::Error::Exception(exception)) = vm.call::<i64>("erlang", "hd", (Vec::<i64>::new(),)) else { panic!() };
/// assert_eq!((exception.class, exception.reason.as_atom()), (erlet::Class::Error, Some("badarg")));
/// assert!(exception.to_string().starts_with("exception error: bad argument"));
/// # Ok::<(), erlet::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Exception {
    /// `error`, `exit` or `throw`.
    pub class: Class,
    /// The reason.
    pub reason: Value,
    /// The calls it came through, the innermost first.
    pub stack: Vec<Frame>,
}

/// A call in a stack trace.
///
/// ```
/// fn place(frame: &erlet::Frame) -> String {
///     format!("{}:{}", frame.file.as_deref().unwrap_or("?"), frame.line.unwrap_or(0))
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Frame {
    /// The module.
    pub module: Atom,
    /// The function.
    pub function: Atom,
    /// How many arguments it has.
    pub arity: usize,
    /// Its arguments, where the trace has them: for the innermost call of `function_clause`, `undef` and the errors of natives.
    pub arguments: Option<Vec<Value>>,
    /// The source file, if it is known.
    pub file: Option<String>,
    /// The line in it.
    pub line: Option<u32>,
    /// What is wrong with which argument, counted from 1: for the `badarg` of a host function whose argument is no term of its
    /// parameter's type.
    pub faults: Vec<(usize, String)>,
}

impl Exception {
    /// An exception of this class, reason and stack trace (a list, as Erlang has it; what is no call in it is left out).
    ///
    /// ```
    /// use erlet::{Class, Exception, Value};
    /// let exception = Exception::new(Class::Throw, Value::atom("ball"), &Value::NIL);
    /// assert_eq!(exception.to_string(), "exception throw: ball");
    /// ```
    pub fn new(class: Class, reason: Value, stack: &Value) -> Exception {
        let frames = stack.as_list().unwrap_or_default().iter().filter_map(Frame::of);
        Exception { class, reason, stack: frames.collect() }
    }
}

impl Frame {
    /// `{Module, Function, ArityOrArguments, Location}`.
    fn of(value: &Value) -> Option<Frame> {
        let [Value::Atom(module), Value::Atom(function), arity, location] = value.as_tuple()? else {
            return None;
        };
        let arguments = arity.as_list().map(<[Value]>::to_vec);
        let arity = match &arguments {
            Some(arguments) => arguments.len(),
            None => usize::try_from(arity.as_int()?).ok()?,
        };
        let of = |key: &str| {
            location.as_list()?.iter().find_map(|entry| match entry.as_tuple()? {
                [tag, value] if *tag == key => Some(value),
                _ => None,
            })
        };
        let line = of("line").and_then(Value::as_int).and_then(|line| u32::try_from(line).ok());
        let faults = of("error_info").map(faults).unwrap_or_default();
        Some(Frame {
            module: module.clone(),
            function: function.clone(),
            arity,
            arguments,
            file: of("file").and_then(Value::to_text),
            line,
            faults,
        })
    }
}

/// What the map of an entry `error_info` says of arguments by itself: `#{cause => #{Argument => Text}}`.
fn faults(info: &Value) -> Vec<(usize, String)> {
    let Value::Map(info) = info else { return Vec::new() };
    let Some(Value::Map(cause)) = info.get(&Value::atom("cause")) else { return Vec::new() };
    let fault = |(argument, text): (&Value, &Value)| {
        Some((usize::try_from(argument.as_int()?).ok()?, text.to_text()?))
    };
    cause.iter().filter_map(fault).collect()
}

impl std::error::Error for Exception {}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        explain::exception(f, self)
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}:{:?}/{}", self.module, self.function, self.arity)?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, " ({file}, line {line})"),
            _ => Ok(()),
        }
    }
}

/// From `{Class, Reason, Stacktrace}`.
impl FromTerm for Exception {
    fn from_term(term: crate::term::Term<'_>, reader: &TermReader<'_>) -> Result<Exception, Error> {
        let class = match term.as_tuple() {
            Some([class, _, _]) => class.as_atom().and_then(crate::bif::class_of),
            _ => None,
        };
        let (Some(class), Some([_, reason, stack])) = (class, term.as_tuple()) else {
            return Err(reader.mismatch("{Class, Reason, Stacktrace}", term));
        };
        Ok(Exception::new(class, reader.read(*reason)?, &reader.read(*stack)?))
    }
}

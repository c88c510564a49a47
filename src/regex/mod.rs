//! Regular expressions as module `re` means them: the syntax and the matching rules of PCRE 8.44.
//!
//! A pattern is parsed ([`parse`]) into a flat tree ([`ast`]), the tree is emitted ([`emit`]) as a [`Program`] of simple
//! instructions, and a [`Machine`](machine) runs the program over the subject, backtracking over a stack of its own. So every
//! construct of PCRE has its place (back references, recursion, conditions, verbs), which engines without backtracking
//! cannot give, and a pattern means here what its author tried it out to mean.
//!
//! What keeps a pattern from doing harm:
//! - [`Meter`]: whoever compiles or matches is told of the work and of the memory before it is done, and can stop it.
//! - Limits: a match gives up after [`Limits::steps`] choices, as PCRE does, and a pattern that would expand to too large a
//!   program is refused.
//! - No native recursion: groups nest on the parser's stack, the emitter's and the machine's.
//!
//! Subjects and patterns are bytes. With [`Options::unicode`] they are UTF-8, which the caller has checked; without, a
//! byte is a character of Latin-1.
//!
//! Rejected: a translation to the syntax of another engine (what they leave out, or mean otherwise, is just what would go unnoticed),
//! and PCRE itself (a compiler for C where the library is built, and a stack that the machine does not see).
//!
//! Invariant: nothing here knows of terms or processes.

mod ast;
mod cache;
mod class;
mod emit;
mod escape;
mod fault;
mod group;
mod letters;
mod machine;
mod parse;
mod probe;
mod program;
mod properties;
mod reference;
mod scan;
mod set;
mod start;
mod unwind;

#[cfg(test)]
mod tests;

pub use cache::Cache;
pub use fault::{CompileError, Fault};
pub use machine::{Found, MatchError, MatchOptions};
pub use program::Program;

/// What ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Newline {
    /// A carriage return.
    Cr,
    /// A line feed.
    Lf,
    /// The two of them, in this order.
    CrLf,
    /// Any of the three.
    AnyCrLf,
    /// Anything that Unicode takes for the end of a line.
    Any,
}

/// How a pattern is to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    pub anchored: bool,
    pub caseless: bool,
    pub dollar_endonly: bool,
    pub dotall: bool,
    pub dupnames: bool,
    pub extended: bool,
    pub firstline: bool,
    pub multiline: bool,
    pub never_utf: bool,
    pub no_auto_capture: bool,
    pub no_start_optimize: bool,
    pub ucp: bool,
    pub ungreedy: bool,
    pub unicode: bool,
    pub newline: Newline,
    /// `\R` is a carriage return, a line feed, or both; else anything that Unicode takes for the end of a line.
    pub bsr_anycrlf: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            anchored: false,
            caseless: false,
            dollar_endonly: false,
            dotall: false,
            dupnames: false,
            extended: false,
            firstline: false,
            multiline: false,
            never_utf: false,
            no_auto_capture: false,
            no_start_optimize: false,
            ucp: false,
            ungreedy: false,
            unicode: false,
            newline: Newline::Lf,
            bsr_anycrlf: false,
        }
    }
}

/// How much a match may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Choices made.
    pub steps: u64,
    /// Choices that are open at a time.
    pub depth: u64,
}

/// As PCRE is built for OTP.
pub const DEFAULT_LIMIT: u64 = 10_000_000;

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: DEFAULT_LIMIT, depth: DEFAULT_LIMIT }
    }
}

/// Who pays for the work. Both answer `false` if it is to stop; what it stops with is the meter's own business.
pub trait Meter {
    /// So many units of work, some nanoseconds each, come next or were just done.
    fn work(&mut self, units: usize) -> bool;
    /// So many bytes in all will be held.
    fn hold(&mut self, bytes: usize) -> bool;
}

/// Compiles a pattern.
///
/// # Errors
/// A fault of the pattern, or that the meter stopped it.
pub fn compile(pattern: &[u8], options: Options, meter: &mut dyn Meter) -> Result<Program, CompileError> {
    let tree = parse::parse(pattern, options, meter)?;
    emit::emit(tree, meter)
}

/// Matches once, at or after a position of the subject.
///
/// # Errors
/// That a limit was reached, or that the meter stopped it.
pub fn run(
    program: &Program,
    subject: &[u8],
    options: MatchOptions,
    meter: &mut dyn Meter,
) -> Result<Option<Found>, MatchError> {
    machine::run(program, subject, options, meter)
}

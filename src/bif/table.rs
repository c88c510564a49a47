//! The table of natives: one row each, sorted by module, function and arity.
//!
//! A row says: class, module, function/arity, capability, and the Rust function. The classes:
//! - `guard`: allowed in guards; no effect, quick, result depends on the arguments alone;
//! - `pure`: no effect, but may be long or raise anything;
//! - `effect`: everything else.
//!
//! The capability is what the caller's account must be granted (`none` for most).

use super::{BifResult, Cx};
use crate::code::BifId;
use crate::term::Term;

/// The class of a native.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purity {
    Guard,
    Pure,
    Effect,
}

/// What an account must be granted to call a native.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capability {
    None,
    File,
    Net,
    Env,
    Subprocess,
    Clock,
    Code,
    Process,
}

/// One native.
pub struct Row {
    pub module: &'static str,
    pub function: &'static str,
    pub arity: u8,
    pub class: Purity,
    pub capability: Capability,
    /// Calls it; `args` has `arity` terms.
    pub call: Call,
}

/// How the interpreter calls a native.
pub type Call = for<'h> fn(&mut Cx<'h>, &[Term<'h>]) -> BifResult<'h>;

macro_rules! class {
    (guard) => {
        Purity::Guard
    };
    (pure) => {
        Purity::Pure
    };
    (effect) => {
        Purity::Effect
    };
}

macro_rules! capability {
    (none) => {
        Capability::None
    };
    (file) => {
        Capability::File
    };
    (net) => {
        Capability::Net
    };
    (env) => {
        Capability::Env
    };
    (subprocess) => {
        Capability::Subprocess
    };
    (clock) => {
        Capability::Clock
    };
    (code) => {
        Capability::Code
    };
    (process) => {
        Capability::Process
    };
}

macro_rules! natives {
    ($($class:ident $module:literal $function:literal / $arity:literal $capability:ident $($path:ident)::+;)*) => {
        /// Module, function and arity of each row.
        pub const NAMES: &[(&str, &str, u8)] = &[$(($module, $function, $arity)),*];

        /// The natives; the index of a row is its [`BifId`].
        pub static ROWS: &[Row] = &[$(Row {
            module: $module,
            function: $function,
            arity: $arity,
            class: class!($class),
            capability: capability!($capability),
            call: {
                fn call<'h>(cx: &mut Cx<'h>, args: &[Term<'h>]) -> BifResult<'h> {
                    let args: [Term<'h>; $arity] =
                        args.try_into().expect("the loader passes as many arguments as the row says");
                    super::$($path)::+(cx, args)
                }
                call
            },
        }),*];
    };
}

/// The number of a native by name, for use in constants.
///
/// # Panics
/// If there is no such row: in a constant, that is an error of the build.
pub const fn id(module: &str, function: &str, arity: u8) -> BifId {
    let mut index = 0;
    while index < NAMES.len() {
        let (row_module, row_function, row_arity) = NAMES[index];
        if row_arity == arity && equal(row_module, module) && equal(row_function, function) {
            return BifId(index as u16);
        }
        index += 1;
    }
    panic!("no such native");
}

const fn equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}

natives! {
    guard "erlang" "+"/2 none erlang::operator::plus;
}

#[cfg(test)]
mod tests {
    use super::ROWS;

    #[test]
    fn rows_are_sorted_and_distinct() {
        let names: Vec<_> = ROWS.iter().map(|row| (row.module, row.function, row.arity)).collect();
        for pair in names.windows(2) {
            assert!(pair[0] < pair[1], "{:?} must come before {:?}", pair[1], pair[0]);
        }
    }
}

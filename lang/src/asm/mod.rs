//! Modules as assembler text, and back: what `erlet compile -S` shows, and how tests write code by hand.
//!
//! One statement a line; `%` starts a comment. A module is its name, its functions, and its tables:
//!
//! ```text
//! module hello
//! file "hello.erl"
//!
//! function main/1 exported
//!     line "hello.erl":4
//!     is_cons L1, x0
//!     get_hd x0, x0
//!     call_ext_only io:put_chars/1
//! L1:
//!     move #0, x0                              % {error,usage}
//!     return
//!
//! literal #0 = {error, usage}
//! atoms hello, main, io, put_chars, error, usage
//! imports io:put_chars/1
//! lines "hello.erl":4
//! ```
//!
//! Operands stand in the order of the instruction's row (see [`instr`](crate::bytecode::instr)); numbers are named
//! (`live=2`), all others are known by their form: registers `x0` and `y0`, labels `L1`, literals `#0`, funs `fun#0`,
//! functions `f/1`, external functions `m:f/1`. `raise` as a `fail` operand means none. `function f/2 contexts 0, 1` says in which
//! parameters local calls may pass match contexts.
//!
//! [`print()`] writes all tables, so that [`parse()`] gives the same module again; a text by hand may leave out those
//! of atoms, imports, lines and files: rows are added as they are met. Rows that a table has twice are not kept apart.

mod cursor;
mod operand;
mod parse;
mod print;

pub use parse::{AsmError, parse};
pub use print::{instruction, print};

#[cfg(test)]
mod tests;

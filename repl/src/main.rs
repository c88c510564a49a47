//! The `erlet` command.
//!
//! A thin shell around the crate `erlet`: it reads the command line ([`command`]), finds and compiles sources
//! ([`source`]), and hands modules to a virtual machine through the public API ([`run`]), or lets people type at one ([`shell`]). What
//! it prints, and how it ends, is its own business and nobody else's: the library never prints, and never exits a process.
//!
//! # Exit codes
//!
//! | code | meaning |
//! |---|---|
//! | 0 | all is well |
//! | 1 | the program ended by an uncaught exception, or a source has errors |
//! | 2 | the command line is wrong, or a file is missing or cannot be run |
//! | 130 | interrupted (Ctrl-C) |
//! | 141 | whoever read its output has gone |
//!
//! `halt(N)` in a program ends the command with N.

#![forbid(unsafe_code)]

mod bench;
mod command;
mod eval;
mod explain;
mod listing;
mod message;
mod output;
mod run;
mod shell;
mod source;
mod statistics;
mod test;
mod transform;

use std::process::ExitCode;

use clap::Parser;
use command::{Command, Line};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The program failed, or a source has errors.
pub const FAILED: u8 = 1;

/// The command line or a file is at fault.
pub const UNUSABLE: u8 = 2;

/// Ctrl-C, as shells report it: 128 and the signal's number.
pub const INTERRUPTED: i32 = 130;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    allow_huge_pages();
    let line = Line::parse_from(command::with_long_path(std::env::args_os()));
    match line.command {
        None => shell::shell(&line.shell),
        Some(Command::Shell(options)) => shell::shell(&options),
        Some(Command::Completions(options)) => put(&command::completions(&options)),
        Some(Command::Man) => put(&command::manual()),
        Some(Command::Run(options)) if options.shell => shell::with_program(&options),
        Some(Command::Run(options)) => run::run(&options),
        Some(Command::Eval(options)) => eval::eval(&options),
        Some(Command::Bench(options)) => bench::bench(&options),
        Some(Command::Check(options)) => listing::check(&options),
        Some(Command::Explain(options)) => explain::explain(&options),
        Some(Command::Test(options)) => test::test(&options),
        Some(Command::Compile(options)) => listing::compile(&options),
        Some(Command::Disasm(options)) => listing::disasm(&options),
    }
}

/// The allocator has switched huge pages off for the whole program, so that small heaps stay small where the system gives
/// them to everybody. Where it gives them to those alone that ask, they are allowed again: large heaps ask, and nobody else.
#[cfg(target_os = "linux")]
fn allow_huge_pages() {
    let given = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled");
    if given.is_ok_and(|given| given.contains("[madvise]")) {
        // Without them all goes as before.
        let _ = rustix::thread::disable_transparent_huge_pages(false);
    }
}

/// Prints what was asked for.
fn put(text: &[u8]) -> ExitCode {
    use std::io::Write;
    match output::StandardOutput.write_all(text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(FAILED),
    }
}

/// Says on standard error what is wrong, in the form of all other messages.
pub fn complain(text: &str) {
    eprintln!("error: {text}");
}

//! The command line: what may be written after `erlet`.
//!
//! Options of `run` come before the file; everything after it belongs to the program, dashes or not. Erlang's `-pa`
//! is no option in the style of today's command lines, so it is turned into `--path` before parsing.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand};

use crate::message::MessageFormat;

/// A small, fast Erlang: compiles and runs Erlang programs on a preemptive virtual machine.
#[derive(Parser)]
#[command(
    name = "erlet",
    version,
    disable_help_subcommand = true,
    args_conflicts_with_subcommands = true,
    after_help = after_help()
)]
pub struct Line {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub shell: Shell,
}

const AFTER_HELP: &str = "\
Exit codes: 0 all is well; 1 the program ended by an uncaught exception, or a source has errors; 2 the command line or
a file is at fault; 130 interrupted; 141 whoever read its output has gone; halt(N) in a program exits with N.
Colours are off when NO_COLOR is set or standard error is not a terminal.";

/// The variables of the environment that erlet reads.
const ENVIRONMENT: &[(&str, &str)] = &[
    (
        "ERLET_INIT",
        "the shell's start file, in place of ~/.config/erlet/init.erl or ~/.erlang; empty for none",
    ),
    (
        "ERLET_HISTORY",
        "where the shell keeps its history, in place of ~/.local/state/erlet/history; empty for nowhere",
    ),
    ("ERLET_KEYS", "vi for the keys of vi at the prompt, else those of Emacs"),
    ("ERLET_STDLIB_DIR", "a folder of sources in place of the standard library, for work on it"),
    ("XDG_CONFIG_HOME", "the folder in place of ~/.config"),
    ("XDG_STATE_HOME", "the folder in place of ~/.local/state"),
    ("NO_COLOR", "if not empty, nothing is coloured"),
    ("TERM", "if it is dumb, the shell reads plain lines"),
];

fn after_help() -> String {
    let width = ENVIRONMENT.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let rows = ENVIRONMENT.iter().map(|(name, text)| format!("\n  {name:width$}  {text}"));
    format!("{AFTER_HELP}\n\nEnvironment:{}", rows.collect::<String>())
}

#[derive(Subcommand)]
pub enum Command {
    /// Compile a file in memory and run its main/1, main/0 or start/0
    Run(Run),
    /// Evaluate expressions and print the value of the last
    Eval(Eval),
    /// Measure the benchmarks of files
    Bench(Bench),
    /// Report errors and warnings in files, without running them
    Check(Check),
    /// Explain the code of a diagnostic, with examples; without a code, list all
    Explain(Explain),
    /// Run the EUnit tests of files, and of all files in folders
    Test(Test),
    /// Compile a file and show the code
    Compile(Compile),
    /// Show a file's code as loaded into the virtual machine
    Disasm(Disasm),
    /// Open the interactive shell; so does `erlet` alone
    Shell(Shell),
    /// Print completions for a command shell
    Completions(Completions),
    /// Print the manual page
    Man,
}

#[derive(Args)]
pub struct Completions {
    /// bash, elvish, fish, powershell or zsh
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: clap_complete::Shell,
}

/// The completions of a command shell, to be put where it looks for them.
pub fn completions(options: &Completions) -> Vec<u8> {
    let mut out = Vec::new();
    clap_complete::generate(options.shell, &mut Line::command(), "erlet", &mut out);
    out
}

/// The manual page.
pub fn manual() -> Vec<u8> {
    let mut out = Vec::new();
    // Vectors take everything.
    let _ = clap_mangen::Man::new(Line::command().after_help(AFTER_HELP)).render(&mut out);
    out.extend_from_slice(b".SH ENVIRONMENT\n");
    for (name, text) in ENVIRONMENT {
        out.extend_from_slice(format!(".TP\n\\fB{name}\\fR\n{text}\n").as_bytes());
    }
    out
}

#[derive(Args)]
pub struct Run {
    #[command(flatten)]
    pub source: SourceOptions,
    #[command(flatten)]
    pub machine: MachineOptions,
    /// Print at the end, to standard error, what the program cost: reductions, messages, collections, memory ...
    #[arg(long)]
    pub stats: bool,
    /// Open the interactive shell, with the program running
    #[arg(long, conflicts_with_all = ["stats", "seed"])]
    pub shell: bool,
    /// The program: an Erlang source file; a first line `#!...` and no -module are fine
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Arguments of the program, given to main/1 as strings
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<String>,
}

#[derive(Args)]
pub struct Eval {
    #[command(flatten)]
    pub source: SourceOptions,
    #[command(flatten)]
    pub machine: MachineOptions,
    /// Expressions separated by commas; the full stop at the end may be left out
    #[arg(value_name = "EXPR")]
    pub exprs: String,
}

#[derive(Args)]
#[command(after_help = BENCH_HELP)]
pub struct Bench {
    #[command(flatten)]
    pub source: SourceOptions,
    #[command(flatten)]
    pub machine: MachineOptions,
    /// Only the benchmarks whose names contain TEXT
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub only: String,
    /// Repeat each benchmark for MS milliseconds
    #[arg(long, value_name = "MS", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    pub time: u32,
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}

const BENCH_HELP: &str = "\
A file exports bench/0, which returns a list of entries {Name, N, Fun}: Fun/0 performs N operations. Each runs once to
warm up and then again and again. Printed are, separated by tabs: the name, nanoseconds per operation in the median
repetition, the number of repetitions, and nanoseconds per operation in the fastest one. An entry {Name, metrics, Fun}
returns [{Name, Integer}], which is printed as it is.";

#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    pub source: SourceOptions,
    /// How to show what is found
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub message_format: MessageFormat,
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}

#[derive(Args)]
pub struct Explain {
    /// A code, as in error[E0301]
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

#[derive(Args)]
pub struct Test {
    #[command(flatten)]
    pub source: SourceOptions,
    #[command(flatten)]
    pub machine: MachineOptions,
    /// Name every test, not only those that fail
    #[arg(short, long)]
    pub verbose: bool,
    /// Source files, and folders of them
    #[arg(value_name = "FILE|DIR", required = true)]
    pub files: Vec<PathBuf>,
}

#[derive(Args)]
pub struct Compile {
    #[command(flatten)]
    pub source: SourceOptions,
    /// Show the generic instructions (the only kind of output there is)
    #[arg(short = 'S', long = "assembly", required = true)]
    pub assembly: bool,
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

#[derive(Args)]
pub struct Disasm {
    #[command(flatten)]
    pub source: SourceOptions,
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

#[derive(Args, Default)]
pub struct Shell {
    #[command(flatten)]
    pub source: SourceOptions,
    #[command(flatten)]
    pub machine: MachineOptions,
    /// Evaluate expressions before the first prompt; may be given several times
    #[arg(short = 'e', long, value_name = "EXPR")]
    pub eval: Vec<String>,
}

/// How sources are found and read.
#[derive(Args, Clone, Default)]
pub struct SourceOptions {
    /// Search DIR for included files
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Define a macro; without a term it is true
    #[arg(short = 'D', long = "define", value_name = "NAME[=TERM]", value_parser = define)]
    pub define: Vec<Definition>,
    /// Search DIR for modules that the program calls (also -pa DIR), before the standard library and the program's own folder
    #[arg(short = 'p', long = "path", value_name = "DIR")]
    pub path: Vec<PathBuf>,
    /// The parse transforms that are at work: sources are compiled for them.
    #[arg(skip)]
    pub transforming: Vec<String>,
}

/// How the virtual machine runs.
#[derive(Args, Clone, Default)]
pub struct MachineOptions {
    /// Threads that run processes [default: one for each usable core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub schedulers: Option<u16>,
    /// Run on one thread with virtual time, all chances decided by N: the same seed, the same run
    #[arg(long, value_name = "N", conflicts_with = "schedulers")]
    pub seed: Option<u64>,
}

/// `-D NAME=TERM`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    pub value: Option<String>,
}

fn define(text: &str) -> Result<Definition, String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_string())),
        None => (text, None),
    };
    let mut chars = name.chars();
    let starts = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    if !starts || !chars.all(|c| c.is_alphanumeric() || c == '_' || c == '@') {
        return Err(format!("`{name}` is not a macro name"));
    }
    Ok(Definition { name: name.to_string(), value })
}

/// The arguments with `-pa` replaced by `--path`, as far as they are the command's own.
pub fn with_long_path(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let takes_value = ["-I", "-D", "-p", "-pa", "--include", "--define", "--path", "--schedulers", "--seed"];
    let mut out: Vec<OsString> = Vec::new();
    let mut positionals = 0;
    let mut value_next = false;
    for (i, arg) in args.enumerate() {
        let text = arg.to_string_lossy().into_owned();
        // Before the file: the command's own name, the subcommand, options and their values.
        let own = i > 0 && positionals < 2;
        if own && !value_next && text == "-pa" {
            out.push("--path".into());
            value_next = true;
            continue;
        }
        if own && !value_next && text == "--" {
            positionals = 2;
        } else if own && !value_next && !text.starts_with('-') {
            positionals += 1;
        }
        value_next = own && !value_next && takes_value.contains(&text.as_str());
        out.push(arg);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long_path(args: &str) -> String {
        let out = with_long_path(args.split(' ').map(OsString::from));
        out.iter().map(|a| a.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pa_is_path_before_the_file_only() {
        assert_eq!(long_path("erlet run -pa lib x.erl -pa y"), "erlet run --path lib x.erl -pa y");
        assert_eq!(long_path("erlet run -I -pa x.erl"), "erlet run -I -pa x.erl");
        assert_eq!(
            long_path("erlet run --seed 1 -pa a -pa b x.erl"),
            "erlet run --seed 1 --path a --path b x.erl"
        );
        assert_eq!(long_path("erlet run x.erl -- -pa"), "erlet run x.erl -- -pa");
    }

    #[test]
    fn macros_have_names() {
        assert_eq!(define("A"), Ok(Definition { name: "A".into(), value: None }));
        assert_eq!(define("A=[1,2]"), Ok(Definition { name: "A".into(), value: Some("[1,2]".into()) }));
        assert!(define("1").is_err());
        assert!(define("=x").is_err());
    }

    #[test]
    fn arguments_of_the_program_are_left_alone() {
        let line = Line::parse_from(["erlet", "run", "--seed", "7", "x.erl", "-v", "--help", "a b"]);
        let Some(Command::Run(run)) = line.command else { panic!("it is `run`") };
        assert_eq!(run.args, ["-v", "--help", "a b"]);
        let line = Line::parse_from(["erlet", "run", "x.erl", "--", "a", "--", "b"]);
        let Some(Command::Run(run)) = line.command else { panic!("it is `run`") };
        assert_eq!(run.args, ["a", "--", "b"]);
    }
}

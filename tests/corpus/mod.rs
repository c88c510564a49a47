//! The Erlang programs under `tests/` and `examples/`, and what each says about itself.
//!
//! A program is an ordinary module with a `main/0` (or `main/1`), and comments that say what must happen:
//!
//! | comment | meaning |
//! |---|---|
//! | `%% expect: TEXT` | the next line of its output |
//! | `%% expect error: REASON` | it ends by an uncaught error with this reason, as `~0tp` prints it |
//! | `%% expect exit: REASON` | it ends with this exit reason |
//! | `%% expect refused: TEXT` | it does not compile, and a diagnostic contains TEXT |
//! | `%% args: A B` | arguments of `main/1`, separated by spaces |
//! | `%% stdin: TEXT` | the next line of its input |
//! | `%% differs from OTP 25: REASON` | a known difference: the expectation is not what OTP 25 does |
//! | `%% plain only: REASON` | not run under stress and seeds |
//! | `%% without stress: REASON` | not run under stress |
//! | `%% never on OTP: REASON` | not run on OTP |
//! | `%% unsupported: WHAT` | uses something that may still be refused as not supported; if it compiles, it must work |
//!
//! Examples have no such comments, since they are there to be read: what they print is in `tests/examples/NAME.out`,
//! where a last line `...` stands for anything.

#![allow(dead_code, reason = "each test that includes this module uses its own part of it")]

use std::fs;
use std::path::{Path, PathBuf};

/// How a program is expected to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Normal,
    Error(String),
    Exit(String),
    Refused(String),
}

/// A program and its expectations.
#[derive(Clone, Debug)]
pub struct Program {
    pub path: PathBuf,
    pub name: String,
    pub source: String,
    pub output: Vec<String>,
    /// Only the beginning of the output is given.
    pub open: bool,
    pub end: End,
    pub args: Vec<String>,
    pub stdin: String,
    pub differs: Option<String>,
    pub unsupported: bool,
    /// Too heavy for stress and seeds.
    pub plain_only: bool,
    /// Too heavy for a collection at every safepoint.
    pub without_stress: bool,
    /// Would end OTP's virtual machine.
    pub never_on_otp: bool,
}

/// The root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All programs of the folders, in the order of their names.
pub fn programs(folders: &[&str]) -> Vec<Program> {
    let mut files = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(root().join(folder)).expect("the folder is there").flatten() {
            if entry.path().extension().is_some_and(|e| e == "erl") {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    files.iter().map(|f| read(f)).collect()
}

fn read(path: &Path) -> Program {
    let source = fs::read_to_string(path).expect("programs are UTF-8");
    let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
    let mut program = Program {
        path: path.to_path_buf(),
        name,
        output: Vec::new(),
        open: false,
        end: End::Normal,
        args: Vec::new(),
        stdin: String::new(),
        differs: None,
        unsupported: false,
        plain_only: false,
        without_stress: false,
        never_on_otp: false,
        source: String::new(),
    };
    for line in source.lines() {
        let Some(tag) = line.strip_prefix("%% ") else { continue };
        if let Some((key, value)) = tag.split_once(':') {
            note(&mut program, key, value.strip_prefix(' ').unwrap_or(value));
        }
    }
    if let Ok(text) = fs::read_to_string(root().join(format!("tests/examples/{}.out", program.name))) {
        program.output = text.lines().map(str::to_string).collect();
        if program.output.last().is_some_and(|l| l == "...") {
            program.output.pop();
            program.open = true;
        }
    }
    program.source = source;
    program
}

fn note(program: &mut Program, key: &str, value: &str) {
    let text = value.to_string();
    match key {
        "expect" => program.output.push(text),
        "expect error" => program.end = End::Error(text),
        "expect exit" => program.end = End::Exit(text),
        "expect refused" => program.end = End::Refused(text),
        "args" => program.args = value.split_whitespace().map(str::to_string).collect(),
        "stdin" => {
            program.stdin.push_str(value);
            program.stdin.push('\n');
        }
        "differs from OTP 25" => program.differs = Some(text),
        "unsupported" => program.unsupported = true,
        "plain only" => program.plain_only = true,
        "without stress" => program.without_stress = true,
        "never on OTP" => program.never_on_otp = true,
        _ => {}
    }
}

impl Program {
    /// Whether it is expected to compile.
    pub fn compiles(&self) -> bool {
        !matches!(self.end, End::Refused(_))
    }

    /// The text that a run should leave: its output, and a line `** error: R` or `** exit: R` if it fails.
    pub fn expected(&self) -> String {
        let mut text: String = self.output.iter().flat_map(|l| [l.as_str(), "\n"]).collect();
        match &self.end {
            End::Error(reason) => text.push_str(&format!("** error: {reason}\n")),
            End::Exit(reason) => text.push_str(&format!("** exit: {reason}\n")),
            End::Normal | End::Refused(_) => {}
        }
        text
    }

    /// Whether `actual` is what was expected; a missing line break at the end counts as one.
    pub fn accepts(&self, actual: &str) -> bool {
        let (expected, actual) = (self.expected(), with_line_end(actual));
        if self.open { actual.starts_with(&expected) } else { actual == expected }
    }

    /// The two texts side by side, from the first line that differs.
    pub fn difference(&self, actual: &str) -> String {
        let expected = self.expected();
        let (mut left, mut right) = (expected.lines(), actual.lines());
        let mut line = 1;
        loop {
            match (left.next(), right.next()) {
                (Some(a), Some(b)) if a == b => line += 1,
                (None, None) => return "the line breaks differ".to_string(),
                (a, b) => {
                    let show = |l: Option<&str>| l.map_or("(nothing)".to_string(), |l| format!("{l:?}"));
                    return format!("line {line}: expected {}, got {}", show(a), show(b));
                }
            }
        }
    }
}

fn with_line_end(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') { text.to_string() } else { format!("{text}\n") }
}

//! Every program of `tests/` and `examples/` on Erlang/OTP too, where `escript` is installed.
//!
//! The expectations in the programs are checked here against OTP; `tests/programs.rs` checks erlet against them. So the
//! two agree as far as the programs go, except for the known differences that the programs name themselves.

mod corpus;

use std::collections::HashMap;
use std::process::Command;

use corpus::{Program, programs};

/// How many programs one instance of OTP runs: few enough for two instances to share the work evenly.
const BATCH: usize = 60;

#[test]
fn otp_agrees_with_the_expectations() {
    if Command::new("escript").arg("--version").output().is_err() {
        eprintln!("skipped: no escript on this machine");
        return;
    }
    let mut all = programs(&["tests/lang", "tests/bif", "tests/process", "examples"]);
    all.retain(|p| !p.never_on_otp);
    let batches: Vec<&[Program]> = all.chunks(BATCH).collect();
    let results: HashMap<String, String> = std::thread::scope(|scope| {
        let halves = batches.chunks(batches.len().div_ceil(2));
        let runs: Vec<_> = halves
            .map(|half| scope.spawn(move || half.iter().flat_map(|b| run(b)).collect::<Vec<_>>()))
            .collect();
        runs.into_iter().flat_map(|r| r.join().expect("the runner does not panic")).collect()
    });
    let mut offences = Vec::new();
    for program in &all {
        let Some(actual) = results.get(&program.name) else {
            offences.push(format!("{}: no answer", program.name));
            continue;
        };
        if let Some(offence) = judge(program, actual) {
            offences.push(format!("{}: {offence}", program.path.display()));
        }
    }
    assert!(offences.is_empty(), "{} programs:\n{}", offences.len(), offences.join("\n"));
}

/// What is wrong with OTP's answer, if anything.
fn judge(program: &Program, actual: &str) -> Option<String> {
    let refused = actual.starts_with("** compile:");
    let agrees = if program.compiles() { !refused && program.accepts(actual) } else { refused };
    match (&program.differs, agrees) {
        (None, true) | (Some(_), false) => None,
        (None, false) if !program.compiles() => Some("OTP compiles it".to_string()),
        (None, false) => Some(program.difference(actual)),
        (Some(reason), true) => Some(format!("OTP agrees, though it is said to differ: {reason}")),
    }
}

/// Name and output of each program on OTP.
fn run(batch: &[Program]) -> Vec<(String, String)> {
    let oracle = corpus::root().join("tests/oracle.escript");
    let mut command = Command::new("escript");
    // It is a part of the language from OTP 27 on, and has to be asked for before.
    command.env("ERL_FLAGS", "-enable-feature maybe_expr");
    command.arg(oracle).args(batch.iter().map(|p| &p.path)).env("LC_ALL", "C.UTF-8");
    let output = command.output().expect("escript runs");
    assert!(output.status.success(), "the oracle failed: {}", String::from_utf8_lossy(&output.stderr));
    parse(&output.stdout)
}

/// The report's parts: a line `=== FILE BYTES`, that many bytes, a line break.
fn parse(mut report: &[u8]) -> Vec<(String, String)> {
    let mut out = Vec::new();
    while let Some(end) = report.iter().position(|&b| b == b'\n') {
        let head = String::from_utf8_lossy(&report[..end]).into_owned();
        let words =
            head.strip_prefix("=== ").unwrap_or_else(|| panic!("a report begins with its file, not: {head}"));
        let mut words = words.rsplitn(2, ' ');
        let length: usize = words.next().and_then(|w| w.parse().ok()).expect("then the length");
        let file = words.next().expect("then the name");
        let body = String::from_utf8_lossy(&report[end + 1..end + 1 + length]).into_owned();
        let stem = std::path::Path::new(file).file_stem().expect("a file has a name");
        out.push((stem.to_string_lossy().into_owned(), body));
        report = &report[end + 2 + length..];
    }
    out
}

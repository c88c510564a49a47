//! Random modules on Erlang/OTP and on erlet: what they print must be the same.
//!
//! `tests/generate` makes the modules. Two children run them, many in one process: `erl` with `generate/oracle.erl`, and
//! this test program itself, so that a crash there is an answer like any other. A module that differs is made smaller as long as
//! it differs, and shown with its seed.
//!
//! `ERLET_GENERATED=FROM..TO cargo test --test generated -- --nocapture` takes those seeds instead of the few of the
//! suite; `ERLET_GENERATED_STRESS=1` runs all of them under stress, not one in eight.
//! `ERLET_GENERATED_QUICK=1` only says which modules differ. `ERLET_GENERATED=0..400 cargo test --test generated all_of_core -- --nocapture`
//! prints how often those modules have each kind of node of Core and each instruction. A thousand modules take about a minute of one core.

#[path = "generate/compare.rs"]
mod compare;
#[path = "generate/coverage.rs"]
mod coverage;
mod generate;
#[path = "generate/sides.rs"]
mod sides;

use compare::{Otp, is_ill};
use coverage::Coverage;
use generate::ModuleTree;
use proptest::strategy::ValueTree;
use sides::{Side, compiles, is_too_long};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Modules in one run of the suite; `ERLET_GENERATED` takes others.
const MODULES: Range<u64> = 0..60;

/// Modules among which all of Core and of the instructions must be: they are only compiled.
const COMPILED: Range<u64> = 0..400;

/// Modules given to the children at once.
const BATCH: usize = 50;

/// Attempts to make a module smaller.
const ATTEMPTS: usize = 1500;

/// Differences that are shown.
const SHOWN: usize = 12;

fn seeds(usual: Range<u64>) -> Range<u64> {
    let Ok(text) = std::env::var("ERLET_GENERATED") else { return usual };
    let bounds = text.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    bounds.expect("FROM..TO")
}

/// The child: does nothing unless a parent asks.
#[test]
fn in_this_process() {
    sides::serve();
}

#[test]
fn generated_modules_do_the_same_on_otp() {
    if sides::is_child() {
        return;
    }
    if Command::new("erl").args(["-noshell", "-eval", "halt()."]).output().is_err() {
        eprintln!("skipped: no erl on this machine");
        return;
    }
    let folder = folder();
    let mut otp = Otp::new(&folder);
    let program = std::env::current_exe().expect("a test has a file");
    let mut plain = Side::erlet(&program, &folder, false, None);
    let mut stress = Side::erlet(&program, &folder, true, None);
    let mut failures = Vec::new();
    let (mut run, mut refused, mut ill, mut slow) = (0, 0, 0, 0);
    let all: Vec<u64> = seeds(MODULES).collect();
    let stressed = |seed: u64| seed.is_multiple_of(8) || std::env::var("ERLET_GENERATED_STRESS").is_ok();
    for batch in all.chunks(BATCH) {
        let files: Vec<PathBuf> =
            batch.iter().map(|seed| write(&folder, *seed, &generate::tree(*seed).current())).collect();
        let chosen: Vec<usize> = (0..batch.len()).filter(|n| stressed(batch[*n])).collect();
        let files_of: Vec<PathBuf> = chosen.iter().map(|n| files[*n].clone()).collect();
        let (wanted, got, under_stress) = std::thread::scope(|scope| {
            let wanted = scope.spawn(|| otp.usual.answers(&files));
            let (got, under_stress) = (plain.answers(&files), stress.answers(&files_of));
            (wanted.join().expect("it does not panic"), got, under_stress)
        });
        for (n, seed) in batch.iter().enumerate() {
            run += 1;
            if is_ill(&wanted[n]) {
                ill += 1;
                continue;
            }
            if is_too_long(&wanted[n]) {
                eprintln!("seed {seed}: OTP took too long");
                slow += 1;
                continue;
            }
            if !compiles(&wanted[n]) && !compiles(&got[n]) {
                refused += 1;
                eprintln!(
                    "seed {seed}: refused by both: {}",
                    &wanted[n].chars().take(300).collect::<String>()
                );
                continue;
            }
            if let Some(difference) = otp.difference(&wanted[n], &got[n], &files[n]) {
                eprintln!("seed {seed}: {difference}");
                failures.push((*seed, false, difference));
            } else if let Some(at) = chosen.iter().position(|c| c == &n)
                && let Some(difference) = otp.difference(&wanted[n], &under_stress[at], &files[n])
            {
                eprintln!("seed {seed}, under stress: {difference}");
                failures.push((*seed, true, difference));
            }
        }
        eprintln!(
            "{run} modules to seed {}: {} differ, {refused} refused, {ill} that OTP cannot compile, {slow} that take it too long",
            batch.last().expect("no batch is empty"),
            failures.len(),
        );
        for file in &files {
            let _ = std::fs::remove_file(file);
        }
    }
    let mut report = String::new();
    if std::env::var("ERLET_GENERATED_QUICK").is_err() {
        for (seed, is_stress, _) in failures.iter().take(SHOWN) {
            let side = if *is_stress { &mut stress } else { &mut plain };
            let (text, difference) = shrunk(*seed, &folder, &mut otp, side);
            let mode = if *is_stress { ", under stress" } else { "" };
            report.push_str(&format!("seed {seed}{mode}: {difference}\n{text}\n"));
        }
    }
    assert!(failures.is_empty(), "{} of {run} modules differ:\n{report}", failures.len());
    assert!(refused * 50 <= run, "{refused} of {run} modules are not well-formed");
}

/// Every kind of node of Core and every generic instruction is in some of the modules.
#[test]
fn all_of_core_and_of_the_instructions_is_generated() {
    if sides::is_child() {
        return;
    }
    let mut coverage = Coverage::default();
    for seed in seeds(COMPILED) {
        coverage.add(&generate::named(&generate::tree(seed).current(), "gen_coverage"));
    }
    if std::env::var("ERLET_GENERATED").is_ok() {
        eprintln!("{}", coverage.table());
    }
    assert_eq!(coverage.missing(), Vec::<String>::new(), "never generated");
}

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("generated-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder takes files");
    folder
}

fn write(folder: &Path, seed: u64, text: &str) -> PathBuf {
    let name = format!("gen_{seed}");
    let file = folder.join(format!("{name}.erl"));
    std::fs::write(&file, generate::named(text, &name)).expect("the temporary folder takes files");
    file
}

/// The smallest module found from a seed's that still differs, and how it differs.
fn shrunk(seed: u64, folder: &Path, otp: &mut Otp, ours: &mut Side) -> (String, String) {
    let mut tree = generate::tree(seed);
    let mut last = (tree.current(), String::new());
    let mut differs = |tree: &ModuleTree| {
        let file = write(folder, seed, &tree.current());
        let (wanted, got) =
            (otp.usual.answers(std::slice::from_ref(&file)), ours.answers(std::slice::from_ref(&file)));
        if is_ill(&wanted[0]) || is_too_long(&wanted[0]) {
            None
        } else {
            otp.difference(&wanted[0], &got[0], &file)
        }
    };
    if let Some(found) = differs(&tree) {
        last.1 = found;
    } else {
        last.1 = "does not differ when it runs alone".to_string();
        return last;
    }
    let mut more = tree.simplify();
    for _ in 0..ATTEMPTS {
        if !more {
            break;
        }
        if let Some(found) = differs(&tree) {
            last = (tree.current(), found);
            more = tree.simplify();
        } else {
            more = tree.complicate();
        }
    }
    last
}

//! What Erlang/OTP and erlet make of the same thing must be the same: calls of library functions with right and wrong arguments, random
//! regular expressions, the frames in stack traces of random functions, and source files as tokens, forms and text.
//!
//! Programs in `tests/against_otp` run on both and write a line for each case. Without `erl` the tests are skipped.
//! `ERLET_ARGUMENTS=SEED,COUNT` takes another seed, and so many calls of each function; `ERLET_PATTERNS=SEED,COUNT` so many patterns,
//! `ERLET_FRAMES=SEED,COUNT` so many functions.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const MODULES: [&str; 24] = [
    "erlang",
    "lists",
    "maps",
    "binary",
    "string",
    "unicode",
    "math",
    "ets",
    "io",
    "re",
    "os",
    "atomics",
    "counters",
    "persistent_term",
    "orddict",
    "ordsets",
    "gb_trees",
    "gb_sets",
    "queue",
    "dict",
    "sets",
    "array",
    "proplists",
    "calendar",
];

/// Seed and calls of each function.
const CALLS: (&str, &str) = ("1", "20");

/// Seed and number of patterns.
const PATTERNS: (&str, &str) = ("1", "4000");

/// Seed and number of functions whose frames are looked at.
const FRAMES: (&str, &str) = ("1", "150");

/// Of so many of those functions one may differ: OTP's compiler sees more that never happens, or is never used, than ours, and then leaves
/// out frames, or gives fewer numbers and variables to what is left.
const FRAMES_FOR_ONE_DIFFERENCE: usize = 25;

/// Of the source files of the library and of the tests, one in so many is read.
const FILES: usize = 4;

/// Differences that are shown.
const SHOWN: usize = 20;

/// Parts of names of files with errors, or with the syntax of OTP 27 and 28.
const NEWER: [&str; 6] =
    ["/refused_", "sigils", "zip_generators", "strict_generators", "triple_quoted", "map_comprehensions"];

/// Functions that may differ, `MODULE:FUNCTION` or `MODULE:`, each with the reason.
const KNOWN: &[(&str, &str)] = &[
    (
        "string:split",
        "the first entry is a function inside of OTP's `string`, whose clauses ours do not have",
    ),
    ("string:replace", "as split"),
    ("string:find", "as split"),
    ("string:chomp", "as split"),
    ("string:trim", "as split"),
    ("string:lexemes", "as split"),
    ("string:nth_lexeme", "as split"),
    ("string:slice", "as split"),
    ("string:take", "as split"),
    ("string:prefix", "as split"),
    ("string:casefold", "the function that names the bytes that are no text"),
    ("string:lowercase", "as casefold"),
    ("string:uppercase", "as casefold"),
    ("string:titlecase", "as casefold, and what is left of nested lists"),
    ("string:next_", "what is left of nested lists is less nested on OTP"),
    ("string:equal", "OTP applies whatever is given as a normal form"),
    (
        "lists:merge",
        "OTP names the function of its merge that met the improper list, we the one that was called",
    ),
    ("lists:umerge", "as merge"),
    ("lists:rmerge", "as merge"),
    ("lists:rumerge", "as merge"),
    ("lists:ukeymerge", "as merge"),
    ("lists:rkeymerge", "as merge"),
    ("lists:sort", "as merge"),
    ("lists:usort", "as merge"),
    ("binary:compile_pattern", "a compiled pattern is a term of each system's own"),
    ("re:compile", "a compiled pattern is a term of each system's own"),
    ("binary:decode_hex", "OTP names its inner function, and cannot say its text"),
    ("binary:part", "OTP's own text fails for some positions"),
    ("binary:referenced_byte_size", "OTP 25 takes a bitstring"),
    ("binary:replace", "a fun as replacement is new in OTP 26"),
    ("unicode:characters_to_nf", "OTP passes numbers that are no characters"),
    ("erlang:is_record", "OTP refuses a size of 2^59 and takes a negative one"),
    ("erlang:function_exported", "OTP takes a negative arity"),
    ("erlang:binary_part", "OTP's own text fails for some positions"),
    ("erlang:exit_signal", "not documented"),
    ("erlang:process_flag", "flags that OTP alone has"),
    ("erlang:match_spec_test", "the words of a match specification's errors"),
    ("math:erfc", "the last digit"),
    ("dict:from_list", "a map inside"),
    ("sets:new", "a map, as version 2"),
    ("sets:from_list", "as new"),
    ("sets:is_set", "OTP takes any map for one"),
    ("ordsets:union", "as lists:merge"),
    ("ordsets:is_set", "OTP has no clause for an improper list"),
    ("gb_sets:from_list", "as lists:merge"),
    ("proplists:get_keys", "the set of keys so far is a map"),
    ("proplists:substitute_", "OTP names the function inside that looks for a key"),
    ("gb_sets:iterator", "a function inside has no clause for what is no tree"),
    ("gb_trees:iterator", "as gb_sets:iterator"),
    ("array:from_", "OTP names the function inside"),
    ("calendar:system_time_to_", "OTP names the function inside"),
    ("calendar:gregorian_days_to_date", "no number of days fails in a division on OTP"),
    ("calendar:local_time", "the time"),
    ("ets:match", "OTP looks at a tuple as if it were a continuation, and says why it is none"),
    ("ets:select", "as match"),
    ("re:run", "OTP leaves the explanation out where `global` is given"),
    ("os:getenv", "binaries in names"),
    ("os:putenv", "binaries in names"),
    ("os:unsetenv", "binaries in names"),
];

/// What a line says of a case.
type Answers = BTreeMap<String, String>;

/// Runs `PROGRAM:main(Arguments)` on both; of the arguments, `OUT` becomes the file each side writes. `None` without OTP.
fn answers(program: &str, arguments: &[&str]) -> Option<(Answers, Answers)> {
    if Command::new("erl").args(["-noshell", "-s", "init", "stop"]).output().is_err() {
        eprintln!("skipped: no erl on this machine");
        return None;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(program);
    // What an earlier run left behind is of no use.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder for tests can be written to");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/against_otp/{program}.erl"));
    let compiled = Command::new("erlc").args(["+nowarn", "-o"]).arg(&folder).arg(&source).status();
    assert!(compiled.expect("erlc is where erl is").success(), "{program} does not compile");
    let of = |side: &str| arguments.iter().map(|a| a.replace("OUT", side)).collect::<Vec<_>>();
    let list = of("otp").iter().map(|argument| format!("{argument:?}")).collect::<Vec<_>>().join(",");
    let mut otp = Command::new("erl");
    otp.args(["-noshell", "-eval", &format!("{program}:main([{list}]),halt().")]).env("LC_ALL", "C.UTF-8");
    let otps = run(&mut otp, &folder, "otp");
    let mut erlet = Command::new(env!("CARGO_BIN_EXE_erlet"));
    erlet.args(["run", "--path", "."]).arg(&source).args(of("erlet"));
    Some((otps, run(&mut erlet, &folder, "erlet")))
}

fn run(command: &mut Command, folder: &Path, out: &str) -> Answers {
    let quiet = command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    assert!(quiet.status().expect("it starts").success(), "{out} failed in {}", folder.display());
    let text = fs::read_to_string(folder.join(out)).expect("the program writes its file");
    let lines = text.lines().filter_map(|line| line.split_once(" -> "));
    lines.map(|(case, outcome)| (case.to_string(), outcome.to_string())).collect()
}

/// Fails if a case differs that is not known to.
fn compare(otps: &Answers, ours: &Answers, least: usize, known: impl Fn(&str, &str, &str) -> bool) {
    compare_but(otps, ours, (least, 0), known);
}

/// Fails if more than `spare` cases differ that are not known to.
fn compare_but(
    otps: &Answers,
    ours: &Answers,
    (least, spare): (usize, usize),
    known: impl Fn(&str, &str, &str) -> bool,
) {
    assert!(otps.len() >= least, "OTP answered {} cases", otps.len());
    let mut differences = Vec::new();
    for (case, outcome) in otps {
        let our = ours.get(case).map_or("no answer", |text| text);
        if our != outcome && !known(case, outcome, our) {
            differences.push(format!("{case}\n  OTP:   {outcome}\n  erlet: {our}"));
        }
    }
    let shown = differences.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("\n");
    assert!(differences.len() <= spare, "{} of {} cases differ:\n{shown}", differences.len(), otps.len());
}

/// Seed and count as the environment gives them.
fn chosen(variable: &str, usual: (&str, &str)) -> (String, String) {
    let given = std::env::var(variable).ok();
    let (seed, count) = given.as_deref().and_then(|text| text.split_once(',')).unwrap_or(usual);
    (seed.to_string(), count.to_string())
}

#[test]
fn wrong_arguments_fail_as_on_otp() {
    let (seed, count) = chosen("ERLET_ARGUMENTS", CALLS);
    let mut arguments = vec!["exports", "OUT", &seed, &count];
    arguments.extend(MODULES);
    let Some((otps, ours)) = answers("sweep", &arguments) else { return };
    compare(&otps, &ours, 1000, |call, otp, our| {
        let slow = otp == "timeout" || our == "timeout";
        slow || KNOWN.iter().any(|(function, _)| call.starts_with(function))
    });
}

#[test]
fn patterns_match_as_on_otp() {
    let (seed, count) = chosen("ERLET_PATTERNS", PATTERNS);
    let Some((otps, ours)) = answers("patterns", &["OUT", &seed, &count]) else { return };
    // After an empty match that `\K` has moved, OTP tries the same place once more.
    compare(&otps, &ours, 100, |case, _, _| case.contains("\\K") && case.contains("global"));
}

#[test]
fn frames_are_those_of_otp() {
    let (seed, count) = chosen("ERLET_FRAMES", FRAMES);
    let Some((otps, ours)) = answers("frames", &["OUT", &seed, &count]) else { return };
    let spare = otps.len() / FRAMES_FOR_ONE_DIFFERENCE;
    compare_but(&otps, &ours, (100, spare), |_, _, _| false);
}

#[test]
fn forms_are_those_of_otp() {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate has a folder in the workspace");
    let mut files: Vec<String> = ["stdlib", "tests/lang", "tests/bif"]
        .iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).expect("the folder is there"))
        .map(|entry| entry.expect("it can be read").path().display().to_string())
        // What the tests refuse, and what only newer versions read, is compared elsewhere.
        .filter(|path| path.ends_with(".erl") && !NEWER.iter().any(|name| path.contains(name)))
        .collect();
    files.sort();
    let mut arguments = vec!["OUT"];
    arguments.extend(files.iter().step_by(FILES).map(String::as_str));
    let Some((otps, ours)) = answers("forms", &arguments) else { return };
    // OTP's printed forms are not always those that were printed.
    compare(&otps, &ours, 500, |case, _, our| case.ends_with(":text") && our == "true");
}

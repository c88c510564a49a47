//! Right and wrong arguments for the functions of the libraries, on Erlang/OTP and on erlet: what comes of each call, and what is said of
//! it, must be the same.
//!
//! `tests/arguments/sweep.erl` makes the calls, on both. `ERLET_ARGUMENTS=SEED,COUNT cargo test -p erlet-repl --test arguments` takes
//! another seed and so many calls of each function.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const MODULES: [&str; 14] = [
    "erlang", "lists", "maps", "binary", "string", "unicode", "math", "ets", "io", "re", "os", "atomics", "counters",
    "persistent_term",
];

/// Seed and calls of each function.
const USUAL: (&str, &str) = ("1", "20");

/// Differences that are shown.
const SHOWN: usize = 20;

/// Functions that may differ, `MODULE:FUNCTION` or `MODULE:`, each with the reason.
const KNOWN: &[(&str, &str)] = &[
    ("string:", "the first entry is a function inside of OTP's `string` and `unicode_util`, whose clauses ours do not have"),
    ("lists:merge", "OTP names the function of its merge that met the improper list, we the one that was called"),
    ("lists:umerge", "as merge"),
    ("lists:rmerge", "as merge"),
    ("lists:rumerge", "as merge"),
    ("lists:keymerge", "as merge"),
    ("lists:ukeymerge", "as merge"),
    ("lists:rkeymerge", "as merge"),
    ("lists:rukeymerge", "as merge"),
    ("lists:sort", "as merge"),
    ("lists:usort", "as merge"),
    ("lists:keysort", "as merge"),
    ("lists:ukeysort", "as merge"),
    ("lists:enumerate", "OTP's inner function has no step"),
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
    ("ets:match", "OTP looks at a tuple as if it were a continuation, and says why it is none"),
    ("ets:select", "as match"),
    ("re:run", "OTP leaves the explanation out where `global` is given"),
    ("os:getenv", "binaries in names"),
    ("os:putenv", "binaries in names"),
    ("os:unsetenv", "binaries in names"),
];

fn run(command: &mut Command, folder: &Path, out: &str, seed: &str, count: &str) -> BTreeMap<String, String> {
    let status = command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.expect("it starts").success(), "{out}: seed {seed}, count {count}");
    let text = fs::read_to_string(folder.join(out)).expect("the sweep writes its file");
    text.lines()
        .filter_map(|line| line.split_once(" -> "))
        .map(|(call, outcome)| (call.to_string(), outcome.to_string()))
        .collect()
}

#[test]
fn wrong_arguments_fail_as_on_otp() {
    if Command::new("erl").args(["-noshell", "-s", "init", "stop"]).output().is_err() {
        eprintln!("skipped: no erl on this machine");
        return;
    }
    let given = std::env::var("ERLET_ARGUMENTS").ok();
    let (seed, count) = given.as_deref().and_then(|text| text.split_once(',')).unwrap_or(USUAL);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("arguments");
    fs::create_dir_all(&folder).expect("the folder for tests can be written to");
    let exports = folder.join("exports");
    if exports.exists() {
        fs::remove_file(&exports).expect("the file is ours");
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/arguments/sweep.erl");
    let compiled = Command::new("erlc").args(["+nowarn", "-o"]).arg(&folder).arg(&source).status();
    assert!(compiled.expect("erlc is where erl is").success());
    let list: Vec<String> = MODULES.iter().map(|module| format!("{module:?}")).collect();
    let call = format!("sweep:main([\"exports\",\"otp\",\"{seed}\",\"{count}\",{}]),halt().", list.join(","));
    let otps = run(Command::new("erl").args(["-noshell", "-eval", &call]), &folder, "otp", seed, count);
    let mut erlet = Command::new(env!("CARGO_BIN_EXE_erlet"));
    erlet.arg("run").arg(&source).args(["exports", "erlet", seed, count]).args(MODULES);
    let ours = run(&mut erlet, &folder, "erlet", seed, count);
    assert!(otps.len() > 1000, "OTP made {} calls", otps.len());
    let mut differences = Vec::new();
    for (call, outcome) in &otps {
        let our = ours.get(call).map_or("no answer", |text| text);
        let known = KNOWN.iter().any(|(function, _)| call.starts_with(function));
        if our != outcome && !known && our != "timeout" && outcome != "timeout" {
            differences.push(format!("{call}\n  OTP:   {outcome}\n  erlet: {our}"));
        }
    }
    let shown = differences.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("\n");
    assert!(differences.is_empty(), "{} of {} calls differ:\n{shown}", differences.len(), otps.len());
}

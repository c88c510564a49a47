//! What is reported of processes that an error has ended: word for word and line for line as Erlang/OTP does it.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Fields of a report that hold sizes of one machine's own.
const SIZES: [&str; 5] =
    ["heap_size: ", "stack_size: ", "reductions: ", "Total Heap Size:    ", "GC Info:            "];

/// The text without what differs from run to run: times, pids, numbers of funs and sizes.
fn comparable(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut in_details = false;
    for line in text.lines() {
        // The details of a heap go over several lines, up to the one that closes their list.
        if in_details {
            in_details = !line.ends_with(']');
            continue;
        }
        let mut line = between(line, "==== ", " ===", "TIME");
        line = between(&line, "<0.", ">", "PID").replace("<0.PID>", "<PID>");
        line = between(&line, "-fun-", "-", "N");
        if let Some((name, value)) =
            SIZES.iter().find_map(|name| line.split_once(name).map(|(_, v)| (name, v)))
        {
            in_details = name.starts_with("GC") && !value.ends_with(']') && value != "N";
            let indent = &line[..line.find(name).unwrap_or(0)];
            line = format!("{indent}{name}N");
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// Replaces what stands between each `from` and the next `to`.
fn between(line: &str, from: &str, to: &str, with: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once(from) {
        let Some((_, end)) = after.split_once(to) else { break };
        out.push_str(&format!("{before}{from}{with}{to}"));
        rest = end;
    }
    out + rest
}

#[test]
fn reports_are_those_of_otp() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reports");
    let expected =
        comparable(&fs::read_to_string(folder.join("crashes.txt")).expect("the expectations are there"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_erlet"));
    let output = command.args(["run", "crashes.erl"]).current_dir(&folder).output().expect("erlet starts");
    let text = comparable(&String::from_utf8_lossy(&output.stderr));
    // Warnings of the compiler come first.
    let text = &text[text.find("=ERROR REPORT").unwrap_or(0)..];
    for (ours, otps) in text.split("\n--- ").zip(expected.split("\n--- ")) {
        assert_eq!(ours, otps);
    }
    assert_eq!(text.matches("\n--- ").count(), expected.matches("\n--- ").count());
    assert!(output.status.success());
}

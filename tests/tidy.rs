//! The architecture's rules as a test: what a newcomer would otherwise have to be told in review.
//!
//! Every rule reads the sources as text with comments, strings and test code blanked out. A rule that is broken lists every place;
//! an exemption is a row in a table here, with its reason, so that it is seen and argued about.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The floors of `src/`: a module may use modules of lower floors, and those it is listed with.
const FLOORS: &[(u8, &[&str])] = &[
    (0, &["sync", "num", "atom", "regex", "limits"]),
    (1, &["term"]),
    (2, &["heap"]),
    (3, &["code"]),
    (4, &["process"]),
    (5, &["ets", "etf"]),
    (6, &["runtime"]),
    (7, &["bif"]),
    (8, &["interp"]),
    (9, &["sched"]),
    (10, &["vm", "value", "host", "error", "guide", "stdlib"]),
];

/// Uses of a higher floor that stand, each with its reason.
const UPWARD: &[(&str, &str, &str)] = &[];

/// Where `unsafe` may be written, by path prefix.
// `bif/cx.rs` is the one place that opens a process's heap to natives, which is what makes all of them safe.
const UNSAFE: &[&str] =
    &["src/term/", "src/heap/", "src/interp/", "src/code/", "src/process/", "src/bif/cx.rs"];

/// Longest file, in lines: about 600.
const FILE_LINES: usize = 650;

/// Files that may be longer, with the length they may have: tables, and the one loop.
const LONG_FILES: &[(&str, usize)] = &[
    // The one loop.
    ("src/interp/mod.rs", 1300),
    // The table of instructions.
    ("src/code/op.rs", 900),
    // The table of natives.
    ("src/bif/table.rs", 800),
];

/// Longest function, in lines: about 60, with room for a match over a table of cases.
const FUNCTION_LINES: usize = 90;

/// Functions that may be longer, by file and name: the one loop, and matches over tables.
const LONG_FUNCTIONS: &[(&str, &str)] = &[
    ("lang/src/verify/step.rs", "step"),
    ("src/code/load.rs", "instruction"),
    ("lang/src/forms/expr.rs", "plan_expr"),
    ("src/interp/mod.rs", "run_loop"),
];

/// Statics with interior mutability: `path NAME`, each with the reason it is not per VM.
const STATICS: &[(&str, &str, &str)] = &[
    ("src/atom/mod.rs", "KNOWN", "the atoms of every machine, made once and never changed"),
    ("src/heap/account.rs", "DEFAULT_LIMIT", "half of the memory there is, asked for once"),
    ("src/runtime/outside.rs", "PARALLEL", "whether the host has several cores, asked for once"),
    ("src/vm/common.rs", "PREFIX", "the names of every machine, made once and never changed"),
    ("src/vm/common.rs", "NATIVES", "the natives of every machine, made once and never changed"),
    ("src/heap/literal.rs", "RANGE", "the one reserved address range of the OS process"),
    ("src/runtime/mod.rs", "MACHINES", "tells the machines of one OS process apart"),
    ("src/heap/literal.rs", "ERA", "that areas of the one range are being freed, which every copy asks"),
    ("src/heap/literal.rs", "CONDEMNING", "how many machines make the era odd"),
    ("src/heap/literal.rs", "OUTSIDE", "areas of constants where no range can be reserved"),
    ("src/sched/mod.rs", "RUNS_PROCESSES", "which threads run processes is a fact about threads"),
];

/// Files that only tests use, though their names do not say so.
const TEST_FILES: &[&str] = &["src/heap/model.rs"];

/// The only doors to clocks and randomness.
const DOORS: &[&str] = &["src/runtime/clock.rs", "src/runtime/entropy.rs"];

/// A source file: its path from the root, and its text with everything that is not code blanked out.
struct Source {
    path: String,
    raw: String,
    /// Comments and strings blanked, lines kept.
    code: String,
    /// The same with `#[cfg(test)]` items blanked too.
    shipped: String,
}

impl Source {
    fn is_test(&self) -> bool {
        let named = self.path.contains("/tests/")
            || self.path.ends_with("tests.rs")
            || self.path.starts_with("tests/");
        named || TEST_FILES.contains(&self.path.as_str())
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn collect(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if path.file_name().is_some_and(|n| n != "target" && n != "snapshots") {
                collect(&path, out);
            }
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

fn sources(folders: &[&str]) -> Vec<Source> {
    let mut files = Vec::new();
    for folder in folders {
        collect(&root().join(folder), &mut files);
    }
    files.sort();
    files
        .into_iter()
        .map(|file| {
            let raw = fs::read_to_string(&file).expect("sources are UTF-8");
            let code = blank(&raw);
            let shipped = without_tests(&code);
            let path =
                file.strip_prefix(root()).expect("under the root").to_string_lossy().replace('\\', "/");
            Source { path, raw, code, shipped }
        })
        .collect()
}

/// Replaces comments, strings and character literals by spaces, keeping line breaks.
fn blank(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut i = 0;
    while i < chars.len() {
        let end = match chars[i] {
            '/' if chars.get(i + 1) == Some(&'/') => line_end(&chars, i),
            '/' if chars.get(i + 1) == Some(&'*') => comment_end(&chars, i),
            '"' => string_end(&chars, i + 1),
            'r' if starts_raw(&chars, i) => raw_end(&chars, i),
            '\'' => char_end(&chars, i),
            _ => i,
        };
        if end == i {
            out.push(chars[i]);
            i += 1;
        } else {
            out.extend(chars[i..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
            i = end;
        }
    }
    out
}

fn line_end(chars: &[char], from: usize) -> usize {
    (from..chars.len()).find(|&i| chars[i] == '\n').unwrap_or(chars.len())
}

fn comment_end(chars: &[char], from: usize) -> usize {
    let (mut depth, mut i) = (1, from + 2);
    while i < chars.len() && depth > 0 {
        match (chars[i], chars.get(i + 1)) {
            ('/', Some('*')) => (depth, i) = (depth + 1, i + 2),
            ('*', Some('/')) => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
    }
    i
}

fn string_end(chars: &[char], mut i: usize) -> usize {
    while i < chars.len() {
        match chars[i] {
            '\\' => i += 2,
            '"' => return i + 1,
            _ => i += 1,
        }
    }
    chars.len()
}

fn starts_raw(chars: &[char], i: usize) -> bool {
    let after_name = i > 0 && (chars[i - 1].is_alphanumeric() || chars[i - 1] == '_') && chars[i - 1] != 'b';
    let hashes = chars[i + 1..].iter().take_while(|&&c| c == '#').count();
    !after_name && chars.get(i + 1 + hashes) == Some(&'"')
}

fn raw_end(chars: &[char], i: usize) -> usize {
    let hashes = chars[i + 1..].iter().take_while(|&&c| c == '#').count();
    let mut j = i + 2 + hashes;
    while j < chars.len() {
        if chars[j] == '"' && chars[j + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes {
            return j + 1 + hashes;
        }
        j += 1;
    }
    chars.len()
}

/// The end of a character literal, or `i` when the quote begins a lifetime.
fn char_end(chars: &[char], i: usize) -> usize {
    if chars.get(i + 1) == Some(&'\\') {
        return (i + 3..chars.len()).find(|&j| chars[j] == '\'').map_or(i, |j| j + 1);
    }
    if chars.get(i + 2) == Some(&'\'') { i + 3 } else { i }
}

/// Blanks every item that follows `#[cfg(test)]` (or `#[cfg(all(test, ...))]`).
fn without_tests(code: &str) -> String {
    let mut out: Vec<u8> = code.bytes().collect();
    let mut from = 0;
    while let Some(at) = code[from..].find("#[cfg(").map(|i| i + from) {
        let close = code[at..].find(']').map_or(code.len(), |i| at + i);
        from = close;
        let condition = &code[at..close];
        if !condition.contains("test") || condition.contains("not(test") {
            continue;
        }
        let end = item_end(code, close + 1);
        for byte in &mut out[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        from = end.max(from);
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The end of the item that starts at `from`: its closing brace, or its semicolon.
fn item_end(code: &str, from: usize) -> usize {
    let mut depth = 0usize;
    for (i, c) in code[from..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return from + i + 1;
                }
            }
            ';' if depth == 0 => return from + i + 1,
            _ => {}
        }
    }
    code.len()
}

/// Fails with one line per offence.
fn none(rule: &str, offences: &[String]) {
    let mut text = String::new();
    for offence in offences {
        let _ = writeln!(text, "  {offence}");
    }
    assert!(offences.is_empty(), "{rule}:\n{text}");
}

/// The lines of `text` that satisfy `test`, as `path:line: text`.
fn lines<'a>(
    source: &'a Source,
    text: &'a str,
    test: impl Fn(&str) -> bool + 'a,
) -> impl Iterator<Item = String> + 'a {
    text.lines().enumerate().filter(move |(_, line)| test(line)).map(move |(i, _)| {
        let raw = source.raw.lines().nth(i).unwrap_or_default().trim();
        format!("{}:{}: {raw}", source.path, i + 1)
    })
}

/// Whether `word` occurs in `line` as a whole word.
fn has_word(line: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(i, _)| {
        let before = line[..i].chars().next_back().is_none_or(|c| !part(c));
        let after = line[i + word.len()..].chars().next().is_none_or(|c| !part(c));
        before && after
    })
}

fn floor_of(module: &str) -> Option<u8> {
    FLOORS.iter().find(|(_, names)| names.contains(&module)).map(|(floor, _)| *floor)
}

/// The modules of this crate that a line names by `crate::module` or `crate::{a, b}`.
fn modules_used(line: &str) -> Vec<String> {
    let mut used = Vec::new();
    for (at, _) in line.match_indices("crate::") {
        let rest = &line[at + 7..];
        let names = rest.strip_prefix('{').map_or(rest, |inner| inner.split('}').next().unwrap_or(inner));
        let pieces: Vec<&str> = if rest.starts_with('{') { names.split(',').collect() } else { vec![names] };
        for piece in pieces {
            let name: String =
                piece.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            used.push(name);
        }
    }
    used
}

#[test]
fn a_floor_uses_only_lower_floors() {
    let mut offences = Vec::new();
    for source in sources(&["src"]) {
        let Some(module) = source.path.strip_prefix("src/").and_then(|p| p.split(['/', '.']).next()) else {
            continue;
        };
        if module == "lib" || source.is_test() {
            continue;
        }
        let Some(floor) = floor_of(module) else {
            offences.push(format!("{}: module {module} has no floor", source.path));
            continue;
        };
        for (i, line) in source.shipped.lines().enumerate() {
            for used in modules_used(line) {
                let higher = floor_of(&used).is_some_and(|f| f > floor);
                if higher && !UPWARD.iter().any(|(m, u, _)| *m == module && *u == used) {
                    offences.push(format!("{}:{}: {module} (floor {floor}) uses {used}", source.path, i + 1));
                }
            }
        }
    }
    none("a module may use only the floors below it", &offences);
}

#[test]
fn unsafe_stays_in_its_folders() {
    let mut offences = Vec::new();
    for source in sources(&["src", "lang/src", "repl/src"]) {
        if !UNSAFE.iter().any(|folder| source.path.starts_with(folder)) && !source.is_test() {
            offences.extend(lines(&source, &source.shipped, |l| {
                has_word(l, "unsafe") && !l.contains("unsafe_code") && !l.contains("unsafe_op_in")
            }));
        }
    }
    none("unsafe is confined", &offences);
}

#[test]
fn crates_without_unsafe_forbid_it() {
    for path in ["lang/src/lib.rs", "repl/src/main.rs"] {
        let text = fs::read_to_string(root().join(path)).expect("the crate's root is there");
        assert!(text.contains("#![forbid(unsafe_code)]"), "{path} must forbid unsafe code");
    }
}

#[test]
fn files_are_short() {
    let mut offences = Vec::new();
    for source in sources(&["src", "lang/src", "repl/src", "tests"]) {
        let length = source.raw.lines().count();
        let limit = LONG_FILES.iter().find(|(p, _)| *p == source.path).map_or(FILE_LINES, |(_, n)| *n);
        if length > limit {
            offences.push(format!("{}: {length} lines, {limit} allowed", source.path));
        }
    }
    none("a file tells one story", &offences);
}

#[test]
fn functions_are_short() {
    let mut offences = Vec::new();
    for source in sources(&["src", "lang/src", "repl/src"]) {
        for (name, line, length) in functions(&source.code) {
            let exempt = LONG_FUNCTIONS.contains(&(source.path.as_str(), name.as_str()));
            if length > FUNCTION_LINES && !exempt && !source.is_test() {
                offences.push(format!("{}:{line}: fn {name} has {length} lines", source.path));
            }
        }
    }
    none("a function does one thing", &offences);
}

/// Name, first line and length in lines of each function with a body.
fn functions(code: &str) -> Vec<(String, usize, usize)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let boundary = code[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(');
        let name: String = code[at + 3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if !boundary || name.is_empty() {
            continue;
        }
        let end = item_end(code, at);
        let line = code[..at].matches('\n').count() + 1;
        found.push((name, line, code[at..end].matches('\n').count() + 1));
    }
    found
}

#[test]
fn no_global_state() {
    let shared = ["Mutex", "RwLock", "Atomic", "OnceLock", "LazyLock", "Cell", "RefCell"];
    let mut offences = Vec::new();
    for source in sources(&["src", "lang/src"]) {
        for (i, line) in source.shipped.lines().enumerate() {
            let declared = line.trim_start().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
            let mutable =
                declared.strip_prefix("static ").is_some_and(|d| shared.iter().any(|s| d.contains(s)));
            let listed = STATICS.iter().any(|(p, name, _)| *p == source.path && has_word(line, name));
            if (mutable || has_word(line, "thread_local")) && !listed {
                offences.push(format!("{}:{}: {}", source.path, i + 1, line.trim()));
            }
        }
    }
    none("everything is per VM", &offences);
}

#[test]
fn clocks_and_randomness_have_doors() {
    let words = ["Instant", "SystemTime", "RandomState", "thread_rng", "getrandom"];
    let mut offences = Vec::new();
    for source in sources(&["src", "lang/src"]) {
        if !DOORS.contains(&source.path.as_str()) && !source.is_test() {
            offences.extend(lines(&source, &source.shipped, |l| words.iter().any(|w| has_word(l, w))));
        }
    }
    none("time and chance come through runtime::clock and runtime::entropy", &offences);
}

#[test]
fn nothing_is_left_to_do() {
    let mut offences = Vec::new();
    for source in sources(&["src", "lang/src", "repl/src"]) {
        let macros = ["todo!", "unimplemented!", "dbg!"];
        offences.extend(lines(&source, &source.code, |l| macros.iter().any(|m| l.contains(m))));
        offences.extend(lines(&source, &source.raw, |l| {
            has_word(l, "TODO") || has_word(l, "FIXME") || has_word(l, "XXX")
        }));
        if !source.is_test() {
            offences.extend(lines(&source, &source.shipped, |l| l.contains(".unwrap()")));
        }
    }
    none("no unwrap outside tests, nothing unfinished", &offences);
}

#[test]
fn every_file_says_what_it_is_for() {
    let mut offences = Vec::new();
    for source in sources(&["src", "lang/src", "repl/src", "tests"]) {
        let inner = source.is_test() && !source.path.starts_with("tests/");
        if !source.raw.starts_with("//!") && !inner {
            offences.push(source.path.clone());
        }
    }
    none("a file begins with its essay", &offences);
}

/// Tables between the comments `tidy: sorted` and `tidy: end` are in order, by their first word.
#[test]
fn tables_are_sorted() {
    let mut offences = Vec::new();
    for source in sources(&["src", "lang/src", "repl/src"]) {
        let mut previous: Option<String> = None;
        let mut inside = false;
        for (i, line) in source.raw.lines().enumerate() {
            let trimmed = line.trim();
            if trimmed.contains("tidy: sorted") {
                (inside, previous) = (true, None);
            } else if trimmed.contains("tidy: end") {
                inside = false;
            } else if inside && !trimmed.is_empty() && !trimmed.starts_with("//") {
                if previous.as_deref().is_some_and(|p| p > trimmed) {
                    offences.push(format!("{}:{}: {trimmed}", source.path, i + 1));
                }
                previous = Some(trimmed.to_string());
            }
        }
    }
    none("tables are sorted", &offences);
}

/// Being verified is believed of embedded modules, so nothing else may be read that way.
#[test]
fn only_the_standard_library_is_believed() {
    let mut offences = Vec::new();
    for source in sources(&["src", "lang/src", "repl/src"]) {
        let allowed = source.path.starts_with("src/stdlib/") || source.path == "lang/src/verify/mod.rs";
        if !allowed && !source.is_test() {
            offences.extend(lines(&source, &source.code, |l| has_word(l, "trusted_from_embedded")));
        }
    }
    none("embedded modules are read in src/stdlib alone", &offences);
}

/// An exemption for something that is gone would hide the next offence.
#[test]
fn exemptions_are_needed() {
    let all = sources(&["src", "lang/src", "repl/src", "tests"]);
    let by_path: HashMap<&str, &Source> = all.iter().map(|s| (s.path.as_str(), s)).collect();
    let mut offences = Vec::new();
    for (path, _) in LONG_FILES {
        let long = by_path.get(path).is_some_and(|s| s.raw.lines().count() > FILE_LINES);
        if !long {
            offences.push(format!("{path} need not be in LONG_FILES"));
        }
    }
    for (path, function) in LONG_FUNCTIONS {
        let long = by_path
            .get(path)
            .is_some_and(|s| functions(&s.code).iter().any(|(n, _, l)| n == function && *l > FUNCTION_LINES));
        if !long {
            offences.push(format!("{path} {function} need not be in LONG_FUNCTIONS"));
        }
    }
    none("exemptions go with what they excuse", &offences);
}

/// The programs under `tests/` say what they show, and no two have the same module name.
#[test]
fn programs_say_what_they_show() {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut offences = Vec::new();
    for folder in ["tests/lang", "tests/bif", "tests/process", "examples"] {
        for entry in fs::read_dir(root().join(folder)).expect("the folder is there").flatten() {
            let file = entry.file_name().to_string_lossy().into_owned();
            let Some(name) = file.strip_suffix(".erl") else { continue };
            let text = fs::read_to_string(entry.path()).expect("programs are UTF-8");
            let first = text.lines().find(|l| !l.starts_with("#!")).unwrap_or_default();
            if !first.starts_with("%% ") {
                offences.push(format!("{folder}/{file} does not begin with a sentence"));
            }
            if folder != "examples" && !text.contains("%% expect") {
                offences.push(format!("{folder}/{file} expects nothing"));
            }
            if let Some(other) = names.insert(name.to_string(), folder.to_string()) {
                offences.push(format!("{name} is in {other} and in {folder}"));
            }
        }
    }
    none("programs are self-explaining", &offences);
}

/// Where the embedder's interface is made; what it shows of other folders are re-exports.
const INTERFACE: &[&str] = &["src/error.rs", "src/host/", "src/limits/", "src/value/", "src/vm/"];

/// Types outside these folders that are part of it, by file.
const SHOWN: &[(&str, &str)] = &[
    ("src/process/state.rs", "Class"),
    ("src/runtime/log.rs", "LogEvent"),
    ("src/runtime/statistics.rs", "Statistics"),
    // Its methods are read-only views, which the example at the type uses.
    ("src/term/mod.rs", "Term"),
];

/// The names that the crate's root shows.
fn shown_names() -> Vec<String> {
    let root = fs::read_to_string(root().join("src/lib.rs")).expect("the crate has a root");
    let uses = root.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let words = uses.flat_map(|names| names.split(|c: char| !c.is_alphanumeric()));
    words.filter(|word| word.starts_with(|c: char| c.is_uppercase())).map(str::to_owned).collect()
}

/// The type whose own methods an `impl` line begins.
fn inherent(line: &str) -> Option<String> {
    let mut rest = line.strip_prefix("impl")?;
    if rest.starts_with('<') {
        let mut depth = 0;
        let end = rest.char_indices().find(|(_, c)| {
            depth += i32::from(*c == '<') - i32::from(*c == '>');
            depth == 0
        })?;
        rest = &rest[end.0 + 1..];
    }
    let name: String = rest.trim_start().chars().take_while(|c| c.is_alphanumeric()).collect();
    (!line.contains(" for ")).then_some(name)
}

/// What is documented is shown too: each public type and function of the embedder's interface has an example, which compiles with the tests
/// of the documentation.
#[test]
fn what_embedders_use_has_an_example() {
    let names = shown_names();
    let mut offences = Vec::new();
    for source in sources(&["src"]) {
        let is_shown = |name: &str| SHOWN.contains(&(source.path.as_str(), name));
        let is_inside = INTERFACE.iter().any(|place| source.path.starts_with(place));
        if source.is_test() || !(is_inside || SHOWN.iter().any(|(path, _)| *path == source.path)) {
            continue;
        }
        let mut of = None;
        let (mut has_example, mut is_hidden) = (false, false);
        for (number, raw) in source.raw.lines().enumerate() {
            let line = raw.trim_start();
            if line.starts_with("///") || line.starts_with("#[") {
                has_example |= line.contains("```");
                is_hidden |= line.contains("doc(hidden)");
                continue;
            }
            if raw.starts_with("impl") {
                of = inherent(raw);
            }
            let item = line
                .strip_prefix("pub ")
                .map(|item| item.trim_start_matches("const ").trim_start_matches("async "));
            let mut words = item.unwrap_or("").split(|c: char| !c.is_alphanumeric() && c != '_');
            let is_public = match (words.next(), words.next()) {
                (Some("struct" | "enum" | "trait"), Some(name)) => {
                    (is_inside || is_shown(name)) && names.iter().any(|shown| shown == name)
                }
                (Some("fn"), Some(_)) => {
                    is_inside
                        && of.as_ref().is_some_and(|of| names.contains(of))
                        && raw.starts_with("    pub")
                }
                _ => false,
            };
            if is_public && !has_example && !is_hidden {
                offences.push(format!("{}:{}: {line}", source.path, number + 1));
            }
            (has_example, is_hidden) = (false, false);
        }
    }
    none("what embedders use has an example", &offences);
}

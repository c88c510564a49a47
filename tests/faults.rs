//! Seeded faults: each is switched on in turn, and the random modules must show it.
//!
//! The faults are changes of sources (`faults/table.rs`), made in a copy of them, so that the product knows nothing of them. The copy is
//! built once with all of them in it; an environment variable says which one is on. Modules are run on Erlang/OTP and on
//! that build until one differs.
//!
//! `cargo test --test faults -- --ignored --nocapture` builds the copy and prints a table: fault, and how many modules it took.
//! `ERLET_FAULTS=7,12` takes only some of them.

#[path = "generate/compare.rs"]
mod compare;
mod generate;
#[allow(dead_code, reason = "the child's half is that of the seeded build")]
#[path = "generate/sides.rs"]
mod sides;
#[path = "faults/table.rs"]
mod table;

use compare::{Otp, is_ill};
use proptest::strategy::ValueTree;
use sides::{Side, is_too_long};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use table::FAULTS;

/// Modules that must be enough to show a fault.
const MODULES: u64 = 1000;

/// Modules given to a child at once.
const BATCH: u64 = 20;

/// What the copy is made of.
const PARTS: &[&str] = &[
    "Cargo.lock",
    "Cargo.toml",
    "build.rs",
    "examples",
    "lang/Cargo.toml",
    "lang/build.rs",
    "lang/src",
    "repl/Cargo.toml",
    "repl/src",
    "src",
    "stdlib",
    "tests/generate",
    "tests/generated.rs",
];

/// What the copy of the compiler's crate gets, for both crates.
const SWITCH: &str = r#"
/// Whether the fault of this number is switched on.
pub fn fault(number: usize) -> bool {
    static ON: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    let read = || std::env::var("ERLET_FAULT").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    *ON.get_or_init(read) == number
}
"#;

/// Every fault's old text is in its file, once: the sources have not moved away from the table.
#[test]
fn each_fault_has_its_place() {
    for fault in FAULTS {
        let text = fs::read_to_string(root().join(fault.file)).expect("the file is there");
        assert_eq!(text.matches(fault.old).count(), 1, "{}: {}", fault.file, fault.what);
        assert!(fault.new.contains("FAULT"), "{}", fault.what);
    }
}

#[test]
#[ignore = "builds the sources once more, which takes minutes"]
fn each_fault_is_found() {
    let program = build(&copy());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the temporary folder takes files");
    let wanted: Option<Vec<usize>> = std::env::var("ERLET_FAULTS")
        .ok()
        .map(|text| text.split(',').map(|number| number.parse().expect("numbers of faults")).collect());
    let sound = [false, true].map(|stress| Side::erlet(&program, &folder, stress, None));
    let mut modules = Modules { otp: Otp::new(&folder), sound, folder, made: Vec::new() };
    let mut missed = Vec::new();
    let mut rows = String::new();
    for (index, fault) in FAULTS.iter().enumerate() {
        let number = index + 1;
        if wanted.as_ref().is_some_and(|wanted| !wanted.contains(&number)) {
            continue;
        }
        // Without stress hardly any module collects.
        let stress = fault.area == "collector";
        let mut side = Side::erlet(&program, &modules.folder, stress, Some(number));
        let found = modules.first_difference(&mut side, stress);
        let after = found.as_ref().map_or("not found".to_string(), |(after, _)| format!("{after}"));
        let row = format!("{number:>3} {:<16} {after:>9}  {}", fault.area, fault.what);
        eprintln!("{row}");
        if let Some((_, difference)) = found {
            eprintln!("      {}", difference.trim().replace('\n', "\n    "));
        } else {
            missed.push(number);
        }
        writeln!(rows, "{row}").expect("strings grow");
    }
    eprintln!("\nfault, area, modules until it is found\n{rows}");
    assert_eq!(missed, Vec::<usize>::new(), "not found in {MODULES} modules");
}

/// Modules as far as they were needed, with what OTP says of each.
struct Modules {
    otp: Otp,
    /// The same build without a fault, plain and under stress.
    sound: [Side; 2],
    folder: PathBuf,
    made: Vec<(PathBuf, String)>,
}

impl Modules {
    /// How many modules it takes until a side differs, and how it does.
    fn first_difference(&mut self, side: &mut Side, stress: bool) -> Option<(usize, String)> {
        for from in (0..MODULES).step_by(BATCH as usize) {
            self.make(from + BATCH);
            let batch = &self.made[from as usize..(from + BATCH) as usize];
            let files: Vec<PathBuf> = batch.iter().map(|(file, _)| file.clone()).collect();
            for (at, got) in side.answers(&files).iter().enumerate() {
                let wanted = &batch[at].1;
                if is_ill(wanted) || is_too_long(wanted) {
                    continue;
                }
                let Some(difference) = self.otp.difference(wanted, got, &files[at]) else { continue };
                // What differs without the fault too tells nothing of it.
                let sound = self.sound[usize::from(stress)].answers(&files[at..=at]).remove(0);
                if self.otp.difference(wanted, &sound, &files[at]).is_none() {
                    return Some((from as usize + at + 1, difference));
                }
            }
        }
        None
    }

    fn make(&mut self, count: u64) {
        if self.made.len() as u64 >= count {
            return;
        }
        let files: Vec<PathBuf> = (self.made.len() as u64..count)
            .map(|seed| {
                let (name, tree) = (format!("gen_{seed}"), generate::tree(seed));
                let file = self.folder.join(format!("{name}.erl"));
                fs::write(&file, generate::named(&tree.current(), &name)).expect("the folder takes files");
                file
            })
            .collect();
        let answers = self.otp.usual.answers(&files);
        self.made.extend(files.into_iter().zip(answers));
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Copies the sources and seeds the faults. Files that stay as they were are not written again, so that little is built again.
fn copy() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("seeded");
    for part in PARTS {
        remove_gone(Path::new(part), &target);
        copy_part(Path::new(part), &target);
    }
    target
}

/// Removes what an earlier copy had and the sources no longer have.
fn remove_gone(part: &Path, target: &Path) {
    let Ok(entries) = fs::read_dir(target.join(part)) else { return };
    for entry in entries {
        let entry = entry.expect("its entries");
        let inner = part.join(entry.file_name());
        if root().join(&inner).exists() {
            remove_gone(&inner, target);
        } else if entry.path().is_dir() {
            fs::remove_dir_all(entry.path()).expect("the copy is the test's own");
        } else {
            fs::remove_file(entry.path()).expect("the copy is the test's own");
        }
    }
}

fn copy_part(part: &Path, target: &Path) {
    let from = root().join(part);
    if from.is_dir() {
        for entry in fs::read_dir(&from).expect("a folder of the sources") {
            copy_part(&part.join(entry.expect("its entries").file_name()), target);
        }
        return;
    }
    let mut bytes = fs::read(&from).expect("a file of the sources");
    let name = part.to_string_lossy();
    let seeded: Vec<(usize, &table::Fault)> =
        FAULTS.iter().enumerate().filter(|(_, fault)| fault.file == name).collect();
    if !seeded.is_empty() || name == "lang/src/lib.rs" {
        let mut text = String::from_utf8(bytes).expect("sources are text");
        for (index, fault) in seeded {
            let owner = if name.starts_with("lang/") { "crate" } else { "erlet_lang" };
            let new = fault.new.replace("FAULT", &format!("{owner}::fault({})", index + 1));
            text = text.replacen(fault.old, &new, 1);
        }
        if name == "lang/src/lib.rs" {
            text.push_str(SWITCH);
        }
        bytes = text.into_bytes();
    }
    let to = target.join(part);
    if fs::read(&to).is_ok_and(|old| old == bytes) {
        return;
    }
    fs::create_dir_all(to.parent().expect("a file is in a folder"))
        .expect("the temporary folder takes folders");
    fs::write(&to, bytes).expect("the temporary folder takes files");
}

/// Builds the copy's test program of generated modules, in a target folder of its own.
fn build(copy: &Path) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("seeded-target");
    let output = Command::new(std::env::var("CARGO").unwrap_or("cargo".to_string()))
        .args(["test", "--workspace", "--all-features", "--test", "generated", "--no-run", "--manifest-path"])
        .arg(copy.join("Cargo.toml"))
        .current_dir(copy)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the seeded sources do not build:\n{said}");
    let line = said.lines().rfind(|line| line.contains("Executable")).expect("cargo says what it built");
    let (_, path) = line.rsplit_once('(').expect("the path is in parentheses");
    copy.join(path.trim_end_matches(')'))
}

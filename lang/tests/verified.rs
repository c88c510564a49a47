//! Everything the compiler makes passes the verifier, is the same module after encoding, and as assembler text.

mod support;

use erlet_lang::{Define, IncludeError, Loader, Options, ParseOptions, asm, compile, encode, verify::verify};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use support::Otp;

/// Includes from the folder of the including file and its `include` neighbour.
struct Beside;

impl Loader for Beside {
    fn include(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        let folder = Path::new(from).parent().unwrap_or(Path::new(""));
        let found =
            [folder.join(path), folder.join("include").join(path), folder.join("../include").join(path)];
        let found = found.into_iter().find(|file| file.exists()).ok_or(IncludeError::NotFound)?;
        let bytes = std::fs::read(&found).map_err(|error| IncludeError::Unreadable(error.to_string()))?;
        Ok((found.to_string_lossy().into_owned(), bytes))
    }

    fn include_lib(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        self.include(path.rsplit('/').next().unwrap_or(path), from)
    }
}

/// What came of many files.
#[derive(Default)]
struct Tally {
    files: usize,
    compiled: usize,
    instructions: usize,
    bytes: usize,
    compiling: Duration,
    verifying: Duration,
    /// First lines of diagnostics of files that were not compiled, with how many files had them.
    refused_sources: BTreeMap<String, usize>,
    faults: Vec<String>,
}

impl Tally {
    fn add(&mut self, path: &Path, loader: &mut dyn Loader) {
        let name = path.to_string_lossy();
        let bytes = std::fs::read(path).expect("a listed file can be read");
        let defines = vec![Define { name: "COMPILER_VSN".to_owned(), value: Some("\"8\"".to_owned()) }];
        let options =
            Options { parse: ParseOptions { defines, ..ParseOptions::default() }, ..Options::default() };
        self.files += 1;
        let start = Instant::now();
        // A panic is a fault of this file, and the others are still looked at.
        let compiled = catch_unwind(AssertUnwindSafe(|| compile(&name, &bytes, &options, loader)));
        self.compiling += start.elapsed();
        let Ok(mut compilation) = compiled else {
            self.faults.push(format!("{name}: the compiler panics"));
            return;
        };
        let Some(module) = compilation.module.take() else {
            let errors = compilation.session.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
            let title = errors.map(|error| error.title.clone()).next().unwrap_or_default();
            *self.refused_sources.entry(title).or_default() += 1;
            return;
        };
        self.compiled += 1;
        self.instructions += module.functions.iter().map(|function| function.code.len()).sum::<usize>();
        let bytes = encode::encode(&module);
        self.bytes += bytes.len();
        if encode::decode(&bytes).as_ref() != Ok(&module) {
            self.faults.push(format!("{name}: another module after encoding"));
        }
        match asm::parse(&asm::print(&module)) {
            Ok(parsed) if parsed == module => {}
            Ok(_) => self.faults.push(format!("{name}: another module as text")),
            Err(error) => self.faults.push(format!("{name}: as text: {error}")),
        }
        let start = Instant::now();
        let verified = verify(module);
        self.verifying += start.elapsed();
        if let Err(error) = verified {
            self.faults.push(format!("{name}: {error}"));
        }
    }

    fn report(&self, what: &str) {
        eprintln!(
            "{what}: {} of {} files compiled, {} instructions, {} bytes, compiled in {:?}, verified in {:?}",
            self.compiled, self.files, self.instructions, self.bytes, self.compiling, self.verifying
        );
        for (title, files) in &self.refused_sources {
            eprintln!("  {files} not compiled: {title}");
        }
        assert!(self.faults.is_empty(), "{} faults:\n{}", self.faults.len(), self.faults.join("\n"));
    }
}

/// All Erlang files below a folder.
fn below(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            below(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "erl") {
            files.push(path);
        }
    }
}

#[test]
fn our_own_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["stdlib", "examples", "tests"] {
        below(&root.join(folder), &mut files);
    }
    // More folders to look at, between colons.
    for folder in std::env::var("ERLET_MORE_SOURCES").iter().flat_map(|folders| folders.split(':')) {
        below(Path::new(folder), &mut files);
    }
    let mut tally = Tally::default();
    files.iter().for_each(|path| tally.add(path, &mut Beside));
    tally.report("our sources");
    // Some tests are about what is refused; a few more may wait for what is not built yet.
    assert!(tally.compiled * 10 > tally.files * 9, "{} of {} compiled", tally.compiled, tally.files);
}

#[test]
fn sources_of_otp() {
    let Some(otp) = Otp::find() else { return };
    let mut tally = Tally::default();
    for path in otp.sources(&["stdlib", "kernel", "compiler", "tools"]) {
        tally.add(&path, &mut otp.loader());
    }
    tally.report("OTP's sources");
    assert!(tally.compiled * 20 > tally.files * 19, "{} of {} compiled", tally.compiled, tally.files);
}

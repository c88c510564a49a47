//! Compiles the standard library, `stdlib/*.erl`, to verified bytecode that the library embeds.
//!
//! The output is neutral in endianness, word width and address, so a build for another machine is no different. A module
//! that does not compile or does not verify fails the build.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use erlet_lang::notes::Notes;
use erlet_lang::verify::verify;
use erlet_lang::{IncludeError, Loader, Options, compile};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=stdlib");
    let folder = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("stdlib");
    let out = PathBuf::from(variable("OUT_DIR"));
    let mut modules: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()))
        .map(|entry| entry.expect("an entry of a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "erl"))
        .collect();
    modules.sort();
    let mut table = String::from("&[\n");
    let mut failed = false;
    for path in &modules {
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("names of modules are UTF-8");
        match module(path, &folder) {
            Ok(bytes) => {
                let target = out.join(format!("{name}.module"));
                fs::write(&target, bytes)
                    .unwrap_or_else(|error| panic!("cannot write {}: {error}", target.display()));
                let notes = out.join(format!("{name}.notes"));
                let source = fs::read(path).unwrap_or_else(|error| panic!("cannot read it again: {error}"));
                fs::write(&notes, Notes::of(&source).to_text())
                    .unwrap_or_else(|error| panic!("cannot write {}: {error}", notes.display()));
                writeln!(table, "    ({name:?}, include_bytes!({target:?}), include_str!({notes:?})),")
                    .expect("strings grow");
            }
            Err(text) => {
                failed = true;
                for line in text.lines() {
                    println!("cargo::error=stdlib/{name}.erl: {line}");
                }
            }
        }
    }
    table.push_str("]\n");
    fs::write(out.join("stdlib.rs"), table).unwrap_or_else(|error| panic!("cannot write the table: {error}"));
    assert!(!failed, "the standard library does not compile");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

/// Source to embedded bytes, or what is wrong with it.
fn module(path: &Path, folder: &Path) -> Result<Vec<u8>, String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    // The name alone, as stack traces show it: the library is the same wherever it is built.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut headers = Headers { folder };
    let mut compilation = compile(&name, &bytes, &Options::default(), &mut headers);
    let Some(module) = compilation.module else { return Err(compilation.session.render(false)) };
    verify(module).map(|verified| verified.to_embedded()).map_err(|error| format!("does not verify: {error}"))
}

/// Headers beside the modules.
struct Headers<'f> {
    folder: &'f Path,
}

impl Loader for Headers<'_> {
    fn include(&mut self, path: &str, _from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        match fs::read(self.folder.join(path)) {
            Ok(bytes) => Ok((path.to_owned(), bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(IncludeError::NotFound),
            Err(error) => Err(IncludeError::Unreadable(error.to_string())),
        }
    }

    fn include_lib(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        self.include(path, from)
    }
}

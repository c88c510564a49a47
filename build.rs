//! Compiles the standard library, `stdlib/*.erl`, to verified bytecode that the library embeds.
//!
//! The output is neutral in endianness, word width and address, so a build for another machine is no different. A module
//! that does not compile or does not verify fails the build.
//!
//! What natives say about themselves to the readers of a shell is taken from their doc comments, which the table of natives leads to.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use erlet_lang::notes::{Entry, Kind, Notes};
use erlet_lang::verify::verify;
use erlet_lang::{IncludeError, Loader, Options, compile};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=stdlib");
    println!("cargo::rerun-if-changed=src/bif");
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let folder = root.join("stdlib");
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
    fs::write(out.join("natives.rs"), natives(&root.join("src/bif")))
        .unwrap_or_else(|error| panic!("cannot write the notes of natives: {error}"));
}

/// The notes of natives by module, as a table.
fn natives(folder: &Path) -> String {
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    let mut files: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut modules: BTreeMap<String, Notes> = BTreeMap::new();
    for line in read(&folder.join("table.rs")).lines() {
        let Some(row) = Row::of(line) else { continue };
        let (path, function) = row.path.rsplit_once("::").unwrap_or(("", row.path));
        let path = folder.join(path.replace("::", "/"));
        let file = [path.with_extension("rs"), path.join("mod.rs")].into_iter().find(|path| path.is_file());
        let Some(file) = file else { continue };
        let text = files.entry(file).or_insert_with_key(|file| read(file));
        let Some(entry) = row.entry(text, function) else { continue };
        modules.entry(row.module.to_owned()).or_default().entries.push(entry);
    }
    let mut table = String::from("&[\n");
    for (module, notes) in &modules {
        writeln!(table, "    ({module:?}, {:?}),", notes.to_text()).expect("strings grow");
    }
    table + "]\n"
}

/// A row of the table of natives, as far as it matters here.
struct Row<'t> {
    class: &'t str,
    module: &'t str,
    function: &'t str,
    arity: u32,
    /// Of the Rust function, from the folder of natives on.
    path: &'t str,
}

impl<'t> Row<'t> {
    /// `class "module" "function"/arity capability path;`
    fn of(line: &'t str) -> Option<Row<'t>> {
        let line = line.trim().strip_suffix(';')?;
        let (class, rest) = line.split_once(" \"")?;
        let (module, rest) = rest.split_once("\" \"")?;
        let (function, rest) = rest.split_once("\"/")?;
        let (arity, rest) = rest.split_once(' ')?;
        let (_, path) = rest.split_once(' ')?;
        Some(Row { class, module, function, arity: arity.parse().ok()?, path })
    }

    /// From the doc comment above the Rust function, or above its line in a macro: `/// \`signature\`.`, and what may follow.
    fn entry(&self, text: &str, function: &str) -> Option<Entry> {
        let mut docs: Vec<&str> = Vec::new();
        for line in text.lines().map(str::trim) {
            let item = line.strip_prefix("pub ").unwrap_or(line);
            let item = item.strip_prefix("fn ").unwrap_or(item);
            if let Some(doc) = line.strip_prefix("///") {
                docs.push(doc.strip_prefix(' ').unwrap_or(doc));
            } else if line.starts_with("#[") {
                // Attributes may stand between.
            } else if item.strip_prefix(function).is_some_and(|rest| rest.starts_with(['<', '(', ' '])) {
                break;
            } else {
                docs.clear();
            }
        }
        let first = docs.first()?;
        let (heading, rest) = first.strip_prefix('`')?.split_once('`')?;
        let rest = rest.trim_start_matches(['.', ':', ',', ';']).trim();
        let mut letters = rest.chars();
        let sentence = letters.next().map(|first| format!("{}{}", first.to_uppercase(), letters.as_str()));
        let mut said = vec![sentence.as_deref().unwrap_or("")];
        said.extend(docs[1..].iter().map(|line| if *line == "# Errors" { "Exceptions:" } else { line }));
        if self.class == "guard" {
            said.extend(["", "Allowed in guards."]);
        }
        let text = said.join("\n").replace("Exceptions:\n", "Exceptions: ").trim().to_owned();
        let (name, arity) = (self.function.to_owned(), self.arity);
        Some(Entry { kind: Kind::Function, name, arity, heading: heading.to_owned(), text })
    }
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

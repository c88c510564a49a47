//! The project's own Erlang passes the linter: the library and examples without a word, the test programs without an
//! error, except for those that are to be refused.

use erlet_lang::lint::{LintOptions, check};
use erlet_lang::{IncludeError, Loader, ParseOptions, Session, parse_file};
use std::path::{Path, PathBuf};

struct Near;

impl Loader for Near {
    fn include(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        let file = Path::new(from).parent().unwrap_or(Path::new("")).join(path);
        match std::fs::read(&file) {
            Ok(bytes) => Ok((file.to_string_lossy().into_owned(), bytes)),
            Err(_) => Err(IncludeError::NotFound),
        }
    }

    fn include_lib(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        self.include(path, from)
    }
}

/// The Erlang files of a folder of the repository.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "erl"));
    files.sort();
    files
}

fn lint(file: &Path) -> Session {
    let bytes = std::fs::read(file).expect("a listed file can be read");
    let options = ParseOptions {
        allow_hashbang: true,
        default_module: file.file_stem().map(|stem| stem.to_string_lossy().into_owned()),
        ..ParseOptions::default()
    };
    let mut session = Session::new();
    let parsed = parse_file(&mut session, &file.to_string_lossy(), &bytes, &options, &mut Near);
    check(&mut session, &parsed, &LintOptions { allow_no_module: true, ..LintOptions::default() });
    session
}

#[test]
fn library_and_examples_are_clean() {
    let all = files("stdlib").into_iter().chain(files("examples"));
    let said: String = all.map(|file| lint(&file).render(false)).collect();
    assert!(said.is_empty(), "{said}");
}

#[test]
fn test_programs_are_refused_only_where_they_say_so() {
    let mut wrong = String::new();
    for file in ["tests/lang", "tests/bif", "tests/process"].into_iter().flat_map(files) {
        let text = String::from_utf8_lossy(&std::fs::read(&file).expect("listed")).into_owned();
        let wanted = text.lines().find_map(|line| line.strip_prefix("%% expect refused: "));
        let mut session = lint(&file);
        let refused = session.has_errors();
        let said = session.render(false);
        let right = match wanted {
            Some(wanted) => refused && said.contains(wanted.trim()),
            None => !refused,
        };
        if !right {
            wrong.push_str(&format!("{}: {said}\n", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

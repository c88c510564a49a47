#![allow(dead_code)] // each test uses its part
//! What tests share: OTP's own sources, where they are, with a loader for their headers; scripts for `escript` that are
//! asked line by line; and chance that can be replayed.

pub mod abstract_format;

use erlet_lang::{IncludeError, Loader};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A small generator of our own (xorshift): a test must replay from its seed on every machine.
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }
}

/// An installed OTP with sources.
pub struct Otp {
    /// Application folders by name without version.
    apps: HashMap<String, PathBuf>,
}

impl Otp {
    /// Asks `erl` where it is; `None`, with a message, if there is none or it has no sources.
    pub fn find() -> Option<Self> {
        let print = "io:put_chars(code:lib_dir()), halt().";
        let output = Command::new("erl").args(["-noshell", "-eval", print]).output();
        let lib = match output {
            Ok(output) if output.status.success() => {
                PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())
            }
            _ => {
                eprintln!("skipped: `erl` is not installed");
                return None;
            }
        };
        let mut apps = HashMap::new();
        for entry in std::fs::read_dir(&lib).ok()?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let app = name.split('-').next().unwrap_or(&name).to_owned();
            apps.insert(app, entry.path());
        }
        let otp = Self { apps };
        if otp.sources(&["stdlib"]).is_empty() {
            eprintln!("skipped: OTP is installed without its sources");
            return None;
        }
        Some(otp)
    }

    /// All `.erl` files of applications, sorted.
    pub fn sources(&self, apps: &[&str]) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for app in apps {
            let Some(folder) = self.apps.get(*app) else { continue };
            let Ok(entries) = std::fs::read_dir(folder.join("src")) else { continue };
            files.extend(
                entries
                    .flatten()
                    .map(|entry| entry.path())
                    .filter(|path| path.extension().is_some_and(|extension| extension == "erl")),
            );
        }
        files.sort();
        files
    }

    /// The folders in which the loader looks, for OTP's own tools.
    pub fn include_folders(&self, path: &Path) -> Vec<String> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut folders = vec![folder.to_owned(), folder.join("../include")];
        for app in ["kernel", "stdlib"] {
            if let Some(app) = self.apps.get(app) {
                folders.extend([app.join("include"), app.join("src")]);
            }
        }
        folders.iter().map(|folder| folder.to_string_lossy().into_owned()).collect()
    }

    /// A loader for the headers a source file includes.
    pub fn loader(&self) -> OtpLoader<'_> {
        OtpLoader { otp: self }
    }
}

/// A script of `tests/mutants` that runs on OTP and answers questions: a line each.
pub struct Oracle {
    script: Child,
    questions: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Oracle {
    /// Starts a script; OTP must be there ([`Otp::find`]).
    pub fn start(script: &str) -> Self {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mutants/");
        let mut script = Command::new("escript")
            .arg(format!("{folder}{script}.escript"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("`escript` comes with `erl`");
        let questions = script.stdin.take().expect("piped");
        let lines = BufReader::new(script.stdout.take().expect("piped")).lines();
        Self { script, questions, lines }
    }

    /// Asks a question.
    pub fn ask(&mut self, question: &str) {
        writeln!(self.questions, "{question}").expect("asked");
    }

    /// The answer, where it is one line.
    pub fn answer(&mut self) -> String {
        self.lines.next().expect("answered").expect("read")
    }

    /// The lines of the answer, where it ends with the line `end`.
    pub fn answers(&mut self) -> Vec<String> {
        std::iter::from_fn(|| Some(self.answer()).filter(|line| line != "end")).collect()
    }

    /// Waits until the script has ended, since nothing more is asked.
    pub fn end(mut self) {
        drop(self.questions);
        self.script.wait().expect("ended");
    }
}

pub struct OtpLoader<'o> {
    otp: &'o Otp,
}

fn read(path: PathBuf) -> Result<(String, Vec<u8>), IncludeError> {
    match std::fs::read(&path) {
        Ok(bytes) => Ok((path.to_string_lossy().into_owned(), bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(IncludeError::NotFound),
        Err(error) => Err(IncludeError::Unreadable(error.to_string())),
    }
}

impl Loader for OtpLoader<'_> {
    fn include(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        let folder = Path::new(from).parent().unwrap_or(Path::new(""));
        let near = [folder.join(path), folder.join("../include").join(path)];
        let apps = ["kernel", "stdlib"].iter().filter_map(|app| self.otp.apps.get(*app));
        let far = apps.flat_map(|app| [app.join("include").join(path), app.join("src").join(path)]);
        let found = near.into_iter().chain(far).find(|candidate| candidate.is_file());
        read(found.ok_or(IncludeError::NotFound)?)
    }

    fn include_lib(&mut self, path: &str, _from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        let (app, rest) = path.split_once('/').ok_or(IncludeError::NotFound)?;
        let folder = self.otp.apps.get(app).ok_or(IncludeError::NotFound)?;
        read(folder.join(rest))
    }
}

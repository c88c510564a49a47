//! The standard library while it is worked on: sources in a folder, compiled and verified when they are first called.

use std::path::PathBuf;

use erlet_lang::notes::Notes;
use erlet_lang::verify::{Verified, verify};
use erlet_lang::{IncludeError, Loader, Options, compile};

use super::header;
use crate::code::ModuleSource;

/// Sources in a folder.
pub(super) struct Folder {
    folder: PathBuf,
}

/// The folder that the environment names, if it does.
pub(super) fn chosen() -> Option<Folder> {
    std::env::var_os("ERLET_STDLIB_DIR")
        .filter(|folder| !folder.is_empty())
        .map(|folder| Folder { folder: folder.into() })
}

impl Folder {
    /// What the module in it says about itself.
    pub(super) fn notes(&self, module: &str) -> Option<Notes> {
        let source = std::fs::read(self.folder.join(module).with_extension("erl")).ok()?;
        Some(Notes::of(&source))
    }
}

impl ModuleSource for Folder {
    fn find(&self, module: &str) -> Option<Result<Verified, String>> {
        let path = self.folder.join(module).with_extension("erl");
        let bytes = std::fs::read(&path).ok()?;
        let name = format!("{module}.erl");
        let mut headers = Headers { folder: &self.folder };
        let mut compilation = compile(&name, &bytes, &Options::default(), &mut headers);
        let Some(module) = compilation.module else { return Some(Err(compilation.session.render(false))) };
        Some(verify(module).map_err(|error| error.to_string()))
    }

    /// It stands for the embedded modules, and those who work on them can wait.
    fn is_quick(&self) -> bool {
        true
    }

    fn header(&self, path: &str) -> Option<&'static str> {
        header(path)
    }
}

struct Headers<'f> {
    folder: &'f PathBuf,
}

impl Loader for Headers<'_> {
    fn include(&mut self, path: &str, _from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        match std::fs::read(self.folder.join(path)) {
            Ok(bytes) => Ok((path.to_owned(), bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(IncludeError::NotFound),
            Err(error) => Err(IncludeError::Unreadable(error.to_string())),
        }
    }

    fn include_lib(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        self.include(path, from)
    }
}

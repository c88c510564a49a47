//! The code path: the folders in which a module is looked for that is called and not loaded, after the standard library and the
//! host's loaders.
//!
//! It belongs to the machine; `code:add_path/1` and its kin change it. Folders that take the place of the library's modules are not
//! in it: those are sources of their own.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use erlet_lang::verify::Verified;

use super::ModuleSource;

/// How modules are read from folders.
pub trait FolderSource: Send + Sync {
    /// The module of that name, which stands in `file`, compiled and verified.
    ///
    /// # Errors
    /// The text to report if it cannot be had.
    fn read(&self, file: &Path, folder: &Path, module: &str) -> Result<Verified, String>;
}

/// A folder of the path.
#[derive(Clone, Debug)]
pub struct Folder {
    /// As `code:get_path/0` gives it.
    pub name: String,
    /// Where it is.
    pub place: PathBuf,
}

impl Folder {
    /// A folder under its own name.
    pub fn of(place: PathBuf) -> Folder {
        let name = match place.as_os_str().is_empty() {
            true => ".".to_owned(),
            false => place.to_string_lossy().into_owned(),
        };
        Folder { name, place }
    }
}

/// The path, and how it is read.
pub struct CodePath {
    folders: Mutex<Vec<Folder>>,
    reader: Box<dyn FolderSource>,
}

impl CodePath {
    /// A path of these folders.
    pub fn new(folders: Vec<Folder>, reader: Box<dyn FolderSource>) -> CodePath {
        CodePath { folders: Mutex::new(folders), reader }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Folder>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folders, in the order in which they are looked through.
    pub fn folders(&self) -> Vec<Folder> {
        self.lock().clone()
    }

    /// Exchanges the path, if its names are still `old`.
    pub fn exchange(&self, old: &[String], new: Vec<Folder>) -> bool {
        let mut folders = self.lock();
        let is_same = folders.iter().map(|folder| &folder.name).eq(old);
        if is_same {
            *folders = new;
        }
        is_same
    }

    fn find_file(&self, module: &str) -> Option<(PathBuf, PathBuf)> {
        if module.contains(['/', '\\', '\0']) {
            return None;
        }
        let name = format!("{module}.erl");
        self.folders()
            .into_iter()
            .map(|folder| (folder.place.join(&name), folder.place))
            .find(|(file, _)| file.is_file())
    }
}

/// The path as a source of modules.
pub struct OnPath(pub Arc<CodePath>);

impl ModuleSource for OnPath {
    fn find(&self, module: &str) -> Option<Result<Verified, String>> {
        let (file, folder) = self.0.find_file(module)?;
        Some(self.0.reader.read(&file, &folder, module))
    }

    fn has(&self, module: &str) -> bool {
        self.0.find_file(module).is_some()
    }

    fn file(&self, module: &str) -> Option<String> {
        Some(self.0.find_file(module)?.0.to_string_lossy().into_owned())
    }
}

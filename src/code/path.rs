//! The code path: the folders in which a module is looked for that is called and not loaded, after the standard library and the
//! host's loaders.
//!
//! In a folder a module is its source, `module.erl`; or, where there is none, the code that `compile:file/2` wrote there,
//! `module.beam`. The object code of other machines goes by that name, too, and is passed over.
//!
//! It belongs to the machine; `code:add_path/1` and its kin change it. Folders that take the place of the library's modules are not
//! in it: those are sources of their own.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use erlet_lang::encode;
use erlet_lang::verify::{Verified, verify};

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
        let (source, code) = (format!("{module}.erl"), format!("{module}.{CODE_EXTENSION}"));
        self.folders().into_iter().find_map(|folder| {
            let file = Some(folder.place.join(&source)).filter(|file| file.is_file());
            let file = file.or_else(|| Some(folder.place.join(&code)).filter(|file| is_code(file)));
            file.map(|file| (file, folder.place))
        })
    }
}

/// What the name of a file of code ends with, behind a dot: OTP's, since programs write it out.
const CODE_EXTENSION: &str = "beam";

/// Whether a file begins as encoded modules do.
fn is_code(file: &Path) -> bool {
    let mut start = [0; encode::MAGIC.len()];
    File::open(file).and_then(|mut file| file.read_exact(&mut start)).is_ok() && encode::is_module(&start)
}

fn code_in(file: &Path) -> Result<Verified, String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    let module = encode::decode(&bytes).map_err(|error| error.to_string())?;
    verify(module).map_err(|error| error.to_string())
}

/// The path as a source of modules.
pub struct OnPath(pub Arc<CodePath>);

impl ModuleSource for OnPath {
    fn find(&self, module: &str) -> Option<Result<Verified, String>> {
        let (file, folder) = self.0.find_file(module)?;
        Some(match file.extension().is_some_and(|extension| extension == CODE_EXTENSION) {
            true => code_in(&file),
            false => self.0.reader.read(&file, &folder, module),
        })
    }

    fn has(&self, module: &str) -> bool {
        self.0.find_file(module).is_some()
    }

    fn file(&self, module: &str) -> Option<String> {
        Some(self.0.find_file(module)?.0.to_string_lossy().into_owned())
    }
}

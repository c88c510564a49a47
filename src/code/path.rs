//! The code path: the folders in which a module is looked for that is called and not loaded, after the standard library and the
//! host's loaders.
//!
//! A folder has a module as its source, `NAME.erl`, or as what `compile:file/2` has made of one, `NAME.beam`: where both are, the
//! object code counts as long as it is not older than the source. Object code of another format (of OTP, of another erlet) is
//! passed over.
//!
//! It belongs to the machine; `code:add_path/1` and its kin change it. Folders that take the place of the library's modules are not
//! in it: those are sources of their own.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use erlet_lang::encode;
use erlet_lang::options::Define;
use erlet_lang::verify::{Verified, verify};

use super::ModuleSource;

/// How modules are read from folders.
pub trait FolderSource: Send + Sync {
    /// The module of that name, which stands in `file`, compiled and verified.
    ///
    /// # Errors
    /// The text to report if it cannot be had.
    fn read(&self, file: &Path, folder: &Path, module: &str) -> Result<Verified, String>;

    /// What sources are compiled with besides themselves.
    fn settings(&self) -> SourceSettings {
        SourceSettings::default()
    }
}

/// What sources are compiled with: folders of headers, and macros.
#[derive(Clone, Debug, Default)]
pub struct SourceSettings {
    /// The folders, in the order in which they are looked through.
    pub includes: Vec<PathBuf>,
    /// The macros and the texts of their values.
    pub defines: Vec<Define>,
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

    /// What sources of the path are compiled with.
    pub fn settings(&self) -> SourceSettings {
        self.reader.settings()
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
        self.folders()
            .into_iter()
            .find_map(|folder| file_in(&folder.place, module).map(|file| (file, folder.place)))
    }
}

/// The file that a folder has of a module.
fn file_in(folder: &Path, module: &str) -> Option<PathBuf> {
    let source = folder.join(format!("{module}.erl"));
    let object = folder.join(format!("{module}.beam"));
    match (source.is_file(), is_object(&object)) {
        (true, true) if is_older(&object, &source) => Some(source),
        (_, true) => Some(object),
        (true, false) => Some(source),
        (false, false) => None,
    }
}

/// Whether the file is a module as this erlet writes them.
fn is_object(file: &Path) -> bool {
    let mut start = [0; encode::FORMAT_BYTES];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && encode::is_readable(&start)
}

fn is_older(file: &Path, other: &Path) -> bool {
    let changed = |file: &Path| fs::metadata(file).and_then(|metadata| metadata.modified());
    matches!((changed(file), changed(other)), (Ok(file), Ok(other)) if file < other)
}

/// The module in a file of object code.
fn read_object(file: &Path, module: &str) -> Result<Verified, String> {
    let shown = file.display();
    let bytes = fs::read(file).map_err(|error| format!("{shown}: {error}"))?;
    let decoded = encode::decode(&bytes).map_err(|error| format!("{shown}: {error}"))?;
    let name = &decoded.atoms[decoded.name.index()];
    if name != module {
        return Err(format!("{shown} holds the module {name}, not {module}"));
    }
    verify(decoded).map_err(|error| format!("{shown}: {error}"))
}

/// The path as a source of modules.
pub struct OnPath(pub Arc<CodePath>);

impl ModuleSource for OnPath {
    fn find(&self, module: &str) -> Option<Result<Verified, String>> {
        let (file, folder) = self.0.find_file(module)?;
        Some(match file.extension().is_some_and(|extension| extension == "beam") {
            true => read_object(&file, module),
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

//! What a machine inherits from its host and then has for itself: standard input, working directory, environment variables.
//!
//! Several machines live in one operating system process, so none changes the process's own: a machine copies what it
//! inherits on first use, and resolves file names against its own directory.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::host::HostCalls;

/// Where input comes from.
pub type Source = Box<dyn Read + Send>;

/// Bytes taken from standard input at a time.
const READ_BYTES: usize = 16 * 1024;

/// A machine's surroundings.
pub struct Environment {
    input: Arc<Mutex<Option<Source>>>,
    directory: Mutex<Option<PathBuf>>,
    variables: Mutex<Option<BTreeMap<OsString, OsString>>>,
    host: OnceLock<Arc<dyn HostCalls>>,
}

impl Default for Environment {
    /// That of the host.
    fn default() -> Self {
        Environment {
            input: Arc::new(Mutex::new(None)),
            directory: Mutex::new(None),
            variables: Mutex::new(None),
            host: OnceLock::new(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Environment {
    /// Takes standard input from elsewhere than the host's.
    pub fn set_input(&self, source: Source) {
        *lock(&self.input) = Some(source);
    }

    /// Sets, once, what the embedder offers to programs.
    pub fn set_host(&self, host: Arc<dyn HostCalls>) {
        let first = self.host.set(host).is_ok();
        debug_assert!(first, "the host is set once");
    }

    /// What the embedder offers to programs, if anything.
    pub fn host(&self) -> Option<Arc<dyn HostCalls>> {
        self.host.get().cloned()
    }

    /// The device to read from, in a job.
    pub fn input(&self) -> Input {
        Input(Arc::clone(&self.input))
    }

    /// The working directory.
    ///
    /// # Errors
    /// If the host cannot tell its own.
    pub fn directory(&self) -> io::Result<PathBuf> {
        let mut directory = lock(&self.directory);
        if directory.is_none() {
            *directory = Some(std::env::current_dir()?);
        }
        Ok(directory.clone().unwrap_or_default())
    }

    /// Sets the working directory to one that exists.
    ///
    /// # Errors
    /// If it does not, or is none.
    pub fn set_directory(&self, path: &Path) -> io::Result<()> {
        let path = std::fs::canonicalize(self.resolve(path)?)?;
        if !std::fs::metadata(&path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        *lock(&self.directory) = Some(path);
        Ok(())
    }

    /// A file name relative to the working directory.
    ///
    /// # Errors
    /// As [`Environment::directory`].
    pub fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        // While the machine never changed its directory, the host's is the same, and names stay as they were given.
        let directory = lock(&self.directory);
        Ok(directory.as_ref().map_or_else(|| path.to_owned(), |directory| directory.join(path)))
    }

    /// Reads or changes the environment variables.
    pub fn variables<R>(&self, f: impl FnOnce(&mut BTreeMap<OsString, OsString>) -> R) -> R {
        f(lock(&self.variables).get_or_insert_with(|| std::env::vars_os().collect()))
    }
}

/// Standard input, to be read where blocking is allowed.
pub struct Input(Arc<Mutex<Option<Source>>>);

impl Input {
    /// Waits for input: some bytes, none at the end.
    ///
    /// # Errors
    /// As the source says.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        let mut source = lock(&self.0);
        let mut bytes = vec![0; READ_BYTES];
        loop {
            match source.get_or_insert_with(|| Box::new(io::stdin())).read(&mut bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(length) => {
                    bytes.truncate(length);
                    return Ok(bytes);
                }
            }
        }
    }
}

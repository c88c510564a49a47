//! Compiling source text.

use std::path::Path;

use erlet_lang::bytecode::Module;
use erlet_lang::{IncludeError, Loader as Includes, Options, ParseOptions, encode};

use super::Vm;
use super::diagnostics::Diagnostics;
use super::load::Loaded;
use crate::error::Error;

impl Vm {
    /// Compiles the text of a module and loads it; a version that was loaded before is replaced: calls from now on reach the new one, and
    /// processes in the midst of the old one go on in it. (If there is a still older one, processes that run that are killed, as by
    /// `code:purge/1`.)
    ///
    /// `path` is what diagnostics and stack traces show; nothing is read from there. A text without `-module` is the module that the
    /// file is named after, and one without `-export` exports everything.
    ///
    /// A name that the standard library has is refused: what replaced `lists` would break whatever uses it, maybe much later. What is no longer
    /// wanted can be [unloaded](Vm::unload).
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).build()?;
    /// vm.load_source("price.erl", "total(Apples) -> Apples * 3.")?;
    /// assert_eq!(vm.call::<i64>("price", "total", (2,))?, 6);
    /// // Prices rise; whoever calls gets the new one.
    /// vm.load_source("price.erl", "total(Apples) -> Apples * 4.")?;
    /// assert_eq!(vm.call::<i64>("price", "total", (2,))?, 8);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Compile`] with everything the compiler has to say; [`Error::Load`] if the module's `-on_load` function refuses, or the name is
    /// one of the standard library's;
    /// [`Error::Limit`] if there is no room for its constants or atoms; to replace a module that has an old version waits, so
    /// [`Error::WouldBlockScheduler`] on a thread that runs processes.
    ///
    /// # Cost
    /// About as much as reading 30 MB of text a second, a fraction of a millisecond for a small module, on the calling thread.
    pub fn load_source(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) -> Result<Loaded, Error> {
        self.machine().expect_calls();
        let (module, warnings) = self.compiled(path.as_ref(), text.as_ref(), None)?;
        self.load_compiled(module, warnings)
    }

    /// The same for a file, which may include others from its folder.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().build()?;
    /// vm.load_file("scripts/rules.erl")?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Vm::load_source`], and [`Error::System`] if the file cannot be read.
    pub fn load_file(&self, path: impl AsRef<Path>) -> Result<Loaded, Error> {
        self.machine().expect_calls();
        let path = path.as_ref();
        let (module, warnings) = self.compiled(path, &read(path)?, path.parent())?;
        self.load_compiled(module, warnings)
    }

    /// Compiles several files and, if all of them compile, loads them: either all or none. The diagnostics are those of all.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().build()?;
    /// vm.load_files(["scripts/rules.erl", "scripts/prices.erl"])?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Vm::load_file`].
    pub fn load_files<P: AsRef<Path>>(
        &self,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Vec<Loaded>, Error> {
        let mut modules = Vec::new();
        let mut faults = Diagnostics::default();
        for path in paths {
            let path = path.as_ref();
            match self.compiled(path, &read(path)?, path.parent()) {
                Ok(module) => modules.push(module),
                Err(Error::Compile(diagnostics)) => faults.extend(*diagnostics),
                Err(error) => return Err(error),
            }
        }
        if !faults.is_empty() {
            return Err(Error::Compile(Box::new(faults)));
        }
        modules.into_iter().map(|(module, warnings)| self.load_compiled(module, warnings)).collect()
    }

    /// Compiles the text of a module to bytecode, for [`Vm::load_bytecode`] of any machine, on this or another computer.
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(0).build()?;
    /// let bytes = vm.compile("price.erl", "total(Apples) -> Apples * 3.")?;
    /// let other = erlet::Vm::builder().threads(0).build()?;
    /// other.load_bytecode(&bytes)?;
    /// assert_eq!(other.call::<i64>("price", "total", (2,))?, 6);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Compile`].
    pub fn compile(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) -> Result<Vec<u8>, Error> {
        self.compiled(path.as_ref(), text.as_ref(), None).map(|(module, _)| encode::encode(&module))
    }

    fn compiled(
        &self,
        path: &Path,
        text: &[u8],
        folder: Option<&Path>,
    ) -> Result<(Module, Diagnostics), Error> {
        let header = |path: &str| self.rt().code.header(path).map(|text| text.as_bytes().to_vec());
        compiled(path, text, &mut Headers { folder, more: &header })
    }
}

/// The bytes of a file; an error names it, which the system's does not.
fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|error| {
        Error::System(std::io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    })
}

/// The module of a text, and what the compiler warns of.
pub(super) fn compiled(
    path: &Path,
    text: &[u8],
    headers: &mut Headers<'_>,
) -> Result<(Module, Diagnostics), Error> {
    let (name, stem) = (path.to_string_lossy(), path.file_stem().unwrap_or_default().to_string_lossy());
    let mut options = Options {
        parse: ParseOptions {
            allow_hashbang: true,
            default_module: Some(stem.into_owned()),
            ..ParseOptions::default()
        },
        ..Options::default()
    };
    let mut compilation = erlet_lang::compile(&name, text, &options, headers);
    if compilation.module.as_ref().is_some_and(exports_nothing) {
        options.export_all = true;
        compilation = erlet_lang::compile(&name, text, &options, headers);
    }
    let diagnostics = Diagnostics::of(&mut compilation.session);
    match compilation.module {
        Some(module) => Ok((module, diagnostics)),
        None => Err(Error::Compile(Box::new(diagnostics))),
    }
}

/// Whether nothing of the module can be called from outside but what the compiler has added.
fn exports_nothing(module: &Module) -> bool {
    module.functions.iter().all(|f| !f.exported || module.atoms[f.name.index()] == *"module_info")
}

/// Where included files come from.
pub(super) struct Headers<'a> {
    /// The folder of the file that is compiled, if it is one.
    pub folder: Option<&'a Path>,
    /// What else there is, by the path that stands in the text.
    pub more: &'a dyn Fn(&str) -> Option<Vec<u8>>,
}

impl Includes for Headers<'_> {
    fn include(&mut self, path: &str, _from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        if let Some(folder) = self.folder {
            let file = folder.join(path);
            match std::fs::read(&file) {
                Ok(bytes) => return Ok((file.to_string_lossy().into_owned(), bytes)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(IncludeError::Unreadable(error.to_string())),
            }
        }
        self.include_lib(path, "")
    }

    fn include_lib(&mut self, path: &str, _from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        let bytes = (self.more)(path).ok_or(IncludeError::NotFound)?;
        Ok((path.to_owned(), bytes))
    }
}

//! Where modules come from that are called before they were loaded: the host's own sources.

use std::path::{Path, PathBuf};

use erlet_lang::bytecode::Module;
use erlet_lang::encode;
use erlet_lang::verify::{Verified, verify};

use crate::code::ModuleSource;
use crate::code::path::FolderSource;
use crate::error::Error;

/// The code of a module, as a [`Loader`] has it.
///
/// ```
/// let code = erlet::Code::Source { path: "greeter.erl".into(), text: "hello() -> hello.".into() };
/// # let _ = code;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Code {
    /// Source text. The path is what diagnostics and stack traces show; nothing is read from there.
    Source {
        /// The path.
        path: PathBuf,
        /// The text.
        text: Vec<u8>,
    },
    /// Bytecode, as [`Vm::compile`](crate::Vm::compile) gives it.
    Bytecode(Vec<u8>),
    /// There is such a module, but it cannot be had, for this reason.
    Unavailable(String),
}

/// Where a machine finds modules that are called and not loaded: an archive, a database, what the program has built in.
///
/// It is asked by a thread that may block, once for each module; the caller waits. `code:load_file/1` asks it again.
///
/// ```
/// # fn main() -> Result<(), erlet::Error> {
/// use erlet::{Code, Loader, Vm};
///
/// struct BuiltIn;
///
/// impl Loader for BuiltIn {
///     fn module(&self, name: &str) -> Option<Code> {
///         let text = match name {
///             "shop" => "price(Apples) -> rates:rate(apple) * Apples.",
///             "rates" => "rate(apple) -> 3.",
///             _ => return None,
///         };
///         Some(Code::Source { path: format!("{name}.erl").into(), text: text.into() })
///     }
/// }
///
/// let vm = Vm::builder().threads(0).loader(BuiltIn).build()?;
/// assert_eq!(vm.call::<i64>("shop", "price", (2,))?, 6);
/// # Ok(())
/// # }
/// ```
pub trait Loader: Send + Sync {
    /// The code of the module; `None` if there is none of that name.
    fn module(&self, name: &str) -> Option<Code>;

    /// The text of a file that sources include, by the path that stands in the text.
    fn include(&self, path: &str) -> Option<Vec<u8>> {
        let _ = path;
        None
    }
}

/// A host's loader as the code server sees it.
pub(super) struct Hosted<L>(pub L);

impl<L: Loader> ModuleSource for Hosted<L> {
    fn find(&self, module: &str) -> Option<Result<Verified, String>> {
        Some(match self.0.module(module)? {
            Code::Source { path, text } => compiled(&path, &text, None, &|path| self.0.include(path)),
            Code::Bytecode(bytes) => decoded(&bytes),
            Code::Unavailable(why) => Err(why),
        })
    }
}

/// Sources in a folder.
pub(super) struct InFolder;

impl FolderSource for InFolder {
    fn read(&self, file: &Path, folder: &Path, _: &str) -> Result<Verified, String> {
        let text = std::fs::read(file).map_err(|error| error.to_string())?;
        compiled(file, &text, Some(folder), &|_| None)
    }
}

fn checked(module: Module) -> Result<Verified, String> {
    verify(module).map_err(|error| error.to_string())
}

fn decoded(bytes: &[u8]) -> Result<Verified, String> {
    checked(encode::decode(bytes).map_err(|error| error.to_string())?)
}

#[cfg(feature = "compiler")]
fn compiled(
    path: &Path,
    text: &[u8],
    folder: Option<&Path>,
    more: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<Verified, String> {
    let header =
        |path: &str| more(path).or_else(|| crate::stdlib::header(path).map(|text| text.as_bytes().to_vec()));
    let mut headers = super::compile::Headers { folder, more: &header };
    match super::compile::compiled(path, text, &mut headers) {
        Ok((module, _)) => checked(module),
        Err(Error::Compile(diagnostics)) => Err(diagnostics.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(not(feature = "compiler"))]
fn compiled(
    path: &Path,
    _: &[u8],
    _: Option<&Path>,
    _: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<Verified, String> {
    let error = Error::Setting("source text needs the feature `compiler`");
    Err(format!("{}: {error}", path.display()))
}

//! What the embedder decides about a compilation, and how it hands over included files.

use crate::constants::Constants;

/// Options of the preprocessor and parser.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// Macros from the command line, in order.
    pub defines: Vec<Define>,
    /// The first line may be `#!...` and is then skipped.
    pub allow_hashbang: bool,
    /// The module name that `?MODULE` means in a file without `-module`.
    pub default_module: Option<String>,
    /// Features to switch off; the only one is `maybe_expr`, whose keywords `maybe` and `else` become atoms.
    pub disabled_features: Vec<String>,
    /// Directives (`-define(...).`) that are obeyed before the text is read, as of a header that it includes.
    pub prelude: String,
}

/// `-D NAME=TERM`, or `-D NAME`, which means `true`.
#[derive(Clone, Debug)]
pub struct Define {
    pub name: String,
    /// The term's source text.
    pub value: Option<String>,
}

/// Where included files come from: the crate itself reads nothing.
pub trait Loader {
    /// The file of `-include("path")`: the path and content.
    ///
    /// `from` is the path of the including file, whose folder is searched first; then the loader's own folders.
    ///
    /// # Errors
    /// When there is no such file or it cannot be read.
    fn include(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), IncludeError>;

    /// The file of `-include_lib("app/path")`: tried when `include` found nothing; the first part names an
    /// application.
    ///
    /// # Errors
    /// As [`Loader::include`].
    fn include_lib(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), IncludeError>;

    /// Runs `module:parse_transform(Forms, Options)` over forms: the only term of the tables is their list, or each term is a
    /// form.
    ///
    /// # Errors
    /// When there is no such module, or it fails.
    fn transform(&mut self, _module: &str, _forms: &Constants) -> Result<Constants, TransformError> {
        Err(TransformError::Undefined)
    }

    /// The value of an environment variable, for paths such as `"$ROOT/x.hrl"`.
    fn variable(&mut self, _name: &str) -> Option<String> {
        None
    }
}

/// Why forms could not be transformed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TransformError {
    /// There is no such module, or it exports no `parse_transform/2`.
    Undefined,
    /// It failed for this reason.
    Failed(String),
}

/// Why a file could not be included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IncludeError {
    NotFound,
    /// Found, but reading it failed for this reason.
    Unreadable(String),
}

/// A loader without files.
pub struct NoIncludes;

impl Loader for NoIncludes {
    fn include(&mut self, _path: &str, _from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        Err(IncludeError::NotFound)
    }

    fn include_lib(&mut self, _path: &str, _from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        Err(IncludeError::NotFound)
    }
}

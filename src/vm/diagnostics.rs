//! What the compiler has to say, for hosts: as data and as text.

use std::fmt;
use std::path::PathBuf;

#[cfg(feature = "compiler")]
use erlet_lang::{Session, Severity};

/// How bad it is.
///
/// ```
/// assert!(erlet::Level::Error > erlet::Level::Warning);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// The module can be used all the same.
    Warning,
    /// There is no module.
    Error,
}

/// One thing the compiler has to say.
///
/// ```
/// fn short(diagnostic: &erlet::Diagnostic) -> String {
///     format!("{}: {}", diagnostic.line, diagnostic.title)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// How bad it is.
    pub level: Level,
    /// A code that stays the same over versions, such as `E0102`; `erlet explain CODE` says more about it.
    pub code: &'static str,
    /// What is wrong, in one line.
    pub title: String,
    /// The file, as it was named to the compiler; empty if it is about no place.
    pub file: PathBuf,
    /// The line, from 1; 0 if it is about no place.
    pub line: u32,
    /// The column, from 1, in characters; 0 if it is about no place.
    pub column: u32,
    /// The bytes of the file's text it is about.
    pub bytes: std::ops::Range<usize>,
    /// Further sentences: why it matters.
    pub notes: Vec<String>,
    /// Further sentences: what to do.
    pub helps: Vec<String>,
}

/// Everything the compiler has to say about some source text, in the order of its places.
///
/// It displays as text with the source lines it is about, as the command shows it, without colours.
///
/// ```
/// # fn main() -> Result<(), erlet::Error> {
/// let vm = erlet::Vm::builder().threads(0).build()?;
/// let Err(erlet::Error::Compile(diagnostics)) = vm.load_source("shop.erl", "price() -> Apple.") else { panic!() };
/// let first = diagnostics.errors().next().unwrap();
/// assert_eq!((first.line, first.column), (1, 12));
/// assert!(diagnostics.to_string().contains("Apple"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    all: Vec<Diagnostic>,
    text: String,
}

impl Diagnostics {
    #[cfg(feature = "compiler")]
    pub(super) fn of(session: &mut Session) -> Diagnostics {
        let text = session.render(false);
        let all = session.diagnostics.iter().map(|one| diagnostic(session, one)).collect();
        Diagnostics { all, text }
    }

    /// All of them.
    ///
    /// ```
    /// assert_eq!(erlet::Diagnostics::default().iter().count(), 0);
    /// ```
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.all.iter()
    }

    /// The errors alone.
    ///
    /// ```
    /// assert_eq!(erlet::Diagnostics::default().errors().count(), 0);
    /// ```
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.all.iter().filter(|diagnostic| diagnostic.level == Level::Error)
    }

    /// Whether there are none.
    ///
    /// ```
    /// assert!(erlet::Diagnostics::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Puts those of another text behind these.
    #[cfg(feature = "compiler")]
    pub(super) fn extend(&mut self, more: Diagnostics) {
        self.all.extend(more.all);
        self.text.push_str(&more.text);
    }
}

impl<'d> IntoIterator for &'d Diagnostics {
    type Item = &'d Diagnostic;
    type IntoIter = std::slice::Iter<'d, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl std::error::Error for Diagnostics {}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "{}:{}:{}: ", self.file.display(), self.line, self.column)?;
        }
        let level = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
        };
        write!(f, "{level}[{}]: {}", self.code, self.title)
    }
}

#[cfg(feature = "compiler")]
fn diagnostic(session: &Session, one: &erlet_lang::Diagnostic) -> Diagnostic {
    let level = match one.severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
    };
    let mut diagnostic = Diagnostic {
        level,
        code: one.code.text(),
        title: one.title.clone(),
        file: PathBuf::new(),
        line: 0,
        column: 0,
        bytes: 0..0,
        notes: one.notes.clone(),
        helps: one.helps.clone(),
    };
    if let Some(place) = session.sources.place(one.span) {
        let source = session.sources.get(place.source);
        let at = source.line_column(place.start);
        diagnostic.file.clone_from(&source.path);
        (diagnostic.line, diagnostic.column) = (at.line, at.column);
        diagnostic.bytes = place.start as usize..place.end as usize;
    }
    diagnostic
}

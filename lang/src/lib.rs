//! The compiler of erlet: Erlang source text to verified bytecode, without I/O.
//!
//! The way of a source file: bytes are decoded into a [`source`] text, tokens are cut from it,
//! the preprocessor turns tokens into tokens, and the parser makes the [`ast`] of one form after another. Nothing on
//! this way fails as a whole: each stage pushes [`Diagnostic`]s to the [`Session`] and goes on.
//!
//! Programs that handle programs go the same way in parts: [`forms`] writes trees as terms of OTP's abstract format and
//! reads them, and parse transforms stand between the tree and the linter, by way of the [`Loader`].
//!
//! A [`Session`] owns what one compilation shares: the [`Interner`] of names, the [`Sources`] with their spans, and
//! the diagnostics so far. Several files may be parsed in one session.

#![forbid(unsafe_code)]

// First, since the table of instructions is a macro.
#[macro_use]
pub mod bytecode;

pub mod asm;
pub mod ast;
pub mod bits;
pub mod builtin;
pub mod codegen;
pub mod compile;
pub mod constants;
pub mod core;
pub mod diagnostic;
pub mod encode;
pub mod forms;
pub mod hash;
pub mod inline;
pub mod lint;
pub mod lower;
pub mod matching;
pub mod name;
pub mod notes;
pub mod number;
pub mod options;
pub mod parse;
pub mod preprocess;
pub mod source;
pub mod spelling;
pub mod token;
mod transform;
pub mod verify;

pub use compile::{Compilation, Options, compile};
pub use diagnostic::{Code, Diagnostic, Severity};
pub use name::{Interner, Name, known};
pub use number::Int;
pub use options::{Define, IncludeError, Loader, NoIncludes, ParseOptions, TransformError};
pub use source::{SourceId, Sources, Span};

/// What the files of one compilation share.
#[derive(Default)]
pub struct Session {
    pub names: Interner,
    pub sources: Sources,
    /// In the order they were found; [`Session::render`] sorts.
    pub diagnostics: Vec<Diagnostic>,
    /// What refused forms would have defined.
    pub(crate) lost: parse::lost::Lost,
    /// Tokens parsed in search of repairs.
    pub(crate) tried: usize,
    /// Where nodes begin that a program made, and said so.
    pub(crate) generated: std::collections::HashSet<u32>,
}

impl Session {
    /// Nothing read yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether anything found so far prevents code.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// What is wrong in the body of a macro is wrong at each use, and a macro that is missing may be missing often: once
    /// is enough.
    fn merge_repeats(&mut self) {
        let mut seen = std::collections::HashSet::new();
        let sources = &self.sources;
        self.diagnostics.retain(|diagnostic| {
            let place = match diagnostic.code == Code::UndefinedMacro && diagnostic.suggestions.is_empty() {
                true => None,
                false => sources.place(diagnostic.span).map(|place| (place.source, place.start)),
            };
            seen.insert((diagnostic.code, diagnostic.title.clone(), place))
        });
    }

    /// What a program made may be more than it needs: clauses that others shadow, values that nobody uses.
    pub(crate) fn forgive_generated(&mut self) {
        let generated = &self.generated;
        self.diagnostics.retain(|diagnostic| {
            let of_need = matches!(
                diagnostic.code,
                Code::UnusedTerm
                    | Code::UnreachableClause
                    | Code::NeverMatches
                    | Code::AlwaysFails
                    | Code::FalseGuard
            );
            diagnostic.is_error() || !of_need || !generated.contains(&diagnostic.span.start)
        });
    }

    /// Puts the diagnostics into source order.
    pub fn sort_diagnostics(&mut self) {
        self.diagnostics.sort_by_key(|diagnostic| {
            let outer = self.sources.outer_place(diagnostic.span);
            outer.map(|place| (place.source, place.start))
        });
    }

    /// All diagnostics so far as text, in source order.
    pub fn render(&mut self, colour: bool) -> String {
        self.sort_diagnostics();
        diagnostic::render(&self.diagnostics, &self.sources, &self.names, colour)
    }
}

/// Parses a source file: `path` is what diagnostics and `?FILE` show, `bytes` the content.
///
/// Diagnostics go to the session; forms with errors are left out, all others are there.
pub fn parse_file(
    session: &mut Session,
    path: &str,
    bytes: &[u8],
    options: &ParseOptions,
    loader: &mut dyn Loader,
) -> ast::File {
    let Some(mut preprocessor) = preprocess::Preprocessor::new(session, path, bytes, options, loader) else {
        return ast::File::default();
    };
    let mut recovery = parse::recover::Recovery::default();
    let mut tokens = Vec::new();
    while preprocessor.next_form(session, &mut tokens) {
        if let Some(goes_on) = recovery.form(session, &tokens) {
            preprocessor.rewind(goes_on);
        }
    }
    let forms = recovery.finish(session);
    session.merge_repeats();
    ast::File { forms, end: preprocessor.end() }
}

/// Parses expressions as `eval` and the shell have them: `A, B, C.` with or without the dot at the end.
///
/// Macros from `options` and the predefined ones may be used. `None` if there was an error; diagnostics go to the
/// session.
pub fn parse_exprs(
    session: &mut Session,
    path: &str,
    text: &str,
    options: &ParseOptions,
) -> Option<Vec<ast::Expr>> {
    let errors_before = session.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    let mut loader = NoIncludes;
    let mut preprocessor = preprocess::Preprocessor::for_exprs(session, path, text, options, &mut loader)?;
    let mut tokens = Vec::new();
    let mut exprs = None;
    while preprocessor.next_form(session, &mut tokens) {
        let parsed = parse::exprs(session, &tokens);
        match exprs {
            None => exprs = parsed,
            Some(_) => {
                let span = tokens.first().map_or(Span::NONE, |first| first.span);
                let title = "only one sequence of expressions, ended by one dot, is expected";
                session.diagnostics.push(Diagnostic::new(Code::Syntax, span, title));
                return None;
            }
        }
    }
    let errors = session.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    exprs.filter(|_| errors == errors_before)
}

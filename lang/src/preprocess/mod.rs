//! The preprocessor: tokens in, tokens out, one form at a time.
//!
//! [`Preprocessor::next_form`] gives the tokens of the next form, macros expanded, directives obeyed and removed. Files
//! are cut into tokens as a whole when they are opened; included files stack up (`file`). `directive` obeys
//! directives, `expand` expands macros, `condition` evaluates `-if`.
//!
//! A form with an error in it (a malformed token, an unknown macro) is reported and left out; the next begins after
//! its dot.

mod condition;
mod directive;
mod expand;
mod file;
mod macros;

use crate::source::{Decoded, decode};
use crate::token::{Spanned, Token, lex_from};
use crate::{Code, Diagnostic, Loader, Name, ParseOptions, Session, SourceId, Span, known};
use file::OpenFile;
use macros::Macros;

/// The release whose language this is: `?OTP_RELEASE`.
pub const OTP_RELEASE: i64 = 27;

/// A file was entered, or come back to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FileMark {
    pub(crate) path: String,
    /// The line of it that comes next.
    pub(crate) line: i64,
    /// The line and column at which that is said.
    pub(crate) at: i64,
    pub(crate) column: i64,
    /// Whether a `-file` attribute says it.
    pub(crate) written: bool,
}

/// What diagnostics call the directives that were given with the options.
const PRELUDE: &str = "definitions";

/// The state of preprocessing one file with all it includes.
pub struct Preprocessor<'a> {
    loader: &'a mut dyn Loader,
    /// The innermost included file is last.
    files: Vec<OpenFile>,
    macros: Macros,
    module: Option<Name>,
    /// `-feature` may stand only before other forms.
    in_prefix: bool,
    /// Whether `maybe` and `else` are keywords.
    maybe_enabled: bool,
    /// Just after the last token of the outermost file.
    end: Span,
    /// Files entered and left since somebody asked, if they are wanted.
    marks: Option<Vec<FileMark>>,
}

impl<'a> Preprocessor<'a> {
    /// Prepares to read a file: `path` as diagnostics and `?FILE` show it.
    ///
    /// `None` if the text does not fit into the session, which is reported.
    pub fn new(
        session: &mut Session,
        path: &str,
        bytes: &[u8],
        options: &ParseOptions,
        loader: &'a mut dyn Loader,
    ) -> Option<Self> {
        let mut preprocessor = Self::reading(session, path, bytes, options, loader)?;
        preprocessor.files.iter_mut().for_each(OpenFile::take_names_as_written);
        Some(preprocessor)
    }

    fn reading(
        session: &mut Session,
        path: &str,
        bytes: &[u8],
        options: &ParseOptions,
        loader: &'a mut dyn Loader,
    ) -> Option<Self> {
        let (source, invalid) = add_source(session, path, bytes, Span::NONE)?;
        if let Some(at) = invalid {
            session.diagnostics.push(not_utf8(session.sources.span(source, at, at)));
        }
        let text = session.sources.get(source).text.clone();
        let skip = match options.allow_hashbang && text.starts_with("#!") {
            true => text.find('\n').unwrap_or(text.len()),
            false => 0,
        };
        let file = OpenFile::new(session, source, path, skip);
        let maybe_enabled = !options.disabled_features.iter().any(|feature| feature == "maybe_expr");
        let mut preprocessor = Self {
            loader,
            files: vec![file],
            macros: Macros::new(),
            module: None,
            in_prefix: true,
            maybe_enabled,
            end: session.sources.span(source, text.len(), text.len()),
            marks: None,
        };
        if let Some(module) = &options.default_module {
            preprocessor.module = Some(session.names.intern(module));
        }
        preprocessor.define_options(session, options);
        if !options.prelude.is_empty() {
            let (source, _) = add_source(session, PRELUDE, options.prelude.as_bytes(), Span::NONE)?;
            preprocessor.files.push(OpenFile::new(session, source, PRELUDE, 0));
        }
        Some(preprocessor)
    }

    /// Prepares to read expressions: the dot at the end may be missing.
    pub(crate) fn for_exprs(
        session: &mut Session,
        path: &str,
        text: &str,
        options: &ParseOptions,
        loader: &'a mut dyn Loader,
    ) -> Option<Self> {
        let mut preprocessor = Self::reading(session, path, text.as_bytes(), options, loader)?;
        let end = preprocessor.end;
        if let Some(file) = preprocessor.files.first_mut() {
            file.add_missing_dot(end);
        }
        Some(preprocessor)
    }

    /// Just after the last token of the file.
    pub fn end(&self) -> Span {
        self.end
    }

    /// From now on it is noted what files are entered and left.
    pub(crate) fn mark_files(&mut self) {
        let path = self.files.last().map_or(String::new(), |file| file.path.clone());
        self.marks = Some(vec![FileMark { path, line: 1, at: 1, column: 1, written: false }]);
    }

    /// What was noted since the last time.
    pub(crate) fn take_marks(&mut self) -> Vec<FileMark> {
        self.marks.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn mark(&mut self, path: &str, line: i64, (at, column): (i64, i64), written: bool) {
        if let Some(marks) = &mut self.marks {
            marks.push(FileMark { path: path.to_owned(), line, at, column, written });
        }
    }

    /// The tokens of the next form, the last of which is its dot, put into `out`; false at the end.
    pub fn next_form(&mut self, session: &mut Session, out: &mut Vec<Spanned>) -> bool {
        loop {
            out.clear();
            let Some(file) = self.files.last_mut() else { return false };
            let raw = file.take_form();
            if raw.is_empty() {
                self.close_file(session);
                continue;
            }
            if self.form(session, raw, out) {
                return true;
            }
        }
    }

    /// Goes on reading at a token of the form read last: it held two.
    pub(crate) fn rewind(&mut self, to: Span) {
        if let Some(file) = self.files.last_mut() {
            file.rewind(to);
        }
    }

    /// Handles the tokens from `raw`; true if they gave a form.
    fn form(&mut self, session: &mut Session, raw: std::ops::Range<usize>, out: &mut Vec<Spanned>) -> bool {
        let file = self.files.last_mut().expect("the caller took the form from it");
        let mut tokens = file.tokens(raw);
        if file.skipping() {
            self.skipped_form(session, &tokens);
            return false;
        }
        if file.report_errors(session, &tokens) {
            session.lost.note(&tokens);
            return false;
        }
        // The file ends without a dot: one of no width is added, which the parser reports.
        let last = tokens[tokens.len() - 1];
        let cut_off = last.token != Token::Dot;
        if cut_off {
            tokens.push(Spanned { token: Token::Dot, span: last.span.behind() });
        }
        if let Some(at) = second_directive(session, &tokens) {
            let next = tokens[at].span;
            tokens.truncate(at);
            let end = tokens[at - 1].span.behind();
            tokens.push(Spanned { token: Token::Dot, span: end });
            session.diagnostics.push(missing_dot(end, next));
            self.rewind(next);
        }
        if !self.maybe_enabled {
            file::demote_keywords(&mut tokens);
        }
        if self.directive(session, &tokens) {
            if cut_off {
                session.diagnostics.push(unterminated(&tokens));
            }
            return false;
        }
        match self.expand(session, &tokens, out) {
            Ok(()) => {
                self.note_module(out);
                self.in_prefix &= is_prefix(out);
                true
            }
            Err(diagnostic) => {
                if !hidden(session, &diagnostic) {
                    session.diagnostics.push(*diagnostic);
                }
                session.lost.note(&tokens);
                false
            }
        }
    }

    /// `-module(name)` gives `?MODULE` its meaning.
    fn note_module(&mut self, form: &[Spanned]) {
        if let [minus, word, open, name, ..] = form
            && minus.token == Token::Minus
            && word.token == Token::Atom(known::MODULE)
            && open.token == Token::LeftParen
            && let Token::Atom(name) = name.token
        {
            self.module = Some(name);
        }
    }

    /// Ends the innermost file.
    fn close_file(&mut self, session: &mut Session) {
        let Some(file) = self.files.pop() else { return };
        if let Some(open) = file.innermost_conditional() {
            let title = "this condition is not ended by `-endif`";
            session.diagnostics.push(Diagnostic::new(Code::UnbalancedConditional, open, title));
        }
        if self.marks.is_some()
            && let Some(outer) = self.files.last()
            && let Some(dot) = outer.last_taken()
        {
            let text = session.sources.text(Span { start: dot.end, end: dot.end + 1 });
            let line = i64::from(session.sources.line(dot));
            let column = session.sources.told_place(dot).map_or(1, |place| {
                i64::from(session.sources.get(place.source).line_column(place.start).column)
            });
            // Behind the dot, and the white space that makes it one.
            let (line, column) = match text {
                "\n" => (line + 1, 1),
                "%" => (line, column + 1),
                _ => (line, column + 2),
            };
            let path = session.sources.file(dot).to_string_lossy().into_owned();
            self.mark(&path, line, (line, column), false);
        }
    }

    /// Macros from the command line.
    fn define_options(&mut self, session: &mut Session, options: &ParseOptions) {
        for define in &options.defines {
            let text = define.value.clone().unwrap_or_else(|| "true".to_owned());
            let path = format!("-D {}", define.name);
            let Some(source) = session.sources.add(path, text) else { continue };
            let lexed = lex_from(session, source, 0);
            if !lexed.errors.is_empty() {
                session.diagnostics.extend(lexed.errors);
                continue;
            }
            let mut body = lexed.tokens;
            if body.last().is_some_and(|last| last.token == Token::Dot) {
                body.pop();
            }
            let name = session.names.intern(&define.name);
            let span = session.sources.span(source, 0, 0);
            if let Err(diagnostic) = self.macros.define(&session.names, name, span, None, body) {
                session.diagnostics.push(*diagnostic);
            }
        }
    }
}

/// Decodes and enters a file; with the place of the first byte that is neither UTF-8 nor announced.
fn add_source(
    session: &mut Session,
    path: &str,
    bytes: &[u8],
    wanted_at: Span,
) -> Option<(SourceId, Option<usize>)> {
    let Decoded { text, invalid_utf8_at } = decode(bytes);
    match session.sources.add(path, text) {
        // Each byte before the first invalid one was ASCII or part of a longer character, which Latin-1 decoding made
        // two bytes long each; counting from the decoded text is all that is needed to find the line.
        Some(source) => {
            let at =
                invalid_utf8_at.map(|at| bytes[..at].iter().map(|&b| if b < 0x80 { 1 } else { 2 }).sum());
            Some((source, at))
        }
        None => {
            let title =
                format!("`{path}` does not fit: all sources of a compilation may have 2 GiB together");
            session.diagnostics.push(Diagnostic::new(Code::SourceTooLarge, wanted_at, title));
            None
        }
    }
}

fn not_utf8(at: Span) -> Diagnostic {
    Diagnostic::new(Code::NotUtf8, at, "this file is not UTF-8; it is read as Latin-1")
        .help("convert it, or begin it with the comment `%% coding: latin-1`")
}

/// Where, behind a directive in its parentheses, another begins in a new line: the dot between them is missing.
fn second_directive(session: &Session, tokens: &[Spanned]) -> Option<usize> {
    directive::word(tokens)?;
    let close = tokens.get(2).filter(|open| open.token == Token::LeftParen).and_then(|_| {
        let mut depth = 0_u32;
        tokens.iter().position(|t| {
            match t.token {
                Token::LeftParen => depth += 1,
                Token::RightParen => depth = depth.saturating_sub(1),
                _ => return false,
            }
            depth == 0
        })
    })?;
    let next = tokens.get(close + 1)?;
    let begins = next.token == Token::Minus || matches!(next.token, Token::Atom(_));
    (begins && session.sources.begins_line(next.span)).then_some(close + 1)
}

fn missing_dot(end: Span, next: Span) -> Diagnostic {
    Diagnostic::new(Code::Syntax, end, "missing `.`")
        .label("expected `.`")
        .also(next, "the next form begins here")
        .suggest("each form ends with a dot", end, ".")
}

/// The dot at the end of a file that has none.
pub(crate) fn unterminated(tokens: &[Spanned]) -> Diagnostic {
    let first = tokens[0].span;
    let end = tokens[tokens.len() - 1].span.before();
    Diagnostic::new(Code::UnterminatedForm, end, "the file ends before this form does")
        .label("expected `.`")
        .also(first, "the form begins here")
        .suggest("end it with a dot", end, ".")
}

/// Whether a macro is unknown only because of what was reported before: a header that was not found, say.
fn hidden(session: &Session, diagnostic: &Diagnostic) -> bool {
    let text = session.sources.text(diagnostic.span).trim_start_matches('?');
    let likely = diagnostic.suggestions.is_empty();
    diagnostic.code == Code::UndefinedMacro
        && session.names.lookup(text).is_some_and(|name| session.lost.is_macro(name, likely))
}

/// Whether `-feature` may still follow this form.
fn is_prefix(form: &[Spanned]) -> bool {
    match form {
        [minus, word, ..] => minus.token == Token::Minus && word.token == Token::Atom(known::MODULE),
        _ => true,
    }
}

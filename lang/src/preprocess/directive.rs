//! Directives: `-define`, `-include`, `-ifdef` and their kind.

use super::file::{Branch, Conditional, OpenFile};
use super::{Preprocessor, add_source, not_utf8};
use crate::token::{Spanned, Token};
use crate::{Code, Diagnostic, IncludeError, Name, Session, Span, known};

/// Files may include each other this deep: headers that include themselves must end somewhere, and no real ones nest
/// so far.
const MAX_INCLUDE_DEPTH: usize = 64;

impl Preprocessor<'_> {
    /// Obeys a form that is a directive; false if it is none.
    pub(super) fn directive(&mut self, session: &mut Session, tokens: &[Spanned]) -> bool {
        let Some((word, rest)) = directive_word(tokens) else { return false };
        let at = tokens[1].span;
        match word {
            known::DEFINE => self.define(session, at, rest),
            known::UNDEF => self.undef(session, at, rest),
            known::INCLUDE | known::INCLUDE_LIB => {
                // Includes may stand before `-feature`.
                self.include(session, at, rest, word == known::INCLUDE_LIB);
                return true;
            }
            known::IFDEF | known::IFNDEF => self.ifdef(session, at, rest, word == known::IFDEF),
            known::IF => self.if_directive(session, at, rest),
            known::ELSE | known::ELIF | known::ENDIF => self.branch(session, word, at, rest),
            known::ERROR | known::WARNING if starts_with_paren(rest) => self.message(session, word, at, rest),
            known::FILE => match file_attribute(session, rest) {
                Some((path, line)) => self.file_attribute(session, tokens, path, line),
                None => session.diagnostics.push(*malformed(at, "`-file(\"path\", Line).`")),
            },
            known::FEATURE => self.feature(session, at, rest),
            _ => return false,
        }
        true
    }

    /// A form that conditionals leave out: only conditionals count.
    pub(super) fn skipped_form(&mut self, session: &mut Session, tokens: &[Spanned]) {
        let Some((word, rest)) = directive_word(tokens) else { return };
        let at = tokens[1].span;
        match word {
            known::IF | known::IFDEF | known::IFNDEF => self.open(at, Branch::Done),
            known::ELSE | known::ELIF | known::ENDIF => self.branch(session, word, at, rest),
            _ => {}
        }
    }

    fn file(&mut self) -> &mut OpenFile {
        self.files.last_mut().expect("a directive comes from an open file")
    }

    fn open(&mut self, opened_at: Span, branch: Branch) {
        self.file().conditionals.push(Conditional { opened_at, branch, in_else: false });
    }

    // Macros.

    fn define(&mut self, session: &mut Session, at: Span, rest: &[Spanned]) {
        let result = parse_define(at, rest).and_then(|define| {
            self.macros.define(
                &session.names,
                define.name,
                define.name_at,
                define.parameters,
                define.body.to_vec(),
            )
        });
        if let Err(diagnostic) = result {
            if let Some(Token::Atom(name) | Token::Var(name)) = rest.get(1).map(|t| t.token) {
                session.lost.note_macro(name);
            }
            session.diagnostics.push(*diagnostic);
        }
    }

    fn undef(&mut self, session: &mut Session, at: Span, rest: &[Spanned]) {
        match macro_name(rest) {
            Some(name) => self.macros.undefine(&session.names, name),
            None => session.diagnostics.push(*malformed(at, "`-undef(NAME).`")),
        }
    }

    // Files.

    fn include(&mut self, session: &mut Session, at: Span, rest: &[Spanned], lib: bool) {
        let Some((path, path_at)) = include_path(session, rest) else {
            let wanted =
                if lib { "`-include_lib(\"app/include/file.hrl\").`" } else { "`-include(\"file.hrl\").`" };
            session.lost.note_all();
            session.diagnostics.push(*malformed(at, wanted));
            return;
        };
        if self.files.len() >= MAX_INCLUDE_DEPTH {
            let title = format!("files are included more than {MAX_INCLUDE_DEPTH} deep");
            let help = "guard a header with `-ifndef`, `-define` and `-endif`";
            session.diagnostics.push(Diagnostic::new(Code::IncludeDepth, at, title).help(help));
            return;
        }
        let path = self.expand_variable(&path);
        let from = self.file().path.clone();
        let mut found = self.loader.include(&path, &from);
        if lib && found == Err(IncludeError::NotFound) {
            found = self.loader.include_lib(&path, &from);
        }
        match found {
            Ok((found_path, bytes)) => self.enter(session, &found_path, &bytes, path_at),
            Err(error) => {
                let title = match error {
                    IncludeError::NotFound => format!("cannot find the file `{path}`"),
                    IncludeError::Unreadable(reason) => format!("cannot read the file `{path}`: {reason}"),
                };
                let mut diagnostic = Diagnostic::new(Code::IncludeFailed, path_at, title);
                if !lib {
                    diagnostic = diagnostic.help("folders to search are given with `-I`");
                }
                session.lost.note_all();
                session.diagnostics.push(diagnostic);
            }
        }
    }

    fn enter(&mut self, session: &mut Session, path: &str, bytes: &[u8], wanted_at: Span) {
        let Some((source, invalid)) = add_source(session, path, bytes, wanted_at) else { return };
        if let Some(at) = invalid {
            session.diagnostics.push(not_utf8(session.sources.span(source, at, at)));
        }
        let mut file = OpenFile::new(session, source, path, 0);
        file.take_names_as_written();
        self.files.push(file);
        self.mark(path, 1, (1, 1), false);
    }

    /// `"$NAME/rest"` begins with an environment variable.
    fn expand_variable(&mut self, path: &str) -> String {
        let Some(rest) = path.strip_prefix('$') else { return path.to_owned() };
        let end = rest.find('/').unwrap_or(rest.len());
        match self.loader.variable(&rest[..end]) {
            Some(value) => format!("{value}{}", &rest[end..]),
            None => path.to_owned(),
        }
    }

    fn file_attribute(&mut self, session: &mut Session, tokens: &[Spanned], path: String, line: i64) {
        let span = tokens[0].span.to(tokens[tokens.len() - 1].span);
        let at = i64::from(session.sources.line(span));
        self.mark(&path, line, (at, 2), true);
        session.sources.remap(span, path, line);
    }

    // Conditions.

    fn ifdef(&mut self, session: &mut Session, at: Span, rest: &[Spanned], wanted: bool) {
        let branch = match macro_name(rest) {
            Some(name) => {
                let defined = self.macros.is_defined(&session.names, name, self.module.is_some());
                if defined == wanted { Branch::Taken } else { Branch::Searching }
            }
            None => {
                let form = if wanted { "`-ifdef(NAME).`" } else { "`-ifndef(NAME).`" };
                session.diagnostics.push(*malformed(at, form));
                Branch::Done
            }
        };
        self.open(at, branch);
    }

    fn if_directive(&mut self, session: &mut Session, at: Span, rest: &[Spanned]) {
        let branch = match self.condition(session, at, rest) {
            Ok(true) => Branch::Taken,
            Ok(false) => Branch::Searching,
            Err(diagnostic) => {
                session.diagnostics.push(*diagnostic);
                Branch::Done
            }
        };
        self.open(at, branch);
    }

    /// `-else`, `-elif` and `-endif`.
    fn branch(&mut self, session: &mut Session, word: Name, at: Span, rest: &[Spanned]) {
        let text = format!("-{}", session.names.text(word));
        let Some(last) = self.file().conditionals.last().copied() else {
            let title = format!("`{text}` without an `-if`, `-ifdef` or `-ifndef` before it");
            session.diagnostics.push(Diagnostic::new(Code::UnbalancedConditional, at, title));
            return;
        };
        if word != known::ELIF
            && !matches!(rest, [Spanned { token: Token::Dot, .. }])
            && !self.file().skipping()
        {
            session.diagnostics.push(*malformed(at, &format!("`{text}.`")));
            return;
        }
        if word == known::ENDIF {
            self.file().conditionals.pop();
            return;
        }
        if last.in_else {
            let title = format!("`{text}` after the `-else` of the same condition");
            let diagnostic = Diagnostic::new(Code::UnbalancedConditional, at, title);
            session.diagnostics.push(diagnostic.also(last.opened_at, "the condition begins here"));
        }
        let branch = match last.branch {
            Branch::Taken | Branch::Done => Branch::Done,
            Branch::Searching if last.in_else => Branch::Done,
            Branch::Searching if word == known::ELSE => Branch::Taken,
            Branch::Searching => self.elif(session, at, rest),
        };
        if let Some(open) = self.file().conditionals.last_mut() {
            open.branch = branch;
            open.in_else |= word == known::ELSE;
        }
    }

    fn elif(&mut self, session: &mut Session, at: Span, rest: &[Spanned]) -> Branch {
        match self.condition(session, at, rest) {
            Ok(true) => Branch::Taken,
            Ok(false) => Branch::Searching,
            Err(diagnostic) => {
                session.diagnostics.push(*diagnostic);
                Branch::Done
            }
        }
    }

    // Messages and features.

    fn message(&mut self, session: &mut Session, word: Name, at: Span, rest: &[Spanned]) {
        let mut expanded = Vec::new();
        if let Err(diagnostic) = self.expand(session, rest, &mut expanded) {
            session.diagnostics.push(*diagnostic);
            return;
        }
        let code = if word == known::ERROR { Code::ErrorDirective } else { Code::WarningDirective };
        let before = session.diagnostics.len();
        let parsed = crate::parse::exprs(session, &expanded);
        session.diagnostics.truncate(before);
        let title = match parsed.as_deref() {
            Some([crate::ast::Expr { kind: crate::ast::ExprKind::Str(text), .. }]) => text.to_string(),
            Some([_]) => {
                let inner = &expanded[1..expanded.len().saturating_sub(2).max(1)];
                inner.iter().map(|t| t.token.show(&session.names)).collect::<Vec<_>>().join("")
            }
            _ => {
                let text = session.names.text(word).to_owned();
                session.diagnostics.push(*malformed(at, &format!("`-{text}(Term).`")));
                return;
            }
        };
        session.diagnostics.push(Diagnostic::new(code, at, title));
    }

    /// `-feature(maybe_expr, enable).`
    fn feature(&mut self, session: &mut Session, at: Span, rest: &[Spanned]) {
        let tokens: Vec<Token> = rest.iter().map(|t| t.token).collect();
        let [
            Token::LeftParen,
            Token::Atom(feature),
            Token::Comma,
            Token::Atom(switch @ (known::ENABLE | known::DISABLE)),
            Token::RightParen,
            Token::Dot,
        ] = tokens[..]
        else {
            session
                .diagnostics
                .push(*malformed(at, "`-feature(name, enable).` or `-feature(name, disable).`"));
            return;
        };
        if !self.in_prefix {
            let title = "`-feature` stands before all forms except `-module`";
            session.diagnostics.push(Diagnostic::new(Code::IllegalFeature, at, title));
        } else if feature == known::MAYBE_EXPR {
            self.maybe_enabled = switch == known::ENABLE;
        } else {
            let title = format!("unknown feature `{}`", session.names.text(feature));
            let diagnostic = Diagnostic::new(Code::IllegalFeature, rest[1].span, title);
            session.diagnostics.push(diagnostic.help("the only feature is `maybe_expr`"));
        }
    }
}

/// The name after the `-` that begins a form, and the tokens after that.
fn directive_word(tokens: &[Spanned]) -> Option<(Name, &[Spanned])> {
    let [Spanned { token: Token::Minus, .. }, word, rest @ ..] = tokens else { return None };
    let word = match word.token {
        Token::Atom(name) => name,
        Token::If => known::IF,
        Token::Else => known::ELSE,
        _ => return None,
    };
    Some((word, rest))
}

/// The directive that tokens are, if they are one that the preprocessor obeys.
pub(super) fn word(tokens: &[Spanned]) -> Option<Name> {
    let (word, _) = directive_word(tokens)?;
    matches!(
        word,
        known::DEFINE
            | known::UNDEF
            | known::INCLUDE
            | known::INCLUDE_LIB
            | known::IFDEF
            | known::IFNDEF
            | known::IF
            | known::ELIF
            | known::FEATURE
    )
    .then_some(word)
}

fn malformed(at: Span, wanted: &str) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::new(Code::IllegalDirective, at, "malformed directive")
            .label(format!("expected {wanted}")),
    )
}

fn starts_with_paren(rest: &[Spanned]) -> bool {
    rest.first().is_some_and(|first| first.token == Token::LeftParen)
}

/// `("path" "more", Line).`
fn file_attribute(session: &Session, rest: &[Spanned]) -> Option<(String, i64)> {
    let [open, pieces @ .., comma, line, close, dot] = rest else { return None };
    let Token::Int(line) = line.token else { return None };
    let marks = (open.token, comma.token, close.token, dot.token);
    if marks != (Token::LeftParen, Token::Comma, Token::RightParen, Token::Dot) {
        return None;
    }
    Some((joined(session, pieces)?, line))
}

/// Adjacent string literals as one, if there are only those.
fn joined(session: &Session, pieces: &[Spanned]) -> Option<String> {
    let text = |piece: &Spanned| match piece.token {
        Token::Str(text) => Some(session.names.text(text)),
        _ => None,
    };
    pieces.iter().map(text).collect::<Option<String>>().filter(|_| !pieces.is_empty())
}

/// `(NAME).`
fn macro_name(rest: &[Spanned]) -> Option<Name> {
    let [open, name, close, dot] = rest else { return None };
    match (open.token, name.token, close.token, dot.token) {
        (Token::LeftParen, Token::Atom(name) | Token::Var(name), Token::RightParen, Token::Dot) => Some(name),
        _ => None,
    }
}

/// `("path" "more").`
fn include_path(session: &Session, rest: &[Spanned]) -> Option<(String, Span)> {
    let [open, pieces @ .., close, dot] = rest else { return None };
    if (open.token, close.token, dot.token) != (Token::LeftParen, Token::RightParen, Token::Dot) {
        return None;
    }
    let span = pieces.first()?.span.to(pieces.last()?.span);
    Some((joined(session, pieces)?, span))
}

/// The parts of `(NAME, body).` or `(NAME(Parameters), body).`
struct Define<'t> {
    name: Name,
    name_at: Span,
    parameters: Option<Vec<Name>>,
    body: &'t [Spanned],
}

fn parse_define(at: Span, rest: &[Spanned]) -> Result<Define<'_>, Box<Diagnostic>> {
    const FORM: &str = "`-define(NAME, replacement).` or `-define(NAME(Parameter, ...), replacement).`";
    let [open, name, tail @ ..] = rest else { return Err(malformed(at, FORM)) };
    let (Token::LeftParen, Token::Atom(text) | Token::Var(text)) = (open.token, name.token) else {
        return Err(malformed(name.span, FORM));
    };
    let (parameters, tail) = match tail.first().map(|t| t.token) {
        Some(Token::Comma) => (None, tail),
        Some(Token::LeftParen) => {
            let (parameters, tail) = parse_parameters(at, &tail[1..])?;
            (Some(parameters), tail)
        }
        _ => return Err(malformed(at, FORM)),
    };
    let [comma, body @ .., close, dot] = tail else { return Err(malformed(at, FORM)) };
    if comma.token != Token::Comma {
        return Err(malformed(comma.span, "`,` after the macro's name and parameters"));
    }
    if (close.token, dot.token) != (Token::RightParen, Token::Dot) {
        return Err(malformed(dot.span, "`)` at the end of the directive"));
    }
    Ok(Define { name: text, name_at: name.span, parameters, body })
}

fn parse_parameters(at: Span, mut rest: &[Spanned]) -> Result<(Vec<Name>, &[Spanned]), Box<Diagnostic>> {
    let mut parameters = Vec::new();
    if let [close, tail @ ..] = rest
        && close.token == Token::RightParen
    {
        return Ok((parameters, tail));
    }
    loop {
        let [parameter, next, tail @ ..] = rest else { return Err(malformed(at, "parameters and `)`")) };
        let Token::Var(name) = parameter.token else {
            return Err(malformed(parameter.span, "a variable as parameter"));
        };
        if parameters.contains(&name) {
            let title = "a macro parameter is repeated";
            return Err(Box::new(Diagnostic::new(Code::IllegalDirective, parameter.span, title)));
        }
        parameters.push(name);
        rest = tail;
        match next.token {
            Token::RightParen => return Ok((parameters, rest)),
            Token::Comma => {}
            _ => return Err(malformed(next.span, "`,` or `)`")),
        }
    }
}

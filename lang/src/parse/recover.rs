//! Where forms begin and end when dots are missing, or too many.
//!
//! A form that fails and goes on over what looks like the beginning of another (at the beginning of a line) is cut
//! there, and the rest is read again as a form of its own. What follows a dot and is no form by itself is half of the form
//! before: the dot is at fault, and is said to be, once.

use super::build::Parsed;
use super::{Attempt, attempt, error, mark_attribute_word, repair};
use crate::ast::{Form, FormKind, MAX_DEPTH};
use crate::token::{Spanned, Token};
use crate::{Code, Diagnostic, Session, Span};

/// The forms of a file so far.
#[derive(Default)]
pub(crate) struct Recovery {
    forms: Vec<Form>,
    last: Option<Last>,
}

/// The form before, in case its dot was none.
struct Last {
    tokens: Vec<Spanned>,
    state: State,
}

enum State {
    /// It is the last of the forms.
    Whole,
    /// It failed at its dot: reported once the next form is known to be another.
    Cut(Box<Diagnostic>),
    Reported,
}

impl Recovery {
    /// Takes the tokens of a form; gives where to go on reading if it was cut off before its dot.
    #[must_use]
    pub(crate) fn form(&mut self, session: &mut Session, tokens: &[Spanned]) -> Option<Span> {
        let mut tokens = tokens.to_vec();
        mark_attribute_word(&mut tokens);
        let found = session.diagnostics.len();
        let stop = match attempt(&mut session.names, &mut session.diagnostics, &tokens, MAX_DEPTH) {
            Attempt::Parsed(Parsed::Form(Some(form))) => {
                advise_on_heads(session, &tokens, found);
                if let Some(missing) = missing_dot(session, &tokens) {
                    session.diagnostics.push(missing);
                }
                self.keep(session, form, tokens);
                return None;
            }
            Attempt::Parsed(_) | Attempt::Refused => None,
            Attempt::Stopped(stop) => Some(stop),
        };
        let own = session.diagnostics.split_off(found);
        if !begins_form(&tokens) && self.continues(session, &tokens) {
            return None;
        }
        session.diagnostics.extend(own);
        self.settle(session);
        if let Some(at) = next_form(session, &tokens) {
            session.diagnostics.truncate(found);
            if self.joined(session, &tokens, at) {
                return None;
            }
            let goes_on = tokens[at].span;
            self.cut(session, tokens, at);
            return Some(goes_on);
        }
        session.lost.note(&tokens);
        let Some(stop) = stop else {
            self.last = Some(Last { tokens, state: State::Reported });
            return None;
        };
        let diagnostic = repair::diagnose(session, &tokens, &stop);
        let state = match stop.at + 1 == tokens.len() {
            true => State::Cut(Box::new(diagnostic)),
            false => {
                session.diagnostics.push(diagnostic);
                State::Reported
            }
        };
        self.last = Some(Last { tokens, state });
        None
    }

    /// All forms.
    pub(crate) fn finish(mut self, session: &mut Session) -> Vec<Form> {
        self.settle(session);
        self.forms
    }

    fn keep(&mut self, session: &mut Session, form: Form, tokens: Vec<Spanned>) {
        self.settle(session);
        let function = matches!(form.kind, FormKind::Function(_));
        self.forms.push(form);
        self.last = function.then_some(Last { tokens, state: State::Whole });
    }

    /// Reports what was held back.
    fn settle(&mut self, session: &mut Session) {
        if let Some(Last { state: State::Cut(diagnostic), .. }) = self.last.take() {
            session.diagnostics.push(*diagnostic);
        }
    }

    /// Whether tokens that are no form go on with the form before; then what is to be said is said.
    fn continues(&mut self, session: &mut Session, tokens: &[Spanned]) -> bool {
        // A form of its own, though a wrong one.
        if let [first, second, ..] = tokens
            && session.sources.begins_line(first.span)
            && (first.token == Token::Minus
                || matches!((first.token, second.token), (Token::Atom(_), Token::LeftParen)))
        {
            return false;
        }
        let Some(mut last) = self.last.take() else { return false };
        let Some(dot) = last.tokens.pop().filter(|dot| dot.token == Token::Dot) else { return false };
        let tries = [Token::Comma, Token::Semicolon];
        session.tried += tries.len() * (last.tokens.len() + tokens.len());
        let few = session.tried <= repair::MAX_TRIED;
        for token in tries.into_iter().filter(|_| few) {
            let mut joined = last.tokens.clone();
            joined.push(Spanned { token, span: dot.span });
            joined.extend_from_slice(tokens);
            let mut scratch = Vec::new();
            let Attempt::Parsed(Parsed::Form(Some(form))) =
                attempt(&mut session.names, &mut scratch, &joined, MAX_DEPTH)
            else {
                continue;
            };
            let text = token.fixed_text().unwrap_or(",");
            if !matches!(last.state, State::Reported) {
                session.diagnostics.push(early_dot(dot.span, tokens, text));
            }
            if matches!(last.state, State::Whole) {
                self.forms.pop();
            }
            self.keep(session, form, joined);
            return true;
        }
        let known = match last.state {
            // The form is whole without this, so this has a fault of its own.
            State::Whole => {
                last.tokens.push(dot);
                self.last = Some(last);
                return false;
            }
            State::Cut(diagnostic) => {
                session.diagnostics.push(*diagnostic);
                true
            }
            // At the beginning of a line, it is a form of its own, though a wrong one.
            State::Reported => !tokens.first().is_some_and(|first| session.sources.begins_line(first.span)),
        };
        // The rest of something that was reported.
        last.tokens.push(Spanned { token: Token::Comma, span: dot.span });
        if few {
            last.tokens.extend_from_slice(tokens);
        }
        self.last = Some(Last { tokens: last.tokens, state: State::Reported });
        known
    }

    /// Tokens in which what begins at `at` is a further clause, but is not separated as one.
    fn joined(&mut self, session: &mut Session, tokens: &[Spanned], at: usize) -> bool {
        if tokens[at].token != tokens[0].token || !matches!(tokens[0].token, Token::Atom(_)) {
            return false;
        }
        let before = tokens[at - 1];
        let comma = before.token == Token::Comma;
        let place = if comma { before.span } else { before.span.behind() };
        let mut changed = tokens[..at - usize::from(comma)].to_vec();
        changed.push(Spanned { token: Token::Semicolon, span: place });
        changed.extend_from_slice(&tokens[at..]);
        let mut scratch = Vec::new();
        let Attempt::Parsed(Parsed::Form(Some(form))) =
            attempt(&mut session.names, &mut scratch, &changed, MAX_DEPTH)
        else {
            return false;
        };
        let title = if comma { "expected `;`, found `,`" } else { "missing `;`" };
        session.diagnostics.push(
            Diagnostic::new(Code::Syntax, place, title)
                .label("expected `;`")
                .also(tokens[at].span, "the next clause begins here")
                .suggest("clauses are separated by `;`", place, ";"),
        );
        session.diagnostics.extend(scratch);
        self.keep(session, form, changed);
        true
    }

    /// The first part of tokens that hold two forms.
    fn cut(&mut self, session: &mut Session, mut tokens: Vec<Spanned>, at: usize) {
        let next = tokens.split_off(at);
        let end = tokens.last().map_or(next[0].span, |last| last.span).behind();
        tokens.push(Spanned { token: Token::Dot, span: end });
        match attempt(&mut session.names, &mut session.diagnostics, &tokens, MAX_DEPTH) {
            Attempt::Parsed(Parsed::Form(Some(form))) => {
                session.diagnostics.push(unended(session, &next, end));
                self.keep(session, form, tokens);
                // A dot that is missing is no dot too many.
                self.last = None;
            }
            Attempt::Parsed(_) | Attempt::Refused => session.lost.note(&tokens),
            Attempt::Stopped(stop) => {
                session.lost.note(&tokens);
                let diagnostic = repair::diagnose(session, &tokens, &stop);
                session.diagnostics.push(diagnostic);
            }
        }
    }
}

/// Whether a dot that is not there was added at the end of the file.
fn missing_dot(session: &Session, tokens: &[Spanned]) -> Option<Diagnostic> {
    let dot = tokens.last()?;
    let added = session.sources.written_place(dot.span).is_some_and(|place| place.start == place.end);
    added.then(|| crate::preprocess::unterminated(tokens))
}

fn early_dot(dot: Span, rest: &[Spanned], wanted: &str) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(Code::Syntax, dot, "this `.` ends the function too early")
        .label(format!("expected `{wanted}`"));
    if let Some(first) = rest.first() {
        diagnostic = diagnostic.also(first.span, "this cannot begin a form");
    }
    let message = match wanted {
        "," => "expressions are separated by `,`",
        _ => "clauses are separated by `;`",
    };
    diagnostic.suggest(message, dot, wanted)
}

/// The dot that is missing before `next`.
fn unended(session: &Session, next: &[Spanned], end: Span) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(Code::Syntax, end, "missing `.`")
        .label("expected `.`")
        .also(next[0].span, "the next form begins here")
        .suggest("each form ends with a dot", end, ".");
    // A dot may be there, but commented out.
    if error::ends_in_comment(session, end) {
        diagnostic = diagnostic.help("`%` begins a comment, so what follows it does not count");
    }
    diagnostic
}

/// A clause under another name, or of another arity: the semicolon before it was meant as a dot, or the name is misspelt.
fn advise_on_heads(session: &mut Session, tokens: &[Spanned], from: usize) {
    for index in from..session.diagnostics.len() {
        let diagnostic = &session.diagnostics[index];
        if diagnostic.code != Code::HeadMismatch {
            continue;
        }
        let Some(at) = tokens.iter().position(|t| t.span == diagnostic.span).filter(|&at| at > 0) else {
            continue;
        };
        session.lost.note(&tokens[at..]);
        let (before, mut advised) = (tokens[at - 1], diagnostic.clone());
        let text = |token: Token| match token {
            Token::Atom(name) => session.names.text(name),
            _ => "",
        };
        let (wrong, right) = (text(tokens[at].token), text(tokens[0].token));
        if crate::diagnostic::closest(wrong, [right]).is_some() {
            let name = crate::spelling::atom(right);
            advised = advised.suggest("all clauses of a function have its name", tokens[at].span, name);
        } else if before.token == Token::Semicolon && wrong != right {
            advised = advised.suggest("a function ends with a dot", before.span, ".");
        } else {
            advised = advised.help("all clauses of a function have the same number of parameters");
        }
        session.diagnostics[index] = advised;
    }
}

/// Where another form seems to begin inside this one: at the beginning of a line, and not as a further clause.
fn next_form(session: &Session, tokens: &[Spanned]) -> Option<usize> {
    (1..tokens.len()).find(|&at| {
        let may_begin = matches!(tokens[at].token, Token::Atom(_) | Token::Minus);
        may_begin
            && tokens[at - 1].token != Token::Semicolon
            && session.sources.begins_line(tokens[at].span)
            && begins_form(&tokens[at..])
    })
}

/// Whether tokens begin as attributes and functions do.
pub(super) fn begins_form(tokens: &[Spanned]) -> bool {
    match tokens {
        [minus, word, next, ..] if minus.token == Token::Minus => {
            let opens = matches!(
                next.token,
                Token::LeftParen | Token::Dot | Token::Str(_) | Token::Atom(_) | Token::SigilBinary(_)
            );
            let word = matches!(
                word.token,
                Token::Atom(_)
                    | Token::SpecWord(_)
                    | Token::TypeWord(_)
                    | Token::RecordWord
                    | Token::If
                    | Token::Else
            );
            word && opens
        }
        [name, open, ..] if matches!(name.token, Token::Atom(_)) && open.token == Token::LeftParen => {
            matches!(behind_parentheses(&tokens[1..]), Some(Token::Arrow | Token::When))
        }
        _ => false,
    }
}

/// The token behind the partner of the first parenthesis.
fn behind_parentheses(tokens: &[Spanned]) -> Option<Token> {
    let mut depth = 0_u32;
    for (at, spanned) in tokens.iter().enumerate() {
        match spanned.token {
            Token::LeftParen | Token::LeftBrace | Token::LeftBracket | Token::LeftBin => depth += 1,
            Token::RightParen | Token::RightBrace | Token::RightBracket | Token::RightBin => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return tokens.get(at + 1).map(|t| t.token);
                }
            }
            Token::Arrow | Token::Dot => return None,
            _ => {}
        }
    }
    None
}

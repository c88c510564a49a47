//! From tokens to forms.
//!
//! The tokens of one form, expanded and ended by a dot, go in; the tree and diagnostics come out. The generated parser
//! (LALRPOP) stays inside this module: its actions call the constructors in `build`, which check what
//! the grammar cannot and bound the depth of the tree.
//!
//! A form with an error is reported and left out; the next begins after its dot, so no form hides another. Where a dot
//! is missing or too many, `recover` finds where forms begin and end. What is wrong is found by trying: `repair`
//! changes a token or two where the parser stopped and looks whether it then goes on, first as people used to other languages slip
//! (`slips`), then by adding, removing and replacing punctuation. What no change mends, `error` puts into
//! words. `lost` remembers what the refused forms would have defined.

pub(crate) mod attribute;
pub(crate) mod build;
mod error;
pub(crate) mod lost;
pub(crate) mod recover;
mod repair;
mod slips;

#[allow(clippy::all, unused_imports, unreachable_pub, missing_docs)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/parse/grammar.rs"));
}

use crate::ast::{Expr, Form, MAX_DEPTH};
use crate::token::{Spanned, Token};
use crate::{Code, Diagnostic, Interner, Session, Span, known};
use build::{Builder, Parsed};
use lalrpop_util::ParseError;
use std::cell::Cell;

/// Parses the tokens of one form, the last of which is a dot, for tools that look at forms one by one.
pub fn form(session: &mut Session, tokens: &mut [Spanned]) -> Option<Form> {
    match form_within(session, tokens, MAX_DEPTH)? {
        Parsed::Form(form) => form,
        Parsed::Exprs(_) => None,
    }
}

/// Parses tokens as a form, the last of which is a dot, for others than the compiler: with another limit of depth, and no more
/// said about a syntax error than which token does not fit.
pub(crate) fn form_within(session: &mut Session, tokens: &mut [Spanned], max_depth: u32) -> Option<Parsed> {
    mark_attribute_word(tokens);
    run_plainly(session, tokens, max_depth)
}

/// Parses the tokens of comma-separated expressions, the last of which is a dot.
pub fn exprs(session: &mut Session, tokens: &[Spanned]) -> Option<Vec<Expr>> {
    match run(session, &started(tokens)?, MAX_DEPTH)? {
        Parsed::Exprs(exprs) => Some(exprs),
        Parsed::Form(_) => None,
    }
}

/// [`exprs`] for others than the compiler, as [`form_within`].
pub(crate) fn exprs_within(session: &mut Session, tokens: &[Spanned], max_depth: u32) -> Option<Parsed> {
    run_plainly(session, &started(tokens)?, max_depth)
}

/// The tokens behind the one that says that they are expressions.
fn started(tokens: &[Spanned]) -> Option<Vec<Spanned>> {
    let first = tokens.first()?;
    let mut all = Vec::with_capacity(tokens.len() + 1);
    all.push(Spanned { token: Token::StartExprs, span: first.span.before() });
    all.extend_from_slice(tokens);
    Some(all)
}

/// After the `-` that begins a form, some atoms introduce syntax of their own.
fn mark_attribute_word(tokens: &mut [Spanned]) {
    let [Spanned { token: Token::Minus, .. }, word, next, ..] = tokens else { return };
    let Token::Atom(name) = word.token else { return };
    word.token = match name {
        known::SPEC | known::CALLBACK => Token::SpecWord(name),
        known::TYPE | known::OPAQUE | known::NOMINAL => Token::TypeWord(name),
        known::RECORD if next.token != Token::Dot => Token::RecordWord,
        _ => return,
    };
}

/// What came of one run of the parser.
enum Attempt {
    Parsed(Parsed),
    /// Well formed, but refused by an action, which has reported it.
    Refused,
    Stopped(Stop),
}

/// Where the parser could not go on.
struct Stop {
    /// The token that does not fit.
    at: usize,
    /// Whether all tokens fit, but more are needed: only where there is no dot at the end.
    ended: bool,
    /// Terminals it could have gone on with; not all of them.
    expected: Vec<String>,
}

fn attempt(
    names: &mut Interner,
    diagnostics: &mut Vec<Diagnostic>,
    tokens: &[Spanned],
    max_depth: u32,
) -> Attempt {
    let mut builder = Builder::new(names, diagnostics, max_depth);
    // The token that does not fit is the last one taken.
    let taken = Cell::new(0_usize);
    let triples = tokens.iter().map(|t| {
        taken.set(taken.get() + 1);
        Ok::<_, ()>((t.span.start, t.token, t.span.end))
    });
    let result = grammar::FormParser::new().parse(&mut builder, triples);
    match result {
        Ok(_) if builder.failed => Attempt::Refused,
        Ok(parsed) => Attempt::Parsed(parsed),
        Err(error) => {
            let ended = matches!(error, ParseError::UnrecognizedEof { .. });
            let expected = match error {
                ParseError::UnrecognizedToken { expected, .. }
                | ParseError::UnrecognizedEof { expected, .. } => expected,
                _ => Vec::new(),
            };
            Attempt::Stopped(Stop { at: taken.get().saturating_sub(1), ended, expected })
        }
    }
}

fn run(session: &mut Session, tokens: &[Spanned], max_depth: u32) -> Option<Parsed> {
    match attempt(&mut session.names, &mut session.diagnostics, tokens, max_depth) {
        Attempt::Parsed(parsed) => Some(parsed),
        Attempt::Refused => None,
        Attempt::Stopped(stop) => {
            let diagnostic = repair::diagnose(session, tokens, &stop);
            session.diagnostics.push(diagnostic);
            None
        }
    }
}

fn run_plainly(session: &mut Session, tokens: &[Spanned], max_depth: u32) -> Option<Parsed> {
    match attempt(&mut session.names, &mut session.diagnostics, tokens, max_depth) {
        Attempt::Parsed(parsed) => Some(parsed),
        Attempt::Refused => None,
        Attempt::Stopped(stop) => {
            let found = tokens.get(stop.at).map_or(Span::NONE, |found| found.span);
            let span = if stop.ended { found.behind() } else { found };
            session.diagnostics.push(Diagnostic::new(Code::Syntax, span, "syntax error"));
            None
        }
    }
}

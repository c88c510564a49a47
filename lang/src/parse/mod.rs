//! From tokens to forms.
//!
//! The tokens of one form, expanded and ended by a dot, go in; the tree and diagnostics come out. The generated parser
//! (LALRPOP) stays inside this module: its actions call the constructors in `build`, which check what
//! the grammar cannot and bound the depth of the tree, and its errors are put into words in `error`.
//!
//! A form with an error is reported and left out; the next begins after its dot, so no form hides another.

pub(crate) mod attribute;
pub(crate) mod build;
mod error;

#[allow(clippy::all, unused_imports, unreachable_pub, missing_docs)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/parse/grammar.rs"));
}

use crate::ast::{Expr, Form, MAX_DEPTH};
use crate::token::{Spanned, Token};
use crate::{Session, known};
use build::{Builder, Parsed};

/// Parses the tokens of a form, the last of which is a dot.
pub fn form(session: &mut Session, tokens: &mut [Spanned]) -> Option<Form> {
    match form_within(session, tokens, MAX_DEPTH)? {
        Parsed::Form(form) => form,
        Parsed::Exprs(_) => None,
    }
}

/// [`form`] with another limit of depth.
pub(crate) fn form_within(session: &mut Session, tokens: &mut [Spanned], max_depth: u32) -> Option<Parsed> {
    mark_attribute_word(tokens);
    run(session, tokens, max_depth)
}

/// Parses the tokens of comma-separated expressions, the last of which is a dot.
pub fn exprs(session: &mut Session, tokens: &[Spanned]) -> Option<Vec<Expr>> {
    match exprs_within(session, tokens, MAX_DEPTH)? {
        Parsed::Exprs(exprs) => Some(exprs),
        Parsed::Form(_) => None,
    }
}

/// [`exprs`] with another limit of depth.
pub(crate) fn exprs_within(session: &mut Session, tokens: &[Spanned], max_depth: u32) -> Option<Parsed> {
    let first = tokens.first()?;
    let mut all = Vec::with_capacity(tokens.len() + 1);
    all.push(Spanned {
        token: Token::StartExprs,
        span: crate::Span { start: first.span.start, end: first.span.start },
    });
    all.extend_from_slice(tokens);
    run(session, &all, max_depth)
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

fn run(session: &mut Session, tokens: &[Spanned], max_depth: u32) -> Option<Parsed> {
    let mut builder = Builder::new(&mut session.names, &mut session.diagnostics, max_depth);
    let triples = tokens.iter().map(|t| Ok::<_, ()>((t.span.start, t.token, t.span.end)));
    let result = grammar::FormParser::new().parse(&mut builder, triples);
    let failed = builder.failed;
    match result {
        Ok(parsed) => Some(parsed).filter(|_| !failed),
        Err(parse_error) => {
            let diagnostic = error::describe(&parse_error, tokens, &session.names);
            session.diagnostics.push(diagnostic);
            None
        }
    }
}

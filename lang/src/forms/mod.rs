//! The abstract format: syntax trees as Erlang terms, for programs that handle programs.
//!
//! There is one grammar. [`parse()`] takes tokens, runs the parser of [`crate::parse`] over them, and writes the tree as the
//! term that OTP's `erl_parse` gives for them. The tokens' positions are their numbers, so the spans in the tree say which
//! token a node's annotation is taken from, and the tree needs no places besides those it has. Terms are given as tables
//! ([`rows`]), so neither this crate nor the one that builds the terms recurses over them; the tree is walked by a machine
//! with a stack of its own (`writer`).
//!
//! Trees here may be deeper than those that are compiled, so whatever has to do with a long form runs on a stack made for it.

mod attribute;
mod expr;
pub mod file;
pub mod read;
mod read_expr;
mod read_types;
pub mod rows;
pub mod scan;
mod types;
mod value;
mod writer;

use crate::ast::{Expr, FormKind, on_stack};
use crate::constants::Constants;
use crate::parse::build::Parsed;
use crate::token::{Spanned, Token};
use crate::{Code, Diagnostic, Interner, Session, Span, parse};
use writer::Writer;

/// The deepest tree that is written as a term.
pub const MAX_TERM_DEPTH: u32 = 200_000;

/// Tokens of which no tree can be so deep that dropping it needs a stack of its own.
const SHORT_FORM: usize = 1_000;

/// What dropping one level of a tree takes of the stack, at most.
const DROP_BYTES_PER_LEVEL: usize = 2 << 10;

/// Where a token stands; without a column it is 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Location {
    pub line: i64,
    pub column: i64,
}

/// What tokens are to be parsed as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    Form,
    /// A list of expressions.
    Exprs,
    /// The value of one constant expression.
    Term,
}

/// Why tokens are not what is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The number of the token at fault; as many as there are tokens for their end.
    pub token: usize,
    /// What is wrong with it; `None` if it just cannot come there.
    pub message: Option<String>,
}

/// Parses tokens, the last of which should be a dot: the only term of the tables is what they say. The first rows, as many
/// as there are tokens, are their annotations.
///
/// # Errors
/// The first fault.
pub fn parse(
    mut names: Interner,
    tokens: &[Token],
    locations: &[Location],
    wanted: Wanted,
) -> Result<Constants, Fault> {
    parse_in(&mut names, tokens, locations, wanted)
}

/// [`parse()`] with names that stay.
pub(crate) fn parse_in(
    names: &mut Interner,
    tokens: &[Token],
    locations: &[Location],
    wanted: Wanted,
) -> Result<Constants, Fault> {
    let mut work = || {
        let mut session = Session { names: std::mem::take(names), ..Session::default() };
        let parsed = parse_here(&mut session, tokens, locations, wanted);
        *names = session.names;
        parsed
    };
    if tokens.len() <= SHORT_FORM {
        return work();
    }
    let depth = tokens.len().min(MAX_TERM_DEPTH as usize);
    on_stack(depth * DROP_BYTES_PER_LEVEL, work)
        .unwrap_or_else(|error| Err(Fault { token: 0, message: Some(format!("cannot parse: {error}")) }))
}

fn parse_here(
    session: &mut Session,
    tokens: &[Token],
    locations: &[Location],
    wanted: Wanted,
) -> Result<Constants, Fault> {
    let place = |token: usize| Span { start: token as u32, end: token as u32 + 1 };
    let mut spanned: Vec<Spanned> =
        tokens.iter().enumerate().map(|(index, &token)| Spanned { token, span: place(index) }).collect();
    let parsed = match wanted {
        Wanted::Form => parse::form_within(session, &mut spanned, MAX_TERM_DEPTH),
        Wanted::Exprs | Wanted::Term => parse::exprs_within(session, &spanned, MAX_TERM_DEPTH),
    };
    if let Some(error) = session.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        return Err(fault(session, error, tokens));
    }
    let closes: Vec<bool> = tokens.iter().map(|token| *token == Token::RightParen).collect();
    let mut writer = Writer::new(&session.names, locations, &closes);
    match &parsed {
        Some(Parsed::Form(Some(form))) => {
            if let FormKind::Type(definition) = &form.kind
                && let Some(bad_one) =
                    definition.parameters.iter().find(|p| p.name == crate::known::UNDERSCORE)
            {
                return Err(bad(bad_one.span.start, "bad type variable"));
            }
            let word = match tokens.get(1) {
                Some(Token::Atom(name)) => *name,
                _ => crate::known::UNDEFINED,
            };
            writer.plan_form(form, word);
        }
        Some(Parsed::Exprs(exprs)) if wanted == Wanted::Term => match &exprs[..] {
            [expr] => writer.constant(expr, false),
            [_, second, ..] => return Err(bad(writer.first(second), "bad term")),
            [] => return Err(bad(0, "bad term")),
        },
        Some(Parsed::Exprs(exprs)) => writer.exprs(exprs),
        Some(Parsed::Form(None)) | None => return Err(Fault { token: tokens.len(), message: None }),
    }
    let what = if wanted == Wanted::Term { "bad term" } else { "bad attribute" };
    match writer.run() {
        Ok(value) => {
            let mut constants = writer.rows.constants;
            constants.terms.push(value);
            Ok(constants)
        }
        Err(refused) => Err(bad(writer.first(refused), what)),
    }
}

fn bad(token: u32, message: &str) -> Fault {
    Fault { token: token as usize, message: Some(message.to_owned()) }
}

/// A diagnostic over tokens in the words of OTP's parser.
fn fault(session: &Session, error: &Diagnostic, tokens: &[Token]) -> Fault {
    let at = error.span.start as usize;
    let (mut token, first, second) = (at, tokens.get(at), tokens.get(at + 1));
    let message = match error.code {
        Code::Syntax | Code::IllegalPattern => None,
        Code::HeadMismatch => Some("head mismatch".to_owned()),
        Code::IllegalType => Some("bad type variable".to_owned()),
        Code::IllegalAttribute => {
            let word = match tokens.get(1) {
                Some(Token::Atom(name)) => session.names.text(*name),
                _ => "",
            };
            Some(match word {
                "module" | "import" | "record" | "file" => format!("bad {word} declaration"),
                "export" => match (first, second) {
                    (Some(Token::Atom(_)), Some(Token::Slash)) => {
                        token = at + 2;
                        "bad function arity".to_owned()
                    }
                    (Some(_), Some(Token::Slash)) => "bad function name".to_owned(),
                    _ => "bad Name/Arity".to_owned(),
                },
                _ => "bad attribute".to_owned(),
            })
        }
        _ => Some(error.title.clone()),
    };
    Fault { token, message }
}

/// The values of constant expressions, one term for each.
///
/// # Errors
/// The part of the first that is no constant.
pub(crate) fn constants<'t>(names: &'t Interner, exprs: &'t [Expr]) -> Result<Constants, &'t Expr> {
    let mut writer = Writer::new(names, &[], &[]);
    let mut terms = Vec::with_capacity(exprs.len());
    for expr in exprs {
        writer.constant(expr, false);
        terms.push(writer.run()?);
    }
    let mut constants = writer.rows.constants;
    constants.terms = terms;
    Ok(constants)
}

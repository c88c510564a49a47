//! Natives for programs that handle programs: tokens to forms.
//!
//! The tokens are those of `erl_scan`; the parser is the compiler's own ([`erlet_lang::forms`]).

use erlet_lang::forms::{Fault, Location, Wanted, parse};
use erlet_lang::token::Token;
use erlet_lang::{Interner, Name};

use super::terms::built;
use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::term::{Term, View};

/// Units of work that parsing a token takes: about a microsecond.
const WORK_PER_TOKEN: usize = 200;

/// `erlet_forms:parse(Tokens, form | exprs | term) -> {ok, Form} | {error, Index, Description}`: `Index` is the number of the
/// token at fault, from 0; the description is `before` where that token just cannot come.
///
/// # Errors
/// `badarg` if these are no tokens.
pub fn parse_tokens<'h>(cx: &mut Cx<'h>, [list, wanted]: [Term<'h>; 2]) -> BifResult<'h> {
    let wanted = match wanted.as_atom() {
        Some(known::FORM) => Wanted::Form,
        Some(known::EXPRS) => Wanted::Exprs,
        Some(known::TERM) => Wanted::Term,
        _ => return Err(Stop::badarg()),
    };
    let length = list.proper_length().ok_or_else(Stop::badarg)?;
    cx.work(length.saturating_mul(WORK_PER_TOKEN))?;
    cx.charge(length / 4);
    let mut names = Interner::new();
    let (mut tokens, mut annos, mut locations) =
        (Vec::with_capacity(length), Vec::with_capacity(length), Vec::with_capacity(length));
    for term in list.list() {
        let (category, anno, symbol) = match term.as_tuple() {
            Some(&[category, anno]) => (category, anno, None),
            Some(&[category, anno, symbol]) => (category, anno, Some(symbol)),
            _ => return Err(Stop::badarg()),
        };
        tokens.push(token(cx, &mut names, category, symbol)?);
        annos.push(anno);
        locations.push(location(anno));
    }
    match parse(names, &tokens, &locations, wanted) {
        Ok(constants) => {
            let code = &cx.rt.code;
            let terms = built(cx, annos, &constants, code)?;
            Ok(cx.tuple(&[Term::atom(known::OK), terms[0]])?)
        }
        Err(Fault { token, message }) => {
            let message = match message {
                Some(text) => cx.string(&text)?,
                None => Term::atom(known::BEFORE),
            };
            let index = cx.int(token as i64)?;
            Ok(cx.tuple(&[Term::atom(known::ERROR), index, message])?)
        }
    }
}

/// The grammar's token for one of `erl_scan`; a symbol that fits nowhere for one that the grammar does not know.
fn token<'h>(
    cx: &Cx<'h>,
    names: &mut Interner,
    category: Term<'h>,
    symbol: Option<Term<'h>>,
) -> Result<Token, Stop<'h>> {
    let category = category.as_atom().ok_or_else(Stop::badarg)?;
    let Some(symbol) = symbol else {
        return Ok(match category {
            known::DOT => Token::Dot,
            _ => Token::of_text(cx.atoms().text(category)).unwrap_or(Token::Symbol('\u{0}')),
        });
    };
    let token = match category {
        known::ATOM => name(cx, names, symbol).map(Token::Atom),
        known::VAR => name(cx, names, symbol).map(Token::Var),
        known::INTEGER => integer(names, symbol),
        known::FLOAT => symbol.as_float().map(Token::Float),
        known::CHAR => character(symbol).map(Token::Char),
        known::STRING => text(names, symbol).map(Token::Str),
        known::SIGIL_STRING => text(names, symbol).map(Token::SigilStr),
        known::SIGIL_BINARY => text(names, symbol).map(Token::SigilBinary),
        _ => None,
    };
    Ok(token.unwrap_or(Token::Symbol('\u{0}')))
}

fn name<'h>(cx: &Cx<'h>, names: &mut Interner, symbol: Term<'h>) -> Option<Name> {
    symbol.as_atom().map(|atom| names.intern(cx.atoms().text(atom)))
}

fn text(names: &mut Interner, symbol: Term<'_>) -> Option<Name> {
    let mut items = symbol.list();
    let text: Option<String> = items.by_ref().map(character).collect();
    text.filter(|_| items.rest().is_nil()).map(|text| names.intern(&text))
}

fn character(term: Term<'_>) -> Option<char> {
    term.as_small().and_then(|c| u32::try_from(c).ok()).and_then(char::from_u32)
}

/// An integer that is not negative: no other is a token.
fn integer(names: &mut Interner, symbol: Term<'_>) -> Option<Token> {
    match symbol.view() {
        View::Int(value) if value >= 0 => Some(Token::Int(value)),
        View::Big(big) if !big.is_negative() => match *big.limbs() {
            [low] if i64::try_from(low).is_ok() => Some(Token::Int(low as i64)),
            ref limbs => {
                let digits: String = limbs.iter().rev().map(|limb| format!("{limb:016x}")).collect();
                Some(Token::BigInt(names.intern(&format!("16#{digits}"))))
            }
        },
        _ => None,
    }
}

/// The location in an annotation: a line, a line and a column, or a list of pairs with one of these.
fn location(anno: Term<'_>) -> Location {
    let plain = |term: Term<'_>| match (term.as_small(), term.as_tuple()) {
        (Some(line), _) => Some(Location { line, column: 1 }),
        (None, Some(&[line, column])) => {
            Some(Location { line: line.as_small()?, column: column.as_small()? })
        }
        _ => None,
    };
    let listed = |anno: Term<'_>| {
        anno.list().find_map(|item| match item.as_tuple() {
            Some(&[key, value]) if key.is_atom(known::LOCATION) => plain(value),
            _ => None,
        })
    };
    plain(anno).or_else(|| listed(anno)).unwrap_or_default()
}

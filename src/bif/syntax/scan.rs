//! Natives for programs that handle programs: text to tokens.
//!
//! The lexer is the compiler's own ([`erlet_lang::forms::scan`]).

use erlet_lang::forms::Location;
use erlet_lang::forms::scan::{Item, Placed, Reason, ScanFault, ScanOptions, Scanned, scan};
use erlet_lang::token::Token;
use erlet_lang::{Int, Name};

use crate::atom::{Atom, known};
use crate::bif::{BifResult, Cx, Stop};
use crate::heap::AllocError;
use crate::num::integer::limbs_of;
use crate::term::Term;

/// Units of work that a character takes.
const WORK_PER_CHARACTER: usize = 40;

/// `erlet_forms:scan(String, Line, Column, Options) -> {ok, Tokens, End} | {error, {Place, erl_scan, Reason}, End}`: without
/// columns if `Column` is 0. Options: `comments` and `white_space` keep these, `text` adds what was written to annotations.
///
/// # Errors
/// `badarg` if the string is no list of characters, or for other options.
pub fn scan_string<'h>(cx: &mut Cx<'h>, [string, line, column, options]: [Term<'h>; 4]) -> BifResult<'h> {
    let (Some(line), Some(column)) = (line.as_small(), column.as_small()) else { return Err(Stop::badarg()) };
    let (text, is_whole) = text(cx, string)?;
    cx.work(text.len().saturating_mul(WORK_PER_CHARACTER))?;
    cx.charge(text.len() / 16);
    let mut wanted = ScanOptions::default();
    let mut with_text = false;
    for option in options.list() {
        match option.as_atom() {
            Some(known::COMMENTS) => wanted.comments = true,
            Some(known::WHITE_SPACE) => wanted.white_space = true,
            Some(known::TEXT) => with_text = true,
            _ => return Err(Stop::badarg()),
        }
    }
    let mut writer = Tokens { with_text, with_columns: column > 0 };
    let start = Location { line, column: column.max(1) };
    let scanned = match scan(&text, start, wanted) {
        Ok(Scanned { end, .. }) if !is_whole => {
            let past = Location { line: end.line, column: end.column + 1 };
            Err(ScanFault { reason: Reason::Illegal("character"), at: end, end: past })
        }
        scanned => scanned,
    };
    match scanned {
        Ok(scanned) => {
            let mut terms = Vec::with_capacity(scanned.items.len());
            for placed in &scanned.items {
                writer.item(cx, &scanned, *placed, &text, &mut terms)?;
            }
            let tokens = cx.list(&terms)?;
            let end = writer.location(cx, scanned.end)?;
            Ok(cx.tuple(&[Term::atom(known::OK), tokens, end])?)
        }
        Err(fault) => {
            let (at, end) = (writer.location(cx, fault.at)?, writer.location(cx, fault.end)?);
            let reason = reason(cx, fault.reason)?;
            let info = cx.tuple(&[at, Term::atom(known::ERL_SCAN), reason])?;
            Ok(cx.tuple(&[Term::atom(known::ERROR), info, end])?)
        }
    }
}

/// The characters up to the first that is none, and whether these are all.
fn text<'h>(cx: &mut Cx<'h>, string: Term<'h>) -> Result<(String, bool), Stop<'h>> {
    let length = string.proper_length().ok_or_else(Stop::badarg)?;
    cx.work(length)?;
    let mut text = String::with_capacity(length);
    for item in string.list() {
        let code = item.as_small().filter(|code| *code >= 0).ok_or_else(Stop::badarg)?;
        match u32::try_from(code).ok().and_then(char::from_u32) {
            Some(c) => text.push(c),
            None => return Ok((text, false)),
        }
    }
    Ok((text, true))
}

fn reason<'h>(cx: &mut Cx<'h>, reason: Reason) -> BifResult<'h> {
    Ok(match reason {
        Reason::Unterminated(quote, head) => {
            let (quote, head) = (cx.int(i64::from(u32::from(quote)))?, cx.string(&head)?);
            cx.tuple(&[Term::atom(known::STRING), quote, head])?
        }
        Reason::UnterminatedCharacter => Term::atom(known::CHAR),
        Reason::Base(base) => {
            let base = cx.uint(base)?;
            cx.tuple(&[Term::atom(known::BASE), base])?
        }
        Reason::Illegal(what) => {
            let what = atom(cx, what)?;
            cx.tuple(&[Term::atom(known::ILLEGAL), Term::atom(what)])?
        }
    })
}

fn atom<'h>(cx: &Cx<'h>, text: &str) -> Result<Atom, Stop<'h>> {
    Ok(cx.intern(text)?)
}

/// How tokens are written.
struct Tokens {
    with_text: bool,
    with_columns: bool,
}

impl Tokens {
    fn location<'h>(&self, cx: &mut Cx<'h>, at: Location) -> Result<Term<'h>, AllocError> {
        let line = cx.int(at.line)?;
        if !self.with_columns {
            return Ok(line);
        }
        let column = cx.int(at.column)?;
        cx.tuple(&[line, column])
    }

    /// A location, with what was written there if that is wanted.
    fn anno<'h>(&self, cx: &mut Cx<'h>, at: Location, text: &str) -> Result<Term<'h>, AllocError> {
        let location = self.location(cx, at)?;
        if !self.with_text {
            return Ok(location);
        }
        let text = cx.string(text)?;
        let text = cx.tuple(&[Term::atom(known::TEXT), text])?;
        let location = cx.tuple(&[Term::atom(known::LOCATION), location])?;
        cx.list(&[text, location])
    }

    fn item<'h>(
        &mut self,
        cx: &mut Cx<'h>,
        scanned: &Scanned,
        placed: Placed,
        text: &str,
        out: &mut Vec<Term<'h>>,
    ) -> Result<(), Stop<'h>> {
        let written = &text[placed.start..placed.end];
        let token = match placed.item {
            Item::Token(token) => token,
            Item::WhiteSpace | Item::Comment => {
                let category = if placed.item == Item::Comment { known::COMMENT } else { known::WHITE_SPACE };
                let anno = self.anno(cx, placed.at, written)?;
                let symbol = cx.string(written)?;
                out.push(cx.tuple(&[Term::atom(category), anno, symbol])?);
                return Ok(());
            }
        };
        let names = &scanned.session.names;
        if let Token::SigilStr(name) | Token::SigilBinary(name) = token {
            return self.sigil(cx, placed, written, names.text(name), out);
        }
        let anno = self.anno(cx, placed.at, written)?;
        let name = |name: Name| names.text(name);
        let (category, symbol) = match token {
            Token::Dot => (known::DOT, None),
            Token::Atom(text) => (known::ATOM, Some(Term::atom(atom(cx, name(text))?))),
            Token::Var(text) => (known::VAR, Some(Term::atom(atom(cx, name(text))?))),
            Token::Char(c) => (known::CHAR, Some(cx.int(i64::from(u32::from(c)))?)),
            Token::Int(value) => (known::INTEGER, Some(cx.int(value)?)),
            Token::BigInt(text) => (known::INTEGER, Some(big(cx, name(text))?)),
            Token::Float(value) => {
                let float = cx.float(value)?.ok_or_else(Stop::badarg)?;
                (known::FLOAT, Some(float))
            }
            Token::Str(text) => (known::STRING, Some(cx.string(name(text))?)),
            Token::Symbol(c) => (atom(cx, &c.to_string())?, None),
            other => (atom(cx, other.fixed_text().unwrap_or(""))?, None),
        };
        out.push(match symbol {
            Some(symbol) => cx.tuple(&[Term::atom(category), anno, symbol])?,
            None => cx.tuple(&[Term::atom(category), anno])?,
        });
        Ok(())
    }

    /// `~s"..."`: prefix, string and suffix, each a token.
    fn sigil<'h>(
        &self,
        cx: &mut Cx<'h>,
        placed: Placed,
        written: &str,
        content: &str,
        out: &mut Vec<Term<'h>>,
    ) -> Result<(), Stop<'h>> {
        let letters = written[1..].chars().take_while(|c| c.is_alphanumeric()).count();
        let prefix = atom(cx, &written[1..=letters])?;
        let anno = self.anno(cx, placed.at, &written[..=letters])?;
        out.push(cx.tuple(&[Term::atom(known::SIGIL_PREFIX), anno, Term::atom(prefix)])?);
        let inner = Location { line: placed.at.line, column: placed.at.column + 1 + letters as i64 };
        let anno = self.anno(cx, inner, &written[letters + 1..])?;
        let content = cx.string(content)?;
        out.push(cx.tuple(&[Term::atom(known::STRING), anno, content])?);
        let mut end = inner;
        for c in written[letters + 1..].chars() {
            end = match c {
                '\n' => Location { line: end.line + 1, column: 1 },
                _ => Location { line: end.line, column: end.column + 1 },
            };
        }
        let anno = self.anno(cx, end, "")?;
        out.push(cx.tuple(&[Term::atom(known::SIGIL_SUFFIX), anno, Term::NIL])?);
        Ok(())
    }
}

/// The integer that the lexer wrote as `base#digits`.
fn big<'h>(cx: &mut Cx<'h>, text: &str) -> BifResult<'h> {
    match erlet_lang::token::big(text) {
        Int::Small(value) => Ok(cx.int(value)?),
        Int::Big(value) => Ok(cx.big(false, &limbs_of(value.as_sign_words().1))?),
    }
}

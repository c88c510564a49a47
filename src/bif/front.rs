//! The front of chardata: its first character and what follows, in the shapes of OTP's `unicode_util`.
//!
//! What follows a character of a nested list is chardata, and how it is nested is seen by whoever compares it: `[]` and `[[], <<>>]` are the
//! same text and not the same term. As in OTP, the lists around the first character are opened: up to three characters behind it are
//! taken out of theirs, what is behind those stays as it is. (Binaries are not opened: what follows within one is a binary.)

use super::Cx;
use super::chardata::{Chars, Encoding, Fault};
use crate::term::{Term, View};

/// Characters taken out of their lists: the first and those behind it.
const OPENED: usize = 4;

/// Lists and elements opened between two announcements of work.
const AT_ONCE: usize = 128;

/// The first character of `data` and the rest; `None` at the end.
///
/// # Errors
/// If it does not begin with a character; see [`Fault`].
pub fn front<'h>(cx: &mut Cx<'h>, data: Term<'h>) -> Result<Option<(u32, Term<'h>)>, Fault> {
    let mut data = data;
    let mut steps = 0;
    loop {
        step(cx, &mut steps)?;
        let View::Cons(cell) = data.view() else { break };
        if is_integer(cell.head()) {
            return Ok(Some((character(cell.head()).ok_or(Fault::Invalid)?, cell.tail())));
        }
        data = if cell.tail().is_nil() {
            cell.head()
        } else {
            match opened(cx, cell.head(), cell.tail())? {
                Opened::Front(code_point, rest) => return Ok(Some((code_point, rest))),
                Opened::Nothing(after) => after,
            }
        };
    }
    // The end, or a binary.
    let mut chars = Chars::new(data, Encoding::Utf8);
    match chars.next(cx)? {
        Some(code_point) => Ok(Some((code_point, chars.rest(cx).map_err(|_| Fault::NotChardata)?))),
        None => Ok(None),
    }
}

/// What was in a list or binary.
enum Opened<'h> {
    /// A character, and what follows.
    Front(u32, Term<'h>),
    /// None; this comes behind it.
    Nothing(Term<'h>),
}

/// Opens the list or binary `item`, behind which comes `after`.
fn opened<'h>(cx: &mut Cx<'h>, item: Term<'h>, after: Term<'h>) -> Result<Opened<'h>, Fault> {
    let (mut item, mut after) = (item, after);
    let mut found: Vec<Term<'h>> = Vec::with_capacity(OPENED);
    let mut steps = 0;
    let rest = loop {
        step(cx, &mut steps)?;
        match item.view() {
            View::Cons(cell) if is_integer(cell.head()) => {
                found.push(cell.head());
                if found.len() == OPENED {
                    break match cell.tail().is_nil() {
                        true => after,
                        false => cx.cons(cell.tail(), after)?,
                    };
                }
                item = cell.tail();
            }
            View::Cons(cell) => {
                if !cell.tail().is_nil() {
                    after = cx.cons(cell.tail(), after)?;
                }
                item = cell.head();
            }
            View::Nil if found.is_empty() => return Ok(Opened::Nothing(after)),
            View::Nil => match next_item(cx, &mut found, after)? {
                (Some(inner), behind) => (item, after) = (inner, behind),
                (None, rest) => break rest,
            },
            _ if found.is_empty() => {
                let mut chars = Chars::new(item, Encoding::Utf8);
                let Some(code_point) = chars.next(cx)? else { return Ok(Opened::Nothing(after)) };
                let within = chars.rest(cx).map_err(|_| Fault::NotChardata)?;
                let within = if within.is_nil() { cx.binary(&[])? } else { within };
                return Ok(Opened::Front(code_point, cx.cons(within, after)?));
            }
            _ => break cx.cons(item, after)?,
        }
    };
    let first = character(found[0]).ok_or(Fault::Invalid)?;
    let rest = found[1..].iter().rev().try_fold(rest, |rest, head| cx.cons(*head, rest))?;
    Ok(Opened::Front(first, rest))
}

/// Goes on behind a list that has ended: a list to open and what is behind it, or nothing to open.
fn next_item<'h>(
    cx: &mut Cx<'h>,
    found: &mut Vec<Term<'h>>,
    after: Term<'h>,
) -> Result<(Option<Term<'h>>, Term<'h>), Fault> {
    let mut after = after;
    let mut steps = 0;
    loop {
        step(cx, &mut steps)?;
        let View::Cons(cell) = after.view() else { return Ok((None, after)) };
        match (is_integer(cell.head()), cell.tail().is_nil()) {
            (true, _) if found.len() == OPENED - 1 => return Ok((None, after)),
            (true, _) => {
                found.push(cell.head());
                after = cell.tail();
            }
            (false, true) => after = cell.head(),
            (false, false) => return Ok((Some(cell.head()), cell.tail())),
        }
    }
}

/// Whether a binary comes first in `data`.
pub fn begins_with_binary<'h>(cx: &mut Cx<'h>, data: Term<'h>) -> Result<bool, Fault> {
    let mut pending = vec![data];
    let mut steps = 0;
    while let Some(term) = pending.pop() {
        step(cx, &mut steps)?;
        match term.view() {
            View::Nil => {}
            View::Cons(cell) if is_integer(cell.head()) => return Ok(false),
            View::Cons(cell) => pending.extend([cell.tail(), cell.head()]),
            _ => return Ok(true),
        }
    }
    Ok(false)
}

fn step(cx: &mut Cx<'_>, steps: &mut usize) -> Result<(), Fault> {
    *steps += 1;
    if steps.is_multiple_of(AT_ONCE) {
        cx.work(2 * AT_ONCE)?;
    }
    Ok(())
}

fn is_integer(term: Term<'_>) -> bool {
    matches!(term.view(), View::Int(_) | View::Big(_))
}

fn character(term: Term<'_>) -> Option<u32> {
    let value = u32::try_from(term.as_small()?).ok()?;
    char::from_u32(value).map(u32::from)
}

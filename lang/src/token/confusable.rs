//! Characters from word processors and other keyboards that look like those of the language.

use super::{State, Token};
use crate::{Code, Diagnostic, Span};
use logos::Lexer;
use std::ops::Range;

/// A character and what was meant.
const CONFUSABLES: &[(char, &str)] = &[
    ('\u{2010}', "-"),
    ('\u{2011}', "-"),
    ('\u{2012}', "-"),
    ('\u{2013}', "-"),
    ('\u{2014}', "-"),
    ('\u{2212}', "-"),
    ('\u{2026}', "..."),
    ('\u{2190}', "<-"),
    ('\u{2192}', "->"),
    ('\u{21D2}', "=>"),
    ('\u{2215}', "/"),
    ('\u{2217}', "*"),
    ('\u{2260}', "/="),
    ('\u{2264}', "=<"),
    ('\u{2265}', ">="),
    ('\u{3002}', "."),
    ('\u{3010}', "["),
    ('\u{3011}', "]"),
    ('\u{FF01}', "!"),
    ('\u{FF08}', "("),
    ('\u{FF09}', ")"),
    ('\u{FF0C}', ","),
    ('\u{FF1A}', ":"),
    ('\u{FF1B}', ";"),
    ('\u{FF1D}', "="),
    ('\u{FF5B}', "{"),
    ('\u{FF5C}', "|"),
    ('\u{FF5D}', "}"),
];

/// Characters that nobody sees, or that look like a space.
fn is_blank(c: char) -> bool {
    matches!(c, '\u{2000}'..='\u{200F}' | '\u{202A}'..='\u{202F}' | '\u{205F}'..='\u{2064}' | '\u{3000}' | '\u{FEFF}')
}

/// The quote that a typographic one stands for.
fn plain_quote(c: char) -> Option<char> {
    Some(match c {
        '\u{201C}'..='\u{201F}' | '\u{2033}' | '\u{FF02}' => '"',
        '\u{2018}'..='\u{201B}' | '\u{2032}' | '\u{FF07}' => '\'',
        _ => return None,
    })
}

/// The token of a character outside of Latin-1; typographic quotes take what they enclose with them.
pub(super) fn illegal(lexer: &mut Lexer<'_, Token>, c: char, at: Range<usize>) -> Token {
    let title = format!("illegal character U+{:04X}", u32::from(c));
    let base = lexer.extras.base;
    let span = |start: usize, end: usize| Span { start: base + start as u32, end: base + end as u32 };
    let place = span(at.start, at.end);
    let diagnostic = Diagnostic::new(Code::IllegalCharacter, place, title);
    if let Some(plain) = plain_quote(c) {
        return quoted(lexer, diagnostic, plain, at);
    }
    let meant = CONFUSABLES.iter().find(|row| row.0 == c).map(|row| row.1);
    let diagnostic =
        match meant {
            Some(meant) => diagnostic.suggest_edits(
                format!("`{c}` only looks like `{meant}`"),
                vec![(place, meant.to_owned())],
                true,
            ),
            None if is_blank(c) => diagnostic
                .label("this looks like a space, or like nothing")
                .suggest_edits("use a plain space", vec![(place, " ".to_owned())], true),
            None if c.is_alphabetic() => diagnostic
                .help("names have Latin-1 letters; an atom of other letters stands in quotes: `'...'`"),
            None => diagnostic,
        };
    push(&mut lexer.extras, diagnostic)
}

fn push(state: &mut State, diagnostic: Diagnostic) -> Token {
    state.push(diagnostic)
}

/// A string or atom in typographic quotes, up to the closing one in the same line.
fn quoted(lexer: &mut Lexer<'_, Token>, diagnostic: Diagnostic, plain: char, at: Range<usize>) -> Token {
    let base = lexer.extras.base;
    let rest = lexer.remainder();
    let line = rest.split('\n').next().unwrap_or("");
    let close = line.char_indices().find(|&(_, c)| plain_quote(c) == Some(plain) || c == plain);
    let place = diagnostic.span;
    let mut edits = vec![(place, plain.to_string())];
    if let Some((offset, c)) = close {
        let start = at.end + offset;
        let end = start + c.len_utf8();
        edits.push((Span { start: base + start as u32, end: base + end as u32 }, plain.to_string()));
        lexer.bump(offset + c.len_utf8());
    }
    let what = if plain == '"' { "strings" } else { "quoted atoms" };
    let message = format!("{what} stand between straight quotes: `{plain}`");
    push(&mut lexer.extras, diagnostic.suggest_edits(message, edits, true))
}

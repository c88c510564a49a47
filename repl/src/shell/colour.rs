//! Syntax highlighting of what is typed, by a lexer that takes anything.
//!
//! Colours say what a word is, not whether it is right: keywords, variables, strings, numbers, comments, and the bracket that belongs
//! to the one at the cursor. The text keeps its width.

use std::borrow::Cow;

/// Longer text goes without colours, so that a key press stays quick.
const LONGEST: usize = 20_000;

const KEYWORD: &str = "\x1b[1;34m";
const VARIABLE: &str = "\x1b[36m";
const STRING: &str = "\x1b[32m";
const NUMBER: &str = "\x1b[33m";
const COMMENT: &str = "\x1b[90m";
const QUOTED: &str = "\x1b[35m";
const BRACKET: &str = "\x1b[1;4m";
const RESET: &str = "\x1b[0m";

/// The words that cannot be atoms.
pub const KEYWORDS: &[&str] = &[
    "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case", "catch", "div",
    "else", "end", "fun", "if", "maybe", "not", "of", "or", "orelse", "receive", "rem", "try", "when", "xor",
];

/// The text with colours; `cursor` is where the cursor stands.
pub fn highlight(text: &str, cursor: usize) -> Cow<'_, str> {
    if text.len() > LONGEST || text.is_empty() {
        return Cow::Borrowed(text);
    }
    let pieces = pieces(text);
    let pair = matching(text, &pieces, cursor);
    let mut out = String::with_capacity(text.len() * 2);
    for piece in &pieces {
        let colour = if pair.is_some_and(|(a, b)| piece.start == a || piece.start == b) {
            BRACKET
        } else {
            piece.kind
        };
        let part = &text[piece.start..piece.end];
        if colour.is_empty() {
            out.push_str(part);
        } else {
            out.push_str(colour);
            out.push_str(part);
            out.push_str(RESET);
        }
    }
    Cow::Owned(out)
}

/// Which of what is typed at the end of a line changes colours before it.
#[derive(Default)]
pub struct Progress {
    text: String,
    /// Where the last piece of it begins. Pieces do not depend on what is before them.
    last: usize,
}

impl Progress {
    /// Whether the last character of the text, just typed, needs no colour and changes none: it may be shown as it is.
    pub fn is_plain(&mut self, text: &str) -> bool {
        let known = self.text.get(..self.last).filter(|before| text.starts_with(*before)).map_or(0, str::len);
        let mut last = Piece { start: known, end: known, kind: "" };
        while let Some(piece) = piece(text, last.end) {
            last = piece;
        }
        self.text.truncate(known);
        self.text.push_str(&text[known..]);
        self.last = last.start;
        let word = &text[last.start..];
        let before = word.get(..word.len().saturating_sub(1)).unwrap_or("");
        last.kind.is_empty()
            && word.ends_with(|c: char| c.is_ascii() && !matches!(c, ')' | ']' | '}'))
            && !KEYWORDS.contains(&before)
    }
}

/// A stretch of one colour.
struct Piece {
    start: usize,
    end: usize,
    kind: &'static str,
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(piece) = piece(text, at) {
        at = piece.end;
        pieces.push(piece);
    }
    pieces
}

/// The piece that begins there.
fn piece(text: &str, at: usize) -> Option<Piece> {
    let bytes = text.as_bytes();
    let word = |from: usize| text[from..].find(|c: char| !is_word(c)).map_or(text.len(), |n| from + n);
    let (end, kind) = match text[at..].chars().next()? {
        '%' => (text[at..].find('\n').map_or(text.len(), |n| at + n), COMMENT),
        '"' => (quoted(bytes, at, b'"'), STRING),
        '\'' => (quoted(bytes, at, b'\''), QUOTED),
        '$' => (character(text, at), STRING),
        '0'..='9' => (number(text, at), NUMBER),
        c if c.is_uppercase() || c == '_' => (word(at), VARIABLE),
        c if c.is_lowercase() => {
            let end = word(at);
            (end, if KEYWORDS.contains(&&text[at..end]) { KEYWORD } else { "" })
        }
        c => (at + c.len_utf8(), ""),
    };
    Some(Piece { start: at, end, kind })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '@'
}

fn quoted(bytes: &[u8], start: usize, end: u8) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            byte if byte == end => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

fn character(text: &str, at: usize) -> usize {
    let mut chars = text[at + 1..].char_indices();
    let Some((_, first)) = chars.next() else { return text.len() };
    let last = if first == '\\' { chars.next() } else { Some((0, first)) };
    last.map_or(text.len(), |(n, c)| at + 1 + n + c.len_utf8())
}

fn number(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = at;
    while end < bytes.len() {
        let goes_on = match bytes[end] {
            b'0'..=b'9' | b'_' | b'#' | b'a'..=b'z' | b'A'..=b'Z' => true,
            b'.' => bytes.get(end + 1).is_some_and(u8::is_ascii_digit),
            b'-' | b'+' => matches!(bytes[end - 1], b'e' | b'E') && text[at..end].contains('.'),
            _ => false,
        };
        if !goes_on {
            break;
        }
        end += 1;
    }
    end.max(at + 1)
}

/// The bracket at the cursor, or before it, and its partner.
fn matching(text: &str, pieces: &[Piece], cursor: usize) -> Option<(usize, usize)> {
    let bracket = |piece: &Piece| match &text[piece.start..piece.end] {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    };
    let at =
        |place: usize| pieces.iter().position(|p| p.start == place).filter(|&i| bracket(&pieces[i]) != 0);
    let found = at(cursor).or_else(|| cursor.checked_sub(1).and_then(at))?;
    let mut depth = 0;
    let partner = |piece: &&Piece| {
        depth += bracket(piece);
        depth == 0
    };
    let other = match bracket(&pieces[found]) {
        1 => pieces[found..].iter().find(partner),
        _ => pieces[..=found].iter().rev().find(partner),
    };
    other.map(|other| (pieces[found].start, other.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find('\x1b') {
            out.push_str(&rest[..start]);
            rest = &rest[start + rest[start..].find('m').expect("it ends") + 1..];
        }
        out + rest
    }

    #[test]
    fn colours_change_nothing_else() {
        for text in [
            "X = foo(\"a\\\"b\", 'c', $d, $\\n, 16#ff, 1.5e-3) % é",
            "\"",
            "'",
            "$",
            "$\\",
            "1.",
            "ä ∑ 日本",
            "{[(",
            ")]}",
            "1e",
        ] {
            for cursor in 0..=text.len() {
                if text.is_char_boundary(cursor) {
                    assert_eq!(plain(&highlight(text, cursor)), text);
                }
            }
        }
    }

    #[test]
    fn brackets_find_their_partners() {
        let text = "f([1], \")\")";
        assert_eq!(matching(text, &pieces(text), 1), Some((1, 10)));
        assert_eq!(matching(text, &pieces(text), 11), Some((10, 1)));
        assert_eq!(matching(text, &pieces(text), 3), Some((2, 4)));
        assert_eq!(matching(text, &pieces(text), 8), None);
        assert_eq!(matching(text, &pieces(text), 5), Some((4, 2)));
    }

    #[test]
    fn what_is_plain_changes_no_colour() {
        let text = "foo(Bar, \"s. x\"), end ender case1 é 'q' {1.5, $a} % c\nif ifs [a|b].";
        let mut progress = Progress::default();
        for (i, c) in text.char_indices() {
            let (before, after) = (&text[..i], &text[..i + c.len_utf8()]);
            let shown = highlight(before, 0).into_owned() + c.encode_utf8(&mut [0; 4]);
            if progress.is_plain(after) {
                assert_eq!(shown, highlight(after, 0), "{after}");
            }
        }
        assert!(progress.is_plain("ab") && progress.is_plain("abc "));
        assert!(!progress.is_plain("abc X") && !progress.is_plain("end") && !progress.is_plain("endx"));
        // A character that is not the next one, as after one was taken back, is for the whole text to be coloured.
        assert!(progress.is_plain("f(") && !progress.is_plain("f()") && !progress.is_plain("f("));
    }

    #[test]
    fn words_have_their_colours() {
        assert_eq!(
            highlight("case X of", 9),
            format!("{KEYWORD}case{RESET} {VARIABLE}X{RESET} {KEYWORD}of{RESET}")
        );
        assert_eq!(highlight("$a", 2), format!("{STRING}$a{RESET}"));
    }
}

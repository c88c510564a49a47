//! Steps through text: characters and the ends of lines.

use super::Newline;

/// The character that begins a text of UTF-8, and its bytes. The text is not empty; of bytes that are no UTF-8 each is
/// a character.
#[inline]
pub fn decode(text: &[u8]) -> (u32, usize) {
    let first = u32::from(text[0]);
    if first < 0x80 {
        return (first, 1);
    }
    let more =
        |at: usize| text.get(at).filter(|byte| *byte & 0xC0 == 0x80).map(|byte| u32::from(byte & 0x3F));
    match (first, more(1), more(2), more(3)) {
        (0xC0..=0xDF, Some(a), _, _) => ((first & 0x1F) << 6 | a, 2),
        (0xE0..=0xEF, Some(a), Some(b), _) => ((first & 0x0F) << 12 | a << 6 | b, 3),
        (0xF0..=0xF7, Some(a), Some(b), Some(c)) => ((first & 0x07) << 18 | a << 12 | b << 6 | c, 4),
        _ => (first, 1),
    }
}

/// Where the character begins that ends before `at`, which is not the beginning.
#[inline]
pub fn before(text: &[u8], at: usize, unicode: bool) -> usize {
    let mut start = at - 1;
    if unicode {
        while start > 0 && at - start < 4 && text[start] & 0xC0 == 0x80 {
            start -= 1;
        }
    }
    start
}

/// Bytes of the end of a line that begins at `at`; 0 if there is none.
pub fn newline_at(newline: Newline, unicode: bool, text: &[u8], at: usize) -> usize {
    let Some(&byte) = text.get(at) else { return 0 };
    let next = text.get(at + 1).copied();
    match newline {
        Newline::Lf => usize::from(byte == b'\n'),
        Newline::Cr => usize::from(byte == b'\r'),
        Newline::CrLf => 2 * usize::from(byte == b'\r' && next == Some(b'\n')),
        Newline::AnyCrLf => match byte {
            b'\r' if next == Some(b'\n') => 2,
            b'\r' | b'\n' => 1,
            _ => 0,
        },
        Newline::Any => any_newline(unicode, text, at),
    }
}

/// Bytes of anything that Unicode takes for the end of a line.
pub fn any_newline(unicode: bool, text: &[u8], at: usize) -> usize {
    let rest = &text[at..];
    match rest {
        [b'\r', b'\n', ..] => 2,
        [b'\n'..=b'\r', ..] => 1,
        [0x85, ..] if !unicode => 1,
        [0xC2, 0x85, ..] if unicode => 2,
        [0xE2, 0x80, 0xA8 | 0xA9, ..] if unicode => 3,
        _ => 0,
    }
}

/// Whether a line ends just before `at`.
pub fn newline_before(newline: Newline, unicode: bool, text: &[u8], at: usize) -> bool {
    let before = &text[..at];
    match newline {
        Newline::Lf => before.ends_with(b"\n"),
        Newline::Cr => before.ends_with(b"\r"),
        Newline::CrLf => before.ends_with(b"\r\n"),
        Newline::AnyCrLf => matches!(before.last(), Some(b'\r' | b'\n')),
        Newline::Any => match before {
            [.., b'\n'..=b'\r'] => true,
            [.., 0x85] if !unicode => true,
            [.., 0xC2, 0x85] if unicode => true,
            [.., 0xE2, 0x80, 0xA8 | 0xA9] if unicode => true,
            _ => false,
        },
    }
}

//! Numbers: `1_000`, `16#FF`, `1.5e-3`.

use super::{Callback, LexError, State, Token};
use crate::{Code, Int};
use logos::Lexer;

/// Longer integers are refused: far beyond what a running program may hold (OTP: about 2^26 bits on 64-bit machines),
/// but short enough to convert without a pause.
const MAX_INTEGER_DIGITS: usize = 1 << 20;

/// The number whose first digit was just read.
pub fn scan(lexer: &mut Lexer<'_, Token>) -> Callback<i64> {
    let start = lexer.span().start;
    let source = lexer.source();
    let rest = &source[start..];
    let (token, length) = number(&mut lexer.extras, rest, start);
    lexer.bump(length - 1);
    match token {
        Token::Int(value) => Ok(value),
        other => Err(LexError::Other(other)),
    }
}

/// The token at the beginning of `rest`, which stands at `start`, and its length.
fn number(state: &mut State, rest: &str, start: usize) -> (Token, usize) {
    let whole = digits(rest, |b| b.is_ascii_digit());
    let bytes = rest.as_bytes();
    match bytes.get(whole) {
        Some(b'#') => based(state, rest, start, whole),
        Some(b'.') if bytes.get(whole + 1).is_some_and(u8::is_ascii_digit) => {
            float(state, rest, start, whole)
        }
        _ => (integer(state, 10, &rest[..whole], start, start + whole), whole),
    }
}

/// How many bytes are digits, with single underscores between digits.
fn digits(text: &str, is_digit: impl Fn(u8) -> bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if is_digit(bytes[at]) {
            at += 1;
        } else if bytes[at] == b'_' && at > 0 && bytes.get(at + 1).copied().is_some_and(&is_digit) {
            at += 2;
        } else {
            break;
        }
    }
    at
}

fn integer(state: &mut State, base: u32, written: &str, start: usize, end: usize) -> Token {
    let digits = written.replace('_', "");
    if let Ok(value) = i64::from_str_radix(&digits, base) {
        return Token::Int(value);
    }
    if digits.is_empty() {
        return state.fault(Code::IllegalNumber, start, end, "digits are missing after the base");
    }
    if digits.len() > MAX_INTEGER_DIGITS {
        return state.fault(Code::IllegalNumber, start, end, "this integer is too large");
    }
    Token::BigInt(state.names.intern(&format!("{base}#{digits}")))
}

/// `base#digits`, where `whole` bytes are the base.
fn based(state: &mut State, rest: &str, start: usize, whole: usize) -> (Token, usize) {
    let base = rest[..whole].replace('_', "").parse::<u32>().ok().filter(|base| (2..=36).contains(base));
    let Some(base) = base else {
        // Whatever digits follow belong to the faulty number.
        let length = whole + 1 + digits(&rest[whole + 1..], |b| b.is_ascii_alphanumeric());
        let title = "the base of an integer is between 2 and 36";
        return (state.fault(Code::IllegalNumber, start, start + whole, title), length);
    };
    let after = &rest[whole + 1..];
    let length = digits(after, |b| char::from(b).is_digit(base));
    let end = whole + 1 + length;
    (integer(state, base, &after[..length], start, start + end), end)
}

/// `whole.fraction`, perhaps with an exponent.
fn float(state: &mut State, rest: &str, start: usize, whole: usize) -> (Token, usize) {
    let is_digit = |b: u8| b.is_ascii_digit();
    let mut end = whole + 1;
    end += digits(&rest[end..], is_digit);
    if matches!(rest.as_bytes().get(end), Some(b'e' | b'E')) {
        end += 1;
        if matches!(rest.as_bytes().get(end), Some(b'+' | b'-')) {
            end += 1;
        }
        let exponent = digits(&rest[end..], is_digit);
        end += exponent;
        if exponent == 0 {
            let title = "digits are missing in the exponent";
            return (state.fault(Code::IllegalNumber, start, start + end, title), end);
        }
    }
    let token = match rest[..end].replace('_', "").parse::<f64>() {
        Ok(value) if value.is_finite() => Token::Float(value),
        _ => state.fault(Code::IllegalNumber, start, start + end, "this float is too large"),
    };
    (token, end)
}

/// The integer behind the `base#digits` of a [`Token::BigInt`].
pub(crate) fn big(text: &str) -> Int {
    let (base, digits) = text.split_once('#').expect("the lexer writes base#digits");
    let base = base.parse().expect("the lexer writes the base in decimal");
    Int::from_digits(digits, base).expect("the lexer checked the digits")
}

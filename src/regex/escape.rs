//! What a backslash makes of the character after it.

use super::ast::{Node, Single, Target, Test};
use super::fault::{self, CompileError, fault};
use super::letters;
use super::parse::Parser;
use super::properties;
use super::set::{LAST, Ranges};

/// What an escape stands for, in a class as outside.
pub(super) enum Escape {
    Char(u32),
    Set(Ranges),
    /// Anything else is known by its letter.
    Letter(u8),
    /// A number that is a reference outside of classes.
    Back(u32),
}

impl Parser<'_> {
    /// An escape outside of a class; `self.at` is at the backslash.
    pub(super) fn escape(&mut self) -> Result<(), CompileError> {
        match self.read_escape(false)? {
            Escape::Char(c) => self.push_literal(c),
            Escape::Set(ranges) => self.push_set(ranges),
            Escape::Back(number) => self.push_back(Target::Number(number)),
            Escape::Letter(letter) => return self.letter(letter),
        }
        Ok(())
    }

    fn push_back(&mut self, target: Target) {
        if let Target::Number(number) = target {
            self.back = self.back.max(number);
        }
        let caseless = self.flags.caseless;
        self.push(Node::Back { target, caseless }, true);
    }

    fn letter(&mut self, letter: u8) -> Result<(), CompileError> {
        match letter {
            b'Q' => self.quoting = true,
            b'E' => {}
            b'A' => self.push(Node::Test(Test::Start), false),
            b'Z' => self.push(Node::Test(Test::EndOrNewline), false),
            b'z' => self.push(Node::Test(Test::End), false),
            b'G' => self.push(Node::Test(Test::Offset), false),
            b'b' => self.push(Node::Test(Test::Boundary { negated: false }), false),
            b'B' => self.push(Node::Test(Test::Boundary { negated: true }), false),
            b'K' => self.push(Node::Keep, false),
            b'C' => self.push(Node::Single(Single::Unit), true),
            b'N' => self.push(Node::Single(Single::NotNewline), true),
            b'R' => self.push(Node::Newline, true),
            b'X' => self.push(Node::Grapheme, true),
            b'g' => return self.escape_g(),
            _ => return self.escape_k(),
        }
        Ok(())
    }

    /// `\k<name>` and its kin; `self.at` is after the letter.
    fn escape_k(&mut self) -> Result<(), CompileError> {
        let close = match self.byte(self.at) {
            Some(b'<') => b'>',
            Some(b'{') => b'}',
            Some(b'\'') => b'\'',
            _ => return fault(fault::BACKSLASH_K, self.at - 1),
        };
        let position = self.at;
        let name = self.name(close)?;
        let _ = position;
        self.references.push((name, self.at - 1));
        self.push_back(name);
        Ok(())
    }

    /// `\g`: a reference, or a call; `self.at` is after the letter.
    fn escape_g(&mut self) -> Result<(), CompileError> {
        let letter = self.at - 1;
        match self.byte(self.at) {
            Some(b'<') => return self.called_by_name(b'>'),
            Some(b'\'') => return self.called_by_name(b'\''),
            _ => {}
        }
        let braced = self.byte(self.at) == Some(b'{');
        if braced {
            let inside = |byte: &u8| *byte == b'-' || byte.is_ascii_digit();
            let rest = &self.pattern[self.at + 1..];
            let end = rest.iter().position(|byte| !inside(byte));
            if end.is_some_and(|end| rest[end] != b'}') {
                return self.escape_k();
            }
        }
        // The last byte that was read.
        let mut at = if braced { self.at } else { letter };
        let negative = self.byte(at + 1) == Some(b'-');
        if negative {
            at += 1;
        }
        let (number, end) = self.number(at + 1)?;
        at = end - 1;
        if braced {
            at += 1;
            if self.byte(at) != Some(b'}') {
                return fault(fault::BACKSLASH_G, at);
            }
        }
        if number == 0 {
            return fault(fault::REFERENCE_ZERO, at);
        }
        let number = if negative {
            match (self.tree.groups + 1).checked_sub(number) {
                Some(number) if number > 0 => number,
                _ => return fault(fault::REFERENCE_MISSING, at),
            }
        } else {
            number
        };
        self.at = at + 1;
        self.push_back(Target::Number(number));
        Ok(())
    }

    /// `\g<...>`, at the bracket.
    fn called_by_name(&mut self, close: u8) -> Result<(), CompileError> {
        let open = self.at;
        let sign = self.byte(open + 1).filter(|byte| matches!(byte, b'+' | b'-'));
        let digits = open + 1 + usize::from(sign.is_some());
        let is_number = sign.is_some() || self.byte(digits).is_some_and(|byte| byte.is_ascii_digit());
        if !is_number {
            let name = self.name(close)?;
            let position = self.at - 1;
            return self.call(name, position);
        }
        let mut end = digits;
        while self.byte(end).is_some_and(|byte| byte.is_ascii_digit()) {
            end += 1;
        }
        if end == digits || self.byte(end) != Some(close) {
            return fault(fault::BACKSLASH_G, open);
        }
        let (number, _) = self.number(digits)?;
        self.at = end;
        self.call_number(sign, number)?;
        self.at = end + 1;
        Ok(())
    }

    /// A number of any length at a place, and where it ends.
    pub(super) fn number(&self, mut at: usize) -> Result<(u32, usize), CompileError> {
        let mut value: u32 = 0;
        while let Some(digit) = self.byte(at).filter(u8::is_ascii_digit) {
            let next = value.checked_mul(10).and_then(|value| value.checked_add(u32::from(digit - b'0')));
            match next.filter(|value| *value <= i32::MAX as u32) {
                Some(next) => value = next,
                None => return fault(fault::NUMBER_TOO_BIG, at),
            }
            at += 1;
        }
        Ok((value, at))
    }

    /// Reads an escape; `self.at` is at the backslash, and then after the escape.
    pub(super) fn read_escape(&mut self, in_class: bool) -> Result<Escape, CompileError> {
        let letter_at = self.at + 1;
        let Some(byte) = self.byte(letter_at) else { return fault(fault::BACKSLASH_AT_END, letter_at) };
        self.at = letter_at + 1;
        let c = match byte {
            b'a' => 7,
            b'e' => 27,
            b'f' => 12,
            b'n' => 10,
            b'r' => 13,
            b't' => 9,
            b'0' => self.octal(letter_at, 3)?,
            b'1'..=b'9' => return self.digits(letter_at, in_class),
            b'o' => self.braced_octal()?,
            b'x' => self.hexadecimal()?,
            b'c' => self.control()?,
            b'd' | b'D' | b'h' | b'H' | b's' | b'S' | b'v' | b'V' | b'w' | b'W' => {
                return Ok(Escape::Set(self.generic(byte)));
            }
            b'p' | b'P' => return Ok(Escape::Set(self.property(byte == b'P')?)),
            b'l' | b'L' | b'u' | b'U' => return fault(fault::ESCAPE_UNSUPPORTED, letter_at),
            b'N' => {
                if self.byte(self.at) == Some(b'{') && self.counted(self.at).is_none() {
                    return fault(fault::ESCAPE_UNSUPPORTED, letter_at);
                }
                if in_class {
                    return fault(fault::NOT_NEWLINE_IN_CLASS, letter_at);
                }
                return Ok(Escape::Letter(byte));
            }
            b'b' if in_class => 8,
            b'Q' | b'E' => return Ok(Escape::Letter(byte)),
            b'A' | b'B' | b'b' | b'C' | b'G' | b'g' | b'K' | b'k' | b'R' | b'X' | b'Z' | b'z'
                if !in_class =>
            {
                return Ok(Escape::Letter(byte));
            }
            b'a'..=b'z' | b'A'..=b'Z' if self.flags.extra => return fault(fault::ESCAPE_UNKNOWN, letter_at),
            _ => {
                self.at = letter_at;
                self.take_character()
            }
        };
        Ok(Escape::Char(c))
    }

    /// `\1` and so on: a reference, or a character in octal.
    fn digits(&mut self, first: usize, in_class: bool) -> Result<Escape, CompileError> {
        if !in_class {
            let (number, end) = self.number(first)?;
            // `\8` and `\9` are digits as long as there are not so many groups.
            if number < 8 || number <= self.tree.groups {
                self.at = end;
                return Ok(Escape::Back(number));
            }
        }
        if self.pattern[first] >= b'8' {
            return Ok(Escape::Char(u32::from(self.pattern[first])));
        }
        Ok(Escape::Char(self.octal(first, 3)?))
    }

    /// Up to so many octal digits at a place.
    fn octal(&mut self, first: usize, most: usize) -> Result<u32, CompileError> {
        let mut value = 0;
        self.at = first;
        while self.at < first + most
            && let Some(digit @ b'0'..=b'7') = self.byte(self.at)
        {
            value = value * 8 + u32::from(digit - b'0');
            self.at += 1;
        }
        if value > 255 && !self.unicode() {
            return fault(fault::OCTAL_TOO_LARGE, self.at - 1);
        }
        Ok(value)
    }

    /// `\o{...}`; `self.at` is after the letter.
    fn braced_octal(&mut self) -> Result<u32, CompileError> {
        if self.byte(self.at) != Some(b'{') {
            return fault(fault::NO_BRACE, self.at - 1);
        }
        self.braced(8, fault::NOT_OCTAL)
    }

    /// `\x`, `\xh`, `\xhh`, `\x{...}`; `self.at` is after the letter.
    fn hexadecimal(&mut self) -> Result<u32, CompileError> {
        if self.byte(self.at) == Some(b'{') {
            return self.braced(16, fault::NOT_HEX);
        }
        let mut value = 0;
        for _ in 0..2 {
            let Some(digit) = self.byte(self.at).and_then(|byte| char::from(byte).to_digit(16)) else {
                break;
            };
            value = value * 16 + digit;
            self.at += 1;
        }
        Ok(value)
    }

    /// Digits in braces; `self.at` is at the opening one.
    fn braced(&mut self, base: u32, other: &'static str) -> Result<u32, CompileError> {
        let most = if self.unicode() { LAST } else { 255 };
        let mut at = self.at + 1;
        if self.byte(at) == Some(b'}') {
            return fault(fault::DIGITS_MISSING, at);
        }
        let mut value: u32 = 0;
        let mut is_too_large = false;
        while let Some(digit) = self.byte(at).and_then(|byte| char::from(byte).to_digit(base)) {
            value = value.saturating_mul(base).saturating_add(digit);
            is_too_large |= value > most;
            at += 1;
        }
        if is_too_large {
            return fault(fault::CODE_POINT_TOO_LARGE, at);
        }
        if self.byte(at) != Some(b'}') {
            return fault(other, at);
        }
        if self.unicode() && (0xD800..=0xDFFF).contains(&value) {
            return fault(fault::SURROGATE, at);
        }
        self.at = at + 1;
        Ok(value)
    }

    /// `\cX`; `self.at` is at X.
    fn control(&mut self) -> Result<u32, CompileError> {
        match self.byte(self.at) {
            None => fault(fault::BACKSLASH_C_AT_END, self.at),
            Some(byte) if byte > 127 => fault(fault::BACKSLASH_C_NOT_ASCII, self.at),
            Some(byte) => {
                self.at += 1;
                Ok(u32::from(byte.to_ascii_uppercase() ^ 0x40))
            }
        }
    }

    /// `\d` and its kin.
    fn generic(&self, letter: u8) -> Ranges {
        let ucp = self.tree.options.ucp;
        let ranges = match letter.to_ascii_lowercase() {
            b'd' if ucp => properties::any_of(&["Nd"]),
            b'd' => Ranges::of(letters::DIGIT),
            b'h' => Ranges::of(letters::HORIZONTAL),
            b's' if ucp => properties::space(),
            b's' => Ranges::of(letters::SPACE),
            b'v' => Ranges::of(letters::VERTICAL),
            _ => self.word(),
        };
        if letter.is_ascii_uppercase() { ranges.complement() } else { ranges }
    }

    /// `\w`.
    pub(super) fn word(&self) -> Ranges {
        if self.tree.options.ucp { properties::word() } else { Ranges::of(letters::WORD) }
    }

    /// `\p...`; `self.at` is after the letter.
    fn property(&mut self, negated: bool) -> Result<Ranges, CompileError> {
        let mut negated = negated;
        let Some(first) = self.byte(self.at) else { return fault(fault::PROPERTY_MALFORMED, self.at) };
        let (start, end, last) = if first == b'{' {
            let mut start = self.at + 1;
            if self.byte(start) == Some(b'^') {
                negated = !negated;
                start += 1;
            }
            match self.pattern[start..].iter().position(|byte| *byte == b'}' || *byte == 0) {
                Some(length) if self.pattern[start + length] == b'}' => {
                    (start, start + length, start + length)
                }
                _ => return fault(fault::PROPERTY_MALFORMED, self.pattern.len()),
            }
        } else {
            (self.at, self.at + 1, self.at)
        };
        let name = std::str::from_utf8(&self.pattern[start..end]).ok();
        let Some(ranges) = name.and_then(properties::property) else {
            return fault(fault::PROPERTY_UNKNOWN, last);
        };
        self.at = last + 1;
        Ok(if negated { ranges.complement() } else { ranges })
    }
}

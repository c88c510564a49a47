//! Classes in brackets.

use super::escape::Escape;
use super::fault::{self, CompileError, fault};
use super::letters;
use super::parse::Parser;
use super::properties::close_over_case;
use super::set::Ranges;

/// A class in the making.
struct Members {
    ranges: Ranges,
    /// Those that go with the other case as well.
    letters: Ranges,
}

/// What stands in a class.
enum Item {
    Char(u32),
    /// Several characters; whether they may not begin a range.
    Set(Ranges),
    /// `\E`, or a quotation that begins or ends.
    Nothing,
}

impl Parser<'_> {
    /// A class; `self.at` is at the opening bracket.
    pub(super) fn class(&mut self) -> Result<(), CompileError> {
        let open = self.at;
        if self.sees(open, b"[[:<:]]") || self.sees(open, b"[[:>:]]") {
            return self.word_edge(open);
        }
        if let Some(kind @ (b':' | b'.' | b'=')) = self.byte(open + 1)
            && self.posix_end(open, kind).is_some()
        {
            let text = if kind == b':' { fault::POSIX_OUTSIDE } else { fault::COLLATING };
            return fault(text, open);
        }
        self.at = open + 1;
        let negated = self.class_start();
        let mut members = Members { ranges: Ranges::default(), letters: Ranges::default() };
        let mut is_first = true;
        loop {
            let Some(byte) = self.byte(self.at) else { return fault(fault::CLASS_NOT_CLOSED, self.at) };
            if byte == b']' && !is_first && !self.quoting {
                self.at += 1;
                break;
            }
            let was_quoting = self.quoting;
            match self.class_item(byte)? {
                Item::Nothing => {
                    // A quotation that begins leaves the place of a first bracket.
                    is_first &= !was_quoting || !self.quoting;
                    continue;
                }
                Item::Set(ranges) => {
                    members.ranges.add_all(&ranges);
                    // A hyphen after several characters is one more of them.
                    if !self.quoting
                        && self.byte(self.at) == Some(b'-')
                        && self.byte(self.at + 1) != Some(b']')
                    {
                        self.at += 1;
                        members.letters.add(45, 45);
                    }
                }
                Item::Char(first) => self.class_range(first, &mut members)?,
            }
            is_first = false;
        }
        self.finish_class(members, negated);
        Ok(())
    }

    /// Passes what may stand before the first member.
    fn class_start(&mut self) -> bool {
        let mut negated = false;
        loop {
            if self.sees(self.at, b"\\E") {
                self.at += 2;
            } else if self.sees(self.at, b"\\Q\\E") {
                self.at += 4;
            } else if !negated && self.byte(self.at) == Some(b'^') {
                negated = true;
                self.at += 1;
            } else {
                return negated;
            }
        }
    }

    fn finish_class(&mut self, members: Members, negated: bool) {
        let Members { mut ranges, letters: mut chars } = members;
        if self.flags.caseless {
            if self.unicode() {
                chars = close_over_case(&chars);
            } else {
                for (first, last) in chars.clone().as_slice() {
                    for c in *first..=(*last).min(255) {
                        let other = u32::from(letters::flip(c as u8));
                        chars.add(other, other);
                    }
                }
            }
        }
        ranges.add_all(&chars);
        self.push_set(if negated { ranges.complement() } else { ranges });
    }

    /// A character of a class, and the range that it may begin.
    fn class_range(&mut self, first: u32, members: &mut Members) -> Result<(), CompileError> {
        self.note_newline(first);
        // Nothing between the hyphen and its sides but the ends of quotations.
        while self.quoting && self.sees(self.at, b"\\E") {
            self.quoting = false;
            self.at += 2;
        }
        while !self.quoting && self.sees(self.at, b"\\E") {
            self.at += 2;
        }
        if self.quoting || self.byte(self.at) != Some(b'-') {
            members.letters.add(first, first);
            return Ok(());
        }
        let hyphen = self.at;
        self.at += 1;
        loop {
            if self.sees(self.at, b"\\E") {
                self.at += 2;
                self.quoting = false;
            } else if self.sees(self.at, b"\\Q") && !self.quoting {
                self.at += 2;
                self.quoting = true;
            } else {
                break;
            }
        }
        if self.byte(self.at) == Some(b']') && !self.quoting {
            self.at = hyphen + 1;
            members.letters.add(first, first);
            members.letters.add(45, 45);
            return Ok(());
        }
        let Some(byte) = self.byte(self.at) else { return fault(fault::CLASS_NOT_CLOSED, self.at) };
        let start = self.at;
        let last = match self.class_item(byte)? {
            Item::Char(last) => last,
            Item::Set(_) => {
                let position = if byte == b'[' { start } else { start + 1 };
                return fault(fault::RANGE_INVALID, position);
            }
            Item::Nothing => first,
        };
        if last < first {
            return fault(fault::RANGE_ORDER, self.at - 1);
        }
        self.note_newline(last);
        members.letters.add(first, last);
        Ok(())
    }

    fn note_newline(&mut self, c: u32) {
        if c == 10 || c == 13 {
            self.tree.has_newline = true;
        }
    }

    fn class_item(&mut self, byte: u8) -> Result<Item, CompileError> {
        if self.quoting {
            if self.sees(self.at, b"\\E") {
                self.quoting = false;
                self.at += 2;
                return Ok(Item::Nothing);
            }
            return Ok(Item::Char(self.take_character()));
        }
        if byte == b'['
            && let Some(kind @ (b':' | b'.' | b'=')) = self.byte(self.at + 1)
            && let Some(end) = self.posix_end(self.at, kind)
        {
            return self.posix(kind, end);
        }
        if byte != b'\\' {
            return Ok(Item::Char(self.take_character()));
        }
        Ok(match self.read_escape(true)? {
            Escape::Char(c) => Item::Char(c),
            Escape::Set(ranges) => Item::Set(ranges),
            Escape::Back(_) => Item::Nothing,
            Escape::Letter(letter) => {
                self.quoting = letter == b'Q';
                Item::Nothing
            }
        })
    }

    /// Where `[:...:]` and its kin end (at the last character but one), if it is one.
    fn posix_end(&self, open: usize, kind: u8) -> Option<usize> {
        let mut at = open + 2;
        while let Some(byte) = self.byte(at) {
            if byte == b'\\' && matches!(self.byte(at + 1), Some(b']' | b'\\')) {
                at += 1;
            } else if byte == b'[' && self.byte(at + 1) == Some(kind) || byte == b']' {
                return None;
            } else if byte == kind && self.byte(at + 1) == Some(b']') {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    fn posix(&mut self, kind: u8, end: usize) -> Result<Item, CompileError> {
        let open = self.at;
        if kind != b':' {
            return fault(fault::COLLATING, open);
        }
        let mut start = open + 2;
        let negated = self.byte(start) == Some(b'^');
        if negated {
            start += 1;
        }
        let name = &self.pattern[start.min(end)..end];
        let Some(ranges) = letters::posix(name, self.tree.options.ucp, self.flags.caseless) else {
            return fault(fault::CLASS_UNKNOWN, start);
        };
        self.at = end + 2;
        Ok(Item::Set(if negated { ranges.complement() } else { ranges }))
    }
}

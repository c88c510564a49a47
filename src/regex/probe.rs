//! What the machine asks of the subject: whether something fits at a place, and where it ends.

use super::ast::{Single, Test};
use super::machine::{CHARACTERS_PER_STEP, Machine, MatchError, UNSET};
use super::scan::{any_newline, before, decode, newline_at, newline_before};

/// Bytes that one character with all that belongs to it may take here.
const LONGEST_GRAPHEME: usize = 1024;

impl Machine<'_> {
    /// The next character's end.
    #[inline]
    pub fn forward(&self, at: usize) -> usize {
        if self.unicode { at + decode(&self.subject[at..]).1 } else { at + 1 }
    }

    /// Where one character of that kind ends.
    #[inline]
    pub fn single(&self, single: Single, at: usize) -> Option<usize> {
        let byte = *self.subject.get(at)?;
        match single {
            Single::Byte(wanted) => (byte == wanted).then_some(at + 1),
            Single::Unit => Some(at + 1),
            Single::Any => Some(self.forward(at)),
            Single::NotNewline => {
                if newline_at(self.newline, self.unicode, self.subject, at) > 0 {
                    None
                } else {
                    Some(self.forward(at))
                }
            }
            Single::Set(set) => {
                let set = &self.program.sets[set as usize];
                if byte < 128 || !self.unicode {
                    return set.has_byte(byte).then_some(at + 1);
                }
                let (c, length) = decode(&self.subject[at..]);
                set.has(c).then_some(at + length)
            }
            Single::Char(wanted) => {
                let (c, length) = decode(&self.subject[at..]);
                (c == wanted).then_some(at + length)
            }
        }
    }

    /// Whether a test holds at a place.
    pub fn test(&self, test: Test, at: usize) -> bool {
        let end = self.subject.len();
        let newline = |at| newline_at(self.newline, self.unicode, self.subject, at);
        match test {
            Test::Start => at == 0,
            Test::Offset => at == self.options.offset,
            Test::LineStart { multiline } => {
                let at_start = at == 0 && !self.options.notbol;
                let after = || at < end && newline_before(self.newline, self.unicode, self.subject, at);
                at_start || multiline && at > 0 && after()
            }
            Test::LineEnd { multiline: true } => {
                if at == end {
                    !self.options.noteol
                } else {
                    newline(at) > 0
                }
            }
            Test::LineEnd { multiline: false } => {
                let last = at == end || !self.program.options.dollar_endonly && at + newline(at) == end;
                last && !self.options.noteol
            }
            Test::End => at == end,
            Test::EndOrNewline => at == end || newline(at) > 0 && at + newline(at) == end,
            Test::Boundary { negated } => {
                let is_word = |at: usize| {
                    let c = if self.unicode {
                        decode(&self.subject[at..]).0
                    } else {
                        u32::from(self.subject[at])
                    };
                    self.program.word.has(c)
                };
                let left = at > 0 && is_word(before(self.subject, at, self.unicode));
                let right = at < end && is_word(at);
                (left != right) != negated
            }
        }
    }

    /// `\R`.
    pub fn newline_sequence(&self, at: usize) -> Option<usize> {
        let length = if self.options.bsr_anycrlf.unwrap_or(self.program.options.bsr_anycrlf) {
            newline_at(super::Newline::AnyCrLf, self.unicode, self.subject, at)
        } else if at < self.subject.len() {
            any_newline(self.unicode, self.subject, at)
        } else {
            0
        };
        (length > 0).then_some(at + length)
    }

    /// `\X`: a character with all that belongs to it.
    pub fn grapheme(&mut self, at: usize) -> Result<Option<usize>, MatchError> {
        use unicode_segmentation::UnicodeSegmentation;
        let rest = &self.subject[at..];
        if rest.is_empty() {
            return Ok(None);
        }
        if !self.unicode {
            return Ok(Some(at + if rest.starts_with(b"\r\n") { 2 } else { 1 }));
        }
        let length = match std::str::from_utf8(&rest[..rest.len().min(LONGEST_GRAPHEME)]) {
            Ok(text) => text.graphemes(true).next().map_or(1, str::len),
            Err(error) => {
                let valid = std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or_default();
                valid.graphemes(true).next().map_or(1, str::len)
            }
        };
        self.pay(LONGEST_GRAPHEME.min(rest.len()) / CHARACTERS_PER_STEP)?;
        Ok(Some(at + length))
    }

    /// What a group matched, once more.
    pub fn back(&mut self, list: u32, caseless: bool, at: usize) -> Result<Option<usize>, MatchError> {
        let numbers = &self.program.lists[list as usize];
        let set = numbers.iter().map(|group| 3 * *group as usize - 2).find(|slot| self.slots[*slot] != UNSET);
        let Some(slot) = set else { return Ok(None) };
        let (start, end) = (self.slots[slot] as usize, self.slots[slot + 1] as usize);
        let subject = self.subject;
        let text = &subject[start..end.max(start)];
        self.pay(text.len() / CHARACTERS_PER_STEP)?;
        if !caseless {
            return Ok(subject[at..].starts_with(text).then_some(at + text.len()));
        }
        let (mut from, mut to) = (0, at);
        while from < text.len() {
            if to >= subject.len() {
                return Ok(None);
            }
            if self.unicode {
                let ((a, more_from), (b, more_to)) = (decode(&text[from..]), decode(&subject[to..]));
                self.pay(1)?;
                if !super::properties::same_but_case(a, b) {
                    return Ok(None);
                }
                (from, to) = (from + more_from, to + more_to);
            } else {
                let (a, b) = (text[from], subject[to]);
                if a != b && super::letters::flip(a) != b {
                    return Ok(None);
                }
                (from, to) = (from + 1, to + 1);
            }
        }
        Ok(Some(to))
    }

    /// So many characters back.
    pub fn behind(&mut self, count: u32, at: usize) -> Result<Option<usize>, MatchError> {
        self.pay(count as usize / CHARACTERS_PER_STEP)?;
        if !self.unicode {
            return Ok(at.checked_sub(count as usize));
        }
        let mut start = at;
        for _ in 0..count {
            if start == 0 {
                return Ok(None);
            }
            start = before(self.subject, start, true);
        }
        Ok(Some(start))
    }
}

//! What an opening parenthesis begins.

use super::ast::{CalledAs, Condition, GroupKind, Node, Target, Test, Verb};
use super::fault::{self, CompileError, Fault, fault};
use super::letters;
use super::parse::{Parser, Reset};

/// Longest name of a group.
const MAX_NAME: usize = 32;

/// Longest argument of a verb.
const MAX_MARK: usize = 255;

impl Parser<'_> {
    /// An opening parenthesis, at `self.at`.
    pub(super) fn open_group(&mut self) -> Result<(), CompileError> {
        let next = self.byte(self.at + 1);
        if next == Some(b'*')
            && self.byte(self.at + 2).is_some_and(|byte| byte == b':' || letters::is_letter(byte))
        {
            return self.verb();
        }
        if next == Some(b'?') {
            self.at += 2;
            return self.special();
        }
        self.at += 1;
        if self.tree.options.no_auto_capture { self.enter(GroupKind::Plain, None) } else { self.capture() }
    }

    fn capture(&mut self) -> Result<(), CompileError> {
        self.tree.groups += 1;
        self.enter(GroupKind::Capture(self.tree.groups), None)
    }

    /// `(?`, after which `self.at` is.
    fn special(&mut self) -> Result<(), CompileError> {
        let at = self.at;
        let look = |behind, negated| GroupKind::Look { behind, negated };
        let (length, kind) = match self.byte(at) {
            Some(b'#') => return self.comment(),
            Some(b'|') => {
                self.at += 1;
                let reset = Reset { base: self.tree.groups, most: self.tree.groups };
                return self.enter(GroupKind::Plain, Some(reset));
            }
            Some(b':') => (1, GroupKind::Plain),
            Some(b'=') => (1, look(false, false)),
            Some(b'!') => (1, look(false, true)),
            Some(b'>') => (1, GroupKind::Atomic),
            Some(b'<') => match self.byte(at + 1) {
                Some(b'=') => (2, look(true, false)),
                Some(b'!') => (2, look(true, true)),
                Some(byte) if is_name_byte(byte) => return self.named(b'>'),
                _ => return fault(fault::UNKNOWN_AFTER_LESS, at + 1),
            },
            Some(b'\'') => return self.named(b'\''),
            Some(b'P') => return self.python(),
            Some(b'(') => return self.condition(),
            Some(b'C') => return self.callout(),
            Some(b'R') => {
                if self.byte(at + 1) != Some(b')') {
                    return fault(fault::RECURSION_NOT_CLOSED, at + 1);
                }
                self.at += 1;
                self.call(Target::Number(0), at + 1)?;
                self.at += 1;
                return Ok(());
            }
            Some(b'&') => return self.call_name(),
            Some(b'0'..=b'9' | b'+') => return self.call_by_number(),
            Some(b'-') if self.byte(at + 1).is_some_and(|byte| byte.is_ascii_digit()) => {
                return self.call_by_number();
            }
            _ => return self.options(),
        };
        self.at += length;
        self.enter(kind, None)
    }

    fn comment(&mut self) -> Result<(), CompileError> {
        match self.pattern[self.at..].iter().position(|byte| *byte == b')') {
            Some(length) => {
                self.at += length + 1;
                Ok(())
            }
            None => fault(fault::COMMENT_NOT_CLOSED, self.pattern.len()),
        }
    }

    /// A name after the byte at `self.at`, up to `close`, after which `self.at` is then.
    pub(super) fn name(&mut self, close: u8) -> Result<Target, CompileError> {
        let (start, end) = self.name_text(close)?;
        if start == end {
            return fault(fault::NAME_EXPECTED, end);
        }
        let text = self.pattern[start..end].to_vec();
        self.at = end + 1;
        Ok(self.want(text))
    }

    /// Where such a name starts and ends.
    fn name_text(&self, close: u8) -> Result<(usize, usize), CompileError> {
        let start = self.at + 1;
        if self.byte(start).is_some_and(|byte| byte.is_ascii_digit()) {
            return fault(fault::NAME_DIGIT, start);
        }
        let end = self.name_end(start);
        if start < end || close == b'>' && self.byte(self.at - 1) == Some(b'P') {
            if self.byte(end) != Some(close) {
                return fault(fault::NAME_NOT_CLOSED, end);
            }
            if end - start > MAX_NAME {
                return fault(fault::NAME_TOO_LONG, end);
            }
        }
        Ok((start, end))
    }

    fn name_end(&self, start: usize) -> usize {
        let length =
            self.pattern[start.min(self.pattern.len())..].iter().take_while(|byte| is_name_byte(**byte));
        start + length.count()
    }

    fn want(&mut self, text: Vec<u8>) -> Target {
        let known = self.tree.wanted.iter().position(|wanted| *wanted == text);
        let index = known.unwrap_or_else(|| {
            self.tree.wanted.push(text);
            self.tree.wanted.len() - 1
        });
        Target::Name(u32::try_from(index).expect("fewer names than characters"))
    }

    /// A capture with a name; `self.at` is at the bracket before it.
    fn named(&mut self, close: u8) -> Result<(), CompileError> {
        let (start, end) = self.name_text(close)?;
        if self.byte(end) != Some(close) {
            return fault(fault::NAME_NOT_CLOSED, end);
        }
        let text = self.pattern[start..end].to_vec();
        self.define(&text, self.tree.groups + 1, end)?;
        self.at = end + 1;
        self.capture()
    }

    /// `(?P`, at the letter.
    fn python(&mut self) -> Result<(), CompileError> {
        self.at += 1;
        match self.byte(self.at) {
            Some(b'<') => self.named(b'>'),
            Some(b'>') => self.call_name(),
            Some(b'=') => {
                let name = self.name(b')')?;
                self.references.push((name, self.at - 1));
                let caseless = self.flags.caseless;
                self.push(Node::Back { target: name, caseless }, true);
                Ok(())
            }
            _ => fault(fault::UNKNOWN_AFTER_P, self.at),
        }
    }

    /// A call by name; `self.at` is at the byte before it.
    fn call_name(&mut self) -> Result<(), CompileError> {
        let name = self.name(b')')?;
        let position = self.at - 1;
        self.call(name, position)
    }

    /// `(?1)`, `(?+1)`, `(?-1)`, at the sign or the digit.
    fn call_by_number(&mut self) -> Result<(), CompileError> {
        let sign = self.byte(self.at).filter(|byte| matches!(byte, b'+' | b'-'));
        let digits = self.at + usize::from(sign.is_some());
        if !self.byte(digits).is_some_and(|byte| byte.is_ascii_digit()) {
            return fault(fault::DIGITS_EXPECTED, digits);
        }
        let (number, end) = self.number(digits)?;
        if self.byte(end) != Some(b')') {
            return fault(fault::RECURSION_NOT_CLOSED, end);
        }
        self.at = end;
        self.call_number(sign, number)?;
        self.at = end + 1;
        Ok(())
    }

    /// A call of a group by its number, which ends at `self.at`.
    pub(super) fn call_number(&mut self, sign: Option<u8>, number: u32) -> Result<(), CompileError> {
        let position = self.at;
        if sign.is_some() && number == 0 {
            return fault(fault::REFERENCE_ZERO, position);
        }
        let groups = self.tree.groups;
        let number = match sign {
            Some(b'-') => match (groups + 1).checked_sub(number).filter(|number| *number > 0) {
                Some(number) => number,
                None => return fault(fault::REFERENCE_MISSING, position),
            },
            Some(_) => match groups.checked_add(number) {
                Some(number) => number,
                None => return fault(fault::NUMBER_TOO_BIG, position),
            },
            None => number,
        };
        self.call(Target::Number(number), position)
    }

    /// A call of a group. One that comes back to itself without having moved would never end.
    pub(super) fn call(&mut self, target: Target, position: usize) -> Result<(), CompileError> {
        self.references.push((target, position));
        let numbers = self.tree.numbers(target);
        let of = numbers.first().copied();
        let from = self.open.iter().position(|open| match open.kind {
            GroupKind::Capture(number) => of == Some(number),
            _ => false,
        });
        let from = if of == Some(0) { Some(0) } else { from };
        if let Some(from) = from {
            let open = &self.open[from..];
            // Conditions are not looked into, nor later branches of assertions.
            let is_seen = open.iter().all(|open| match open.kind {
                GroupKind::Condition(_) => false,
                GroupKind::Look { .. } => open.alternatives.is_empty(),
                _ => true,
            });
            if is_seen && open.iter().all(|open| self.are_nullable(&open.branch)) {
                self.late.push(Fault { text: fault::LOOPS, position });
            }
        }
        self.push(Node::Call(target), true);
        Ok(())
    }

    /// `(?C...)`: nobody is called.
    fn callout(&mut self) -> Result<(), CompileError> {
        let mut at = self.at + 1;
        let mut number = 0;
        while let Some(digit) = self.byte(at).filter(u8::is_ascii_digit) {
            number = (number * 10 + u32::from(digit - b'0')).min(1000);
            at += 1;
        }
        if self.byte(at) != Some(b')') {
            return fault(fault::CALLOUT_NOT_CLOSED, at);
        }
        if number > 255 {
            return fault(fault::CALLOUT_TOO_BIG, at);
        }
        self.at = at + 1;
        self.repeatable = false;
        Ok(())
    }

    /// `(?i)` and `(?i:...)`; `self.at` is at the first letter.
    fn options(&mut self) -> Result<(), CompileError> {
        let mut flags = self.flags;
        let mut set = true;
        loop {
            match self.byte(self.at) {
                Some(b'-') => set = false,
                Some(b'i') => flags.caseless = set,
                Some(b'm') => flags.multiline = set,
                Some(b's') => flags.dotall = set,
                Some(b'x') => flags.extended = set,
                Some(b'U') => flags.ungreedy = set,
                Some(b'J') => flags.dupnames = set,
                Some(b'X') => flags.extra = set,
                Some(b')') => {
                    self.at += 1;
                    self.flags = flags;
                    self.repeatable = false;
                    return Ok(());
                }
                Some(b':') => {
                    self.at += 1;
                    self.enter(GroupKind::Plain, None)?;
                    self.flags = flags;
                    return Ok(());
                }
                _ => return fault(fault::OPTION_UNKNOWN, self.at),
            }
            self.at += 1;
        }
    }

    /// `(?(`, at the second parenthesis.
    fn condition(&mut self) -> Result<(), CompileError> {
        let mut at = self.at;
        if self.sees(at, b"(?C")
            && let Some(length) = self.pattern[at..].iter().position(|byte| *byte == b')')
        {
            at += length + 1;
        }
        let looks: [&[u8]; 4] = [b"(?=", b"(?!", b"(?<=", b"(?<!"];
        if looks.iter().any(|look| self.sees(at, look)) {
            self.at = at;
            return self.enter(GroupKind::Condition(Condition::Assertion), None);
        }
        let inside = self.at + 1;
        let sign = self.byte(inside).filter(|byte| matches!(byte, b'+' | b'-'));
        if sign.is_some() || self.byte(inside).is_some_and(|byte| byte.is_ascii_digit()) {
            return self.numbered_condition(sign, inside + usize::from(sign.is_some()));
        }
        let (before, close) = match self.byte(inside) {
            _ if self.sees(inside, b"R&") => (inside + 1, None),
            Some(b'<') => (inside, Some(b'>')),
            Some(b'\'') => (inside, Some(b'\'')),
            _ => (inside - 1, None),
        };
        let start = before + 1;
        match self.byte(start) {
            Some(byte) if byte.is_ascii_digit() => return fault(fault::NAME_DIGIT, start),
            Some(byte) if is_name_byte(byte) => {}
            _ => return fault(fault::ASSERTION_EXPECTED, start),
        }
        let mut end = self.name_end(start);
        let text = self.pattern[start..end].to_vec();
        if let Some(close) = close {
            if self.byte(end) != Some(close) {
                return fault(fault::CONDITION_MALFORMED, end);
            }
            end += 1;
        }
        if self.byte(end) != Some(b')') {
            return fault(fault::CONDITION_MALFORMED, end);
        }
        self.at = end + 1;
        let condition = self.named_condition(text, before == inside + 1, close.is_some());
        self.enter(GroupKind::Condition(condition), None)
    }

    fn numbered_condition(&mut self, sign: Option<u8>, digits: usize) -> Result<(), CompileError> {
        let (number, end) = self.number(digits)?;
        if self.byte(end) != Some(b')') {
            return fault(fault::CONDITION_MALFORMED, end);
        }
        let position = end + 1;
        if number == 0 {
            return fault(fault::CONDITION_ZERO, position);
        }
        let number = match sign {
            Some(b'-') => (self.tree.groups + 1).saturating_sub(number),
            Some(_) => self.tree.groups.saturating_add(number),
            None => number,
        };
        self.at = position;
        // Zero is no group: it is missed like one that does not exist.
        let missed = if number == 0 { u32::MAX } else { number };
        self.references.push((Target::Number(missed), position));
        self.enter(GroupKind::Condition(Condition::Set(Target::Number(number))), None)
    }

    fn named_condition(&mut self, text: Vec<u8>, of_call: bool, quoted: bool) -> Condition {
        let is_known = self.pattern_defines(&text);
        if !of_call && !quoted && !is_known {
            if text == b"DEFINE" {
                return Condition::Define;
            }
            if let Some(digits) = text.strip_prefix(b"R") {
                let digits = std::str::from_utf8(digits).unwrap_or("x");
                if digits.is_empty() {
                    return Condition::Called(CalledAs::Any);
                }
                if digits.bytes().all(|byte| byte.is_ascii_digit())
                    && let Ok(number) = digits.parse()
                {
                    return Condition::Called(CalledAs::Group(Target::Number(number)));
                }
            }
        }
        let target = self.want(text);
        self.references.push((target, self.at));
        if of_call { Condition::Called(CalledAs::Group(target)) } else { Condition::Set(target) }
    }

    /// Whether a name is defined before or after: what looks like a definition is taken for one.
    fn pattern_defines(&self, text: &[u8]) -> bool {
        if self.tree.names.iter().any(|name| name.text == text) {
            return true;
        }
        let rest = &self.pattern[self.at..];
        [(&b"(?<"[..], b'>'), (&b"(?P<"[..], b'>'), (&b"(?'"[..], b'\'')].iter().any(|(open, close)| {
            let mut wanted = open.to_vec();
            wanted.extend_from_slice(text);
            wanted.push(*close);
            memchr::memmem::find(rest, &wanted).is_some()
        })
    }

    /// `[[:<:]]` or `[[:>:]]`, the edges of a word.
    pub(super) fn word_edge(&mut self, open: usize) -> Result<(), CompileError> {
        let behind = self.byte(open + 3) == Some(b'>');
        self.at = open + b"[[:<:]]".len();
        let boundary = self.node(Node::Test(Test::Boundary { negated: false }));
        let word = self.word();
        let single = self.set(word);
        let one = self.node(Node::Single(single));
        let look = self
            .node(Node::Group { kind: GroupKind::Look { behind, negated: false }, alternatives: vec![one] });
        self.top().branch.extend([boundary, look]);
        self.repeatable = true;
        Ok(())
    }

    /// `(*VERB)` or `(*VERB:ARGUMENT)`, at the parenthesis.
    fn verb(&mut self) -> Result<(), CompileError> {
        let start = self.at + 2;
        let letters = self.pattern[start..].iter().take_while(|byte| letters::is_letter(**byte)).count();
        let mut end = start + letters;
        let pattern = self.pattern;
        let name = &pattern[start..end];
        let mut argument = None;
        if self.byte(end) == Some(b':') {
            let length = self.pattern[end + 1..].iter().take_while(|byte| **byte != b')').count();
            argument = Some(&pattern[end + 1..end + 1 + length]);
            end += 1 + length;
            if length > MAX_MARK {
                return fault(fault::VERB_ARGUMENT_TOO_LONG, end);
            }
        }
        if self.byte(end) != Some(b')') {
            return fault(fault::VERB_UNKNOWN, end);
        }
        let argument = argument.filter(|argument| !argument.is_empty());
        match name {
            b"ACCEPT" | b"F" | b"FAIL" | b"COMMIT" if argument.is_some() => {
                return fault(fault::ARGUMENT_NOT_ALLOWED, end);
            }
            b"" | b"MARK" if argument.is_none() => return fault(fault::ARGUMENT_NEEDED, end),
            _ => {}
        }
        let mark = argument.map(|argument| self.pattern_mark(argument));
        let verb = match name {
            b"F" | b"FAIL" => Verb::Fail,
            b"ACCEPT" => self.accept(),
            b"COMMIT" => Verb::Commit,
            b"PRUNE" => Verb::Prune,
            b"THEN" => {
                self.tree.has_then = true;
                Verb::Then
            }
            b"SKIP" => mark.map_or(Verb::Skip, Verb::SkipTo),
            b"" | b"MARK" => Verb::Mark(mark.expect("asked for above")),
            _ => return fault(fault::VERB_UNKNOWN, end),
        };
        self.at = end + 1;
        self.push(Node::Verb(verb), false);
        Ok(())
    }

    fn accept(&mut self) -> Verb {
        // In an assertion only what is inside of it ends.
        let within = self.open.iter().rev().take_while(|open| !matches!(open.kind, GroupKind::Look { .. }));
        let captures = within.filter_map(|open| match open.kind {
            GroupKind::Capture(number) => Some(number),
            _ => None,
        });
        self.tree.enclosing.push(captures.collect());
        Verb::Accept(u32::try_from(self.tree.enclosing.len() - 1).expect("fewer than characters"))
    }

    fn pattern_mark(&mut self, text: &[u8]) -> u32 {
        let known = self.tree.marks.iter().position(|mark| mark == text);
        let index = known.unwrap_or_else(|| {
            self.tree.marks.push(text.to_vec());
            self.tree.marks.len() - 1
        });
        u32::try_from(index).expect("fewer marks than characters")
    }
}

/// Whether a byte may stand in a name.
fn is_name_byte(byte: u8) -> bool {
    letters::is_word(byte)
}

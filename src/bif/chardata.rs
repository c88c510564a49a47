//! Reading chardata: deep lists of code points and binaries, one code point at a time, without recursion.

use std::ops::Deref;

use crate::bif::{BifResult, Cx};
use crate::heap::{AllocError, Charge, Scratch};
use crate::term::{Bits, Term, View};

/// How bytes stand for code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Latin1,
    Utf8,
    Utf16 { little: bool },
    Utf32 { little: bool },
}

/// Why reading stopped before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is no chardata at all: `badarg`.
    NotChardata,
    /// What comes next is no code point of the encoding; [`Chars::rest`] begins with it.
    Invalid,
    /// The input ends inside a character; [`Chars::rest`] is its beginning.
    Incomplete,
    /// Nothing is wrong with the data: there is no time or room to go on.
    Stopped(AllocError),
}

impl From<AllocError> for Fault {
    fn from(error: AllocError) -> Fault {
        Fault::Stopped(error)
    }
}

/// A position in chardata.
#[derive(Clone)]
pub struct Chars<'h> {
    /// Tails still to be read, innermost last.
    tails: Vec<Term<'h>>,
    /// What is being read: a binary and how far, or nothing.
    current: Option<(Term<'h>, Bits<'h>, usize)>,
    /// Bytes of a character begun in binaries that are used up.
    begun: Vec<u8>,
    encoding: Encoding,
    /// The element at fault was an integer on its own.
    bad_integer: Option<Term<'h>>,
    /// The whole.
    data: Term<'h>,
    /// Characters and parts read; each so many are announced as work.
    read: usize,
}

/// Characters and parts read between two announcements of work.
const AT_ONCE: usize = 128;

/// Most bytes taken at once: as many as are read in about a microsecond.
const RUN_BYTES: usize = 4096;

/// Bytes that are looked at and copied in a unit of work.
const RUN_BYTES_PER_UNIT: usize = 16;

impl<'h> Chars<'h> {
    /// The beginning of `data`, whose binaries are in `encoding`.
    pub fn new(data: Term<'h>, encoding: Encoding) -> Chars<'h> {
        Chars {
            tails: vec![data],
            current: None,
            begun: Vec::new(),
            encoding,
            bad_integer: None,
            data,
            read: 0,
        }
    }

    /// The next code point; `None` at the end.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn next(&mut self, cx: &mut Cx<'h>) -> Result<Option<u32>, Fault> {
        loop {
            self.count(cx)?;
            if let Some(byte) = self.peek_byte() {
                return self.decode(cx, byte).map(Some);
            }
            self.current = None;
            match self.tails.pop() {
                None if self.begun.is_empty() => return Ok(None),
                None => return Err(Fault::Incomplete),
                Some(term) => {
                    if let Some(code_point) = self.enter(term)? {
                        return Ok(Some(code_point));
                    }
                }
            }
        }
    }

    /// Bytes that can be taken at once, if the position is in a binary and no character is begun: whole characters, of UTF-8 if
    /// `whole_utf8` (and the input is that), else of one byte below 128, which are the same in UTF-8 and Latin-1. Text is
    /// mostly such, and most of it is in binaries.
    ///
    /// # Errors
    /// [`Fault::Stopped`].
    pub fn run(&mut self, cx: &mut Cx<'h>, whole_utf8: bool) -> Result<Option<&'h [u8]>, Fault> {
        if !self.begun.is_empty() || !matches!(self.encoding, Encoding::Latin1 | Encoding::Utf8) {
            return Ok(None);
        }
        let Some((_, bits, at)) = &mut self.current else { return Ok(None) };
        let Some(left) = bits.as_bytes().and_then(|bytes| bytes.get(*at..)) else { return Ok(None) };
        let left = &left[..left.len().min(RUN_BYTES)];
        let length = match whole_utf8 && self.encoding == Encoding::Utf8 {
            true => std::str::from_utf8(left).map_or_else(|error| error.valid_up_to(), str::len),
            false => left.iter().position(|byte| *byte >= 128).unwrap_or(left.len()),
        };
        if length == 0 {
            return Ok(None);
        }
        cx.work(length / RUN_BYTES_PER_UNIT)?;
        *at += length;
        Ok(Some(&left[..length]))
    }

    #[inline]
    fn count(&mut self, cx: &mut Cx<'h>) -> Result<(), Fault> {
        self.read += 1;
        if self.read.is_multiple_of(AT_ONCE) {
            cx.work(2 * AT_ONCE)?;
            cx.suspect(self.data, self.read)?;
        }
        Ok(())
    }

    /// Starts on a tail or an element.
    fn enter(&mut self, term: Term<'h>) -> Result<Option<u32>, Fault> {
        match term.view() {
            View::Nil => Ok(None),
            View::Cons(cell) => {
                self.tails.push(cell.tail());
                match cell.head().view() {
                    View::Int(value) => self.integer(cell.head(), value),
                    View::Big(_) => self.integer(cell.head(), -1),
                    View::Nil => Ok(None),
                    View::Cons(_) => {
                        self.tails.push(cell.head());
                        Ok(None)
                    }
                    _ => self.binary(cell.head()),
                }
            }
            _ => self.binary(term),
        }
    }

    fn binary(&mut self, term: Term<'h>) -> Result<Option<u32>, Fault> {
        match term.as_bits() {
            Some(bits) if bits.is_binary() => {
                self.current = Some((term, bits, 0));
                Ok(None)
            }
            _ => Err(Fault::NotChardata),
        }
    }

    fn integer(&mut self, term: Term<'h>, value: i64) -> Result<Option<u32>, Fault> {
        if !self.begun.is_empty() {
            // A character was begun in a binary and cannot end in an integer: that is what is wrong.
            self.bad_integer = Some(term);
            return Err(Fault::Invalid);
        }
        let valid = match self.encoding {
            Encoding::Latin1 => (0..256).contains(&value),
            _ => u32::try_from(value).ok().and_then(char::from_u32).is_some(),
        };
        if valid {
            return Ok(Some(value as u32));
        }
        self.bad_integer = Some(term);
        Err(Fault::Invalid)
    }

    fn peek_byte(&self) -> Option<u8> {
        let (_, bits, at) = self.current?;
        (at < bits.byte_length()).then(|| bits.byte(at))
    }

    fn advance(&mut self) {
        if let Some((_, _, at)) = &mut self.current {
            *at += 1;
        }
    }

    /// Takes the bytes of one character.
    fn decode(&mut self, cx: &mut Cx<'h>, first: u8) -> Result<u32, Fault> {
        if self.begun.is_empty()
            && (self.encoding == Encoding::Latin1 || self.encoding == Encoding::Utf8 && first < 128)
        {
            self.advance();
            return Ok(u32::from(first));
        }
        let before = self.current;
        let begun = self.begun.len();
        while let Some(byte) = self.peek_byte() {
            self.begun.push(byte);
            self.advance();
            match self.encoding.complete(&self.begun) {
                Step::More => {}
                // As in OTP, a character that goes over the end of a binary is judged when it has all its bytes.
                Step::Bad if begun > 0 && self.begun.len() < self.encoding.length(self.begun[0]) => {}
                Step::Done(code_point) => {
                    self.begun.clear();
                    return Ok(code_point);
                }
                Step::Bad => {
                    self.begun.truncate(begun);
                    self.current = before;
                    return Err(Fault::Invalid);
                }
            }
        }
        // The binary ends inside the character; the next one may go on.
        match self.next_binary(cx)? {
            true => match self.peek_byte() {
                Some(byte) => self.decode(cx, byte),
                None => Err(Fault::Incomplete),
            },
            false if matches!(self.encoding.complete(&self.begun), Step::Bad) => Err(Fault::Invalid),
            false => Err(Fault::Incomplete),
        }
    }

    /// Goes on to the next binary with bytes, if that is what comes next.
    fn next_binary(&mut self, cx: &mut Cx<'h>) -> Result<bool, Fault> {
        self.current = None;
        while let Some(term) = self.tails.pop() {
            self.count(cx)?;
            match self.enter(term)? {
                Some(_) => return Err(Fault::Invalid),
                None if self.peek_byte().is_some() => return Ok(true),
                None => {}
            }
        }
        Ok(false)
    }

    /// After a [`Fault`]: what begins with it, in lists as the input had it.
    ///
    /// # Errors
    /// If there is no room for it.
    pub fn rest_of_fault(&self, cx: &mut Cx<'h>) -> BifResult<'h> {
        let piece = match self.current {
            Some((_, _, at)) => Some(self.binary_from(cx, at)?),
            None => self.bad_integer,
        };
        let rest = self.in_lists(cx, piece)?;
        if self.begun.is_empty() {
            return Ok(rest.unwrap_or(Term::NIL));
        }
        let begun = cx.binary(&self.begun)?;
        match rest {
            Some(rest) => Ok(cx.list(&[begun, rest])?),
            None => Ok(begun),
        }
    }

    /// After the character `code_point` was read: what begins with it, in lists as the input had it; an integer stands in a list
    /// of its own.
    ///
    /// # Errors
    /// If there is no room for it.
    pub fn rest_with(&self, cx: &mut Cx<'h>, code_point: u32) -> BifResult<'h> {
        let Some((_, _, at)) = self.current else {
            let integer = code_point_list(cx, &[code_point])?;
            return Ok(self.in_lists(cx, Some(integer))?.unwrap_or(Term::NIL));
        };
        let mut bytes = cx.scratch();
        self.encoding.encode(code_point, &mut bytes)?;
        if let Some(start) = at.checked_sub(bytes.len()) {
            let piece = self.binary_from(cx, start)?;
            return Ok(self.in_lists(cx, Some(piece))?.unwrap_or(Term::NIL));
        }
        // The character began in an earlier binary.
        let character = cx.binary(&bytes)?;
        let piece = self.binary_from(cx, at)?;
        let rest = self.in_lists(cx, Some(piece))?.unwrap_or(Term::NIL);
        Ok(cx.cons(character, rest)?)
    }

    /// The current binary from a byte on.
    fn binary_from(&self, cx: &mut Cx<'h>, at: usize) -> Result<Term<'h>, AllocError> {
        match self.current {
            None => cx.binary(&[]),
            Some((binary, _, _)) if at == 0 => Ok(binary),
            Some((binary, bits, _)) => cx.sub_bits(binary, at * 8, (bits.byte_length() - at) * 8),
        }
    }

    /// The piece in front of the tails still to be read.
    fn in_lists(&self, cx: &mut Cx<'h>, piece: Option<Term<'h>>) -> Result<Option<Term<'h>>, AllocError> {
        let mut rest = piece;
        for tail in self.tails.iter().rev() {
            rest = Some(match rest {
                None => *tail,
                Some(rest) => cx.cons(rest, *tail)?,
            });
        }
        Ok(rest)
    }

    /// What has not been read, as chardata; a binary that ends a list stands for the list.
    ///
    /// # Errors
    /// If there is no room for it.
    pub fn rest(&self, cx: &mut Cx<'h>) -> BifResult<'h> {
        let piece = match self.current {
            Some((_, _, at)) => Some(self.binary_from(cx, at)?),
            None => self.bad_integer,
        };
        if !self.begun.is_empty() {
            let begun = cx.binary(&self.begun)?;
            return Ok(match self.in_lists(cx, piece)? {
                None => begun,
                Some(rest) => cx.cons(begun, rest)?,
            });
        }
        let mut rest = piece;
        for tail in self.tails.iter().rev() {
            rest = Some(match rest {
                None => *tail,
                Some(rest) if tail.is_nil() && rest.as_bits().is_some() => rest,
                Some(rest) => cx.cons(rest, *tail)?,
            });
        }
        Ok(rest.unwrap_or(Term::NIL))
    }

    /// The unfinished bytes at the end of the input.
    pub fn unfinished(&self) -> &[u8] {
        &self.begun
    }
}

/// What some bytes of one character come to.
enum Step {
    More,
    Done(u32),
    Bad,
}

impl Encoding {
    /// Bytes of a character that begins with this one.
    fn length(self, first: u8) -> usize {
        match self {
            Encoding::Latin1 => 1,
            Encoding::Utf8 => match first {
                0xF0.. => 4,
                0xE0.. => 3,
                0xC0.. => 2,
                _ => 1,
            },
            Encoding::Utf16 { .. } => 2,
            Encoding::Utf32 { .. } => 4,
        }
    }

    fn complete(self, bytes: &[u8]) -> Step {
        let whole = |code_point: u32| match char::from_u32(code_point) {
            Some(_) => Step::Done(code_point),
            None => Step::Bad,
        };
        let unit = |at: usize, little: bool| {
            let pair = [bytes[at], bytes[at + 1]];
            u32::from(if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) })
        };
        match self {
            Encoding::Latin1 => Step::Done(u32::from(bytes[0])),
            Encoding::Utf8 => match std::str::from_utf8(bytes) {
                Ok(text) => text.chars().next().map_or(Step::More, |c| Step::Done(c as u32)),
                Err(error) if error.error_len().is_none() => Step::More,
                Err(_) => Step::Bad,
            },
            Encoding::Utf16 { little } => match bytes.len() {
                2 => match unit(0, little) {
                    0xD800..0xDC00 => Step::More,
                    unit => whole(unit),
                },
                4 => match unit(2, little) {
                    low @ 0xDC00..0xE000 => {
                        whole(0x10000 + ((unit(0, little) - 0xD800) << 10) + (low - 0xDC00))
                    }
                    _ => Step::Bad,
                },
                _ => Step::More,
            },
            Encoding::Utf32 { little } => match bytes {
                [a, b, c, d] if little => whole(u32::from_le_bytes([*a, *b, *c, *d])),
                [a, b, c, d] => whole(u32::from_be_bytes([*a, *b, *c, *d])),
                _ => Step::More,
            },
        }
    }

    /// Appends a code point; `false` if the encoding has no place for it.
    ///
    /// # Errors
    /// If there is no room.
    pub fn encode(self, code_point: u32, out: &mut Scratch<'_, u8>) -> Result<bool, AllocError> {
        let Some(character) = char::from_u32(code_point) else { return Ok(false) };
        match self {
            Encoding::Latin1 => match u8::try_from(code_point) {
                Ok(byte) => out.push(byte)?,
                Err(_) => return Ok(false),
            },
            Encoding::Utf8 if code_point < 128 => out.push(code_point as u8)?,
            Encoding::Utf8 => out.extend(character.encode_utf8(&mut [0; 4]).as_bytes())?,
            Encoding::Utf16 { little } => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    out.extend(&if little { unit.to_le_bytes() } else { unit.to_be_bytes() })?;
                }
            }
            Encoding::Utf32 { little } => {
                out.extend(&if little { code_point.to_le_bytes() } else { code_point.to_be_bytes() })?;
            }
        }
        Ok(true)
    }
}

/// Characters gathered: text that is paid for.
pub struct Text<'h> {
    text: String,
    charge: Charge<'h>,
}

impl<'h> Text<'h> {
    /// Nothing yet.
    pub fn new(cx: &Cx<'h>) -> Text<'h> {
        Text { text: String::new(), charge: cx.charge_for_scratch() }
    }

    /// Adds a character.
    ///
    /// # Errors
    /// If there is no room.
    #[inline]
    pub fn push(&mut self, character: char) -> Result<(), AllocError> {
        if self.text.capacity() - self.text.len() < character.len_utf8() {
            // A string that grows doubles its room.
            self.charge.cover(2 * self.text.capacity())?;
        }
        self.text.push(character);
        Ok(())
    }

    /// Adds characters.
    ///
    /// # Errors
    /// If there is no room.
    pub fn extend(&mut self, characters: &str) -> Result<(), AllocError> {
        if self.text.capacity() - self.text.len() < characters.len() {
            self.charge.cover((self.text.len() + characters.len()).max(2 * self.text.capacity()))?;
        }
        self.text.push_str(characters);
        Ok(())
    }

    /// The text, no longer paid for: for what is short or given to a job at once.
    pub fn into_string(self) -> String {
        self.text
    }
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// The text of chardata in UTF-8 as far as it is valid, and where and why that ends.
///
/// # Errors
/// If there is no time or room.
pub fn read<'h>(
    cx: &mut Cx<'h>,
    data: Term<'h>,
) -> Result<(Text<'h>, Option<(Fault, Chars<'h>)>), AllocError> {
    let mut chars = Chars::new(data, Encoding::Utf8);
    let mut text = Text::new(cx);
    loop {
        let next = match chars.run(cx, true) {
            Ok(Some(run)) => {
                text.extend(std::str::from_utf8(run).expect("a run is whole characters"))?;
                continue;
            }
            Ok(None) => chars.next(cx),
            Err(fault) => Err(fault),
        };
        match next {
            Ok(Some(code_point)) => match char::from_u32(code_point) {
                Some(character) => text.push(character)?,
                None => return Ok((text, Some((Fault::Invalid, chars)))),
            },
            Ok(None) => return Ok((text, None)),
            Err(Fault::Stopped(error)) => return Err(error),
            Err(fault) => return Ok((text, Some((fault, chars)))),
        }
    }
}

/// The text of chardata, for natives that take names and the like; `None` if it is none.
///
/// # Errors
/// If there is no time or room.
pub fn text<'h>(cx: &mut Cx<'h>, data: Term<'h>) -> Result<Option<String>, AllocError> {
    let (text, fault) = read(cx, data)?;
    Ok(if fault.is_none() { Some(text.into_string()) } else { None })
}

/// A list of code points.
///
/// # Errors
/// If there is no room for it.
pub fn code_point_list<'h>(cx: &mut Cx<'h>, code_points: &[u32]) -> Result<Term<'h>, AllocError> {
    let mut list = Term::NIL;
    for code_point in code_points.iter().rev() {
        let element = cx.int(i64::from(*code_point))?;
        list = cx.cons(element, list)?;
    }
    Ok(list)
}

//! Source files and places in them.
//!
//! All text of one compilation shares one space of positions (`u32`): each file gets a range of it, so a [`Span`] is
//! two numbers and needs no file. Tokens that a macro's *definition* contributed get virtual positions (high bit
//! set), each of which knows its spelling (where the definition wrote it) and its expansion (which use of the macro
//! brought it here). Tokens of a macro's *arguments* keep their own real positions. A span that begins and ends in
//! different worlds is climbed to the innermost use that contains both ends, so every span can be shown in one file.
//!
//! The module does no I/O: callers hand in bytes. Text is UTF-8, or Latin-1 if the file says so in a coding comment
//! on one of its first two lines or if it is not valid UTF-8 (then `decode` says so, for a warning).

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A place in the position space: half open, real or virtual. 8 bytes, `Copy`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The first position.
    pub start: u32,
    /// The position after the last; equal to `start` for a single virtual token.
    pub end: u32,
}

/// Positions at and above this are virtual: indices into the table of expanded tokens.
const VIRTUAL: u32 = 1 << 31;

impl Span {
    /// The span of things that no source wrote.
    pub const NONE: Span = Span { start: 0, end: 0 };

    /// From the start of `self` to the end of `other`, which comes later in the token stream.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end }
    }

    /// The place just before, to insert at.
    pub fn before(self) -> Span {
        Span { start: self.start, end: self.start }
    }

    /// The place just behind, to insert at.
    pub fn behind(self) -> Span {
        Span { start: self.end, end: self.end }
    }

    /// Whether no source wrote this.
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let show = |pos: u32| if pos >= VIRTUAL { format!("v{}", pos - VIRTUAL) } else { pos.to_string() };
        write!(f, "{}..{}", show(self.start), show(self.end))
    }
}

/// The number of a file in [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceId(u32);

/// One decoded source text.
pub struct Source {
    /// The path as it was given: what diagnostics and `?FILE` show.
    pub path: PathBuf,
    /// The decoded text.
    pub text: Arc<str>,
    /// Position of the first byte.
    base: u32,
    /// Byte offsets at which lines start; the first is 0.
    lines: Vec<u32>,
    /// How many bytes before each [`BLOCK`] go on with a character: for columns in long lines. Empty for a text of ASCII.
    continued: Vec<u32>,
    /// `-file(Name, Line)` attributes: from this byte offset's line on, lines are counted from another.
    remaps: Vec<Remap>,
}

struct Remap {
    offset: u32,
    path: PathBuf,
    /// What to add to the physical line to get the claimed one.
    shift: i64,
}

/// Bytes between two counts of [`Source::continued`]: few enough to count over, and the counts are small beside the text.
const BLOCK: usize = 256;

/// Whether a byte of UTF-8 is not the first of its character.
fn goes_on(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// The counts before each block of a text; none for a text of ASCII.
fn continued(text: &str) -> Vec<u32> {
    if text.is_ascii() {
        return Vec::new();
    }
    let mut count = 0;
    let blocks = text.as_bytes().chunks(BLOCK).map(|block| {
        let before = count;
        count += block.iter().filter(|byte| goes_on(**byte)).count() as u32;
        before
    });
    let mut counts: Vec<u32> = blocks.collect();
    counts.push(count);
    counts
}

/// A line and column, both from 1; the column counts code points, as OTP's does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineColumn {
    pub line: u32,
    pub column: u32,
}

/// A use of a macro in the token stream.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    /// The macro's name.
    pub name: crate::Name,
    /// Where it was used: `?NAME` with its arguments; itself virtual if a definition used it.
    pub used_at: Span,
    /// The name in its definition.
    pub defined_at: Span,
}

/// The number of an [`Expansion`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExpansionId(u32);

#[derive(Clone, Copy)]
struct ExpandedToken {
    /// Real position of the text in the definition, or [`Span::NONE`] for predefined macros.
    spelling: Span,
    expansion: ExpansionId,
    /// The last token of the argument that comes before it in the expansion, or [`Span::NONE`]. Forms of the abstract format
    /// tell what follows an argument at the argument's place.
    follows: Span,
}

/// A span resolved for showing: bytes of one file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub source: SourceId,
    /// Byte offsets into [`Source::text`].
    pub start: u32,
    pub end: u32,
}

/// All texts and macro uses of one compilation.
#[derive(Default)]
pub struct Sources {
    files: Vec<Source>,
    next_base: u32,
    tokens: Vec<ExpandedToken>,
    expansions: Vec<Expansion>,
}

/// What [`decode`] made of a file's bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct Decoded {
    pub text: String,
    /// The offset of the first byte that is not UTF-8, if the file did not announce Latin-1 and had to be read so.
    pub invalid_utf8_at: Option<usize>,
}

impl Sources {
    /// No files yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text; `None` if the position space (2 GiB in all) has no room for it.
    pub fn add(&mut self, path: impl Into<PathBuf>, text: impl Into<Arc<str>>) -> Option<SourceId> {
        let text = text.into();
        // Position 0 belongs to `Span::NONE`, and one position after each text to its end of file.
        let base = self.next_base.max(1);
        let end = u32::try_from(text.len()).ok().and_then(|len| base.checked_add(len))?;
        if end >= VIRTUAL - 1 {
            return None;
        }
        let lines = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(at, _)| at as u32 + 1))
            .collect();
        let id = SourceId(self.files.len() as u32);
        let continued = continued(&text);
        self.files.push(Source { path: path.into(), text, base, lines, continued, remaps: Vec::new() });
        self.next_base = end + 1;
        Some(id)
    }

    /// The text behind an id.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.files[id.0 as usize]
    }

    /// All texts, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        self.files.iter().enumerate().map(|(i, file)| (SourceId(i as u32), file))
    }

    /// The span of a byte range of a file.
    pub fn span(&self, id: SourceId, start: usize, end: usize) -> Span {
        let base = self.get(id).base;
        Span { start: base + start as u32, end: base + end as u32 }
    }

    /// Notes a use of a macro.
    pub fn add_expansion(&mut self, name: crate::Name, used_at: Span, defined_at: Span) -> ExpansionId {
        self.expansions.push(Expansion { name, used_at, defined_at });
        ExpansionId(self.expansions.len() as u32 - 1)
    }

    /// The virtual span of a token that a definition wrote at `spelling`; `None` when 2^31 tokens were expanded.
    pub fn add_expanded(&mut self, spelling: Span, expansion: ExpansionId) -> Option<Span> {
        let index = u32::try_from(self.tokens.len()).ok().filter(|&index| index < VIRTUAL - 1)?;
        self.tokens.push(ExpandedToken { spelling, expansion, follows: Span::NONE });
        Some(Span { start: VIRTUAL | index, end: VIRTUAL | index })
    }

    /// Says that an expanded token comes behind an argument that ends with the token at `last`.
    pub fn follow(&mut self, expanded: Span, last: Span) {
        let index = expanded.start.checked_sub(VIRTUAL).map(|index| index as usize);
        if let Some(token) = index.and_then(|index| self.tokens.get_mut(index)) {
            token.follows = last;
        }
    }

    /// Where forms of the abstract format tell a span's first token: what macros brought is at the macro's name, or at the
    /// argument before it.
    pub fn told_place(&self, span: Span) -> Option<Place> {
        let mut position = span.start;
        while let Some(token) = self.token(position) {
            position = match token.follows.is_none() {
                true => self.expansions[token.expansion.0 as usize].used_at.start,
                false => token.follows.start,
            };
        }
        let mut place = self.real_place(Span { start: position, end: position })?;
        let text = &self.get(place.source).text;
        if let Some(rest) = text.get(place.start as usize..).and_then(|rest| rest.strip_prefix('?')) {
            place.start += (1 + rest.len() - rest.trim_start().len()) as u32;
        }
        Some(place)
    }

    /// Name and line that `-file` attributes give to a place.
    pub fn claimed(&self, place: Place) -> (&Path, u32) {
        self.get(place.source).claimed(place.start)
    }

    /// The macro use a span's first token came from, if any: follow `used_at` for the chain outwards.
    pub fn expansion(&self, span: Span) -> Option<Expansion> {
        self.token(span.start).map(|token| self.expansions[token.expansion.0 as usize])
    }

    /// Where to show a span: in a macro's definition if it lies wholly in one, else in the file that wrote it.
    pub fn place(&self, span: Span) -> Option<Place> {
        if let (Some(first), Some(last)) = (self.token(span.start), self.token(span.end))
            && first.expansion == last.expansion
            && !first.spelling.is_none()
            && !last.spelling.is_none()
        {
            let spelled = Span { start: first.spelling.start, end: last.spelling.end };
            return self.real_place(spelled);
        }
        self.common(span).and_then(|span| match self.token(span.start) {
            Some(_) => self.place(span),
            None => self.real_place(span),
        })
    }

    /// The file and bytes that, outside all macros, brought a span here: what line numbers in stack traces mean.
    pub fn outer_place(&self, span: Span) -> Option<Place> {
        let mut start = span.start;
        let mut end = span.end;
        while let Some(token) = self.token(start) {
            start = self.expansions[token.expansion.0 as usize].used_at.start;
        }
        while let Some(token) = self.token(end) {
            end = self.expansions[token.expansion.0 as usize].used_at.end;
        }
        self.real_place(Span { start, end })
    }

    /// The line of a span for stack traces and `?LINE`: outside all macros, `-file` attributes obeyed.
    pub fn line(&self, span: Span) -> u32 {
        self.outer_place(span).map_or(0, |place| self.get(place.source).claimed(place.start).1)
    }

    /// The file name of a span for stack traces and `?FILE`: outside all macros, `-file` attributes obeyed.
    pub fn file(&self, span: Span) -> &Path {
        self.outer_place(span).map_or(Path::new(""), |place| self.get(place.source).claimed(place.start).0)
    }

    /// The file and bytes of a span whose both ends are text that no macro brought.
    pub fn written_place(&self, span: Span) -> Option<Place> {
        match span.start < VIRTUAL && span.end < VIRTUAL && span.end >= span.start {
            true => self.real_place(span),
            false => None,
        }
    }

    /// The place of the operator behind an operand: past white space, comments, and what closes parentheses around the operand.
    pub fn operator_behind(&self, operand: Span) -> Span {
        let behind = operand.behind();
        let Some(place) = self.written_place(behind) else { return behind };
        let text = &self.get(place.source).text.as_bytes()[place.start as usize..];
        let (mut at, mut in_comment) = (0, false);
        while let Some(&byte) = text.get(at) {
            match byte {
                b'\n' => in_comment = false,
                _ if in_comment => {}
                b'%' => in_comment = true,
                b')' => {}
                _ if byte.is_ascii_whitespace() => {}
                _ => return Span { start: behind.start + at as u32, end: behind.start + at as u32 },
            }
            at += 1;
        }
        behind
    }

    /// Whether a span begins a line: nothing stands before it, not even white space.
    pub fn begins_line(&self, span: Span) -> bool {
        self.written_place(span).is_some_and(|place| {
            let text = self.get(place.source).text.as_bytes();
            place.start == 0 || text.get(place.start as usize - 1) == Some(&b'\n')
        })
    }

    /// The column of a span's first byte, from 0.
    pub fn column(&self, span: Span) -> Option<usize> {
        let place = self.written_place(span)?;
        Some(place.start as usize - self.get(place.source).line_start(place.start))
    }

    /// The column, from 0, of the first character in the line of a span; and whether the span begins there.
    pub fn indentation(&self, span: Span) -> Option<(usize, bool)> {
        let place = self.written_place(span)?;
        let source = self.get(place.source);
        let (text, line) = (&source.text, source.line_start(place.start));
        let first = text[line..].find(|c: char| !c.is_whitespace()).map_or(text.len(), |at| line + at);
        Some((first - line, first == place.start as usize))
    }

    /// The text a span covers, for a span in one file.
    pub fn text(&self, span: Span) -> &str {
        self.place(span).map_or("", |place| {
            self.get(place.source).text.get(place.start as usize..place.end as usize).unwrap_or("")
        })
    }

    /// The first line of `span` counts as `line` of a file called `path`, and so on from there.
    pub fn remap(&mut self, span: Span, path: impl Into<PathBuf>, line: i64) {
        let Some(place) = self.outer_place(span) else { return };
        let file = &mut self.files[place.source.0 as usize];
        let physical = i64::from(file.line_column(place.start).line);
        let offset = file.lines[physical as usize - 1];
        file.remaps.push(Remap { offset, path: path.into(), shift: line - physical });
    }

    fn token(&self, pos: u32) -> Option<ExpandedToken> {
        pos.checked_sub(VIRTUAL).and_then(|index| self.tokens.get(index as usize).copied())
    }

    /// Climbs the ends of a span to uses until both lie in one file or one expansion.
    fn common(&self, span: Span) -> Option<Span> {
        let chain = |mut pos: u32, end: bool| {
            let mut chain = vec![(pos, None)];
            while let Some(token) = self.token(pos) {
                let used_at = self.expansions[token.expansion.0 as usize].used_at;
                pos = if end { used_at.end } else { used_at.start };
                if let Some(last) = chain.last_mut() {
                    last.1 = Some(token);
                }
                chain.push((pos, None));
            }
            chain
        };
        let starts = chain(span.start, false);
        let ends = chain(span.end, true);
        for &(start, first) in &starts {
            for &(end, last) in &ends {
                let fits = match (first, last) {
                    (None, None) => true,
                    (Some(a), Some(b)) => {
                        a.expansion == b.expansion && !a.spelling.is_none() && !b.spelling.is_none()
                    }
                    _ => false,
                };
                if fits {
                    return Some(Span { start, end });
                }
            }
        }
        None
    }

    fn real_place(&self, span: Span) -> Option<Place> {
        if span.is_none() {
            return None;
        }
        let index = self.files.partition_point(|file| file.base <= span.start).checked_sub(1)?;
        let file = &self.files[index];
        let len = file.text.len() as u32;
        let start = (span.start - file.base).min(len);
        // A form that begins in one file and ends in another (an include in the middle) is shown from its start on.
        let end = span.end.checked_sub(file.base).map_or(start, |end| end.clamp(start, len));
        Some(Place { source: SourceId(index as u32), start, end })
    }
}

impl Source {
    /// Where the line of a byte offset begins.
    pub fn line_start(&self, offset: u32) -> usize {
        let line = self.lines.partition_point(|&start| start <= offset);
        self.lines[line - 1] as usize
    }

    /// Line and column of a byte offset.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.lines.partition_point(|&start| start <= offset);
        let (start, end) = (self.lines[line - 1], offset.min(self.text.len() as u32));
        let bytes = end.saturating_sub(start);
        let column = bytes - (self.continued_before(end) - self.continued_before(start)) + 1;
        LineColumn { line: line as u32, column }
    }

    /// How many bytes before `offset` go on with a character.
    fn continued_before(&self, offset: u32) -> u32 {
        let block = offset as usize / BLOCK;
        let Some(before) = self.continued.get(block) else { return 0 };
        let rest = &self.text.as_bytes()[block * BLOCK..offset as usize];
        before + rest.iter().filter(|byte| goes_on(**byte)).count() as u32
    }

    /// The byte offset of a line and column, or where the text comes closest to it.
    pub fn offset(&self, line: u32, column: u32) -> u32 {
        let index = (line.max(1) as usize - 1).min(self.lines.len() - 1);
        let start = self.lines[index] as usize;
        let end = self.lines.get(index + 1).map_or(self.text.len(), |&next| next as usize - 1);
        let characters = column.max(1) as usize - 1;
        if self.continued.is_empty() {
            return (start + characters).min(end) as u32;
        }
        let line = self.text.get(start..end).unwrap_or("");
        (start + line.char_indices().nth(characters).map_or(line.len(), |(at, _)| at)) as u32
    }

    /// Name and line that `-file` attributes give to a byte offset.
    fn claimed(&self, offset: u32) -> (&Path, u32) {
        let physical = self.lines.partition_point(|&start| start <= offset) as i64;
        match self.remaps.iter().rev().find(|remap| remap.offset <= offset) {
            Some(remap) => (&remap.path, u32::try_from(physical + remap.shift).unwrap_or(0)),
            None => (&self.path, physical as u32),
        }
    }
}

/// Decodes a source file: UTF-8, or Latin-1 if a coding comment says so or the bytes are not UTF-8.
pub fn decode(bytes: &[u8]) -> Decoded {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let latin1 = || bytes.iter().map(|&byte| char::from(byte)).collect();
    if announces_latin1(bytes) {
        return Decoded { text: latin1(), invalid_utf8_at: None };
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Decoded { text: text.to_owned(), invalid_utf8_at: None },
        Err(error) => Decoded { text: latin1(), invalid_utf8_at: Some(error.valid_up_to()) },
    }
}

/// Whether one of the first two lines is a comment with `coding: latin-1` (or `coding=latin-1`).
fn announces_latin1(bytes: &[u8]) -> bool {
    bytes.split(|&b| b == b'\n').take(2).any(|line| {
        let Some(at) = line.iter().position(|b| !b.is_ascii_whitespace()) else { return false };
        let comment = &line[at..];
        if comment[0] != b'%' {
            return false;
        }
        let lower = comment.to_ascii_lowercase();
        let Some(found) = lower.windows(6).position(|window| window == b"coding") else { return false };
        let rest = &lower[found + 6..];
        let Some((b':' | b'=', rest)) = rest.split_first().map(|(first, rest)| (*first, rest)) else {
            return false;
        };
        rest.trim_ascii_start().starts_with(b"latin-1")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interner;

    #[test]
    fn positions_map_back_to_lines_and_columns() {
        let mut sources = Sources::new();
        let a = sources.add("a.erl", "ab\nçd\n").expect("fits");
        let b = sources.add("b.erl", "xyz").expect("fits");
        let place = sources.place(sources.span(a, 5, 6)).expect("real");
        assert_eq!(place.source, a);
        assert_eq!(sources.get(a).line_column(place.start), LineColumn { line: 2, column: 2 });
        assert_eq!(sources.text(sources.span(b, 1, 3)), "yz");
        assert_eq!(sources.line(sources.span(a, 3, 5)), 2);
    }

    #[test]
    fn columns_of_long_lines_count_characters() {
        let mut sources = Sources::new();
        let line: String = std::iter::repeat_n("aé€😀", 300).collect();
        let text = format!("x\n{line}\n{line}");
        let id = sources.add("long.erl", text.as_str()).expect("fits");
        let source = sources.get(id);
        for (line, start) in [(2, 2), (3, 2 + line.len() + 1)] {
            for (column, (at, _)) in (1..).zip(text[start..].split('\n').next().unwrap_or("").char_indices())
            {
                let offset = (start + at) as u32;
                assert_eq!(source.line_column(offset), LineColumn { line, column });
                assert_eq!(source.offset(line, column), offset);
            }
        }
        assert_eq!(source.line_column(text.len() as u32).column, 1201);
    }

    #[test]
    fn a_span_across_a_macro_border_is_shown_at_the_use() {
        let mut names = Interner::new();
        let mut sources = Sources::new();
        let id = sources.add("m.erl", "-define(M(X), foo + X).\nf(Y) -> ?M(Y).\n").expect("fits");
        let used = sources.span(id, 32, 37);
        let expansion = sources.add_expansion(names.intern("M"), used, sources.span(id, 8, 9));
        let foo = sources.add_expanded(sources.span(id, 14, 17), expansion).expect("fits");
        let argument = sources.span(id, 35, 36);
        assert_eq!(sources.text(foo), "foo");
        assert_eq!(sources.text(foo.to(argument)), "?M(Y");
        assert_eq!(sources.line(foo), 2);
        assert_eq!(sources.text(argument), "Y");
    }

    #[test]
    fn file_attribute_renumbers_the_lines_from_its_own_on() {
        let mut sources = Sources::new();
        let id = sources.add("m.erl", "a\n-file(\"x.yrl\", 10).\nb\nc\n").expect("fits");
        sources.remap(sources.span(id, 2, 21), "x.yrl", 10);
        assert_eq!(sources.line(sources.span(id, 2, 3)), 10);
        assert_eq!(sources.line(sources.span(id, 22, 23)), 11);
        assert_eq!(sources.file(sources.span(id, 24, 25)), Path::new("x.yrl"));
        assert_eq!(sources.line(sources.span(id, 0, 1)), 1);
    }

    #[test]
    fn coding_comments_and_invalid_bytes() {
        assert_eq!(decode("ä".as_bytes()).text, "ä");
        assert_eq!(decode(b"%% -*- coding: latin-1 -*-\n\xE4").text, "%% -*- coding: latin-1 -*-\nä");
        assert_eq!(decode(b"\n%coding=latin-1\n\xE4").invalid_utf8_at, None);
        let fallback = decode(b"ab\xE4");
        assert_eq!((fallback.text.as_str(), fallback.invalid_utf8_at), ("abä", Some(2)));
    }
}

//! Text to tokens as `erl_scan` has them: with places, and on demand with white space and comments between them.
//!
//! The tokens are those of [`crate::token`]; what lies between two of them is cut here. Places count code points.

use super::Location;
use crate::token::{self, Token};
use crate::{Code, Diagnostic, Session};

/// What to keep besides tokens, and where to stop.
#[derive(Clone, Copy, Default, Debug)]
pub struct ScanOptions {
    pub comments: bool,
    pub white_space: bool,
}

/// A token, or what stands between tokens.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Item {
    Token(Token),
    WhiteSpace,
    Comment,
}

/// An item and where it stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Placed {
    pub item: Item,
    pub at: Location,
    /// Byte offsets into the text; behind a dot that ends a form they contain the white space that tells it.
    pub start: usize,
    pub end: usize,
}

/// Why a text is no sequence of tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A string or quoted atom that does not end: its quote, and how it begins.
    Unterminated(char, String),
    /// A character that does not end.
    UnterminatedCharacter,
    /// No base of integers.
    Base(u64),
    /// No such character, integer, float, atom, var or sigil.
    Illegal(&'static str),
}

/// A fault in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScanFault {
    pub reason: Reason,
    pub at: Location,
    pub end: Location,
}

/// What a text is cut into.
pub struct Scanned {
    /// Whose names the tokens have.
    pub session: Session,
    pub items: Vec<Placed>,
    /// Where the text ends.
    pub end: Location,
}

/// How many characters of an unterminated text are told.
const SHOWN: usize = 16;

/// Cuts a text that begins at `start`.
///
/// # Errors
/// The first fault.
pub fn scan(text: &str, start: Location, options: ScanOptions) -> Result<Scanned, ScanFault> {
    let mut session = Session::new();
    let mut cursor = Cursor { text, offset: 0, at: start };
    let Some(source) = session.sources.add("", text) else {
        return Err(ScanFault { reason: Reason::Illegal("character"), at: start, end: start });
    };
    let base = session.sources.span(source, 0, 0).start;
    let lexed = token::lex(&mut session, source);
    let mut items = Vec::with_capacity(lexed.tokens.len());
    for spanned in &lexed.tokens {
        let (first, last) = ((spanned.span.start - base) as usize, (spanned.span.end - base) as usize);
        if let Token::Error(index) = spanned.token {
            let fault = &lexed.errors[index as usize];
            // What stands before a fault is cut already when it is found.
            let ready = cursor.gap(first, options, &mut items);
            return Err(ready.err().unwrap_or_else(|| cursor.fault(fault, base, first)));
        }
        cursor.gap(first, options, &mut items)?;
        let at = cursor.at;
        let mut end = last;
        if spanned.token == Token::Dot {
            let next = text[last..].chars().next();
            end += next.filter(|c| is_white(*c)).map_or(0, char::len_utf8);
        }
        cursor.advance(end);
        items.push(Placed { item: Item::Token(spanned.token), at, start: first, end });
    }
    cursor.gap(text.len(), options, &mut items)?;
    Ok(Scanned { session, items, end: cursor.at })
}

fn is_white(c: char) -> bool {
    matches!(c, '\u{0}'..=' ' | '\u{80}'..='\u{A0}')
}

/// A place in the text.
#[derive(Clone, Copy)]
struct Cursor<'t> {
    text: &'t str,
    offset: usize,
    at: Location,
}

impl Cursor<'_> {
    fn advance(&mut self, to: usize) {
        for c in self.text.get(self.offset..to).unwrap_or("").chars() {
            if c == '\n' {
                self.at = Location { line: self.at.line + 1, column: 1 };
            } else {
                self.at.column += 1;
            }
        }
        self.offset = to;
    }

    fn location(mut self, offset: usize) -> Location {
        self.advance(offset);
        self.at
    }

    /// What stands before `to`: white space and comments.
    fn gap(&mut self, to: usize, options: ScanOptions, items: &mut Vec<Placed>) -> Result<(), ScanFault> {
        // A dot's white space may reach into the gap.
        while self.offset < to {
            let gap = &self.text[self.offset..to];
            let is_comment = gap.starts_with('%');
            let length = if is_comment { gap.find('\n').unwrap_or(gap.len()) } else { white_length(gap) };
            let (start, at) = (self.offset, self.at);
            if is_comment && let Some(bad) = gap[..length].find(['\u{FFFE}', '\u{FFFF}']) {
                let end = self.location(start + bad);
                return Err(ScanFault { reason: Reason::Illegal("character"), at, end });
            }
            self.advance(start + length);
            let (kept, item) = match is_comment {
                true => (options.comments, Item::Comment),
                false => (options.white_space, Item::WhiteSpace),
            };
            if kept {
                items.push(Placed { item, at, start, end: self.offset });
            }
        }
        Ok(())
    }

    /// A fault of the lexer, whose token begins at `first`, in the words of `erl_scan`.
    fn fault(&self, fault: &Diagnostic, base: u32, first: usize) -> ScanFault {
        let (start, end) = ((fault.span.start - base) as usize, (fault.span.end - base) as usize);
        let token = &self.text[first..];
        let quote = token.chars().next().unwrap_or(' ');
        let place = |offset: usize| self.location(offset.min(self.text.len()));
        let illegal = |what| ScanFault { reason: Reason::Illegal(what), at: place(start), end: place(end) };
        match fault.code {
            Code::Unterminated | Code::IllegalEscape if quote == '$' && end >= self.text.len() => {
                let end = place(self.text.len());
                ScanFault { reason: Reason::UnterminatedCharacter, at: place(first), end }
            }
            Code::Unterminated => {
                let text = token::text::unescaped(&token[quote.len_utf8()..]);
                let head = text.chars().take(SHOWN).collect();
                let reason = Reason::Unterminated(quote, head);
                ScanFault { reason, at: place(first), end: place(self.text.len()) }
            }
            Code::IllegalNumber => {
                let digits: String = token.chars().take_while(|c| c.is_ascii_digit() || *c == '_').collect();
                let rest = &token[digits.len()..];
                let base: Option<u64> = digits.replace('_', "").parse().ok();
                match base.filter(|base| rest.starts_with('#') && !(2..=36).contains(base)) {
                    Some(base) => {
                        let end = place(first + digits.len());
                        ScanFault { reason: Reason::Base(base), at: place(first), end }
                    }
                    None if rest.starts_with('.') => illegal("float"),
                    None => illegal("integer"),
                }
            }
            Code::AtomTooLong if quote.is_uppercase() || quote == '_' => illegal("var"),
            Code::AtomTooLong => illegal("atom"),
            Code::IllegalSigil => illegal("sigil"),
            _ => illegal("character"),
        }
    }
}

/// How much of the white space that a text begins with is one token. A newline begins one, and runs of one kind of space are
/// kept together, to some length.
fn white_length(text: &str) -> usize {
    let run = |from: usize, is_part: &dyn Fn(char) -> bool, most: usize| {
        let rest = &text[from..];
        let length = rest.char_indices().find(|(_, c)| !is_part(*c)).map_or(rest.len(), |(at, _)| at);
        from + length.min(most)
    };
    let other = |c: char| is_white(c) && c != '\n';
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(' '), _) => run(0, &|c| c == ' ', 16),
        (Some('\t'), _) => run(0, &|c| c == '\t', 10),
        (Some('\r'), _) => 1,
        (Some('\n'), Some(' ')) => run(1, &|c| c == ' ', 16),
        (Some('\n'), Some('\t')) => run(1, &|c| c == '\t', 10),
        (Some('\n'), Some('\r' | '\u{C}')) => 2,
        (Some('\n'), _) => run(1, &other, usize::MAX),
        (Some(first), _) => run(0, &other, usize::MAX).max(first.len_utf8()),
        (None, _) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_cut_as_otp_cuts_it() {
        // From `erl_scan:string("\n\n  a \t\t\n\r b %c\n", 1, [return])` of OTP 25.
        let options = ScanOptions { comments: true, white_space: true };
        let text = "\n\n  a \t\t\n\r b %c\n";
        let scanned = scan(text, Location { line: 1, column: 1 }, options).unwrap();
        let cut: Vec<&str> = scanned.items.iter().map(|item| &text[item.start..item.end]).collect();
        assert_eq!(cut, ["\n", "\n  ", "a", " ", "\t\t", "\n\r", " ", "b", " ", "%c", "\n"]);
    }
}

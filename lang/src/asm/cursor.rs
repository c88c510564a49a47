//! A place in one line of assembler text.

/// What is wrong with a line.
pub(super) type Wrong = String;

/// Reads a line from left to right.
pub(super) struct Cursor<'t> {
    rest: &'t str,
}

impl<'t> Cursor<'t> {
    /// At the start of `line`.
    pub fn new(line: &'t str) -> Self {
        Cursor { rest: line.trim() }
    }

    /// Steps over `text` if it is next.
    pub fn eat(&mut self, text: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(text) else { return false };
        self.rest = rest.trim_start();
        true
    }

    /// Steps over the word `text` if it is next and no longer word starts so.
    pub fn eat_word(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) if !rest.starts_with(is_word) => {
                self.rest = rest.trim_start();
                true
            }
            _ => false,
        }
    }

    /// Steps over `text`, which must be next.
    pub fn expect(&mut self, text: &str) -> Result<(), Wrong> {
        if self.eat(text) { Ok(()) } else { Err(format!("expected `{text}` before `{}`", self.rest)) }
    }

    /// Whether nothing but a comment is left.
    pub fn at_end(&self) -> bool {
        self.rest.is_empty() || self.rest.starts_with('%')
    }

    /// That nothing but a comment is left.
    pub fn end(&self) -> Result<(), Wrong> {
        if self.at_end() { Ok(()) } else { Err(format!("more than expected: `{}`", self.rest)) }
    }

    /// The next character, not stepped over.
    pub fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// What is left.
    pub fn rest(&self) -> &'t str {
        self.rest
    }

    /// A word: letters, digits, `_` and `@`; empty if none is next.
    pub fn word(&mut self) -> &'t str {
        self.cut(self.rest.find(|next| !is_word(next)))
    }

    /// What comes before the next space or comment.
    pub fn until_space(&mut self) -> &'t str {
        self.cut(self.rest.find([' ', '%']))
    }

    fn cut(&mut self, end: Option<usize>) -> &'t str {
        let (text, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.trim_start();
        text
    }

    /// A number in decimal, or in hexadecimal after `16#`.
    pub fn number<N: TryFrom<i128>>(&mut self) -> Result<N, Wrong> {
        let before = self.rest;
        let negative = self.eat("-");
        let word = self.word();
        let magnitude = if word == "16" && self.eat("#") {
            u64::from_str_radix(self.word(), 16)
        } else {
            word.parse::<u64>()
        };
        let value = magnitude.ok().map(i128::from).map(|value| if negative { -value } else { value });
        value
            .and_then(|value| N::try_from(value).ok())
            .ok_or_else(|| format!("expected a number that fits here before `{before}`"))
    }

    /// `name=` and a number.
    pub fn named<N: TryFrom<i128>>(&mut self, name: &str) -> Result<N, Wrong> {
        self.expect(name)?;
        self.expect("=")?;
        self.number()
    }

    /// Text between two `quote`s, with escapes, as code points (or what else fits `\x{...}`).
    pub fn quoted(&mut self, quote: char) -> Result<Vec<u32>, Wrong> {
        let before = self.rest;
        let open = || format!("no closing quote in `{before}`");
        let mut text = Vec::new();
        let mut chars = self.rest.char_indices();
        if chars.next().is_none_or(|(_, first)| first != quote) {
            return Err(format!("expected {quote} before `{before}`"));
        }
        loop {
            let (at, next) = chars.next().ok_or_else(open)?;
            if next == quote {
                self.rest = self.rest[at + quote.len_utf8()..].trim_start();
                return Ok(text);
            }
            if next != '\\' {
                text.push(u32::from(next));
                continue;
            }
            match chars.next().ok_or_else(open)?.1 {
                'x' => {
                    let digits: String =
                        chars.by_ref().map(|(_, digit)| digit).take_while(|digit| *digit != '}').collect();
                    let point =
                        digits.strip_prefix('{').and_then(|digits| u32::from_str_radix(digits, 16).ok());
                    text.push(point.ok_or_else(|| format!("bad escape in `{before}`"))?);
                }
                'n' => text.push(u32::from('\n')),
                other => text.push(u32::from(other)),
            }
        }
    }

    /// [`Cursor::quoted`] as a string of characters.
    pub fn quoted_text(&mut self, quote: char) -> Result<String, Wrong> {
        let points = self.quoted(quote)?;
        let text: Option<String> = points.into_iter().map(char::from_u32).collect();
        text.ok_or_else(|| "an escape that is no character".to_owned())
    }

    /// Items between commas up to `close`, which is stepped over; what opens the list was.
    pub fn list<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, Wrong>,
    ) -> Result<Vec<T>, Wrong> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(close) {
                return Ok(items);
            }
            self.expect(",")?;
        }
    }
}

fn is_word(next: char) -> bool {
    next.is_alphanumeric() || next == '_' || next == '@'
}

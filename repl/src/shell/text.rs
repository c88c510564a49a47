//! Where statements end: text as it is typed, cut at the full stops.
//!
//! A [`Scanner`] reads text piece by piece and keeps where it is (in a string, a comment, behind a full stop), so that a paste of
//! many megabytes, line by line, costs one pass. It knows only what is needed to tell a full stop from a dot: the lexer judges
//! everything else later. What lies in the brackets is counted for the line editor's sake.

/// Where the reader stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Between tokens or in one.
    Code,
    /// Behind `%`.
    Comment,
    /// In a string or quoted atom that this byte ends; a verbatim one has no escapes.
    Quoted { end: u8, verbatim: bool, escaped: bool },
    /// Behind so many quotation marks that begin a string.
    Quotes(usize),
    /// In a string of several lines that so many quotation marks end; `seen` of them were read at a line's beginning.
    Block { quotes: usize, seen: Option<usize> },
    /// Behind `$`, or behind `$\`.
    Character { escaped: bool },
    /// Behind a dot: white space makes it a full stop.
    Dot,
    /// Behind `~` and letters: a sigil; capitals are verbatim.
    Sigil { verbatim: bool },
}

/// Reads text piece by piece and finds the full stops.
#[derive(Clone, Debug)]
pub struct Scanner {
    state: State,
    before: u8,
    open: Vec<u8>,
    /// Whether anything but white space and comments came.
    some: bool,
}

impl Default for Scanner {
    fn default() -> Scanner {
        Scanner { state: State::Code, before: b' ', open: Vec::new(), some: false }
    }
}

impl Scanner {
    /// Whether nothing but white space and comments came so far.
    pub fn is_blank(&self) -> bool {
        !self.some
    }

    /// The brackets that are open, as the bytes that close them.
    pub fn open_brackets(&self) -> &[u8] {
        &self.open
    }

    /// Whether the text read so far ends inside a string or quoted atom.
    pub fn is_in_quotes(&self) -> bool {
        matches!(self.state, State::Quoted { .. } | State::Quotes(_) | State::Block { .. })
    }

    /// Whether the text read so far ends inside a string that holds a file name, if any does.
    pub fn is_in_string(&self) -> bool {
        matches!(self.state, State::Quoted { end: b'"', .. } | State::Quotes(1))
    }

    /// Whether the text read so far ends inside a comment.
    pub fn is_in_comment(&self) -> bool {
        self.state == State::Comment
    }

    /// Reads on; the length of the statement, if a full stop was found: up to the white space or comment that proves it.
    pub fn read(&mut self, text: &[u8]) -> Option<usize> {
        for (i, &byte) in text.iter().enumerate() {
            if self.step(byte) {
                // A comment is left to the next statement, to be read from its beginning.
                return Some(if byte == b'%' { i } else { i + 1 });
            }
        }
        None
    }

    /// Whether the text that ends here ends in a full stop.
    pub fn ends_statement(&self) -> bool {
        self.state == State::Dot
    }

    /// Takes a byte; whether it proves the dot before it a full stop.
    fn step(&mut self, byte: u8) -> bool {
        let before = std::mem::replace(&mut self.before, byte);
        match self.state {
            State::Code => self.code(byte, before),
            State::Dot if byte.is_ascii_whitespace() || byte == b'%' => return true,
            State::Dot => {
                self.state = State::Code;
                self.code(byte, before);
            }
            State::Comment if byte == b'\n' => self.state = State::Code,
            State::Comment => {}
            State::Quoted { end, verbatim, escaped } => {
                self.state = match byte {
                    _ if escaped => State::Quoted { end, verbatim, escaped: false },
                    b'\\' if !verbatim => State::Quoted { end, verbatim, escaped: true },
                    _ if byte == end => State::Code,
                    _ => self.state,
                }
            }
            State::Quotes(count) => self.quotes(byte, count),
            State::Block { quotes, seen } => {
                let seen = match (byte, seen) {
                    (b'\n', _) => Some(0),
                    (b'"', Some(seen)) if seen + 1 == quotes => {
                        self.state = State::Code;
                        return false;
                    }
                    (b'"', Some(seen)) => Some(seen + 1),
                    (b' ' | b'\t', Some(0)) => Some(0),
                    _ => None,
                };
                self.state = State::Block { quotes, seen };
            }
            State::Character { escaped: false } if byte == b'\\' => {
                self.state = State::Character { escaped: true };
            }
            State::Character { .. } => self.state = State::Code,
            State::Sigil { verbatim } => self.sigil(byte, verbatim),
        }
        false
    }

    fn quotes(&mut self, byte: u8, count: usize) {
        match (byte, count) {
            (b'"', _) => self.state = State::Quotes(count + 1),
            (_, 1) => {
                self.state = State::Quoted { end: b'"', verbatim: false, escaped: byte == b'\\' };
            }
            (_, 2) => {
                self.state = State::Code;
                self.code(byte, b'"');
            }
            _ => self.state = State::Block { quotes: count, seen: (byte == b'\n').then_some(0) },
        }
    }

    fn sigil(&mut self, byte: u8, verbatim: bool) {
        let quoted = |end| State::Quoted { end, verbatim, escaped: false };
        self.state = match byte {
            b's' | b'b' => self.state,
            b'S' | b'B' => State::Sigil { verbatim: true },
            b'(' => quoted(b')'),
            b'[' => quoted(b']'),
            b'{' => quoted(b'}'),
            b'<' => quoted(b'>'),
            b'"' => State::Quotes(1),
            b'/' | b'|' | b'\'' | b'`' | b'#' => quoted(byte),
            _ => {
                self.state = State::Code;
                return self.code(byte, b'~');
            }
        };
    }

    fn code(&mut self, byte: u8, before: u8) {
        self.some |= !byte.is_ascii_whitespace() && byte != b'%';
        match byte {
            b'%' => self.state = State::Comment,
            b'"' => self.state = State::Quotes(1),
            b'\'' => self.state = State::Quoted { end: b'\'', verbatim: false, escaped: false },
            b'$' => self.state = State::Character { escaped: false },
            b'~' => self.state = State::Sigil { verbatim: false },
            // `..` and `...` are tokens of their own.
            b'.' if before != b'.' => self.state = State::Dot,
            b'(' => self.open.push(b')'),
            b'[' => self.open.push(b']'),
            b'{' => self.open.push(b'}'),
            b')' | b']' | b'}' if self.open.last() == Some(&byte) => drop(self.open.pop()),
            _ => {}
        }
    }
}

/// Whether a statement reads as a form of a module: `-attribute(...)`, or function clauses `name(...) ->`.
pub fn looks_like_form(statement: &str) -> bool {
    let text = skip_blank(statement);
    if let Some(rest) = text.strip_prefix('-') {
        // `-spec ...`, `-record(...)`; but `-foo(1)` is a negative number if it is no attribute.
        let word: String =
            rest.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        return ATTRIBUTES.contains(&word.as_str());
    }
    let Some(open) = name_length(text).filter(|&length| text[length..].trim_start().starts_with('(')) else {
        return false;
    };
    // Behind the parameters comes an arrow, or a guard.
    let mut scanner = Scanner::default();
    let mut entered = false;
    for (i, byte) in text.bytes().enumerate().skip(open) {
        scanner.read(&[byte]);
        entered |= !scanner.open_brackets().is_empty();
        if entered && scanner.open_brackets().is_empty() && !scanner.is_in_quotes() {
            let behind = skip_blank(&text[i + 1..]);
            let when = behind.strip_prefix("when").is_some_and(|rest| !rest.starts_with(is_word));
            return behind.starts_with("->") || when;
        }
    }
    false
}

/// Whether a statement is the `-module` line of a module that was pasted.
pub fn begins_module(statement: &str) -> bool {
    let text = skip_blank(statement).strip_prefix('-').map(str::trim_start);
    text.and_then(|text| text.strip_prefix("module")).is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// A directive that changes what macros there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Directive {
    /// `-define(Name, ...)` or `-define(Name(A, ...), ...)`, with the number of parameters.
    Define { name: String, arity: Option<u32> },
    /// `-undef(Name)`.
    Undef { name: String },
}

/// The directive that a statement is, if it is well formed.
pub fn directive(statement: &str) -> Option<Directive> {
    let text = skip_blank(statement).strip_prefix('-')?.trim_start();
    let end = text.find(|c| !is_word(c))?;
    let (word, rest) = text.split_at(end);
    let rest = rest.trim_start().strip_prefix('(')?.trim_start();
    let end = match rest.strip_prefix('\'') {
        Some(quoted) => quoted.find('\'')? + 2,
        None => rest.find(|c| !is_word(c))?,
    };
    let (name, rest) = rest.split_at(end);
    let name = name.trim_matches('\'').to_owned();
    match word {
        "define" => {
            // Parameters are variables: nothing is nested.
            let parameters = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
            let count = |text: &str| if text.trim().is_empty() { 0 } else { text.split(',').count() };
            let arity = parameters.map(|(text, _)| u32::try_from(count(text)).unwrap_or(u32::MAX));
            Some(Directive::Define { name, arity })
        }
        "undef" => Some(Directive::Undef { name }),
        _ => None,
    }
}

/// The attributes that have a meaning at a prompt or in a module that is pasted.
const ATTRIBUTES: &[&str] = &[
    "behavior",
    "behaviour",
    "callback",
    "compile",
    "define",
    "doc",
    "else",
    "endif",
    "export",
    "export_type",
    "file",
    "if",
    "ifdef",
    "ifndef",
    "import",
    "include",
    "include_lib",
    "module",
    "moduledoc",
    "nominal",
    "opaque",
    "optional_callbacks",
    "record",
    "spec",
    "type",
    "undef",
    "vsn",
];

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '@'
}

/// The length of the atom that the text begins with.
fn name_length(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    if first == '\'' {
        return text[1..].find('\'').map(|end| end + 2);
    }
    let name = first.is_lowercase().then(|| text.find(|c| !is_word(c)).unwrap_or(text.len()))?;
    // `fun (X) -> ...` is an expression.
    (!matches!(&text[..name], "fun" | "if" | "case" | "begin" | "receive" | "try" | "catch" | "maybe"))
        .then_some(name)
}

/// The text without the white space and comments at its beginning.
fn skip_blank(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with('%') {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text cut at its full stops, and whether the last piece is complete.
    fn cut(text: &str) -> (Vec<String>, bool) {
        let mut pieces = Vec::new();
        let mut rest = text.as_bytes();
        loop {
            let mut scanner = Scanner::default();
            match scanner.read(rest) {
                Some(end) => {
                    pieces.push(String::from_utf8_lossy(&rest[..end]).trim().to_owned());
                    rest = &rest[end..];
                }
                None => {
                    let complete = scanner.is_blank() || scanner.ends_statement();
                    pieces.push(String::from_utf8_lossy(rest).trim().to_owned());
                    return (pieces, complete);
                }
            }
        }
    }

    #[test]
    fn a_full_stop_is_a_dot_before_white_space() {
        assert_eq!(cut("A = 1. B = 2.\n").0, ["A = 1.", "B = 2.", ""]);
        assert_eq!(cut("1.5 + X#r.a.").0, ["1.5 + X#r.a."]);
        assert!(cut("1.").1);
        assert!(!cut("1").1);
        assert!(!cut("[1|...").1);
    }

    #[test]
    fn dots_in_strings_atoms_characters_and_comments_end_nothing() {
        for text in [
            "\"a. b\".",
            "'a. b'.",
            "$. .",
            "$\\. .",
            "\"\\\". \".",
            "a % b. c\n.",
            "~s(a. \\) b).",
            "~S(a. \\).",
            "\"\"\"\n a. \"b\". \n \"\"\".",
        ] {
            assert_eq!(cut(text).0, [text], "{text}");
            assert!(cut(text).1, "{text}");
        }
        assert!(!cut("\"a. b. ").1);
        assert!(!cut("\"\"\"\n a.\n\"\" . ").1);
        assert_eq!(cut("\"\" . b.").0, ["\"\" .", "b."]);
    }

    #[test]
    fn piece_by_piece_is_as_all_at_once() {
        let text = "X = \"a. \\\" b\", $. , 'c. ' . Y";
        let mut scanner = Scanner::default();
        let ends: Vec<usize> =
            (0..text.len()).filter(|&i| scanner.read(&text.as_bytes()[i..=i]).is_some()).collect();
        assert_eq!(ends, [text.len() - 2]);
    }

    #[test]
    fn forms_are_told_from_expressions() {
        for form in [
            "f(X) -> X.",
            " f ( ) when true -> 1.",
            "% c\n'a b'(\"(\") -> 1.",
            "-record(a, {}).",
            "-spec f() -> ok.",
        ] {
            assert!(looks_like_form(form), "{form}");
        }
        for expr in [
            "f(X).",
            "fun(X) -> X end.",
            "-f(1).",
            "-1.",
            "case f(X) of 1 -> 2 end.",
            "X.",
            "",
            "f",
            "f(\")) ->\").",
        ] {
            assert!(!looks_like_form(expr), "{expr}");
        }
        assert!(begins_module(" % m\n-module(m)."));
        assert!(!begins_module("-moduledoc(\"\")."));
    }

    #[test]
    fn macros_are_known_by_name_and_arity() {
        let define = |name: &str, arity| Some(Directive::Define { name: name.to_owned(), arity });
        assert_eq!(directive("-define(X, 1)."), define("X", None));
        assert_eq!(directive(" % one\n- define ( 'a b' , {1} )."), define("a b", None));
        assert_eq!(directive("-define(F(), 1)."), define("F", Some(0)));
        assert_eq!(directive("-define(f(A, B), A(B))."), define("f", Some(2)));
        assert_eq!(directive("-undef(X)."), Some(Directive::Undef { name: "X".to_owned() }));
        assert_eq!(directive("-record(a, {})."), None);
        assert_eq!(directive("-define"), None);
    }

    #[test]
    fn blank_is_white_space_and_comments() {
        let mut scanner = Scanner::default();
        assert!(scanner.read(b"  % hello. \n \n").is_none());
        assert!(scanner.is_blank());
    }
}

//! Tokens, and the lexer that cuts them from a text.
//!
//! `logos` finds where tokens begin and recognises all fixed ones; strings, quoted atoms, characters, sigils and
//! numbers are scanned by hand from there (`text`), because their errors deserve words. The dot that ends a form is
//! told apart here (what follows decides), never in the grammar.
//!
//! [`lex`] cuts a whole file. What is wrong in it becomes [`Token::Error`] with a diagnostic on the side, to be
//! reported only when the form is used: forms that `-ifdef` leaves out may contain anything.
//!
//! A quote that is never closed would make a string of all the rest: `quote` decides where it was meant to end.
//! Characters that only look like Erlang's are told by `confusable`.
//!
//! Tokens are `Copy`: texts and long integers are interned names, so expanding macros copies 16 bytes a token.

mod confusable;
pub(crate) mod number;
mod quote;
pub(crate) mod text;

use crate::{Code, Diagnostic, Interner, Name, Session, SourceId, Span};
use logos::{Lexer, Logos};

/// The integer behind a [`Token::BigInt`].
pub fn big(text: &str) -> crate::Int {
    number::big(text)
}

/// A token and where it stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spanned {
    pub token: Token,
    pub span: Span,
}

/// What [`lex`] makes of a file.
pub struct Lexed {
    pub tokens: Vec<Spanned>,
    /// What the [`Token::Error`]s say, by their index.
    pub errors: Vec<Diagnostic>,
}

/// Names are limited as in OTP: the external term format counts an atom's characters in a byte.
const MAX_NAME_CHARS: usize = 255;

macro_rules! tokens {
    (
        keywords { $($keyword:ident $keyword_text:literal)* }
        marks { $($mark:ident $mark_text:literal)* }
    ) => {
        /// A token.
        #[derive(Logos, Clone, Copy, PartialEq, Debug)]
        #[logos(extras = State, error = LexError)]
        #[logos(skip r"[\u{0}-\u{20}\u{80}-\u{A0}]+")]
        #[logos(skip(r"%[^\n]*", allow_greedy = true))]
        pub enum Token {
            $(#[token($keyword_text)] $keyword,)*
            $(#[token($mark_text)] $mark,)*

            /// The dot that ends a form.
            #[regex(r"\.", dot)]
            Dot,
            /// The dot in `#record.field`.
            Period,

            #[regex(r"[a-zß-öø-ÿ][0-9A-Z_a-z@À-ÖØ-öø-ÿ]*", name)]
            #[token("'", text::quoted_atom)]
            Atom(Name),
            #[regex(r"[A-Z_À-ÖØ-Þ][0-9A-Z_a-z@À-ÖØ-öø-ÿ]*", name)]
            Var(Name),
            #[token("$", text::character)]
            Char(char),
            #[regex("[0-9]", number::scan)]
            Int(i64),
            /// An integer beyond `i64`: `base#digits` without underscores.
            BigInt(Name),
            Float(f64),
            #[token("\"", text::string)]
            #[regex("\"\"\"+", text::triple_quoted)]
            Str(Name),
            /// `~s` and `~S`: like a string, but not joined with neighbours.
            SigilStr(Name),
            /// `~`, `~b` and `~B`: the UTF-8 bytes of the text as a binary.
            #[token("~", text::sigil)]
            SigilBinary(Name),

            /// A character that means nothing in the language, but may stand in a macro's argument.
            Symbol(char),
            /// Malformed text: an index into [`Lexed::errors`].
            Error(u32),

            /// Stands before the tokens of expressions, so that the grammar needs only one start symbol.
            StartExprs,
            /// `spec` or `callback` after the `-` that begins a form; the token adaptor of the parser makes these.
            SpecWord(Name),
            /// `type`, `opaque` or `nominal` there.
            TypeWord(Name),
            /// `record` there.
            RecordWord,
        }

        impl Token {
            /// The text of keywords and punctuation.
            pub fn fixed_text(self) -> Option<&'static str> {
                match self {
                    $(Self::$keyword => Some($keyword_text),)*
                    $(Self::$mark => Some($mark_text),)*
                    Self::Dot | Self::Period => Some("."),
                    Self::RecordWord => Some("record"),
                    _ => None,
                }
            }

            /// The reserved word or punctuation that is written so; for a plain dot the one in `#record.field`.
            pub fn of_text(text: &str) -> Option<Self> {
                Some(match text {
                    $($keyword_text => Self::$keyword,)*
                    $($mark_text => Self::$mark,)*
                    "." => Self::Period,
                    _ => return None,
                })
            }

            /// Whether it is a reserved word.
            pub fn is_keyword(self) -> bool {
                matches!(self, $(Self::$keyword)|*)
            }
        }
    };
}

tokens! {
    keywords {
        After "after" And "and" Andalso "andalso" Band "band" Begin "begin" Bnot "bnot" Bor "bor" Bsl "bsl" Bsr "bsr"
        Bxor "bxor" Case "case" Catch "catch" Cond "cond" Div "div" Else "else" End "end" Fun "fun" If "if" Let "let"
        Maybe "maybe" Not "not" Of "of" Or "or" Orelse "orelse" Receive "receive" Rem "rem" Try "try" When "when"
        Xor "xor"
    }
    marks {
        LeftParen "(" RightParen ")" LeftBracket "[" RightBracket "]" LeftBrace "{" RightBrace "}"
        LeftBin "<<" RightBin ">>" Comma "," Semicolon ";" Colon ":" DoubleColon "::" Bar "|" DoubleBar "||"
        Hash "#" Question "?" DotDot ".." Ellipsis "..."
        Arrow "->" LeftArrow "<-" StrictLeftArrow "<:-" LeftDoubleArrow "<=" StrictLeftDoubleArrow "<:="
        DoubleAmpersand "&&" FatArrow "=>" ColonEqual ":=" QuestionEqual "?="
        Equal "=" Bang "!" EqualEqual "==" SlashEqual "/=" EqualLess "=<" Less "<" GreaterEqual ">=" Greater ">"
        ExactEqual "=:=" ExactNotEqual "=/=" PlusPlus "++" MinusMinus "--" Plus "+" Minus "-" Star "*" Slash "/"
    }
}

impl Token {
    /// The token as an error message shows it.
    pub fn show(self, names: &Interner) -> String {
        match self {
            Self::Atom(name) | Self::SpecWord(name) | Self::TypeWord(name) => {
                crate::spelling::atom(names.text(name))
            }
            Self::Var(name) => names.text(name).to_owned(),
            Self::Char(c) => crate::spelling::character(c),
            Self::Int(value) => value.to_string(),
            Self::BigInt(name) => number::big(names.text(name)).to_string(),
            Self::Float(value) => crate::spelling::float(value),
            Self::Str(name) => crate::spelling::string(names.text(name)),
            Self::SigilStr(name) => format!("~s{}", crate::spelling::string(names.text(name))),
            Self::SigilBinary(name) => format!("~{}", crate::spelling::string(names.text(name))),
            Self::Symbol(c) => c.to_string(),
            Self::Error(_) => "malformed text".to_owned(),
            Self::StartExprs => "the beginning".to_owned(),
            other => other.fixed_text().unwrap_or("").to_owned(),
        }
    }
}

/// What callbacks share: the session's names, lent for the time of lexing, and the errors so far.
#[derive(Default)]
pub struct State {
    names: Interner,
    errors: Vec<Diagnostic>,
    /// Position of the text's first byte.
    base: u32,
}

impl State {
    /// The token of a fault at bytes `start..end` of the text.
    fn fault(&mut self, code: Code, start: usize, end: usize, title: impl Into<String>) -> Token {
        let span = Span { start: self.base + start as u32, end: self.base + end as u32 };
        self.push(Diagnostic::new(code, span, title))
    }

    fn push(&mut self, diagnostic: Diagnostic) -> Token {
        self.errors.push(diagnostic);
        Token::Error(self.errors.len() as u32 - 1)
    }

    /// A name, if it is not too long.
    fn name(&mut self, text: &str, start: usize, end: usize, token: fn(Name) -> Token) -> Token {
        // No character is more than four bytes, so short texts need no counting.
        if text.len() > MAX_NAME_CHARS && text.chars().count() > MAX_NAME_CHARS {
            let title = format!("a name has at most {MAX_NAME_CHARS} characters");
            return self.fault(Code::AtomTooLong, start, end, title);
        }
        token(self.names.intern(text))
    }
}

/// Why the table matched nothing, or that a callback already knows the token.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum LexError {
    #[default]
    NoMatch,
    /// Another token than the variant the callback is attached to.
    Other(Token),
}

/// Callbacks give the value of their own variant, or another token by way of the error.
type Callback<T> = Result<T, LexError>;

fn name(lexer: &mut Lexer<'_, Token>) -> Callback<Name> {
    let span = lexer.span();
    let text = lexer.slice();
    match lexer.extras.name(text, span.start, span.end, Token::Atom) {
        Token::Atom(name) => Ok(name),
        other => Err(LexError::Other(other)),
    }
}

/// The dot ends a form before white space, a comment or the end of the text.
fn dot(lexer: &mut Lexer<'_, Token>) -> Callback<()> {
    match lexer.remainder().chars().next() {
        None | Some('\u{0}'..=' ' | '\u{80}'..='\u{A0}' | '%') => Ok(()),
        Some(_) => Err(LexError::Other(Token::Period)),
    }
}

/// Cuts a text into tokens, comments and white space left out.
pub fn lex(session: &mut Session, source: SourceId) -> Lexed {
    lex_from(session, source, 0)
}

/// [`lex`] from a byte offset on.
pub fn lex_from(session: &mut Session, source: SourceId, offset: usize) -> Lexed {
    let text = session.sources.get(source).text.clone();
    let origin = session.sources.span(source, 0, 0).start;
    // Source text has about one token for every five bytes.
    let mut lexed = Lexed { tokens: Vec::with_capacity((text.len() - offset) / 5 + 1), errors: Vec::new() };
    let mut from = offset;
    for cuts in 0.. {
        lex_run(session, &text[from..], origin + from as u32, &mut lexed);
        match (cuts < quote::MAX_CUTS).then(|| quote::cut(&mut lexed, &text, origin)).flatten() {
            Some(goes_on) => from = goes_on,
            None => break,
        }
    }
    lexed
}

/// Cuts `text`, whose first byte has the position `base`.
fn lex_run(session: &mut Session, text: &str, base: u32, lexed: &mut Lexed) {
    let names = std::mem::take(&mut session.names);
    let state = State { names, errors: std::mem::take(&mut lexed.errors), base };
    let mut lexer = Token::lexer_with_extras(text, state);
    while let Some(found) = lexer.next() {
        let token = match found {
            Ok(token) => token,
            Err(LexError::Other(token)) => token,
            Err(LexError::NoMatch) => unknown(&mut lexer),
        };
        let span = lexer.span();
        let span = Span { start: base + span.start as u32, end: base + span.end as u32 };
        lexed.tokens.push(Spanned { token, span });
    }
    session.names = lexer.extras.names;
    lexed.errors = lexer.extras.errors;
}

/// Latin-1 characters are tokens to OTP's scanner, which the parser then refuses; others are errors at once.
fn unknown(lexer: &mut Lexer<'_, Token>) -> Token {
    let span = lexer.span();
    let mut chars = lexer.slice().chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if u32::from(c) <= 0xFF => Token::Symbol(c),
        (first, _) => confusable::illegal(lexer, first.unwrap_or('\u{FFFD}'), span),
    }
}

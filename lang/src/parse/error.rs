//! Syntax errors in words.
//!
//! The generated parser knows the terminals it could have gone on with, but not all of them (it may have reduced on
//! the way), so the list is shown only where it is short, and never as complete.

use crate::token::{Spanned, Token};
use crate::{Code, Diagnostic, Interner, Span};
use lalrpop_util::ParseError;

/// More expectations than this help nobody.
const MAX_SHOWN: usize = 3;

/// The diagnostic for an error of the generated parser over `tokens`.
pub(super) fn describe(
    error: &ParseError<u32, Token, ()>,
    tokens: &[Spanned],
    names: &Interner,
) -> Diagnostic {
    let (span, token, expected) = match error {
        ParseError::UnrecognizedToken { token: (start, token, end), expected } => {
            (Span { start: *start, end: *end }, *token, expected.as_slice())
        }
        ParseError::ExtraToken { token: (start, token, end) } => {
            (Span { start: *start, end: *end }, *token, [].as_slice())
        }
        ParseError::UnrecognizedEof { location, expected } => {
            (Span { start: *location, end: *location }, Token::Dot, expected.as_slice())
        }
        ParseError::InvalidToken { location } => {
            (Span { start: *location, end: *location }, Token::Dot, [].as_slice())
        }
        ParseError::User { error: () } => (Span::NONE, Token::Dot, [].as_slice()),
    };
    let title = format!("syntax error before: `{}`", token.show(names));
    let mut diagnostic = Diagnostic::new(Code::Syntax, span, title);
    if let Some(expected) = in_words(expected) {
        diagnostic = diagnostic.label(expected);
    }
    let before = tokens.iter().position(|t| t.span == span).unwrap_or(tokens.len());
    if let Some((open, words)) = unclosed(&tokens[..before], token) {
        diagnostic = diagnostic.also(open, words);
    }
    match hint(tokens, before, token) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// "expected `)` or an expression", if that is short.
fn in_words(expected: &[String]) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    // Types and expressions begin alike, but no type begins with a float.
    let starter = match expected.iter().any(|terminal| terminal == "\"FLOAT\"") {
        true => "an expression",
        false => "a type",
    };
    for terminal in expected {
        let word = word(terminal.trim_matches('"'), starter);
        if !word.is_empty() && !words.contains(&word) {
            words.push(word);
        }
    }
    // What can begin an expression says it all; operators that could go on are no news.
    if words.iter().any(|word| word == starter) {
        words.retain(|word| word == starter || !is_starter(word));
    }
    if words.is_empty() || words.len() > MAX_SHOWN {
        return None;
    }
    let last = words.pop()?;
    Some(match words.is_empty() {
        true => format!("expected {last}"),
        false => format!("expected {} or {last}", words.join(", ")),
    })
}

fn word(terminal: &str, starter: &str) -> String {
    match terminal {
        "INT" => "an integer".to_owned(),
        "ATOM" => "an atom".to_owned(),
        "VAR" => "a variable".to_owned(),
        "CHAR" | "FLOAT" | "STRING" | "SIGIL_STRING" | "SIGIL_BINARY" | "begin" | "case" | "receive"
        | "try" | "maybe" | "catch" => starter.to_owned(),
        "DOT" => "`.`".to_owned(),
        // Made by the adaptor of tokens, or already said.
        "START" | "SPEC" | "TYPE" | "RECORD" | "BIGINT" => String::new(),
        other => format!("`{other}`"),
    }
}

fn is_starter(word: &str) -> bool {
    matches!(
        word,
        "an integer"
            | "an atom"
            | "a variable"
            | "`(`"
            | "`[`"
            | "`{`"
            | "`<<`"
            | "`#`"
            | "`fun`"
            | "`if`"
            | "`not`"
            | "`bnot`"
            | "`+`"
            | "`-`"
    )
}

/// The innermost bracket or keyword that is still open where `found` does not fit: for a closing token the one it
/// cannot close, for a dot and for clause ends the innermost of all.
fn unclosed(before: &[Spanned], found: Token) -> Option<(Span, String)> {
    let mut open: Vec<Spanned> = Vec::new();
    for (at, spanned) in before.iter().enumerate() {
        match spanned.token {
            Token::LeftParen
            | Token::LeftBracket
            | Token::LeftBrace
            | Token::LeftBin
            | Token::Begin
            | Token::Case
            | Token::If
            | Token::Receive
            | Token::Try
            | Token::Maybe => open.push(*spanned),
            Token::Fun if is_fun_expression(&before[at..]) => open.push(*spanned),
            token => {
                if open.last().is_some_and(|last| closes(last.token, token)) {
                    open.pop();
                }
            }
        }
    }
    let last = open.last()?;
    let ends = matches!(
        found,
        Token::Dot
            | Token::RightParen
            | Token::RightBracket
            | Token::RightBrace
            | Token::RightBin
            | Token::End
    );
    if !ends || closes(last.token, found) {
        return None;
    }
    Some((last.span, format!("`{}` opened here is not closed", last.token.fixed_text()?)))
}

fn is_fun_expression(tokens: &[Spanned]) -> bool {
    match tokens.get(1).map(|t| t.token) {
        Some(Token::LeftParen) => true,
        Some(Token::Var(_)) => tokens.get(2).is_some_and(|t| t.token == Token::LeftParen),
        _ => false,
    }
}

fn closes(open: Token, close: Token) -> bool {
    matches!(
        (open, close),
        (Token::LeftParen, Token::RightParen)
            | (Token::LeftBracket, Token::RightBracket)
            | (Token::LeftBrace, Token::RightBrace)
            | (Token::LeftBin, Token::RightBin)
            | (
                Token::Begin
                    | Token::Case
                    | Token::If
                    | Token::Receive
                    | Token::Try
                    | Token::Maybe
                    | Token::Fun,
                Token::End
            )
    )
}

/// Advice for slips that beginners and habits from other languages make.
fn hint(tokens: &[Spanned], at: usize, found: Token) -> Option<String> {
    let previous = at.checked_sub(1).map(|before| tokens[before].token);
    Some(match (previous, found) {
        (Some(Token::Less), Token::Equal) => "less or equal is written `=<`".to_owned(),
        (_, Token::LeftDoubleArrow) => "less or equal is written `=<`".to_owned(),
        (Some(Token::Bang), Token::Equal) => "unequal is written `/=` or `=/=`".to_owned(),
        (Some(Token::Semicolon), Token::Dot) => {
            "the last clause ends with `.`, without `;` before it".to_owned()
        }
        (Some(Token::Comma), Token::Dot) => {
            "the last expression ends with `.`, without `,` before it".to_owned()
        }
        (Some(Token::Semicolon), Token::End) => "the last clause before `end` has no `;`".to_owned(),
        (Some(Token::Comma), Token::End) => "the last expression before `end` has no `,`".to_owned(),
        (Some(Token::End | Token::RightParen), Token::Atom(_) | Token::Var(_)) => {
            "a `,` between expressions, or a `.` after the function, may be missing".to_owned()
        }
        (Some(Token::Minus), Token::Greater) => "an arrow is written `->`, without a space".to_owned(),
        (_, Token::Symbol('\\')) => "a fun is written `fun (X) -> ... end`".to_owned(),
        (_, Token::Else) => {
            "`else` belongs to `maybe`; the last clause of an `if` is `true -> ...`".to_owned()
        }
        _ => return None,
    })
}

//! Syntax errors in words, where no repair is known.
//!
//! The generated parser knows the terminals it could have gone on with, but not all of them (it may have reduced on
//! the way), so the list is shown only where it is short, and never as complete.

use super::repair::Scene;
use crate::{Code, Diagnostic, Session, Span};

/// More expectations than this help nobody.
const MAX_SHOWN: usize = 3;

/// The diagnostic for a token that does not fit.
pub(super) fn describe(scene: &Scene<'_>) -> Diagnostic {
    let (span, token) = scene.found();
    let ends = scene.at + 1 == scene.tokens.len();
    let found = match ends {
        true => "the end of the form".to_owned(),
        false => format!("`{}`", token.show(scene.names)),
    };
    let expected = in_words(scene.expected);
    let title = match (&expected, ends) {
        (Some(expected), _) => format!("expected {expected}, found {found}"),
        (None, true) => "this form is cut off".to_owned(),
        (None, false) => format!("unexpected {found}"),
    };
    let mut diagnostic = Diagnostic::new(Code::Syntax, span, title);
    if let Some((open, words)) = scene.unclosed() {
        diagnostic = diagnostic.also(open, words);
    }
    diagnostic
}

/// "`)` or an expression", if that is short.
pub(super) fn in_words(expected: &[String]) -> Option<String> {
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
        true => last,
        false => format!("{} or {last}", words.join(", ")),
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

/// Whether the rest of the line behind `end` is a comment with a dot at its end: the dot the form lacks.
pub(super) fn ends_in_comment(session: &Session, end: Span) -> bool {
    let Some(place) = session.sources.written_place(end) else { return false };
    let text = &session.sources.get(place.source).text[place.end as usize..];
    let line = text.split('\n').next().unwrap_or("").trim();
    line.starts_with('%') && line.ends_with('.') && !line.starts_with("%%")
}

//! Calls, containers, binaries and blocks that are written differently, or lack a part.

use super::touch;
use crate::parse::repair::{Put, Repair, Scene, is_operator, opens_something};
use crate::token::Token;

/// Calls of functions of other modules, and fields.
pub(super) fn calls(scene: &Scene<'_>) -> Vec<Repair> {
    let at = scene.at;
    let (span, found) = scene.found();
    let called = scene.token(at + 2) == Some(Token::LeftParen);
    match (scene.previous(), found, scene.token(at + 1)) {
        (Some(Token::RightParen), Token::LeftParen, _) => {
            let Some(callee) = callee(scene) else { return Vec::new() };
            let help = "put the call that gives the function in parentheses";
            vec![
                Repair::new("the result of a call is called", span, help)
                    .edit(scene.insert_before(callee, Token::LeftParen))
                    .edit(scene.insert(at, Token::RightParen))
                    .least(1),
            ]
        }
        (Some(Token::Atom(_) | Token::Var(_)), Token::Period | Token::DoubleColon, Some(Token::Atom(_)))
            if called =>
        {
            let text = found.fixed_text().unwrap_or(".");
            let title = format!("`{text}` does not call a function");
            vec![
                Repair::new(title, span, "a function of another module is called with `:`")
                    .edit(scene.replace(at..at + 1, Token::Colon))
                    .least(1),
            ]
        }
        (Some(Token::Var(_) | Token::RightParen), Token::Period, Some(Token::Atom(_))) => {
            let help =
                "a field of a record is read with `X#record.field`, a key of a map with `maps:get(Key, X)`";
            vec![Repair::new("`.` does not read a field here", span, help)]
        }
        (_, Token::Period, Some(Token::Int(_))) => {
            let mut edit = scene.replace(at..at + 2, Token::Period);
            edit.put = vec![Put::Token(Token::Float(0.5))];
            edit.text = format!("0{}", scene.sources.text(edit.span));
            vec![Repair::new("a float begins with a digit", span, "write the zero").edit(edit).least(1)]
        }
        (Some(Token::Atom(module)), Token::Atom(_), Some(Token::LeftParen))
            if crate::lint::is_otp_module(scene.names.text(module)) =>
        {
            let gap = scene.span(at - 1).behind().to(span.before());
            let mut edit = scene.insert(at, Token::Colon);
            edit.span = gap;
            vec![
                Repair::new("missing `:`", gap, "a function of another module is called with `:`")
                    .label("expected `:`")
                    .edit(edit)
                    .least(1),
            ]
        }
        _ => Vec::new(),
    }
}

/// Where the call begins whose closing parenthesis stands just before the place.
fn callee(scene: &Scene<'_>) -> Option<usize> {
    let mut depth = 0_u32;
    let open = (0..scene.at).rev().find(|&at| match scene.tokens[at].token {
        Token::RightParen => {
            depth += 1;
            false
        }
        Token::LeftParen => {
            depth -= 1;
            depth == 0
        }
        _ => false,
    })?;
    let name = open.checked_sub(1)?;
    if !matches!(scene.token(name)?, Token::Atom(_) | Token::Var(_)) || name == 0 {
        return None;
    }
    match scene.token(name - 1)? {
        Token::Colon => name.checked_sub(2),
        _ => Some(name),
    }
}

/// Maps, records and comprehensions.
pub(super) fn containers(scene: &Scene<'_>) -> Vec<Repair> {
    let at = scene.at;
    let (span, found) = scene.found();
    let Some(&open) = scene.open.last() else { return Vec::new() };
    let mut repairs = Vec::new();
    match scene.tokens[open].token {
        Token::LeftBrace => {
            let before = open.checked_sub(1).and_then(|before| scene.token(before));
            let before_that = open.checked_sub(2).and_then(|before| scene.token(before));
            let record = matches!(before, Some(Token::Atom(_))) && before_that == Some(Token::Hash);
            if record && matches!(found, Token::FatArrow | Token::Colon | Token::ColonEqual) {
                let text = found.fixed_text().unwrap_or("");
                repairs.push(
                    Repair::new(
                        format!("`{text}` in a record"),
                        span,
                        "the fields of a record are given with `=`",
                    )
                    .edit(scene.replace(at..at + 1, Token::Equal)),
                );
            } else if before == Some(Token::Hash) {
                repairs.extend(association(scene));
            } else if matches!(found, Token::FatArrow | Token::ColonEqual) {
                repairs.push(
                    Repair::new("a map begins with `#{`", scene.span(open), "put a `#` before the brace")
                        .also(span, "keys and values make this a map")
                        .edit(scene.insert_before(open, Token::Hash)),
                );
            }
        }
        Token::LeftBracket | Token::LeftBin
            if matches!(found, Token::LeftArrow | Token::LeftDoubleArrow | Token::StrictLeftArrow) =>
        {
            if let Some(bar) = scene.last_at_depth(Token::Bar) {
                repairs.push(
                    Repair::new(
                        "`|` does not begin generators",
                        scene.span(bar),
                        "a comprehension has `||` before its generators",
                    )
                    .edit(scene.replace(bar..bar + 1, Token::DoubleBar)),
                );
            }
        }
        _ => {}
    }
    repairs
}

/// `#{a = 1}`, `#{a: 1}` and `#{a -> 1}`.
fn association(scene: &Scene<'_>) -> Option<Repair> {
    let (_, found) = scene.found();
    let wrong = match found {
        Token::Arrow => scene.at,
        Token::RightBrace | Token::Comma | Token::FatArrow | Token::Colon => {
            let comma = scene.last_at_depth(Token::Comma).unwrap_or(0);
            let marks = [Token::Equal, Token::Colon].into_iter().filter_map(|mark| scene.last_at_depth(mark));
            marks.filter(|&mark| mark > comma).min()?
        }
        _ => return None,
    };
    let text = scene.tokens[wrong].token.fixed_text()?;
    let title = format!("`{text}` in a map");
    Some(
        Repair::new(title, scene.span(wrong), "keys are associated with values by `=>`")
            .edit(scene.replace_with(
                wrong..wrong + 1,
                vec![Put::Token(Token::FatArrow)],
                pad(scene, wrong, "=>"),
            ))
            .least(1),
    )
}

/// The text with spaces where the token it replaces touches its neighbours.
fn pad(scene: &Scene<'_>, at: usize, text: &str) -> String {
    let left = if at > 0 && touch(scene, at - 1) { " " } else { "" };
    let right = if touch(scene, at) { " " } else { "" };
    format!("{left}{text}{right}")
}

/// Expressions in segments of binaries.
pub(super) fn segments(scene: &Scene<'_>) -> Vec<Repair> {
    let (span, found) = scene.found();
    let Some(&open) = scene.open.last() else { return Vec::new() };
    if scene.tokens[open].token != Token::LeftBin || !is_operator(found) || found == Token::LeftArrow {
        return Vec::new();
    }
    let comma = scene.last_at_depth(Token::Comma).unwrap_or(open);
    let colon = scene.last_at_depth(Token::Colon).filter(|&colon| colon > comma);
    let from = colon.unwrap_or(comma) + 1;
    let mut depth = 0_u32;
    let end = (scene.at..scene.tokens.len()).find(|&at| {
        let token = scene.tokens[at].token;
        if opens_something(token) {
            depth += 1;
        } else if matches!(
            token,
            Token::RightParen | Token::RightBracket | Token::RightBrace | Token::RightBin
        ) {
            if depth == 0 {
                return true;
            }
            depth -= 1;
        }
        let mark = matches!(token, Token::Comma | Token::Colon | Token::Slash | Token::Dot);
        depth == 0 && mark
    });
    let Some(to) = end.filter(|&to| to > scene.at + 1) else { return Vec::new() };
    let what = if colon.is_some() { "a size" } else { "a segment" };
    let operator = found.fixed_text().unwrap_or("");
    vec![
        Repair::new(
            format!("`{operator}` in {what} of a binary"),
            span,
            format!("an expression as {what} stands in parentheses"),
        )
        .edit(scene.insert_before(from, Token::LeftParen))
        .edit(scene.insert(to, Token::RightParen)),
    ]
}

/// `case`, `if`, `try` ... that lack a part.
pub(super) fn blocks(scene: &Scene<'_>) -> Vec<Repair> {
    let (span, found) = scene.found();
    let Some(&open) = scene.open.last() else { return Vec::new() };
    let block = scene.tokens[open].token;
    let at_start = scene.at == open + 1;
    let lacks = |title: &str, help: &str| {
        let word = block.fixed_text().unwrap_or("");
        vec![Repair::new(title, scene.span(open), help).also(span, format!("this ends the `{word}`"))]
    };
    match (block, found, scene.previous()) {
        (Token::Try, Token::End, _) => lacks(
            "a `try` without `catch` or `after`",
            "add `catch Class:Reason -> ...`; `begin ... end` only groups expressions",
        ),
        (Token::Case, Token::End, Some(Token::Of)) => {
            lacks("a `case` without clauses", "add a clause `Pattern -> ...`")
        }
        (Token::If, Token::End, _) if at_start => {
            lacks("an `if` without clauses", "add a clause `Test -> ...`")
        }
        (Token::Begin, Token::End, _) if at_start => lacks("an empty `begin`", "put an expression into it"),
        (Token::Receive, Token::End, _) if at_start => {
            lacks("a `receive` without clauses", "add a clause `Pattern -> ...`, or `after Time -> ...`")
        }
        _ => Vec::new(),
    }
}

/// Text that a quote or a character outside of it has broken.
pub(super) fn text(scene: &Scene<'_>) -> Vec<Repair> {
    let (span, found) = scene.found();
    match (scene.previous(), found) {
        (Some(Token::Str(_)), Token::Atom(_) | Token::Var(_) | Token::Int(_))
            if touch(scene, scene.at - 1) =>
        {
            let help = "a quote inside of a string is written `\\\"`";
            vec![
                Repair::new("a string ends just before this", span, help)
                    .also(scene.span(scene.at - 1), "this one"),
            ]
        }
        (Some(Token::Int(_) | Token::Float(_)), Token::Int(_) | Token::Atom(_) | Token::Var(_))
            if touch(scene, scene.at - 1) =>
        {
            let number = scene.span(scene.at - 1);
            let help = "digits other than 0 to 9 need a base, as in `16#FF`, which must have them all";
            vec![Repair::new("a number ends just before this", span, help).also(number, "this one")]
        }
        (_, Token::Symbol(c)) => {
            vec![Repair::new(format!("`{c}` has no meaning in Erlang"), span, "")]
        }
        _ => Vec::new(),
    }
}

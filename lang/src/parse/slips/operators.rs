//! Operators of other languages.

use super::{begins_expression, touch};
use crate::parse::repair::{Put, Repair, Scene};
use crate::token::Token;

/// An operator that is written differently.
fn operator(scene: &Scene<'_>, from: usize, to: usize, token: Token, meaning: &str) -> Repair {
    let span = scene.span(from).to(scene.span(to - 1));
    let wrong = scene.sources.text(span).to_owned();
    let right = token.fixed_text().unwrap_or("");
    Repair::new(format!("`{wrong}` is not an operator"), span, format!("{meaning} is written `{right}`"))
        .edit(scene.replace(from..to, token))
        .least(1)
}

pub(super) fn operators(scene: &Scene<'_>) -> Vec<Repair> {
    let at = scene.at;
    let (span, found) = scene.found();
    let previous = scene.previous();
    let next = scene.token(at + 1);
    let joined = at > 0 && touch(scene, at - 1);
    let one = |token, meaning| vec![operator(scene, at, at + 1, token, meaning)];
    let two = |token, meaning| vec![operator(scene, at - 1, at + 1, token, meaning)];
    match (previous, found) {
        (_, Token::LeftDoubleArrow) => one(Token::EqualLess, "less or equal"),
        (Some(Token::Less), Token::Equal) => two(Token::EqualLess, "less or equal"),
        (Some(Token::EqualLess), Token::Less) if joined => {
            let both = scene.span(at - 1).to(span);
            let edit = scene.replace_with(
                at - 1..at + 1,
                vec![Put::Token(Token::Equal), Put::Token(Token::LeftBin)],
                "= <<".to_owned(),
            );
            let repair =
                Repair::new("`=<<` is read as `=<` and `<`", both, "put a space between `=` and `<<`");
            vec![repair.edit(edit).least(1)]
        }
        (_, Token::FatArrow) if !in_braces(scene) => {
            vec![
                operator(scene, at, at + 1, Token::GreaterEqual, "greater or equal").least(2),
                Repair::new("`=>` does not begin a body", span, "a body begins with `->`")
                    .edit(scene.replace(at..at + 1, Token::Arrow)),
            ]
        }
        (Some(Token::Equal), Token::Greater) => two(Token::GreaterEqual, "greater or equal"),
        (Some(Token::Bang), Token::Equal) => two(Token::SlashEqual, "unequal"),
        (Some(Token::Bang), Token::EqualEqual) => two(Token::ExactNotEqual, "exactly unequal"),
        (Some(Token::Less), Token::Greater) if joined => two(Token::SlashEqual, "unequal"),
        (Some(Token::EqualEqual), Token::Equal) if joined => two(Token::ExactEqual, "exactly equal"),
        (_, Token::Bang) => {
            vec![
                Repair::new("`!` does not negate", span, "a condition is negated with `not`")
                    .edit(scene.replace_with(at..at + 1, vec![Put::Token(Token::Not)], "not ".to_owned())),
            ]
        }
        (_, Token::DoubleAmpersand | Token::Symbol('&')) => one(Token::Andalso, "and"),
        (_, Token::DoubleBar) => one(Token::Orelse, "or"),
        (Some(Token::Plus | Token::Minus | Token::Star | Token::Slash), Token::Equal) if joined => {
            let both = scene.span(at - 1).to(span);
            let title = format!("`{}` is not an operator", scene.sources.text(both));
            let help = "a variable never changes: bind the result to a new one, as in `X1 = X + 1`";
            vec![Repair::new(title, both, help)]
        }
        (Some(step @ (Token::PlusPlus | Token::MinusMinus)), _) if !begins_expression(found) => {
            let text = step.fixed_text().unwrap_or("");
            let title = format!("`{text}` does not change a variable");
            let help = format!(
                "a variable never changes: `X {} 1` is a new value; `{text}` works on lists",
                &text[1..]
            );
            vec![Repair::new(title, scene.span(at - 1), help)]
        }
        (Some(Token::Minus), Token::Greater) => vec![
            Repair::new("`- >` is not an arrow", scene.span(at - 1).to(span), "write `->` without a space")
                .edit(scene.replace(at - 1..at + 1, Token::Arrow))
                .least(1),
        ],
        (_, Token::QuestionEqual) => {
            vec![Repair::new("`?=` outside of `maybe`", span, "it stands between `maybe` and `end`")]
        }
        (_, found)
            if is_comparison(found)
                && COMPARISONS
                    .iter()
                    .any(|&op| scene.last_at_depth(op).is_some_and(|found| no_separator(scene, found))) =>
        {
            vec![Repair::new(
                "comparisons do not chain",
                span,
                "join two with `andalso`, as in `A < B andalso B < C`, or put one in parentheses",
            )]
        }
        (_, Token::Symbol('\\')) => {
            vec![Repair::new("unexpected `\\`", span, "a fun is written `fun (X) -> ... end`")]
        }
        (_, Token::Symbol('~')) if next == Some(Token::Equal) => {
            vec![operator(scene, at, at + 2, Token::SlashEqual, "unequal")]
        }
        _ => Vec::new(),
    }
}

const COMPARISONS: &[Token] = &[
    Token::EqualEqual,
    Token::SlashEqual,
    Token::EqualLess,
    Token::Less,
    Token::GreaterEqual,
    Token::Greater,
    Token::ExactEqual,
    Token::ExactNotEqual,
];

fn is_comparison(token: Token) -> bool {
    COMPARISONS.contains(&token)
}

/// Whether nothing ends an expression between a token and the place.
fn no_separator(scene: &Scene<'_>, from: usize) -> bool {
    scene.tokens[from..scene.at].iter().all(|t| {
        !matches!(
            t.token,
            Token::Comma
                | Token::Semicolon
                | Token::Arrow
                | Token::Equal
                | Token::Andalso
                | Token::Orelse
                | Token::When
                | Token::Of
                | Token::Bar
                | Token::DoubleBar
                | Token::LeftArrow
        )
    })
}

/// Whether the innermost bracket is a brace.
fn in_braces(scene: &Scene<'_>) -> bool {
    scene.innermost() == Some(Token::LeftBrace)
}

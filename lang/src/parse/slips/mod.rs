//! What people write who think in another language, or whose fingers are faster than their eyes.
//!
//! Each slip looks at the tokens around the place where the parser stopped. One with a change is believed only if the parser
//! gets on with it; one without is recognised by its tokens alone.

mod expressions;
mod operators;

use super::repair::{Put, Repair, Scene};
use crate::token::Token;
use crate::{Span, spelling};
use expressions::{blocks, calls, containers, segments, text};
use operators::operators;

/// The slips that fit, the most telling first.
pub(super) fn slips(scene: &Scene<'_>) -> Vec<Repair> {
    let found = [
        operators(scene),
        comments(scene),
        foreign_words(scene),
        otherwise(scene),
        heads(scene),
        calls(scene),
        containers(scene),
        segments(scene),
        blocks(scene),
        text(scene),
        reserved(scene),
    ];
    found.into_iter().flatten().collect()
}

/// Whether two tokens touch.
fn touch(scene: &Scene<'_>, left: usize) -> bool {
    scene.span(left).end == scene.span(left + 1).start
}

fn comments(scene: &Scene<'_>) -> Vec<Repair> {
    let at = scene.at;
    let (span, found) = scene.found();
    const TITLE: &str = "comments begin with `%`";
    let hash = [1, 2].into_iter().filter_map(|back| at.checked_sub(back)).find(|&at| {
        let begins = scene.sources.indentation(scene.span(at)).is_some_and(|found| found.1);
        scene.token(at) == Some(Token::Hash) && begins && !touch(scene, at)
    });
    if let Some(hash) = hash {
        return vec![comment(scene, hash, scene.span(hash))];
    }
    match (scene.previous(), found) {
        (_, Token::Slash) if scene.token(at + 1) == Some(Token::Slash) && touch(scene, at) => {
            vec![comment(scene, at, span.to(scene.span(at + 1)))]
        }
        (Some(Token::Slash), Token::Slash) if touch(scene, at - 1) => {
            vec![comment(scene, at - 1, scene.span(at - 1).to(span))]
        }
        (_, Token::Slash) if scene.token(at + 1) == Some(Token::Star) && touch(scene, at) => {
            let marks = span.to(scene.span(at + 1));
            vec![Repair::new(TITLE, marks, "`%` makes the rest of its line a comment; there is no `/* */`")]
        }
        _ => Vec::new(),
    }
}

/// A comment in the style of another language, from a token to the end of its line.
fn comment(scene: &Scene<'_>, from: usize, marks: Span) -> Repair {
    let line = |at: usize| scene.sources.line(scene.span(at));
    let mut to = from;
    while to + 1 < scene.tokens.len() && line(to) == line(from) {
        to += 1;
    }
    let mut edit = scene.delete(from..to.max(from + 1));
    edit.span = marks;
    edit.text = "%%".to_owned();
    Repair::new("comments begin with `%`", marks, "begin the comment with `%`").edit(edit).least(0)
}

fn foreign_words(scene: &Scene<'_>) -> Vec<Repair> {
    let at = scene.at;
    let (span, found) = scene.found();
    let mut repairs = Vec::new();
    let previous = at.checked_sub(1).and_then(|before| scene.word(before));
    match previous {
        Some("return") if begins_expression(found) => {
            let help = "a function returns the value of its last expression; leave it out";
            repairs.push(
                Repair::new("there is no `return`", scene.span(at - 1), help)
                    .edit(scene.delete(at - 1..at))
                    .least(1),
            );
        }
        Some(word @ ("var" | "val" | "const" | "auto")) if matches!(found, Token::Var(_)) => {
            let title = format!("variables are not declared with `{word}`");
            repairs.push(
                Repair::new(title, scene.span(at - 1), "a match `X = ...` binds a variable")
                    .edit(scene.delete(at - 1..at))
                    .least(1),
            );
        }
        Some(word @ ("elif" | "elsif" | "elseif")) => {
            let title = format!("there is no `{word}`");
            repairs.push(
                Repair::new(title, scene.span(at - 1), "an `if` has many clauses, separated by `;`")
                    .edit(scene.delete(at - 1..at))
                    .least(1),
            );
        }
        _ => {}
    }
    if let Some(word @ ("then" | "do")) = scene.word(at) {
        let arrow = Repair::new(format!("`{word}` does not begin a body"), span, "a body begins with `->`")
            .edit(scene.replace(at..at + 1, Token::Arrow));
        let of = Repair::new(format!("`{word}` does not begin clauses"), span, "clauses begin behind `of`")
            .edit(scene.replace(at..at + 1, Token::Of));
        repairs.extend([arrow, of]);
    }
    if found == Token::Let {
        let help = "a match `X = ...` binds a variable";
        repairs.push(
            Repair::new("variables are not declared with `let`", span, help)
                .edit(scene.delete(at..at + 1))
                .least(1),
        );
    }
    if found == Token::LeftBrace
        && scene.previous() == Some(Token::RightParen)
        && let Some(word) = word_before_parentheses(scene)
    {
        repairs.push(match word {
            "while" | "for" | "foreach" | "loop" => Repair::new(
                format!("there is no `{word}`"),
                span,
                "loops are functions that call themselves, comprehensions, or `lists:foreach/2` and its kind",
            ),
            _ => {
                Repair::new("blocks do not stand in braces", span, "a body begins with `->` and is no block")
            }
        });
    }
    repairs
}

/// The word in front of the parentheses that end just before the place.
fn word_before_parentheses<'s>(scene: &Scene<'s>) -> Option<&'s str> {
    let mut depth = 0_u32;
    for at in (0..scene.at).rev() {
        match scene.token(at)? {
            Token::RightParen => depth += 1,
            Token::LeftParen => {
                depth -= 1;
                if depth == 0 {
                    let before = at.checked_sub(1)?;
                    return match scene.token(before)? {
                        Token::If => Some("if"),
                        Token::Case => Some("case"),
                        _ => scene.word(before),
                    };
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// `else` and `else if`.
fn otherwise(scene: &Scene<'_>) -> Vec<Repair> {
    let at = scene.at;
    let (span, found) = scene.found();
    if found != Token::Else {
        return Vec::new();
    }
    let separated = scene.previous() == Some(Token::Semicolon);
    let mark = |text: &str| if separated { text.to_owned() } else { format!("; {text}") };
    let semicolon = || if separated { Vec::new() } else { vec![Put::Token(Token::Semicolon)] };
    if scene.token(at + 1) == Some(Token::If) {
        let both = span.to(scene.span(at + 1));
        let edit = scene.replace_with(at..at + 2, semicolon(), mark("").trim_end().to_owned());
        let help = "an `if` has many clauses, separated by `;`";
        return vec![Repair::new("there is no `else if`", both, help).edit(edit).least(1)];
    }
    let (word, title) = match scene.innermost() {
        Some(Token::If) => ("true", "an `if` has no `else`"),
        Some(Token::Case | Token::Receive) => ("_", "`else` is no pattern"),
        Some(Token::LeftParen | Token::LeftBrace | Token::LeftBracket) => return Vec::new(),
        _ => return vec![Repair::new("`else` belongs to `maybe`", span, "")],
    };
    let mut put = semicolon();
    put.push(match word {
        "true" => Put::Atom(word.to_owned()),
        _ => Put::Token(Token::Var(crate::known::UNDERSCORE)),
    });
    let mut text = mark(word);
    if scene.token(at + 1) != Some(Token::Arrow) {
        put.push(Put::Token(Token::Arrow));
        text.push_str(" ->");
    }
    let help = match word {
        "true" => "its last clause is `true -> ...`",
        _ => "the clause for all other values is `_ -> ...`",
    };
    let edit = scene.replace_with(at..at + 1, put, text);
    vec![Repair::new(title, span, help).edit(edit).least(1)]
}

/// Beginnings of functions and clauses.
fn heads(scene: &Scene<'_>) -> Vec<Repair> {
    let at = scene.at;
    let (span, found) = scene.found();
    let mut repairs = Vec::new();
    match (scene.token(0), at) {
        (Some(Token::Var(name)), 0) if scene.token(1) == Some(Token::LeftParen) => {
            let text = scene.names.text(name);
            let lower = text.to_lowercase();
            let edit = scene.replace_with(0..1, vec![Put::Atom(lower.clone())], spelling::atom(&lower));
            repairs.push(
                Repair::new("the name of a function begins in lower case", span, "write it in lower case")
                    .label("this is a variable")
                    .edit(edit)
                    .least(1),
            );
        }
        (Some(Token::Atom(_)), 1) if found == Token::Arrow => {
            let mut edit = scene.insert(1, Token::LeftParen);
            edit.put.push(Put::Token(Token::RightParen));
            edit.text = "()".to_owned();
            repairs.push(
                Repair::new("a function without parameters has `()`", span, "add the parentheses").edit(edit),
            );
        }
        (Some(Token::Atom(name)), 1) if matches!(found, Token::Atom(_) | Token::Var(_)) => {
            let word = scene.names.text(name);
            if matches!(word, "def" | "defp" | "function" | "func" | "fn" | "sub" | "proc" | "fun" | "public")
            {
                repairs.push(
                    Repair::new(
                        format!("a function does not begin with `{word}`"),
                        scene.span(0),
                        "leave it out",
                    )
                    .label("a function begins with its name")
                    .edit(scene.delete(0..1))
                    .least(1),
                );
            }
        }
        (Some(Token::Atom(name)), _) if is_attribute(scene.names.text(name)) => {
            let word = scene.names.text(name);
            let mut edit = scene.insert_before(0, Token::Minus);
            edit.put.push(Put::Atom(word.to_owned()));
            edit.range = 0..1;
            let title = format!("`{word}` without `-`");
            repairs.push(
                Repair::new(title, scene.span(0), "an attribute begins with `-`")
                    .edit(edit)
                    .least(usize::MAX),
            );
        }
        (Some(Token::Fun), 0) => repairs.push(
            Repair::new("a function does not begin with `fun`", span, "leave it out")
                .label("a function begins with its name")
                .edit(scene.delete(0..1))
                .least(1),
        ),
        _ => {}
    }
    let top = scene.open.is_empty();
    if top && scene.previous() == Some(Token::RightParen) && matches!(found, Token::Equal | Token::Colon) {
        let text = found.fixed_text().unwrap_or("");
        let edit = match found {
            Token::Colon => scene.replace_with(at..at + 1, vec![Put::Token(Token::Arrow)], " ->".to_owned()),
            _ => scene.replace(at..at + 1, Token::Arrow),
        };
        repairs.push(
            Repair::new(format!("`{text}` does not begin a body"), span, "a body begins with `->`")
                .edit(edit),
        );
    }
    if top
        && scene.previous() == Some(Token::Semicolon)
        && found == Token::LeftParen
        && let Some(name) = scene.word(0)
    {
        let name = spelling::atom(name);
        let mut edit = scene.insert_before(at, Token::LeftParen);
        edit.put = vec![Put::Atom(scene.word(0).unwrap_or_default().to_owned())];
        edit.text = name;
        repairs.push(
            Repair::new("a clause without the function's name", span, "each clause begins with the name")
                .edit(edit),
        );
    }
    repairs
}

/// Words that begin attributes, and are hardly names of functions.
fn is_attribute(word: &str) -> bool {
    matches!(
        word,
        "module"
            | "export"
            | "import"
            | "record"
            | "type"
            | "opaque"
            | "spec"
            | "callback"
            | "export_type"
            | "behaviour"
            | "behavior"
            | "include"
            | "include_lib"
            | "define"
            | "compile"
            | "ifdef"
            | "ifndef"
            | "endif"
            | "on_load"
    )
}

/// Reserved words that were meant as atoms.
fn reserved(scene: &Scene<'_>) -> Vec<Repair> {
    let places = [Some(scene.at), scene.at.checked_sub(1)];
    let mut repairs = Vec::new();
    for at in places.into_iter().flatten() {
        let Some(token) = scene.token(at).filter(|token| token.is_keyword()) else { continue };
        let word = token.fixed_text().unwrap_or("");
        // Most of these are where they belong, and something else is missing.
        let least = match token {
            Token::End | Token::Of | Token::After | Token::Catch | Token::When | Token::Fun => usize::MAX,
            _ => 4,
        };
        let help = match token {
            Token::Maybe | Token::Else => {
                "as an atom it stands in quotes; with `-feature(maybe_expr, disable).` above, it needs none"
            }
            _ => "as an atom it stands in quotes",
        };
        let edit = scene.replace_with(at..at + 1, vec![Put::Atom(word.to_owned())], spelling::atom(word));
        repairs.push(
            Repair::new(format!("`{word}` is a reserved word"), scene.span(at), help).edit(edit).least(least),
        );
    }
    repairs
}

fn begins_expression(token: Token) -> bool {
    matches!(
        token,
        Token::Atom(_)
            | Token::Var(_)
            | Token::Int(_)
            | Token::BigInt(_)
            | Token::Float(_)
            | Token::Char(_)
            | Token::Str(_)
            | Token::LeftParen
            | Token::LeftBracket
            | Token::LeftBrace
            | Token::LeftBin
            | Token::Hash
            | Token::Fun
            | Token::Case
            | Token::If
            | Token::Begin
            | Token::Try
            | Token::Receive
            | Token::Maybe
            | Token::Not
            | Token::Minus
    )
}

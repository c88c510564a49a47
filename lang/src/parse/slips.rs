//! What people write who think in another language, or whose fingers are faster than their eyes.
//!
//! Each slip looks at the tokens around the place where the parser stopped. One with a change is believed only if the parser
//! gets on with it; one without is recognised by its tokens alone.

use super::repair::{Put, Repair, Scene, is_operator, opens_something};
use crate::token::Token;
use crate::{Span, spelling};

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

/// An operator that is written differently.
fn operator(scene: &Scene<'_>, from: usize, to: usize, token: Token, meaning: &str) -> Repair {
    let span = scene.span(from).to(scene.span(to - 1));
    let wrong = scene.sources.text(span).to_owned();
    let right = token.fixed_text().unwrap_or("");
    Repair::new(format!("`{wrong}` is not an operator"), span, format!("{meaning} is written `{right}`"))
        .edit(scene.replace(from..to, token))
        .least(1)
}

fn operators(scene: &Scene<'_>) -> Vec<Repair> {
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
    match scene.word(at) {
        Some(word @ ("then" | "do")) => {
            let arrow =
                Repair::new(format!("`{word}` does not begin a body"), span, "a body begins with `->`")
                    .edit(scene.replace(at..at + 1, Token::Arrow));
            let of =
                Repair::new(format!("`{word}` does not begin clauses"), span, "clauses begin behind `of`")
                    .edit(scene.replace(at..at + 1, Token::Of));
            repairs.extend([arrow, of]);
        }
        _ => {}
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

/// Calls of functions of other modules, and fields.
fn calls(scene: &Scene<'_>) -> Vec<Repair> {
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
fn containers(scene: &Scene<'_>) -> Vec<Repair> {
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
fn segments(scene: &Scene<'_>) -> Vec<Repair> {
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
fn blocks(scene: &Scene<'_>) -> Vec<Repair> {
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
fn text(scene: &Scene<'_>) -> Vec<Repair> {
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
        let edit = scene.replace_with(at..at + 1, vec![Put::Atom(word.to_owned())], spelling::atom(word));
        repairs.push(
            Repair::new(
                format!("`{word}` is a reserved word"),
                scene.span(at),
                "as an atom it stands in quotes",
            )
            .edit(edit)
            .least(least),
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

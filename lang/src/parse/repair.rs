//! Finding what is wrong with a form by changing it and parsing it again.
//!
//! A [`Repair`] is a change of a token or two near the place where the parser stopped, with the words to propose it. The
//! first that makes the whole form parse is the diagnosis; failing that, the one that gets farthest, if that is far enough
//! to be no accident. The work is bounded: forms of a session may be tried only so often.

use super::{Attempt, Stop, attempt, error, slips};
use crate::ast::MAX_DEPTH;
use crate::source::Sources;
use crate::token::{Spanned, Token};
use crate::{Code, Diagnostic, Interner, Session, Span};
use std::ops::Range;

/// Tokens that trials of one session may parse in all: a few seconds' work, and far more than the faults anybody reads need.
pub(super) const MAX_TRIED: usize = 4_000_000;

/// A repair that does not mend the whole form must get the parser on by so many tokens.
const LEAST_GAIN: usize = 3;

/// The place where the parser stopped, and what stands around it.
pub(super) struct Scene<'s> {
    pub(super) tokens: &'s [Spanned],
    /// The token that does not fit.
    pub(super) at: usize,
    pub(super) expected: &'s [String],
    pub(super) names: &'s Interner,
    pub(super) sources: &'s Sources,
    /// The brackets and keywords that are open there, innermost last.
    pub(super) open: Vec<usize>,
    /// One whose `end` seems, by the indentation, to be that of another.
    suspect: Option<usize>,
}

/// A change of the tokens.
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) put: Vec<Put>,
    /// The same change of the text.
    pub(super) span: Span,
    pub(super) text: String,
}

/// A token to be put in.
#[derive(Clone)]
pub(super) enum Put {
    Token(Token),
    Atom(String),
}

/// A diagnosis, and the change that shows whether it is right.
pub(super) struct Repair {
    pub(super) title: String,
    pub(super) span: Span,
    pub(super) label: Option<String>,
    pub(super) also: Option<(Span, String)>,
    /// Advice; with edits, what they do.
    pub(super) help: String,
    pub(super) edits: Vec<Edit>,
    /// Whether the edits are shown as a suggestion.
    pub(super) shown: bool,
    /// By how many tokens the edits must get on the parser.
    pub(super) least: usize,
}

impl Repair {
    pub(super) fn new(title: impl Into<String>, span: Span, help: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            span,
            label: None,
            also: None,
            help: help.into(),
            edits: Vec::new(),
            shown: true,
            least: LEAST_GAIN,
        }
    }

    pub(super) fn edit(mut self, edit: Edit) -> Self {
        self.edits.push(edit);
        self
    }

    pub(super) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    pub(super) fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.also = Some((span, text.into()));
        self
    }

    pub(super) fn least(self, least: usize) -> Self {
        Self { least, ..self }
    }

    fn into_diagnostic(self, whole: bool) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(Code::Syntax, self.span, self.title);
        diagnostic.label = self.label;
        diagnostic.labels.extend(self.also);
        if self.edits.is_empty() || !self.shown {
            return match self.help.is_empty() {
                true => diagnostic,
                false => diagnostic.help(self.help),
            };
        }
        let edits = self.edits.into_iter().map(|edit| (edit.span, edit.text)).collect();
        diagnostic.suggest_edits(self.help, edits, whole)
    }
}

/// What is wrong with tokens that the parser refused.
pub(super) fn diagnose(session: &mut Session, tokens: &[Spanned], stop: &Stop) -> Diagnostic {
    let scene = Scene::new(session, tokens, stop);
    let fallback = error::describe(&scene);
    let slips = slips::slips(&scene);
    let others = if scene.lacks_operand() { Vec::new() } else { scene.punctuation() };
    let left = tokens.len() - stop.at;
    for slip in slips {
        let Some(gain) = gain(session, tokens, left, &slip) else { return fallback };
        if slip.edits.is_empty() || gain >= slip.least.min(left) {
            return slip.into_diagnostic(gain >= left);
        }
    }
    let mut best: Option<(usize, Repair)> = None;
    for repair in others {
        let Some(gain) = gain(session, tokens, left, &repair) else { return fallback };
        if gain >= left {
            return repair.into_diagnostic(true);
        }
        if gain >= repair.least && best.as_ref().is_none_or(|(most, _)| gain > *most) {
            best = Some((gain, repair));
        }
    }
    best.map_or(fallback, |(_, repair)| repair.into_diagnostic(false))
}

/// By how many tokens the parser gets on with the repair; `left` or more if to the end. `None` when enough was tried.
fn gain(session: &mut Session, tokens: &[Spanned], left: usize, repair: &Repair) -> Option<usize> {
    if repair.edits.is_empty() {
        return Some(0);
    }
    session.tried += tokens.len();
    if session.tried > MAX_TRIED {
        return None;
    }
    let mut changed = tokens.to_vec();
    for edit in repair.edits.iter().rev() {
        let put: Vec<Spanned> = edit
            .put
            .iter()
            .map(|put| {
                let token = match put {
                    Put::Token(token) => *token,
                    Put::Atom(text) => Token::Atom(session.names.intern(text)),
                };
                Spanned { token, span: edit.span }
            })
            .collect();
        changed.splice(edit.range.clone(), put);
    }
    super::mark_attribute_word(&mut changed);
    let mut scratch = Vec::new();
    Some(match attempt(&mut session.names, &mut scratch, &changed, MAX_DEPTH) {
        Attempt::Parsed(_) | Attempt::Refused => left,
        Attempt::Stopped(stop) => left.saturating_sub(changed.len() - stop.at).min(left - 1),
    })
}

impl<'s> Scene<'s> {
    fn new(session: &'s Session, tokens: &'s [Spanned], stop: &'s Stop) -> Self {
        let (open, suspect) = openers(&session.sources, &tokens[..stop.at]);
        Self {
            tokens,
            at: stop.at,
            expected: &stop.expected,
            names: &session.names,
            sources: &session.sources,
            open,
            suspect,
        }
    }

    /// The token that does not fit.
    pub(super) fn found(&self) -> (Span, Token) {
        let found = self.tokens[self.at];
        (found.span, found.token)
    }

    pub(super) fn token(&self, at: usize) -> Option<Token> {
        self.tokens.get(at).map(|t| t.token)
    }

    pub(super) fn span(&self, at: usize) -> Span {
        self.tokens.get(at).map_or(Span::NONE, |t| t.span)
    }

    /// The token before the one that does not fit.
    pub(super) fn previous(&self) -> Option<Token> {
        self.at.checked_sub(1).and_then(|before| self.token(before))
    }

    /// The text of an atom.
    pub(super) fn word(&self, at: usize) -> Option<&'s str> {
        match self.token(at)? {
            Token::Atom(name) => Some(self.names.text(name)),
            _ => None,
        }
    }

    pub(super) fn innermost(&self) -> Option<Token> {
        self.open.last().map(|&at| self.tokens[at].token)
    }

    fn expects(&self, terminal: &str) -> bool {
        self.expected.iter().any(|known| known.trim_matches('"') == terminal)
    }

    /// The bracket or keyword that is still open where a closing one does not fit.
    pub(super) fn unclosed(&self) -> Option<(Span, String)> {
        let (_, found) = self.found();
        let last = self.tokens[*self.open.last()?];
        let ends = closes_something(found) || found == Token::Dot;
        if !ends || closes(last.token, found) {
            return None;
        }
        Some((last.span, format!("`{}` opened here is not closed", last.token.fixed_text()?)))
    }

    /// Whether what is missing is an expression behind an operator: no punctuation mends that.
    fn lacks_operand(&self) -> bool {
        let (_, found) = self.found();
        let operator = self.previous().is_some_and(|token| is_operator(token) || token == Token::Arrow);
        let ends = closes_something(found) || matches!(found, Token::Dot | Token::Comma | Token::Semicolon);
        let binary = is_operator(found)
            && !matches!(found, Token::Plus | Token::Minus | Token::Not | Token::Bnot | Token::Bang);
        operator && (ends || binary)
    }

    // Edits.

    pub(super) fn insert(&self, at: usize, token: Token) -> Edit {
        let span = match at.checked_sub(1) {
            Some(before) => self.span(before).behind(),
            None => self.span(at).before(),
        };
        let text = token.fixed_text().unwrap_or("").to_owned();
        let word = token.is_keyword() || token == Token::Arrow;
        let text = if word { format!(" {text}") } else { text };
        Edit { range: at..at, put: vec![Put::Token(token)], span, text }
    }

    pub(super) fn insert_before(&self, at: usize, token: Token) -> Edit {
        let text = token.fixed_text().unwrap_or("").to_owned();
        Edit { range: at..at, put: vec![Put::Token(token)], span: self.span(at).before(), text }
    }

    /// Removes tokens, and the white space behind them if something follows in the same line.
    pub(super) fn delete(&self, range: Range<usize>) -> Edit {
        let mut span = self.span(range.start).to(self.span(range.end - 1));
        let next = self.span(range.end);
        let gap = Span { start: span.end, end: next.start };
        let word = self.tokens[range.end - 1].token.fixed_text().is_none()
            || self.tokens[range.end - 1].token.is_keyword();
        if word && next.start > span.end && self.sources.text(gap).chars().all(|c| c == ' ') {
            span.end = next.start;
        }
        Edit { range, put: Vec::new(), span, text: String::new() }
    }

    pub(super) fn replace(&self, range: Range<usize>, token: Token) -> Edit {
        let text = token.fixed_text().unwrap_or("").to_owned();
        self.replace_with(range, vec![Put::Token(token)], text)
    }

    pub(super) fn replace_with(&self, range: Range<usize>, put: Vec<Put>, text: String) -> Edit {
        let span = self.span(range.start).to(self.span(range.end - 1));
        Edit { range, put, span, text }
    }

    // Punctuation.

    /// Additions, removals and replacements of punctuation, the likeliest first.
    fn punctuation(&self) -> Vec<Repair> {
        let mut repairs = Vec::new();
        let (_, found) = self.found();
        let separator = |token: Token| matches!(token, Token::Comma | Token::Semicolon);
        let ends = closes_something(found)
            || separator(found)
            || matches!(
                found,
                Token::Dot | Token::Arrow | Token::After | Token::Catch | Token::Of | Token::Else
            );
        if let Some(previous) = self.previous().filter(|&previous| separator(previous) && ends) {
            repairs.extend(self.surplus(self.at - 1, previous));
        }
        if separator(found) && self.previous().is_some_and(|p| opens_something(p) || separator(p)) {
            repairs.extend(self.surplus(self.at, found));
        }
        repairs.extend(self.closer_in_line(found));
        self.closers(found, &mut repairs);
        self.separators(found, &mut repairs);
        self.replacements(found, &mut repairs);
        if self.at > 0 {
            repairs.extend(self.surplus(self.at, found));
        }
        repairs
    }

    /// A token too many.
    fn surplus(&self, at: usize, token: Token) -> Option<Repair> {
        let text = token.fixed_text()?;
        if token == Token::Dot || at == 0 {
            return None;
        }
        let title = match (token, self.token(at + 1)) {
            (Token::Semicolon, Some(Token::End)) => "`;` before `end`".to_owned(),
            (Token::Comma, Some(Token::End)) => "`,` before `end`".to_owned(),
            _ => format!("unexpected `{text}`"),
        };
        let help = match (token, self.token(at + 1)) {
            (Token::Semicolon, Some(Token::End | Token::Dot)) => {
                "`;` stands between clauses, not behind the last"
            }
            (Token::Comma, Some(Token::End | Token::Dot)) => {
                "`,` stands between expressions, not behind the last"
            }
            _ => "remove it",
        };
        Some(Repair::new(title, self.span(at), help).edit(self.delete(at..at + 1)))
    }

    /// Closing brackets and `end`s that are missing before `found`.
    fn closers(&self, found: Token, repairs: &mut Vec<Repair>) {
        let closed_by_found =
            self.open.iter().rposition(|&open| closes(self.tokens[open].token, found)).map_or(0, |at| at + 1);
        let missing = match closes_something(found) || found == Token::Dot {
            true => &self.open[closed_by_found.min(self.open.len())..],
            // In front of anything else, brackets may be missing, but only the innermost is likely.
            false => &self.open[self.open.len().saturating_sub(1)..],
        };
        let Some(&innermost) = missing.last() else { return };
        let culprit = match self.suspect {
            Some(suspect) if found == Token::Dot => suspect,
            _ => innermost,
        };
        let (Some(open), Some(close)) =
            (self.tokens[culprit].token.fixed_text(), closer(self.tokens[culprit].token))
        else {
            return;
        };
        let close_text = close.fixed_text().unwrap_or("end");
        let behind = self.span(self.at - 1).behind();
        let mut repair = Repair::new(format!("`{open}` is not closed"), behind, String::new())
            .also(self.span(culprit), format!("this `{open}` has no `{close_text}`"));
        repair.label = Some(format!("expected `{close_text}`"));
        repair.help = format!("close it with `{close_text}`");
        // An `end` in front of a bracket may belong far before it.
        let far = close == Token::End && found != Token::Dot;
        if far {
            repair.shown = false;
            repair.help = String::new();
        } else if missing.len() > 1 || culprit != innermost {
            // Where the others end, nobody knows.
            repair.shown = false;
            repair.help = match culprit == innermost {
                true => String::new(),
                false => format!("by the indentation, an `end` below belongs to another than this `{open}`"),
            };
        }
        for &open in missing.iter().rev() {
            if let Some(close) = closer(self.tokens[open].token) {
                repair = repair.edit(self.insert(self.at, close));
            }
        }
        repairs.push(repair);
    }

    /// A bracket that was opened lines before: it was likely to be closed at the end of its line.
    fn closer_in_line(&self, found: Token) -> Option<Repair> {
        let &open = self.open.last()?;
        let (token, span) = (self.tokens[open].token, self.span(open));
        let close = closer(token).filter(|&close| close != Token::End && close != found)?;
        let line = |at: usize| self.sources.line(self.span(at));
        let first = line(open);
        let mut end = open;
        while end < self.at && line(end) == first {
            end += 1;
        }
        // What is indented further than the bracket stands inside of it.
        let inside =
            self.sources.indentation(self.span(end)).map(|found| found.0) > self.sources.column(span);
        if end == self.at || inside {
            return None;
        }
        let ends = |token| matches!(token, Token::Comma | Token::Semicolon | Token::Arrow | Token::Of);
        let at = if ends(self.tokens[end - 1].token) { end - 1 } else { end };
        if at == open + 1 {
            return None;
        }
        let (open_text, close_text) = (token.fixed_text()?, close.fixed_text()?);
        let behind = self.span(at - 1).behind();
        let repair = Repair::new(
            format!("`{open_text}` is not closed"),
            behind,
            format!("close it with `{close_text}`"),
        )
        .label(format!("expected `{close_text}`"))
        .also(span, format!("this `{open_text}` has no `{close_text}`"))
        .least(usize::MAX);
        Some(repair.edit(self.insert(at, close)))
    }

    /// Separators and words that are missing before `found`.
    fn separators(&self, found: Token, repairs: &mut Vec<Repair>) {
        if found == Token::Dot || self.at == 0 {
            return;
        }
        let behind = self.span(self.at - 1).behind();
        let mut missing = |token: Token, help: &str| {
            let text = token.fixed_text().unwrap_or("");
            let repair = Repair::new(format!("missing `{text}`"), behind, help)
                .label(format!("expected `{text}`"))
                .edit(self.insert(self.at, token));
            repairs.push(repair);
        };
        missing(Token::Comma, "expressions and elements are separated by `,`");
        missing(Token::Semicolon, "clauses are separated by `;`");
        missing(Token::Arrow, "a body begins with `->`");
        if self.expects("of") {
            missing(Token::Of, "`of` stands between the expression and its clauses");
        }
        if matches!(self.previous(), Some(Token::Atom(_))) && !matches!(found, Token::Atom(_)) {
            missing(Token::LeftParen, "arguments stand in parentheses");
        }
        if self.expects("::") {
            missing(Token::DoubleColon, "a type is given behind `::`");
        }
        if self.innermost() == Some(Token::LeftBracket) {
            missing(Token::DoubleBar, "a comprehension has `||` before its generators");
        }
    }

    /// One mark for another.
    fn replacements(&self, found: Token, repairs: &mut Vec<Repair>) {
        let mut swap = |at: usize, token: Token, help: &str| {
            let (Some(old), Some(new)) = (self.tokens[at].token.fixed_text(), token.fixed_text()) else {
                return;
            };
            let title = format!("expected `{new}`, found `{old}`");
            repairs.push(Repair::new(title, self.span(at), help).edit(self.replace(at..at + 1, token)));
        };
        const CLAUSES: &str = "clauses are separated by `;`";
        const EXPRESSIONS: &str = "expressions are separated by `,`";
        match found {
            Token::Arrow => {
                if let Some(comma) = self.last_at_depth(Token::Comma) {
                    swap(comma, Token::Semicolon, CLAUSES);
                }
            }
            Token::Comma => swap(self.at, Token::Semicolon, CLAUSES),
            Token::Semicolon => swap(self.at, Token::Comma, EXPRESSIONS),
            Token::Equal => swap(self.at, Token::Arrow, "a body begins with `->`"),
            _ => {}
        }
        if self.previous() == Some(Token::Semicolon) {
            swap(self.at - 1, Token::Comma, EXPRESSIONS);
        }
        if let Some(semicolon) = self.last_at_depth(Token::Semicolon) {
            swap(semicolon, Token::Comma, EXPRESSIONS);
        }
        if closes_something(found)
            && let Some(&open) = self.open.last()
            && let Some(close) = closer(self.tokens[open].token)
            && close != found
            && let (Some(opened), Some(wanted)) = (self.tokens[open].token.fixed_text(), close.fixed_text())
        {
            let title = format!("expected `{wanted}`, found `{}`", found.fixed_text().unwrap_or_default());
            repairs.push(
                Repair::new(title, self.span(self.at), format!("close it with `{wanted}`"))
                    .also(self.span(open), format!("to close this `{opened}`"))
                    .edit(self.replace(self.at..self.at + 1, close)),
            );
        }
    }

    /// The last such token before the place, inside the same brackets and keywords.
    pub(super) fn last_at_depth(&self, wanted: Token) -> Option<usize> {
        let from = self.open.last().map_or(0, |&open| open + 1);
        let mut depth = 0_u32;
        let mut at = self.at;
        while at > from {
            at -= 1;
            let token = self.tokens[at].token;
            if closes_something(token) {
                depth += 1;
            } else if opens_something(token) || token == Token::Fun && is_fun_expression(&self.tokens[at..]) {
                depth = depth.checked_sub(1)?;
            } else if depth == 0 && token == wanted {
                return Some(at);
            }
        }
        None
    }
}

/// The brackets and keywords that stay open, and one whose `end` looks like that of another.
fn openers(sources: &Sources, before: &[Spanned]) -> (Vec<usize>, Option<usize>) {
    let mut open: Vec<usize> = Vec::new();
    let mut suspect = None;
    for (at, spanned) in before.iter().enumerate() {
        let token = spanned.token;
        if opens_something(token) || token == Token::Fun && is_fun_expression(&before[at..]) {
            open.push(at);
        } else if open.last().is_some_and(|&last| closes(before[last].token, token)) {
            let popped = open.pop();
            let column = |at: usize| sources.indentation(before[at].span).map(|found| found.0);
            if token == Token::End
                && suspect.is_none()
                && let (Some(popped), Some((end, true))) = (popped, sources.indentation(spanned.span))
                && column(popped).is_some_and(|begin| begin > end)
                && open.iter().any(|&outer| before[outer].token.is_keyword() && column(outer) == Some(end))
            {
                suspect = Some(popped);
            }
        }
    }
    (open, suspect)
}

/// `fun (`, and `fun Name (`: what an `end` closes.
pub(super) fn is_fun_expression(tokens: &[Spanned]) -> bool {
    match tokens.get(1).map(|t| t.token) {
        Some(Token::LeftParen) => true,
        Some(Token::Var(_)) => tokens.get(2).is_some_and(|t| t.token == Token::LeftParen),
        _ => false,
    }
}

pub(super) fn opens_something(token: Token) -> bool {
    matches!(
        token,
        Token::LeftParen
            | Token::LeftBracket
            | Token::LeftBrace
            | Token::LeftBin
            | Token::Begin
            | Token::Case
            | Token::If
            | Token::Receive
            | Token::Try
            | Token::Maybe
    )
}

pub(super) fn closes_something(token: Token) -> bool {
    matches!(
        token,
        Token::RightParen | Token::RightBracket | Token::RightBrace | Token::RightBin | Token::End
    )
}

fn closer(open: Token) -> Option<Token> {
    Some(match open {
        Token::LeftParen => Token::RightParen,
        Token::LeftBracket => Token::RightBracket,
        Token::LeftBrace => Token::RightBrace,
        Token::LeftBin => Token::RightBin,
        Token::Begin | Token::Case | Token::If | Token::Receive | Token::Try | Token::Maybe | Token::Fun => {
            Token::End
        }
        _ => return None,
    })
}

fn closes(open: Token, close: Token) -> bool {
    closer(open) == Some(close)
}

/// What needs an operand to its right.
pub(super) fn is_operator(token: Token) -> bool {
    matches!(
        token,
        Token::Equal
            | Token::Bang
            | Token::EqualEqual
            | Token::SlashEqual
            | Token::EqualLess
            | Token::Less
            | Token::GreaterEqual
            | Token::Greater
            | Token::ExactEqual
            | Token::ExactNotEqual
            | Token::PlusPlus
            | Token::MinusMinus
            | Token::Plus
            | Token::Minus
            | Token::Star
            | Token::Slash
            | Token::Div
            | Token::Rem
            | Token::Band
            | Token::Bor
            | Token::Bxor
            | Token::Bsl
            | Token::Bsr
            | Token::And
            | Token::Or
            | Token::Xor
            | Token::Andalso
            | Token::Orelse
            | Token::Not
            | Token::Bnot
            | Token::LeftArrow
            | Token::QuestionEqual
    )
}

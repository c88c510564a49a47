//! An open file: its tokens, how far they are used, and its open conditionals.

use crate::token::{Lexed, Spanned, Token, lex_from};
use crate::{Session, SourceId, Span, known};
use std::ops::Range;

/// Where an `-if` stands between its branches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Branch {
    /// In the branch that is taken.
    Taken,
    /// No branch was taken yet.
    Searching,
    /// A branch was taken before, or the whole conditional lies in something that is left out.
    Done,
}

/// An open `-if`, `-ifdef` or `-ifndef`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditional {
    pub(super) opened_at: Span,
    pub(super) branch: Branch,
    /// Whether `-else` was seen.
    pub(super) in_else: bool,
}

pub(super) struct OpenFile {
    pub(super) path: String,
    lexed: Lexed,
    next: usize,
    pub(super) conditionals: Vec<Conditional>,
}

impl OpenFile {
    pub(super) fn new(session: &mut Session, source: SourceId, path: &str, skip: usize) -> Self {
        let lexed = lex_from(session, source, skip);
        Self { path: path.to_owned(), lexed, next: 0, conditionals: Vec::new() }
    }

    /// In a file of forms that was written before `maybe` was a reserved word, it and `else` are atoms.
    pub(super) fn take_names_as_written(&mut self) {
        if names_things_maybe(&self.lexed.tokens) {
            demote_keywords(&mut self.lexed.tokens);
        }
    }

    /// Ends the tokens with a dot at `end` if they do not.
    pub(super) fn add_missing_dot(&mut self, end: Span) {
        if self.lexed.tokens.last().is_some_and(|last| last.token != Token::Dot) {
            self.lexed.tokens.push(Spanned { token: Token::Dot, span: end });
        }
    }

    /// The tokens up to and including the next dot, or all that are left; empty at the end.
    pub(super) fn take_form(&mut self) -> Range<usize> {
        let start = self.next;
        let rest = &self.lexed.tokens[start..];
        let length = rest.iter().position(|t| t.token == Token::Dot).map_or(rest.len(), |at| at + 1);
        self.next = start + length;
        start..self.next
    }

    /// Goes back to a token that was taken.
    pub(super) fn rewind(&mut self, to: Span) {
        let at = self.lexed.tokens.partition_point(|t| t.span.start < to.start);
        if at < self.next && self.lexed.tokens[at].span == to {
            self.next = at;
        }
    }

    /// The last token that was taken.
    pub(super) fn last_taken(&self) -> Option<Span> {
        self.next.checked_sub(1).map(|last| self.lexed.tokens[last].span)
    }

    pub(super) fn tokens(&self, range: Range<usize>) -> Vec<Spanned> {
        self.lexed.tokens[range].to_vec()
    }

    /// Reports malformed tokens; true if there were any.
    pub(super) fn report_errors(&self, session: &mut Session, tokens: &[Spanned]) -> bool {
        let before = session.diagnostics.len();
        for spanned in tokens {
            if let Token::Error(index) = spanned.token {
                session.diagnostics.push(self.lexed.errors[index as usize].clone());
            }
        }
        session.diagnostics.len() > before
    }

    /// Whether the conditionals leave out what comes next.
    pub(super) fn skipping(&self) -> bool {
        self.conditionals.last().is_some_and(|last| last.branch != Branch::Taken)
    }

    pub(super) fn innermost_conditional(&self) -> Option<Span> {
        self.conditionals.last().map(|last| last.opened_at)
    }
}

/// Whether `maybe` stands where the keyword cannot stand in forms, and they do not say themselves what it is.
fn names_things_maybe(tokens: &[Spanned]) -> bool {
    let is_name = |at: usize| {
        let token = |at: usize| tokens.get(at).map(|spanned| spanned.token);
        let before = at.checked_sub(1).and_then(token);
        let is_behind = matches!(
            token(at + 1),
            Some(
                Token::Slash
                    | Token::RightParen
                    | Token::RightBracket
                    | Token::RightBrace
                    | Token::Comma
                    | Token::Bar
                    | Token::Arrow
                    | Token::FatArrow
                    | Token::ColonEqual
                    | Token::DoubleColon
            )
        );
        matches!(before, None | Some(Token::Dot | Token::Colon | Token::Hash))
            || is_behind
            || (token(at + 1) == Some(Token::LeftParen) && token(at + 2) == Some(Token::RightParen))
    };
    let mut words = (0..tokens.len()).filter(|at| tokens[*at].token == Token::Maybe);
    (words.any(is_name) || names_things_else(tokens))
        && !tokens
            .windows(2)
            .any(|pair| pair[0].token == Token::Minus && pair[1].token == Token::Atom(known::FEATURE))
}

/// Whether forms without a `maybe` have `else` where only a name can stand: `-define(else, true).` and `?else`.
fn names_things_else(tokens: &[Spanned]) -> bool {
    let is_name = |pair: &[Spanned]| {
        pair[1].token == Token::Else
            && matches!(
                pair[0].token,
                Token::Question
                    | Token::LeftParen
                    | Token::LeftBracket
                    | Token::LeftBrace
                    | Token::Comma
                    | Token::Arrow
            )
    };
    tokens.windows(2).any(is_name) && tokens.iter().all(|spanned| spanned.token != Token::Maybe)
}

/// Without the feature, `maybe` and `else` are atoms.
pub(super) fn demote_keywords(tokens: &mut [Spanned]) {
    for spanned in tokens {
        match spanned.token {
            Token::Maybe => spanned.token = Token::Atom(known::MAYBE),
            Token::Else => spanned.token = Token::Atom(known::ELSE),
            _ => {}
        }
    }
}

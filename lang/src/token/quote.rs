//! Where a quote that is never closed was meant to end.
//!
//! A missing quote turns the text after it inside out: what was code is in quotes, and what was in quotes is code, up to the
//! end of the file, where at last a quote has no partner. The one at fault is earlier: the first literal of several lines
//! that looks like code, or else the last quote itself. It is cut at the end of its line, and lexing begins again in the next.

use super::{Lexed, Spanned, Token};
use crate::{Code, Diagnostic, Span};

/// Cuts in one file: each lexes the rest again.
pub(super) const MAX_CUTS: u32 = 8;

/// If the text ended inside quotes, takes back the tokens from the quote at fault on; gives where to go on.
pub(super) fn cut(lexed: &mut Lexed, text: &str, origin: u32) -> Option<usize> {
    let last = lexed.tokens.last()?;
    let Token::Error(index) = last.token else { return None };
    let unterminated = &lexed.errors[index as usize];
    let title = unterminated.title.as_str();
    let quote = matches!(title, "unterminated string" | "unterminated quoted atom");
    if unterminated.code != Code::Unterminated || !quote && title != "unterminated sigil" {
        return None;
    }
    let offset = |at: u32| (at - origin) as usize;
    let inside_out = |spanned: &Spanned| {
        let literal = matches!(spanned.token, Token::Str(_) | Token::Atom(_));
        literal && looks_like_code(text, offset(spanned.span.start), offset(spanned.span.end))
    };
    let at = match lexed.tokens.iter().position(inside_out) {
        Some(at) => at,
        None if quote => lexed.tokens.len() - 1,
        None => return None,
    };
    let start = offset(lexed.tokens[at].span.start);
    lexed.tokens.truncate(at);
    let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
    let line = text[start..line_end].trim_end();
    let what = if line.starts_with('\'') { "quoted atom" } else { "string" };
    let place = |start: usize, end: usize| Span { start: origin + start as u32, end: origin + end as u32 };
    let mark = &line[..1];
    let diagnostic =
        Diagnostic::new(Code::Unterminated, place(start, start + 1), format!("unterminated {what}"))
            .label("opened here")
            .help(format!("close it with `{mark}`; inside, `{mark}` is written `\\{mark}`"));
    let ends = line.len() > 1 && line.ends_with('.');
    let end = start + line.len() - usize::from(ends);
    lexed.errors.push(diagnostic);
    let error = Token::Error(lexed.errors.len() as u32 - 1);
    lexed.tokens.push(Spanned { token: error, span: place(start, end.max(start + 1)) });
    if ends {
        // What looks like the end of the form is taken for it.
        lexed.tokens.push(Spanned { token: Token::Dot, span: place(end, end + 1) });
    }
    (line_end < text.len()).then_some(line_end + 1)
}

/// Whether a literal of several lines is more likely what stands between two others.
fn looks_like_code(text: &str, start: usize, end: usize) -> bool {
    let literal = &text[start..end];
    let quoted = literal.starts_with(['"', '\'']);
    if !quoted || !literal.contains('\n') {
        return false;
    }
    let goes_on = text[end..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '~' | '_' | '\\'));
    let arrow = literal.lines().skip(1).any(|line| {
        let line = line.trim_end();
        line.ends_with("->") || line.contains(") ->") || line.trim_start().starts_with("end")
    });
    goes_on || arrow
}

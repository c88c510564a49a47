//! What the compiler says to the author of Erlang code.
//!
//! A [`Diagnostic`] has a stable [`Code`], a title, labelled places, notes and helps. Stages push them and go on, so
//! that one run reports all it can; nothing in this crate stops at the first. Rendering goes through
//! `annotate-snippets`, as rustc's does: see [`render()`].
//!
//! Titles start in lower case, have no full stop and name things in backquotes. A label says what is at its place, a
//! note why it matters, a help what to do. A [`Suggestion`] is a help that says it in source text, so that editors can
//! do it. Each code has a longer text with examples: `explain`.

mod codes;
mod explain;
mod render;

pub use codes::Code;
pub use explain::{Explanation, explain};
pub use render::{Mark, is_written, marks, render, render_one};

use crate::Span;

/// How bad it is: errors prevent code, warnings do not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    Error,
    Warning,
}

/// Changes of the text that would mend a fault.
#[derive(Clone, PartialEq, Debug)]
pub struct Suggestion {
    /// What to do, in words.
    pub message: String,
    /// What to put in which places, in source order; an empty span is a place to insert at.
    pub edits: Vec<(Span, String)>,
    /// Whether this is what the author meant, as far as can be known; otherwise it is a good guess.
    pub certain: bool,
}

/// One message, with the places it speaks of.
#[derive(Clone, PartialEq, Debug)]
#[must_use = "a diagnostic says something only once it is pushed or rendered"]
pub struct Diagnostic {
    pub code: Code,
    /// [`Code::severity`] unless options changed it.
    pub severity: Severity,
    pub title: String,
    /// The place of the fault; [`Span::NONE`] if it is about the whole file.
    pub span: Span,
    /// What stands at `span`, if that needs words.
    pub label: Option<String>,
    /// Further places.
    pub labels: Vec<(Span, String)>,
    pub notes: Vec<String>,
    pub helps: Vec<String>,
    pub suggestions: Vec<Suggestion>,
}

impl Diagnostic {
    /// A diagnostic about `span`.
    pub fn new(code: Code, span: Span, title: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            title: title.into(),
            span,
            label: None,
            labels: Vec::new(),
            notes: Vec::new(),
            helps: Vec::new(),
            suggestions: Vec::new(),
        }
    }

    /// Says what stands at the main place.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = Some(text.into());
        self
    }

    /// Adds a further place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// Adds a sentence of explanation.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds a sentence of advice.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.helps.push(text.into());
        self
    }

    /// Adds advice if there is some.
    pub fn help_if(self, text: Option<String>) -> Self {
        match text {
            Some(text) => self.help(text),
            None => self,
        }
    }

    /// Suggests to replace the text at `span`; a guess.
    pub fn suggest(self, message: impl Into<String>, span: Span, replacement: impl Into<String>) -> Self {
        self.suggest_edits(message, vec![(span, replacement.into())], false)
    }

    /// Suggests several changes at once.
    pub fn suggest_edits(
        mut self,
        message: impl Into<String>,
        edits: Vec<(Span, String)>,
        certain: bool,
    ) -> Self {
        self.suggestions.push(Suggestion { message: message.into(), edits, certain });
        self
    }

    /// The message and the place without the rest: what `--message-format=short` shows.
    pub fn headline(&self) -> String {
        let level = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        format!("{level}[{}]: {}", self.code.text(), self.title)
    }

    /// Whether it prevents code.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The candidate closest to `wanted` by edit distance, if one is close enough to be a likely slip of the fingers.
pub fn closest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = wanted.chars().count();
    // A third of the letters may differ, as in rustc; names of one or two letters give no hint.
    let limit = (length / 3).max(usize::from(length > 2));
    candidates
        .into_iter()
        .filter(|candidate| *candidate != wanted)
        .filter_map(|candidate| {
            let distance = edit_distance(wanted, candidate, limit)?;
            Some((distance, candidate))
        })
        .min_by_key(|&(distance, candidate)| (distance, candidate))
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours to get from `a` to `b`, if at most `limit`.
fn edit_distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    Some(last[b.len()]).filter(|&distance| distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closest_finds_slips_and_nothing_else() {
        let names = ["reverse", "member", "map", "foldl"];
        assert_eq!(closest("revrese", names), Some("reverse"));
        assert_eq!(closest("mamber", names), Some("member"));
        assert_eq!(closest("mop", names), Some("map"));
        assert_eq!(closest("x", names), None);
        assert_eq!(closest("completely", names), None);
    }
}

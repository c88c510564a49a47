//! Diagnostics as text: `annotate-snippets` draws, this module chooses what to show.
//!
//! A place inside a macro's definition is shown there, and each use on the way out gets a label of its own. A
//! suggestion is shown as a change of the text, unless it would change what a macro brought.

use std::borrow::Cow;

use super::{Diagnostic, Severity, Suggestion};
use crate::source::{Place, SourceId, Sources};
use crate::{Interner, Span};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Patch, Renderer, Snippet};

/// Uses of macros within uses that are shown before the rest is left out: more only hides the fault.
const MAX_USES: usize = 4;

/// Renders diagnostics in the order given, each followed by an empty line; coloured with terminal escapes if wanted.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, names: &Interner, colour: bool) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&render_one(diagnostic, sources, names, colour));
        out.push_str("\n\n");
    }
    out
}

/// Renders one diagnostic, without a newline at its end.
pub fn render_one(diagnostic: &Diagnostic, sources: &Sources, names: &Interner, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut groups = vec![group(diagnostic, sources, names)];
    groups.extend(diagnostic.suggestions.iter().filter_map(|suggestion| patched(suggestion, sources)));
    renderer.render(&groups)
}

/// A label at a resolved place.
pub struct Mark {
    pub place: Place,
    pub text: Option<String>,
    /// Whether it is the place of the fault itself.
    pub primary: bool,
}

fn group<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources, names: &Interner) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.title.as_str()).id(diagnostic.code.text());
    let mut group = Group::with_title(title);
    for (source, marks) in by_source(marks(diagnostic, sources, names)) {
        group = group.element(snippet(sources, source, marks));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    for help in &diagnostic.helps {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    for suggestion in diagnostic.suggestions.iter().filter(|suggestion| !is_written(suggestion, sources)) {
        group = group.element(Level::HELP.message(suggestion.message.as_str()));
    }
    group
}

/// Whether all places of a suggestion are text of one file, not brought by a macro.
pub fn is_written(suggestion: &Suggestion, sources: &Sources) -> bool {
    let file = |span: Span| sources.written_place(span).map(|place| place.source);
    let mut files = suggestion.edits.iter().map(|(span, _)| file(*span));
    match files.next() {
        Some(Some(first)) => files.all(|file| file == Some(first)),
        _ => false,
    }
}

/// A suggestion as lines before and after.
fn patched<'a>(suggestion: &'a Suggestion, sources: &'a Sources) -> Option<Group<'a>> {
    if !is_written(suggestion, sources) {
        return None;
    }
    let places: Vec<Place> =
        suggestion.edits.iter().filter_map(|(span, _)| sources.written_place(*span)).collect();
    let (start, end, line) = lines(sources, places.first()?.source, places.iter().copied());
    let source = sources.get(places.first()?.source);
    let mut snippet = Snippet::source(shown(&source.text[start..end]))
        .line_start(line)
        .path(source.path.to_string_lossy().into_owned());
    for (place, (_, text)) in places.iter().zip(&suggestion.edits) {
        let range = place.start as usize - start..place.end as usize - start;
        snippet = snippet.patch(Patch::new(range, text.as_str()));
    }
    Some(Group::with_title(Level::HELP.secondary_title(suggestion.message.as_str())).element(snippet))
}

/// The places a diagnostic is shown at, uses of macros included.
pub fn marks(diagnostic: &Diagnostic, sources: &Sources, names: &Interner) -> Vec<Mark> {
    let mut marks = Vec::new();
    if let Some(place) = sources.place(diagnostic.span) {
        marks.push(Mark { place, text: diagnostic.label.clone(), primary: true });
    }
    add_uses(&mut marks, diagnostic.span, sources, names);
    for (span, text) in &diagnostic.labels {
        if let Some(place) = sources.place(*span) {
            marks.push(Mark { place, text: Some(text.clone()), primary: false });
        }
    }
    marks
}

/// Labels the uses of macros that brought a span to where it is.
fn add_uses(marks: &mut Vec<Mark>, span: Span, sources: &Sources, names: &Interner) {
    let mut at = span;
    for _ in 0..MAX_USES {
        let Some(expansion) = sources.expansion(at) else { return };
        at = expansion.used_at;
        let Some(place) = sources.place(at) else { return };
        let primary = marks.iter().any(|mark| mark.place == place);
        if !primary {
            let text = format!("in this use of `?{}`", names.text(expansion.name));
            marks.push(Mark { place, text: Some(text), primary: false });
        }
    }
}

/// Groups marks by file, the file of the first mark first.
fn by_source(marks: Vec<Mark>) -> Vec<(SourceId, Vec<Mark>)> {
    let mut groups: Vec<(SourceId, Vec<Mark>)> = Vec::new();
    for mark in marks {
        match groups.iter_mut().find(|(source, _)| *source == mark.place.source) {
            Some((_, group)) => group.push(mark),
            None => groups.push((mark.place.source, vec![mark])),
        }
    }
    groups
}

/// From the line of the first place to the line of the last: byte offsets and the number of the first line.
fn lines(
    sources: &Sources,
    source: SourceId,
    places: impl Iterator<Item = Place> + Clone,
) -> (usize, usize, usize) {
    let file = sources.get(source);
    let text = &*file.text;
    let first = places.clone().map(|place| place.start).min().unwrap_or(0) as usize;
    let last = places.map(|place| place.end).max().unwrap_or(0) as usize;
    let start = text[..first].rfind('\n').map_or(0, |at| at + 1);
    let end = text[last..].find('\n').map_or(text.len(), |at| last + at);
    (start, end, file.line_column(start as u32).line as usize)
}

/// Text to be drawn: where lines end in carriage return and newline the former would be drawn too. No byte changes its place.
fn shown(text: &str) -> Cow<'_, str> {
    let mut shown = match text.contains("\r\n") {
        true => Cow::Owned(text.replace("\r\n", " \n")),
        false => Cow::Borrowed(text),
    };
    if shown.ends_with('\r') {
        let text = shown.to_mut();
        text.pop();
        text.push(' ');
    }
    shown
}

/// Shows only the lines from the first mark to the last: the renderer's work must not grow with the file.
fn snippet(sources: &Sources, source: SourceId, marks: Vec<Mark>) -> Snippet<'_, Annotation<'_>> {
    let file = sources.get(source);
    let (start, end, line) = lines(sources, source, marks.iter().map(|mark| mark.place));
    let mut snippet = Snippet::source(shown(&file.text[start..end]))
        .line_start(line)
        .path(file.path.to_string_lossy().into_owned());
    for mark in marks {
        let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let range = mark.place.start as usize - start..mark.place.end as usize - start;
        snippet = snippet.annotation(kind.span(range).label(mark.text));
    }
    snippet
}

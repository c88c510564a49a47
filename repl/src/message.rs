//! What the compiler says, in three forms: for people, for people with many files, and for editors.
//!
//! The form for editors is that of rustc: one JSON object per line on standard output, of the fields that
//! README lists. Editors that understand rustc's understand it.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};

use clap::ValueEnum;
use erlet::lang::diagnostic::{Diagnostic, Severity, Suggestion, explain, is_written, marks, render_one};
use erlet::lang::source::Place;
use erlet::lang::{Code, Session};
use serde::Serialize;

/// How diagnostics are shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum MessageFormat {
    /// With the source, on standard error
    #[default]
    Human,
    /// One line each, on standard error
    Short,
    /// One JSON object a line, on standard output
    Json,
}

/// Shows the diagnostics of a session.
pub fn show(session: &mut Session, format: MessageFormat) {
    session.sort_diagnostics();
    match format {
        MessageFormat::Human => human(session),
        MessageFormat::Short => short(session),
        MessageFormat::Json => json(session),
    }
}

/// Says that a file cannot be used at all.
pub fn complain(text: &str, format: MessageFormat) {
    match format {
        MessageFormat::Json => print_line(&Message::plain("error", text)),
        _ => crate::complain(text),
    }
}

fn human(session: &mut Session) {
    eprint!("{}", session.render(colour()));
    let errors: BTreeSet<Code> =
        session.diagnostics.iter().filter(|one| one.is_error()).map(|one| one.code).collect();
    let codes: Vec<&str> = errors.iter().map(|code| code.text()).collect();
    match codes[..] {
        [] => {}
        [code] => eprintln!("More about this error: `erlet explain {code}`."),
        [code, ..] => {
            eprintln!("More about these errors ({}): `erlet explain {code}` and so on.", codes.join(", "));
        }
    }
}

/// Whether standard error is a terminal and nobody asked for plain text.
pub fn colour() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !refused && std::io::stderr().is_terminal()
}

fn short(session: &Session) {
    for diagnostic in &session.diagnostics {
        eprintln!("{}{}", place_text(session, diagnostic), diagnostic.headline());
    }
}

/// `file:line:column: `, if the diagnostic has a place.
fn place_text(session: &Session, diagnostic: &Diagnostic) -> String {
    match session.sources.place(diagnostic.span) {
        Some(place) => {
            let source = session.sources.get(place.source);
            let at = source.line_column(place.start);
            format!("{}:{}:{}: ", source.path.display(), at.line, at.column)
        }
        None => String::new(),
    }
}

/// A diagnostic as rustc has it.
#[derive(Serialize)]
struct Message {
    #[serde(rename = "$message_type")]
    message_type: &'static str,
    message: String,
    code: Option<CodeObject>,
    level: &'static str,
    spans: Vec<SpanObject>,
    children: Vec<Child>,
    rendered: Option<String>,
}

#[derive(Serialize)]
struct CodeObject {
    code: &'static str,
    explanation: Option<String>,
}

/// A note or help.
#[derive(Serialize)]
struct Child {
    message: String,
    code: Option<CodeObject>,
    level: &'static str,
    spans: Vec<SpanObject>,
    children: [(); 0],
    rendered: Option<String>,
}

#[derive(Serialize)]
struct SpanObject {
    file_name: String,
    byte_start: u32,
    byte_end: u32,
    line_start: u32,
    line_end: u32,
    column_start: u32,
    column_end: u32,
    is_primary: bool,
    text: Vec<LineObject>,
    label: Option<String>,
    suggested_replacement: Option<String>,
    suggestion_applicability: Option<&'static str>,
    expansion: Option<()>,
}

/// A line of the source with the part that is meant.
#[derive(Serialize)]
struct LineObject {
    text: String,
    highlight_start: u32,
    highlight_end: u32,
}

fn json(session: &Session) {
    for diagnostic in &session.diagnostics {
        print_line(&message(session, diagnostic));
    }
}

fn print_line(message: &Message) {
    let Ok(line) = serde_json::to_string(message) else { return };
    // A reader that has gone away is no error.
    let _ = writeln!(crate::output::StandardOutput, "{line}");
}

impl Message {
    fn plain(level: &'static str, text: &str) -> Message {
        Message {
            message_type: "diagnostic",
            message: text.to_owned(),
            code: None,
            level,
            spans: Vec::new(),
            children: Vec::new(),
            rendered: Some(format!("{level}: {text}\n")),
        }
    }
}

fn message(session: &Session, diagnostic: &Diagnostic) -> Message {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let marks = marks(diagnostic, &session.sources, &session.names);
    let spans = marks.into_iter().map(|mark| {
        let span = span_object(session, mark.place, mark.primary);
        SpanObject { label: mark.text, ..span }
    });
    let notes = diagnostic.notes.iter().map(|note| child("note", note, Vec::new()));
    let helps = diagnostic.helps.iter().map(|help| child("help", help, Vec::new()));
    let suggestions = diagnostic
        .suggestions
        .iter()
        .map(|suggestion| child("help", &suggestion.message, replacements(session, suggestion)));
    let rendered = render_one(diagnostic, &session.sources, &session.names, false);
    let explanation = explain(diagnostic.code).map(|found| found.to_string());
    Message {
        message_type: "diagnostic",
        message: diagnostic.title.clone(),
        code: Some(CodeObject { code: diagnostic.code.text(), explanation }),
        level,
        spans: spans.collect(),
        children: notes.chain(helps).chain(suggestions).collect(),
        rendered: Some(rendered + "\n\n"),
    }
}

fn child(level: &'static str, message: &str, spans: Vec<SpanObject>) -> Child {
    Child { message: message.to_owned(), code: None, level, spans, children: [], rendered: None }
}

/// Where to put what; nothing if it would change what a macro brought.
fn replacements(session: &Session, suggestion: &Suggestion) -> Vec<SpanObject> {
    if !is_written(suggestion, &session.sources) {
        return Vec::new();
    }
    let applicability = if suggestion.certain { "MachineApplicable" } else { "MaybeIncorrect" };
    let edits = suggestion.edits.iter().filter_map(|(span, text)| {
        let place = session.sources.written_place(*span)?;
        Some(SpanObject {
            suggested_replacement: Some(text.clone()),
            suggestion_applicability: Some(applicability),
            ..span_object(session, place, true)
        })
    });
    edits.collect()
}

fn span_object(session: &Session, place: Place, is_primary: bool) -> SpanObject {
    let source = session.sources.get(place.source);
    let (start, end) = (source.line_column(place.start), source.line_column(place.end));
    let lines = source.text[source.line_start(place.start)..].split('\n');
    let lines = (start.line..=end.line).zip(lines).map(|(number, text)| {
        let width = text.chars().count() as u32;
        LineObject {
            text: text.to_owned(),
            highlight_start: if number == start.line { start.column } else { 1 },
            highlight_end: if number == end.line { end.column } else { width + 1 },
        }
    });
    SpanObject {
        file_name: source.path.to_string_lossy().into_owned(),
        byte_start: place.start,
        byte_end: place.end,
        line_start: start.line,
        line_end: end.line,
        column_start: start.column,
        column_end: end.column,
        is_primary,
        text: lines.collect(),
        label: None,
        suggested_replacement: None,
        suggestion_applicability: None,
        expansion: None,
    }
}

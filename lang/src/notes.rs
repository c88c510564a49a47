//! What a source file says about itself to its readers: specs, types, `-doc` attributes, and the comments above them.
//!
//! For shells and the like. Nothing here judges the file: what does not parse has no notes.

use std::collections::{HashMap, HashSet};

use crate::ast::{ExprKind, FormKind};
use crate::{Name, NoIncludes, ParseOptions, Session, Span, known, parse_file};

/// What an entry is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Function,
    Type,
}

/// A function or type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub kind: Kind,
    pub name: String,
    pub arity: u32,
    /// The spec or definition as written; a function without a spec has its head here.
    pub heading: String,
    pub text: String,
}

/// What a module says about itself: its exported functions and its types, in the order of the file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notes {
    pub text: String,
    pub entries: Vec<Entry>,
}

/// Between the parts of an entry, and between entries: characters that no source has.
const PART: char = '\u{1f}';
const END: char = '\u{1e}';

impl Notes {
    /// The notes of a source text.
    pub fn of(bytes: &[u8]) -> Notes {
        let mut session = Session::new();
        let options = ParseOptions { default_module: Some("notes".to_owned()), ..ParseOptions::default() };
        let file = parse_file(&mut session, "notes", bytes, &options, &mut NoIncludes);
        Reader {
            session: &session,
            notes: Notes::default(),
            exported: HashSet::new(),
            all: false,
            specs: HashMap::new(),
            doc: None,
        }
        .read(&file)
    }

    /// As text, to be read by [`Notes::from_text`].
    pub fn to_text(&self) -> String {
        let mut out = self.text.clone();
        for entry in &self.entries {
            let kind = if entry.kind == Kind::Function { 'f' } else { 't' };
            let Entry { name, arity, heading, text, .. } = entry;
            out.push_str(&format!("{END}{kind}{PART}{name}{PART}{arity}{PART}{heading}{PART}{text}"));
        }
        out
    }

    /// From what [`Notes::to_text`] gave; anything else gives what can be made of it.
    pub fn from_text(text: &str) -> Notes {
        let mut pieces = text.split(END);
        let own = pieces.next().unwrap_or("").to_owned();
        let entry = |piece: &str| {
            let mut parts = piece.split(PART);
            let kind = if parts.next()? == "f" { Kind::Function } else { Kind::Type };
            let name = parts.next()?.to_owned();
            let arity = parts.next()?.parse().ok()?;
            Some(Entry {
                kind,
                name,
                arity,
                heading: parts.next()?.to_owned(),
                text: parts.next()?.to_owned(),
            })
        };
        Notes { text: own, entries: pieces.filter_map(entry).collect() }
    }
}

struct Reader<'s> {
    session: &'s Session,
    notes: Notes,
    exported: HashSet<(Name, u32)>,
    all: bool,
    /// Text and comment of the specs so far.
    specs: HashMap<(Name, u32), (String, String)>,
    /// The last `-doc`, until its form comes.
    doc: Option<String>,
}

impl Reader<'_> {
    fn read(mut self, file: &crate::ast::File) -> Notes {
        let mut functions = HashSet::new();
        for form in &file.forms {
            match &form.kind {
                FormKind::Module(_) => self.notes.text = self.above(form.span),
                FormKind::Doc { module, value } => {
                    if let ExprKind::Str(text) = &value.kind {
                        match module {
                            true => self.notes.text = text.to_string(),
                            false => self.doc = Some(text.to_string()),
                        }
                    }
                }
                FormKind::Export(names) => self.exported.extend(names.iter().map(|f| (f.name, f.arity))),
                FormKind::Compile(value) => self.all |= self.written(value.span).contains("export_all"),
                FormKind::Spec(spec) if !spec.callback => {
                    let text = self.said(form.span);
                    self.specs.insert((spec.name.name, spec.arity), (self.written_form(form.span), text));
                }
                FormKind::Type(definition) => {
                    let text = self.said(form.span);
                    let arity = u32::try_from(definition.parameters.len()).unwrap_or(u32::MAX);
                    self.add(Kind::Type, definition.name.name, arity, self.written_form(form.span), text);
                }
                FormKind::Function(function) => {
                    let key = (function.name.name, function.arity);
                    if !functions.insert(key) {
                        continue;
                    }
                    let own = self.said(form.span);
                    let (heading, text) = self.specs.remove(&key).unwrap_or_else(|| {
                        let head = self.written(form.span);
                        (head.split("->").next().unwrap_or("").trim().to_owned(), String::new())
                    });
                    let text = if text.is_empty() { own } else { text };
                    self.add(Kind::Function, key.0, key.1, heading, text);
                }
                _ => {}
            }
        }
        let public = |entry: &Entry| {
            let name = self.session.names.lookup(&entry.name).unwrap_or(known::EMPTY);
            entry.kind == Kind::Type
                || self.all
                || self.exported.is_empty()
                || self.exported.contains(&(name, entry.arity))
        };
        self.notes.entries.retain(public);
        self.notes
    }

    fn add(&mut self, kind: Kind, name: Name, arity: u32, heading: String, text: String) {
        let name = self.session.names.text(name).to_owned();
        self.notes.entries.push(Entry { kind, name, arity, heading, text });
    }

    /// What is said about a form: its `-doc`, or the comment above it.
    fn said(&mut self, span: Span) -> String {
        self.doc.take().unwrap_or_else(|| self.above(span))
    }

    /// A form with its dot, which its span may leave out.
    fn written_form(&self, span: Span) -> String {
        format!("{}.", self.written(span).trim_end_matches('.'))
    }

    fn written(&self, span: Span) -> String {
        self.session.sources.text(span).to_owned()
    }

    /// The comment lines directly above a form, without their signs.
    fn above(&self, span: Span) -> String {
        let Some(place) = self.session.sources.place(span) else { return String::new() };
        let before = self.session.sources.get(place.source).text.get(..place.start as usize).unwrap_or("");
        let comments = before.lines().rev().take_while(|line| line.starts_with('%'));
        let mut lines: Vec<&str> = comments
            .map(|line| {
                let line = line.trim_start_matches('%');
                line.strip_prefix(' ').unwrap_or(line)
            })
            .collect();
        lines.reverse();
        lines.join("\n").trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_specs_and_docs_are_found() {
        let source = "%% What it is for.\n%% More.\n-module(m).\n-export([f/1, g/0]).\n\n%% A name.\n-type t() :: atom().\n\n\
                      %% Does f.\n-spec f(X) -> X.\nf(X) -> X.\n\n-doc \"Does g.\".\ng() -> h().\n\n%% Hidden.\nh() -> 1.\n";
        let notes = Notes::of(source.as_bytes());
        assert_eq!(notes.text, "What it is for.\nMore.");
        let entries: Vec<(&str, &str, &str)> =
            notes.entries.iter().map(|e| (&*e.name, &*e.heading, &*e.text)).collect();
        assert_eq!(
            entries,
            [
                ("t", "-type t() :: atom().", "A name."),
                ("f", "-spec f(X) -> X.", "Does f."),
                ("g", "g()", "Does g.")
            ]
        );
        assert_eq!(Notes::from_text(&notes.to_text()), notes);
        assert_eq!(Notes::from_text("\u{1e}x\u{1f}"), Notes::default());
    }
}

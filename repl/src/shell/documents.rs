//! Documentation as the shell shows it.

use std::fmt::Write as _;

use erlet::lang::notes::{Entry, Kind, Notes};

/// What a module says about itself and what it has, or about what has a name; `None` if there is nothing of that name.
pub fn text(
    module: &str,
    notes: &Notes,
    kind: Kind,
    name: Option<&str>,
    arity: Option<u32>,
    colour: bool,
) -> Option<String> {
    let bold = |text: &str| if colour { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() };
    let wanted = |entry: &&Entry| {
        entry.kind == kind
            && name.is_none_or(|name| entry.name == name)
            && arity.is_none_or(|arity| entry.arity == arity)
    };
    let entries: Vec<&Entry> = notes.entries.iter().filter(wanted).collect();
    let mut out = String::new();
    let mut line = |text: &str| {
        // Strings grow.
        let _ = writeln!(out, "{}", text.trim_end());
    };
    match name {
        None if entries.is_empty() && kind == Kind::Type => return None,
        None => {
            line(&bold(module));
            if kind == Kind::Function && !notes.text.is_empty() {
                line("");
                notes.text.lines().for_each(|text| line(&format!("  {text}")));
            }
            line("");
            for entry in entries {
                let said = first_sentence(&entry.text);
                let said = if said.is_empty() { parameters(entry) } else { said };
                line(&format!("  {}/{}{said}", entry.name, entry.arity));
            }
        }
        Some(_) if entries.is_empty() => return None,
        Some(_) => {
            for (i, entry) in entries.iter().enumerate() {
                if i > 0 {
                    line("");
                }
                let heading =
                    entry.heading.strip_prefix("-spec ").unwrap_or(&entry.heading).trim_end_matches('.');
                heading.lines().for_each(|text| line(&bold(text)));
                if !entry.text.is_empty() {
                    line("");
                    entry.text.lines().for_each(|text| line(&format!("  {text}")));
                }
            }
        }
    }
    Some(out)
}

/// The longest spec that stands behind a name.
const LONGEST: usize = 60;

/// What a function without words takes and gives, if that is short.
fn parameters(entry: &Entry) -> String {
    let heading = entry.heading.split(" when ").next().unwrap_or("").trim_end_matches('.');
    let spec =
        heading.strip_prefix("-spec ").and_then(|spec| spec.trim_start().strip_prefix(entry.name.as_str()));
    let line = spec.unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() || line.chars().count() > LONGEST { String::new() } else { format!("  {line}") }
}

/// The beginning of a text, to stand behind a name.
fn first_sentence(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    if line.is_empty() { String::new() } else { format!("  {line}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_shows_its_spec_and_text() {
        let notes = Notes::of(
            b"%% About m.\n-module(m).\n-export([f/1]).\n%% Does it.\n-spec f(X) -> X.\nf(X) -> X.\n",
        );
        let shown = |name, arity| text("m", &notes, Kind::Function, name, arity, false);
        assert_eq!(shown(None, None).as_deref(), Some("m\n\n  About m.\n\n  f/1  Does it.\n"));
        assert_eq!(shown(Some("f"), Some(1)).as_deref(), Some("f(X) -> X\n\n  Does it.\n"));
        assert_eq!(shown(Some("f"), Some(2)), None);
        let notes = Notes::of(b"-module(m).\n-export([f/1]).\n-spec f(X) -> [X].\nf(X) -> [X].\n");
        let all = text("m", &notes, Kind::Function, None, None, false);
        assert_eq!(all.as_deref(), Some("m\n\n  f/1  (X) -> [X]\n"));
        assert_eq!(text("m", &notes, Kind::Type, None, None, false), None);
    }
}

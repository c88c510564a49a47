//! Record definitions out of files: `rr(File)`.
//!
//! Files are read as the compiler reads them, with includes and macros; each definition is kept as the text of its tokens, so that what
//! a macro stood for stays in it.

use std::path::Path;

use erlet::lang::ast::FormKind;
use erlet::lang::preprocess::Preprocessor;
use erlet::lang::{ParseOptions, Session, parse};

use super::compile::Record;
use crate::command::SourceOptions;
use crate::source;

/// The records of a file by name, and what is wrong with the file.
pub fn of_file(
    path: &Path,
    options: &SourceOptions,
    colour: bool,
) -> Result<(Vec<(String, Record)>, String), String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}\n", path.display()))?;
    let mut session = Session::new();
    let parse_options = ParseOptions {
        defines: source::defines(options),
        default_module: Some(source::module_name(path)),
        ..ParseOptions::default()
    };
    let mut files = source::Files::new(path, options);
    let mut records = Vec::new();
    let shown = path.to_string_lossy();
    if let Some(mut preprocessor) =
        Preprocessor::new(&mut session, &shown, &bytes, &parse_options, &mut files)
    {
        let mut tokens = Vec::new();
        while preprocessor.next_form(&mut session, &mut tokens) {
            let spelled: Vec<&str> = tokens.iter().map(|token| session.sources.text(token.span)).collect();
            let text = joined(&spelled);
            let Some(form) = parse::form(&mut session, &mut tokens) else { continue };
            if let FormKind::Record(record) = form.kind {
                let name = |name| session.names.text(name).to_owned();
                let fields = record.fields.iter().map(|field| name(field.name.name)).collect();
                records.push((name(record.name.name), Record { text, fields }));
            }
        }
    }
    // What else is wrong with the file is its own affair, as long as there are records.
    session.diagnostics.retain(erlet::lang::Diagnostic::is_error);
    let said = session.render(colour);
    if records.is_empty() && !said.is_empty() { Err(said) } else { Ok((records, said)) }
}

/// Tokens with the white space that readers expect.
pub fn joined(tokens: &[&str]) -> String {
    let mut text = String::new();
    let mut before = "";
    for &token in tokens {
        let tight = matches!(token, "," | ")" | "]" | "}" | "." | ";" | ">>" | "(" | ":")
            || matches!(before, "" | "(" | "[" | "{" | "<<" | "-" | "#" | ":" | "?")
            || token == "{" && before != "=" && !text.ends_with("->")
            || token == "." && !before.is_empty();
        if !tight || matches!((before, token), (",", "{" | "(") | ("=" | "::" | "|", "(")) {
            text.push(' ');
        }
        text.push_str(token);
        before = token;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_joined_as_people_write_them() {
        let tokens =
            ["-", "record", "(", "a", ",", "{", "b", "=", "1", ",", "c", "::", "[", "d", "]", "}", ")", "."];
        assert_eq!(joined(&tokens), "-record(a, {b = 1, c :: [d]}).");
    }
}

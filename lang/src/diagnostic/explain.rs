//! The long texts behind the codes, with examples that a test compiles.
//!
//! They are Markdown, one section under `# CODE` each. The first fenced block of a section is wrong and gives exactly that
//! code, the second is right and gives none; what cannot be shown in a few lines has no blocks.

use super::Code;
use std::fmt;

const TEXTS: &[&str] = &[
    include_str!("explain/text.md"),
    include_str!("explain/preprocessor.md"),
    include_str!("explain/syntax.md"),
    include_str!("explain/errors.md"),
    include_str!("explain/warnings.md"),
];

/// The text for a code.
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    text: &'static str,
}

/// What there is to say about a code.
pub fn explain(code: Code) -> Option<Explanation> {
    let heading = format!("# {}\n", code.text());
    TEXTS.iter().find_map(|text| {
        let start = text.find(&heading)? + heading.len();
        let rest = &text[start..];
        let end = rest.find("\n# ").unwrap_or(rest.len());
        Some(Explanation { text: rest[..end].trim() })
    })
}

impl Explanation {
    /// The examples: wrong ones and right ones in turn.
    pub fn examples(self) -> Vec<&'static str> {
        self.text.split("```").skip(1).step_by(2).map(|block| block.trim_start_matches("erlang\n")).collect()
    }
}

/// As a terminal shows it: examples are indented, and said to be wrong or right.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, part) in self.text.split("```").enumerate() {
            if at % 2 == 0 {
                f.write_str(part)?;
                continue;
            }
            f.write_str(if at % 4 == 1 { "Wrong:\n\n" } else { "Right:\n\n" })?;
            let lines: Vec<String> =
                part.trim_start_matches("erlang\n").trim_end().lines().map(indented).collect();
            f.write_str(&lines.join("\n"))?;
        }
        Ok(())
    }
}

fn indented(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!("    {line}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_text_and_no_text_is_left_over() {
        let mut headings = 0;
        for text in TEXTS {
            headings += text.lines().filter(|line| line.starts_with("# ")).count();
        }
        for code in Code::ALL {
            let found = explain(*code).unwrap_or_else(|| panic!("{} has a text", code.text()));
            assert!(
                found.examples().len().is_multiple_of(2),
                "{}: wrong and right come in pairs",
                code.text()
            );
        }
        assert_eq!(headings, Code::ALL.len());
    }
}

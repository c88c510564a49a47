//! The examples of `erlet explain`: each wrong one gives exactly its code, each right one nothing.

use erlet_lang::diagnostic::explain;
use erlet_lang::lint::LintOptions;
use erlet_lang::{Code, NoIncludes, Options, compile};
use std::collections::BTreeSet;

/// Codes whose faults cannot be shown in a few lines of a text.
const WITHOUT_EXAMPLES: &[Code] = &[
    Code::AtomTooLong,
    Code::NotUtf8,
    Code::SourceTooLarge,
    Code::IncludeDepth,
    Code::NestedTooDeeply,
    Code::TooManyArguments,
    Code::NotSupported,
    Code::ParseTransform,
];

/// The codes a program gives, and what is said; a text without `-module` becomes a module that exports all.
fn codes(example: &str) -> (BTreeSet<&'static str>, String) {
    let text = match example.starts_with("-module") || example.starts_with("%%") {
        true => example.to_owned(),
        false => {
            format!("-module(example).\n-compile([export_all, nowarn_export_all]).\n{}\n", example.trim_end())
        }
    };
    let modules = Some(["lists", "io"].map(str::to_owned).to_vec());
    let lists = ["reverse/1", "seq/2", "sort/1", "member/2"].map(|function| {
        let (name, arity) = function.split_once('/').expect("with an arity");
        (name.to_owned(), arity.parse().expect("a number"))
    });
    let exports = vec![("lists".to_owned(), lists.to_vec())];
    let file_stem = Some("example".to_owned());
    let lint = LintOptions { modules, exports, file_stem, ..LintOptions::default() };
    let options = Options { lint, ..Options::default() };
    let mut compilation = compile("example.erl", text.as_bytes(), &options, &mut NoIncludes);
    let codes = compilation.session.diagnostics.iter().map(|found| found.code.text()).collect();
    (codes, compilation.session.render(false))
}

#[test]
fn wrong_examples_give_their_code_and_right_ones_none() {
    let mut faults = Vec::new();
    for &code in Code::ALL {
        let found = explain(code).expect("every code has a text");
        let examples = found.examples();
        if examples.is_empty() != WITHOUT_EXAMPLES.contains(&code) {
            faults.push(format!("{}: has {} examples", code.text(), examples.len()));
        }
        for (at, example) in examples.iter().enumerate() {
            let wanted: BTreeSet<&str> = if at % 2 == 0 { [code.text()].into() } else { [].into() };
            let (given, said) = codes(example);
            if given != wanted {
                faults.push(format!("{}: example {at} gives {given:?}\n{example}\n{said}", code.text()));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_text_is_shown_with_its_examples_indented() {
    let text = explain(Code::UnboundVariable).expect("it has one").to_string();
    assert!(text.contains("Wrong:\n\n    f(Count) -> Cuont + 1."), "{text}");
    assert!(text.contains("Right:\n\n    f(Count) -> Count + 1."), "{text}");
    assert!(!text.contains("```"), "{text}");
}

//! The linter agrees with `erl_lint` on OTP's own sources: no error, and the same warnings on the same lines.

mod support;

use erlet_lang::lint::{LintOptions, check};
use erlet_lang::{Code, Define, ParseOptions, Session, parse_file};
use std::collections::BTreeSet;
use support::{Oracle, Otp};

/// Our code for a kind of `erl_lint`; none for kinds that are compared nowhere.
fn code(kind: &str) -> Option<Code> {
    Some(match kind {
        "unused_var" => Code::UnusedVariable,
        "unused_function" => Code::UnusedFunction,
        "unused_record" => Code::UnusedRecord,
        "unused_type" => Code::UnusedType,
        "shadowed_var" => Code::ShadowedVariable,
        "exported_var" => Code::ExportedVariable,
        "export_all" => Code::ExportAll,
        "duplicated_export" => Code::DuplicateExport,
        "match_underscore_var" | "match_underscore_var_pat" => Code::UnderscoreUsed,
        "obsolete_guard" => Code::ObsoleteGuard,
        "format_error" => Code::FormatMismatch,
        "not_exported_opaque" | "underspecified_opaque" => Code::QuestionableOpaque,
        "call_to_redefined_bif" | "redefine_bif_import" => Code::HidesBuiltin,
        "no_load_nif" => Code::UselessOption,
        _ => return None,
    })
}

#[test]
fn warnings_are_those_of_erl_lint() {
    let Some(otp) = Otp::find() else { return };
    let mut oracle = Oracle::start("lint");
    let version = Define { name: "COMPILER_VSN".to_owned(), value: Some("\"8\"".to_owned()) };
    let options = ParseOptions { defines: vec![version], ..ParseOptions::default() };
    let (mut differences, mut agreed, mut files) = (Vec::new(), 0, 0);
    for path in otp.sources(&["stdlib", "kernel", "compiler", "tools"]) {
        let name = path.to_string_lossy();
        oracle.ask(&format!("{name}\t{}", otp.include_folders(&path).join("\t")));
        let mut theirs = BTreeSet::new();
        for answer in oracle.answers() {
            let parts: Vec<&str> = answer.split(' ').collect();
            if let Some(code) = code(parts[1]) {
                theirs.insert((code, parts[2].parse::<u32>().expect("a line")));
            }
        }
        let bytes = std::fs::read(&path).expect("a listed file can be read");
        let mut session = Session::new();
        let file = parse_file(&mut session, &name, &bytes, &options, &mut otp.loader());
        check(&mut session, &file, &LintOptions::default());
        files += 1;
        let mut ours = BTreeSet::new();
        for diagnostic in &session.diagnostics {
            if diagnostic.is_error() {
                differences.push(format!("{name}: false error {}", diagnostic.title));
            }
            ours.insert((diagnostic.code, session.sources.line(diagnostic.span)));
        }
        let compared: BTreeSet<_> = ours.iter().copied().filter(|entry| is_compared(entry.0)).collect();
        agreed += compared.intersection(&theirs).count();
        for (code, line) in compared.symmetric_difference(&theirs) {
            let who = if theirs.contains(&(*code, *line)) { "only OTP" } else { "only erlet" };
            differences.push(format!("{name}:{line}: {who} says {code:?}"));
        }
    }
    oracle.end();
    eprintln!("{files} files, {agreed} warnings alike, {} differences", differences.len());
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn is_compared(code: Code) -> bool {
    matches!(
        code,
        Code::UnusedVariable
            | Code::UnusedFunction
            | Code::UnusedRecord
            | Code::UnusedType
            | Code::ShadowedVariable
            | Code::ExportedVariable
            | Code::ExportAll
            | Code::DuplicateExport
            | Code::UnderscoreUsed
            | Code::ObsoleteGuard
            | Code::FormatMismatch
            | Code::QuestionableOpaque
            | Code::HidesBuiltin
            | Code::UselessOption
    )
}

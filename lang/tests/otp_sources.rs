//! Every source file of OTP's central applications goes through the front end without an error, and gives the tree
//! that OTP's own parser makes.

mod support;

use erlet_lang::{Define, ParseOptions, Session, ast, parse_file};
use std::time::Instant;
use support::{Oracle, Otp, abstract_format};

const APPS: &[&str] = &["stdlib", "kernel", "compiler", "tools"];

#[test]
fn otp_sources_parse_without_errors() {
    let Some(otp) = Otp::find() else { return };
    let files = otp.sources(APPS);
    let (mut bytes_read, mut forms, mut faulty) = (0, 0, Vec::new());
    // OTP's makefile defines this for the compiler application.
    let version = Define { name: "COMPILER_VSN".to_owned(), value: Some("\"8\"".to_owned()) };
    let options = ParseOptions { defines: vec![version], ..ParseOptions::default() };
    let started = Instant::now();
    for path in &files {
        let bytes = std::fs::read(path).expect("a listed file can be read");
        bytes_read += bytes.len();
        let mut session = Session::new();
        let file: ast::File =
            parse_file(&mut session, &path.to_string_lossy(), &bytes, &options, &mut otp.loader());
        forms += file.forms.len();
        if session.has_errors() {
            faulty.push(session.render(false));
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    eprintln!(
        "{} files, {bytes_read} bytes, {forms} forms, {:.1} MB/s with headers not counted",
        files.len(),
        bytes_read as f64 / seconds / 1e6
    );
    assert!(faulty.is_empty(), "{} files have errors:\n{}", faulty.len(), faulty.join("\n"));
    assert!(files.len() > 200 && forms > 20_000, "{} files, {forms} forms", files.len());
}

/// The trees of all files take a while to compare; without `ERLET_ALL_TREES` every fourteenth is.
#[test]
fn trees_are_those_of_otp() {
    let Some(otp) = Otp::find() else { return };
    let step = if std::env::var_os("ERLET_ALL_TREES").is_some() { 1 } else { 14 };
    let folder = std::env::temp_dir().join(format!("erlet-trees-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let ours = folder.join("forms.terms");
    let mut oracle = Oracle::start("compare");
    let version = Define { name: "COMPILER_VSN".to_owned(), value: Some("\"8\"".to_owned()) };
    let options = ParseOptions { defines: vec![version], ..ParseOptions::default() };
    let mut differences = Vec::new();
    let mut compared = 0;
    for path in otp.sources(APPS).iter().step_by(step) {
        let bytes = std::fs::read(path).expect("a listed file can be read");
        let mut session = Session::new();
        let name = path.to_string_lossy();
        let file = parse_file(&mut session, &name, &bytes, &options, &mut otp.loader());
        let mut text = "%% coding: utf-8\n".to_owned();
        for form in &file.forms {
            text.push_str(&abstract_format::form(&session.names, form));
            text.push_str(".\n");
        }
        std::fs::write(&ours, text).expect("written");
        let includes = otp.include_folders(path).join("\t");
        oracle.ask(&format!("{name}\t{}\t{includes}", ours.display()));
        let answer = oracle.answer();
        compared += 1;
        // OTP gives tokens after a macro's argument the position of the argument, so that `?LINE` there is the line
        // the argument ends on. Here it is always the line of the use.
        let known = name.ends_with("logger_backend.erl") && answer.contains("{atom,0,line}");
        if answer != "ok" && !known {
            differences.push(format!("{name}: {}", answer.chars().take(2_000).collect::<String>()));
        }
    }
    oracle.end();
    let _ = std::fs::remove_dir_all(&folder);
    eprintln!("{compared} trees compared, {} differ", differences.len());
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

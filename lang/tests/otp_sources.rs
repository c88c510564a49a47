//! Every source file of OTP's central applications goes through the front end without an error.

mod support;

use erlet_lang::{Define, ParseOptions, Session, ast, parse_file};
use std::time::Instant;
use support::Otp;

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

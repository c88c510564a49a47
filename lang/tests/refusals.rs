//! What OTP's compiler refuses, is refused, and nothing more: small programs about each error of its linter, preprocessor and parser.
//!
//! `refusals.txt` holds them, each behind a line `== name: refused` or `accepted`, as `erlc` of Erlang/OTP 25 (all features enabled)
//! answers. Where later releases answer otherwise, a program is not among them.

use erlet_lang::lint::{LintOptions, check};
use erlet_lang::{NoIncludes, ParseOptions, Session, parse_file};

const PROGRAMS: &str = include_str!("refusals.txt");

fn is_refused(source: &str) -> bool {
    let mut session = Session::new();
    let file =
        parse_file(&mut session, "m.erl", source.as_bytes(), &ParseOptions::default(), &mut NoIncludes);
    let options = LintOptions { allow_no_module: true, ..LintOptions::default() };
    check(&mut session, &file, &options);
    session.has_errors()
}

#[test]
fn what_otp_refuses_is_refused() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for entry in PROGRAMS.strip_prefix("== ").expect("a program begins it").split("\n== ") {
        let (head, source) = entry.split_once('\n').expect("a program follows its head");
        let (name, answer) = head.split_once(": ").expect("a head is a name and an answer");
        count += 1;
        if is_refused(source) != (answer == "refused") {
            wrong.push(format!("{name}: OTP's answer is `{answer}`"));
        }
    }
    assert!(count > 580, "only {count} programs were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

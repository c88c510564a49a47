//! Whatever comes in, the front end answers with a tree or diagnostics: no panic, no overflow, no endless loop.

mod support;

use erlet_lang::ast::{File, MAX_DEPTH, on_compile_stack};
use erlet_lang::lint::{LintOptions, check};
use erlet_lang::{Code, NoIncludes, Options, ParseOptions, Session, compile, parse_file};
use support::Random;

fn parse(text: &[u8]) -> (Session, File) {
    let mut session = Session::new();
    let file = parse_file(&mut session, "hostile.erl", text, &ParseOptions::default(), &mut NoIncludes);
    (session, file)
}

fn lint(session: &mut Session, file: &File) {
    check(session, file, &LintOptions { allow_no_module: true, ..LintOptions::default() });
}

#[test]
fn random_bytes() {
    let mut random = Random(1);
    for _ in 0..3_000 {
        let length = random.below(200);
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        let (mut session, _) = parse(&bytes);
        session.render(false);
    }
}

/// Fragments of the language in any order: far more of it reaches the parser than of random bytes.
#[test]
fn random_fragments() {
    const FRAGMENTS: &[&str] = &[
        "f",
        "X",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<<",
        ">>",
        "->",
        ";",
        ",",
        ".\n",
        "|",
        "||",
        "<-",
        "<=",
        ":=",
        "=>",
        "#",
        "#r",
        "?",
        "??",
        "?M",
        "-define(M",
        "-define(N(A), ??A).\n",
        "-ifdef(M).\n",
        "-endif.\n",
        "-else.\n",
        "-if(",
        "-record(r, {",
        "-type t() ::",
        "-spec f(",
        "when",
        "case",
        "of",
        "end",
        "fun",
        "try",
        "catch",
        "after",
        "receive",
        "maybe",
        "else",
        "?=",
        "begin",
        "if",
        "1",
        "16#f",
        "1.0",
        "$a",
        "\"s\"",
        "~b\"x\"",
        "\"\"\"\n",
        "\n\"\"\"",
        "'",
        "\\",
        "%",
        "\n",
        "é",
        "/",
        ":",
        "::",
        "*",
        "-",
        "not",
        "andalso",
        "=",
        "!",
        "&&",
        "-include(\"x\").\n",
        "-file(\"x\", 3).\n",
        "-export([f/1]).\n",
        "?LINE",
        "?FUNCTION_NAME",
        "...",
        "..",
        "_",
    ];
    let mut random = Random(2);
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..random.below(40) {
            text.push_str(FRAGMENTS[random.below(FRAGMENTS.len())]);
            if random.below(3) > 0 {
                text.push(' ');
            }
        }
        let (mut session, file) = parse(text.as_bytes());
        lint(&mut session, &file);
        session.render(false);
    }
}

fn refused_as_too_deep(text: &str) {
    let (session, _) = parse(text.as_bytes());
    assert!(session.diagnostics.iter().any(|d| d.code == Code::NestedTooDeeply), "{:?}", session.diagnostics);
    assert!(session.diagnostics.len() < 10, "{} diagnostics", session.diagnostics.len());
}

#[test]
fn nesting_without_end_is_refused() {
    let n = 200_000;
    refused_as_too_deep(&format!("f() -> {}x{}.\n", "[".repeat(n), "]".repeat(n)));
    refused_as_too_deep(&format!("f() -> {}x.\n", "- ".repeat(n)));
    refused_as_too_deep(&format!("f() -> {}x.\n", "catch ".repeat(n)));
    refused_as_too_deep(&format!("f() -> {}x.\n", "A = ".repeat(n)));
    refused_as_too_deep(&format!("f() -> x{}.\n", " + 1".repeat(n)));
    refused_as_too_deep(&format!("f() -> X{}.\n", "#{}".repeat(n)));
    refused_as_too_deep(&format!("f() -> X{}.\n", "#r.a".repeat(n)));
    refused_as_too_deep(&format!("f() -> {}x{}.\n", "fun () -> ".repeat(n), " end".repeat(n)));
    refused_as_too_deep(&format!("f() -> {}x{}.\n", "case ".repeat(n), " of _ -> y end".repeat(n)));
    refused_as_too_deep(&format!("-type t() :: {}x{}.\n", "[".repeat(n), "]".repeat(n)));
    refused_as_too_deep(&format!("-type t() :: {}x.\n", "A :: ".repeat(n)));
}

/// Parentheses leave no node, so they may nest as the source likes.
#[test]
fn parentheses_do_not_count() {
    let n = 100_000;
    let (session, file) = parse(format!("f() -> {}x{}.\n", "(".repeat(n), ")".repeat(n)).as_bytes());
    assert!(!session.has_errors());
    assert_eq!(file.forms.len(), 1);
}

/// Test threads have 2 MiB of stack.
#[test]
fn the_deepest_legal_tree_can_be_dropped_on_a_small_stack() {
    let n = MAX_DEPTH as usize - 1;
    for (open, close) in [("{", "}"), ("- ", ""), ("fun () -> ", " end"), ("case ", " of _ -> y end")] {
        let text = format!("f() -> {}x{}.\n", open.repeat(n), close.repeat(n));
        let (session, file) = parse(text.as_bytes());
        assert!(!session.has_errors(), "{:?}", session.diagnostics);
        drop(file);
    }
}

/// Other recursions have the compile stack.
#[test]
fn the_deepest_legal_tree_can_be_cloned_and_compared_on_the_compile_stack() {
    let n = MAX_DEPTH as usize - 1;
    let text = format!("f() -> {}x{}.\n", "case ".repeat(n), " of _ -> y end".repeat(n));
    let (_, file) = parse(text.as_bytes());
    on_compile_stack(move || assert!(file.clone() == file)).expect("a thread");
}

#[test]
fn the_deepest_legal_tree_can_be_linted() {
    let n = MAX_DEPTH as usize - 1;
    for (open, close) in [
        ("{", "}"),
        ("- ", ""),
        ("fun () -> ", " end"),
        ("case ", " of _ -> y end"),
        ("[x || x <- ", "]"),
        ("f(", ")"),
    ] {
        let text = format!("f(_) -> {}x{}.\n", open.repeat(n), close.repeat(n));
        let (mut session, file) = parse(text.as_bytes());
        lint(&mut session, &file);
        assert!(!session.diagnostics.iter().any(|d| d.code == Code::NestedTooDeeply));
    }
    let (mut session, file) =
        parse(format!("-type t() :: {}x{}.\n", "[".repeat(n), "]".repeat(n)).as_bytes());
    lint(&mut session, &file);
}

/// Time must not grow with the square: these take a fraction of a second each, or hours.
#[test]
fn long_flat_things_are_linted_in_linear_time() {
    let n = 100_000;
    let list = format!("f(X) -> [{}X].\n", "{X, a},".repeat(n));
    let body = format!("f() -> {}x.\n", "_ = x,".repeat(n));
    let variables: String = (0..n / 10).map(|i| format!("V{i} = g(), ")).collect();
    let variables = format!("f() -> {variables}x.\ng() -> 1.\n");
    let clauses: String = (0..n).map(|i| format!("f({i}) -> {i};\n")).collect();
    let clauses = format!("{clauses}f(x) -> y.\n");
    let functions: String = (0..n / 4).map(|i| format!("f{i}() -> f{}().\n", i + 1)).collect();
    for text in [list, body, variables, clauses, functions] {
        let (mut session, file) = parse(text.as_bytes());
        lint(&mut session, &file);
    }
}

#[test]
fn long_flat_things_are_fine() {
    let n = 300_000;
    let list = format!("f() -> [{}0].\n", "1,".repeat(n));
    let body = format!("f() -> {}x.\n", "x,".repeat(n));
    let strings = format!("f() -> {}.\n", "\"ab\" ".repeat(n));
    let clauses = format!("{}f(x) -> y.\n", "f(x) -> y;\n".repeat(n / 4));
    let union = format!("-type t() :: {}x.\n", "x | ".repeat(n));
    for text in [list, body, strings, clauses, union] {
        let (session, file) = parse(text.as_bytes());
        assert!(!session.has_errors() && file.forms.len() == 1);
    }
}

#[test]
fn chains_of_operators_reach_thousands() {
    let text = format!("f() -> a{}.\n", " ++ b".repeat(MAX_DEPTH as usize - 2));
    assert!(!parse(text.as_bytes()).0.has_errors());
}

/// Long patterns, many clauses, and chains of calls, with what is numbered as OTP's compiler comes to it.
#[test]
fn long_flat_things_are_compiled() {
    let n = 20_000;
    let list = format!("f([{}0]) -> [X || X <- g()];\nf(_) -> [X || X <- h()].\n", "1,".repeat(n));
    let string = format!("f(\"{}\") -> [X || X <- g()];\nf(_) -> [X || X <- h()].\n", "a".repeat(n));
    let clauses: String = (0..n).map(|i| format!("f({{{i}, {i}}}) -> [X || X <- g({i})];\n")).collect();
    let clauses = format!("{clauses}f(_) -> y.\ng(X) -> [X].\n");
    let chain: String = (0..n).map(|i| format!("f{i}() -> f{}(), ok.\n", i + 1)).collect();
    let chain = format!("f() -> f0().\n{chain}f{n}() -> error(never).\n");
    for text in [list, string, clauses, chain] {
        let text = format!("-module(m).\n-compile(export_all).\n{text}g() -> [1].\nh() -> [2].\n");
        let mut compiled = compile("m.erl", text.as_bytes(), &Options::default(), &mut NoIncludes);
        assert!(compiled.module.is_some(), "{}", compiled.session.render(false));
    }
}

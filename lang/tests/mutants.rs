//! Mutated source files are accepted or refused as OTP does.
//!
//! Forms of OTP's sources, with one or two tokens deleted, doubled, swapped or replaced, go through `epp:parse_file`
//! and through this parser; what the two say must agree, apart from the listed kinds of difference. Whole modules with
//! one token changed go through `erl_lint` and this linter.

mod support;

use erlet_lang::lint::{LintOptions, check};
use erlet_lang::token::{Spanned, Token, lex};
use erlet_lang::{NoIncludes, ParseOptions, Session, parse_file};
use support::{Oracle, Otp, Random};

/// How many files to mutate; `ERLET_MUTANTS` overrides it for longer runs.
const MUTANTS: usize = 1_000;

/// The forms of a file as texts of tokens; directives are left out, since their files and macros are not there.
fn forms(session: &mut Session, text: &str) -> Vec<Vec<String>> {
    let source = session.sources.add("form", text).expect("fits");
    let lexed = lex(session, source);
    let mut forms = Vec::new();
    for form in lexed.tokens.split(|t: &Spanned| t.token == Token::Dot) {
        let macros = form.iter().any(|t| matches!(t.token, Token::Question | Token::Error(_)));
        let directive =
            form.get(1).is_some_and(|word| session.sources.text(word.span).starts_with("include"));
        if !macros && !directive && form.len() > 3 {
            forms.push(form.iter().map(|t| session.sources.text(t.span).to_owned()).collect());
        }
    }
    forms
}

/// Words, variables, numbers, operators and punctuation.
fn kind(word: &str) -> u8 {
    match word.chars().next() {
        Some('a'..='z' | '\'') => 1,
        Some('A'..='Z' | '_') => 2,
        Some('0'..='9') => 3,
        Some('+' | '-' | '*' | '/' | '=' | '<' | '>' | '!') => 4,
        _ => 5,
    }
}

fn mutate(random: &mut Random, tokens: &mut Vec<String>, words: &[String]) {
    // Mostly one change: with more, hardly a mutant is legal.
    for _ in 0..=random.below(4) / 3 {
        let at = random.below(tokens.len());
        match random.below(8) {
            0 if tokens.len() > 1 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at].clone()),
            2 if at + 1 < tokens.len() => tokens.swap(at, at + 1),
            // A word of the same kind is often legal, where other changes hardly are.
            3..6 => {
                let like = |word: &&String| kind(word) == kind(&tokens[at]);
                let found = words.iter().skip(random.below(words.len())).find(like);
                tokens[at] = found.unwrap_or(&words[0]).clone();
            }
            6 => tokens[at] = words[random.below(words.len())].clone(),
            _ => tokens.insert(at, words[random.below(words.len())].clone()),
        }
    }
}

/// A file of two forms, one of them mutated.
fn mutant(random: &mut Random, pool: &[Vec<String>], words: &[String]) -> String {
    let mut text = "-module(mutant).\n".to_owned();
    for mutated in [true, false] {
        let mut tokens = pool[random.below(pool.len())].clone();
        if mutated {
            mutate(random, &mut tokens, words);
        }
        text.push_str(&tokens.join(" "));
        text.push_str(" .\n");
    }
    text
}

fn accepted(text: &str) -> Result<(), String> {
    let mut session = Session::new();
    parse_file(&mut session, "mutant.erl", text.as_bytes(), &ParseOptions::default(), &mut NoIncludes);
    match session.has_errors() {
        true => Err(session.render(false)),
        false => Ok(()),
    }
}

/// A module of OTP with one token changed.
fn mutated_module(random: &mut Random, text: &str) -> String {
    let mut session = Session::new();
    let source = session.sources.add("module", text).expect("fits");
    let tokens = lex(&mut session, source).tokens;
    let place = |at: usize| session.sources.place(tokens[at].span).expect("lexed from it");
    let at = random.below(tokens.len());
    let (start, end) = (place(at).start as usize, place(at).end as usize);
    let words: Vec<&str> = tokens.iter().map(|t| session.sources.text(t.span)).collect();
    let replacement = match random.below(6) {
        0 => String::new(),
        1 => format!("{0} {0}", words[at]),
        2 => words[random.below(words.len())].to_owned(),
        _ => {
            let like = |word: &&&str| kind(word) == kind(words[at]);
            let found = words.iter().skip(random.below(words.len())).find(like);
            found.unwrap_or(&words[at]).to_string()
        }
    };
    format!("{} {replacement} {}", &text[..start], &text[end..])
}

/// Whether parser and linter find an error; and what they say.
fn judged(text: &str, path: &str, otp: &Otp) -> (bool, String) {
    let mut session = Session::new();
    let file = parse_file(&mut session, path, text.as_bytes(), &ParseOptions::default(), &mut otp.loader());
    check(&mut session, &file, &LintOptions::default());
    (session.has_errors(), session.render(false))
}

/// Differences by intention: what OTP 27 says where the OTP at hand says otherwise, and what only this parser checks.
fn intended(ours: &Result<(), String>, theirs: &str) -> bool {
    match ours {
        // The parser of OTP 25 knows no map comprehensions, strict or zip generators.
        Ok(()) => theirs.contains("before: '||'") || theirs.contains("before: '&&'"),
        // OTP takes `-type` and `-opaque` without a type for attributes without a meaning of their own.
        Err(message) => {
            ["- type", "- opaque"].iter().any(|word| message.contains(word)) && !message.contains("::")
        }
    }
}

#[test]
fn mutated_files_are_judged_as_by_otp() {
    let Some(otp) = Otp::find() else { return };
    let count = std::env::var("ERLET_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(MUTANTS);
    let mut session = Session::new();
    let mut pool = Vec::new();
    for path in otp.sources(&["stdlib", "kernel", "compiler", "tools"]) {
        let text = erlet_lang::source::decode(&std::fs::read(&path).expect("listed")).text;
        pool.extend(forms(&mut session, &text));
    }
    let words: Vec<String> = pool.iter().step_by(97).flatten().cloned().collect();
    let folder = std::env::temp_dir().join(format!("erlet-mutants-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let mut oracle = Oracle::start("parse");
    let seed = std::env::var("ERLET_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0x5EED);
    let mut random = Random(seed);
    let (mut agreed, mut refused, mut differences) = (0, 0, Vec::new());
    let path = folder.join("mutant.erl");
    for _ in 0..count {
        let text = mutant(&mut random, &pool, &words);
        std::fs::write(&path, &text).expect("written");
        oracle.ask(&format!("{}", path.display()));
        let theirs = oracle.answer();
        let ours = accepted(&text);
        refused += usize::from(ours.is_err());
        match ours.is_ok() == (theirs == "ok") || intended(&ours, &theirs) {
            true => agreed += 1,
            false => differences.push(format!("{text}\nOTP: {theirs}\nerlet: {ours:?}")),
        }
    }
    oracle.end();
    let _ = std::fs::remove_dir_all(&folder);
    eprintln!("{agreed} of {count} mutants judged alike, {refused} of them refused");
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n----\n"));
}

#[test]
fn mutated_modules_are_judged_as_by_erl_lint() {
    let Some(otp) = Otp::find() else { return };
    let count = std::env::var("ERLET_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(MUTANTS / 4);
    // Small ones, so that many can be tried.
    const LARGEST: u64 = 40_000;
    let mut files = otp.sources(&["stdlib", "kernel", "tools"]);
    files.retain(|path| path.metadata().is_ok_and(|metadata| metadata.len() <= LARGEST));
    let mut oracle = Oracle::start("lint");
    let seed = std::env::var("ERLET_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0xCAFE);
    let mut random = Random(seed);
    let folder = std::env::temp_dir().join(format!("erlet-modules-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let (mut refused, mut differences) = (0, Vec::new());
    for _ in 0..count {
        let original = &files[random.below(files.len())];
        let text = erlet_lang::source::decode(&std::fs::read(original).expect("listed")).text;
        let text = mutated_module(&mut random, &text).replace("coding: latin-1", "coding: utf-8");
        let path = folder.join(original.file_name().expect("a file"));
        std::fs::write(&path, &text).expect("written");
        oracle.ask(&format!("{}\t{}", path.display(), otp.include_folders(original).join("\t")));
        let mut theirs = oracle.answers();
        theirs.retain(|answer| answer.starts_with('E'));
        // The loader looks beside the original for headers.
        let (is_refused, said) = judged(&text, &original.to_string_lossy(), &otp);
        refused += usize::from(is_refused);
        // OTP takes an atom for a segment of a binary pattern, which then never matches.
        let intended = theirs.is_empty() && said.contains("cannot be matched in a binary");
        if is_refused == theirs.is_empty() && !intended {
            let line = theirs.first().and_then(|answer| answer.rsplit(' ').next()?.parse::<usize>().ok());
            let shown = line.and_then(|line| text.lines().nth(line.saturating_sub(1))).unwrap_or("");
            differences.push(format!("{} OTP: {theirs:?} {shown}\nerlet: {said}", original.display()));
        }
    }
    oracle.end();
    let _ = std::fs::remove_dir_all(&folder);
    eprintln!("{count} modules, {refused} refused, {} judged differently", differences.len());
    assert!(differences.is_empty(), "{}", differences.join("\n----\n"));
}

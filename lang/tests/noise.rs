//! How much is said about one slip: modules of OTP with one token deleted, doubled, swapped or replaced.
//!
//! One slip should give one error, at its place, whatever stands in the rest of the file. What is said is counted and compared with
//! what OTP's own compiler says about the same text.

mod support;

use erlet_lang::lint::{LintOptions, check};
use erlet_lang::token::lex;
use erlet_lang::{ParseOptions, Session, parse_file};
use support::{Oracle, Otp, Random};

/// How many modules to change; `ERLET_SLIPS` overrides it for longer runs.
const SLIPS: usize = 250;

/// Small ones, so that many can be tried.
const LARGEST: u64 = 40_000;

/// The text with one slip, and the line it is on.
fn slip(random: &mut Random, text: &str) -> (String, u32, String) {
    let mut session = Session::new();
    let source = session.sources.add("module", text).expect("fits");
    let tokens = lex(&mut session, source).tokens;
    let at = random.below(tokens.len() - 1);
    let place = |at: usize| session.sources.place(tokens[at].span).expect("lexed from it");
    let word = |at: usize| session.sources.text(tokens[at].span).to_owned();
    let (start, end) = (place(at).start as usize, place(at).end as usize);
    let line = session.sources.line(tokens[at].span);
    let (changed, what) = match random.below(6) {
        0 | 1 => (String::new(), format!("without `{}`", word(at))),
        2 => (format!("{0} {0}", word(at)), format!("with `{}` twice", word(at))),
        3 => {
            let other = word(random.below(tokens.len()));
            (format!("{other} {}", word(at)), format!("with `{other}` before `{}`", word(at)))
        }
        4 => {
            let other = word(random.below(tokens.len()));
            (other.clone(), format!("with `{other}` for `{}`", word(at)))
        }
        _ => {
            let next = place(at + 1);
            let between = &text[end..next.start as usize];
            let changed = format!("{}{between}{}", word(at + 1), word(at));
            let what = format!("with `{}` and `{}` swapped", word(at), word(at + 1));
            return (format!("{}{changed}{}", &text[..start], &text[next.end as usize..]), line, what);
        }
    };
    // A space keeps neighbours apart.
    (format!("{} {changed} {}", &text[..start], &text[end..]), line, what)
}

/// The lines of errors, in order, the number of warnings, and all that is said.
fn judged(text: &str, path: &str, otp: &Otp) -> (Vec<u32>, usize, String) {
    let mut session = Session::new();
    let file = parse_file(&mut session, path, text.as_bytes(), &ParseOptions::default(), &mut otp.loader());
    check(&mut session, &file, &LintOptions::default());
    let said = session.render(false);
    let (errors, warnings): (Vec<_>, Vec<_>) = session.diagnostics.iter().partition(|one| one.is_error());
    let lines = errors.iter().map(|error| session.sources.line(error.span)).collect();
    (lines, warnings.len(), said)
}

fn percentile(sorted: &[usize], percent: usize) -> usize {
    sorted[(sorted.len() - 1) * percent / 100]
}

#[test]
fn one_slip_gives_one_error_at_its_place() {
    let Some(otp) = Otp::find() else { return };
    let wanted = std::env::var("ERLET_SLIPS").ok().and_then(|n| n.parse().ok()).unwrap_or(SLIPS);
    let seed = std::env::var("ERLET_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0x51_1B);
    let small = |path: &std::path::PathBuf| path.metadata().is_ok_and(|found| found.len() < LARGEST);
    let files: Vec<_> =
        otp.sources(&["stdlib", "kernel", "compiler", "tools"]).into_iter().filter(small).collect();
    let mut oracle = Oracle::start("lint");
    let folder = std::env::temp_dir().join(format!("erlet-noise-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let changed = folder.join("slip.erl");
    let mut random = Random(seed);
    let (mut ours, mut theirs, mut near, mut near_theirs) = (Vec::new(), Vec::new(), 0, 0);
    let mut extra_warnings = Vec::new();
    let (mut worst, mut missed) = (Vec::new(), Vec::new());
    while ours.len() < wanted {
        let path = &files[random.below(files.len())];
        let text = erlet_lang::source::decode(&std::fs::read(path).expect("listed")).text;
        let (text, line, what) = slip(&mut random, &text);
        let name = path.to_string_lossy();
        let (lines, warnings, said) = judged(&text, &name, &otp);
        if lines.is_empty() {
            // It is another program, but a legal one.
            continue;
        }
        std::fs::write(&changed, &text).expect("written");
        oracle.ask(&format!("{}\t{}", changed.display(), otp.include_folders(path).join("\t")));
        let mut otp_lines = Vec::new();
        for answer in oracle.answers() {
            let parts: Vec<&str> = answer.split(' ').collect();
            if parts[0] == "E" {
                otp_lines.push(parts[2].parse::<u32>().expect("a line"));
            }
        }
        ours.push(lines.len());
        theirs.push(otp_lines.len());
        extra_warnings.push(warnings);
        let is_near = lines.iter().any(|&found| found.abs_diff(line) <= 1);
        near += usize::from(is_near);
        near_theirs += usize::from(otp_lines.iter().any(|&found| found.abs_diff(line) <= 1));
        let head = format!("{name}:{line} {what}: {} here, {} in OTP\n", lines.len(), otp_lines.len());
        if lines.len() > 2 {
            worst.push((lines.len(), head.clone() + &said));
        }
        if !is_near {
            missed.push(head + &said);
        }
    }
    oracle.end();
    let _ = std::fs::remove_dir_all(&folder);
    for counts in [&mut ours, &mut theirs, &mut extra_warnings] {
        counts.sort_unstable();
    }
    let show = |counts: &[usize]| {
        let mean = counts.iter().sum::<usize>() as f64 / counts.len() as f64;
        let at = |percent| percentile(counts, percent);
        format!("median {}, 90% {}, 99% {}, most {}, mean {mean:.2}", at(50), at(90), at(99), at(100))
    };
    eprintln!("errors here: {}", show(&ours));
    eprintln!("errors in OTP: {}", show(&theirs));
    eprintln!("warnings here: {}", show(&extra_warnings));
    eprintln!("an error within a line of the slip: {near} of {wanted} here, {near_theirs} in OTP");
    if let Some(folder) = std::env::var_os("ERLET_SLIPS_OUT") {
        let folder = std::path::PathBuf::from(folder);
        worst.sort_by_key(|entry| std::cmp::Reverse(entry.0));
        let worst: Vec<String> = worst.into_iter().map(|entry| entry.1).collect();
        std::fs::write(folder.join("worst"), worst.join("\n=======\n")).expect("written");
        std::fs::write(folder.join("missed"), missed.join("\n=======\n")).expect("written");
    }
    assert_eq!(percentile(&ours, 50), 1, "half of all slips give one error");
    assert!(percentile(&ours, 90) <= 2, "nearly all slips give one error or two");
    assert!(near * 10 >= wanted * 8, "most slips are found where they are");
}

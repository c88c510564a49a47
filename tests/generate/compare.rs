//! Comparing what the sides print.

use crate::sides::{Side, compiles, is_too_long};
use std::path::Path;

/// What the answer of OTP without its optimisations begins with if some of them had to stay.
const PARTLY: &str = "** partly optimised\n";

/// Erlang/OTP with and without its optimisations: either may be right.
pub struct Otp {
    pub usual: Side,
    plain: Side,
}

impl Otp {
    pub fn new(folder: &Path) -> Otp {
        Otp { usual: Side::otp(folder, true), plain: Side::otp(folder, false) }
    }

    /// How erlet's answer differs from both of OTP's.
    pub fn difference(&mut self, wanted: &str, got: &str, file: &Path) -> Option<String> {
        difference(wanted, wanted, got)?;
        let plain = self.plain.answers(&[file.to_path_buf()]).remove(0);
        let (partly, plain) = match plain.strip_prefix(PARTLY) {
            _ if !compiles(&plain) || is_too_long(&plain) => (true, wanted),
            Some(plain) => (true, plain),
            None => (false, plain.as_str()),
        };
        let found = difference(wanted, plain, got)?;
        if !partly {
            return Some(found);
        }
        // It is not known which frames OTP has only because of its optimisations: a call that cannot return, say, is made the last
        // one, and its caller's frame is gone.
        difference(&without_frames(wanted), &without_frames(plain), &without_frames(got))
    }
}

/// Lines without the frames of functions of the module.
fn without_frames(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("{'f") {
        let (before, frame) = rest.split_at(at);
        out.push_str(before.trim_end_matches(','));
        let mut depth = 0;
        let end = frame.char_indices().find(|(_, c)| {
            depth += i32::from(*c == '{') - i32::from(*c == '}');
            depth == 0
        });
        rest = end.map_or("", |(end, _)| &frame[end + 1..]);
    }
    out + rest
}

/// The first line in which an output differs from both of two others.
fn difference(wanted: &str, plain: &str, got: &str) -> Option<String> {
    if !compiles(wanted) || !compiles(got) {
        return (compiles(wanted) != compiles(got)).then(|| {
            let short = |text: &str| {
                if compiles(text) { "compiles".into() } else { text.chars().take(400).collect::<String>() }
            };
            format!("OTP: {} erlet: {}", short(wanted), short(got))
        });
    }
    let (a, p, b): (Vec<&str>, Vec<&str>, Vec<&str>) =
        (wanted.lines().collect(), plain.lines().collect(), got.lines().collect());
    let at = (0..a.len().max(b.len())).find(|n| {
        let (x, y, z) = (a.get(*n), b.get(*n), p.get(*n));
        x != y && z != y && ![x, y, z].into_iter().flatten().any(|line| is_known(line))
    })?;
    let line =
        |lines: &[&str]| lines.get(at).map_or("nothing".to_string(), |l| l.chars().take(500).collect());
    Some(format!("\n  OTP   {}\n  erlet {}", line(&a), line(&b)))
}

/// Whether OTP's compiler failed, rather than the module, or what it made ended its machine.
pub fn is_ill(answer: &str) -> bool {
    if answer.starts_with("** crash") {
        return true;
    }
    !compiles(answer) && (answer.contains("internal error") || answer.contains("{crash,"))
}

/// Known differences of OTP 25 and 27, and what depends on time: by a part of the line.
const KNOWN: &[(&str, &str)] =
    &[("-0.0", "OTP 27 tells -0.0 from 0.0, OTP 25 does not"), ("timeout", "a call took too long")];

fn is_known(line: &str) -> bool {
    KNOWN.iter().any(|(part, _)| line.contains(part))
}

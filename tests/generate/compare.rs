//! Comparing what the sides print.

use crate::sides::{Side, compiles, is_too_long};
use std::path::Path;

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
        let plain = if compiles(&plain) && !is_too_long(&plain) { plain.as_str() } else { wanted };
        difference(wanted, plain, got)
    }
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

/// Whether OTP's compiler failed, rather than the module.
pub fn is_ill(answer: &str) -> bool {
    !compiles(answer) && (answer.contains("internal error") || answer.contains("{crash,"))
}

/// Known differences of OTP 25 and 27, and what depends on time: by a part of the line.
const KNOWN: &[(&str, &str)] =
    &[("-0.0", "OTP 27 tells -0.0 from 0.0, OTP 25 does not"), ("timeout", "a call took too long")];

fn is_known(line: &str) -> bool {
    KNOWN.iter().any(|(part, _)| line.contains(part))
}

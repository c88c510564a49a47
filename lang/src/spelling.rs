//! Atoms, characters, strings and numbers as Erlang source writes them: for messages and for `??Argument`.

/// Words that need quotes to be atoms.
const RESERVED: &[&str] = &[
    "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case", "catch", "cond",
    "div", "else", "end", "fun", "if", "let", "maybe", "not", "of", "or", "orelse", "receive", "rem", "try",
    "when", "xor",
];

/// An atom, quoted if it needs to be.
pub fn atom(text: &str) -> String {
    let mut chars = text.chars();
    let plain = chars.next().is_some_and(|c| matches!(c, 'a'..='z' | 'ß'..='ö' | 'ø'..='ÿ'))
        && chars.all(|c| {
            matches!(c, 'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '@' | 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ÿ')
        });
    match plain && !RESERVED.contains(&text) {
        true => text.to_owned(),
        false => quote(text, '\''),
    }
}

/// A string literal.
pub fn string(text: &str) -> String {
    quote(text, '"')
}

/// A character literal.
pub fn character(c: char) -> String {
    match c {
        ' ' => "$\\s".to_owned(),
        _ => {
            let mut out = "$".to_owned();
            push_escaped(&mut out, c, '\0');
            out
        }
    }
}

/// The shortest literal that means this float: with an exponent where that is shorter, and outside the range in which doubles
/// count single units, as OTP writes it.
pub fn float(value: f64) -> String {
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let scientific = match digits.contains('.') {
        true => format!("{digits}e{exponent}"),
        false => format!("{digits}.0e{exponent}"),
    };
    let plain = format!("{value:?}");
    let counts_units = value.abs() < 9_007_199_254_740_992.0;
    if value == 0.0 || counts_units && !plain.contains('e') && plain.len() <= scientific.len() {
        return plain;
    }
    scientific
}

/// An atom as `??Argument` has it: without characters beyond Latin-1.
pub fn latin1_atom(text: &str) -> String {
    let mut out = String::new();
    for c in atom(text).chars() {
        match c {
            '\u{0}'..='\u{FF}' => out.push(c),
            c => out.push_str(&format!("\\x{{{:X}}}", u32::from(c))),
        }
    }
    out
}

fn quote(text: &str, mark: char) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(mark);
    for c in text.chars() {
        push_escaped(&mut out, c, mark);
    }
    out.push(mark);
    out
}

fn push_escaped(out: &mut String, c: char, mark: char) {
    match c {
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{B}' => out.push_str("\\v"),
        '\u{8}' => out.push_str("\\b"),
        '\u{C}' => out.push_str("\\f"),
        '\u{1B}' => out.push_str("\\e"),
        '\u{7F}' => out.push_str("\\d"),
        c if c == mark => {
            out.push('\\');
            out.push(c);
        }
        '\u{0}'..='\u{1F}' | '\u{80}'..='\u{9F}' => out.push_str(&format!("\\{:03o}", u32::from(c))),
        c => out.push(c),
    }
}

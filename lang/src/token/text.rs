//! Strings, quoted atoms, characters and sigils, scanned by hand.

use super::{Callback, LexError, State, Token};
use crate::{Code, Diagnostic, Name, Span};
use logos::Lexer;

/// What is wrong at bytes `start..end` of the text after the opening quote.
struct Fault {
    code: Code,
    start: usize,
    end: usize,
    title: String,
}

/// What stands between two quotes.
struct Quoted {
    text: String,
    /// Bytes up to and including the closing quote.
    length: usize,
    /// The first thing wrong inside.
    fault: Option<Fault>,
}

/// `$c`
pub fn character(lexer: &mut Lexer<'_, Token>) -> Callback<char> {
    let start = lexer.span().start;
    let rest = lexer.remainder();
    let Some(first) = rest.chars().next() else {
        let title = "a character is missing after `$`";
        return Err(LexError::Other(lexer.extras.fault(Code::Unterminated, start, start + 1, title)));
    };
    if first != '\\' {
        lexer.bump(first.len_utf8());
        return match legal(first) {
            true => Ok(first),
            false => Err(LexError::Other(illegal(&mut lexer.extras, first, start, start + 4))),
        };
    }
    match escape(&rest[1..]) {
        Ok((c, length)) => {
            lexer.bump(1 + length);
            Ok(c)
        }
        Err((length, title)) => {
            lexer.bump(1 + length);
            let end = lexer.span().end;
            let code = if rest.len() == 1 { Code::Unterminated } else { Code::IllegalEscape };
            Err(LexError::Other(lexer.extras.fault(code, start, end, title)))
        }
    }
}

/// `'...'`
pub fn quoted_atom(lexer: &mut Lexer<'_, Token>) -> Callback<Name> {
    let text = quoted(lexer, '\'', false, "quoted atom")?;
    let span = lexer.span();
    match lexer.extras.name(&text, span.start, span.end, Token::Atom) {
        Token::Atom(name) => Ok(name),
        other => Err(LexError::Other(other)),
    }
}

/// `"..."`
pub fn string(lexer: &mut Lexer<'_, Token>) -> Callback<Name> {
    let text = quoted(lexer, '"', false, "string")?;
    if lexer.remainder().starts_with('"') {
        let end = lexer.span().end;
        let span = Span { start: lexer.extras.base + end as u32, end: lexer.extras.base + end as u32 + 1 };
        let diagnostic =
            Diagnostic::new(Code::AdjacentStrings, span, "two strings without white space between")
                .label("the second begins here")
                .help("put a space between them, or double the backslash if the quote belongs to the text");
        // The second string is still cut as one, so that what follows stays in step.
        return Err(LexError::Other(lexer.extras.push(diagnostic)));
    }
    Ok(lexer.extras.names.intern(&text))
}

/// `"""` and more quotes: text from the next line on, indented as its end is.
pub fn triple_quoted(lexer: &mut Lexer<'_, Token>) -> Callback<Name> {
    let quotes = lexer.slice().len();
    let text = block(lexer, quotes, true)?;
    Ok(lexer.extras.names.intern(&text))
}

/// `~`, a type and a string with one of many delimiters.
pub fn sigil(lexer: &mut Lexer<'_, Token>) -> Callback<Name> {
    let start = lexer.span().start;
    let rest = lexer.remainder();
    let kind = &rest[..rest.find(|c: char| !is_name_char(c)).unwrap_or(rest.len())];
    let after = &rest[kind.len()..];
    let Some(open) = after.chars().next().filter(|&open| closing(open).is_some()) else {
        if kind.is_empty() {
            return Err(LexError::Other(Token::Symbol('~')));
        }
        lexer.bump(kind.len());
        let title = "a sigil needs a string right after its prefix";
        let end = lexer.span().end;
        return Err(LexError::Other(lexer.extras.fault(Code::IllegalSigil, start, end, title)));
    };
    let quotes = after.bytes().take_while(|&b| b == b'"').count();
    let triple = quotes >= 3;
    // Inside triple quotes a sigil without a letter is verbatim, as the string itself would be.
    let verbatim = match kind {
        "" => triple,
        "b" | "s" => false,
        _ => true,
    };
    lexer.bump(kind.len() + if triple { quotes } else { open.len_utf8() });
    let text = match triple {
        true => block(lexer, quotes, verbatim)?,
        false => quoted(lexer, closing(open).unwrap_or(open), verbatim, "sigil")?,
    };
    finish_sigil(lexer, kind, &text)
}

fn finish_sigil(lexer: &mut Lexer<'_, Token>, kind: &str, text: &str) -> Callback<Name> {
    let start = lexer.span().start;
    let rest = lexer.remainder();
    let suffix = rest.find(|c: char| !is_name_char(c)).unwrap_or(rest.len());
    lexer.bump(suffix);
    let end = lexer.span().end;
    if suffix > 0 {
        let title = "a sigil has no suffix";
        return Err(LexError::Other(lexer.extras.fault(Code::IllegalSigil, end - suffix, end, title)));
    }
    match kind {
        "" | "b" | "B" => Ok(lexer.extras.names.intern(text)),
        "s" | "S" => Err(LexError::Other(Token::SigilStr(lexer.extras.names.intern(text)))),
        _ => {
            let title = format!("unknown sigil `~{kind}`");
            let end = start + 1 + kind.len();
            let token = lexer.extras.fault(Code::IllegalSigil, start, end, title);
            if let Some(last) = lexer.extras.errors.last_mut() {
                last.helps.push("the sigils are `~b`, `~B`, `~s`, `~S` and `~`".to_owned());
            }
            Err(LexError::Other(token))
        }
    }
}

fn is_name_char(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '@' | 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ÿ')
}

/// The delimiter that ends what `open` begins.
fn closing(open: char) -> Option<char> {
    Some(match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        '/' | '|' | '\'' | '"' | '`' | '#' => open,
        _ => return None,
    })
}

/// Reads up to the closing quote; the token so far ends with the opening one.
fn quoted(lexer: &mut Lexer<'_, Token>, end: char, verbatim: bool, what: &str) -> Callback<String> {
    let span = lexer.span();
    match scan_quoted(lexer.remainder(), end, verbatim) {
        Some(Quoted { text, length, fault: None }) => {
            lexer.bump(length);
            Ok(text)
        }
        Some(Quoted { length, fault: Some(fault), .. }) => {
            lexer.bump(length);
            let token = report(&mut lexer.extras, fault, span.end);
            Err(LexError::Other(token))
        }
        None => {
            lexer.bump(lexer.remainder().len());
            let title = format!("unterminated {what}");
            let token = lexer.extras.fault(Code::Unterminated, span.start, span.end, title);
            if let Some(last) = lexer.extras.errors.last_mut() {
                last.label = Some("opened here".to_owned());
            }
            Err(LexError::Other(token))
        }
    }
}

fn report(state: &mut State, fault: Fault, offset: usize) -> Token {
    state.fault(fault.code, offset + fault.start, offset + fault.end, fault.title)
}

/// The text up to `end`; `None` if it never comes.
fn scan_quoted(rest: &str, end: char, verbatim: bool) -> Option<Quoted> {
    let mut text = String::new();
    let mut fault = None;
    let mut at = 0;
    loop {
        let plain = rest[at..].find([end, '\\'])?;
        let piece = &rest[at..at + plain];
        check_plain(piece, at, &mut fault);
        text.push_str(piece);
        at += plain;
        if rest[at..].starts_with(end) {
            return Some(Quoted { text, length: at + end.len_utf8(), fault });
        }
        // A backslash.
        let after = &rest[at + 1..];
        if verbatim {
            // Only the delimiter needs an escape; any other backslash stands for itself.
            match after.starts_with(end) {
                true => text.push(end),
                false => text.push('\\'),
            }
            at += 1 + if after.starts_with(end) { end.len_utf8() } else { 0 };
            continue;
        }
        match escape(after) {
            Ok((c, length)) => {
                text.push(c);
                at += 1 + length;
            }
            Err((length, title)) => {
                let code = Code::IllegalEscape;
                fault.get_or_insert(Fault { code, start: at, end: at + 1 + length, title });
                at += 1 + length;
            }
        }
    }
}

/// U+FFFE and U+FFFF are no characters; surrogates cannot stand in decoded text.
fn legal(c: char) -> bool {
    !matches!(c, '\u{FFFE}' | '\u{FFFF}')
}

fn illegal(state: &mut State, c: char, start: usize, end: usize) -> Token {
    state.fault(Code::IllegalCharacter, start, end, illegal_title(c))
}

fn illegal_title(c: char) -> String {
    format!("illegal character U+{:04X}", u32::from(c))
}

fn check_plain(piece: &str, offset: usize, fault: &mut Option<Fault>) {
    // The UTF-8 form of both begins with this byte, which few texts contain.
    if !piece.as_bytes().contains(&0xEF) {
        return;
    }
    if let Some((at, c)) = piece.char_indices().find(|&(_, c)| !legal(c)) {
        let code = Code::IllegalCharacter;
        let start = offset + at;
        fault.get_or_insert(Fault { code, start, end: start + c.len_utf8(), title: illegal_title(c) });
    }
}

/// The character of an escape sequence, after its backslash, and the bytes it takes; or the bytes that are wrong.
fn escape(after: &str) -> Result<(char, usize), (usize, String)> {
    let Some(first) = after.chars().next() else {
        return Err((0, "an escape sequence is cut off".to_owned()));
    };
    let one = first.len_utf8();
    match first {
        '0'..='7' => {
            let digits = after.bytes().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
            let code = u32::from_str_radix(&after[..digits], 8).unwrap_or(0);
            char::from_u32(code).map(|c| (c, digits)).ok_or((digits, "illegal octal escape".to_owned()))
        }
        'x' => hex_escape(after),
        '^' => {
            let Some(control) = after[1..].chars().next() else {
                return Err((1, "a control character is cut off".to_owned()));
            };
            match control {
                '@'..='_' => Ok((char::from(control as u8 - b'@'), 2)),
                'a'..='z' => Ok((char::from(control as u8 - b'a' + 1), 2)),
                '?' => Ok(('\u{7F}', 2)),
                _ => Err((1, format!("there is no control character `\\^{}`", control.escape_debug()))),
            }
        }
        'n' => Ok(('\n', 1)),
        'r' => Ok(('\r', 1)),
        't' => Ok(('\t', 1)),
        'v' => Ok(('\u{B}', 1)),
        'b' => Ok(('\u{8}', 1)),
        'f' => Ok(('\u{C}', 1)),
        'e' => Ok(('\u{1B}', 1)),
        's' => Ok((' ', 1)),
        'd' => Ok(('\u{7F}', 1)),
        c if legal(c) => Ok((c, one)),
        c => Err((one, illegal_title(c))),
    }
}

/// `\x41` and `\x{1F600}`.
fn hex_escape(after: &str) -> Result<(char, usize), (usize, String)> {
    let is_hex = |b: &u8| b.is_ascii_hexdigit();
    let bytes = after.as_bytes();
    if bytes.get(1) == Some(&b'{') {
        let digits = bytes[2..].iter().take_while(|b| is_hex(b)).count();
        let length = 2 + digits;
        if bytes.get(length) != Some(&b'}') {
            return Err((length, "a hexadecimal escape is not closed by `}`".to_owned()));
        }
        let code = u32::from_str_radix(&after[2..length], 16).ok();
        return match code.and_then(char::from_u32).filter(|&c| legal(c)) {
            Some(c) => Ok((c, length + 1)),
            None => Err((length + 1, "this code point is not a character".to_owned())),
        };
    }
    if bytes.len() >= 3 && is_hex(&bytes[1]) && is_hex(&bytes[2]) {
        let code = u8::from_str_radix(&after[1..3], 16).unwrap_or(0);
        return Ok((char::from(code), 3));
    }
    Err((1, "`\\x` needs two hexadecimal digits, or any number of them in braces".to_owned()))
}

/// A triple-quoted text: the opening quotes were just read.
fn block(lexer: &mut Lexer<'_, Token>, quotes: usize, verbatim: bool) -> Callback<String> {
    let start = lexer.span().start;
    let offset = lexer.span().end;
    let rest = lexer.remainder();
    let Some(end) = find_block_end(rest, quotes) else {
        lexer.bump(rest.len());
        let title = "unterminated triple-quoted string";
        let token = lexer.extras.fault(Code::Unterminated, start, offset, title);
        if let Some(last) = lexer.extras.errors.last_mut() {
            last.label = Some("opened here".to_owned());
            last.helps.push(format!("it ends at a line that begins with {} quotes", quotes));
        }
        return Err(LexError::Other(token));
    };
    lexer.bump(end.length);
    match strip_block(&rest[..end.line_start], &rest[end.line_start..end.line_start + end.indent], verbatim) {
        Ok(text) => Ok(text),
        Err(fault) => Err(LexError::Other(report(&mut lexer.extras, fault, offset))),
    }
}

/// The line that ends a block.
struct BlockEnd {
    /// Where the line begins.
    line_start: usize,
    /// Bytes of white space before its quotes.
    indent: usize,
    /// Where its quotes end.
    length: usize,
}

/// The first line, after the one the opening quotes are on, that begins with white space and as many quotes.
fn find_block_end(rest: &str, quotes: usize) -> Option<BlockEnd> {
    let mut at = 0;
    loop {
        let line = &rest[at..];
        let newline = line.find('\n')?;
        // An escaped newline is one, too, and no other escape can hide one.
        at += newline + 1;
        let line = &rest[at..];
        let indent = line.find(|c: char| !is_white(c) || c == '\n').unwrap_or(line.len());
        let run = line[indent..].bytes().take_while(|&b| b == b'"').count();
        if run >= quotes {
            return Some(BlockEnd { line_start: at, indent, length: at + indent + quotes });
        }
    }
}

fn is_white(c: char) -> bool {
    matches!(c, '\u{0}'..=' ' | '\u{80}'..='\u{A0}')
}

/// The text of a block: `body` is from the opening quotes to the beginning of the last line.
fn strip_block(body: &str, indent: &str, verbatim: bool) -> Result<String, Fault> {
    let first = body.find('\n').map_or(body.len(), |at| at + 1);
    if let Some(at) = body[..first].find(|c: char| !is_white(c)) {
        let title = "the text of a triple-quoted string begins on the next line".to_owned();
        return Err(Fault {
            code: Code::IllegalTripleQuote,
            start: at,
            end: body[..first].trim_end().len(),
            title,
        });
    }
    let mut text = String::with_capacity(body.len());
    let mut at = first;
    for line in body[first..].split_inclusive('\n') {
        match line.strip_prefix(indent) {
            Some(content) => text.push_str(content),
            None if matches!(line, "\n" | "\r\n") => text.push_str(line),
            None => {
                let title = "this line is indented less than the closing quotes".to_owned();
                let end = at + line.trim_end().len().max(1);
                return Err(Fault { code: Code::IllegalTripleQuote, start: at, end, title });
            }
        }
        at += line.len();
    }
    // The newline before the closing line is not part of the text.
    let kept =
        text.strip_suffix('\n').map_or(text.len(), |rest| rest.strip_suffix('\r').unwrap_or(rest).len());
    let escaped = !verbatim
        && kept < text.len()
        && text[..kept].bytes().rev().take_while(|&b| b == b'\\').count() % 2 == 1;
    text.truncate(if escaped { kept - 1 } else { kept });
    let mut fault = None;
    check_plain(&text, first, &mut fault);
    if !verbatim {
        text = unescape(&text, first, &mut fault);
    }
    match fault {
        Some(fault) => Err(fault),
        None => Ok(text),
    }
}

/// The text with its escape sequences replaced, as far as they are legal.
pub(crate) fn unescaped(text: &str) -> String {
    unescape(text, 0, &mut None)
}

/// The text with its escape sequences replaced.
fn unescape(text: &str, offset: usize, fault: &mut Option<Fault>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        match escape(&rest[at + 1..]) {
            Ok((c, length)) => {
                out.push(c);
                rest = &rest[at + 1 + length..];
            }
            Err((length, title)) => {
                // Stripping has moved the text, so the place is only the beginning of the block's text.
                fault.get_or_insert(Fault { code: Code::IllegalEscape, start: offset, end: offset, title });
                rest = &rest[at + 1 + length..];
            }
        }
    }
    out.push_str(rest);
    out
}

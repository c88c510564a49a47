//! Values as text: what `~p` prints, on one line, in a loop.

use std::fmt::{self, Write as _};

use super::{Map, Value};
use crate::term::print::{Range, is_printable, write_atom, write_escaped};

/// What is still to be written.
enum Item<'v> {
    Value(&'v Value),
    /// The rest of a row: what comes before the next, and how it is closed.
    Row(&'v [Value], &'static str, char),
    /// The last of a list that ends in no `[]`.
    Tail(&'v Value),
    Pairs(&'v [Value], &'static str),
    Text(&'static str),
}

fn write(out: &mut dyn fmt::Write, value: &Value) -> fmt::Result {
    let mut rest = vec![Item::Value(value)];
    while let Some(item) = rest.pop() {
        match item {
            Item::Value(value) => open(out, value, &mut rest)?,
            Item::Row([], _, close) => out.write_char(close)?,
            Item::Row([first, more @ ..], before, close) => {
                out.write_str(before)?;
                rest.push(Item::Row(more, ",", close));
                rest.push(Item::Value(first));
            }
            Item::Tail(tail) => {
                out.write_char('|')?;
                rest.push(Item::Text("]"));
                rest.push(Item::Value(tail));
            }
            Item::Pairs([key, value, more @ ..], before) => {
                out.write_str(before)?;
                rest.push(Item::Pairs(more, ","));
                rest.push(Item::Value(value));
                rest.push(Item::Text(" => "));
                rest.push(Item::Value(key));
            }
            Item::Pairs(..) => out.write_char('}')?,
            Item::Text(text) => out.write_str(text)?,
        }
    }
    Ok(())
}

fn open<'v>(out: &mut dyn fmt::Write, value: &'v Value, rest: &mut Vec<Item<'v>>) -> fmt::Result {
    match value {
        Value::Int(value) => write!(out, "{value}"),
        Value::BigInt(value) => write!(out, "{value}"),
        Value::Float(value) if value.is_finite() => out.write_str(&crate::num::float::short(*value)),
        Value::Float(value) => write!(out, "{value}"),
        Value::Atom(atom) => {
            let mut text = String::new();
            write_atom(&mut text, atom, true);
            out.write_str(&text)
        }
        Value::Binary(bytes) => bits(out, bytes, 8 * bytes.len()),
        Value::Bits(value) => bits(out, value.bytes(), value.bit_length()),
        Value::List(elements) => match string(elements) {
            Some(text) => out.write_str(&text),
            None => {
                rest.push(Item::Row(elements, "", ']'));
                out.write_char('[')
            }
        },
        Value::Improper(parts) => {
            let Some((tail, elements)) = parts.split_last() else { return out.write_str("[]") };
            rest.push(Item::Tail(tail));
            for (index, element) in elements.iter().enumerate().rev() {
                rest.push(Item::Value(element));
                if index > 0 {
                    rest.push(Item::Text(","));
                }
            }
            out.write_char('[')
        }
        Value::Tuple(elements) => {
            rest.push(Item::Row(elements, "", '}'));
            out.write_char('{')
        }
        Value::Map(Map(entries)) => {
            rest.push(Item::Pairs(entries, ""));
            out.write_str("#{")
        }
        Value::Pid(pid) => write!(out, "{pid}"),
        Value::Port(port) => write!(out, "{port}"),
        Value::Reference(reference) => write!(out, "{reference}"),
        Value::Function(function) => write!(out, "{function}"),
        Value::Resource(resource) => write!(out, "{resource:?}"),
    }
}

/// A list of printable characters, quoted.
fn string(elements: &[Value]) -> Option<String> {
    if elements.is_empty() {
        return None;
    }
    let mut text = String::from("\"");
    for element in elements {
        let code = element.as_int().filter(|code| is_printable(*code, Range::Latin1))?;
        write_escaped(&mut text, char::from_u32(u32::try_from(code).ok()?)?);
    }
    text.push('"');
    Some(text)
}

fn bits(out: &mut dyn fmt::Write, bytes: &[u8], bits: usize) -> fmt::Result {
    let whole = bits.is_multiple_of(8);
    let printable = |text: &str| text.chars().all(|c| is_printable(i64::from(u32::from(c)), Range::Latin1));
    if whole
        && !bytes.is_empty()
        && let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| printable(text))
    {
        let mut quoted = String::from("<<\"");
        text.chars().for_each(|character| write_escaped(&mut quoted, character));
        quoted.push_str(if text.is_ascii() { "\">>" } else { "\"/utf8>>" });
        return out.write_str(&quoted);
    }
    out.write_str("<<")?;
    for (index, byte) in bytes.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        let last = index + 1 == bytes.len();
        match bits % 8 {
            odd if odd > 0 && last => write!(out, "{comma}{}:{odd}", byte >> (8 - odd))?,
            _ => write!(out, "{comma}{byte}")?,
        }
    }
    out.write_str(">>")
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self)
    }
}

impl fmt::Debug for super::Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('[')?;
        for (index, value) in self.iter().enumerate() {
            if index > 0 {
                f.write_char(',')?;
            }
            write(f, value)?;
        }
        f.write_char(']')
    }
}

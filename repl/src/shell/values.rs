//! Values between the terminal side and the shell's Erlang side.

use erlet::Value;

/// An atom.
pub fn atom(text: &str) -> Value {
    Value::atom(text)
}

/// Text as a binary.
pub fn binary(text: &str) -> Value {
    Value::from(text)
}

/// `true` or `false`.
pub fn boolean(value: bool) -> Value {
    atom(if value { "true" } else { "false" })
}

/// What a binary or an atom says; of anything else nothing.
pub fn text(value: &Value) -> String {
    match value {
        Value::Binary(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::Atom(text) => text.to_string(),
        _ => String::new(),
    }
}

/// A string: a list of characters, or a binary.
pub fn string(value: &Value) -> String {
    match value {
        Value::List(chars) => {
            let code = |value: &Value| match value {
                Value::Int(code) => u32::try_from(*code).ok().and_then(char::from_u32),
                _ => None,
            };
            chars.iter().filter_map(code).collect()
        }
        other => text(other),
    }
}

/// A macro's value as source text.
pub fn written(value: &Value) -> String {
    match value {
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Atom(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        Value::Tuple(values) => format!("{{{}}}", values.iter().map(written).collect::<Vec<_>>().join(",")),
        Value::List(values) => format!("[{}]", values.iter().map(written).collect::<Vec<_>>().join(",")),
        other => format!("<<{:?}/utf8>>", text(other)),
    }
}

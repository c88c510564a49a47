//! Cloning in a loop: values may be nested deeper than the stack is long.

use super::{Map, Value, Values};

impl Value {
    /// A value of the same kind with these parts.
    pub(super) fn with_parts(&self, parts: Vec<Value>) -> Value {
        let parts = Values(parts);
        match self {
            Value::Improper(_) => Value::Improper(parts),
            Value::Tuple(_) => Value::Tuple(parts),
            Value::Map(_) => Value::Map(Map(parts)),
            _ => Value::List(parts),
        }
    }
}

/// A value whose parts are being cloned.
struct Frame<'v> {
    /// `None`: the outermost.
    of: Option<&'v Value>,
    rest: std::slice::Iter<'v, Value>,
    done: Vec<Value>,
}

impl Clone for Values {
    fn clone(&self) -> Values {
        let mut top = Frame { of: None, rest: self.0.iter(), done: Vec::with_capacity(self.len()) };
        let mut below = Vec::new();
        loop {
            let Some(value) = top.rest.next() else {
                let Some(outer) = below.pop() else { return Values(top.done) };
                let inner = std::mem::replace(&mut top, outer);
                top.done.extend(inner.of.map(|of| of.with_parts(inner.done)));
                continue;
            };
            match value.parts() {
                Some(parts) => {
                    let done = Vec::with_capacity(parts.len());
                    let inner = Frame { of: Some(value), rest: parts.iter(), done };
                    below.push(std::mem::replace(&mut top, inner));
                }
                // What has no parts is cloned as a whole, which does not come back here.
                None => top.done.push(value.clone()),
            }
        }
    }
}

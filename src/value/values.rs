//! Elements of lists and tuples.

use std::ops::{Deref, DerefMut};

use super::{Map, Value};

/// The elements of a list or tuple: a vector that can be dropped, cloned and compared however deep its elements are nested.
///
/// It dereferences to a slice, is made from a vector or an array, and can be taken apart:
///
/// ```
/// use erlet::{Value, Values};
/// let values = Values::from(vec![Value::from(1), Value::from(2)]);
/// assert_eq!(values.len(), 2);
/// let total: i64 = values.into_iter().filter_map(|value| value.as_int()).sum();
/// assert_eq!(total, 3);
/// ```
#[derive(Default)]
pub struct Values(pub(super) Vec<Value>);

impl Values {
    /// No elements.
    ///
    /// ```
    /// assert!(erlet::Values::new().is_empty());
    /// ```
    pub const fn new() -> Values {
        Values(Vec::new())
    }

    /// The elements as a vector.
    ///
    /// ```
    /// assert_eq!(erlet::Values::from([erlet::Value::from(1)]).into_vec().len(), 1);
    /// ```
    pub fn into_vec(mut self) -> Vec<Value> {
        std::mem::take(&mut self.0)
    }

    /// Adds an element at the end.
    ///
    /// ```
    /// let mut values = erlet::Values::new();
    /// values.push(1.into());
    /// assert_eq!(values.len(), 1);
    /// ```
    pub fn push(&mut self, value: Value) {
        self.0.push(value);
    }
}

impl Value {
    /// Its parts, if it has any.
    pub(super) fn parts(&self) -> Option<&[Value]> {
        match self {
            Value::List(parts) | Value::Improper(parts) | Value::Tuple(parts) | Value::Map(Map(parts)) => {
                Some(parts)
            }
            _ => None,
        }
    }

    /// Its parts, taken out.
    fn take_parts(&mut self) -> Option<Vec<Value>> {
        match self {
            Value::List(parts) | Value::Improper(parts) | Value::Tuple(parts) | Value::Map(Map(parts)) => {
                Some(std::mem::take(&mut parts.0))
            }
            _ => None,
        }
    }
}

/// Values may be nested deeper than the stack is long: what is inside is taken out and dropped in a loop.
impl Drop for Values {
    fn drop(&mut self) {
        let mut rest: Vec<Vec<Value>> = self.0.iter_mut().filter_map(Value::take_parts).collect();
        while let Some(mut parts) = rest.pop() {
            rest.extend(parts.iter_mut().filter_map(Value::take_parts).filter(|parts| !parts.is_empty()));
        }
    }
}

impl Deref for Values {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

impl DerefMut for Values {
    fn deref_mut(&mut self) -> &mut [Value] {
        &mut self.0
    }
}

impl From<Vec<Value>> for Values {
    fn from(values: Vec<Value>) -> Values {
        Values(values)
    }
}

impl<const N: usize> From<[Value; N]> for Values {
    fn from(values: [Value; N]) -> Values {
        Values(values.into())
    }
}

impl FromIterator<Value> for Values {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Values {
        Values(values.into_iter().collect())
    }
}

impl IntoIterator for Values {
    type Item = Value;
    type IntoIter = std::vec::IntoIter<Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<'a> IntoIterator for &'a Values {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

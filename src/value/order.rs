//! Order, equality and hashing of values, in a loop.
//!
//! The order is the one of a map's keys: numbers before atoms, references, funs, ports, pids, tuples, maps, lists, bitstrings; and among
//! numbers all integers before all floats, so that what is equal is the same.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use super::{BigInt, Reference, Value, Values};

/// Where a value stands among those of other kinds.
fn rank(value: &Value) -> u8 {
    match value {
        Value::Int(_) | Value::BigInt(_) => 0,
        Value::Float(_) => 1,
        Value::Atom(_) => 2,
        Value::Reference(_) | Value::Resource(_) => 3,
        Value::Function(_) => 4,
        Value::Port(_) => 5,
        Value::Pid(_) => 6,
        Value::Tuple(_) => 7,
        Value::Map(_) => 8,
        Value::List(elements) if elements.is_empty() => 9,
        Value::List(_) | Value::Improper(_) => 10,
        Value::Binary(_) | Value::Bits(_) => 11,
    }
}

/// Rank of a list that is not empty.
const CELL: u8 = 10;

/// A list: its elements, and its tail if that is not `[]`.
type List<'v> = (&'v [Value], Option<&'v Value>);

fn list(value: &Value) -> List<'_> {
    match value {
        Value::Improper(parts) => match parts.split_last() {
            Some((tail, elements)) => (elements, Some(tail)),
            None => (&[], None),
        },
        other => (other.parts().unwrap_or_default(), None),
    }
}

/// What is still to be compared.
enum Task<'v> {
    /// Every `step`th of two rows of the same length.
    Rows {
        a: &'v [Value],
        b: &'v [Value],
        step: usize,
    },
    Lists {
        a: List<'v>,
        b: List<'v>,
    },
}

fn compare(a: &Value, b: &Value) -> Ordering {
    let mut tasks = Vec::new();
    let mut order = one(a, b, &mut tasks);
    while order.is_eq() {
        let Some(task) = tasks.pop() else { return Ordering::Equal };
        order = match task {
            Task::Rows { a: [first_a, rest_a @ ..], b: [first_b, rest_b @ ..], step } => {
                let skip = (step - 1).min(rest_a.len());
                tasks.push(Task::Rows { a: &rest_a[skip..], b: &rest_b[skip..], step });
                one(first_a, first_b, &mut tasks)
            }
            Task::Rows { .. } => Ordering::Equal,
            Task::Lists { a: ([first_a, rest_a @ ..], tail_a), b: ([first_b, rest_b @ ..], tail_b) } => {
                tasks.push(Task::Lists { a: (rest_a, tail_a), b: (rest_b, tail_b) });
                one(first_a, first_b, &mut tasks)
            }
            Task::Lists { a: ([], tail_a), b: ([], tail_b) } => match (tail_a, tail_b) {
                (Some(a), Some(b)) => one(a, b, &mut tasks),
                (a, b) => tail_rank(a).cmp(&tail_rank(b)),
            },
            Task::Lists { a: ([], tail), .. } => tail_rank(tail).cmp(&CELL),
            Task::Lists { b: (_, tail), .. } => CELL.cmp(&tail_rank(tail)),
        };
    }
    order
}

fn tail_rank(tail: Option<&Value>) -> u8 {
    tail.map_or(9, rank)
}

/// Compares two values but for their parts, which become tasks.
fn one<'v>(a: &'v Value, b: &'v Value, tasks: &mut Vec<Task<'v>>) -> Ordering {
    let kinds = rank(a).cmp(&rank(b));
    if kinds.is_ne() {
        return kinds;
    }
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Int(a), Value::BigInt(b)) => BigInt::from(*a).cmp(b),
        (Value::BigInt(a), Value::Int(b)) => a.cmp(&BigInt::from(*b)),
        (Value::BigInt(a), Value::BigInt(b)) => a.cmp(b),
        (Value::Float(a), Value::Float(b)) => a.total_cmp(b),
        (Value::Atom(a), Value::Atom(b)) => a.cmp(b),
        (Value::Reference(_) | Value::Resource(_), _) => reference(a).cmp(&reference(b)),
        (Value::Function(a), Value::Function(b)) => a.cmp(b),
        (Value::Port(a), Value::Port(b)) => a.cmp(b),
        (Value::Pid(a), Value::Pid(b)) => a.cmp(b),
        (Value::Tuple(a), Value::Tuple(b)) => {
            tasks.push(Task::Rows { a, b, step: 1 });
            a.len().cmp(&b.len())
        }
        (Value::Map(a), Value::Map(b)) => {
            if a.len() == b.len() && !a.is_empty() {
                tasks.push(Task::Rows { a: &a.0[1..], b: &b.0[1..], step: 2 });
                tasks.push(Task::Rows { a: &a.0, b: &b.0, step: 2 });
            }
            a.len().cmp(&b.len())
        }
        (Value::List(_) | Value::Improper(_), _) => {
            tasks.push(Task::Lists { a: list(a), b: list(b) });
            Ordering::Equal
        }
        _ => bits(a).cmp(&bits(b)),
    }
}

/// What a reference or a resource is known by.
fn reference(value: &Value) -> Option<Reference> {
    match value {
        Value::Reference(reference) => Some(*reference),
        Value::Resource(resource) => Some(resource.reference()),
        _ => None,
    }
}

/// The bytes of a bitstring, and its length in bits.
fn bits(value: &Value) -> (&[u8], usize) {
    match value {
        Value::Binary(bytes) => (bytes, 8 * bytes.len()),
        Value::Bits(bits) => (bits.bytes(), bits.bit_length()),
        _ => (&[], 0),
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        compare(self, other)
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Value {}

impl PartialEq for Values {
    fn eq(&self, other: &Values) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a == b)
    }
}

impl Eq for Values {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut rest = vec![self];
        while let Some(value) = rest.pop() {
            rank(value).hash(state);
            if let Some(parts) = value.parts() {
                parts.len().hash(state);
                rest.extend(parts);
                continue;
            }
            match value {
                Value::Int(value) => value.hash(state),
                Value::BigInt(value) => match i64::try_from(value) {
                    Ok(value) => value.hash(state),
                    Err(_) => value.hash(state),
                },
                Value::Float(value) => value.to_bits().hash(state),
                Value::Atom(atom) => atom.hash(state),
                Value::Reference(_) | Value::Resource(_) => reference(value).hash(state),
                Value::Function(function) => function.hash(state),
                Value::Port(port) => port.hash(state),
                Value::Pid(pid) => pid.hash(state),
                other => bits(other).hash(state),
            }
        }
    }
}

//! Values from text.

use std::fmt;
use std::str::FromStr;

use erlet_lang::bytecode::{LitValue, Literal};
use erlet_lang::constants::{Constants, parse_terms};

use super::{Atom, BigInt, Bitstring, Bytes, Map, Value};

/// A text that is not one Erlang term.
///
/// ```
/// let error = "{ok,".parse::<erlet::Value>().unwrap_err();
/// assert_eq!(error.line, 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotATerm {
    /// The line in the text, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for NotATerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for NotATerm {}

/// As Erlang source has it, with or without the dot at its end. Nothing is evaluated; what has no written form (pids, references, funs,
/// objects) cannot be read.
///
/// It needs the compiler's parser, so it is there with the feature `compiler`.
///
/// ```
/// use erlet::Value;
/// let value: Value = "{ok, [1, 2.5, <<\"text\">>], #{key => \"list\"}}".parse()?;
/// assert_eq!(value.to_string(), "{ok,[1,2.5,<<\"text\">>],#{key => \"list\"}}");
/// assert!("f(1)".parse::<Value>().is_err());
/// # Ok::<(), erlet::NotATerm>(())
/// ```
impl FromStr for Value {
    type Err = NotATerm;

    fn from_str(text: &str) -> Result<Value, NotATerm> {
        // The dot on a line of its own, so that it ends a comment and no number.
        let parsed = parse_terms(&format!("{text}\n."));
        let parsed = match parsed {
            Err(error) if text.trim_end().ends_with('.') => parse_terms(text).map_err(|_| error),
            parsed => parsed,
        };
        // The line of the dot is none of the text's.
        let last = text.lines().count().max(1) as u32;
        let refused = |line: u32, message| NotATerm { line: line.min(last), message };
        let constants = parsed.map_err(|error| refused(error.line, error.message))?;
        let [term] = constants.terms[..] else {
            return Err(NotATerm { line: 1, message: "expected one term".to_owned() });
        };
        one(&constants, term)
    }
}

/// The value of a row of the tables, made from the rows before it.
fn one(constants: &Constants, term: LitValue) -> Result<Value, NotATerm> {
    let mut rows = Rows::new(constants, term);
    for literal in &constants.literals {
        let value = match literal {
            Literal::Big { negative, magnitude } => BigInt::from_limbs(*negative, &limbs(magnitude)).into(),
            Literal::Float(bits) => Value::Float(f64::from_bits(*bits)),
            Literal::List { items, tail } => listed(rows.all(items), rows.take(*tail)),
            Literal::String(codes) => Value::list(codes.iter().copied()),
            Literal::Tuple(items) => Value::Tuple(rows.all(items).into()),
            Literal::Map(pairs) => {
                let entries = pairs.iter().map(|(key, value)| (rows.take(*key), rows.take(*value)));
                Value::Map(entries.collect::<Map>())
            }
            Literal::Bits { bytes, bits } if bits.is_multiple_of(8) => Value::Binary(Bytes::copy_from(bytes)),
            Literal::Bits { bytes, bits } => {
                Bitstring::new(bytes, *bits as usize).map_or(Value::NIL, Value::Bits)
            }
            Literal::Export { .. } => {
                return Err(NotATerm { line: 1, message: "a fun belongs to a machine".to_owned() });
            }
        };
        rows.made.push(value);
    }
    Ok(rows.take(term))
}

/// The rows that are values already. The last use of one takes it: a copy at each level would make deep terms quadratic.
struct Rows {
    atoms: Vec<Atom>,
    made: Vec<Value>,
    uses: Vec<usize>,
}

impl Rows {
    fn new(constants: &Constants, term: LitValue) -> Rows {
        let mut uses = vec![0; constants.literals.len()];
        let mut count = |value: &LitValue| {
            if let LitValue::Lit(row) = value {
                uses[row.index()] += 1;
            }
        };
        count(&term);
        for literal in &constants.literals {
            match literal {
                Literal::List { items, tail } => items.iter().chain([tail]).for_each(&mut count),
                Literal::Tuple(items) => items.iter().for_each(&mut count),
                Literal::Map(pairs) => {
                    pairs.iter().flat_map(|(key, value)| [key, value]).for_each(&mut count)
                }
                _ => {}
            }
        }
        let atoms = constants.atoms.iter().map(|text| Atom::new(text)).collect();
        Rows { atoms, made: Vec::with_capacity(uses.len()), uses }
    }

    fn all(&mut self, values: &[LitValue]) -> Vec<Value> {
        values.iter().map(|value| self.take(*value)).collect()
    }

    fn take(&mut self, value: LitValue) -> Value {
        match value {
            LitValue::Int(number) => Value::Int(number),
            LitValue::Atom(index) => Value::Atom(self.atoms[index.index()].clone()),
            LitValue::Nil => Value::NIL,
            LitValue::Lit(index) => {
                let row = index.index();
                self.uses[row] -= 1;
                match self.uses[row] {
                    0 => std::mem::replace(&mut self.made[row], Value::NIL),
                    _ => self.made[row].clone(),
                }
            }
        }
    }
}

/// A list with a tail, which may be a list itself.
fn listed(mut items: Vec<Value>, tail: Value) -> Value {
    match tail {
        Value::List(rest) => {
            items.extend(rest.into_vec());
            Value::List(items.into())
        }
        Value::Improper(rest) => {
            items.extend(rest.into_vec());
            Value::Improper(items.into())
        }
        tail => {
            items.push(tail);
            Value::Improper(items.into())
        }
    }
}

/// Little-endian bytes as limbs.
fn limbs(magnitude: &[u8]) -> Vec<u64> {
    let limb = |bytes: &[u8]| bytes.iter().rev().fold(0, |limb, byte| limb << 8 | u64::from(*byte));
    magnitude.chunks(8).map(limb).collect()
}

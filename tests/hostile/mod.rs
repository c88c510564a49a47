//! What hostile bytes are tried on: conversions, the external format, and the loading of bytecode. The tests feed it from seeds, the
//! fuzz targets (`tests/fuzz`) from what covers more code.
#![allow(dead_code, reason = "each program uses its part")]

use std::collections::BTreeMap;

use erlet::value::fragment;
use erlet::{
    Atom, BigInt, Bitstring, Bytes, Capabilities, Error, FromTerm, IntoTerm, Limits, Map, TermReader, Value,
    Vm,
};

/// Bytes that decide what is made.
pub struct Source<'b>(&'b [u8]);

impl<'b> Source<'b> {
    pub fn new(bytes: &'b [u8]) -> Source<'b> {
        Source(bytes)
    }

    fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or(0)
    }

    fn bytes(&mut self, most: usize) -> &'b [u8] {
        let length = (usize::from(self.byte()) % (most + 1)).min(self.0.len());
        self.0.split_off(..length).unwrap_or_default()
    }

    fn word(&mut self) -> u64 {
        (0..8).fold(0, |word, _| word << 8 | u64::from(self.byte()))
    }
}

/// A text of any characters.
fn text(source: &mut Source<'_>) -> String {
    String::from_utf8_lossy(source.bytes(40)).into_owned()
}

/// A value without parts.
fn leaf(kind: u8, source: &mut Source<'_>) -> Value {
    match kind % 11 {
        0 => Value::Int(i64::from(source.byte() as i8)),
        // Around the border of small integers, and of 64 bits.
        1 => Value::Int((1_i64 << 60).wrapping_add(i64::from(source.byte() as i8))),
        2 => Value::Int(source.word() as i64),
        3 => {
            let limbs: Vec<u64> = (0..source.byte() % 5).map(|_| source.word()).collect();
            BigInt::from_limbs(source.byte() % 2 == 1, &limbs).into()
        }
        4 => Some(f64::from_bits(source.word()))
            .filter(|float| float.is_finite())
            .map_or(Value::NIL, Value::Float),
        5 => Value::Float(f64::from(source.byte() as i8) / 8.0),
        6 => Value::Atom(Atom::from(text(source))),
        7 => Value::Binary(Bytes::copy_from(source.bytes(200))),
        8 => {
            let bytes = source.bytes(20);
            let bits = (bytes.len() * 8).saturating_sub(usize::from(source.byte() % 8));
            match Bitstring::new(bytes, bits) {
                Some(bits) if bits.bit_length() % 8 != 0 => Value::Bits(bits),
                _ => Value::Binary(Bytes::copy_from(bytes)),
            }
        }
        9 => Value::charlist(&text(source)),
        _ => Value::NIL,
    }
}

/// A value of everything that can be written, as deep as the bytes like.
pub fn value(source: &mut Source<'_>) -> Value {
    // What is on top takes those below it.
    let mut stack = vec![leaf(source.byte(), source)];
    while !source.0.is_empty() && stack.len() < 200 {
        let kind = source.byte();
        if kind < 140 {
            stack.push(leaf(kind, source));
            continue;
        }
        let taken = usize::from(source.byte()) % (stack.len().min(40) + 1);
        let mut parts = stack.split_off(stack.len() - taken);
        stack.push(match kind % 4 {
            0 => Value::List(parts.into()),
            1 => Value::Tuple(parts.into()),
            2 => {
                parts.truncate(parts.len() / 2 * 2);
                let (keys, values) = parts.split_at(parts.len() / 2);
                Value::Map(keys.iter().cloned().zip(values.iter().cloned()).collect::<Map>())
            }
            // No list ends in a list.
            _ => match parts.last() {
                Some(Value::List(_) | Value::Improper(_)) | None => Value::List(parts.into()),
                Some(_) if parts.len() == 1 => Value::Tuple(parts.into()),
                Some(_) => Value::Improper(parts.into()),
            },
        });
    }
    if stack.len() == 1 { stack.remove(0) } else { Value::Tuple(stack.into()) }
}

pub fn machine() -> Vm {
    machine_of(Limits::new().memory(64 << 20).atoms(100_000))
}

fn machine_of(limits: Limits) -> Vm {
    let builder = Vm::builder().threads(0).limits(limits).capabilities(Capabilities::none());
    let sink = || Box::new(std::io::sink());
    builder.stdout(sink()).stderr(sink()).build().expect("a machine")
}

/// Through a term of the machine, and back.
fn through(vm: &Vm, value: &Value) -> Result<Value, Error> {
    let rt = vm.runtime();
    let made = fragment(rt, &rt.account, |maker| maker.make(value))?;
    Value::from_term(made.term(), &TermReader::new(rt))
}

/// A term is read as what it may be and what it is not: that is an error, or the same again.
fn reads_as_anything(vm: &Vm, value: &Value) {
    fn reads<T: FromTerm + IntoTerm + Clone + PartialEq + std::fmt::Debug>(vm: &Vm, value: &Value) {
        let rt = vm.runtime();
        let reader = TermReader::new(rt);
        let Ok(made) = fragment(rt, &rt.account, |maker| maker.make(value)) else { return };
        let Ok(read) = T::from_term(made.term(), &reader) else { return };
        let again =
            fragment(rt, &rt.account, |maker| maker.make(read.clone())).expect("it was a term before");
        assert_eq!(T::from_term(again.term(), &reader).expect("it was read before"), read);
    }
    reads::<i64>(vm, value);
    reads::<u8>(vm, value);
    reads::<i128>(vm, value);
    reads::<BigInt>(vm, value);
    reads::<f64>(vm, value);
    reads::<bool>(vm, value);
    reads::<String>(vm, value);
    reads::<Bytes>(vm, value);
    reads::<Atom>(vm, value);
    reads::<Vec<i64>>(vm, value);
    reads::<Vec<(Atom, Value)>>(vm, value);
    reads::<(Value, Option<String>)>(vm, value);
    reads::<Option<Vec<Option<f64>>>>(vm, value);
    reads::<Result<Value, Atom>>(vm, value);
    reads::<BTreeMap<String, Vec<Value>>>(vm, value);
    reads::<BTreeMap<i64, BTreeMap<Atom, Bytes>>>(vm, value);
}

/// A value is the same after it was a term, an argument and a result, text, and bytes of the external format.
pub fn round_trips(vm: &Vm, value: &Value) {
    let back = match through(vm, value) {
        Ok(back) => back,
        // An atom of more than 255 characters, or too many of them.
        Err(Error::Conversion(_) | Error::Limit(_)) => return,
        Err(error) => panic!("{value}: {error}"),
    };
    assert_eq!(back, *value, "as a term");
    reads_as_anything(vm, value);
    let bytes: Bytes = match vm.call("erlang", "term_to_binary", (value,)) {
        Ok(bytes) => bytes,
        Err(Error::Limit(_)) => return,
        Err(error) => panic!("{value}: {error}"),
    };
    let decoded: Value = vm.call("erlang", "binary_to_term", (&bytes,)).expect("what was encoded");
    assert_eq!(decoded, *value, "as bytes {bytes:?}");
    #[cfg(feature = "compiler")]
    {
        let written = value.to_string();
        let parsed: Value = written.parse().unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!(parsed, *value, "as text");
    }
}

/// Bytes that claim to be of the external format are refused, or a value that survives.
pub fn external(vm: &Vm, bytes: &[u8]) {
    match vm.call::<Value>("erlang", "binary_to_term", (Bytes::copy_from(bytes),)) {
        Ok(value) => {
            let again: Bytes = vm.call("erlang", "term_to_binary", (&value,)).expect("it was decoded");
            let decoded: Value = vm.call("erlang", "binary_to_term", (&again,)).expect("it was encoded");
            // Funs and the like are the same by what they print.
            assert_eq!(decoded.to_string(), value.to_string());
        }
        Err(Error::Exception(exception)) => {
            assert!(exception.reason == "badarg" || exception.reason == "system_limit", "{exception}");
        }
        Err(Error::Exit(reason)) => assert!(reason.tagged("limit").is_some(), "{reason}"),
        Err(error) => panic!("{error}"),
    }
}

/// Slices that a function of hostile code gets.
const SLICES: usize = 20;

/// Bytes that claim to be bytecode are refused, or code that runs without harm.
pub fn bytecode(bytes: &[u8]) {
    // Code may run when it is loaded, and a hostile module may be asked anything only with an end to it.
    let vm = machine_of(Limits::new().memory(64 << 20).atoms(100_000).reductions(2_000_000));
    let loaded = match vm.load_bytecode(bytes) {
        Ok(loaded) => loaded,
        Err(Error::Load(_) | Error::Limit(_)) => return,
        // An `-on_load` function that fails or waits for ever.
        Err(_) => return,
    };
    let module = loaded.module.as_str();
    let Ok(exports) = vm.call::<Vec<(Atom, i64)>>(module, "module_info", (Atom::new("exports"),)) else {
        return;
    };
    for (function, arity) in exports.into_iter().take(20) {
        let args: Vec<Value> = (0..arity).map(Value::Int).collect();
        let Ok(call) = vm.spawn(module, &function, args) else { return };
        let _ = vm.poll(SLICES);
        let _ = vm.exit(call, Atom::new("kill"));
    }
}

//! [`Value`]s to Rust values.

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::Fault;
use crate::value::Value;

/// Deepest nesting that is read: as deep as `serde_json` reads.
const MAX_DEPTH: usize = 128;

/// The deserializer of one value.
#[derive(Clone, Copy)]
pub(super) struct Reader<'v> {
    value: &'v Value,
    /// Levels that may still be opened.
    depth: usize,
}

type Read<T> = Result<T, Fault>;

impl<'v> Reader<'v> {
    pub(super) fn new(value: &'v Value) -> Reader<'v> {
        Reader { value, depth: MAX_DEPTH }
    }

    /// A reader of a part.
    fn part(self, value: &'v Value) -> Read<Reader<'v>> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(Reader { value, depth }),
            None => Err(Fault::new("nested deeper than 128")),
        }
    }

    fn wrong(self, expected: &str) -> Fault {
        Fault::new(format!("{} instead of {expected}", shown(self.value)))
    }

    /// The text of an atom or a binary.
    fn text(self) -> Option<&'v str> {
        self.value.as_atom().or_else(|| self.value.as_str())
    }

    fn row(self) -> Option<&'v [Value]> {
        self.value.as_list().or_else(|| self.value.as_tuple())
    }

    fn sequence<V: Visitor<'v>>(self, visitor: V) -> Read<V::Value> {
        let values = self.row().ok_or_else(|| self.wrong("a list"))?;
        let part = if self.value.as_tuple().is_some() { Part::Tuple { before: 0 } } else { Part::List };
        Row { reader: self, values, at: 0, part }.read(visitor)
    }
}

/// How a part of a row is called in a path.
#[derive(Clone, Copy)]
enum Part {
    List,
    /// Of a tuple, so many elements of which come before the row.
    Tuple {
        before: usize,
    },
}

/// Elements of a list or a tuple.
struct Row<'v> {
    reader: Reader<'v>,
    values: &'v [Value],
    at: usize,
    part: Part,
}

impl<'v> Row<'v> {
    fn read<V: Visitor<'v>>(mut self, visitor: V) -> Read<V::Value> {
        let value = visitor.visit_seq(&mut self)?;
        if self.at < self.values.len() {
            return Err(Fault::new(format!("{} elements instead of {}", self.values.len(), self.at)));
        }
        Ok(value)
    }
}

impl<'v> SeqAccess<'v> for Row<'v> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'v>>(&mut self, seed: S) -> Read<Option<S::Value>> {
        let Some(value) = self.values.get(self.at) else { return Ok(None) };
        let at = self.at;
        self.at += 1;
        let read = self.reader.part(value).and_then(|part| seed.deserialize(part));
        read.map(Some).map_err(|fault| match self.part {
            Part::List => fault.inside(format_args!("[{at}]")),
            Part::Tuple { before } => fault.inside(format_args!("{{{}}}", before + at + 1)),
        })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.values.len() - self.at)
    }
}

/// Entries of a map.
struct Entries<'v, I> {
    reader: Reader<'v>,
    entries: I,
    /// The key that was read last, and the value that is to be.
    last: Option<(&'v Value, &'v Value)>,
}

impl<'v, I: ExactSizeIterator<Item = (&'v Value, &'v Value)>> MapAccess<'v> for Entries<'v, I> {
    type Error = Fault;

    fn next_key_seed<S: DeserializeSeed<'v>>(&mut self, seed: S) -> Read<Option<S::Value>> {
        self.last = self.entries.next();
        let Some((key, _)) = self.last else { return Ok(None) };
        self.reader.part(key).and_then(|part| seed.deserialize(part)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'v>>(&mut self, seed: S) -> Read<S::Value> {
        let Some((key, value)) = self.last else { return Err(Fault::new("a value before its key")) };
        let read = self.reader.part(value).and_then(|part| seed.deserialize(part));
        read.map_err(|fault| fault.inside(format_args!(".{}", shown(key))))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

/// The value as `~p` shows it, cut if it is long.
pub(super) fn shown(value: &Value) -> String {
    let mut text = value.to_string();
    if let Some((place, _)) = text.char_indices().nth(80) {
        text.truncate(place);
        text.push_str("...");
    }
    text
}

impl<'v> Deserializer<'v> for Reader<'v> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'v>>(self, visitor: V) -> Read<V::Value> {
        match self.value {
            Value::Int(value) => visitor.visit_i64(*value),
            Value::BigInt(value) => match (u64::try_from(value), i128::try_from(value)) {
                (Ok(value), _) => visitor.visit_u64(value),
                (_, Ok(value)) => visitor.visit_i128(value),
                _ => match u128::try_from(value) {
                    Ok(value) => visitor.visit_u128(value),
                    Err(_) => Err(self.wrong("an integer of at most 128 bits")),
                },
            },
            Value::Float(value) => visitor.visit_f64(*value),
            Value::Atom(atom) => match atom.as_str() {
                "true" => visitor.visit_bool(true),
                "false" => visitor.visit_bool(false),
                "undefined" => visitor.visit_none(),
                text => visitor.visit_borrowed_str(text),
            },
            Value::Binary(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => visitor.visit_borrowed_str(text),
                Err(_) => visitor.visit_borrowed_bytes(bytes),
            },
            Value::List(_) | Value::Tuple(_) => self.sequence(visitor),
            Value::Map(_) => self.deserialize_map(visitor),
            _ => Err(self.wrong("a value that serde knows")),
        }
    }

    fn deserialize_option<V: Visitor<'v>>(self, visitor: V) -> Read<V::Value> {
        if *self.value == "undefined" { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit<V: Visitor<'v>>(self, visitor: V) -> Read<V::Value> {
        if *self.value == "ok" { visitor.visit_unit() } else { Err(self.wrong("ok")) }
    }

    fn deserialize_unit_struct<V: Visitor<'v>>(self, _: &'static str, visitor: V) -> Read<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'v>>(self, _: &'static str, visitor: V) -> Read<V::Value> {
        visitor.visit_newtype_struct(self.part(self.value)?)
    }

    fn deserialize_char<V: Visitor<'v>>(self, visitor: V) -> Read<V::Value> {
        let code = self.value.as_int().and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32);
        visitor.visit_char(code.ok_or_else(|| self.wrong("a character"))?)
    }

    fn deserialize_str<V: Visitor<'v>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_borrowed_str(self.value.as_str().ok_or_else(|| self.wrong("a binary of UTF-8"))?)
    }

    fn deserialize_string<V: Visitor<'v>>(self, visitor: V) -> Read<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'v>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_borrowed_bytes(self.value.as_bytes().ok_or_else(|| self.wrong("a binary"))?)
    }

    fn deserialize_byte_buf<V: Visitor<'v>>(self, visitor: V) -> Read<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_seq<V: Visitor<'v>>(self, visitor: V) -> Read<V::Value> {
        self.sequence(visitor)
    }

    fn deserialize_tuple<V: Visitor<'v>>(self, _: usize, visitor: V) -> Read<V::Value> {
        self.sequence(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'v>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Read<V::Value> {
        self.sequence(visitor)
    }

    fn deserialize_map<V: Visitor<'v>>(self, visitor: V) -> Read<V::Value> {
        let map = self.value.as_map().ok_or_else(|| self.wrong("a map"))?;
        let mut access = Entries { reader: self, entries: map.iter(), last: None };
        let value = visitor.visit_map(&mut access)?;
        if access.entries.len() > 0 {
            return Err(Fault::new(format!("{} entries too many", access.entries.len())));
        }
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'v>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        self.deserialize_map(visitor)
    }

    fn deserialize_identifier<V: Visitor<'v>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_borrowed_str(self.text().ok_or_else(|| self.wrong("an atom"))?)
    }

    fn deserialize_ignored_any<V: Visitor<'v>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_enum<V: Visitor<'v>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        let (name, rest) = match (self.text(), self.value.as_tuple()) {
            (Some(name), _) => (Some(name), &[][..]),
            (_, Some([name, rest @ ..])) => (self.part(name)?.text(), rest),
            _ => (None, &[][..]),
        };
        match name {
            Some(name) => visitor.visit_enum(Variant { name, rest, reader: self }),
            None => Err(self.wrong("an atom or a tuple that begins with one")),
        }
    }

    forward_to_deserialize_any! {
        <W: Visitor<'v>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64
    }
}

/// A variant of an enum: its name, and what came with it.
struct Variant<'v> {
    name: &'v str,
    rest: &'v [Value],
    reader: Reader<'v>,
}

impl<'v> EnumAccess<'v> for Variant<'v> {
    type Error = Fault;
    type Variant = Variant<'v>;

    fn variant_seed<S: DeserializeSeed<'v>>(self, seed: S) -> Read<(S::Value, Variant<'v>)> {
        let name = seed.deserialize(StrDeserializer::<Fault>::new(self.name))?;
        Ok((name, self))
    }
}

impl<'v> VariantAccess<'v> for Variant<'v> {
    type Error = Fault;

    fn unit_variant(self) -> Read<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.reader.wrong("an atom")) }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'v>>(self, seed: S) -> Read<S::Value> {
        match self.rest {
            [value] => {
                let read = self.reader.part(value).and_then(|part| seed.deserialize(part));
                read.map_err(|fault| fault.inside(format_args!("{{2}}")))
            }
            _ => Err(self.reader.wrong("{Variant, Value}")),
        }
    }

    fn tuple_variant<V: Visitor<'v>>(self, length: usize, visitor: V) -> Read<V::Value> {
        if self.rest.len() != length {
            return Err(self.reader.wrong("a tuple of the variant and its values"));
        }
        Row { reader: self.reader, values: self.rest, at: 0, part: Part::Tuple { before: 1 } }.read(visitor)
    }

    fn struct_variant<V: Visitor<'v>>(self, _: &'static [&'static str], visitor: V) -> Read<V::Value> {
        match self.rest {
            [value] => {
                let read = self.reader.part(value).and_then(|part| part.deserialize_map(visitor));
                read.map_err(|fault| fault.inside(format_args!("{{2}}")))
            }
            _ => Err(self.reader.wrong("{Variant, #{field => Value}}")),
        }
    }
}

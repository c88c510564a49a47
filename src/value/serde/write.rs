//! Rust values to [`Value`]s.

use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::Fault;
use crate::value::{Atom, BigInt, Value};

/// The serializer.
pub(super) struct Writer;

/// A row of elements that becomes a list or a tuple.
pub(super) struct Row {
    elements: Vec<Value>,
    is_list: bool,
}

/// Entries of a map, which may be the second part of a variant.
pub(super) struct Entries {
    entries: Vec<(Value, Value)>,
    key: Option<Value>,
    variant: Option<Value>,
}

type Written = Result<Value, Fault>;

fn write<T: Serialize + ?Sized>(value: &T) -> Written {
    value.serialize(Writer)
}

macro_rules! numbers {
    ($($method:ident $type:ty;)*) => {$(
        fn $method(self, value: $type) -> Written {
            Ok(value.into())
        }
    )*};
}

impl Serializer for Writer {
    type Ok = Value;
    type Error = Fault;
    type SerializeSeq = Row;
    type SerializeTuple = Row;
    type SerializeTupleStruct = Row;
    type SerializeTupleVariant = Row;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeStructVariant = Entries;

    numbers! {
        serialize_bool bool;
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_i128 i128;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
        serialize_f64 f64;
        serialize_str &str;
    }

    fn serialize_u128(self, value: u128) -> Written {
        Ok(BigInt::from(value).into())
    }

    fn serialize_f32(self, value: f32) -> Written {
        Ok(f64::from(value).into())
    }

    fn serialize_char(self, value: char) -> Written {
        Ok(u32::from(value).into())
    }

    fn serialize_bytes(self, value: &[u8]) -> Written {
        Ok(Value::binary(value))
    }

    fn serialize_none(self) -> Written {
        Ok(Value::atom(Atom::from_static("undefined")))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        write(value)
    }

    fn serialize_unit(self) -> Written {
        Ok(Value::atom(Atom::from_static("ok")))
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        Ok(Value::atom(Atom::from_static(variant)))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Written {
        write(value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        Ok(Value::tuple([Value::atom(Atom::from_static(variant)), write(value)?]))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Row, Fault> {
        // A claim about the length is not believed beyond what costs nothing.
        Ok(Row { elements: Vec::with_capacity(length.unwrap_or(0).min(1024)), is_list: true })
    }

    fn serialize_tuple(self, length: usize) -> Result<Row, Fault> {
        Ok(Row { elements: Vec::with_capacity(length.min(1024)), is_list: false })
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Row, Fault> {
        self.serialize_tuple(length)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Row, Fault> {
        Ok(Row { elements: vec![Value::atom(Atom::from_static(variant))], is_list: false })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries, Fault> {
        Ok(Entries { entries: Vec::new(), key: None, variant: None })
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries, Fault> {
        self.serialize_map(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Entries, Fault> {
        let variant = Some(Value::atom(Atom::from_static(variant)));
        Ok(Entries { entries: Vec::new(), key: None, variant })
    }
}

impl Row {
    fn close(self) -> Value {
        if self.is_list { Value::list(self.elements) } else { Value::tuple(self.elements) }
    }
}

macro_rules! rows {
    ($($trait:ident $method:ident;)*) => {$(
        impl $trait for Row {
            type Ok = Value;
            type Error = Fault;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
                self.elements.push(write(value)?);
                Ok(())
            }

            fn end(self) -> Written {
                Ok(self.close())
            }
        }
    )*};
}

rows! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

impl Entries {
    fn close(self) -> Value {
        let map = Value::map(self.entries);
        match self.variant {
            Some(variant) => Value::tuple([variant, map]),
            None => map,
        }
    }
}

impl SerializeMap for Entries {
    type Ok = Value;
    type Error = Fault;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Fault> {
        self.key = Some(write(key)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Fault> {
        let Some(key) = self.key.take() else { return Err(Fault::new("a value without a key")) };
        self.entries.push((key, write(value)?));
        Ok(())
    }

    fn end(self) -> Written {
        Ok(self.close())
    }
}

macro_rules! structs {
    ($($trait:ident)*) => {$(
        impl $trait for Entries {
            type Ok = Value;
            type Error = Fault;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Fault> {
                self.entries.push((Value::atom(Atom::from_static(key)), write(value)?));
                Ok(())
            }

            fn end(self) -> Written {
                Ok(self.close())
            }
        }
    )*};
}

structs! { SerializeStruct SerializeStructVariant }

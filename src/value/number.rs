//! Conversions of numbers.

use super::{BigInt, FromTerm, IntoTerm, TermMaker, TermReader};
use crate::error::{Conversion, Error};
use crate::term::{Term, View};

/// An integer term of any size as `T`, the error saying which type was wanted.
#[cold]
fn wide<T: for<'a> TryFrom<&'a BigInt>>(
    term: Term<'_>,
    reader: &TermReader<'_>,
    expected: &'static str,
) -> Result<T, Error> {
    let value = match term.view() {
        View::Int(value) => T::try_from(&BigInt::from(value)).ok(),
        View::Big(big) => T::try_from(&BigInt::from_limbs(big.is_negative(), big.limbs())).ok(),
        _ => None,
    };
    value.ok_or_else(|| reader.mismatch(expected, term))
}

macro_rules! integers {
    ($($type:ident => |$value:ident, $heap:ident| $made:expr;)*) => {$(
        impl IntoTerm for $type {
            #[inline]
            fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
                let ($value, $heap) = (self, maker.heap());
                Ok($made?)
            }
        }

        impl IntoTerm for &$type {
            #[inline]
            fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
                (*self).into_term(maker)
            }
        }

        impl FromTerm for $type {
            #[inline]
            fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<$type, Error> {
                match term.as_small().map($type::try_from) {
                    Some(Ok(value)) => Ok(value),
                    _ => wide(term, reader, concat!("an integer of type ", stringify!($type))),
                }
            }
        }
    )*};
}

integers! {
    i8 => |value, heap| heap.int(value.into());
    i16 => |value, heap| heap.int(value.into());
    i32 => |value, heap| heap.int(value.into());
    i64 => |value, heap| heap.int(value);
    i128 => |value, heap| heap.int_i128(value);
    isize => |value, heap| heap.int(value as i64);
    u8 => |value, heap| heap.int(value.into());
    u16 => |value, heap| heap.int(value.into());
    u32 => |value, heap| heap.int(value.into());
    u64 => |value, heap| heap.uint(value);
    u128 => |value, heap| heap.big(false, &[value as u64, (value >> 64) as u64]);
    usize => |value, heap| heap.uint(value as u64);
}

impl IntoTerm for f64 {
    #[inline]
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        match maker.heap().float(self)? {
            Some(float) => Ok(float),
            None => Err(no_float(self)),
        }
    }
}

#[cold]
fn no_float(value: f64) -> Error {
    Error::Conversion(Box::new(Conversion::new("a finite float", value.to_string())))
}

impl IntoTerm for f32 {
    #[inline]
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        f64::from(self).into_term(maker)
    }
}

impl IntoTerm for &f64 {
    #[inline]
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        (*self).into_term(maker)
    }
}

impl IntoTerm for &f32 {
    #[inline]
    fn into_term<'h>(self, maker: &mut TermMaker<'h>) -> Result<Term<'h>, Error> {
        (*self).into_term(maker)
    }
}

impl FromTerm for f64 {
    #[inline]
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<f64, Error> {
        reader.number(term).ok_or_else(|| reader.mismatch("a number within the range of floats", term))
    }
}

impl FromTerm for f32 {
    /// The nearest `f32`; what is out of its range is refused.
    #[inline]
    fn from_term(term: Term<'_>, reader: &TermReader<'_>) -> Result<f32, Error> {
        let value = reader.number(term).map(|value| value as f32).filter(|value| value.is_finite());
        value.ok_or_else(|| reader.mismatch("a number within the range of f32", term))
    }
}

//! Integers of any size.

use std::fmt;
use std::str::FromStr;

use dashu_int::IBig;

use crate::num::integer::{Int, limbs_of};

/// An integer of any size.
///
/// ```
/// use erlet::BigInt;
/// let big: BigInt = "123456789012345678901234567890".parse()?;
/// assert_eq!(big.to_string(), "123456789012345678901234567890");
/// assert_eq!(i64::try_from(&BigInt::from(5)), Ok(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BigInt(IBig);

/// Text that is no integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnInteger;

impl fmt::Display for NotAnInteger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a decimal integer")
    }
}

impl std::error::Error for NotAnInteger {}

/// An integer too large (or below zero) for the type it was to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRange;

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer out of range")
    }
}

impl std::error::Error for OutOfRange {}

impl BigInt {
    /// From sign and magnitude, the least significant 64 bits first.
    ///
    /// ```
    /// assert_eq!(erlet::BigInt::from_limbs(true, &[0, 1]).to_string(), "-18446744073709551616");
    /// ```
    pub fn from_limbs(negative: bool, limbs: &[u64]) -> BigInt {
        BigInt(Int { negative, limbs }.to_ibig())
    }

    /// Whether it is below zero.
    ///
    /// ```
    /// assert!(erlet::BigInt::from(-1).is_negative());
    /// ```
    pub fn is_negative(&self) -> bool {
        self.0 < IBig::ZERO
    }

    /// Its magnitude, the least significant 64 bits first, without leading zeros.
    ///
    /// ```
    /// assert_eq!(erlet::BigInt::from(-7).to_limbs(), [7]);
    /// ```
    pub fn to_limbs(&self) -> Vec<u64> {
        limbs_of(self.0.as_sign_words().1).into_owned()
    }

    /// The nearest float; infinite if it is too large for one.
    ///
    /// ```
    /// assert_eq!(erlet::BigInt::from(3).to_f64(), 3.0);
    /// ```
    pub fn to_f64(&self) -> f64 {
        let limbs = self.to_limbs();
        let infinity = if self.is_negative() { f64::NEG_INFINITY } else { f64::INFINITY };
        Int { negative: self.is_negative(), limbs: &limbs }.to_f64().unwrap_or(infinity)
    }

    pub(super) fn inner(&self) -> &IBig {
        &self.0
    }
}

macro_rules! primitives {
    ($($type:ident)*) => {$(
        impl From<$type> for BigInt {
            fn from(value: $type) -> BigInt {
                BigInt(IBig::from(value))
            }
        }

        impl TryFrom<&BigInt> for $type {
            type Error = OutOfRange;

            fn try_from(value: &BigInt) -> Result<$type, OutOfRange> {
                $type::try_from(&value.0).map_err(|_| OutOfRange)
            }
        }
    )*};
}

primitives! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

impl FromStr for BigInt {
    type Err = NotAnInteger;

    fn from_str(text: &str) -> Result<BigInt, NotAnInteger> {
        crate::num::integer::parse(text.as_bytes(), 10).map(BigInt).ok_or(NotAnInteger)
    }
}

impl fmt::Display for BigInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(!self.is_negative(), "", self.0.to_string().trim_start_matches('-'))
    }
}

impl fmt::Debug for BigInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

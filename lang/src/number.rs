//! Integers of any size, as the source writes them.

use dashu_int::IBig;
use std::fmt;

/// An integer: in a machine word while it fits, so that equal values are equal in representation.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Int {
    Small(i64),
    /// Never a value that fits `Small`.
    Big(Box<IBig>),
}

impl Int {
    /// The integer as a big one.
    pub fn to_big(&self) -> IBig {
        match self {
            Self::Small(value) => IBig::from(*value),
            Self::Big(value) => (**value).clone(),
        }
    }

    /// The integer if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Self::Small(value) => Some(*value),
            Self::Big(_) => None,
        }
    }

    /// The digits in a base from 2 to 36, underscores already removed; `None` if one is not of that base.
    pub fn from_digits(digits: &str, base: u32) -> Option<Self> {
        match i64::from_str_radix(digits, base) {
            Ok(value) => Some(Self::Small(value)),
            Err(_) => IBig::from_str_radix(digits, base).ok().map(Self::from),
        }
    }
}

impl From<IBig> for Int {
    fn from(value: IBig) -> Self {
        match i64::try_from(&value) {
            Ok(small) => Self::Small(small),
            Err(_) => Self::Big(Box::new(value)),
        }
    }
}

impl From<i64> for Int {
    fn from(value: i64) -> Self {
        Self::Small(value)
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Small(value) => value.fmt(f),
            Self::Big(value) => value.fmt(f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_representation_for_each_value() {
        assert_eq!(Int::from_digits("9223372036854775807", 10), Some(Int::Small(i64::MAX)));
        let big = Int::from_digits("9223372036854775808", 10).expect("digits");
        assert!(matches!(big, Int::Big(_)));
        assert_eq!(Int::from(big.to_big() - IBig::from(1)), Int::Small(i64::MAX));
        assert_eq!(Int::from_digits("ff", 16), Some(Int::Small(255)));
        assert_eq!(Int::from_digits("12", 2), None);
        assert_eq!(big.to_string(), "9223372036854775808");
    }
}

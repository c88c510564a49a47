//! The type list of a binary segment, `/signed-integer-unit:8`, and what it means.

use crate::ast::Segment;
use crate::{Int, Name, known};

/// A segment's type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BitKind {
    Integer,
    Float,
    /// `binary` and `bytes`: whole bytes, unit 8.
    Binary,
    /// `bitstring` and `bits`: unit 1.
    Bitstring,
    Utf8,
    Utf16,
    Utf32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Endian {
    Big,
    Little,
    Native,
}

/// What a type list says, defaults filled in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitSpec {
    pub kind: BitKind,
    pub signed: bool,
    pub endian: Endian,
    /// 1 to 256; the size counts in this. 0 for the UTF types, which have neither size nor unit.
    pub unit: u16,
    /// Whether the list gives a unit.
    pub unit_given: bool,
    /// The size if the segment has none: bits for integers (8) and floats (64); `None` for all that is left, and UTF.
    pub default_size: Option<u16>,
}

/// Why a type list has no meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BitError {
    /// No such word.
    Unknown(Name),
    /// Two words of one kind that disagree.
    Mismatch(Name, Name),
    /// A unit outside 1..256, or `unit` without one, or another word with one.
    IllegalUnit,
    /// A unit without a size, on other than `binary` and `bitstring`.
    UnitWithoutSize,
    /// A size or unit on a UTF type.
    UtfSize,
}

#[derive(Default)]
struct Words {
    kind: Option<Name>,
    sign: Option<Name>,
    endian: Option<Name>,
    unit: Option<u16>,
}

/// The meaning of a segment's type list. A string literal without a list counts as a list of integers.
///
/// # Errors
/// When the list has no meaning.
pub fn resolve(segment: &Segment) -> Result<BitSpec, BitError> {
    let words = gather(segment)?;
    let kind = kind_of(words.kind.unwrap_or(known::INTEGER));
    let utf = matches!(kind, BitKind::Utf8 | BitKind::Utf16 | BitKind::Utf32);
    if utf && (segment.size.is_some() || words.unit.is_some()) {
        return Err(BitError::UtfSize);
    }
    let sized_by_unit = matches!(kind, BitKind::Binary | BitKind::Bitstring);
    if words.unit.is_some() && segment.size.is_none() && !sized_by_unit {
        return Err(BitError::UnitWithoutSize);
    }
    let (unit, default_size) = match kind {
        BitKind::Integer => (1, Some(8)),
        BitKind::Float => (1, Some(64)),
        BitKind::Binary => (8, None),
        BitKind::Bitstring => (1, None),
        BitKind::Utf8 | BitKind::Utf16 | BitKind::Utf32 => (0, None),
    };
    let endian = match words.endian {
        Some(known::LITTLE) => Endian::Little,
        Some(known::NATIVE) => Endian::Native,
        _ => Endian::Big,
    };
    Ok(BitSpec {
        kind,
        signed: words.sign == Some(known::SIGNED),
        endian,
        unit: words.unit.unwrap_or(unit),
        unit_given: words.unit.is_some(),
        default_size,
    })
}

fn gather(segment: &Segment) -> Result<Words, BitError> {
    let mut words = Words::default();
    for ty in &segment.types {
        let name = ty.name.name;
        if name == known::UNIT {
            let unit = match &ty.value {
                Some(Int::Small(unit @ 1..=256)) => *unit as u16,
                _ => return Err(BitError::IllegalUnit),
            };
            match words.unit {
                Some(before) if before != unit => return Err(BitError::Mismatch(known::UNIT, known::UNIT)),
                _ => words.unit = Some(unit),
            }
            continue;
        }
        if ty.value.is_some() {
            return Err(BitError::IllegalUnit);
        }
        let slot = match name {
            known::INTEGER
            | known::FLOAT
            | known::BINARY
            | known::BYTES
            | known::BITSTRING
            | known::BITS
            | known::UTF8
            | known::UTF16
            | known::UTF32 => &mut words.kind,
            known::SIGNED | known::UNSIGNED => &mut words.sign,
            known::BIG | known::LITTLE | known::NATIVE => &mut words.endian,
            _ => return Err(BitError::Unknown(name)),
        };
        match *slot {
            Some(before) if kind_name(before) != kind_name(name) => {
                return Err(BitError::Mismatch(before, name));
            }
            _ => *slot = Some(name),
        }
    }
    Ok(words)
}

/// `bytes` and `bits` are other words for the same.
fn kind_name(name: Name) -> Name {
    match name {
        known::BYTES => known::BINARY,
        known::BITS => known::BITSTRING,
        other => other,
    }
}

fn kind_of(name: Name) -> BitKind {
    match kind_name(name) {
        known::FLOAT => BitKind::Float,
        known::BINARY => BitKind::Binary,
        known::BITSTRING => BitKind::Bitstring,
        known::UTF8 => BitKind::Utf8,
        known::UTF16 => BitKind::Utf16,
        known::UTF32 => BitKind::Utf32,
        _ => BitKind::Integer,
    }
}

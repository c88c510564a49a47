//! What Latin-1's characters are, where Unicode's properties are not asked for.

use super::properties;
use super::set::Ranges;

type Rows = &'static [(u32, u32)];

/// `\d`.
pub const DIGIT: Rows = &[(48, 57)];
/// `\s`.
pub const SPACE: Rows = &[(9, 13), (32, 32)];
/// `\w`: Latin-1's letters, digits, and the underscore.
pub const WORD: Rows = &[
    (48, 57),
    (65, 90),
    (95, 95),
    (97, 122),
    (170, 170),
    (181, 181),
    (186, 186),
    (192, 214),
    (216, 246),
    (248, 255),
];
/// `\h`, of all of Unicode.
pub const HORIZONTAL: Rows = &[
    (9, 9),
    (32, 32),
    (160, 160),
    (0x1680, 0x1680),
    (0x180E, 0x180E),
    (0x2000, 0x200A),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
];
/// `\v`, of all of Unicode.
pub const VERTICAL: Rows = &[(10, 13), (0x85, 0x85), (0x2028, 0x2029)];

const ALPHA: Rows =
    &[(65, 90), (97, 122), (170, 170), (181, 181), (186, 186), (192, 214), (216, 246), (248, 255)];
const ALNUM: Rows =
    &[(48, 57), (65, 90), (97, 122), (170, 170), (181, 181), (186, 186), (192, 214), (216, 246), (248, 255)];
const LOWER: Rows = &[(97, 122), (170, 170), (181, 181), (186, 186), (223, 246), (248, 255)];
const UPPER: Rows = &[(65, 90), (192, 214), (216, 222)];
const PUNCT: Rows = &[
    (33, 47),
    (58, 64),
    (91, 96),
    (123, 126),
    (160, 169),
    (171, 180),
    (182, 185),
    (187, 191),
    (215, 215),
    (247, 247),
];

/// How Unicode says it, where it says it differently.
type ByUnicode = Option<fn() -> Ranges>;

/// The classes of POSIX: name, and Latin-1's members.
const POSIX: &[(&str, Rows, ByUnicode)] = &[
    ("alnum", ALNUM, Some(|| properties::any_of(&["L", "N"]))),
    ("alpha", ALPHA, Some(|| properties::any_of(&["L"]))),
    ("ascii", &[(0, 255)], None),
    ("blank", &[(9, 9), (32, 32)], Some(|| Ranges::of(HORIZONTAL))),
    ("cntrl", &[(0, 31), (127, 159)], Some(|| properties::any_of(&["Cc"]))),
    ("digit", DIGIT, Some(|| properties::any_of(&["Nd"]))),
    ("graph", &[(33, 126), (160, 255)], Some(properties::graph)),
    ("lower", LOWER, Some(|| properties::any_of(&["Ll"]))),
    ("print", &[(32, 126), (160, 255)], Some(properties::print)),
    ("punct", PUNCT, Some(properties::punct)),
    ("space", SPACE, Some(properties::space)),
    ("upper", UPPER, Some(|| properties::any_of(&["Lu"]))),
    ("word", WORD, Some(properties::word)),
    ("xdigit", &[(48, 57), (65, 70), (97, 102)], None),
];

/// The class of POSIX of that name. Without regard to case, upper and lower are any letter.
pub fn posix(name: &[u8], ucp: bool, caseless: bool) -> Option<Ranges> {
    let name = if caseless && (name == b"upper" || name == b"lower") { b"alpha" } else { name };
    let (_, rows, unicode) = POSIX.iter().find(|(known, _, _)| known.as_bytes() == name)?;
    Some(match unicode {
        Some(unicode) if ucp => unicode(),
        _ => Ranges::of(rows),
    })
}

/// A letter of Latin-1 in the other case; any other byte itself.
pub fn flip(byte: u8) -> u8 {
    match byte {
        b'A'..=b'Z' | 192..=214 | 216..=222 => byte + 32,
        b'a'..=b'z' | 224..=246 | 248..=254 => byte - 32,
        _ => byte,
    }
}

/// Whether a byte is one of `\w`'s.
pub fn is_word(byte: u8) -> bool {
    let c = u32::from(byte);
    WORD.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

/// Whether a byte is one of `\s`'s.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, 9..=13 | 32)
}

/// Whether a byte is a letter.
pub fn is_letter(byte: u8) -> bool {
    let c = u32::from(byte);
    ALPHA.iter().any(|(first, last)| (*first..=*last).contains(&c))
}

//! Unicode's properties by the names that `\p{...}` takes, and which characters differ in case only.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use super::letters::{HORIZONTAL, VERTICAL};
use super::set::Ranges;

/// Categories, and groups of them, as they are written.
const CATEGORIES: &[&str] = &[
    "C", "Cc", "Cf", "Cn", "Co", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl",
    "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z", "Zl", "Zp", "Zs",
];

/// Scripts, as they are written: those of Unicode 7, which PCRE 8.44 knows.
const SCRIPTS: &[&str] = &[
    "Arabic",
    "Armenian",
    "Avestan",
    "Balinese",
    "Bamum",
    "Bassa_Vah",
    "Batak",
    "Bengali",
    "Bopomofo",
    "Brahmi",
    "Braille",
    "Buginese",
    "Buhid",
    "Canadian_Aboriginal",
    "Carian",
    "Caucasian_Albanian",
    "Chakma",
    "Cham",
    "Cherokee",
    "Common",
    "Coptic",
    "Cuneiform",
    "Cypriot",
    "Cyrillic",
    "Deseret",
    "Devanagari",
    "Duployan",
    "Egyptian_Hieroglyphs",
    "Elbasan",
    "Ethiopic",
    "Georgian",
    "Glagolitic",
    "Gothic",
    "Grantha",
    "Greek",
    "Gujarati",
    "Gurmukhi",
    "Han",
    "Hangul",
    "Hanunoo",
    "Hebrew",
    "Hiragana",
    "Imperial_Aramaic",
    "Inherited",
    "Inscriptional_Pahlavi",
    "Inscriptional_Parthian",
    "Javanese",
    "Kaithi",
    "Kannada",
    "Katakana",
    "Kayah_Li",
    "Kharoshthi",
    "Khmer",
    "Khojki",
    "Khudawadi",
    "Lao",
    "Latin",
    "Lepcha",
    "Limbu",
    "Linear_A",
    "Linear_B",
    "Lisu",
    "Lycian",
    "Lydian",
    "Mahajani",
    "Malayalam",
    "Mandaic",
    "Manichaean",
    "Meetei_Mayek",
    "Mende_Kikakui",
    "Meroitic_Cursive",
    "Meroitic_Hieroglyphs",
    "Miao",
    "Modi",
    "Mongolian",
    "Mro",
    "Myanmar",
    "Nabataean",
    "New_Tai_Lue",
    "Nko",
    "Ogham",
    "Ol_Chiki",
    "Old_Italic",
    "Old_North_Arabian",
    "Old_Permic",
    "Old_Persian",
    "Old_South_Arabian",
    "Old_Turkic",
    "Oriya",
    "Osmanya",
    "Pahawh_Hmong",
    "Palmyrene",
    "Pau_Cin_Hau",
    "Phags_Pa",
    "Phoenician",
    "Psalter_Pahlavi",
    "Rejang",
    "Runic",
    "Samaritan",
    "Saurashtra",
    "Sharada",
    "Shavian",
    "Siddham",
    "Sinhala",
    "Sora_Sompeng",
    "Sundanese",
    "Syloti_Nagri",
    "Syriac",
    "Tagalog",
    "Tagbanwa",
    "Tai_Le",
    "Tai_Tham",
    "Tai_Viet",
    "Takri",
    "Tamil",
    "Telugu",
    "Thaana",
    "Thai",
    "Tibetan",
    "Tifinagh",
    "Tirhuta",
    "Ugaritic",
    "Vai",
    "Warang_Citi",
    "Yi",
];

/// The characters that have the property of that name, if it is one.
pub fn property(name: &str) -> Option<Ranges> {
    match name {
        "Any" => Some(Ranges::of(&[(0, super::set::LAST)])),
        // Surrogates are no characters of UTF-8.
        "Cs" => Some(Ranges::of(&[(0xD800, 0xDFFF)])),
        "L&" => Some(any_of(&["Lu", "Ll", "Lt"])),
        "Xan" => Some(any_of(&["L", "N"])),
        "Xps" | "Xsp" => Some(space()),
        "Xuc" => Some(Ranges::of(&[
            (0x24, 0x24),
            (0x40, 0x40),
            (0x60, 0x60),
            (0xA0, 0xD7FF),
            (0xE000, 0x0010_FFFF),
        ])),
        "Xwd" => Some(word()),
        _ if CATEGORIES.contains(&name) => Some(any_of(&[name])),
        _ if SCRIPTS.contains(&name) => Some(class(&format!(r"\p{{sc={name}}}"))),
        _ => None,
    }
}

/// Characters of any of these categories.
pub fn any_of(categories: &[&str]) -> Ranges {
    let mut ranges = Ranges::default();
    for category in categories {
        ranges.add_all(&class(&format!(r"\p{{gc={category}}}")));
    }
    ranges
}

/// Letters, digits, and the underscore.
pub fn word() -> Ranges {
    let mut ranges = any_of(&["L", "N"]);
    ranges.add(95, 95);
    ranges
}

/// White space.
pub fn space() -> Ranges {
    let mut ranges = any_of(&["Z"]);
    ranges.add_all(&Ranges::of(HORIZONTAL));
    ranges.add_all(&Ranges::of(VERTICAL));
    ranges
}

/// Punctuation, and ASCII's symbols.
pub fn punct() -> Ranges {
    let mut ranges = any_of(&["P"]);
    for symbol in b"$+<=>^`|~" {
        ranges.add(u32::from(*symbol), u32::from(*symbol));
    }
    ranges
}

/// What makes a mark on paper.
pub fn graph() -> Ranges {
    invisible(any_of(&["Z"])).complement()
}

/// What takes part in a line of text.
pub fn print() -> Ranges {
    invisible(any_of(&["Zl", "Zp"])).complement()
}

/// Adds controls, except characters that format text visibly.
fn invisible(mut ranges: Ranges) -> Ranges {
    ranges.add_all(&any_of(&["Cc", "Cn", "Co"]));
    ranges.add_all(&Ranges::of(&[(0xD800, 0xDFFF), (0x061C, 0x061C), (0x180E, 0x180E), (0x2066, 0x2069)]));
    ranges
}

/// A class in the syntax of the crate that knows Unicode.
fn class(text: &str) -> Ranges {
    let hir = regex_syntax::parse(text).expect("the names above are known");
    let mut ranges = Ranges::default();
    match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            for range in class.ranges() {
                ranges.add(u32::from(range.start()), u32::from(range.end()));
            }
        }
        // A class of one character.
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).expect("a character");
            for c in text.chars() {
                ranges.add(u32::from(c), u32::from(c));
            }
        }
        _ => {}
    }
    ranges
}

/// Adds to `ranges` what differs from its members in case only.
pub fn close_over_case(ranges: &Ranges) -> Ranges {
    // Surrogates have no case, and are no `char`.
    let parts = ranges.as_slice().iter().flat_map(|(first, last)| {
        [(*first, (*last).min(0xD7FF)), ((*first).max(0xE000), *last)].into_iter().filter(|(a, b)| a <= b)
    });
    let known = parts.filter_map(|(first, last)| {
        Some(ClassUnicodeRange::new(char::from_u32(first)?, char::from_u32(last)?))
    });
    let mut class = ClassUnicode::new(known);
    class.case_fold_simple();
    let mut all = ranges.clone();
    for range in class.ranges() {
        all.add(u32::from(range.start()), u32::from(range.end()));
    }
    all
}

/// Whether two characters are the same or differ in case only.
pub fn same_but_case(a: u32, b: u32) -> bool {
    if a == b {
        return true;
    }
    close_over_case(&Ranges::of(&[(a, a)])).finish().has(b)
}

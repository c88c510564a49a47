//! Interned names: the text of every atom and variable a compilation meets, once.
//!
//! A [`Name`] is an index into the [`Interner`] that made it, so it compares and hashes as a number. Atoms and
//! variables share the table (the atom `'X'` and the variable `X` are the same `Name` in different syntactic
//! positions). The interner belongs to one [`Session`](crate::Session) and is dropped with it: there is no global
//! table, and no name of one compilation means anything in another, except the well-known names below, which every
//! interner starts with in the same order.

use std::fmt;

/// The number of a text in its [`Interner`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(u32);

impl Name {
    /// The index of this name in its interner: dense from 0, fit for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match known::TEXTS.get(self.index()) {
            Some(text) => write!(f, "`{text}`"),
            None => write!(f, "Name({})", self.0),
        }
    }
}

macro_rules! known_names {
    ($($constant:ident $text:literal)*) => {
        /// Names the compiler itself speaks of; the same number in every interner.
        pub mod known {
            use super::Name;

            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum Index { $($constant),* }

            $(
                #[doc = concat!("`", $text, "`")]
                pub const $constant: Name = Name(Index::$constant as u32);
            )*

            pub(super) const TEXTS: &[&str] = &[$($text),*];
        }
    };
}

known_names! {
    EMPTY ""
    UNDERSCORE "_"
    TRUE "true"
    FALSE "false"
    OK "ok"
    ERROR "error"
    EXIT "exit"
    THROW "throw"
    NOCATCH "nocatch"
    UNDEFINED "undefined"
    INFINITY "infinity"
    ERLANG "erlang"
    MODULE "module"
    EXPORT "export"
    EXPORT_TYPE "export_type"
    IMPORT "import"
    IMPORT_TYPE "import_type"
    RECORD "record"
    TYPE "type"
    OPAQUE "opaque"
    NOMINAL "nominal"
    SPEC "spec"
    CALLBACK "callback"
    OPTIONAL_CALLBACKS "optional_callbacks"
    BEHAVIOUR "behaviour"
    BEHAVIOR "behavior"
    COMPILE "compile"
    FILE "file"
    ON_LOAD "on_load"
    NIFS "nifs"
    FEATURE "feature"
    ENABLE "enable"
    DISABLE "disable"
    DOC "doc"
    MODULEDOC "moduledoc"
    DEPRECATED "deprecated"
    REMOVED "removed"
    DEFINE "define"
    UNDEF "undef"
    IFDEF "ifdef"
    IFNDEF "ifndef"
    IF "if"
    ELIF "elif"
    ELSE "else"
    ENDIF "endif"
    INCLUDE "include"
    INCLUDE_LIB "include_lib"
    WARNING "warning"
    MAYBE "maybe"
    MATH "math"
    MAYBE_EXPR "maybe_expr"
    MODULE_INFO "module_info"
    RECORD_INFO "record_info"
    FIELDS "fields"
    SIZE "size"
    INTEGER "integer"
    FLOAT "float"
    BINARY "binary"
    BYTES "bytes"
    BITSTRING "bitstring"
    BITS "bits"
    UTF8 "utf8"
    UTF16 "utf16"
    UTF32 "utf32"
    SIGNED "signed"
    UNSIGNED "unsigned"
    BIG "big"
    LITTLE "little"
    NATIVE "native"
    UNIT "unit"
    IS_SUBTYPE "is_subtype"
    EXPORT_ALL "export_all"
    NOWARN_EXPORT_ALL "nowarn_export_all"
    NO_AUTO_IMPORT "no_auto_import"
    INLINE "inline"
    DEFINED "defined"
    DIALYZER "dialyzer"
    START_EXPRS "<expressions>"
    PLUS "+"
    MINUS "-"
    TIMES "*"
    DIVIDE "/"
    DIV "div"
    REM "rem"
    BAND "band"
    BOR "bor"
    BXOR "bxor"
    BSL "bsl"
    BSR "bsr"
    BNOT "bnot"
    NOT "not"
    AND "and"
    OR "or"
    XOR "xor"
    EQUAL "=="
    NOT_EQUAL "/="
    EXACT_EQUAL "=:="
    EXACT_NOT_EQUAL "=/="
    LESS "<"
    GREATER_EQUAL ">="
    GREATER ">"
    EQUAL_LESS "=<"
    APPEND "++"
    SUBTRACT "--"
    IS_INTEGER "is_integer"
    IS_FLOAT "is_float"
    IS_NUMBER "is_number"
    IS_ATOM "is_atom"
    IS_BOOLEAN "is_boolean"
    IS_PID "is_pid"
    IS_PORT "is_port"
    IS_REFERENCE "is_reference"
    IS_BINARY "is_binary"
    IS_BITSTRING "is_bitstring"
    IS_LIST "is_list"
    IS_TUPLE "is_tuple"
    IS_MAP "is_map"
    IS_FUNCTION "is_function"
    IS_RECORD "is_record"
    IS_MAP_KEY "is_map_key"
    ABS "abs"
    ROUND "round"
    TRUNC "trunc"
    FLOOR "floor"
    CEIL "ceil"
    LENGTH "length"
    HD "hd"
    TL "tl"
    ELEMENT "element"
    MAP_GET "map_get"
    TUPLE_SIZE "tuple_size"
    BYTE_SIZE "byte_size"
    BIT_SIZE "bit_size"
    MAP_SIZE "map_size"
    APPEND_ELEMENT "append_element"
    TUPLE_TO_LIST "tuple_to_list"
    SELF "self"
    NODE "node"
    NODES "nodes"
    MAKE_REF "make_ref"
    DATE "date"
    TIME "time"
    GET "get"
    GET_KEYS "get_keys"
    GROUP_LEADER "group_leader"
    PROCESSES "processes"
    REGISTERED "registered"
    MAX "max"
    MIN "min"
    ACOS "acos"
    ACOSH "acosh"
    ASIN "asin"
    ASINH "asinh"
    ATAN "atan"
    ATAN2 "atan2"
    ATANH "atanh"
    COS "cos"
    COSH "cosh"
    ERF "erf"
    ERFC "erfc"
    EXP "exp"
    FMOD "fmod"
    LOG "log"
    LOG10 "log10"
    LOG2 "log2"
    POW "pow"
    SIN "sin"
    SINH "sinh"
    SQRT "sqrt"
    TAN "tan"
    TANH "tanh"
}

/// The table behind [`Name`]: open addressing over a vector of texts.
#[derive(Clone)]
pub struct Interner {
    /// Those that are not well known.
    texts: Vec<Box<str>>,
    /// Indices of names plus one; zero is a free slot. The length is a power of two, at most half full.
    slots: Vec<u32>,
}

/// Slots of a new interner.
const FIRST_SLOTS: usize = 1024;

/// Where the well-known names are in those.
const KNOWN_SLOTS: [u32; FIRST_SLOTS] = {
    let mut slots = [0; FIRST_SLOTS];
    let mut index = 0;
    while index < known::TEXTS.len() {
        let mut slot = hash(known::TEXTS[index].as_bytes()) as usize % FIRST_SLOTS;
        while slots[slot] != 0 {
            slot = (slot + 1) % FIRST_SLOTS;
        }
        index += 1;
        slots[slot] = index as u32;
    }
    slots
};

impl Interner {
    /// An interner that holds the well-known names.
    pub fn new() -> Self {
        Self { texts: Vec::with_capacity(64), slots: KNOWN_SLOTS.to_vec() }
    }

    /// The name of `text`, entered if it is new.
    pub fn intern(&mut self, text: &str) -> Name {
        let slot = self.slot_of(text);
        if let Some(found) = self.slots[slot].checked_sub(1) {
            return Name(found);
        }
        let index = u32::try_from(self.len()).expect("source text is bounded to 2 GiB, so are its names");
        self.texts.push(text.into());
        self.slots[slot] = index + 1;
        if self.len() * 2 > self.slots.len() {
            self.grow();
        }
        Name(index)
    }

    /// The name of `text` if it was entered before.
    pub fn lookup(&self, text: &str) -> Option<Name> {
        self.slots[self.slot_of(text)].checked_sub(1).map(Name)
    }

    /// The text of a name this interner made.
    pub fn text(&self, name: Name) -> &str {
        self.text_at(name.index())
    }

    /// The name with an index.
    #[cfg(test)]
    pub(crate) fn at(&self, index: usize) -> Name {
        debug_assert!(index < self.len(), "it was entered");
        Name(index as u32)
    }

    fn text_at(&self, index: usize) -> &str {
        match index.checked_sub(known::TEXTS.len()) {
            None => known::TEXTS[index],
            Some(own) => &self.texts[own],
        }
    }

    /// How many names there are: every `Name::index` is below this.
    pub fn len(&self) -> usize {
        known::TEXTS.len() + self.texts.len()
    }

    /// Never true: the well-known names are always there.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The slot that holds `text`, or the free slot where it belongs.
    fn slot_of(&self, text: &str) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(text.as_bytes()) as usize & mask;
        loop {
            match self.slots[slot].checked_sub(1) {
                Some(index) if self.text_at(index as usize) != text => slot = (slot + 1) & mask,
                _ => return slot,
            }
        }
    }

    fn grow(&mut self) {
        self.slots = vec![0; self.slots.len() * 2];
        for index in 0..self.len() {
            let slot = self.slot_of(self.text_at(index));
            self.slots[slot] = index as u32 + 1;
        }
    }
}

impl Default for Interner {
    fn default() -> Self {
        Self::new()
    }
}

/// Multiply and rotate over eight bytes at a time; the same on every machine and in every run.
const fn hash(bytes: &[u8]) -> u64 {
    const K: u64 = 0x9E37_79B9_7F4A_7C15; // 2^64 / golden ratio: spreads consecutive inputs
    let mut state = bytes.len() as u64;
    let mut rest = bytes;
    while let Some((word, others)) = rest.split_first_chunk::<8>() {
        state = (state.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(K);
        rest = others;
    }
    if !rest.is_empty() {
        let (mut word, mut at) = (0, rest.len());
        while at > 0 {
            at -= 1;
            word = word << 8 | rest[at] as u64;
        }
        state = (state.rotate_left(5) ^ word).wrapping_mul(K);
    }
    state ^ (state >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_text_same_name_and_growth_keeps_names() {
        let mut interner = Interner::new();
        let names: Vec<Name> = (0..5_000).map(|i| interner.intern(&format!("n{i}"))).collect();
        for (i, &name) in names.iter().enumerate() {
            assert_eq!(interner.text(name), format!("n{i}"));
            assert_eq!(interner.intern(&format!("n{i}")), name);
            assert_eq!(interner.lookup(&format!("n{i}")), Some(name));
        }
        assert_eq!(interner.lookup("never entered"), None);
    }

    #[test]
    fn known_names_have_their_texts() {
        let mut interner = Interner::new();
        assert_eq!(interner.intern("true"), known::TRUE);
        assert_eq!(interner.text(known::UNDERSCORE), "_");
        assert_eq!(interner.intern("<expressions>"), known::START_EXPRS);
        assert_eq!(interner.len(), known::TEXTS.len());
        for (index, text) in known::TEXTS.iter().enumerate() {
            assert_eq!(interner.lookup(text), Some(Name(index as u32)), "{text} stands twice");
        }
    }
}

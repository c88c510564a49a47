//! The functions of `erlang` that code generation treats by name.

use crate::hash::{HashMap, HashSet};

use super::flow::Test;
use crate::{Interner, Name, builtin, known};

/// How a comparison is tested: the test, and whether its operands change places.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    pub test: Test,
    pub swapped: bool,
}

/// Names, looked up once for a module.
pub struct Words {
    comparisons: HashMap<Name, Comparison>,
    types: HashMap<Name, Test>,
    numeric: Vec<Name>,
    math: HashSet<Name>,
    pub not: Name,
    pub and: Name,
    pub or: Name,
    pub append: Name,
    pub append_element: Name,
    pub tuple_to_list: Name,
    pub is_function: Name,
    pub is_record: Name,
    pub self_: Name,
    pub error: Name,
    pub exit: Name,
    pub throw: Name,
}

const COMPARISONS: &[(&str, Test, bool)] = &[
    ("==", Test::Eq, false),
    ("/=", Test::Ne, false),
    ("=:=", Test::ExactEq, false),
    ("=/=", Test::ExactNe, false),
    ("<", Test::Lt, false),
    (">=", Test::Ge, false),
    (">", Test::Lt, true),
    ("=<", Test::Ge, true),
];

const TYPES: &[(&str, Test)] = &[
    ("is_integer", Test::Integer),
    ("is_float", Test::Float),
    ("is_number", Test::Number),
    ("is_atom", Test::Atom),
    ("is_boolean", Test::Boolean),
    ("is_pid", Test::Pid),
    ("is_port", Test::Port),
    ("is_reference", Test::Reference),
    ("is_binary", Test::Binary),
    ("is_bitstring", Test::Bitstring),
    ("is_list", Test::List),
    ("is_tuple", Test::Tuple),
    ("is_map", Test::Map),
    ("is_function", Test::Fun),
];

/// Results that hold no memory worth speaking of: a dead slot with one of them need not be cleared.
const NUMERIC: &[&str] = &[
    "+",
    "-",
    "*",
    "/",
    "div",
    "rem",
    "band",
    "bor",
    "bxor",
    "bsl",
    "bsr",
    "bnot",
    "abs",
    "round",
    "trunc",
    "floor",
    "ceil",
    "float",
    "length",
    "size",
    "tuple_size",
    "byte_size",
    "bit_size",
    "map_size",
    "not",
    "and",
    "or",
    "xor",
    "is_map_key",
    "is_record",
];

/// The first of these take numbers.
const ARITHMETIC: usize = 18;

impl Words {
    /// Enters the names.
    pub fn new(names: &mut Interner) -> Self {
        let comparisons = COMPARISONS
            .iter()
            .map(|&(text, test, swapped)| (names.intern(text), Comparison { test, swapped }))
            .collect();
        let types = TYPES.iter().map(|&(text, test)| (names.intern(text), test)).collect();
        Words {
            comparisons,
            types,
            numeric: NUMERIC.iter().map(|text| names.intern(text)).collect(),
            math: builtin::math_names().map(|text| names.intern(text)).collect(),
            not: names.intern("not"),
            and: names.intern("and"),
            or: names.intern("or"),
            append: names.intern("++"),
            append_element: names.intern("append_element"),
            tuple_to_list: names.intern("tuple_to_list"),
            is_function: names.intern("is_function"),
            is_record: names.intern("is_record"),
            self_: names.intern("self"),
            error: names.intern("error"),
            exit: names.intern("exit"),
            throw: names.intern("throw"),
        }
    }

    /// The test that the BIF `name` of `arity` arguments is: a comparison or a type test.
    pub fn test(&self, name: Name, arity: usize) -> Option<Comparison> {
        match arity {
            1 => self.types.get(&name).map(|&test| Comparison { test, swapped: false }),
            2 if name == self.is_function => Some(Comparison { test: Test::FunOf, swapped: false }),
            2 => self.comparisons.get(&name).copied(),
            _ => None,
        }
    }

    /// Whether a function of `erlang` always raises.
    pub fn never_returns(&self, name: Name, arity: usize) -> bool {
        matches!(arity, 1 | 2) && name == self.error
            || arity == 1 && (name == self.exit || name == self.throw)
    }

    /// Whether the BIF gives a boolean whatever its arguments, and never raises.
    pub fn is_test(&self, name: Name, arity: usize) -> bool {
        // `is_function/2` raises for an arity that is none.
        self.test(name, arity).is_some_and(|comparison| comparison.test != Test::FunOf)
    }

    /// Whether the BIF raises for operands that are no numbers.
    pub fn is_arithmetic(&self, name: Name) -> bool {
        self.numeric[..ARITHMETIC].contains(&name)
    }

    /// Whether the BIF gives a number or a boolean.
    pub fn is_numeric(&self, name: Name, arity: usize) -> bool {
        self.is_test(name, arity) || self.numeric.contains(&name) || self.math.contains(&name)
    }

    /// The module the BIF belongs to.
    pub fn module_of(&self, name: Name) -> Name {
        if self.math.contains(&name) { known::MATH } else { known::ERLANG }
    }
}

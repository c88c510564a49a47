//! The functions of `erlang` and `math` that code generation treats by name.

use super::flow::Test;
use crate::{Name, known};

/// How a comparison is tested: the test, and whether its operands change places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    pub test: Test,
    pub swapped: bool,
}

/// The test that the BIF `name` of `arity` arguments is: a comparison or a type test.
pub(super) fn test(name: Name, arity: usize) -> Option<Comparison> {
    let (test, swapped) = match arity {
        1 => (type_test(name)?, false),
        2 => match name {
            known::IS_FUNCTION => (Test::FunOf, false),
            known::EQUAL => (Test::Eq, false),
            known::NOT_EQUAL => (Test::Ne, false),
            known::EXACT_EQUAL => (Test::ExactEq, false),
            known::EXACT_NOT_EQUAL => (Test::ExactNe, false),
            known::LESS => (Test::Lt, false),
            known::GREATER_EQUAL => (Test::Ge, false),
            known::GREATER => (Test::Lt, true),
            known::EQUAL_LESS => (Test::Ge, true),
            _ => return None,
        },
        _ => return None,
    };
    Some(Comparison { test, swapped })
}

fn type_test(name: Name) -> Option<Test> {
    Some(match name {
        known::IS_INTEGER => Test::Integer,
        known::IS_FLOAT => Test::Float,
        known::IS_NUMBER => Test::Number,
        known::IS_ATOM => Test::Atom,
        known::IS_BOOLEAN => Test::Boolean,
        known::IS_PID => Test::Pid,
        known::IS_PORT => Test::Port,
        known::IS_REFERENCE => Test::Reference,
        known::IS_BINARY => Test::Binary,
        known::IS_BITSTRING => Test::Bitstring,
        known::IS_LIST => Test::List,
        known::IS_TUPLE => Test::Tuple,
        known::IS_MAP => Test::Map,
        known::IS_FUNCTION => Test::Fun,
        _ => return None,
    })
}

/// Whether the BIF gives a boolean whatever its arguments, and never raises.
pub(super) fn is_test(name: Name, arity: usize) -> bool {
    // `is_function/2` raises for an arity that is none.
    test(name, arity).is_some_and(|comparison| comparison.test != Test::FunOf)
}

/// Whether the BIF raises for operands that are no numbers.
pub(super) fn is_arithmetic(name: Name) -> bool {
    use known::*;
    matches!(
        name,
        PLUS | MINUS
            | TIMES
            | DIVIDE
            | DIV
            | REM
            | BAND
            | BOR
            | BXOR
            | BSL
            | BSR
            | BNOT
            | ABS
            | ROUND
            | TRUNC
            | FLOOR
            | CEIL
            | FLOAT
    )
}

/// Whether the BIF gives a number or a boolean: results that hold no memory worth speaking of, so a dead slot with one of them need
/// not be cleared.
pub(super) fn is_numeric(name: Name, arity: usize) -> bool {
    use known::*;
    is_test(name, arity)
        || is_arithmetic(name)
        || is_math(name)
        || matches!(
            name,
            LENGTH
                | SIZE
                | TUPLE_SIZE
                | BYTE_SIZE
                | BIT_SIZE
                | MAP_SIZE
                | NOT
                | AND
                | OR
                | XOR
                | IS_MAP_KEY
                | IS_RECORD
        )
}

fn is_math(name: Name) -> bool {
    use known::*;
    matches!(
        name,
        ACOS | ACOSH
            | ASIN
            | ASINH
            | ATAN
            | ATAN2
            | ATANH
            | COS
            | COSH
            | ERF
            | ERFC
            | EXP
            | FMOD
            | LOG
            | LOG10
            | LOG2
            | POW
            | SIN
            | SINH
            | SQRT
            | TAN
            | TANH
    )
}

/// The module the BIF belongs to.
pub(super) fn module_of(name: Name) -> Name {
    if is_math(name) { known::MATH } else { known::ERLANG }
}

/// Whether a function of `erlang` always raises.
pub(super) fn never_returns(name: Name, arity: usize) -> bool {
    matches!(arity, 1 | 2) && name == known::ERROR
        || arity == 1 && (name == known::EXIT || name == known::THROW)
}

/// Whether a function of `erlang` does nothing but give a value, and never raises.
pub(super) fn only_gives_value(name: Name, arity: usize) -> bool {
    use known::*;
    match arity {
        0 => matches!(
            name,
            SELF | NODE | NODES | MAKE_REF | DATE | TIME | GET | GROUP_LEADER | PROCESSES | REGISTERED
        ),
        1 => matches!(name, GET | GET_KEYS),
        2 => matches!(name, MAX | MIN),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interner, builtin};

    #[test]
    fn functions_of_math_are_those_of_the_language() {
        let names = Interner::new();
        let known = |text| names.lookup(text).is_some_and(is_math);
        builtin::math_names().for_each(|text| assert!(known(text), "{text}"));
        let count = (0..names.len()).filter(|&index| is_math(names.at(index))).count();
        assert_eq!(count, builtin::math_names().count());
    }
}

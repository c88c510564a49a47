//! The table of natives: one row each, sorted by module, function and arity.
//!
//! A row says: class, module, function/arity, capability, and the Rust function. The classes:
//! - `guard`: allowed in guards; no effect, quick, result depends on the arguments alone;
//! - `pure`: no effect, but may be long or raise anything;
//! - `effect`: everything else.
//!
//! The capability is what the caller's account must be granted (`none` for most).

use super::{BifResult, Cx};
use crate::code::BifId;
use crate::term::Term;

/// The class of a native.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purity {
    Guard,
    Pure,
    Effect,
}

/// What an account must be granted to call a native.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capability {
    None,
    File,
    Net,
    Env,
    Subprocess,
    Clock,
    Code,
    Process,
}

/// One native.
pub struct Row {
    pub module: &'static str,
    pub function: &'static str,
    pub arity: u8,
    pub class: Purity,
    pub capability: Capability,
    /// Calls it; `args` has `arity` terms.
    pub call: Call,
}

/// How the interpreter calls a native.
pub type Call = for<'h> fn(&mut Cx<'h>, &[Term<'h>]) -> BifResult<'h>;

macro_rules! class {
    (guard) => {
        Purity::Guard
    };
    (pure) => {
        Purity::Pure
    };
    (effect) => {
        Purity::Effect
    };
}

macro_rules! capability {
    (none) => {
        Capability::None
    };
    (file) => {
        Capability::File
    };
    (net) => {
        Capability::Net
    };
    (env) => {
        Capability::Env
    };
    (subprocess) => {
        Capability::Subprocess
    };
    (clock) => {
        Capability::Clock
    };
    (code) => {
        Capability::Code
    };
    (process) => {
        Capability::Process
    };
}

macro_rules! natives {
    ($($class:ident $module:literal $function:literal / $arity:literal $capability:ident $($path:ident)::+;)*) => {
        /// Module, function and arity of each row.
        pub const NAMES: &[(&str, &str, u8)] = &[$(($module, $function, $arity)),*];

        /// The natives; the index of a row is its [`BifId`].
        pub static ROWS: &[Row] = &[$(Row {
            module: $module,
            function: $function,
            arity: $arity,
            class: class!($class),
            capability: capability!($capability),
            call: {
                fn call<'h>(cx: &mut Cx<'h>, args: &[Term<'h>]) -> BifResult<'h> {
                    let args: [Term<'h>; $arity] =
                        args.try_into().expect("the loader passes as many arguments as the row says");
                    super::$($path)::+(cx, args)
                }
                call
            },
        }),*];
    };
}

/// The number of a native by name, for use in constants.
///
/// # Panics
/// If there is no such row: in a constant, that is an error of the build.
pub const fn id(module: &str, function: &str, arity: u8) -> BifId {
    let mut index = 0;
    while index < NAMES.len() {
        let (row_module, row_function, row_arity) = NAMES[index];
        if row_arity == arity && equal(row_module, module) && equal(row_function, function) {
            return BifId(index as u16);
        }
        index += 1;
    }
    panic!("no such native");
}

const fn equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}

natives! {
    guard "erlang" "*"/2 none erlang::operator::times;
    guard "erlang" "+"/1 none erlang::operator::identity;
    guard "erlang" "+"/2 none erlang::operator::plus;
    pure "erlang" "++"/2 none erlang::operator::append;
    guard "erlang" "-"/1 none erlang::operator::negate;
    guard "erlang" "-"/2 none erlang::operator::minus;
    pure "erlang" "--"/2 none erlang::operator::subtract;
    guard "erlang" "/"/2 none erlang::operator::slash;
    guard "erlang" "/="/2 none erlang::operator::differs;
    guard "erlang" "<"/2 none erlang::operator::less;
    guard "erlang" "=/="/2 none erlang::operator::differs_exactly;
    guard "erlang" "=:="/2 none erlang::operator::equals_exactly;
    guard "erlang" "=<"/2 none erlang::operator::less_or_equal;
    guard "erlang" "=="/2 none erlang::operator::equals;
    guard "erlang" ">"/2 none erlang::operator::greater;
    guard "erlang" ">="/2 none erlang::operator::greater_or_equal;
    guard "erlang" "abs"/1 none erlang::guard::abs;
    guard "erlang" "and"/2 none erlang::operator::and;
    pure "erlang" "append"/2 none erlang::operator::append;
    pure "erlang" "append_element"/2 none erlang::tuple::append_element;
    effect "erlang" "apply"/2 none erlang::control::apply_fun;
    effect "erlang" "apply"/3 none erlang::control::apply;
    pure "erlang" "atom_to_binary"/1 none erlang::atom_text::atom_to_binary;
    pure "erlang" "atom_to_binary"/2 none erlang::atom_text::atom_to_binary_in;
    pure "erlang" "atom_to_list"/1 none erlang::atom_text::atom_to_list;
    guard "erlang" "band"/2 none erlang::operator::band;
    guard "erlang" "binary_part"/2 none erlang::guard::binary_part_of_tuple;
    guard "erlang" "binary_part"/3 none erlang::guard::binary_part;
    pure "erlang" "binary_to_atom"/1 none erlang::atom_text::binary_to_atom;
    pure "erlang" "binary_to_atom"/2 none erlang::atom_text::binary_to_atom_in;
    pure "erlang" "binary_to_existing_atom"/1 none erlang::atom_text::binary_to_existing_atom;
    pure "erlang" "binary_to_existing_atom"/2 none erlang::atom_text::binary_to_existing_atom_in;
    pure "erlang" "binary_to_float"/1 none erlang::number_text::binary_to_float;
    pure "erlang" "binary_to_integer"/1 none erlang::number_text::binary_to_integer;
    pure "erlang" "binary_to_integer"/2 none erlang::number_text::binary_to_integer_in;
    pure "erlang" "binary_to_list"/1 none erlang::bytes::binary_to_list;
    pure "erlang" "binary_to_list"/3 none erlang::bytes::binary_to_list_of;
    guard "erlang" "bit_size"/1 none erlang::guard::bit_size;
    pure "erlang" "bitstring_to_list"/1 none erlang::bytes::bitstring_to_list;
    guard "erlang" "bnot"/1 none erlang::operator::bnot;
    guard "erlang" "bor"/2 none erlang::operator::bor;
    guard "erlang" "bsl"/2 none erlang::operator::bsl;
    guard "erlang" "bsr"/2 none erlang::operator::bsr;
    guard "erlang" "bxor"/2 none erlang::operator::bxor;
    guard "erlang" "byte_size"/1 none erlang::guard::byte_size;
    guard "erlang" "ceil"/1 none erlang::guard::ceil;
    pure "erlang" "delete_element"/2 none erlang::tuple::delete_element;
    guard "erlang" "div"/2 none erlang::operator::div;
    guard "erlang" "element"/2 none erlang::guard::element;
    pure "erlang" "error"/1 none erlang::control::error;
    pure "erlang" "error"/2 none erlang::control::error_with_arguments;
    pure "erlang" "error"/3 none erlang::control::error_with_options;
    pure "erlang" "exit"/1 none erlang::control::exit;
    guard "erlang" "float"/1 none erlang::guard::float;
    pure "erlang" "float_to_binary"/1 none erlang::number_text::float_to_binary;
    pure "erlang" "float_to_binary"/2 none erlang::number_text::float_to_binary_with;
    pure "erlang" "float_to_list"/1 none erlang::number_text::float_to_list;
    pure "erlang" "float_to_list"/2 none erlang::number_text::float_to_list_with;
    guard "erlang" "floor"/1 none erlang::guard::floor;
    guard "erlang" "hd"/1 none erlang::guard::hd;
    pure "erlang" "insert_element"/3 none erlang::tuple::insert_element;
    pure "erlang" "integer_to_binary"/1 none erlang::number_text::integer_to_binary;
    pure "erlang" "integer_to_binary"/2 none erlang::number_text::integer_to_binary_in;
    pure "erlang" "integer_to_list"/1 none erlang::number_text::integer_to_list;
    pure "erlang" "integer_to_list"/2 none erlang::number_text::integer_to_list_in;
    pure "erlang" "iolist_size"/1 none erlang::bytes::iolist_size;
    pure "erlang" "iolist_to_binary"/1 none erlang::bytes::iolist_to_binary;
    guard "erlang" "is_atom"/1 none erlang::guard::is_atom;
    guard "erlang" "is_binary"/1 none erlang::guard::is_binary;
    guard "erlang" "is_bitstring"/1 none erlang::guard::is_bitstring;
    guard "erlang" "is_boolean"/1 none erlang::guard::is_boolean;
    guard "erlang" "is_float"/1 none erlang::guard::is_float;
    guard "erlang" "is_function"/1 none erlang::guard::is_function;
    guard "erlang" "is_function"/2 none erlang::guard::is_function_of;
    guard "erlang" "is_integer"/1 none erlang::guard::is_integer;
    guard "erlang" "is_list"/1 none erlang::guard::is_list;
    guard "erlang" "is_map"/1 none erlang::guard::is_map;
    guard "erlang" "is_map_key"/2 none erlang::guard::is_map_key;
    guard "erlang" "is_number"/1 none erlang::guard::is_number;
    guard "erlang" "is_pid"/1 none erlang::guard::is_pid;
    guard "erlang" "is_port"/1 none erlang::guard::is_port;
    guard "erlang" "is_record"/2 none erlang::guard::is_record;
    guard "erlang" "is_record"/3 none erlang::guard::is_record_of;
    guard "erlang" "is_reference"/1 none erlang::guard::is_reference;
    guard "erlang" "is_tuple"/1 none erlang::guard::is_tuple;
    guard "erlang" "length"/1 none erlang::guard::length;
    pure "erlang" "list_to_atom"/1 none erlang::atom_text::list_to_atom;
    pure "erlang" "list_to_binary"/1 none erlang::bytes::list_to_binary;
    pure "erlang" "list_to_bitstring"/1 none erlang::bytes::list_to_bitstring;
    pure "erlang" "list_to_existing_atom"/1 none erlang::atom_text::list_to_existing_atom;
    pure "erlang" "list_to_float"/1 none erlang::number_text::list_to_float;
    pure "erlang" "list_to_integer"/1 none erlang::number_text::list_to_integer;
    pure "erlang" "list_to_integer"/2 none erlang::number_text::list_to_integer_in;
    pure "erlang" "list_to_tuple"/1 none erlang::tuple::list_to_tuple;
    pure "erlang" "make_tuple"/2 none erlang::tuple::make_tuple;
    pure "erlang" "make_tuple"/3 none erlang::tuple::make_tuple_with;
    guard "erlang" "map_get"/2 none erlang::guard::map_get;
    guard "erlang" "map_size"/1 none erlang::guard::map_size;
    guard "erlang" "max"/2 none erlang::guard::max;
    guard "erlang" "min"/2 none erlang::guard::min;
    pure "erlang" "nif_error"/1 none erlang::control::error;
    pure "erlang" "nif_error"/2 none erlang::control::error_with_arguments;
    guard "erlang" "not"/1 none erlang::operator::not;
    guard "erlang" "or"/2 none erlang::operator::or;
    pure "erlang" "raise"/3 none erlang::control::raise;
    guard "erlang" "rem"/2 none erlang::operator::rem;
    guard "erlang" "round"/1 none erlang::guard::round;
    guard "erlang" "self"/0 none process::self_;
    effect "erlang" "send"/2 process process::send;
    pure "erlang" "setelement"/3 none erlang::tuple::setelement;
    guard "erlang" "size"/1 none erlang::guard::size;
    pure "erlang" "split_binary"/2 none erlang::bytes::split_binary;
    pure "erlang" "subtract"/2 none erlang::operator::subtract;
    pure "erlang" "throw"/1 none erlang::control::throw;
    guard "erlang" "tl"/1 none erlang::guard::tl;
    guard "erlang" "trunc"/1 none erlang::guard::trunc;
    guard "erlang" "tuple_size"/1 none erlang::guard::tuple_size;
    pure "erlang" "tuple_to_list"/1 none erlang::tuple::tuple_to_list;
    guard "erlang" "xor"/2 none erlang::operator::xor;
}

#[cfg(test)]
mod tests {
    use super::ROWS;

    #[test]
    fn rows_are_sorted_and_distinct() {
        let names: Vec<_> = ROWS.iter().map(|row| (row.module, row.function, row.arity)).collect();
        for pair in names.windows(2) {
            assert!(pair[0] < pair[1], "{:?} must come before {:?}", pair[1], pair[0]);
        }
    }
}

//! What the language itself provides: functions that need no import, those allowed in guards, and types.
//!
//! This is the language's list, not the virtual machine's: a function may be here and not be built yet. A test of the
//! virtual machine compares the two.

/// Arities of one function of the module `erlang`.
struct Row {
    name: &'static str,
    /// Callable without a module.
    auto: &'static [u8],
    /// Automatically imported since before R14A: a local function of this name is an error to call without a module,
    /// where a newer one only hides it.
    old: &'static [u8],
    /// Allowed in guards.
    guard: &'static [u8],
}

macro_rules! builtins {
    ($($name:literal [$($auto:literal),*] $(old [$($old:literal),*])? $(guard [$($guard:literal),*])?;)*) => {
        /// Sorted by name.
        const BUILTINS: &[Row] = &[$(Row {
            name: $name,
            auto: &[$($auto),*],
            old: &[$($($old),*)?],
            guard: &[$($($guard),*)?],
        }),*];
    };
}

builtins! {
    "abs" [1] old [1] guard [1];
    "alias" [0, 1];
    "apply" [2, 3] old [2, 3];
    "atom_to_binary" [1, 2] old [2];
    "atom_to_list" [1] old [1];
    "binary_part" [2, 3] guard [2, 3];
    "binary_to_atom" [1, 2] old [2];
    "binary_to_existing_atom" [1, 2] old [2];
    "binary_to_float" [1];
    "binary_to_integer" [1, 2];
    "binary_to_list" [1, 3] old [1, 3];
    "binary_to_term" [1, 2] old [1];
    "bit_size" [1] old [1] guard [1];
    "bitstring_to_list" [1] old [1];
    "byte_size" [1] old [1] guard [1];
    "ceil" [1] guard [1];
    "check_old_code" [1];
    "check_process_code" [2, 3] old [2];
    "date" [0] old [0];
    "delete_module" [1] old [1];
    "demonitor" [1, 2];
    "disconnect_node" [1] old [1];
    "element" [2] old [2] guard [2];
    "erase" [0, 1] old [0, 1];
    "error" [1, 2, 3];
    "exit" [1, 2] old [1, 2];
    "float" [1] old [1] guard [1];
    "float_to_binary" [1, 2];
    "float_to_list" [1, 2] old [1];
    "floor" [1] guard [1];
    "garbage_collect" [0, 1, 2] old [0, 1];
    "get" [0, 1] old [0, 1];
    "get_keys" [0, 1] old [1];
    "group_leader" [0, 2] old [0, 2];
    "halt" [0, 1, 2] old [0, 1];
    "hd" [1] old [1] guard [1];
    "integer_to_binary" [1, 2];
    "integer_to_list" [1, 2] old [1];
    "iolist_size" [1] old [1];
    "iolist_to_binary" [1] old [1];
    "is_alive" [0] old [0];
    "is_atom" [1] old [1] guard [1];
    "is_binary" [1] old [1] guard [1];
    "is_bitstring" [1] old [1] guard [1];
    "is_boolean" [1] old [1] guard [1];
    "is_float" [1] old [1] guard [1];
    "is_function" [1, 2] old [1, 2] guard [1, 2];
    "is_integer" [1] old [1] guard [1];
    "is_list" [1] old [1] guard [1];
    "is_map" [1] guard [1];
    "is_map_key" [2] guard [2];
    "is_number" [1] old [1] guard [1];
    "is_pid" [1] old [1] guard [1];
    "is_port" [1] old [1] guard [1];
    "is_process_alive" [1] old [1];
    "is_record" [2, 3] old [2, 3] guard [2, 3];
    "is_reference" [1] old [1] guard [1];
    "is_tuple" [1] old [1] guard [1];
    "length" [1] old [1] guard [1];
    "link" [1] old [1];
    "list_to_atom" [1] old [1];
    "list_to_binary" [1] old [1];
    "list_to_bitstring" [1] old [1];
    "list_to_existing_atom" [1] old [1];
    "list_to_float" [1] old [1];
    "list_to_integer" [1, 2] old [1];
    "list_to_pid" [1] old [1];
    "list_to_port" [1];
    "list_to_ref" [1];
    "list_to_tuple" [1] old [1];
    "load_module" [2] old [2];
    "make_ref" [0] old [0];
    "map_get" [2] guard [2];
    "map_size" [1] guard [1];
    "max" [2] guard [2];
    "min" [2] guard [2];
    "module_loaded" [1] old [1];
    "monitor" [2, 3];
    "monitor_node" [2] old [2];
    "node" [0, 1] old [0, 1] guard [0, 1];
    "nodes" [0, 1, 2] old [0, 1];
    "now" [0] old [0];
    "open_port" [2] old [2];
    "pid_to_list" [1] old [1];
    "port_close" [1] old [1];
    "port_command" [2, 3] old [2];
    "port_connect" [2] old [2];
    "port_control" [3] old [3];
    "port_to_list" [1];
    "pre_loaded" [0] old [0];
    "process_flag" [2, 3] old [2, 3];
    "process_info" [1, 2] old [1, 2];
    "processes" [0] old [0];
    "purge_module" [1] old [1];
    "put" [2] old [2];
    "ref_to_list" [1];
    "register" [2] old [2];
    "registered" [0] old [0];
    "round" [1] old [1] guard [1];
    "self" [0] old [0] guard [0];
    "setelement" [3] old [3];
    "size" [1] old [1] guard [1];
    "spawn" [1, 2, 3, 4] old [1, 2, 3, 4];
    "spawn_link" [1, 2, 3, 4] old [1, 2, 3, 4];
    "spawn_monitor" [1, 2, 3, 4] old [1, 3];
    "spawn_opt" [2, 3, 4, 5] old [2, 3, 4, 5];
    "spawn_request" [1, 2, 3, 4, 5];
    "spawn_request_abandon" [1];
    "split_binary" [2] old [2];
    "statistics" [1] old [1];
    "term_to_binary" [1, 2] old [1, 2];
    "term_to_iovec" [1, 2];
    "throw" [1] old [1];
    "time" [0] old [0];
    "tl" [1] old [1] guard [1];
    "trunc" [1] old [1] guard [1];
    "tuple_size" [1] old [1] guard [1];
    "tuple_to_list" [1] old [1];
    "unalias" [1];
    "unlink" [1] old [1];
    "unregister" [1] old [1];
    "whereis" [1] old [1];
}

/// Functions of `math` that code calls like those allowed in guards, sorted.
const MATH: &[(&str, u32)] = &[
    ("acos", 1),
    ("acosh", 1),
    ("asin", 1),
    ("asinh", 1),
    ("atan", 1),
    ("atan2", 2),
    ("atanh", 1),
    ("cos", 1),
    ("cosh", 1),
    ("erf", 1),
    ("erfc", 1),
    ("exp", 1),
    ("fmod", 2),
    ("log", 1),
    ("log10", 1),
    ("log2", 1),
    ("pow", 2),
    ("sin", 1),
    ("sinh", 1),
    ("sqrt", 1),
    ("tan", 1),
    ("tanh", 1),
];

/// Operators that are functions of `erlang` too, as `erlang:'+'(A, B)`, and may be called so in guards.
const GUARD_OPERATORS: &[(&str, u32)] = &[
    ("+", 1),
    ("-", 1),
    ("bnot", 1),
    ("not", 1),
    ("*", 2),
    ("/", 2),
    ("+", 2),
    ("-", 2),
    ("div", 2),
    ("rem", 2),
    ("band", 2),
    ("bor", 2),
    ("bxor", 2),
    ("bsl", 2),
    ("bsr", 2),
    ("and", 2),
    ("or", 2),
    ("xor", 2),
    ("==", 2),
    ("/=", 2),
    ("=<", 2),
    ("<", 2),
    (">=", 2),
    (">", 2),
    ("=:=", 2),
    ("=/=", 2),
];

/// Type tests of long ago, `list(X)` for `is_list(X)`: allowed in guards, with a warning, unless a function of that
/// name is defined.
const OLD_TYPE_TESTS: &[(&str, u32)] = &[
    ("integer", 1),
    ("float", 1),
    ("number", 1),
    ("atom", 1),
    ("list", 1),
    ("tuple", 1),
    ("pid", 1),
    ("reference", 1),
    ("port", 1),
    ("binary", 1),
    ("record", 2),
    ("function", 1),
];

/// Types that need no definition; sorted.
const TYPES: &[(&str, u32)] = &[
    ("any", 0),
    ("arity", 0),
    ("atom", 0),
    ("binary", 0),
    ("bitstring", 0),
    ("bool", 0),
    ("boolean", 0),
    ("byte", 0),
    ("char", 0),
    ("dynamic", 0),
    ("float", 0),
    ("function", 0),
    ("identifier", 0),
    ("integer", 0),
    ("iodata", 0),
    ("iolist", 0),
    ("list", 0),
    ("list", 1),
    ("map", 0),
    ("maybe_improper_list", 0),
    ("maybe_improper_list", 2),
    ("mfa", 0),
    ("module", 0),
    ("neg_integer", 0),
    ("nil", 0),
    ("no_return", 0),
    ("node", 0),
    ("non_neg_integer", 0),
    ("none", 0),
    ("nonempty_binary", 0),
    ("nonempty_bitstring", 0),
    ("nonempty_improper_list", 2),
    ("nonempty_list", 0),
    ("nonempty_list", 1),
    ("nonempty_maybe_improper_list", 0),
    ("nonempty_maybe_improper_list", 2),
    ("nonempty_string", 0),
    ("number", 0),
    ("pid", 0),
    ("port", 0),
    ("pos_integer", 0),
    ("reference", 0),
    ("string", 0),
    ("term", 0),
    ("timeout", 0),
    ("tuple", 0),
];

fn row(name: &str) -> Option<&'static Row> {
    BUILTINS.binary_search_by(|row| row.name.cmp(name)).ok().map(|at| &BUILTINS[at])
}

fn contains(arities: &[u8], arity: u32) -> bool {
    arities.iter().any(|&known| u32::from(known) == arity)
}

/// Whether `name/arity` of `erlang` may be called without a module.
pub fn is_auto_imported(name: &str, arity: u32) -> bool {
    row(name).is_some_and(|row| contains(row.auto, arity))
}

/// Whether it is auto-imported since before R14A.
pub fn is_old_auto_import(name: &str, arity: u32) -> bool {
    row(name).is_some_and(|row| contains(row.old, arity))
}

/// Whether `name/arity` of `erlang` may be called in guards, with or without a module.
pub fn is_guard(name: &str, arity: u32) -> bool {
    row(name).is_some_and(|row| contains(row.guard, arity))
}

/// Whether `erlang:name/arity` is an operator that may be called so in guards.
pub fn is_guard_operator(name: &str, arity: u32) -> bool {
    GUARD_OPERATORS.contains(&(name, arity))
}

/// Whether code calls `math:name/arity` as it calls a function that guards allow: with its operands where they are, and the
/// registers kept. These functions do nothing but compute; `floor` and `ceil` are not among them, since `erlang` has others
/// of these names.
pub fn is_math(name: &str, arity: u32) -> bool {
    MATH.binary_search(&(name, arity)).is_ok()
}

/// The names of those functions.
pub fn math_names() -> impl Iterator<Item = &'static str> {
    MATH.iter().map(|function| function.0)
}

/// Whether `name(...)` is a type test of long ago.
pub fn is_old_type_test(name: &str, arity: u32) -> bool {
    OLD_TYPE_TESTS.contains(&(name, arity))
}

/// Whether `name/arity` is a type of the language.
pub fn is_type(name: &str, arity: u32) -> bool {
    TYPES.binary_search(&(name, arity)).is_ok()
}

/// The names of all auto-imported functions, for hints.
pub fn auto_imported_names() -> impl Iterator<Item = &'static str> {
    BUILTINS.iter().map(|row| row.name)
}

/// All auto-imported functions with their arities.
pub fn auto_imported() -> impl Iterator<Item = (&'static str, u32)> {
    BUILTINS.iter().flat_map(|row| row.auto.iter().map(|&arity| (row.name, u32::from(arity))))
}

/// The names of all types of the language, for hints.
pub fn type_names() -> impl Iterator<Item = &'static str> {
    TYPES.iter().map(|ty| ty.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(BUILTINS.windows(2).all(|pair| pair[0].name < pair[1].name));
        assert!(TYPES.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn functions_of_math_have_names_of_their_own() {
        assert!(MATH.is_sorted());
        assert!(MATH.iter().all(|&(name, _)| row(name).is_none()));
    }

    #[test]
    fn lookups() {
        assert!(is_auto_imported("spawn", 3) && !is_auto_imported("spawn", 5));
        assert!(is_guard("is_record", 3) && is_guard("max", 2) && !is_guard("spawn", 1));
        assert!(is_old_auto_import("size", 1) && !is_old_auto_import("max", 2));
        assert!(is_guard_operator("+", 1) && !is_guard_operator("++", 2));
        assert!(is_type("list", 1) && !is_type("list", 2));
    }

    #[test]
    fn guard_functions_are_auto_imported() {
        for row in BUILTINS {
            assert!(row.guard.iter().chain(row.old).all(|arity| row.auto.contains(arity)), "{}", row.name);
        }
    }
}

//! The table of natives: one row each, sorted by module, function and arity.
//!
//! A row says: class, module, function/arity, capability, and the Rust function. The classes:
//! - `guard`: allowed in guards; no effect, quick, result depends on the arguments alone;
//! - `pure`: no effect, but may be long or raise anything;
//! - `effect`: everything else.
//!
//! The capability is what the caller's account must be granted (`none` for most).

use super::{BifResult, Cx, Stop};
use crate::atom::Atoms;
use crate::code::{BifId, Mfa};
use crate::term::Term;

/// The class of a native.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purity {
    Guard,
    Pure,
    Effect,
}

/// What an account must be granted to call a native; see [`Capabilities`](crate::limits::Capabilities).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capability {
    None,
    /// Some file; which, the native asks itself. Else `{error, eacces}`.
    File,
    /// Environment variables. The natives ask: without it, there are none.
    Env,
    /// Else the error `eacces`.
    Subprocess,
    /// The time of day. Else the error `eacces`.
    Clock,
    /// Else `{error, eacces}`.
    Code,
    /// Else the error `eacces`.
    Halt,
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
    (halt) => {
        Capability::Halt
    };
}

/// How a native without its capability ends; nothing is asked of those that need none.
macro_rules! denied {
    (none $cx:ident) => {
        None
    };
    (env $cx:ident) => {
        None
    };
    (file $cx:ident) => {
        (!$cx.capabilities().has_files()).then(|| Stop::answer_denied($cx))
    };
    (code $cx:ident) => {
        (!$cx.capabilities().has_code()).then(|| Stop::answer_denied($cx))
    };
    (subprocess $cx:ident) => {
        (!$cx.capabilities().has_subprocesses()).then(|| Err(Stop::denied()))
    };
    (clock $cx:ident) => {
        (!$cx.capabilities().has_clock()).then(|| Err(Stop::denied()))
    };
    (halt $cx:ident) => {
        (!$cx.capabilities().may_halt()).then(|| Err(Stop::denied()))
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
                    let denied: Option<BifResult<'h>> = denied!($capability cx);
                    if let Some(result) = denied {
                        return result;
                    }
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

/// The names of all natives, as atoms of a VM.
///
/// # Panics
/// If they do not fit its table, which is made for many more.
pub fn names(atoms: &Atoms) -> Vec<Mfa> {
    let atom = |text: &str| atoms.intern(text).expect("a fresh table has room for the natives' names");
    let name = |row: &Row| Mfa { module: atom(row.module), function: atom(row.function), arity: row.arity };
    ROWS.iter().map(name).collect()
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
    effect "atomics" "add"/3 none counters::add;
    effect "atomics" "add_get"/3 none counters::add_get;
    effect "atomics" "compare_exchange"/4 none counters::compare_exchange;
    effect "atomics" "exchange"/3 none counters::exchange;
    effect "atomics" "get"/2 none counters::get;
    effect "atomics" "info"/1 none counters::info;
    effect "atomics" "new"/2 none counters::new_atomics;
    effect "atomics" "put"/3 none counters::put;
    effect "atomics" "sub"/3 none counters::sub;
    effect "atomics" "sub_get"/3 none counters::sub_get;
    pure "binary" "at"/2 none binary::at;
    pure "binary" "bin_to_list"/1 none binary::bin_to_list;
    pure "binary" "bin_to_list"/2 none binary::bin_to_list_of_tuple;
    pure "binary" "bin_to_list"/3 none binary::bin_to_list_of;
    pure "binary" "compile_pattern"/1 none binary::compile_pattern;
    pure "binary" "copy"/1 none binary::copy;
    pure "binary" "copy"/2 none binary::copy_times;
    pure "binary" "decode_unsigned"/1 none binary::decode_unsigned;
    pure "binary" "decode_unsigned"/2 none binary::decode_unsigned_in;
    pure "binary" "encode_unsigned"/1 none binary::encode_unsigned;
    pure "binary" "encode_unsigned"/2 none binary::encode_unsigned_in;
    pure "binary" "first"/1 none binary::first;
    pure "binary" "last"/1 none binary::last;
    pure "binary" "list_to_bin"/1 none erlang::bytes::list_to_binary;
    pure "binary" "longest_common_prefix"/1 none binary::longest_common_prefix;
    pure "binary" "longest_common_suffix"/1 none binary::longest_common_suffix;
    pure "binary" "match"/2 none binary::match_first;
    pure "binary" "match"/3 none binary::match_first_in;
    pure "binary" "matches"/2 none binary::match_all;
    pure "binary" "matches"/3 none binary::match_all_in;
    pure "binary" "part"/2 none binary::part_of_tuple;
    pure "binary" "part"/3 none binary::part;
    pure "binary" "referenced_byte_size"/1 none binary::referenced_byte_size;
    pure "binary" "split"/2 none binary::split;
    pure "binary" "split"/3 none binary::split_in;
    effect "counters" "add"/3 none counters::add;
    effect "counters" "get"/2 none counters::get;
    effect "counters" "info"/1 none counters::info;
    effect "counters" "new"/2 none counters::new_counters;
    effect "counters" "put"/3 none counters::put;
    effect "counters" "sub"/3 none counters::sub;
    effect "crypto" "strong_rand_bytes"/1 none crypto::strong_rand_bytes;
    effect "erlang" "!"/2 none process::send::send;
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
    pure "erlang" "adler32"/1 none digest::adler32;
    pure "erlang" "adler32"/2 none digest::adler32_from;
    effect "erlang" "alias"/0 none process::alias::alias;
    effect "erlang" "alias"/1 none process::alias::alias_with;
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
    pure "erlang" "binary_to_term"/1 none external::binary_to_term;
    pure "erlang" "binary_to_term"/2 none external::binary_to_term_with;
    guard "erlang" "bit_size"/1 none erlang::guard::bit_size;
    pure "erlang" "bitstring_to_list"/1 none erlang::bytes::bitstring_to_list;
    guard "erlang" "bnot"/1 none erlang::operator::bnot;
    guard "erlang" "bor"/2 none erlang::operator::bor;
    guard "erlang" "bsl"/2 none erlang::operator::bsl;
    guard "erlang" "bsr"/2 none erlang::operator::bsr;
    effect "erlang" "bump_reductions"/1 none process::bump_reductions;
    guard "erlang" "bxor"/2 none erlang::operator::bxor;
    guard "erlang" "byte_size"/1 none erlang::guard::byte_size;
    effect "erlang" "cancel_timer"/1 none process::timer::cancel;
    effect "erlang" "cancel_timer"/2 none process::timer::cancel_with;
    guard "erlang" "ceil"/1 none erlang::guard::ceil;
    effect "erlang" "check_old_code"/1 none code::check_old_code;
    effect "erlang" "check_process_code"/2 none code::check_process_code;
    effect "erlang" "check_process_code"/3 none code::check_process_code_with;
    pure "erlang" "convert_time_unit"/3 none time::convert_time_unit;
    pure "erlang" "crc32"/1 none digest::crc32;
    pure "erlang" "crc32"/2 none digest::crc32_from;
    pure "erlang" "crc32_combine"/3 none digest::crc32_combine;
    effect "erlang" "date"/0 clock time::date;
    pure "erlang" "delete_element"/2 none erlang::tuple::delete_element;
    effect "erlang" "delete_module"/1 code code::delete_module;
    effect "erlang" "demonitor"/1 none process::monitor::demonitor;
    effect "erlang" "demonitor"/2 none process::monitor::demonitor_with;
    effect "erlang" "display"/1 none os::display;
    guard "erlang" "div"/2 none erlang::operator::div;
    guard "erlang" "element"/2 none erlang::guard::element;
    effect "erlang" "erase"/0 none process::dictionary::erase_all;
    effect "erlang" "erase"/1 none process::dictionary::erase;
    pure "erlang" "error"/1 none erlang::control::error;
    pure "erlang" "error"/2 none erlang::control::error_with_arguments;
    pure "erlang" "error"/3 none erlang::control::error_with_options;
    pure "erlang" "exit"/1 none erlang::control::exit;
    effect "erlang" "exit"/2 none process::exit::exit;
    pure "erlang" "external_size"/1 none external::external_size;
    pure "erlang" "external_size"/2 none external::external_size_with;
    guard "erlang" "float"/1 none erlang::guard::float;
    pure "erlang" "float_to_binary"/1 none erlang::number_text::float_to_binary;
    pure "erlang" "float_to_binary"/2 none erlang::number_text::float_to_binary_with;
    pure "erlang" "float_to_list"/1 none erlang::number_text::float_to_list;
    pure "erlang" "float_to_list"/2 none erlang::number_text::float_to_list_with;
    guard "erlang" "floor"/1 none erlang::guard::floor;
    pure "erlang" "fun_info"/1 none fun::fun_info_all;
    pure "erlang" "fun_info"/2 none fun::fun_info;
    pure "erlang" "fun_info_mfa"/1 none fun::fun_info_mfa;
    pure "erlang" "fun_to_list"/1 none fun::fun_to_list;
    effect "erlang" "function_exported"/3 none fun::function_exported;
    effect "erlang" "garbage_collect"/0 none process::suspend::collect;
    effect "erlang" "garbage_collect"/1 none process::suspend::collect_of;
    effect "erlang" "garbage_collect"/2 none process::suspend::collect_with;
    effect "erlang" "get"/0 none process::dictionary::get_all;
    effect "erlang" "get"/1 none process::dictionary::get;
    effect "erlang" "get_keys"/0 none process::dictionary::get_keys;
    effect "erlang" "get_keys"/1 none process::dictionary::get_keys_of;
    effect "erlang" "get_module_info"/1 none fun::module_info;
    effect "erlang" "get_module_info"/2 none fun::module_info_item;
    effect "erlang" "group_leader"/0 none process::flag::group_leader;
    effect "erlang" "group_leader"/2 none process::flag::set_group_leader;
    effect "erlang" "halt"/0 halt process::exit::halt;
    effect "erlang" "halt"/1 halt process::exit::halt_with;
    effect "erlang" "halt"/2 halt process::exit::halt_with_options;
    guard "erlang" "hd"/1 none erlang::guard::hd;
    effect "erlang" "hibernate"/3 none process::exit::hibernate;
    pure "erlang" "insert_element"/3 none erlang::tuple::insert_element;
    pure "erlang" "integer_to_binary"/1 none erlang::number_text::integer_to_binary;
    pure "erlang" "integer_to_binary"/2 none erlang::number_text::integer_to_binary_in;
    pure "erlang" "integer_to_list"/1 none erlang::number_text::integer_to_list;
    pure "erlang" "integer_to_list"/2 none erlang::number_text::integer_to_list_in;
    pure "erlang" "iolist_size"/1 none erlang::bytes::iolist_size;
    pure "erlang" "iolist_to_binary"/1 none erlang::bytes::iolist_to_binary;
    effect "erlang" "is_alive"/0 none process::info::is_alive;
    guard "erlang" "is_atom"/1 none erlang::guard::is_atom;
    guard "erlang" "is_binary"/1 none erlang::guard::is_binary;
    guard "erlang" "is_bitstring"/1 none erlang::guard::is_bitstring;
    guard "erlang" "is_boolean"/1 none erlang::guard::is_boolean;
    effect "erlang" "is_builtin"/3 none fun::is_builtin;
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
    effect "erlang" "is_process_alive"/1 none process::info::is_process_alive;
    guard "erlang" "is_record"/2 none erlang::guard::is_record;
    guard "erlang" "is_record"/3 none erlang::guard::is_record_of;
    guard "erlang" "is_reference"/1 none erlang::guard::is_reference;
    guard "erlang" "is_tuple"/1 none erlang::guard::is_tuple;
    guard "erlang" "length"/1 none erlang::guard::length;
    effect "erlang" "link"/1 none process::link::link;
    pure "erlang" "list_to_atom"/1 none erlang::atom_text::list_to_atom;
    pure "erlang" "list_to_binary"/1 none erlang::bytes::list_to_binary;
    pure "erlang" "list_to_bitstring"/1 none erlang::bytes::list_to_bitstring;
    pure "erlang" "list_to_existing_atom"/1 none erlang::atom_text::list_to_existing_atom;
    pure "erlang" "list_to_float"/1 none erlang::number_text::list_to_float;
    pure "erlang" "list_to_integer"/1 none erlang::number_text::list_to_integer;
    pure "erlang" "list_to_integer"/2 none erlang::number_text::list_to_integer_in;
    pure "erlang" "list_to_pid"/1 none fun::list_to_pid;
    pure "erlang" "list_to_ref"/1 none fun::list_to_ref;
    pure "erlang" "list_to_tuple"/1 none erlang::tuple::list_to_tuple;
    effect "erlang" "loaded"/0 none fun::loaded;
    effect "erlang" "localtime"/0 clock time::localtime;
    pure "erlang" "localtime_to_universaltime"/1 none time::localtime_to_universaltime;
    pure "erlang" "localtime_to_universaltime"/2 none time::localtime_to_universaltime_dst;
    pure "erlang" "make_fun"/3 none fun::make_fun;
    effect "erlang" "make_ref"/0 none process::make_ref;
    pure "erlang" "make_tuple"/2 none erlang::tuple::make_tuple;
    pure "erlang" "make_tuple"/3 none erlang::tuple::make_tuple_with;
    guard "erlang" "map_get"/2 none erlang::guard::map_get;
    guard "erlang" "map_size"/1 none erlang::guard::map_size;
    guard "erlang" "max"/2 none erlang::guard::max;
    pure "erlang" "md5"/1 none digest::md5;
    pure "erlang" "md5_final"/1 none digest::md5_final;
    pure "erlang" "md5_init"/0 none digest::md5_init;
    pure "erlang" "md5_update"/2 none digest::md5_update;
    effect "erlang" "memory"/0 none system::memory;
    effect "erlang" "memory"/1 none system::memory_of;
    guard "erlang" "min"/2 none erlang::guard::min;
    effect "erlang" "module_loaded"/1 none fun::module_loaded;
    effect "erlang" "monitor"/2 none process::monitor::monitor;
    effect "erlang" "monitor"/3 none process::monitor::monitor_with;
    effect "erlang" "monotonic_time"/0 none time::monotonic_time;
    effect "erlang" "monotonic_time"/1 none time::monotonic_time_in;
    pure "erlang" "nif_error"/1 none erlang::control::error;
    pure "erlang" "nif_error"/2 none erlang::control::error_with_arguments;
    guard "erlang" "node"/0 none process::info::node;
    guard "erlang" "node"/1 none process::info::node_of;
    effect "erlang" "nodes"/0 none process::info::nodes;
    guard "erlang" "not"/1 none erlang::operator::not;
    effect "erlang" "now"/0 clock time::now;
    guard "erlang" "or"/2 none erlang::operator::or;
    pure "erlang" "phash"/2 none old_hash::phash;
    pure "erlang" "phash2"/1 none digest::phash2;
    pure "erlang" "phash2"/2 none digest::phash2_in;
    pure "erlang" "pid_to_list"/1 none fun::pid_to_list;
    pure "erlang" "port_to_list"/1 none fun::port_to_list;
    pure "erlang" "posixtime_to_universaltime"/1 none time::posixtime_to_universaltime;
    effect "erlang" "process_flag"/2 none process::flag::process_flag;
    effect "erlang" "process_flag"/3 none process::flag::process_flag_of;
    effect "erlang" "process_info"/1 none process::info::process_info;
    effect "erlang" "process_info"/2 none process::info::process_info_of;
    effect "erlang" "processes"/0 none process::info::processes;
    effect "erlang" "purge_module"/1 code code::purge_module;
    effect "erlang" "put"/2 none process::dictionary::put;
    pure "erlang" "raise"/3 none erlang::control::raise;
    effect "erlang" "read_timer"/1 none process::timer::read;
    effect "erlang" "read_timer"/2 none process::timer::read_with;
    pure "erlang" "ref_to_list"/1 none fun::ref_to_list;
    effect "erlang" "register"/2 none process::name::register;
    effect "erlang" "registered"/0 none process::name::registered;
    guard "erlang" "rem"/2 none erlang::operator::rem;
    effect "erlang" "resume_process"/1 none process::suspend::resume;
    guard "erlang" "round"/1 none erlang::guard::round;
    guard "erlang" "self"/0 none process::self_;
    effect "erlang" "send"/2 none process::send::send;
    effect "erlang" "send"/3 none process::send::send_with;
    effect "erlang" "send_after"/3 none process::timer::send_after;
    effect "erlang" "send_after"/4 none process::timer::send_after_with;
    effect "erlang" "send_nosuspend"/2 none process::send::send_nosuspend;
    effect "erlang" "send_nosuspend"/3 none process::send::send_nosuspend_with;
    pure "erlang" "setelement"/3 none erlang::tuple::setelement;
    guard "erlang" "size"/1 none erlang::guard::size;
    effect "erlang" "spawn"/1 none process::spawn::spawn_fun;
    effect "erlang" "spawn"/2 none process::spawn::spawn_fun_at;
    effect "erlang" "spawn"/3 none process::spawn::spawn;
    effect "erlang" "spawn"/4 none process::spawn::spawn_at;
    effect "erlang" "spawn_link"/1 none process::spawn::spawn_link_fun;
    effect "erlang" "spawn_link"/2 none process::spawn::spawn_link_fun_at;
    effect "erlang" "spawn_link"/3 none process::spawn::spawn_link;
    effect "erlang" "spawn_link"/4 none process::spawn::spawn_link_at;
    effect "erlang" "spawn_monitor"/1 none process::spawn::spawn_monitor_fun;
    effect "erlang" "spawn_monitor"/3 none process::spawn::spawn_monitor;
    effect "erlang" "spawn_opt"/2 none process::spawn::spawn_opt_fun;
    effect "erlang" "spawn_opt"/3 none process::spawn::spawn_opt_fun_at;
    effect "erlang" "spawn_opt"/4 none process::spawn::spawn_opt;
    effect "erlang" "spawn_opt"/5 none process::spawn::spawn_opt_at;
    effect "erlang" "spawn_request"/1 none process::spawn::request_fun;
    effect "erlang" "spawn_request"/2 none process::spawn::request_fun_with;
    effect "erlang" "spawn_request"/3 none process::spawn::request_call;
    effect "erlang" "spawn_request"/4 none process::spawn::request_call_with;
    effect "erlang" "spawn_request"/5 none process::spawn::request_at;
    effect "erlang" "spawn_request_abandon"/1 none process::spawn::request_abandon;
    pure "erlang" "split_binary"/2 none erlang::bytes::split_binary;
    effect "erlang" "start_timer"/3 none process::timer::start_timer;
    effect "erlang" "start_timer"/4 none process::timer::start_timer_with;
    effect "erlang" "statistics"/1 none system::statistics;
    pure "erlang" "subtract"/2 none erlang::operator::subtract;
    effect "erlang" "suspend_process"/1 none process::suspend::suspend;
    effect "erlang" "suspend_process"/2 none process::suspend::suspend_with;
    effect "erlang" "system_flag"/2 halt system::system_flag;
    effect "erlang" "system_info"/1 none system::system_info;
    effect "erlang" "system_time"/0 clock time::system_time;
    effect "erlang" "system_time"/1 clock time::system_time_in;
    pure "erlang" "term_to_binary"/1 none external::term_to_binary;
    pure "erlang" "term_to_binary"/2 none external::term_to_binary_with;
    pure "erlang" "throw"/1 none erlang::control::throw;
    effect "erlang" "time"/0 clock time::time;
    effect "erlang" "time_offset"/0 clock time::time_offset;
    effect "erlang" "time_offset"/1 clock time::time_offset_in;
    effect "erlang" "timestamp"/0 clock time::timestamp;
    guard "erlang" "tl"/1 none erlang::guard::tl;
    guard "erlang" "trunc"/1 none erlang::guard::trunc;
    guard "erlang" "tuple_size"/1 none erlang::guard::tuple_size;
    pure "erlang" "tuple_to_list"/1 none erlang::tuple::tuple_to_list;
    effect "erlang" "unalias"/1 none process::alias::unalias;
    effect "erlang" "unique_integer"/0 none time::unique_integer;
    effect "erlang" "unique_integer"/1 none time::unique_integer_with;
    effect "erlang" "universaltime"/0 clock time::universaltime;
    pure "erlang" "universaltime_to_localtime"/1 none time::universaltime_to_localtime;
    pure "erlang" "universaltime_to_posixtime"/1 none time::universaltime_to_posixtime;
    effect "erlang" "unlink"/1 none process::link::unlink;
    effect "erlang" "unregister"/1 none process::name::unregister;
    effect "erlang" "whereis"/1 none process::name::whereis;
    guard "erlang" "xor"/2 none erlang::operator::xor;
    effect "erlang" "yield"/0 none process::yield_;
    pure "erlet_chars" "lower"/1 none flat_string::lower;
    pure "erlet_chars" "tokens"/2 none flat_string::tokens;
    pure "erlet_chars" "upper"/1 none flat_string::upper;
    effect "erlet_code" "contents"/1 none code::contents;
    effect "erlet_code" "exchange_path"/2 code code::exchange_path;
    effect "erlet_code" "file"/1 none code::file;
    effect "erlet_code" "free_purged"/0 none code::free_purged;
    effect "erlet_code" "is_defined"/1 none code::is_defined;
    effect "erlet_code" "load"/2 none code::load;
    effect "erlet_code" "load_binary"/3 code code::load_binary;
    effect "erlet_code" "looked_for"/3 none code::looked_for;
    effect "erlet_code" "md5"/1 none code::md5;
    effect "erlet_code" "object_code"/1 code code::object_code;
    effect "erlet_code" "on_load_done"/2 code code::on_load_done;
    effect "erlet_code" "origin"/1 none code::origin;
    effect "erlet_code" "path"/0 none code::path;
    effect "erlet_code" "purged"/0 none code::purged;
    effect "erlet_code" "settings"/0 code code::settings;
    effect "erlet_code" "source_md5"/1 none code::source_md5;
    effect "erlet_code" "take_ticket"/1 none code::take_ticket;
    effect "erlet_code" "ticket"/0 code code::ticket;
    effect "erlet_code" "wane"/1 none code::wane;
    pure "erlet_compiler" "parse_terms"/1 none syntax::parse_terms;
    pure "erlet_crypto" "hash"/2 none crypto::hash;
    effect "erlet_ets" "run"/2 none ets_select::run;
    effect "erlet_file" "close"/1 file file::close;
    effect "erlet_file" "datasync"/1 file file::datasync;
    effect "erlet_file" "del_dir"/1 file file::del_dir;
    effect "erlet_file" "delete"/1 file file::delete;
    effect "erlet_file" "get_cwd"/0 file file::get_cwd;
    effect "erlet_file" "info"/2 file file_info::info;
    effect "erlet_file" "list_dir"/1 file file::list_dir;
    effect "erlet_file" "make_dir"/1 file file::make_dir;
    effect "erlet_file" "make_link"/2 file file::make_link;
    effect "erlet_file" "make_symlink"/2 file file::make_symlink;
    effect "erlet_file" "open"/2 file file::open;
    effect "erlet_file" "position"/2 file file::position;
    effect "erlet_file" "pread"/3 file file::pread;
    effect "erlet_file" "pwrite"/3 file file::pwrite;
    effect "erlet_file" "read"/2 file file::read;
    effect "erlet_file" "read_file"/1 file file::read_file;
    effect "erlet_file" "read_link"/1 file file::read_link;
    effect "erlet_file" "rename"/2 file file::rename;
    effect "erlet_file" "set_cwd"/1 file file::set_cwd;
    effect "erlet_file" "set_info"/2 file file_info::set_info;
    effect "erlet_file" "sync"/1 file file::sync;
    effect "erlet_file" "truncate"/1 file file::truncate;
    effect "erlet_file" "write"/2 file file::write;
    pure "erlet_forms" "compile"/4 none syntax::compile;
    effect "erlet_forms" "file"/5 file syntax::forms_of_file;
    pure "erlet_forms" "from_bytes"/1 none syntax::from_bytes;
    pure "erlet_forms" "parse"/2 none syntax::parse_tokens;
    pure "erlet_forms" "scan"/4 none syntax::scan_string;
    pure "erlet_forms" "to_bytes"/1 none syntax::to_bytes;
    effect "erlet_host" "call"/2 none host::call;
    effect "erlet_host" "invoke"/1 none host::invoke_1;
    effect "erlet_host" "invoke"/2 none host::invoke_2;
    effect "erlet_host" "invoke"/3 none host::invoke_3;
    effect "erlet_host" "invoke"/4 none host::invoke_4;
    effect "erlet_host" "invoke"/5 none host::invoke_5;
    effect "erlet_host" "invoke"/6 none host::invoke_6;
    effect "erlet_host" "invoke"/7 none host::invoke_7;
    effect "erlet_host" "invoke"/8 none host::invoke_8;
    effect "erlet_host" "invoke"/9 none host::invoke_9;
    effect "erlet_init" "arguments"/0 none init::arguments;
    effect "erlet_init" "halt"/1 halt init::halt;
    effect "erlet_init" "is_report"/1 none init::is_report;
    effect "erlet_init" "may_halt"/0 halt init::may_halt;
    effect "erlet_init" "reported"/1 none init::reported;
    effect "erlet_io" "charge"/2 none io::charge;
    effect "erlet_io" "fast_put"/2 none io::fast_put;
    effect "erlet_io" "geometry"/1 none io::geometry;
    effect "erlet_io" "is_direct"/1 none io::is_direct;
    effect "erlet_io" "is_limited"/0 none io::is_limited;
    effect "erlet_io" "log"/4 none io::log;
    effect "erlet_io" "log_now"/4 none io::log_now;
    pure "erlet_io" "print_flat"/4 none io::print_flat;
    effect "erlet_io" "read_stdin"/0 none io::read_stdin;
    pure "erlet_io" "write_flat"/2 none io::write_flat;
    effect "erlet_io" "write_stderr"/1 none io::write_stderr;
    effect "erlet_io" "write_stdout"/1 none io::write_stdout;
    pure "erlet_lists" "keysort_short"/2 none lists::keysort_short;
    pure "erlet_lists" "sort_block"/1 none lists::sort_block;
    pure "erlet_lists" "sort_short"/1 none lists::sort_short;
    pure "erlet_lists" "tied"/1 none lists::tied;
    pure "erlet_maps" "to_list"/1 none maps::to_list;
    pure "erlet_maps" "with_values"/2 none maps::with_values;
    effect "erlet_os" "cmd"/2 subprocess os::cmd_limited;
    pure "erlet_unicode" "casefold"/1 none unicode::casefold;
    pure "erlet_unicode" "graphemes"/1 none unicode::graphemes;
    pure "erlet_unicode" "length"/1 none unicode::length;
    pure "erlet_unicode" "lowercase"/1 none unicode::lowercase;
    pure "erlet_unicode" "titlecase"/1 none unicode::titlecase;
    pure "erlet_unicode" "uppercase"/1 none unicode::uppercase;
    pure "erlet_unicode" "width"/1 none unicode::width;
    pure "erlet_zlib" "deflate"/2 none deflate::deflate;
    pure "erlet_zlib" "inflate"/1 none deflate::inflate;
    pure "erts_debug" "flat_size"/1 none external::flat_size;
    pure "erts_internal" "map_next"/3 none maps::map_next;
    effect "ets" "all"/0 none ets::all;
    effect "ets" "delete"/1 none ets::delete_table;
    effect "ets" "delete"/2 none ets::delete;
    effect "ets" "delete_all_objects"/1 none ets::delete_all_objects;
    effect "ets" "delete_object"/2 none ets::delete_object;
    effect "ets" "first"/1 none ets::first;
    effect "ets" "give_away"/3 none ets::give_away;
    effect "ets" "info"/2 none ets_info::info;
    effect "ets" "insert"/2 none ets_insert::insert;
    effect "ets" "insert_new"/2 none ets_insert::insert_new;
    effect "ets" "last"/1 none ets::last;
    effect "ets" "lookup"/2 none ets::lookup;
    effect "ets" "lookup_element"/3 none ets::lookup_element;
    effect "ets" "lookup_element"/4 none ets::lookup_element_or;
    effect "ets" "match"/2 none ets_select::match_rows;
    effect "ets" "match_delete"/2 none ets_select::match_delete;
    effect "ets" "match_object"/2 none ets_select::match_object;
    effect "ets" "member"/2 none ets::member;
    effect "ets" "new"/2 none ets::new;
    effect "ets" "next"/2 none ets::next;
    effect "ets" "prev"/2 none ets::prev;
    effect "ets" "rename"/2 none ets::rename;
    effect "ets" "safe_fixtable"/2 none ets::safe_fixtable;
    effect "ets" "select"/1 none ets_select::select_continued;
    effect "ets" "select"/2 none ets_select::select;
    effect "ets" "select"/3 none ets_select::select_limited;
    effect "ets" "select_count"/2 none ets_select::select_count;
    effect "ets" "select_delete"/2 none ets_select::select_delete;
    effect "ets" "select_replace"/2 none ets_select::select_replace;
    effect "ets" "setopts"/2 none ets::setopts;
    effect "ets" "tab2list"/1 none ets_select::tab2list;
    effect "ets" "take"/2 none ets::take;
    effect "ets" "update_counter"/3 none ets_update::update_counter;
    effect "ets" "update_counter"/4 none ets_update::update_counter_or;
    effect "ets" "update_element"/3 none ets_update::update_element;
    effect "ets" "whereis"/1 none ets::whereis;
    pure "io" "printable_range"/0 none io::printable_range;
    pure "lists" "keyfind"/3 none lists::keyfind;
    pure "lists" "keymember"/3 none lists::keymember;
    pure "lists" "keysearch"/3 none lists::keysearch;
    pure "lists" "member"/2 none lists::member;
    pure "lists" "reverse"/2 none lists::reverse;
    pure "maps" "find"/2 none maps::find;
    pure "maps" "from_keys"/2 none maps::from_keys;
    pure "maps" "from_list"/1 none maps::from_list;
    pure "maps" "get"/2 none maps::get;
    pure "maps" "is_key"/2 none maps::is_key;
    pure "maps" "keys"/1 none maps::keys;
    pure "maps" "merge"/2 none maps::merge;
    pure "maps" "put"/3 none maps::put;
    pure "maps" "remove"/2 none maps::remove;
    pure "maps" "take"/2 none maps::take;
    pure "maps" "update"/3 none maps::update;
    pure "maps" "values"/1 none maps::values;
    pure "math" "acos"/1 none math::acos;
    pure "math" "acosh"/1 none math::acosh;
    pure "math" "asin"/1 none math::asin;
    pure "math" "asinh"/1 none math::asinh;
    pure "math" "atan"/1 none math::atan;
    pure "math" "atan2"/2 none math::atan2;
    pure "math" "atanh"/1 none math::atanh;
    pure "math" "ceil"/1 none math::ceil;
    pure "math" "cos"/1 none math::cos;
    pure "math" "cosh"/1 none math::cosh;
    pure "math" "erf"/1 none math::erf;
    pure "math" "erfc"/1 none math::erfc;
    pure "math" "exp"/1 none math::exp;
    pure "math" "floor"/1 none math::floor;
    pure "math" "fmod"/2 none math::fmod;
    pure "math" "log"/1 none math::log;
    pure "math" "log10"/1 none math::log10;
    pure "math" "log2"/1 none math::log2;
    pure "math" "pi"/0 none math::pi;
    pure "math" "pow"/2 none math::pow;
    pure "math" "sin"/1 none math::sin;
    pure "math" "sinh"/1 none math::sinh;
    pure "math" "sqrt"/1 none math::sqrt;
    pure "math" "tan"/1 none math::tan;
    pure "math" "tanh"/1 none math::tanh;
    pure "math" "tau"/0 none math::tau;
    effect "os" "cmd"/1 subprocess os::cmd;
    effect "os" "getenv"/0 env os::getenv_all;
    effect "os" "getenv"/1 env os::getenv;
    effect "os" "getenv"/2 env os::getenv_or;
    effect "os" "getpid"/0 none os::getpid;
    effect "os" "perf_counter"/0 none time::monotonic_time;
    effect "os" "perf_counter"/1 none time::monotonic_time_in;
    effect "os" "putenv"/2 env os::putenv;
    effect "os" "system_time"/0 clock time::os_system_time;
    effect "os" "system_time"/1 clock time::os_system_time_in;
    effect "os" "timestamp"/0 clock time::os_timestamp;
    effect "os" "type"/0 none os::kind;
    effect "os" "unsetenv"/1 env os::unsetenv;
    effect "os" "version"/0 none os::version;
    effect "persistent_term" "erase"/1 none persistent::erase;
    effect "persistent_term" "get"/0 none persistent::get_all;
    effect "persistent_term" "get"/1 none persistent::get;
    effect "persistent_term" "get"/2 none persistent::get_or;
    effect "persistent_term" "info"/0 none persistent::info;
    effect "persistent_term" "put"/2 none persistent::put;
    pure "re" "compile"/1 none re::compile_plainly;
    pure "re" "compile"/2 none re::compile;
    pure "re" "inspect"/2 none re::inspect;
    pure "re" "internal_run"/4 none re::run_again;
    pure "re" "run"/2 none re::run_plainly;
    pure "re" "run"/3 none re::run;
    pure "re" "version"/0 none re::version;
    pure "string" "list_to_float"/1 none flat_string::list_to_float;
    pure "string" "list_to_integer"/1 none flat_string::list_to_integer;
    pure "unicode" "bin_is_7bit"/1 none unicode::bin_is_7bit;
    pure "unicode" "characters_to_binary"/1 none unicode::to_binary;
    pure "unicode" "characters_to_binary"/2 none unicode::to_binary_from;
    pure "unicode" "characters_to_binary"/3 none unicode::to_binary_from_to;
    pure "unicode" "characters_to_list"/1 none unicode::to_list;
    pure "unicode" "characters_to_list"/2 none unicode::to_list_from;
    pure "unicode" "characters_to_nfc_binary"/1 none unicode::to_nfc_binary;
    pure "unicode" "characters_to_nfc_list"/1 none unicode::to_nfc_list;
    pure "unicode" "characters_to_nfd_binary"/1 none unicode::to_nfd_binary;
    pure "unicode" "characters_to_nfd_list"/1 none unicode::to_nfd_list;
    pure "unicode" "characters_to_nfkc_binary"/1 none unicode::to_nfkc_binary;
    pure "unicode" "characters_to_nfkc_list"/1 none unicode::to_nfkc_list;
    pure "unicode" "characters_to_nfkd_binary"/1 none unicode::to_nfkd_binary;
    pure "unicode" "characters_to_nfkd_list"/1 none unicode::to_nfkd_list;
    pure "unicode_util" "cp"/1 none unicode::code_point;
    pure "unicode_util" "gc"/1 none unicode::grapheme;
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

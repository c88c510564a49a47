//! Bytes that claim to be bytecode are refused, or run without harm.
#![no_main]

#[path = "../../../hostile/mod.rs"]
mod hostile;

use hostile::bytecode;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| bytecode(bytes));

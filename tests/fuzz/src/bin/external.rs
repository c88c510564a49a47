//! Bytes that claim to be of the external term format are refused, or a value.
#![no_main]

#[path = "../../../hostile/mod.rs"]
mod hostile;

use hostile::{external, machine};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| external(&machine(), bytes));

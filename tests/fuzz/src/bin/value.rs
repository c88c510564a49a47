//! Values made of any bytes are the same after they were terms, text and bytes of the external format.
#![no_main]

#[path = "../../../hostile/mod.rs"]
mod hostile;

use hostile::{Source, machine, round_trips, value};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| round_trips(&machine(), &value(&mut Source::new(bytes))));

//! The compiler of erlet: from Erlang source text to verified bytecode.
#![forbid(unsafe_code)]

pub mod bytecode;

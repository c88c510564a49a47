//! Natives of the module `erlang` that belong to the language itself: operators, guards, conversions, raising, applying.

pub mod atom_text;
pub mod bytes;
pub mod control;
pub mod guard;
pub mod number_text;
pub mod operator;
pub mod tuple;

//! Natives of the module `erlang` that belong to the language itself: operators, guards, conversions, raising, applying.

pub mod control;
pub mod convert;
pub mod guard;
pub mod number_text;
pub mod operator;
pub mod text;
pub mod tuple;

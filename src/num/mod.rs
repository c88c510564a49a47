//! Numbers without terms: big-integer operations on limbs, floats as text, exact comparison of integers and floats.
//!
//! Invariant: nothing here knows of words or heaps; integers come as sign and limbs, results go out the same way.

pub mod float;
pub mod huge;
pub mod integer;
mod transform;

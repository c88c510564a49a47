//! A small, fast Erlang: a preemptive virtual machine to embed.
//!
//! The modules are floors; each may use only those below it:
//!
//! | floor | modules |
//! |---|---|
//! | 2 | [`heap`]: blocks, allocation, collection, copying, literals, arithmetic on terms |
//! | 1 | [`term`]: the word, read-only views, order, hashing, printing |
//! | 0 | [`sync`], [`num`], [`atom`]: know nothing of terms |

pub mod atom;
pub mod heap;
pub mod num;
pub mod sync;
pub mod term;

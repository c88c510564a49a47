//! What the verifier found out for the loader: one byte of facts per instruction, in a compact form.

use serde::{Deserialize, Serialize};

/// Facts about one instruction, a set of flags.
///
/// A fact that is not there is not known; the loader must then use the variant that checks. In particular an
/// instruction that takes a term apart without [`Fact::PROVEN`] raises `badarg` where the tag is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact(pub u8);

impl Fact {
    /// Some path leads here. An instruction without it never runs, its operands were not followed, and the loader
    /// leaves it out.
    pub const REACHED: Fact = Fact(1);
    /// The instruction's subject has the type it needs on every path: a list cell for `get_list`, `get_hd`,
    /// `get_tl`; a tuple of more than `index` elements for `get_element`; a tuple for `select_arity`, a map for
    /// `map_get` and `map_has` (which jump where it is none); an exception class for `re_raise`.
    pub const PROVEN: Fact = Fact(1 << 1);
    /// Argument 0 of a `bif`, or `a` of a comparison, is a small integer (`SMALL_MIN ..= SMALL_MAX`).
    pub const SMALL_0: Fact = Fact(1 << 2);
    /// The same of argument 1, or `b`.
    pub const SMALL_1: Fact = Fact(1 << 3);
    /// Argument 0, or `a`, is a float.
    pub const FLOAT_0: Fact = Fact(1 << 4);
    /// Argument 1, or `b`, is a float.
    pub const FLOAT_1: Fact = Fact(1 << 5);
    /// The instruction runs while a message is fragile (between `loop_rec` and `remove_message`): the collector must
    /// not run, and what it allocates goes to fragments.
    pub const FRAGILE: Fact = Fact(1 << 6);

    /// Whether all flags of `other` are set.
    #[must_use]
    pub const fn has(self, other: Fact) -> bool {
        self.0 & other.0 == other.0
    }

    pub(super) fn set(&mut self, other: Fact, on: bool) {
        if on {
            self.0 |= other.0;
        }
    }
}

/// Facts about one function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionFacts {
    /// One entry per instruction.
    pub facts: Vec<Fact>,
    /// Number of X registers the function touches: all its X registers are below.
    pub x_registers: u16,
    /// Slots of its largest frame.
    pub max_frame: u16,
}

impl FunctionFacts {
    /// Facts about the instruction at `pc`.
    #[must_use]
    pub fn at(&self, pc: usize) -> Fact {
        self.facts[pc]
    }
}

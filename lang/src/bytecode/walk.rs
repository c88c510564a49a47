//! A walk over the operands of any instruction, by type: what index checks, rewriting tools and tests of mutated
//! code need to know nothing more about.

use super::instr::{BitFlags, BuildSegment, Reg, SegmentKind, Size, Src};
use super::{AtomIx, FnIx, ImportIx, Label, LambdaIx, LineIx, LitIx};

/// One operand as a walk over an instruction shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// A register operand proper: a destination, or a source that must be a register.
    Reg(Reg),
    /// The register of a [`Src`], always read.
    Read(Reg),
    Atom(AtomIx),
    Lit(LitIx),
    Int(i64),
    Label(Label),
    Function(FnIx),
    Import(ImportIx),
    Lambda(LambdaIx),
    Line(LineIx),
    /// A count, size, index or unit.
    Number(u32),
}

/// How an operand type shows what is in it.
pub(super) trait Walk {
    fn walk(&self, visit: &mut dyn FnMut(Operand));
    fn replace(&mut self, visit: &mut dyn FnMut(Operand) -> Operand);
}

macro_rules! walk_simple {
    ($($ty:ty => $variant:ident;)*) => {$(
        impl Walk for $ty {
            fn walk(&self, visit: &mut dyn FnMut(Operand)) {
                visit(Operand::$variant(*self));
            }

            fn replace(&mut self, visit: &mut dyn FnMut(Operand) -> Operand) {
                if let Operand::$variant(new) = visit(Operand::$variant(*self)) {
                    *self = new;
                }
            }
        }
    )*};
}

walk_simple! {
    Reg => Reg;
    AtomIx => Atom;
    LitIx => Lit;
    Label => Label;
    FnIx => Function;
    ImportIx => Import;
    LambdaIx => Lambda;
    LineIx => Line;
    u32 => Number;
}

macro_rules! walk_numbers {
    ($($ty:ty)*) => {$(
        impl Walk for $ty {
            fn walk(&self, visit: &mut dyn FnMut(Operand)) {
                visit(Operand::Number(u32::from(*self)));
            }

            fn replace(&mut self, visit: &mut dyn FnMut(Operand) -> Operand) {
                if let Operand::Number(new) = visit(Operand::Number(u32::from(*self))) {
                    *self = <$ty>::try_from(new).unwrap_or(*self);
                }
            }
        }
    )*};
}

walk_numbers! { u8 u16 }

impl Src {
    const fn operand(self) -> Option<Operand> {
        Some(match self {
            Src::X(n) => Operand::Read(Reg::X(n)),
            Src::Y(n) => Operand::Read(Reg::Y(n)),
            Src::Int(value) => Operand::Int(value),
            Src::Atom(atom) => Operand::Atom(atom),
            Src::Lit(lit) => Operand::Lit(lit),
            Src::Nil => return None,
        })
    }
}

impl Walk for Src {
    fn walk(&self, visit: &mut dyn FnMut(Operand)) {
        if let Some(operand) = self.operand() {
            visit(operand);
        }
    }

    fn replace(&mut self, visit: &mut dyn FnMut(Operand) -> Operand) {
        match self.operand().map(visit) {
            Some(Operand::Read(reg) | Operand::Reg(reg)) => *self = reg.into(),
            Some(Operand::Int(value)) => *self = Src::Int(value),
            Some(Operand::Atom(atom)) => *self = Src::Atom(atom),
            Some(Operand::Lit(lit)) => *self = Src::Lit(lit),
            _ => {}
        }
    }
}

impl Walk for Size {
    fn walk(&self, visit: &mut dyn FnMut(Operand)) {
        if let Size::Units(units) = self {
            units.walk(visit);
        }
    }

    fn replace(&mut self, visit: &mut dyn FnMut(Operand) -> Operand) {
        if let Size::Units(units) = self {
            units.replace(visit);
        }
    }
}

/// Flags are neither read nor resolved: there is nothing to show.
macro_rules! walk_nothing {
    ($($ty:ty)*) => {$(
        impl Walk for $ty {
            fn walk(&self, _visit: &mut dyn FnMut(Operand)) {}
            fn replace(&mut self, _visit: &mut dyn FnMut(Operand) -> Operand) {}
        }
    )*};
}

walk_nothing! { BitFlags SegmentKind }

impl Walk for BuildSegment {
    fn walk(&self, visit: &mut dyn FnMut(Operand)) {
        self.value.walk(visit);
        self.size.walk(visit);
        self.unit.walk(visit);
    }

    fn replace(&mut self, visit: &mut dyn FnMut(Operand) -> Operand) {
        self.value.replace(visit);
        self.size.replace(visit);
        self.unit.replace(visit);
    }
}

impl<T: Walk> Walk for Option<T> {
    fn walk(&self, visit: &mut dyn FnMut(Operand)) {
        self.iter().for_each(|item| item.walk(visit));
    }

    fn replace(&mut self, visit: &mut dyn FnMut(Operand) -> Operand) {
        self.iter_mut().for_each(|item| item.replace(visit));
    }
}

impl<T: Walk> Walk for Vec<T> {
    fn walk(&self, visit: &mut dyn FnMut(Operand)) {
        self.iter().for_each(|item| item.walk(visit));
    }

    fn replace(&mut self, visit: &mut dyn FnMut(Operand) -> Operand) {
        self.iter_mut().for_each(|item| item.replace(visit));
    }
}

impl<A: Walk, B: Walk> Walk for (A, B) {
    fn walk(&self, visit: &mut dyn FnMut(Operand)) {
        self.0.walk(visit);
        self.1.walk(visit);
    }

    fn replace(&mut self, visit: &mut dyn FnMut(Operand) -> Operand) {
        self.0.replace(visit);
        self.1.replace(visit);
    }
}

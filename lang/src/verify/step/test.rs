//! Tests and branches, and what their outcome says about types.

use super::super::flow::Flow;
use super::super::state::State;
use super::super::value::{Kinds, Value, constant};
use super::super::{Fact, Reason};
use super::Done;
use crate::bytecode::{Instr, Label, Reg, Src};
use std::collections::BTreeSet;

/// Whether the instruction is a test: it only looks, and jumps or goes on.
pub(super) fn is_test(instr: &Instr) -> bool {
    type_test(instr).is_some() || comparison(instr).is_some()
}

/// A test of one operand: where it fails, the operand, what it is if the test succeeds, and whether the test
/// succeeds on everything of these types.
struct TypeTest {
    fail: Label,
    src: Src,
    kinds: Kinds,
    arity: u32,
    complete: bool,
}

fn type_test(instr: &Instr) -> Option<TypeTest> {
    let (fail, src, kinds, arity, complete) = match instr {
        Instr::IsInteger { fail, src } => (fail, src, Kinds::INTEGER, 0, true),
        Instr::IsFloat { fail, src } => (fail, src, Kinds::FLOAT, 0, true),
        Instr::IsNumber { fail, src } => (fail, src, Kinds::NUMBER, 0, true),
        Instr::IsAtom { fail, src } => (fail, src, Kinds::ATOM, 0, true),
        Instr::IsBoolean { fail, src } => (fail, src, Kinds::OTHER_ATOM, 0, false),
        Instr::IsPid { fail, src } | Instr::IsPort { fail, src } | Instr::IsReference { fail, src } => {
            (fail, src, Kinds::OTHER, 0, false)
        }
        Instr::IsBinary { fail, src } => (fail, src, Kinds::BITS, 0, false),
        Instr::IsBitstring { fail, src } => (fail, src, Kinds::BITS, 0, true),
        Instr::IsList { fail, src } => (fail, src, Kinds::LIST, 0, true),
        Instr::IsCons { fail, src } => (fail, src, Kinds::CONS, 0, true),
        Instr::IsNil { fail, src } => (fail, src, Kinds::NIL, 0, true),
        Instr::IsTuple { fail, src } => (fail, src, Kinds::TUPLE, 0, true),
        Instr::IsTupleOf { fail, src, arity } | Instr::IsTagged { fail, src, arity, .. } => {
            (fail, src, Kinds::TUPLE, *arity, false)
        }
        Instr::IsMap { fail, src } => (fail, src, Kinds::MAP, 0, true),
        Instr::IsFun { fail, src } => (fail, src, Kinds::FUN, 0, true),
        Instr::IsFunOf { fail, src, .. } => (fail, src, Kinds::FUN, 0, false),
        _ => return None,
    };
    Some(TypeTest { fail: *fail, src: *src, kinds, arity, complete })
}

/// Where a comparison fails, its operands, and on which outcome (if any) they are exactly equal.
fn comparison(instr: &Instr) -> Option<(Label, Src, Src, Option<bool>)> {
    Some(match instr {
        Instr::IsLt { fail, a, b }
        | Instr::IsGe { fail, a, b }
        | Instr::IsEq { fail, a, b }
        | Instr::IsNe { fail, a, b } => (*fail, *a, *b, None),
        Instr::IsExactEq { fail, a, b } => (*fail, *a, *b, Some(true)),
        Instr::IsExactNe { fail, a, b } => (*fail, *a, *b, Some(false)),
        _ => return None,
    })
}

impl Flow<'_> {
    pub(super) fn test(&mut self, state: &mut State, instr: &Instr) -> Done {
        match instr {
            Instr::Jump { label } => return self.edge(*label, state),
            Instr::SelectVal { src, fail, cases } => return self.select_val(state, *src, *fail, cases),
            Instr::SelectArity { src, fail, cases } => return self.select_arity(state, *src, *fail, cases),
            Instr::IsTagged { arity: 0, .. } => {
                return Err(Reason::BadOperand("a tuple of no elements has no tag"));
            }
            Instr::IsFunOf { arity, .. } => {
                self.term(state, *arity)?;
            }
            _ => {}
        }
        if let Some(test) = type_test(instr) {
            let value = self.term(state, test.src)?;
            let failed = if test.complete { value.refined(test.kinds.not(), 0) } else { value };
            learn(state, test.src, failed);
            self.edge(test.fail, state)?;
            learn(state, test.src, value.refined(test.kinds, test.arity));
            return Ok(());
        }
        match comparison(instr) {
            Some((fail, a, b, equal)) => self.compare(state, fail, a, b, equal),
            None => unreachable!("dispatched by family"),
        }
    }

    fn compare(&mut self, state: &mut State, fail: Label, a: Src, b: Src, equal: Option<bool>) -> Done {
        let (value_a, value_b) = (self.term(state, a)?, self.term(state, b)?);
        self.argument_facts(&[value_a, value_b]);
        let both =
            (value_a.refined(value_b.kinds, value_b.arity), value_b.refined(value_a.kinds, value_a.arity));
        let learn_if = |state: &mut State, outcome: bool| {
            let (to_a, to_b) = if equal == Some(outcome) { both } else { (value_a, value_b) };
            learn(state, a, to_a);
            learn(state, b, to_b);
        };
        learn_if(state, false);
        self.edge(fail, state)?;
        learn_if(state, true);
        Ok(())
    }

    /// Notes which of the first two arguments are small integers or floats.
    pub(super) fn argument_facts(&mut self, arguments: &[Value]) {
        let flags = [(Fact::SMALL_0, Fact::FLOAT_0), (Fact::SMALL_1, Fact::FLOAT_1)];
        for (argument, (small, float)) in arguments.iter().zip(flags) {
            self.fact.set(small, argument.is(Kinds::SMALL));
            self.fact.set(float, argument.is(Kinds::FLOAT));
        }
    }

    fn select_val(&mut self, state: &mut State, src: Src, fail: Label, cases: &[(Src, Label)]) -> Done {
        let value = self.term(state, src)?;
        let mut seen = BTreeSet::new();
        for (case, label) in cases {
            let key = match case {
                Src::Int(value) => (0, *value),
                Src::Atom(atom) => (1, i64::from(atom.0)),
                Src::Nil => (2, 0),
                _ => return Err(Reason::BadOperand("a case that is no integer, atom or nil")),
            };
            if !seen.insert(key) {
                return Err(Reason::BadOperand("two cases are the same"));
            }
            learn(state, src, value.refined(constant(self.module, *case).kinds, 0));
            self.edge(*label, state)?;
        }
        learn(state, src, value);
        self.edge(fail, state)
    }

    fn select_arity(&mut self, state: &mut State, src: Src, fail: Label, cases: &[(u32, Label)]) -> Done {
        let value = self.term(state, src)?;
        let proven = value.is(Kinds::TUPLE);
        self.fact.set(Fact::PROVEN, proven);
        let mut seen = BTreeSet::new();
        for (arity, label) in cases {
            if !seen.insert(*arity) {
                return Err(Reason::BadOperand("two cases are the same"));
            }
            learn(state, src, value.refined(Kinds::TUPLE, *arity));
            self.edge(*label, state)?;
        }
        learn(state, src, value);
        self.edge(fail, state)
    }
}

/// The register read is now known to hold `value`, the same word with a narrower type.
fn learn(state: &mut State, src: Src, value: Value) {
    if let Ok(reg) = Reg::try_from(src) {
        state.overwrite(reg, value);
    }
}

//! Taking terms apart, building them, functions of the language, maps.

use super::super::flow::Flow;
use super::super::literals::MAX_TUPLE;
use super::super::state::{Receive, State, name};
use super::super::value::{Kinds, Value};
use super::super::{Fact, Reason};
use super::{Done, term_in};
use crate::builtin;
use crate::bytecode::{
    CONS_WORDS, ImportIx, Instr, Label, LambdaIx, Reg, SMALL_MAX, Src, fun_words, tuple_words,
};
use std::collections::BTreeSet;

/// Highest number of arguments of a function of the language.
const MAX_BIF_ARITY: usize = 3;

impl Flow<'_> {
    pub(super) fn term_row(&mut self, state: &mut State, instr: &Instr) -> Done {
        match instr {
            Instr::GetList { src, head, tail } => {
                let part = self.take_list(state, *src)?;
                state.set(*head, part)?;
                state.set(*tail, part)
            }
            Instr::GetHd { src, dst } | Instr::GetTl { src, dst } => {
                let part = self.take_list(state, *src)?;
                state.set(*dst, part)
            }
            Instr::GetElement { src, index, dst } => {
                if *index as usize >= MAX_TUPLE {
                    return Err(Reason::BadOperand("no tuple has so many elements"));
                }
                let value = term_in(state, *src)?;
                self.subject(state, *src, value.is_tuple(*index + 1))?;
                if !value.is_tuple(*index + 1) {
                    state.overwrite(*src, value.refined(Kinds::TUPLE, *index + 1));
                }
                state.set(*dst, Value::ANY.fragile(value.fragile))
            }
            Instr::PutList { head, tail, dst } => {
                self.kept(state, *head)?;
                self.kept(state, *tail)?;
                take_space(state, CONS_WORDS)?;
                state.set(*dst, Value::term(Kinds::CONS))
            }
            Instr::PutTuple { elements, dst } => self.put_tuple(state, elements, *dst),
            Instr::MakeFun { lambda, captured, dst } => self.make_fun(state, *lambda, captured, *dst),
            Instr::Bif { fail, live, import, args, dst } => {
                self.bif(state, *fail, *live, (*import, args), *dst)
            }
            Instr::MapPut { fail, live, map, pairs, dst }
            | Instr::MapUpdate { fail, live, map, pairs, dst } => {
                self.read(state, *fail, *map)?;
                for (key, value) in pairs {
                    self.read(state, *fail, *key)?;
                    self.read(state, *fail, *value)?;
                }
                self.may_fail(state, *fail, *live)?;
                state.set(*dst, made_here(state, Value::term(Kinds::MAP)))
            }
            Instr::MapGet { fail, map, pairs } => self.map_get(state, *fail, *map, pairs),
            Instr::MapHas { fail, map, keys } => {
                let proven = term_in(state, *map)?.is(Kinds::MAP);
                self.fact.set(Fact::PROVEN, proven);
                for key in keys {
                    self.term(state, *key)?;
                }
                self.edge(*fail, state)
            }
            _ => unreachable!("dispatched by family"),
        }
    }

    /// An argument of a native: kept by an exception if there is no `fail`, else by nothing that outlives the message.
    pub(super) fn read(&self, state: &State, fail: Option<Label>, src: Src) -> Result<Value, Reason> {
        if fail.is_some() { self.term(state, src) } else { self.kept(state, src) }
    }

    /// What is in a list cell.
    fn take_list(&mut self, state: &mut State, src: Reg) -> Result<Value, Reason> {
        let value = term_in(state, src)?;
        self.subject(state, src, value.is(Kinds::CONS))?;
        state.overwrite(src, value.refined(Kinds::CONS, 0));
        Ok(Value::ANY.fragile(value.fragile))
    }

    fn put_tuple(&mut self, state: &mut State, elements: &[Src], dst: Reg) -> Done {
        if elements.is_empty() || elements.len() > MAX_TUPLE {
            return Err(Reason::BadOperand("a tuple of no elements (a literal) or of too many"));
        }
        for element in elements {
            self.kept(state, *element)?;
        }
        let arity = u32::try_from(elements.len()).expect("it was compared with MAX_TUPLE");
        take_space(state, tuple_words(arity))?;
        state.set(dst, Value::tuple(arity))
    }

    fn make_fun(&mut self, state: &mut State, lambda: LambdaIx, captured: &[Src], dst: Reg) -> Done {
        let free = self.module.lambdas[lambda.index()].free;
        if captured.len() != free as usize {
            return Err(Reason::BadOperand("the fun captures another number of values"));
        }
        for value in captured {
            self.kept(state, *value)?;
        }
        take_space(state, fun_words(free))?;
        state.set(dst, Value::term(Kinds::FUN))
    }

    fn bif(
        &mut self,
        state: &mut State,
        fail: Option<Label>,
        live: u16,
        (import, args): (ImportIx, &[Src]),
        dst: Reg,
    ) -> Done {
        let module = self.module;
        let import = &module.imports[import.index()];
        let (name, arity) = (module.atoms[import.function.index()].as_str(), u32::from(import.arity));
        let in_guards = builtin::is_guard(name, arity)
            || builtin::is_guard_operator(name, arity)
            || fail.is_some() && BUILDERS.contains(&(name, arity));
        let known = match module.atoms[import.module.index()].as_str() {
            "erlang" => in_guards,
            "math" => fail.is_none() && builtin::is_math(name, arity),
            _ => false,
        };
        if !known {
            return Err(Reason::BadOperand(
                "neither a function of `erlang` that guards allow nor one of `math`",
            ));
        }
        if args.len() != usize::from(import.arity) || args.len() > MAX_BIF_ARITY {
            return Err(Reason::BadOperand("another number of arguments than the function takes"));
        }
        let values = args.iter().map(|arg| self.read(state, fail, *arg)).collect::<Result<Vec<_>, _>>()?;
        self.argument_facts(&values);
        self.may_fail(state, fail, live)?;
        let kinds =
            if builtin::is_math(name, arity) { Kinds::FLOAT } else { result_kinds(name, args, &values) };
        state.set(dst, made_here(state, Value::term(kinds)))
    }

    fn map_get(&mut self, state: &mut State, fail: Label, map: Reg, pairs: &[(Src, Reg)]) -> Done {
        let value = term_in(state, map)?;
        self.fact.set(Fact::PROVEN, value.is(Kinds::MAP));
        let mut written = BTreeSet::new();
        for (key, dst) in pairs {
            self.term(state, *key)?;
            if let Some(read) =
                [Some(map), Reg::try_from(*key).ok()].into_iter().flatten().find(|reg| written.contains(reg))
            {
                return Err(Reason::DestinationRead(name(read)));
            }
            written.insert(*dst);
        }
        let part = Value::ANY.fragile(value.fragile);
        // Where it jumps, any destination may hold its old value or a new one, unless there is only one: nothing was found then.
        let mut jumped = state.clone();
        if let [_, _, ..] = pairs {
            for (_, dst) in pairs {
                let either = state.get(*dst)?.join(part);
                jumped.set(*dst, either)?;
            }
        }
        self.edge(fail, &jumped)?;
        pairs.iter().try_for_each(|(_, dst)| state.set(*dst, part))
    }
}

/// Natives that build terms in the guard of a `receive`, where no heap may be reserved.
const BUILDERS: &[(&str, u32)] = &[("++", 2), ("append_element", 2), ("tuple_to_list", 1)];

/// What a native makes is fragile while a message is looked at.
pub(super) fn made_here(state: &State, value: Value) -> Value {
    value.fragile(matches!(state.receive, Receive::Message(_)))
}

fn take_space(state: &mut State, words: u32) -> Done {
    state.space = state.space.checked_sub(words).ok_or(Reason::NotReserved(words, state.space))?;
    Ok(())
}

/// Types of what a function of the language returns, as far as that is worth knowing.
fn result_kinds(function: &str, args: &[Src], values: &[Value]) -> Kinds {
    let all_within = |kinds| values.iter().all(|value| value.is(kinds));
    let any_is = |kinds| values.iter().any(|value| value.is(kinds));
    let low_mask = |arg: &Src| matches!(arg, Src::Int(mask) if (0..=SMALL_MAX).contains(mask));
    match (function, args.len()) {
        ("+" | "-" | "*", 2) | ("+" | "-" | "abs", 1) => {
            if all_within(Kinds::INTEGER) {
                Kinds::INTEGER
            } else if any_is(Kinds::FLOAT) {
                Kinds::FLOAT
            } else {
                Kinds::NUMBER
            }
        }
        ("/", 2) | ("float", 1) => Kinds::FLOAT,
        ("band", 2) if args.iter().any(low_mask) => Kinds::SMALL,
        ("rem", 2) if matches!(args[1], Src::Int(_)) && values[1].is(Kinds::SMALL) => Kinds::SMALL,
        ("band" | "bor" | "bxor", 2) | ("bnot", 1) if all_within(Kinds::SMALL) => Kinds::SMALL,
        ("div" | "rem" | "band" | "bor" | "bxor" | "bsl" | "bsr", 2) => Kinds::INTEGER,
        ("bnot" | "round" | "trunc" | "ceil" | "floor", 1) => Kinds::INTEGER,
        ("length" | "tuple_size" | "map_size" | "byte_size", 1) => Kinds::SMALL,
        ("bit_size" | "size", 1) => Kinds::INTEGER,
        ("==" | "/=" | "=:=" | "=/=" | "<" | ">" | "=<" | ">=" | "and" | "or" | "xor", 2) | ("not", 1) => {
            Kinds::OTHER_ATOM
        }
        ("self", 0) => Kinds::OTHER,
        _ => Kinds::ALL,
    }
}

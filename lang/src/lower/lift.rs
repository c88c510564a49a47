//! Bodies that become functions of the module: what they capture comes behind their own arguments.
//!
//! The functions of one comprehension call each other, so what one captures the others must hand on: they are
//! gathered in `self.lifted` and settled together, by a fixpoint that ends quickly since the calls are few.

use crate::hash::HashMap;
use std::collections::BTreeSet;

use super::Lowerer;
use super::numbers::Part;
use crate::Name;
use crate::bytecode::Line;
use crate::core::visit::{self, Role};
use crate::core::{Body, Function, Value, Var};

/// A function that does not know yet what it captures.
pub(super) struct Lifted {
    pub name: Name,
    pub params: Vec<Var>,
    pub body: Body,
    pub line: Line,
}

impl Lowerer<'_, '_> {
    /// A name as OTP gives it: `-f/1-lc$^0/1-2-`.
    pub(super) fn lifted_name(&mut self, kind: &str, arity: usize, part: Part) -> Name {
        let (function, function_arity) = self.function;
        let (number, lifted) = (self.numbers.function(part), self.numbers.lifted(part));
        let function = self.names.text(function);
        let name = format!("-{function}/{function_arity}-{kind}$^{number}/{arity}-{lifted}-");
        self.names.intern(&name)
    }

    /// Makes a body without arguments of its own a function; its name and what to call it with.
    pub(super) fn lift_body(&mut self, kind: &str, part: Part, body: Body) -> (Name, Vec<Value>) {
        let name = self.lifted_name(kind, 0, part);
        let line = self.line;
        let captured = self.add_function(Lifted { name, params: vec![], body, line });
        (name, captured.into_iter().map(Value::Var).collect())
    }

    /// Adds one function that calls no other unsettled one; what it captures.
    pub(super) fn add_function(&mut self, lifted: Lifted) -> Vec<Var> {
        let mut settled = settle(vec![lifted]);
        let captured = settled.pop().map(|(lifted, captured)| {
            self.add_settled(lifted, &captured);
            captured
        });
        captured.unwrap_or_default()
    }

    /// Settles the functions gathered since there were `from` of them; what each captures.
    pub(super) fn settle_lifted(&mut self, from: usize) -> HashMap<Name, Vec<Var>> {
        let group = self.lifted.split_off(from);
        let mut captured = HashMap::default();
        for (lifted, vars) in settle(group) {
            captured.insert(lifted.name, vars.clone());
            self.add_settled(lifted, &vars);
        }
        captured
    }

    /// Numbers the variables of a function from 0 and adds it to the module.
    fn add_settled(&mut self, lifted: Lifted, captured: &[Var]) {
        let Lifted { name, mut params, mut body, line } = lifted;
        params.extend_from_slice(captured);
        let mut numbers: HashMap<Var, Var> = HashMap::default();
        let mut renumber = |var: &mut Var| {
            let next = Var(numbers.len() as u32);
            *var = *numbers.entry(*var).or_insert(next);
        };
        params.iter_mut().for_each(&mut renumber);
        visit::body(&mut body, &mut |var, _| renumber(var));
        let vars = numbers.len() as u32;
        if params.len() > super::forms::MAX_ARITY {
            let title =
                "a fun or comprehension here captures more variables than a function may have arguments";
            return self.error(crate::Code::NotSupported, crate::Span::NONE, title);
        }
        self.functions.push(Function { name, exported: false, params, body, vars, line });
    }
}

/// What a function that calls no unsettled one captures.
pub(super) fn captured_by(lifted: Lifted) -> Vec<Var> {
    settle(vec![lifted]).pop().map(|(_, captured)| captured).unwrap_or_default()
}

/// What each function captures, with all calls among them completed.
fn settle(mut group: Vec<Lifted>) -> Vec<(Lifted, Vec<Var>)> {
    let places: HashMap<Name, usize> =
        group.iter().enumerate().map(|(at, lifted)| (lifted.name, at)).collect();
    let mut bound: Vec<BTreeSet<Var>> = Vec::new();
    let mut captured: Vec<BTreeSet<Var>> = Vec::new();
    let mut called: Vec<BTreeSet<usize>> = Vec::new();
    for lifted in &mut group {
        let mut own: BTreeSet<Var> = lifted.params.iter().copied().collect();
        let mut read = BTreeSet::new();
        visit::body(&mut lifted.body, &mut |var, role| {
            match role {
                Role::Bound => own.insert(*var),
                Role::Read => read.insert(*var),
            };
        });
        let mut calls = BTreeSet::new();
        visit::calls(&mut lifted.body, &mut |name, _| calls.extend(places.get(&name).copied()));
        captured.push(read.difference(&own).copied().collect());
        bound.push(own);
        called.push(calls);
    }
    loop {
        let mut changed = false;
        for at in 0..group.len() {
            for &other in &called[at] {
                let more: Vec<Var> = captured[other].difference(&bound[at]).copied().collect();
                let before = captured[at].len();
                captured[at].extend(more);
                changed |= captured[at].len() > before;
            }
        }
        if !changed {
            break;
        }
    }
    for lifted in &mut group {
        visit::calls(&mut lifted.body, &mut |name, args| {
            if let Some(&at) = places.get(&name) {
                args.extend(captured[at].iter().map(|&var| Value::Var(var)));
            }
        });
    }
    group.into_iter().zip(captured).map(|(lifted, vars)| (lifted, vars.into_iter().collect())).collect()
}

//! `receive`.

use crate::hash::HashMap;

use super::super::flow::{End, Op};
use super::{Builder, Dest};
use crate::core::{Clause, Const, Pattern, Receive, Value, Var};
use crate::known;

impl Builder<'_> {
    pub(super) fn receive(&mut self, receive: &Receive, dest: Dest) {
        if let Some(marker) = receive.marker
            && let value @ Value::Var(_) = self.value(Value::Var(marker))
        {
            self.push(Op::ReceiveMark, vec![value], vec![]);
        }
        let again = self.block();
        self.end(End::Jump(again, vec![]), again);
        let message = self.flow.var();
        let next = self.block();
        let empty = self.block();
        self.end(End::LoopRec { dst: message, next, empty }, next);
        let failing = self.block();
        self.clauses(&[Value::Var(message)], &receive.clauses, failing, dest, true);
        self.current = failing;
        self.close(End::NextMessage(again));
        self.current = empty;
        let Some(timeout) = &receive.timeout else { return self.close(End::Wait(again)) };
        match self.value(timeout.time) {
            Value::Const(Const::Int(0)) => {}
            Value::Const(Const::Atom(known::INFINITY)) => return self.close(End::Wait(again)),
            time => {
                let next = self.block();
                self.end(End::WaitTimeout { time, again, next }, next);
            }
        }
        self.push(Op::Timeout, vec![], vec![]);
        self.body(&timeout.body, dest);
    }

    /// The message fits: takes it out of the mailbox. What was bound from it is fragile before and free after, so
    /// every variable gets a new value here.
    pub(super) fn take_message(&mut self, clause: &Clause) {
        self.push(Op::RemoveMessage, vec![], vec![]);
        self.own_variables(clause);
    }

    /// Gives the variables of a clause values of their own: what its body needs to keep across calls is then not
    /// kept by the bodies of other clauses that take the same parts.
    pub(super) fn own_variables(&mut self, clause: &Clause) {
        let mut vars = Vec::new();
        clause.patterns.iter().for_each(|pattern| bound(pattern, &mut vars));
        vars.sort_unstable();
        vars.dedup();
        let mut copies: HashMap<Value, Value> = HashMap::default();
        for var in vars {
            let value = self.value(Value::Var(var));
            if value.var().is_none() {
                continue;
            }
            let own = match copies.get(&value) {
                Some(&own) => own,
                None => self.emit(Op::Copy, vec![value]),
            };
            copies.insert(value, own);
            self.env.insert(var, own);
        }
    }
}

/// The variables that a pattern binds.
fn bound(pattern: &Pattern, vars: &mut Vec<Var>) {
    match pattern {
        Pattern::Any | Pattern::Const(_) | Pattern::Same(_) => {}
        Pattern::Var(var) => vars.push(*var),
        Pattern::And(all) | Pattern::Tuple(all) => all.iter().for_each(|pattern| bound(pattern, vars)),
        Pattern::List(items, tail) => {
            items.iter().for_each(|pattern| bound(pattern, vars));
            bound(tail, vars);
        }
        Pattern::Map(pairs) => pairs.iter().for_each(|(_, pattern)| bound(pattern, vars)),
        Pattern::Bits(segments) => segments.iter().for_each(|segment| bound(&segment.value, vars)),
    }
}

//! Guards and guard expressions.
//!
//! A test has three ways out: true, false, and failure (its evaluation would raise, or gives no boolean where one is
//! needed). At the top of a guard the last two are the same place.

use super::super::flow::{BlockId, End, Op, Test};
use super::{Builder, split_segments, words};
use crate::Name;
use crate::core::{Const, Expr, Guard, Value};
use crate::known;

/// Where a test leads.
#[derive(Clone, Copy)]
pub(super) struct Ways {
    pub yes: BlockId,
    pub no: BlockId,
    pub error: BlockId,
}

impl Builder<'_> {
    /// Leads to `yes` if one of the alternatives holds.
    pub(super) fn guard(&mut self, guard: &Guard, yes: BlockId, no: BlockId) {
        for (i, tests) in guard.iter().enumerate() {
            let failing = if i + 1 == guard.len() { no } else { self.block() };
            for (j, test) in tests.iter().enumerate() {
                let next = if j + 1 == tests.len() { yes } else { self.block() };
                self.test(test, Ways { yes: next, no: failing, error: failing });
                self.current = next;
            }
            self.current = failing;
        }
        if guard.is_empty() {
            self.close(End::Jump(yes, vec![]));
        }
    }

    fn test(&mut self, expr: &Expr, ways: Ways) {
        match expr {
            Expr::Value(value) => {
                let value = self.value(*value);
                self.test_value(value, ways);
            }
            Expr::Bif(name, args) => self.test_bif(*name, args, expr, ways),
            Expr::And(a, b) => {
                let both = self.block();
                self.test(a, Ways { yes: both, ..ways });
                self.current = both;
                self.test(b, ways);
            }
            Expr::Or(a, b) => {
                let second = self.block();
                self.test(a, Ways { no: second, ..self.or_ways(ways, second) });
                self.current = second;
                self.test(b, ways);
            }
            Expr::List(..) | Expr::Tuple(_) | Expr::MapPut(..) | Expr::MapUpdate(..) | Expr::Bits(_) => {
                self.close(End::Jump(ways.error, vec![]));
            }
        }
    }

    /// The first operand of `orelse`: its failure is that of the whole, its falsity is not.
    fn or_ways(&self, ways: Ways, second: BlockId) -> Ways {
        Ways { yes: ways.yes, no: second, error: ways.error }
    }

    fn test_value(&mut self, value: Value, ways: Ways) {
        let Ways { yes, no, error } = ways;
        match value {
            Value::Const(Const::Atom(known::TRUE)) => self.close(End::Jump(yes, vec![])),
            Value::Const(Const::Atom(known::FALSE)) => self.close(End::Jump(no, vec![])),
            Value::Const(_) => self.close(End::Jump(error, vec![])),
            Value::Var(_) if no == error => {
                let args = vec![value, Value::atom(known::TRUE)];
                self.branch_to(Op::Test(Test::ExactEq), args, vec![], yes, no);
            }
            Value::Var(_) => {
                let cases = vec![(Const::Atom(known::TRUE), yes), (Const::Atom(known::FALSE), no)];
                self.close(End::Select { value, cases, default: error });
            }
        }
    }

    fn test_bif(&mut self, name: Name, args: &[Expr], expr: &Expr, ways: Ways) {
        let Ways { yes, no, error } = ways;
        if let Some(comparison) = words::test(name, args.len()) {
            let mut values: Vec<Value> = args.iter().map(|arg| self.guard_value(arg, error)).collect();
            if comparison.swapped {
                values.reverse();
            }
            return self.branch_to(Op::Test(comparison.test), values, vec![], yes, no);
        }
        if let (true, [record, Expr::Value(Value::Const(Const::Atom(tag))), Expr::Value(Value::Const(size))]) =
            (name == known::IS_RECORD, args)
            && let Const::Int(size @ 1..=0xFFFF_FFFF) = *size
        {
            let value = self.guard_value(record, error);
            return self.branch_to(Op::Test(Test::Tagged(size as u32, *tag)), vec![value], vec![], yes, no);
        }
        match args {
            [arg] if name == known::NOT => self.test(arg, Ways { yes: no, no: yes, error }),
            [a, b] if name == known::AND && (no == error || self.is_boolean(b)) => {
                let both = self.block();
                self.test(a, Ways { yes: both, no, error });
                self.current = both;
                self.test(b, ways);
            }
            [a, b] if name == known::OR && self.is_boolean(b) => {
                let second = self.block();
                self.test(a, Ways { yes, no: second, error });
                self.current = second;
                self.test(b, ways);
            }
            _ => {
                let value = self.guard_value(expr, error);
                self.test_value(value, ways);
            }
        }
    }

    /// Whether the expression always is a boolean and never fails.
    fn is_boolean(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Value(Value::Const(Const::Atom(known::TRUE | known::FALSE))) => true,
            Expr::Bif(name, args) => {
                words::is_test(*name, args.len()) && args.iter().all(|arg| matches!(arg, Expr::Value(_)))
            }
            _ => false,
        }
    }

    /// The value of a guard expression; goes to `error` if there is none.
    pub(super) fn guard_value(&mut self, expr: &Expr, error: BlockId) -> Value {
        match expr {
            Expr::Value(value) => self.value(*value),
            Expr::Bif(name, args) => {
                let values: Vec<Value> = args.iter().map(|arg| self.guard_value(arg, error)).collect();
                let dst = self.flow.var();
                self.branch(Op::Bif(*name), values, vec![dst], error);
                Value::Var(dst)
            }
            Expr::And(..) | Expr::Or(..) => self.guard_boolean(expr, error),
            Expr::List(items, tail) => {
                let items: Vec<Value> = items.iter().map(|item| self.guard_value(item, error)).collect();
                let tail = self.guard_value(tail, error);
                if self.in_message {
                    let items = self.tuple_by_native(items, error);
                    let list = self.native(known::TUPLE_TO_LIST, vec![items], error);
                    return self.native(known::APPEND, vec![list, tail], error);
                }
                items.into_iter().rev().fold(tail, |tail, item| self.emit(Op::Cons, vec![item, tail]))
            }
            Expr::Tuple(items) => {
                let items: Vec<Value> = items.iter().map(|item| self.guard_value(item, error)).collect();
                if self.in_message {
                    return self.tuple_by_native(items, error);
                }
                self.emit(Op::Tuple, items)
            }
            Expr::MapPut(map, pairs) | Expr::MapUpdate(map, pairs) => {
                let mut args = vec![self.guard_value(map, error)];
                for (key, value) in pairs {
                    args.push(self.guard_value(key, error));
                    args.push(self.guard_value(value, error));
                }
                let dst = self.flow.var();
                let op = if matches!(expr, Expr::MapPut(..)) { Op::MapPut } else { Op::MapUpdate };
                self.branch(op, args, vec![dst], error);
                Value::Var(dst)
            }
            Expr::Bits(segments) => {
                let mut values = Vec::new();
                for segment in segments {
                    values.push(self.guard_value(&segment.value, error));
                    if let Some(size) = &segment.size {
                        values.push(self.guard_value(size, error));
                    }
                }
                let (shapes, _) = split_segments(segments, |_| Value::Const(Const::Nil));
                let dst = self.flow.var();
                self.branch(Op::BsCreate(shapes), values, vec![dst], error);
                Value::Var(dst)
            }
        }
    }

    /// While a message is looked at no heap may be reserved, since the collector could run: natives build instead.
    fn tuple_by_native(&mut self, items: Vec<Value>, error: BlockId) -> Value {
        let empty = Value::Const(self.pool.tuple(vec![]));
        items
            .into_iter()
            .fold(empty, |tuple, item| self.native(known::APPEND_ELEMENT, vec![tuple, item], error))
    }

    fn native(&mut self, name: Name, args: Vec<Value>, error: BlockId) -> Value {
        let dst = self.flow.var();
        self.branch(Op::Bif(name), args, vec![dst], error);
        Value::Var(dst)
    }

    /// `andalso` or `orelse` as a value: the second operand may be any term.
    fn guard_boolean(&mut self, expr: &Expr, error: BlockId) -> Value {
        let result = self.flow.var();
        let join = self.block_with(vec![result]);
        let (a, b, and) = match expr {
            Expr::And(a, b) => (a, b, true),
            Expr::Or(a, b) => (a, b, false),
            _ => return self.guard_value(expr, error),
        };
        let second = self.block();
        let short = self.block();
        let (yes, no) = if and { (second, short) } else { (short, second) };
        self.test(a, Ways { yes, no, error });
        self.current = short;
        let constant = if and { known::FALSE } else { known::TRUE };
        self.close(End::Jump(join, vec![Value::atom(constant)]));
        self.current = second;
        let value = self.guard_value(b, error);
        self.end(End::Jump(join, vec![value]), join);
        Value::Var(result)
    }
}

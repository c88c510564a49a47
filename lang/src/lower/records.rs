//! Records: tuples with a tag.

use super::Lowerer;
use super::matches::Heads;
use crate::ast::{Expr, Ident, RecordField, RecordFieldName};
use crate::core::{Body, Case, Clause, Const, End, Failure, Op, Pattern, Value};
use crate::known;

/// Records of more fields than this are updated by `setelement`, if few fields change.
const MANY_FIELDS: usize = 24;

/// Where the value of a field is written.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Origin {
    /// In the expression that makes the record.
    Given,
    /// In the record's definition.
    Default,
}

impl<'f> Lowerer<'f, '_> {
    /// The values of all fields, from the expression or the definition; `None` if there is no such record or field.
    pub(super) fn record_fields(
        &self,
        name: Ident,
        fields: &'f [RecordField],
    ) -> Option<Vec<(Option<&'f Expr>, Origin)>> {
        let record = self.records.get(&name.name)?;
        let given = |wanted| {
            fields.iter().find(|field| match field.name {
                RecordFieldName::Field(name) => name.name == wanted,
                RecordFieldName::Variable(_) => false,
            })
        };
        let others = fields.iter().find(|field| matches!(field.name, RecordFieldName::Variable(_)));
        Some(
            record
                .fields
                .iter()
                .map(|(field, default)| match given(*field).or(others) {
                    Some(field) => (Some(&field.value), Origin::Given),
                    None => (*default, Origin::Default),
                })
                .collect(),
        )
    }

    pub(super) fn record(&mut self, expr: &Expr, name: Ident, fields: &'f [RecordField]) -> Value {
        let Some(values) = self.record_fields(name, fields) else {
            return self.illegal(name.span, "record");
        };
        let mut items = vec![Value::atom(name.name)];
        let site = super::numbers::site_in(expr, self.site);
        let around = std::mem::replace(&mut self.site, site);
        let line = self.line_of(expr.span);
        let group = self.scope.mark();
        for (value, origin) in values {
            let pinned = self.pinned;
            if origin == Origin::Default {
                // As OTP has it, a default stands where the record does.
                self.pinned = Some(line);
                self.line = line;
            }
            items.push(match value {
                Some(value) => self.operand_of(group, value),
                None => Value::atom(known::UNDEFINED),
            });
            self.pinned = pinned;
        }
        self.site = around;
        self.at(expr.span);
        self.tuple(items)
    }

    /// The position of a field in the tuple, from 0.
    pub(super) fn field_index(&mut self, name: Ident, field: Ident) -> Option<usize> {
        let found = self
            .records
            .get(&name.name)
            .and_then(|record| record.fields.iter().position(|(known, _)| *known == field.name));
        if found.is_none() {
            self.illegal(field.span, "record field");
        }
        found.map(|at| at + 1)
    }

    pub(super) fn record_index(&mut self, name: Ident, field: Ident) -> Value {
        let index = self.field_index(name, field).map_or(0, |at| at as i64 + 1);
        Value::Const(Const::Int(index))
    }

    /// A pattern for the record with patterns for some of the elements.
    fn tuple_pattern(&self, name: Ident) -> Vec<Pattern> {
        let size = self.records.get(&name.name).map_or(0, |record| record.fields.len()) + 1;
        let mut items = vec![Pattern::Any; size];
        items[0] = Pattern::Const(Const::Atom(name.name));
        items
    }

    pub(super) fn record_pattern(
        &mut self,
        name: Ident,
        fields: &'f [RecordField],
        heads: &mut Heads,
    ) -> Pattern {
        if !self.records.contains_key(&name.name) {
            self.illegal(name.span, "record");
            return Pattern::Any;
        }
        let mut items = self.tuple_pattern(name);
        let mut given = vec![false; items.len()];
        for field in fields {
            if let RecordFieldName::Field(field_name) = field.name
                && let Some(at) = self.field_index(name, field_name)
            {
                items[at] = self.pattern(&field.value, heads);
                given[at] = true;
            }
        }
        for field in fields {
            if matches!(field.name, RecordFieldName::Variable(_)) {
                for at in (1..items.len()).filter(|&at| !given[at]) {
                    items[at] = self.pattern(&field.value, heads);
                }
            }
        }
        Pattern::Tuple(items)
    }

    /// A step that takes the record `value` apart; its body ends with what `end` makes.
    fn with_record(&mut self, value: Value, items: Vec<Pattern>, body: Body) -> Value {
        let clause = Clause { patterns: vec![Pattern::Tuple(items)], same: vec![], guard: vec![], body };
        self.step(Op::Case(Case {
            subjects: vec![value],
            clauses: vec![clause],
            otherwise: Failure::BadRecord(value),
        }))
    }

    pub(super) fn record_access(&mut self, expr: &Expr, base: &'f Expr, name: Ident, field: Ident) -> Value {
        let value = self.expr(base);
        let Some(at) = self.field_index(name, field) else { return Value::Const(Const::Nil) };
        self.at(expr.span);
        let mut items = self.tuple_pattern(name);
        let var = self.var();
        items[at] = Pattern::Var(var);
        self.with_record(value, items, Body { steps: vec![], end: End::Values(vec![Value::Var(var)]) })
    }

    pub(super) fn record_update(&mut self, base: &'f Expr, name: Ident, fields: &'f [RecordField]) -> Value {
        if !self.records.contains_key(&name.name) {
            return self.illegal(name.span, "record");
        }
        let mut changes: Vec<(usize, Value)> = Vec::new();
        for field in fields {
            if let RecordFieldName::Field(field_name) = field.name
                && let Some(at) = self.field_index(name, field_name)
            {
                changes.push((at, self.expr(&field.value)));
            }
        }
        let others = fields.iter().find(|field| matches!(field.name, RecordFieldName::Variable(_)));
        let size = self.tuple_pattern(name).len();
        if let Some(others) = others {
            for at in 1..size {
                if !changes.iter().any(|(changed, _)| *changed == at) {
                    let value = self.expr(&others.value);
                    changes.push((at, value));
                }
            }
        }
        let value = self.expr(base);
        // Where few fields change OTP sets them one after another, from the first in the record on.
        let first = changes.iter().min_by_key(|(at, _)| *at).filter(|_| 2 * changes.len() < size);
        let field = first.and_then(|first| {
            fields.iter().find(|field| match field.name {
                RecordFieldName::Field(field_name) => self.field_index(name, field_name) == Some(first.0),
                RecordFieldName::Variable(_) => false,
            })
        });
        self.at(match field.map(|field| field.name) {
            Some(RecordFieldName::Field(name)) => name.span,
            _ => self.place(base),
        });
        let mut items = self.tuple_pattern(name);
        if size > MANY_FIELDS && changes.len() * 4 < size {
            let (steps, result) = self.apart(|lowerer| lowerer.set_elements(value, &changes));
            return self.with_record(value, items, Body { steps, end: End::Values(vec![result]) });
        }
        let mut values = vec![Value::atom(name.name)];
        for (at, item) in items.iter_mut().enumerate().skip(1) {
            match changes.iter().find(|(changed, _)| *changed == at) {
                Some((_, value)) => values.push(*value),
                None => {
                    let var = self.var();
                    *item = Pattern::Var(var);
                    values.push(Value::Var(var));
                }
            }
        }
        let (steps, result) = self.apart(|lowerer| lowerer.tuple(values));
        self.with_record(value, items, Body { steps, end: End::Values(vec![result]) })
    }

    fn set_elements(&mut self, value: Value, changes: &[(usize, Value)]) -> Value {
        let setelement = self.names.intern("setelement");
        changes.iter().fold(value, |tuple, &(at, value)| {
            let index = Value::Const(Const::Int(at as i64 + 1));
            self.step(Op::CallExt(known::ERLANG, setelement, vec![index, tuple, value]))
        })
    }
}

//! Records: definitions, construction, update, access.

use super::{Linter, Node, Record};
use crate::ast::{Expr, ExprKind, Ident, RecordDefinition, RecordField, RecordFieldName};
use crate::hash::HashSet;
use crate::{Code, Diagnostic, Name, Span, known, spelling};

impl<'a> Linter<'a> {
    pub(super) fn define_record(&mut self, definition: &'a RecordDefinition) {
        let name = definition.name.name;
        if let Some(before) = self.records.get(&name) {
            let title = format!("record `{}` is already defined", self.atom(name));
            let diagnostic = Diagnostic::new(Code::RedefinedRecord, definition.name.span, title);
            let before = before.span;
            self.report(diagnostic.also(before, "first defined here"));
            return;
        }
        let mut fields: Vec<(Name, Option<&'a Expr>)> = Vec::new();
        for field in &definition.fields {
            if fields.iter().any(|(known, _)| *known == field.name.name) {
                let title = format!(
                    "field `{}` is repeated in record `{}`",
                    self.atom(field.name.name),
                    self.atom(name)
                );
                self.say(Code::RepeatedField, field.name.span, title);
                continue;
            }
            if let Some(default) = &field.default {
                self.record_default(name, default);
            }
            fields.push((field.name.name, field.default.as_ref()));
        }
        self.records.insert(name, Record { span: definition.name.span, fields, used: false });
        self.record_types(definition);
    }

    /// A default value belongs to no function: what it calls is used once the record is made somewhere.
    fn record_default(&mut self, record: Name, default: &'a Expr) {
        let outer = self.current.replace(Node::Record(record));
        let mark = self.env.mark();
        self.in_record_default = true;
        self.expr(default);
        self.in_record_default = false;
        self.env.discard(mark);
        self.current = outer;
    }

    /// Notes a use of a record; false, reported, if there is none.
    pub(super) fn use_record(&mut self, name: Name, span: Span) -> bool {
        if let Some(record) = self.records.get_mut(&name) {
            record.used = true;
            return true;
        }
        if self.session.lost.record(name) || !self.undefined_records.insert(name) {
            return false;
        }
        let title = format!("record `{}` is undefined", self.atom(name));
        let names = self.records.keys().map(|&known| self.text(known));
        let mut diagnostic = Diagnostic::new(Code::UndefinedRecord, span, title);
        if let Some(found) = self.closest(self.text(name), names).map(str::to_owned) {
            diagnostic =
                diagnostic.suggest("there is a record with a similar name", span, spelling::atom(&found));
            // It is meant, so it is not unused.
            if let Some(record) =
                self.session.names.lookup(&found).and_then(|name| self.records.get_mut(&name))
            {
                record.used = true;
            }
        }
        self.report(diagnostic);
        false
    }

    /// `#name.field`
    pub(super) fn record_index(&mut self, name: Ident, field: Ident) {
        if self.use_record(name.name, name.span) {
            self.check_field(name.name, field);
        }
    }

    fn has_field(&self, record: Name, field: Name) -> bool {
        self.records.get(&record).is_none_or(|record| record.fields.iter().any(|(known, _)| *known == field))
    }

    fn check_field(&mut self, record: Name, field: Ident) {
        if self.has_field(record, field.name) {
            return;
        }
        let title = format!("record `{}` has no field `{}`", self.atom(record), self.atom(field.name));
        let mut diagnostic = Diagnostic::new(Code::UndefinedField, field.span, title);
        if let Some(found) = self.records.get(&record) {
            let names = found.fields.iter().map(|(known, _)| self.text(*known));
            let close = self.closest(self.text(field.name), names);
            diagnostic = diagnostic.also(found.span, "the record is defined here");
            if let Some(close) = close {
                let close = spelling::atom(close);
                diagnostic = diagnostic.suggest("there is a field with a similar name", field.span, close);
            }
        }
        self.report(diagnostic);
    }

    /// The checks that all uses share; gives the fields whose values are worth walking.
    fn fields(&mut self, record: Name, fields: &'a [RecordField]) -> Vec<&'a Expr> {
        let mut seen = HashSet::default();
        let mut values = Vec::new();
        for field in fields {
            match field.name {
                RecordFieldName::Field(name) => {
                    if !seen.insert(name.name) {
                        let title = format!(
                            "field `{}` is given twice for record `{}`",
                            self.atom(name.name),
                            self.atom(record)
                        );
                        self.say(Code::RepeatedField, name.span, title);
                        continue;
                    }
                    self.check_field(record, name);
                    values.push(&field.value);
                }
                RecordFieldName::Variable(name) if name.name == known::UNDERSCORE => {
                    if !seen.insert(name.name) {
                        self.say(Code::RepeatedField, name.span, "`_` is given twice");
                        continue;
                    }
                    values.push(&field.value);
                }
                RecordFieldName::Variable(name) => {
                    let title = format!(
                        "`{}` is not a field of record `{}`",
                        self.text(name.name),
                        self.atom(record)
                    );
                    let help = "fields are atoms, or `_` for all others";
                    self.report(Diagnostic::new(Code::IllegalRecord, name.span, title).help(help));
                }
            }
        }
        values
    }

    /// `_ = Value` needs fields that are left.
    fn check_wildcard(&mut self, record: Name, fields: &[RecordField]) {
        let Some(wildcard) = wildcard(fields) else { return };
        let given = |name: Name| {
            fields
                .iter()
                .any(|field| matches!(field.name, RecordFieldName::Field(ident) if ident.name == name))
        };
        let complete =
            self.records.get(&record).is_some_and(|r| r.fields.iter().all(|(name, _)| given(*name)));
        if complete {
            let title = format!("`_` initialises no field of record `{}`", self.atom(record));
            self.say(Code::IllegalRecord, wildcard, title);
        }
    }

    pub(super) fn record_construction(&mut self, _span: Span, name: Ident, fields: &'a [RecordField]) {
        if !self.use_record(name.name, name.span) {
            // The values may have faults of their own, and use variables.
            return self.separate(fields.iter().map(|field| &field.value));
        }
        let values = self.fields(name.name, fields);
        self.separate(values);
        self.note_defaults(name.name, fields);
    }

    /// Constructing without a field uses what its default value calls.
    fn note_defaults(&mut self, record: Name, fields: &[RecordField]) {
        if wildcard(fields).is_some() {
            return;
        }
        if let Some(current) = self.current {
            self.calls.entry(current).or_default().push(Node::Record(record));
        }
    }

    pub(super) fn record_in_guard(&mut self, _span: Span, name: Ident, fields: &'a [RecordField]) {
        if !self.use_record(name.name, name.span) {
            return fields.iter().for_each(|field| self.guard_expr(&field.value));
        }
        for value in self.fields(name.name, fields) {
            self.guard_expr(value);
        }
        for default in self.defaults(name.name, fields) {
            if !self.is_guard_expr(default) {
                let title =
                    format!("the default values of record `{}` cannot be in a guard", self.atom(name.name));
                let diagnostic = Diagnostic::new(Code::IllegalGuard, name.span, title);
                self.report(diagnostic.also(default.span, "because of this one"));
            }
        }
    }

    /// The default values that a record with these fields takes.
    pub(super) fn defaults(&self, record: Name, fields: &[RecordField]) -> Vec<&'a Expr> {
        let given = |field: Name| {
            fields.iter().any(|f| match f.name {
                RecordFieldName::Field(ident) => ident.name == field,
                RecordFieldName::Variable(ident) => ident.name == known::UNDERSCORE,
            })
        };
        let Some(record) = self.records.get(&record) else { return Vec::new() };
        let left = record.fields.iter().filter(|(field, _)| !given(*field));
        left.filter_map(|(_, default)| *default).collect()
    }

    pub(super) fn record_update(&mut self, base: &'a Expr, name: Ident, fields: &'a [RecordField]) {
        self.check_record_base(base);
        if !self.use_record(name.name, name.span) {
            return self.separate(std::iter::once(base).chain(fields.iter().map(|field| &field.value)));
        }
        if let Some(wildcard) = wildcard(fields) {
            let title = format!("`_` means nothing in an update of record `{}`", self.atom(name.name));
            self.say(Code::IllegalRecord, wildcard, title);
        }
        let values = self.fields(name.name, fields);
        self.separate(std::iter::once(base).chain(values));
    }

    /// What can never be a record.
    pub(super) fn check_record_base(&mut self, base: &Expr) {
        let hopeless = matches!(
            base.kind,
            ExprKind::Char(_)
                | ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Atom(_)
                | ExprKind::Str(_)
                | ExprKind::List { .. }
                | ExprKind::ListComprehension { .. }
                | ExprKind::RecordIndex { .. }
                | ExprKind::Fun { .. }
                | ExprKind::FunLocal { .. }
                | ExprKind::FunRemote { .. }
        );
        if hopeless {
            self.say(Code::AlwaysFails, base.span, "this is no record, so the expression always fails");
        }
    }

    pub(super) fn record_pattern(
        &mut self,
        name: Ident,
        fields: &'a [RecordField],
        scope: &mut super::pattern::Scope,
    ) {
        if !self.use_record(name.name, name.span) {
            return fields.iter().for_each(|field| self.pattern(&field.value, scope));
        }
        self.check_wildcard(name.name, fields);
        for value in self.fields(name.name, fields) {
            self.pattern(value, scope);
        }
    }
}

fn wildcard(fields: &[RecordField]) -> Option<Span> {
    fields.iter().find_map(|field| match field.name {
        RecordFieldName::Variable(name) if name.name == known::UNDERSCORE => Some(name.span),
        _ => None,
    })
}

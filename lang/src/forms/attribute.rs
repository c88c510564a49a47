//! Forms as terms.

use super::writer::{ClauseKind, Writer};
use crate::Name;
use crate::ast::*;
use crate::bytecode::LitValue;

/// The token of an attribute's name: behind its dash.
const NAME: u32 = 1;

impl<'t> Writer<'t> {
    /// Plans a form; `word` is the name of an attribute as it was written.
    pub(super) fn plan_form(&mut self, form: &'t Form, word: Name) {
        if let FormKind::Function(function) = &form.kind {
            self.word("function");
            self.at(function.name.span.start);
            self.name(function.name.name);
            self.value(LitValue::Int(i64::from(function.arity)));
            self.clauses(&function.clauses, ClauseKind::Head);
            self.tuple(5);
            return;
        }
        self.word("attribute");
        self.at(NAME);
        self.name(word);
        self.plan_attribute_value(&form.kind);
        self.tuple(4);
    }

    fn plan_attribute_value(&mut self, kind: &'t FormKind) {
        match kind {
            FormKind::Function(_) => {}
            FormKind::Module(ident) | FormKind::Behaviour(ident) => self.name(ident.name),
            FormKind::Export(names)
            | FormKind::ExportType(names)
            | FormKind::OptionalCallbacks(names)
            | FormKind::Nifs(names) => self.function_names(names),
            FormKind::OnLoad(name) => self.function_name(name),
            FormKind::Import { module, functions } => {
                self.name(module.name);
                self.function_names(functions);
                self.tuple(2);
            }
            FormKind::Record(definition) => {
                self.name(definition.name.name);
                definition.fields.iter().for_each(|field| self.field_definition(field));
                self.list(definition.fields.len());
                self.tuple(2);
            }
            FormKind::Type(definition) => {
                self.name(definition.name.name);
                self.ty(&definition.ty);
                definition.parameters.iter().for_each(|parameter| self.leaf("var", *parameter));
                self.list(definition.parameters.len());
                self.tuple(3);
            }
            FormKind::Spec(spec) => {
                if let Some(module) = spec.module {
                    self.name(module.name);
                }
                self.name(spec.name.name);
                self.value(LitValue::Int(i64::from(spec.arity)));
                self.tuple(if spec.module.is_some() { 3 } else { 2 });
                self.signatures(&spec.signatures);
                self.tuple(2);
            }
            FormKind::Compile(value) | FormKind::Doc { value, .. } | FormKind::Attribute { value, .. } => {
                self.constant(value, true);
            }
        }
    }

    fn function_name(&mut self, name: &FunctionName) {
        self.name(name.name);
        self.value(LitValue::Int(i64::from(name.arity)));
        self.tuple(2);
    }

    fn function_names(&mut self, names: &[FunctionName]) {
        names.iter().for_each(|name| self.function_name(name));
        self.list(names.len());
    }

    fn field_definition(&mut self, field: &'t RecordFieldDefinition) {
        if field.ty.is_some() {
            self.word("typed_record_field");
        }
        self.word("record_field");
        self.at(field.name.span.start);
        self.leaf("atom", field.name);
        field.default.iter().for_each(|default| self.expr(default));
        self.tuple(if field.default.is_some() { 4 } else { 3 });
        if let Some(ty) = &field.ty {
            self.ty(ty);
            self.tuple(3);
        }
    }
}

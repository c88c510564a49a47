//! Types and signatures as terms.

use super::writer::{Step, Writer};
use crate::ast::*;
use crate::builtin;
use crate::bytecode::LitValue;

const NO_TYPES: &[Type] = &[];

impl<'t> Writer<'t> {
    /// `{type, Anno, Name`: three elements of a tuple.
    fn type_head(&mut self, token: u32, name: &'static str) {
        self.word("type");
        self.at(token);
        self.word(name);
    }

    pub(super) fn plan_type(&mut self, ty: &'t Type) {
        let own = self.own_of_type(ty);
        let ident = |name| Ident { name, span: ty.span };
        match &ty.kind {
            TypeKind::Error => self.word("undefined"),
            TypeKind::Var(name) => self.leaf("var", ident(*name)),
            TypeKind::Atom(name) => self.leaf("atom", ident(*name)),
            TypeKind::Int(value) => {
                let value = self.rows.int(value);
                self.number("integer", own, value);
            }
            TypeKind::Char(c) => self.number("char", own, LitValue::Int(i64::from(u32::from(*c)))),
            TypeKind::Unary { op, operand } => {
                self.word("op");
                self.at(own);
                self.word(op.text());
                self.ty(operand);
                self.tuple(4);
            }
            TypeKind::Op { op, left, right } => {
                self.word("op");
                self.at(own);
                self.word(op.text());
                self.ty(left);
                self.ty(right);
                self.tuple(5);
            }
            TypeKind::Range { low, high } => {
                self.type_head(own, "range");
                self.ty(low);
                self.ty(high);
                self.list(2);
                self.tuple(4);
            }
            TypeKind::Union(members) => self.plan_union(own, members),
            TypeKind::Annotated { name, ty } => {
                self.word("ann_type");
                self.at(own);
                self.leaf("var", *name);
                self.ty(ty);
                self.list(2);
                self.tuple(3);
            }
            TypeKind::Nil => self.plan_type_parts(own, "nil", NO_TYPES),
            TypeKind::List(item) => self.plan_type_parts(own, "list", std::slice::from_ref(item)),
            TypeKind::NonemptyList(item) => {
                self.plan_type_parts(own, "nonempty_list", std::slice::from_ref(item));
            }
            TypeKind::Tuple(elements) => self.plan_type_parts(own, "tuple", elements),
            TypeKind::AnyFun => self.plan_type_parts(own, "fun", NO_TYPES),
            _ => self.plan_larger_type(own, ty),
        }
    }

    fn plan_larger_type(&mut self, own: u32, ty: &'t Type) {
        match &ty.kind {
            TypeKind::Map(fields) => {
                self.type_head(own, "map");
                for field in fields {
                    let name = if field.exact { "map_field_exact" } else { "map_field_assoc" };
                    self.type_head(self.after(field.key.span), name);
                    self.ty(&field.key);
                    self.ty(&field.value);
                    self.list(2);
                    self.tuple(4);
                }
                self.list(fields.len());
                self.tuple(4);
            }
            TypeKind::Record { name, fields } => {
                self.type_head(own, "record");
                self.leaf("atom", *name);
                for (field, ty) in fields {
                    self.type_head(field.span.start, "field_type");
                    self.leaf("atom", *field);
                    self.ty(ty);
                    self.list(2);
                    self.tuple(4);
                }
                self.list(fields.len() + 1);
                self.tuple(4);
            }
            TypeKind::Binary { base, unit } => {
                self.type_head(own, "binary");
                for part in [base, unit] {
                    match part {
                        Some(part) => self.ty(part),
                        None => self.zero(own),
                    }
                }
                self.list(2);
                self.tuple(4);
            }
            TypeKind::Fun { parameters, result } => {
                self.plan_fun_type(own, parameters.as_deref(), result);
            }
            TypeKind::Call { module, name, args } => self.plan_type_call(own, *module, *name, args),
            _ => self.word("undefined"),
        }
    }

    fn number(&mut self, tag: &'static str, token: u32, value: LitValue) {
        self.word(tag);
        self.at(token);
        self.value(value);
        self.tuple(3);
    }

    /// A zero that nobody wrote: it has a line, and no more.
    fn zero(&mut self, token: u32) {
        let line = self.locations.get(token as usize).map_or(0, |location| location.line);
        self.word("integer");
        self.value(LitValue::Int(line));
        self.value(LitValue::Int(0));
        self.tuple(3);
    }

    fn plan_type_parts(&mut self, own: u32, name: &'static str, parts: &'t [impl std::borrow::Borrow<Type>]) {
        self.type_head(own, name);
        parts.iter().for_each(|part| self.ty(part.borrow()));
        self.list(parts.len());
        self.tuple(4);
    }

    /// A union that ends in another is one.
    fn plan_union(&mut self, own: u32, members: &'t [Type]) {
        self.type_head(own, "union");
        let (mut members, mut count) = (members, 0);
        while let [before @ .., last] = members {
            before.iter().for_each(|member| self.ty(member));
            count += before.len();
            match &last.kind {
                TypeKind::Union(more) => members = more,
                _ => {
                    self.ty(last);
                    count += 1;
                    break;
                }
            }
        }
        self.list(count);
        self.tuple(4);
    }

    fn plan_fun_type(&mut self, own: u32, parameters: Option<&'t [Type]>, result: &'t Type) {
        self.type_head(own, "fun");
        match parameters {
            None => {
                self.type_head(own, "any");
                self.tuple(3);
            }
            Some(parameters) => {
                self.type_head(own, "product");
                self.types(parameters);
                self.tuple(4);
            }
        }
        self.ty(result);
        self.list(2);
        self.tuple(4);
    }

    fn plan_type_call(&mut self, own: u32, module: Option<Ident>, name: Ident, args: &'t [Type]) {
        if let Some(module) = module {
            self.word("remote_type");
            self.at(own);
            self.leaf("atom", module);
            self.leaf("atom", name);
            self.types(args);
            self.list(3);
            self.tuple(3);
            return;
        }
        let text = self.names.text(name.name);
        if args.is_empty() && matches!(text, "tuple" | "map") {
            let text = if text == "map" { "map" } else { "tuple" };
            self.type_head(own, text);
            self.word("any");
        } else {
            let known = builtin::is_type(text, args.len() as u32);
            self.word(if known { "type" } else { "user_type" });
            self.at(own);
            self.name(name.name);
            self.types(args);
        }
        self.tuple(4);
    }

    pub(super) fn plan_signature(&mut self, signature: &'t Signature) {
        let own = signature.span.start;
        let bounded = !signature.constraints.is_empty();
        if bounded {
            self.type_head(own, "bounded_fun");
        }
        self.plan_fun_type(own, Some(&signature.parameters), &signature.result);
        if bounded {
            for (variable, ty) in &signature.constraints {
                let at = variable.span.start;
                self.type_head(at, "constraint");
                self.word("atom");
                self.at(at);
                self.word("is_subtype");
                self.tuple(3);
                self.leaf("var", *variable);
                self.ty(ty);
                self.list(2);
                self.list(2);
                self.tuple(4);
            }
            self.list(signature.constraints.len());
            self.list(2);
            self.tuple(4);
        }
    }

    pub(super) fn signatures(&mut self, signatures: &'t [Signature]) {
        signatures.iter().for_each(|signature| self.step(Step::Signature(signature)));
        self.list(signatures.len());
    }
}

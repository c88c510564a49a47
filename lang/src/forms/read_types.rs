//! Types and signatures out of forms.

use super::read::{Read, Reader};
use crate::ast::*;
use crate::bytecode::LitValue;
use crate::parse::build::type_depth_of;
use crate::{Name, known};

impl Reader<'_> {
    pub(super) fn ty(&mut self, value: LitValue) -> Read<Type> {
        self.nested(|reader| reader.ty_here(value))
    }

    fn boxed_ty(&mut self, value: LitValue) -> Read<Box<Type>> {
        Ok(Box::new(self.ty(value)?))
    }

    fn tys(&mut self, list: LitValue) -> Read<Vec<Type>> {
        self.all(list, Self::ty)
    }

    fn ty_here(&mut self, value: LitValue) -> Read<Type> {
        let (tag, parts) = self.node(value, "type")?;
        let span = self.span();
        let kind = match (tag, parts) {
            ("var", &[name]) => TypeKind::Var(self.atom(name)?),
            ("atom", &[name]) => TypeKind::Atom(self.atom(name)?),
            ("integer" | "char", &[number]) => match self.int(number) {
                Some(value) => TypeKind::Int(value),
                None => return self.refuse("type"),
            },
            ("op", &[op, operand]) => {
                let op = self.atom(op)?;
                let op = if self.is_text(op, "-") { UnaryOp::Minus } else { UnaryOp::Plus };
                TypeKind::Unary { op, operand: self.boxed_ty(operand)? }
            }
            ("op", &[op, left, right]) => {
                let op = self.atom(op)?;
                match BinaryOp::ALL.iter().find(|known| self.is_text(op, known.text())) {
                    Some(op) => {
                        TypeKind::Op { op: *op, left: self.boxed_ty(left)?, right: self.boxed_ty(right)? }
                    }
                    None => return self.refuse("type"),
                }
            }
            ("ann_type", &[parts]) => match self.list(parts)?[..] {
                [name, ty] => TypeKind::Annotated { name: self.leaf(name, "var")?, ty: self.boxed_ty(ty)? },
                _ => return self.refuse("type"),
            },
            ("remote_type", &[parts]) => match self.list(parts)?[..] {
                [module, name, args] => TypeKind::Call {
                    module: Some(self.leaf(module, "atom")?),
                    name: self.leaf(name, "atom")?,
                    args: self.tys(args)?,
                },
                _ => return self.refuse("type"),
            },
            ("user_type", &[name, args]) => self.called(name, args)?,
            ("type", &[name, args]) => self.builtin_type(name, args)?,
            _ => return self.refuse("type"),
        };
        Ok(Type { span, depth: type_depth_of(&kind) + 1, kind })
    }

    fn called(&mut self, name: LitValue, args: LitValue) -> Read<TypeKind> {
        let name = Ident { name: self.atom(name)?, span: self.span() };
        Ok(TypeKind::Call { module: None, name, args: self.tys(args)? })
    }

    fn builtin_type(&mut self, name: LitValue, args: LitValue) -> Read<TypeKind> {
        let text = self.atom(name)?;
        if self.atom(args).is_ok() {
            // `tuple()` and `map()`: any.
            return Ok(TypeKind::Call {
                module: None,
                name: Ident { name: text, span: self.span() },
                args: Vec::new(),
            });
        }
        let parts = self.list(args)?;
        let is = |reader: &Self, word: &str| reader.is_text(text, word);
        Ok(match parts[..] {
            [] if is(self, "nil") => TypeKind::Nil,
            [] if is(self, "fun") => TypeKind::AnyFun,
            [low, high] if is(self, "range") => {
                TypeKind::Range { low: self.boxed_ty(low)?, high: self.boxed_ty(high)? }
            }
            [item] if is(self, "list") => TypeKind::List(self.boxed_ty(item)?),
            [item] if is(self, "nonempty_list") => TypeKind::NonemptyList(self.boxed_ty(item)?),
            [parameters, result] if is(self, "fun") => self.fun_type(parameters, result)?,
            [base, unit] if is(self, "binary") => {
                TypeKind::Binary { base: Some(self.boxed_ty(base)?), unit: Some(self.boxed_ty(unit)?) }
            }
            _ if is(self, "tuple") => TypeKind::Tuple(self.tys(args)?),
            _ if is(self, "union") => TypeKind::Union(self.tys(args)?),
            _ if is(self, "map") => TypeKind::Map(self.all(args, Self::map_type_field)?),
            [name, ref fields @ ..] if is(self, "record") => {
                let name = self.leaf(name, "atom")?;
                let fields = fields.iter().map(|field| self.field_type(*field)).collect::<Read<_>>()?;
                TypeKind::Record { name, fields }
            }
            _ => self.called(name, args)?,
        })
    }

    fn fun_type(&mut self, parameters: LitValue, result: LitValue) -> Read<TypeKind> {
        let parameters = match self.node(parameters, "type")? {
            ("type", &[_, list]) => Some(self.tys(list)?),
            _ => None,
        };
        Ok(TypeKind::Fun { parameters, result: self.boxed_ty(result)? })
    }

    /// The two types of `{type, _, Name, [A, B]}`, with the name.
    fn pair(&mut self, value: LitValue) -> Read<(Name, LitValue, LitValue)> {
        let ("type", &[name, parts]) = self.node(value, "type")? else { return self.refuse("type") };
        match self.list(parts)?[..] {
            [first, second] => Ok((self.atom(name)?, first, second)),
            _ => self.refuse("type"),
        }
    }

    fn map_type_field(&mut self, value: LitValue) -> Read<MapTypeField> {
        let (name, key, value) = self.pair(value)?;
        let exact = self.is_text(name, "map_field_exact");
        Ok(MapTypeField { exact, key: self.ty(key)?, value: self.ty(value)? })
    }

    fn field_type(&mut self, value: LitValue) -> Read<(Ident, Type)> {
        let (_, name, ty) = self.pair(value)?;
        Ok((self.leaf(name, "atom")?, self.ty(ty)?))
    }

    pub(super) fn type_definition(&mut self, word: Name, value: LitValue) -> Read<FormKind> {
        let Some(&[name, ty, parameters]) = self.parts(value) else { return self.refuse("type definition") };
        let visibility = match word {
            known::OPAQUE => TypeVisibility::Opaque,
            known::NOMINAL => TypeVisibility::Nominal,
            _ => TypeVisibility::Transparent,
        };
        let name = Ident { name: self.atom(name)?, span: self.span() };
        let parameters = self.all(parameters, |reader, parameter| reader.leaf(parameter, "var"))?;
        Ok(FormKind::Type(TypeDefinition { visibility, name, parameters, ty: self.ty(ty)? }))
    }

    pub(super) fn spec(&mut self, callback: bool, value: LitValue) -> Read<FormKind> {
        let Some(&[subject, signatures]) = self.parts(value) else { return self.refuse("spec") };
        let span = self.span();
        let (module, name) = match self.parts(subject) {
            Some(&[name, _]) => (None, name),
            Some(&[module, name, _]) => (Some(Ident { name: self.atom(module)?, span }), name),
            _ => return self.refuse("spec"),
        };
        let name = Ident { name: self.atom(name)?, span };
        let signatures = self.all(signatures, Self::signature)?;
        let Some(first) = signatures.first() else { return self.refuse("spec") };
        let arity = first.parameters.len() as u32;
        Ok(FormKind::Spec(Spec { callback, module, name, arity, signatures }))
    }

    fn signature(&mut self, value: LitValue) -> Read<Signature> {
        let ("type", &[name, parts]) = self.node(value, "signature")? else {
            return self.refuse("signature");
        };
        let span = self.span();
        let name = self.atom(name)?;
        let [first, second] = self.list(parts)?[..] else { return self.refuse("signature") };
        if self.is_text(name, "bounded_fun") {
            let mut signature = self.signature(first)?;
            signature.constraints = self.all(second, Self::constraint)?;
            return Ok(signature);
        }
        match self.fun_type(first, second)? {
            TypeKind::Fun { parameters: Some(parameters), result } => {
                Ok(Signature { span, parameters, result: *result, constraints: Vec::new() })
            }
            _ => self.refuse("signature"),
        }
    }

    fn constraint(&mut self, value: LitValue) -> Read<(Ident, Type)> {
        let (_, _, parts) = self.pair(value)?;
        match self.list(parts)?[..] {
            [variable, ty] => Ok((self.leaf(variable, "var")?, self.ty(ty)?)),
            _ => self.refuse("constraint"),
        }
    }
}

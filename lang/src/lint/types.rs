//! Types: definitions, specs, callbacks.

use super::{Linter, NameArity, TypeInfo, TypeUser};
use crate::ast::{
    FunctionName, RecordDefinition, Signature, Spec, Type, TypeDefinition, TypeKind, TypeVisibility, UnaryOp,
};
use crate::{Code, Diagnostic, Int, Name, Span, builtin, known};

/// The type variables of one definition or signature: where each was first seen, and whether again.
#[derive(Default)]
struct TypeVariables(Vec<(Name, Span, bool)>);

impl TypeVariables {
    fn see(&mut self, name: Name, span: Span) {
        match self.0.iter_mut().find(|entry| entry.0 == name) {
            Some(entry) => entry.2 = true,
            None => self.0.push((name, span, false)),
        }
    }
}

impl<'a> Linter<'a> {
    pub(super) fn record_types(&mut self, definition: &'a RecordDefinition) {
        let mut variables = TypeVariables::default();
        self.type_user = TypeUser::Root;
        for field in &definition.fields {
            if let Some(ty) = &field.ty {
                self.ty(ty, &mut variables);
            }
        }
        self.singletons(variables);
        let untyped = definition.fields.iter().any(|field| field.ty.is_none());
        if untyped && self.settings.warns("untyped_record", false) {
            let title = format!("record `{}` has fields without types", self.atom(definition.name.name));
            self.say(Code::Untyped, definition.name.span, title);
        }
    }

    pub(super) fn define_type(&mut self, definition: &'a TypeDefinition) {
        let name: NameArity = (definition.name.name, definition.parameters.len() as u32);
        let span = definition.name.span;
        if builtin::is_type(self.text(name.0), name.1)
            && !self.settings.has_no_builtin_types()
            && self.settings.warns("redefined_builtin_type", true)
        {
            let title = format!("type `{}` hides the built-in one", self.function_text(name));
            self.say(Code::HidesBuiltinType, span, title);
        }
        if let Some(before) = self.types.get(&name) {
            let title = format!("type `{}` is already defined", self.function_text(name));
            let before = before.span;
            return self.report(
                Diagnostic::new(Code::RedefinedType, span, title).also(before, "first defined here"),
            );
        }
        let opaque = definition.visibility == TypeVisibility::Opaque;
        self.types.insert(name, TypeInfo { span, opaque });
        if opaque && name.1 == 0 && self.is_any(&definition.ty) {
            let title = format!("opaque type `{}` says nothing", self.function_text(name));
            self.say(Code::QuestionableOpaque, span, title);
        }
        let mut variables = TypeVariables::default();
        self.type_user = TypeUser::Type(name);
        self.ty(&definition.ty, &mut variables);
        for parameter in &definition.parameters {
            match parameter.name {
                known::UNDERSCORE => {
                    self.say(Code::IllegalType, parameter.span, "a parameter of a type has a name")
                }
                name => variables.see(name, parameter.span),
            }
        }
        self.type_user = TypeUser::Root;
        self.singletons(variables);
    }

    fn is_any(&self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Call { module: None, name, args } => {
                args.is_empty() && matches!(self.text(name.name), "any" | "term")
            }
            _ => false,
        }
    }

    /// A variable that stands once says nothing; most are slips.
    fn singletons(&mut self, variables: TypeVariables) {
        for (name, span, again) in variables.0 {
            if !again && !self.is_underscored(name) {
                let title = format!("type variable `{}` is used only once", self.text(name));
                self.report(
                    Diagnostic::new(Code::SingletonTypeVariable, span, title)
                        .help("write `_` or a name that begins with it for any type"),
                );
            }
        }
    }

    pub(super) fn spec(&mut self, spec: &'a Spec) {
        let function: NameArity = (spec.name.name, spec.arity);
        let shown = self.function_text(function);
        if let Some(module) = spec.module {
            self.check_latin1(module.name, module.span);
            if spec.callback {
                let title = format!("a callback has no module: `{}:{shown}`", self.atom(module.name));
                return self.say(Code::IllegalSpec, module.span, title);
            }
            if self.module.is_some_and(|own| own != module.name) {
                let title = format!("spec for a function of the module `{}`", self.atom(module.name));
                self.say(Code::IllegalSpec, module.span, title);
                return self.signatures(spec);
            }
        }
        let table = if spec.callback { &mut self.callbacks } else { &mut self.specs };
        if let Some(&before) = table.get(&function) {
            let what = if spec.callback { "callback" } else { "spec for" };
            let title = format!("{what} `{shown}` is already given");
            return self.report(
                Diagnostic::new(Code::IllegalSpec, spec.name.span, title).also(before, "first given here"),
            );
        }
        table.insert(function, spec.name.span);
        self.signatures(spec);
    }

    fn signatures(&mut self, spec: &'a Spec) {
        for signature in &spec.signatures {
            if signature.parameters.len() as u32 != spec.arity {
                let title = "the signatures differ in the number of parameters";
                let first = spec.signatures[0].span;
                self.report(
                    Diagnostic::new(Code::IllegalSpec, signature.span, title).also(first, "the first one"),
                );
            }
            self.signature(signature);
        }
    }

    fn signature(&mut self, signature: &'a Signature) {
        let mut variables = TypeVariables::default();
        for parameter in &signature.parameters {
            self.ty(parameter, &mut variables);
        }
        self.ty(&signature.result, &mut variables);
        for (name, ty) in &signature.constraints {
            if name.name != known::UNDERSCORE {
                variables.see(name.name, name.span);
            }
            self.ty(ty, &mut variables);
        }
        self.singletons(variables);
    }

    pub(super) fn optional_callback(&mut self, function: &FunctionName) {
        let name = (function.name, function.arity);
        if self.optional_callbacks.insert(name, function.span).is_some() {
            let title = format!("optional callback `{}` is repeated", self.function_text(name));
            self.say(Code::BehaviourConflict, function.span, title);
        }
    }

    fn ty(&mut self, ty: &'a Type, variables: &mut TypeVariables) {
        match &ty.kind {
            TypeKind::Error | TypeKind::Atom(_) | TypeKind::Int(_) | TypeKind::Char(_) | TypeKind::Nil => {}
            TypeKind::AnyFun | TypeKind::Var(known::UNDERSCORE) => {}
            TypeKind::Var(name) => variables.see(*name, ty.span),
            TypeKind::Annotated { ty, .. } | TypeKind::List(ty) | TypeKind::NonemptyList(ty) => {
                self.ty(ty, variables)
            }
            TypeKind::Union(types) | TypeKind::Tuple(types) => {
                types.iter().for_each(|ty| self.ty(ty, variables));
            }
            TypeKind::Unary { .. } | TypeKind::Op { .. } => {
                if integer(ty).is_none() {
                    self.say(Code::IllegalType, ty.span, "this is no integer");
                }
            }
            TypeKind::Range { low, high } => match (integer(low), integer(high)) {
                (Some(low), Some(high)) if low <= high => {}
                (Some(_), Some(_)) => self.say(Code::IllegalType, ty.span, "this range is empty"),
                _ => self.say(Code::IllegalType, ty.span, "the ends of a range are integers"),
            },
            TypeKind::Binary { base, unit } => {
                let natural = |size: &Option<Box<Type>>| {
                    size.as_deref().is_none_or(|size| integer(size).is_some_and(|value| value >= 0))
                };
                if !natural(base) || !natural(unit) {
                    self.say(Code::IllegalType, ty.span, "the sizes of a binary type are integers from 0 on");
                }
            }
            TypeKind::Map(fields) => {
                for field in fields {
                    self.ty(&field.key, variables);
                    self.ty(&field.value, variables);
                }
            }
            TypeKind::Record { name, fields } => {
                if self.use_record(name.name, name.span) {
                    let mut seen: Vec<Name> = Vec::new();
                    for (field, ty) in fields {
                        self.record_type_field(name.name, *field, &mut seen);
                        self.ty(ty, variables);
                    }
                }
            }
            TypeKind::Fun { parameters, result } => {
                parameters.iter().flatten().for_each(|ty| self.ty(ty, variables));
                self.ty(result, variables);
            }
            TypeKind::Call { module, name, args } => {
                self.type_call(ty.span, *module, *name, args.len() as u32);
                args.iter().for_each(|ty| self.ty(ty, variables));
            }
        }
    }

    fn record_type_field(&mut self, record: Name, field: crate::ast::Ident, seen: &mut Vec<Name>) {
        if seen.contains(&field.name) {
            let title = format!("field `{}` is given twice", self.atom(field.name));
            self.say(Code::RepeatedField, field.span, title);
        }
        seen.push(field.name);
        let known =
            self.records.get(&record).is_none_or(|r| r.fields.iter().any(|known| known.0 == field.name));
        if !known {
            let title = format!("record `{}` has no field `{}`", self.atom(record), self.atom(field.name));
            self.say(Code::UndefinedField, field.span, title);
        }
    }

    fn type_call(
        &mut self,
        span: Span,
        module: Option<crate::ast::Ident>,
        name: crate::ast::Ident,
        arity: u32,
    ) {
        let ty = (name.name, arity);
        if let Some(module) = module {
            self.check_latin1(module.name, module.span);
        }
        if module.is_some_and(|module| self.module != Some(module.name)) {
            return;
        }
        self.used_types.push((ty, span, self.type_user));
    }
}

/// The value of integer arithmetic in a type.
fn integer(ty: &Type) -> Option<i128> {
    use crate::ast::BinaryOp;
    Some(match &ty.kind {
        TypeKind::Int(Int::Small(value)) => i128::from(*value),
        // Too large for exact work here, and only signs and order matter.
        TypeKind::Int(Int::Big(_)) => i128::from(i64::MAX) + 1,
        TypeKind::Char(c) => i128::from(u32::from(*c)),
        TypeKind::Unary { op, operand } => match op {
            UnaryOp::Plus => integer(operand)?,
            UnaryOp::Minus => -integer(operand)?,
            UnaryOp::Bnot => -integer(operand)? - 1,
            UnaryOp::Not => return None,
        },
        TypeKind::Op { op, left, right } => {
            let (a, b) = (integer(left)?, integer(right)?);
            match op {
                BinaryOp::Add => a.saturating_add(b),
                BinaryOp::Sub => a.saturating_sub(b),
                BinaryOp::Mul => a.saturating_mul(b),
                BinaryOp::Div => a.checked_div(b)?,
                BinaryOp::Rem => a.checked_rem(b)?,
                BinaryOp::Band => a & b,
                BinaryOp::Bor => a | b,
                BinaryOp::Bxor => a ^ b,
                BinaryOp::Bsl => {
                    a.saturating_mul(2_i128.checked_pow(u32::try_from(b).ok()?).unwrap_or(i128::MAX))
                }
                BinaryOp::Bsr => a >> u32::try_from(b).ok()?.min(127),
                _ => return None,
            }
        }
        _ => return None,
    })
}

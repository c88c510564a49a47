//! Attributes: from a name and expressions to what they mean.

use super::build::{AttributeValue, Builder, TypeHead};
use crate::ast::*;
use crate::{Code, Diagnostic, Name, Span, known};

impl Builder<'_> {
    pub(crate) fn attribute_value(&mut self, l: u32, r: u32, values: Vec<Expr>) -> AttributeValue {
        (Span { start: l, end: r }, values)
    }

    pub(crate) fn attribute_values(
        &mut self,
        l: u32,
        r: u32,
        first: Expr,
        rest: Vec<Expr>,
    ) -> AttributeValue {
        let mut values = Vec::with_capacity(rest.len() + 1);
        values.push(first);
        values.extend(rest);
        self.attribute_value(l, r, values)
    }

    /// `-name(Values).`, unless the name has a grammar of its own.
    pub(crate) fn attribute(&mut self, name: Ident, (at, mut values): AttributeValue) -> Option<FormKind> {
        if name.name == known::IMPORT {
            let [module, functions] = &values[..] else {
                return self.illegal(name, at, "`-import(module, [name/arity, ...])`");
            };
            let module = self.atom(name, module, "a module")?;
            return Some(FormKind::Import { module, functions: self.function_names(name, functions)? });
        }
        // The preprocessor obeys these; they come here only from programs that parse on their own.
        if name.name == known::FILE
            && matches!(&values[..], [path, line] if matches!((&path.kind, &line.kind), (ExprKind::Str(_), ExprKind::Int(_))))
        {
            let value = self.expr(at.start, at.end, ExprKind::Tuple(values));
            return Some(FormKind::Attribute { name, value });
        }
        if let [_, second, ..] = &values[..] {
            return self.illegal(name, second.span, "one value in parentheses");
        }
        let Some(value) = values.pop() else {
            return self.illegal(name, at, "one value in parentheses");
        };
        Some(match name.name {
            known::MODULE => FormKind::Module(self.atom(name, &value, "a module name")?),
            known::BEHAVIOUR | known::BEHAVIOR => {
                FormKind::Behaviour(self.atom(name, &value, "a module name")?)
            }
            known::EXPORT => FormKind::Export(self.function_names(name, &value)?),
            known::EXPORT_TYPE => FormKind::ExportType(self.function_names(name, &value)?),
            known::OPTIONAL_CALLBACKS => match self.names_in_list(&value) {
                Some(names) => FormKind::OptionalCallbacks(names),
                // Such a one is any attribute to OTP, and says nothing; the linter warns.
                None => FormKind::Attribute { name, value: self.constant(name, value)? },
            },
            known::NIFS => FormKind::Nifs(self.function_names(name, &value)?),
            known::ON_LOAD => match self.function_name(&value) {
                Some(function) => FormKind::OnLoad(function),
                None => return self.illegal(name, value.span, "`-on_load(name/0)`"),
            },
            known::COMPILE => FormKind::Compile(self.constant(name, value)?),
            known::DOC | known::MODULEDOC => {
                let module = name.name == known::MODULEDOC;
                FormKind::Doc { module, value: self.documentation(name, value)? }
            }
            _ => FormKind::Attribute { name, value: self.constant(name, value)? },
        })
    }

    fn illegal<T>(&mut self, name: Ident, at: Span, wanted: &str) -> Option<T> {
        self.illegal_because(name, at, wanted, None)
    }

    /// With the expression that does not fit, if it is a single one.
    fn illegal_because<T>(&mut self, name: Ident, at: Span, wanted: &str, value: Option<&Expr>) -> Option<T> {
        let text = self.names.text(name.name).to_owned();
        let mut diagnostic =
            Diagnostic::new(Code::IllegalAttribute, at, format!("bad value of the attribute `{text}`"))
                .label(format!("expected {wanted}"));
        if let Some(Expr { kind: ExprKind::Var(variable), span, .. }) = value {
            let lower = crate::spelling::atom(&self.names.text(*variable).to_lowercase());
            diagnostic = diagnostic.suggest("atoms begin in lower case", *span, lower);
        }
        self.error(diagnostic);
        None
    }

    fn atom(&mut self, attribute: Ident, value: &Expr, wanted: &str) -> Option<Ident> {
        match value.kind {
            ExprKind::Atom(name) => Some(Ident { name, span: value.span }),
            _ => self.illegal_because(attribute, value.span, wanted, Some(value)),
        }
    }

    /// `[name/arity, ...]`
    fn function_names(&mut self, attribute: Ident, value: &Expr) -> Option<Vec<FunctionName>> {
        if self.function_name(value).is_some() {
            let text = self.names.text(attribute.name).to_owned();
            let title = format!("bad value of the attribute `{text}`");
            let edits = vec![(value.span.before(), "[".to_owned()), (value.span.behind(), "]".to_owned())];
            self.error(
                Diagnostic::new(Code::IllegalAttribute, value.span, title)
                    .label("expected `[name/arity, ...]`")
                    .suggest_edits("put it into a list", edits, true),
            );
            return None;
        }
        let ExprKind::List { elements, tail: None } = &value.kind else {
            return self.illegal(attribute, value.span, "`[name/arity, ...]`");
        };
        let mut names = Vec::with_capacity(elements.len());
        for element in elements {
            match self.function_name(element) {
                Some(name) => names.push(name),
                None => {
                    let named = match &element.kind {
                        ExprKind::Op { op: BinaryOp::Divide, left, .. } => &**left,
                        _ => element,
                    };
                    return self.illegal_because(attribute, element.span, "`name/arity`", Some(named));
                }
            }
        }
        Some(names)
    }

    /// `[name/arity, ...]`, without a word if it is none.
    fn names_in_list(&mut self, value: &Expr) -> Option<Vec<FunctionName>> {
        let ExprKind::List { elements, tail: None } = &value.kind else { return None };
        elements.iter().map(|element| self.function_name(element)).collect()
    }

    /// `name/arity`
    fn function_name(&mut self, value: &Expr) -> Option<FunctionName> {
        let ExprKind::Op { op: BinaryOp::Divide, left, right } = &value.kind else { return None };
        let (ExprKind::Atom(name), ExprKind::Int(arity)) = (&left.kind, &right.kind) else { return None };
        let arity = self.arity(value.span, arity);
        Some(FunctionName { span: value.span, name: *name, arity })
    }

    /// What `-doc` says. In its map `equiv => f(A, B)`, a call that documents which function is meant, becomes `f/2`.
    fn documentation(&mut self, attribute: Ident, mut value: Expr) -> Option<Expr> {
        if let ExprKind::Map { base: None, fields } = &mut value.kind {
            for field in fields {
                if matches!(field.key.kind, ExprKind::Atom(key) if self.names.text(key) == "equiv")
                    && let ExprKind::Call { callee, args } = &field.value.kind
                    && matches!(callee.kind, ExprKind::Atom(_))
                {
                    let arity = ExprKind::Int(crate::number::Int::Small(args.len() as i64));
                    let span = field.value.span;
                    let (left, right) = (callee.clone(), Box::new(Expr { span, depth: 1, kind: arity }));
                    field.value.kind = ExprKind::Op { op: BinaryOp::Divide, left, right };
                }
            }
        }
        self.constant(attribute, value)
    }

    /// A value that needs no evaluation; `name/arity` may stand in it.
    fn constant(&mut self, attribute: Ident, value: Expr) -> Option<Expr> {
        match first_variable_part(&value) {
            None => Some(value),
            Some(at) => self.illegal(attribute, at, "a constant"),
        }
    }

    // Records, types and specs.

    pub(crate) fn record_definition(
        &mut self,
        name: Ident,
        fields: Vec<RecordFieldDefinition>,
    ) -> Option<FormKind> {
        Some(FormKind::Record(RecordDefinition { name, fields }))
    }

    pub(crate) fn field_definition(
        &mut self,
        l: u32,
        r: u32,
        name: Ident,
        default: Option<Expr>,
        ty: Option<Type>,
    ) -> RecordFieldDefinition {
        RecordFieldDefinition { span: Span { start: l, end: r }, name, default, ty }
    }

    pub(crate) fn type_definition(&mut self, word: Name, (name, parameters): TypeHead, ty: Type) -> FormKind {
        let visibility = match word {
            known::OPAQUE => TypeVisibility::Opaque,
            known::NOMINAL => TypeVisibility::Nominal,
            _ => TypeVisibility::Transparent,
        };
        FormKind::Type(TypeDefinition { visibility, name, parameters, ty })
    }

    pub(crate) fn signature(
        &mut self,
        l: u32,
        r: u32,
        parameters: Vec<Type>,
        result: Type,
        constraints: Vec<(Ident, Type)>,
    ) -> Signature {
        Signature { span: Span { start: l, end: r }, parameters, result, constraints }
    }

    /// `(...) -> t` says nothing of the arity, so it cannot be a spec.
    pub(crate) fn open_signature(&mut self, l: u32, r: u32, result: Type) -> Signature {
        let title = "a spec needs the types of all parameters";
        self.error(Diagnostic::new(Code::IllegalType, Span { start: l, end: r }, title));
        self.signature(l, r, Vec::new(), result, Vec::new())
    }

    pub(crate) fn constraint(&mut self, variable: Ident, ty: Type) -> (Ident, Type) {
        if variable.name == known::UNDERSCORE {
            let title = "`_` is any type and cannot be constrained";
            self.error(Diagnostic::new(Code::IllegalType, variable.span, title));
        }
        (variable, ty)
    }

    /// `is_subtype(Var, type)`, the old form of `Var :: type`.
    pub(crate) fn old_constraint(&mut self, name: Ident, mut args: Vec<Type>) -> (Ident, Type) {
        let ty = args.pop();
        let variable = args.pop();
        match (name.name, variable, ty) {
            (known::IS_SUBTYPE, Some(Type { span, kind: TypeKind::Var(variable), .. }), Some(ty))
                if args.is_empty() =>
            {
                (Ident { name: variable, span }, ty)
            }
            (_, _, ty) => {
                let title = "a constraint is written `Variable :: type()`";
                self.error(Diagnostic::new(Code::IllegalType, name.span, title));
                (name, ty.unwrap_or(Type { span: name.span, depth: 1, kind: TypeKind::Error }))
            }
        }
    }

    pub(crate) fn spec(
        &mut self,
        word: Name,
        (module, name): (Option<Ident>, Ident),
        signatures: Vec<Signature>,
    ) -> Option<FormKind> {
        let arity = signatures.first().map_or(0, |signature| signature.parameters.len() as u32);
        let callback = word == known::CALLBACK;
        Some(FormKind::Spec(Spec { callback, module, name, arity, signatures }))
    }
}

/// The first part of an attribute's value that would need evaluation.
fn first_variable_part(value: &Expr) -> Option<Span> {
    let mut pending = vec![value];
    while let Some(expr) = pending.pop() {
        match &expr.kind {
            kind if kind.is_literal() => {}
            ExprKind::List { elements, tail } => {
                pending.extend(tail.as_deref());
                pending.extend(elements.iter().rev());
            }
            ExprKind::Tuple(elements) => pending.extend(elements.iter().rev()),
            ExprKind::Map { base: None, fields } if fields.iter().all(|field| !field.exact) => {
                pending.extend(fields.iter().rev().flat_map(|field| [&field.value, &field.key]));
            }
            ExprKind::Unary { op: UnaryOp::Minus | UnaryOp::Plus, operand } if is_number(operand) => {}
            ExprKind::Binary(segments) => pending.extend(segments.iter().rev().map(|segment| &segment.value)),
            ExprKind::Op { op: BinaryOp::Divide, left, right }
                if matches!((&left.kind, &right.kind), (ExprKind::Atom(_), ExprKind::Int(_))) => {}
            ExprKind::FunRemote { module, name, arity }
                if matches!(
                    (&module.kind, &name.kind, &arity.kind),
                    (ExprKind::Atom(_), ExprKind::Atom(_), ExprKind::Int(_))
                ) => {}
            _ => return Some(expr.span),
        }
    }
    None
}

fn is_number(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Char(_))
}

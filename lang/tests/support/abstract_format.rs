//! The tree as OTP's abstract format, with 0 for all positions: for snapshots, and to compare with OTP's own parser.

use erlet_lang::ast::*;
use erlet_lang::{Interner, Name, builtin, known, spelling};

/// Prints one form, as a term without a final dot.
pub fn form(names: &Interner, form: &Form) -> String {
    let mut printer = Printer { names, out: String::new() };
    printer.form(form);
    printer.out
}

/// Prints one expression.
pub fn expr(names: &Interner, expr: &Expr) -> String {
    let mut printer = Printer { names, out: String::new() };
    printer.expr(expr);
    printer.out
}

struct Printer<'n> {
    names: &'n Interner,
    out: String,
}

impl Printer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn atom(&mut self, name: Name) {
        self.out.push_str(&spelling::atom(self.names.text(name)));
    }

    /// A variable's name as the atom it is in the format.
    fn var(&mut self, name: Name) {
        self.put("{var,0,");
        self.atom(name);
        self.put("}");
    }

    fn list<T>(&mut self, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.put("[");
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.put(",");
            }
            each(self, item);
        }
        self.put("]");
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        self.list(exprs, |p, e| p.expr(e));
    }

    fn types(&mut self, types: &[Type]) {
        self.list(types, |p, t| p.ty(t));
    }

    fn atom_node(&mut self, name: Name) {
        self.put("{atom,0,");
        self.atom(name);
        self.put("}");
    }

    fn function_names(&mut self, functions: &[FunctionName]) {
        self.list(functions, |p, f| p.pair(f.name, f.arity));
    }

    fn pair(&mut self, name: Name, arity: u32) {
        self.put("{");
        self.atom(name);
        self.put(&format!(",{arity}}}"));
    }

    fn string(&mut self, text: &str) {
        let codes: Vec<String> = text.chars().map(|c| u32::from(c).to_string()).collect();
        self.put(&format!("[{}]", codes.join(",")));
    }

    fn form(&mut self, form: &Form) {
        match &form.kind {
            FormKind::Function(function) => {
                self.put("{function,0,");
                self.atom(function.name.name);
                self.put(&format!(",{},", function.arity));
                self.clauses(&function.clauses);
                self.put("}");
            }
            kind => {
                self.put("{attribute,0,");
                self.attribute(kind);
                self.put("}");
            }
        }
    }

    fn attribute(&mut self, kind: &FormKind) {
        match kind {
            FormKind::Function(_) => {}
            FormKind::Module(name) => self.named("module", |p| p.atom(name.name)),
            FormKind::Behaviour(name) => self.named("behaviour", |p| p.atom(name.name)),
            FormKind::Export(functions) => self.named("export", |p| p.function_names(functions)),
            FormKind::ExportType(types) => self.named("export_type", |p| p.function_names(types)),
            FormKind::OptionalCallbacks(functions) => {
                self.named("optional_callbacks", |p| p.function_names(functions));
            }
            FormKind::Nifs(functions) => self.named("nifs", |p| p.function_names(functions)),
            FormKind::OnLoad(function) => self.named("on_load", |p| p.pair(function.name, function.arity)),
            FormKind::Import { module, functions } => self.named("import", |p| {
                p.put("{");
                p.atom(module.name);
                p.put(",");
                p.function_names(functions);
                p.put("}");
            }),
            FormKind::Record(record) => self.named("record", |p| p.record_definition(record)),
            FormKind::Type(definition) => self.type_definition(definition),
            FormKind::Spec(spec) => self.spec(spec),
            FormKind::Compile(value) => self.named("compile", |p| p.term(value)),
            FormKind::Doc { module, value } => {
                self.named(if *module { "moduledoc" } else { "doc" }, |p| p.term(value));
            }
            FormKind::Attribute { name, value } => {
                self.atom(name.name);
                self.put(",");
                self.term(value);
            }
        }
    }

    fn named(&mut self, name: &str, value: impl FnOnce(&mut Self)) {
        self.put(name);
        self.put(",");
        value(self);
    }

    fn record_definition(&mut self, record: &RecordDefinition) {
        self.put("{");
        self.atom(record.name.name);
        self.put(",");
        self.list(&record.fields, |p, field| {
            if field.ty.is_some() {
                p.put("{typed_record_field,");
            }
            p.put("{record_field,0,");
            p.atom_node(field.name.name);
            if let Some(default) = &field.default {
                p.put(",");
                p.expr(default);
            }
            p.put("}");
            if let Some(ty) = &field.ty {
                p.put(",");
                p.ty(ty);
                p.put("}");
            }
        });
        self.put("}");
    }

    fn type_definition(&mut self, definition: &TypeDefinition) {
        self.put(match definition.visibility {
            TypeVisibility::Transparent => "type,{",
            TypeVisibility::Opaque => "opaque,{",
            TypeVisibility::Nominal => "nominal,{",
        });
        self.atom(definition.name.name);
        self.put(",");
        self.ty(&definition.ty);
        self.put(",");
        self.list(&definition.parameters, |p, v| p.var(v.name));
        self.put("}");
    }

    fn spec(&mut self, spec: &Spec) {
        self.put(if spec.callback { "callback,{{" } else { "spec,{{" });
        if let Some(module) = spec.module {
            self.atom(module.name);
            self.put(",");
        }
        self.atom(spec.name.name);
        self.put(&format!(",{}}},", spec.arity));
        self.list(&spec.signatures, |p, signature| {
            let bounded = !signature.constraints.is_empty();
            if bounded {
                p.put("{type,0,bounded_fun,[");
            }
            p.fun_type(Some(&signature.parameters), &signature.result);
            if bounded {
                p.put(",");
                p.list(&signature.constraints, |p, (variable, ty)| {
                    p.put("{type,0,constraint,[{atom,0,is_subtype},[");
                    p.var(variable.name);
                    p.put(",");
                    p.ty(ty);
                    p.put("]]}");
                });
                p.put("]}");
            }
        });
        self.put("}");
    }

    fn fun_type(&mut self, parameters: Option<&Vec<Type>>, result: &Type) {
        self.put("{type,0,'fun',[");
        match parameters {
            None => self.put("{type,0,any}"),
            Some(parameters) => {
                self.put("{type,0,product,");
                self.types(parameters);
                self.put("}");
            }
        }
        self.put(",");
        self.ty(result);
        self.put("]}");
    }

    /// The value of an attribute, as the term it is.
    fn term(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::Atom(name) => self.atom(*name),
            ExprKind::Char(c) => self.put(&u32::from(*c).to_string()),
            ExprKind::Int(value) => self.put(&value.to_string()),
            ExprKind::Float(value) => self.put(&spelling::float(*value)),
            ExprKind::Str(text) => self.string(text),
            ExprKind::Tuple(elements) => {
                self.put("{");
                self.terms(elements);
                self.put("}");
            }
            ExprKind::List { elements, tail } => {
                self.put("[");
                self.terms(elements);
                if let Some(tail) = tail {
                    self.put("|");
                    self.term(tail);
                }
                self.put("]");
            }
            ExprKind::Unary { op, operand } => {
                self.put(op.text());
                self.term(operand);
            }
            ExprKind::Op { left, right, .. } => {
                self.put("{");
                self.term(left);
                self.put(",");
                self.term(right);
                self.put("}");
            }
            ExprKind::Map { fields, .. } => {
                self.put("#{");
                for (at, field) in fields.iter().enumerate() {
                    self.put(if at > 0 { "," } else { "" });
                    self.term(&field.key);
                    self.put("=>");
                    self.term(&field.value);
                }
                self.put("}");
            }
            other => self.put(&format!("unprintable({other:?})")),
        }
    }

    fn terms(&mut self, values: &[Expr]) {
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                self.put(",");
            }
            self.term(value);
        }
    }

    fn clauses(&mut self, clauses: &[Clause]) {
        self.list(clauses, |p, clause| {
            p.put("{clause,0,");
            p.exprs(&clause.patterns);
            p.put(",");
            p.list(&clause.guard, |p, tests| p.exprs(tests));
            p.put(",");
            p.exprs(&clause.body);
            p.put("}");
        });
    }

    fn node(&mut self, tag: &str, parts: &[&Expr]) {
        self.put(&format!("{{{tag},0"));
        for part in parts {
            self.put(",");
            self.expr(part);
        }
        self.put("}");
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Error => self.put("error"),
            ExprKind::Var(name) => self.var(*name),
            ExprKind::Atom(name) => self.atom_node(*name),
            ExprKind::Char(c) => self.put(&format!("{{char,0,{}}}", u32::from(*c))),
            ExprKind::Int(value) => self.put(&format!("{{integer,0,{value}}}")),
            ExprKind::Float(value) => self.put(&format!("{{float,0,{}}}", spelling::float(*value))),
            ExprKind::Str(text) => {
                self.put("{string,0,");
                self.string(text);
                self.put("}");
            }
            ExprKind::List { elements, tail } => {
                for element in elements {
                    self.put("{cons,0,");
                    self.expr(element);
                    self.put(",");
                }
                match tail {
                    Some(tail) => self.expr(tail),
                    None => self.put("{nil,0}"),
                }
                self.put(&"}".repeat(elements.len()));
            }
            ExprKind::Tuple(elements) => self.tagged("tuple", |p| p.exprs(elements)),
            ExprKind::Block(exprs) => self.tagged("block", |p| p.exprs(exprs)),
            ExprKind::Map { base, fields } => self.tagged("map", |p| {
                p.base(base);
                p.list(fields, |p, field| {
                    let tag = if field.exact { "map_field_exact" } else { "map_field_assoc" };
                    p.node(tag, &[&field.key, &field.value]);
                });
            }),
            ExprKind::Record { base, name, fields } => self.tagged("record", |p| {
                p.base(base);
                p.atom(name.name);
                p.put(",");
                p.list(fields, |p, field| p.record_field(field));
            }),
            ExprKind::RecordIndex { name, field } => self.tagged("record_index", |p| {
                p.atom(name.name);
                p.put(",");
                p.atom_node(field.name);
            }),
            ExprKind::RecordAccess { base, name, field } => self.tagged("record_field", |p| {
                p.expr(base);
                p.put(",");
                p.atom(name.name);
                p.put(",");
                p.atom_node(field.name);
            }),
            ExprKind::Binary(segments) => {
                self.tagged("bin", |p| p.list(segments, |p, segment| p.segment(segment)));
            }
            ExprKind::Match { pattern, value } => self.node("match", &[pattern, value]),
            ExprKind::MaybeMatch { pattern, value } => self.node("maybe_match", &[pattern, value]),
            ExprKind::Unary { op, operand } => {
                self.put(&format!("{{op,0,{},", quoted_op(op.text())));
                self.expr(operand);
                self.put("}");
            }
            ExprKind::Op { op, left, right } => {
                self.put(&format!("{{op,0,{},", quoted_op(op.text())));
                self.expr(left);
                self.put(",");
                self.expr(right);
                self.put("}");
            }
            ExprKind::Catch(body) => self.node("'catch'", &[body]),
            ExprKind::Call { callee, args } => self.tagged("call", |p| {
                p.expr(callee);
                p.put(",");
                p.exprs(args);
            }),
            ExprKind::Remote { module, name } => self.node("remote", &[module, name]),
            other => self.control(other),
        }
    }

    fn tagged(&mut self, tag: &str, rest: impl FnOnce(&mut Self)) {
        self.put(&format!("{{{tag},0,"));
        rest(self);
        self.put("}");
    }

    fn base(&mut self, base: &Option<Box<Expr>>) {
        if let Some(base) = base {
            self.expr(base);
            self.put(",");
        }
    }

    fn record_field(&mut self, field: &RecordField) {
        self.put("{record_field,0,");
        match field.name {
            RecordFieldName::Field(name) => self.atom_node(name.name),
            RecordFieldName::Variable(name) => self.var(name.name),
        }
        self.put(",");
        self.expr(&field.value);
        self.put("}");
    }

    fn segment(&mut self, segment: &Segment) {
        self.put("{bin_element,0,");
        self.expr(&segment.value);
        self.put(",");
        match &segment.size {
            Some(size) => self.expr(size),
            None => self.put("default"),
        }
        self.put(",");
        match segment.types.is_empty() {
            true => self.put("default"),
            false => self.list(&segment.types, |p, ty| match &ty.value {
                None => p.atom(ty.name.name),
                Some(value) => {
                    p.put("{");
                    p.atom(ty.name.name);
                    p.put(&format!(",{value}}}"));
                }
            }),
        }
        self.put("}");
    }

    fn control(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::If(clauses) => self.tagged("'if'", |p| p.clauses(clauses)),
            ExprKind::Case { subject, clauses } => self.tagged("'case'", |p| {
                p.expr(subject);
                p.put(",");
                p.clauses(clauses);
            }),
            ExprKind::Receive { clauses, timeout } => self.tagged("'receive'", |p| {
                p.clauses(clauses);
                if let Some(timeout) = timeout {
                    p.put(",");
                    p.expr(&timeout.time);
                    p.put(",");
                    p.exprs(&timeout.body);
                }
            }),
            ExprKind::Try(parts) => self.tagged("'try'", |p| p.try_parts(parts)),
            ExprKind::FunLocal { name, arity } => self.tagged("'fun'", |p| {
                p.put("{function,");
                p.atom(name.name);
                p.put(&format!(",{arity}}}"));
            }),
            ExprKind::FunRemote { module, name, arity } => self.tagged("'fun'", |p| {
                p.put("{function,");
                p.expr(module);
                p.put(",");
                p.expr(name);
                p.put(",");
                p.expr(arity);
                p.put("}");
            }),
            ExprKind::Fun { name: None, clauses } => self.tagged("'fun'", |p| {
                p.put("{clauses,");
                p.clauses(clauses);
                p.put("}");
            }),
            ExprKind::Fun { name: Some(name), clauses } => self.tagged("named_fun", |p| {
                p.atom(name.name);
                p.put(",");
                p.clauses(clauses);
            }),
            ExprKind::ListComprehension { body, qualifiers } => self.comprehension("lc", &[body], qualifiers),
            ExprKind::BinaryComprehension { body, qualifiers } => {
                self.comprehension("bc", &[body], qualifiers)
            }
            ExprKind::MapComprehension { key, value, qualifiers } => self.tagged("mc", |p| {
                p.node("map_field_assoc", &[key, value]);
                p.put(",");
                p.qualifiers(qualifiers);
            }),
            ExprKind::Maybe { body, otherwise } => self.tagged("'maybe'", |p| {
                p.exprs(body);
                if !otherwise.is_empty() {
                    p.put(",");
                    p.tagged("'else'", |p| p.clauses(otherwise));
                }
            }),
            _ => {}
        }
    }

    fn try_parts(&mut self, parts: &Try) {
        self.exprs(&parts.body);
        self.put(",");
        self.clauses(&parts.clauses);
        self.put(",");
        self.list(&parts.catches, |p, clause| {
            p.put("{clause,0,[{tuple,0,[");
            match &clause.class {
                Some(class) => p.expr(class),
                None => p.atom_node(known::THROW),
            }
            p.put(",");
            p.expr(&clause.pattern);
            p.put(",");
            p.var(clause.stacktrace.map_or(known::UNDERSCORE, |variable| variable.name));
            p.put("]}],");
            p.list(&clause.guard, |p, tests| p.exprs(tests));
            p.put(",");
            p.exprs(&clause.body);
            p.put("}");
        });
        self.put(",");
        self.exprs(&parts.after);
    }

    fn comprehension(&mut self, tag: &str, body: &[&Expr], qualifiers: &[Qualifier]) {
        self.tagged(tag, |p| {
            p.expr(body[0]);
            p.put(",");
            p.qualifiers(qualifiers);
        });
    }

    fn qualifiers(&mut self, qualifiers: &[Qualifier]) {
        self.list(qualifiers, |p, qualifier| match qualifier {
            Qualifier::Filter(expr) => p.expr(expr),
            Qualifier::Generator(generator) => p.generator(generator),
            Qualifier::Zip(generators) => p.tagged("zip", |p| p.list(generators, |p, g| p.generator(g))),
        });
    }

    fn generator(&mut self, generator: &Generator) {
        let strict = if generator.strict { "_strict" } else { "" };
        match &generator.pattern {
            GeneratorPattern::List(pattern) => {
                self.node(&format!("generate{strict}"), &[pattern, &generator.source]);
            }
            GeneratorPattern::Binary(pattern) => {
                self.node(&format!("b_generate{strict}"), &[pattern, &generator.source]);
            }
            GeneratorPattern::Map { key, value } => self.tagged(&format!("m_generate{strict}"), |p| {
                p.node("map_field_exact", &[key, value]);
                p.put(",");
                p.expr(&generator.source);
            }),
        }
    }

    fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Error => self.put("error"),
            TypeKind::Var(name) => self.var(*name),
            TypeKind::Atom(name) => self.atom_node(*name),
            TypeKind::Int(value) => self.put(&format!("{{integer,0,{value}}}")),
            TypeKind::Char(c) => self.put(&format!("{{char,0,{}}}", u32::from(*c))),
            TypeKind::Unary { op, operand } => {
                self.put(&format!("{{op,0,{},", quoted_op(op.text())));
                self.ty(operand);
                self.put("}");
            }
            TypeKind::Op { op, left, right } => {
                self.put(&format!("{{op,0,{},", quoted_op(op.text())));
                self.ty(left);
                self.put(",");
                self.ty(right);
                self.put("}");
            }
            TypeKind::Annotated { name, ty } => {
                self.put("{ann_type,0,[");
                self.var(name.name);
                self.put(",");
                self.ty(ty);
                self.put("]}");
            }
            TypeKind::Call { module: Some(module), name, args } => {
                self.put("{remote_type,0,[");
                self.atom_node(module.name);
                self.put(",");
                self.atom_node(name.name);
                self.put(",");
                self.types(args);
                self.put("]}");
            }
            TypeKind::Call { module: None, name, args } => self.local_type(name.name, args),
            TypeKind::Fun { parameters, result } => self.fun_type(parameters.as_ref(), result),
            other => self.built_type(other),
        }
    }

    fn local_type(&mut self, name: Name, args: &[Type]) {
        let text = self.names.text(name);
        let builtin = builtin::is_type(text, args.len() as u32);
        let any = args.is_empty() && matches!(text, "tuple" | "map");
        self.put(if builtin { "{type,0," } else { "{user_type,0," });
        self.atom(name);
        self.put(",");
        match any {
            true => self.put("any"),
            false => self.types(args),
        }
        self.put("}");
    }

    fn built_type(&mut self, kind: &TypeKind) {
        match kind {
            TypeKind::Range { low, high } => self.built("range", &[low, high]),
            TypeKind::Union(members) => {
                let mut flat: Vec<&Type> = members.iter().collect();
                // OTP joins a parenthesised union at the end to the one around it.
                while let Some(Type { kind: TypeKind::Union(inner), .. }) = flat.last() {
                    flat.pop();
                    flat.extend(inner);
                }
                self.built("union", &flat);
            }
            TypeKind::Nil => self.put("{type,0,nil,[]}"),
            TypeKind::List(element) => self.built("list", &[element]),
            TypeKind::NonemptyList(element) => self.built("nonempty_list", &[element]),
            TypeKind::Tuple(elements) => self.tagged_type("tuple", |p| p.types(elements)),
            TypeKind::Map(fields) => self.tagged_type("map", |p| {
                p.list(fields, |p, field| {
                    let tag = if field.exact { "map_field_exact" } else { "map_field_assoc" };
                    p.built(tag, &[&field.key, &field.value]);
                });
            }),
            TypeKind::Record { name, fields } => self.tagged_type("record", |p| {
                p.put("[");
                p.atom_node(name.name);
                for (field, ty) in fields {
                    p.put(",{type,0,field_type,[");
                    p.atom_node(field.name);
                    p.put(",");
                    p.ty(ty);
                    p.put("]}");
                }
                p.put("]");
            }),
            TypeKind::Binary { base, unit } => self.tagged_type("binary", |p| {
                p.put("[");
                p.size(base);
                p.put(",");
                p.size(unit);
                p.put("]");
            }),
            TypeKind::AnyFun => self.put("{type,0,'fun',[]}"),
            _ => {}
        }
    }

    fn size(&mut self, size: &Option<Box<Type>>) {
        match size {
            Some(size) => self.ty(size),
            None => self.put("{integer,0,0}"),
        }
    }

    fn tagged_type(&mut self, tag: &str, rest: impl FnOnce(&mut Self)) {
        self.put(&format!("{{type,0,{tag},"));
        rest(self);
        self.put("}");
    }

    fn built(&mut self, tag: &str, parts: &[&Type]) {
        self.tagged_type(tag, |p| p.list(parts, |p, part| p.ty(part)));
    }
}

fn quoted_op(text: &str) -> String {
    format!("'{text}'")
}

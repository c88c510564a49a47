//! Expressions, patterns and clauses as terms.

use super::writer::{Beginning, ClauseKind, Step, Writer};
use crate::ast::*;
use crate::bytecode::LitValue;

impl<'t> Writer<'t> {
    /// `{Tag, Anno`: two elements of a tuple.
    fn head(&mut self, tag: &'static str, token: u32) {
        self.word(tag);
        self.at(token);
    }

    pub(super) fn plan_expr(&mut self, expr: &'t Expr) {
        let own = self.own(expr);
        match &expr.kind {
            // What was refused is not written: there is no form then.
            ExprKind::Error => self.word("undefined"),
            ExprKind::Var(name) => self.named_leaf("var", own, *name),
            ExprKind::Atom(name) => self.named_leaf("atom", own, *name),
            ExprKind::Char(c) => self.value_leaf("char", own, LitValue::Int(i64::from(u32::from(*c)))),
            ExprKind::Int(value) => {
                let value = self.rows.int(value);
                self.value_leaf("integer", own, value);
            }
            ExprKind::Float(value) => {
                let value = self.rows.float(*value);
                self.value_leaf("float", own, value);
            }
            ExprKind::Str(text) => {
                let text = self.rows.string(text);
                self.value_leaf("string", own, text);
            }
            ExprKind::List { elements, tail } => self.plan_list(expr, elements, tail.as_deref()),
            ExprKind::Tuple(elements) => self.plan_parts("tuple", own, elements),
            ExprKind::Map { base, fields } => {
                self.head("map", own);
                base.iter().for_each(|base| self.expr(base));
                fields.iter().for_each(|field| self.map_field(field));
                self.list(fields.len());
                self.tuple(if base.is_some() { 4 } else { 3 });
            }
            ExprKind::Record { base, name, fields } => {
                self.head("record", own);
                base.iter().for_each(|base| self.expr(base));
                self.name(name.name);
                fields.iter().for_each(|field| self.record_field(field));
                self.list(fields.len());
                self.tuple(if base.is_some() { 5 } else { 4 });
            }
            ExprKind::RecordIndex { name, field } => {
                self.head("record_index", own);
                self.name(name.name);
                self.leaf("atom", *field);
                self.tuple(4);
            }
            ExprKind::RecordAccess { base, name, field } => {
                self.head("record_field", own);
                self.expr(base);
                self.name(name.name);
                self.leaf("atom", *field);
                self.tuple(5);
            }
            ExprKind::Binary(segments) => {
                self.head("bin", own);
                segments.iter().for_each(|segment| self.step(Step::Segment(segment)));
                self.list(segments.len());
                self.tuple(3);
            }
            ExprKind::Match { pattern, value } => {
                self.head("match", own);
                self.expr(pattern);
                self.expr(value);
                self.begun(4, Beginning::Part(2));
            }
            ExprKind::MaybeMatch { pattern, value } => self.plan_pair("maybe_match", own, pattern, value),
            ExprKind::Unary { op, operand } => {
                self.head("op", own);
                self.word(op.text());
                self.expr(operand);
                self.tuple(4);
            }
            ExprKind::Op { op, left, right } => {
                self.head("op", own);
                self.word(op.text());
                self.expr(left);
                self.expr(right);
                self.tuple(5);
            }
            ExprKind::Catch(operand) => {
                self.head("catch", own);
                self.expr(operand);
                self.tuple(3);
            }
            ExprKind::Call { callee, args } => {
                self.head("call", own);
                self.expr(callee);
                self.exprs(args);
                self.begun(4, Beginning::Part(2));
            }
            ExprKind::Remote { module, name } => self.plan_pair("remote", own, module, name),
            ExprKind::Block(body) => self.plan_parts("block", own, body),
            _ => self.plan_control(expr),
        }
    }

    fn plan_control(&mut self, expr: &'t Expr) {
        let own = expr.span.start;
        match &expr.kind {
            ExprKind::If(clauses) => {
                self.head("if", own);
                self.clauses(clauses, ClauseKind::Guard);
                self.tuple(3);
            }
            ExprKind::Case { subject, clauses } => {
                self.head("case", own);
                self.expr(subject);
                self.clauses(clauses, ClauseKind::Pattern);
                self.tuple(4);
            }
            ExprKind::Receive { clauses, timeout } => {
                self.head("receive", own);
                self.clauses(clauses, ClauseKind::Pattern);
                if let Some(timeout) = timeout {
                    self.expr(&timeout.time);
                    self.exprs(&timeout.body);
                }
                self.tuple(if timeout.is_some() { 5 } else { 3 });
            }
            ExprKind::Try(parts) => {
                self.head("try", own);
                self.exprs(&parts.body);
                self.clauses(&parts.clauses, ClauseKind::Pattern);
                parts.catches.iter().for_each(|clause| self.step(Step::Catch(clause)));
                self.list(parts.catches.len());
                self.exprs(&parts.after);
                self.tuple(6);
            }
            ExprKind::FunLocal { name, arity } => {
                self.head("fun", own);
                self.word("function");
                self.name(name.name);
                self.value(LitValue::Int(i64::from(*arity)));
                self.tuple(3);
                self.tuple(3);
            }
            ExprKind::FunRemote { module, name, arity } => {
                self.head("fun", own);
                self.word("function");
                self.expr(module);
                self.expr(name);
                self.expr(arity);
                self.tuple(4);
                self.tuple(3);
            }
            ExprKind::Fun { name: None, clauses } => {
                self.head("fun", own);
                self.word("clauses");
                self.clauses(clauses, ClauseKind::Head);
                self.tuple(2);
                self.tuple(3);
            }
            ExprKind::Fun { name: Some(name), clauses } => {
                self.head("named_fun", own);
                self.name(name.name);
                self.clauses(clauses, ClauseKind::Head);
                self.tuple(4);
            }
            ExprKind::ListComprehension { body, qualifiers } => {
                self.comprehension("lc", own, body, qualifiers)
            }
            ExprKind::BinaryComprehension { body, qualifiers } => {
                self.comprehension("bc", own, body, qualifiers);
            }
            ExprKind::MapComprehension { key, value, qualifiers } => {
                self.head("mc", own);
                self.association("map_field_assoc", key, value);
                self.qualifiers(qualifiers);
                self.tuple(4);
            }
            ExprKind::Maybe { body, otherwise } => {
                self.head("maybe", own);
                self.exprs(body);
                if let Some(first) = otherwise.first() {
                    self.head("else", first.span.start.saturating_sub(1));
                    self.clauses(otherwise, ClauseKind::Pattern);
                    self.tuple(3);
                }
                self.tuple(if otherwise.is_empty() { 3 } else { 4 });
            }
            _ => self.word("undefined"),
        }
    }

    fn named_leaf(&mut self, tag: &'static str, token: u32, name: crate::Name) {
        self.head(tag, token);
        self.name(name);
        self.tuple(3);
    }

    fn value_leaf(&mut self, tag: &'static str, token: u32, value: LitValue) {
        self.head(tag, token);
        self.value(value);
        self.tuple(3);
    }

    /// `{Tag, Anno, [Part]}`
    fn plan_parts(&mut self, tag: &'static str, token: u32, parts: &'t [Expr]) {
        self.head(tag, token);
        self.exprs(parts);
        self.tuple(3);
    }

    /// `{Tag, Anno, Left, Right}`
    fn plan_pair(&mut self, tag: &'static str, token: u32, left: &'t Expr, right: &'t Expr) {
        self.head(tag, token);
        self.expr(left);
        self.expr(right);
        self.tuple(4);
    }

    /// `[a, b | T]` is a cell at its bracket, then one at the beginning of each further element; `[]` at the end stands at
    /// the closing bracket.
    fn plan_list(&mut self, list: &'t Expr, elements: &'t [Expr], tail: Option<&'t Expr>) {
        for (index, element) in elements.iter().enumerate() {
            let token = if index == 0 { list.span.start } else { self.first(element) };
            self.head("cons", token);
            self.expr(element);
        }
        match tail {
            Some(tail) => self.expr(tail),
            None => {
                let closing = list.span.end.saturating_sub(1);
                self.head("nil", if elements.is_empty() { list.span.start } else { closing });
                self.tuple(2);
            }
        }
        // From the last cell on; the first stands at the bracket.
        elements.iter().skip(1).for_each(|_| self.begun(4, Beginning::Part(2)));
        if !elements.is_empty() {
            self.tuple(4);
        }
    }

    fn association(&mut self, tag: &'static str, key: &'t Expr, value: &'t Expr) {
        self.head(tag, self.after(key.span));
        self.expr(key);
        self.expr(value);
        self.tuple(4);
    }

    fn map_field(&mut self, field: &'t MapField) {
        let tag = if field.exact { "map_field_exact" } else { "map_field_assoc" };
        self.association(tag, &field.key, &field.value);
    }

    fn record_field(&mut self, field: &'t RecordField) {
        let (tag, ident) = match field.name {
            RecordFieldName::Field(ident) => ("atom", ident),
            RecordFieldName::Variable(ident) => ("var", ident),
        };
        self.head("record_field", ident.span.start);
        self.leaf(tag, ident);
        self.expr(&field.value);
        self.tuple(4);
    }

    pub(super) fn plan_segment(&mut self, segment: &'t Segment) {
        self.head("bin_element", self.first(&segment.value));
        self.expr(&segment.value);
        match &segment.size {
            Some(size) => self.expr(size),
            None => self.word("default"),
        }
        if segment.types.is_empty() {
            self.word("default");
        }
        for word in &segment.types {
            self.name(word.name.name);
            if let Some(value) = &word.value {
                let value = self.rows.int(value);
                self.value(value);
                self.tuple(2);
            }
        }
        if !segment.types.is_empty() {
            self.list(segment.types.len());
        }
        self.begun(5, Beginning::Part(2));
    }

    fn comprehension(&mut self, tag: &'static str, token: u32, body: &'t Expr, qualifiers: &'t [Qualifier]) {
        self.head(tag, token);
        self.expr(body);
        self.qualifiers(qualifiers);
        self.tuple(4);
    }

    fn qualifiers(&mut self, qualifiers: &'t [Qualifier]) {
        qualifiers.iter().for_each(|qualifier| self.step(Step::Qualifier(qualifier)));
        self.list(qualifiers.len());
    }

    pub(super) fn plan_qualifier(&mut self, qualifier: &'t Qualifier) {
        match qualifier {
            Qualifier::Filter(filter) => self.expr(filter),
            Qualifier::Generator(generator) => self.step(Step::Generator(generator)),
            Qualifier::Zip(generators) => {
                let first = generators.first().map_or(0, |generator| match &generator.pattern {
                    GeneratorPattern::List(pattern) | GeneratorPattern::Binary(pattern) => {
                        self.first(pattern)
                    }
                    GeneratorPattern::Map { key, .. } => self.first(key),
                });
                self.head("zip", first);
                generators.iter().for_each(|generator| self.step(Step::Generator(generator)));
                self.list(generators.len());
                self.tuple(3);
            }
        }
    }

    pub(super) fn plan_generator(&mut self, generator: &'t Generator) {
        let (tag, strict_tag, last) = match &generator.pattern {
            GeneratorPattern::List(pattern) => ("generate", "generate_strict", pattern),
            GeneratorPattern::Binary(pattern) => ("b_generate", "b_generate_strict", pattern),
            GeneratorPattern::Map { value, .. } => ("m_generate", "m_generate_strict", value),
        };
        self.head(if generator.strict { strict_tag } else { tag }, self.after(last.span));
        match &generator.pattern {
            GeneratorPattern::List(pattern) | GeneratorPattern::Binary(pattern) => self.expr(pattern),
            GeneratorPattern::Map { key, value } => self.association("map_field_exact", key, value),
        }
        self.expr(&generator.source);
        self.tuple(4);
    }

    // Clauses.

    pub(super) fn plan_clause(&mut self, clause: &'t Clause, kind: ClauseKind) {
        let token =
            match (kind, clause.patterns.first(), clause.guard.first().and_then(|tests| tests.first())) {
                (ClauseKind::Pattern, Some(pattern), _) => self.first(pattern),
                (ClauseKind::Guard, _, Some(test)) => self.first(test),
                _ => clause.span.start,
            };
        self.head("clause", token);
        self.exprs(&clause.patterns);
        self.guard(&clause.guard);
        self.exprs(&clause.body);
        match kind {
            ClauseKind::Head => self.tuple(5),
            ClauseKind::Pattern => self.begun(5, Beginning::First(2)),
            ClauseKind::Guard => self.begun(5, Beginning::FirstOfFirst(3)),
        }
    }

    fn guard(&mut self, guard: &'t Guard) {
        guard.iter().for_each(|tests| self.exprs(tests));
        self.list(guard.len());
    }

    pub(super) fn plan_catch(&mut self, clause: &'t CatchClause) {
        let token = match &clause.class {
            Some(class) => class.span.start,
            None => self.first(&clause.pattern),
        };
        self.head("clause", token);
        self.head("tuple", token);
        match &clause.class {
            Some(class) => self.expr(class),
            None => {
                self.head("atom", token);
                self.word("throw");
                self.tuple(3);
            }
        }
        self.expr(&clause.pattern);
        match clause.stacktrace {
            Some(ident) => self.leaf("var", ident),
            None => self.step(Step::Anything),
        }
        self.list(3);
        self.tuple(3);
        self.list(1);
        self.guard(&clause.guard);
        self.exprs(&clause.body);
        self.tuple(5);
    }
}

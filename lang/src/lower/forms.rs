//! Forms: what a module declares, and its functions.

use super::matches::Outside;
use super::{Lowerer, Record};
use crate::ast::{self, ExprKind, FormKind};
use crate::core::{Body, Case, Const, End, Failure, Function, Op, Step, Value};
use crate::{Code, Name, known};

/// Functions take at most this many arguments, captured values included.
pub(super) const MAX_ARITY: usize = 255;

impl<'f> Lowerer<'f, '_> {
    pub(super) fn module(&mut self, file: &'f ast::File) {
        for form in &file.forms {
            self.declare(form);
        }
        self.module = self.module.or(self.default_module);
        let Some(module) = self.module else {
            let title = "there is no `-module(name).` in this file";
            return self.error(Code::NotSupported, file.end, title);
        };
        for form in &file.forms {
            if let FormKind::Function(function) = &form.kind {
                self.function(function);
            }
        }
        self.generated(module, file);
    }

    fn declare(&mut self, form: &'f ast::Form) {
        match &form.kind {
            FormKind::Module(name) => self.module = self.module.or(Some(name.name)),
            FormKind::Function(function) => {
                self.locals.insert((function.name.name, function.arity));
            }
            FormKind::Export(functions) => {
                self.exports.extend(functions.iter().map(|function| (function.name, function.arity)));
            }
            FormKind::Import { module, functions } => {
                let rows = functions.iter().map(|function| ((function.name, function.arity), module.name));
                self.imports.extend(rows);
            }
            FormKind::Record(record) => {
                let fields = record.fields.iter().map(|field| (field.name.name, field.default.as_ref()));
                self.records.insert(record.name.name, Record { fields: fields.collect() });
            }
            FormKind::OnLoad(function) => self.on_load = Some(function.name),
            FormKind::Behaviour(module) => {
                let value = self.pool.list(vec![Const::Atom(module.name)], Const::Nil);
                self.attributes.push((known::BEHAVIOUR, value));
            }
            FormKind::Compile(options) => self.compile_options(options),
            FormKind::Attribute { name, value } => {
                if let Some(value) = self.constant(value) {
                    let wrapped = match self.pool.proper_list(value) {
                        Some(_) => value,
                        None => self.pool.list(vec![value], Const::Nil),
                    };
                    self.attributes.push((name.name, wrapped));
                }
            }
            FormKind::Nifs(_)
            | FormKind::ExportType(_)
            | FormKind::Type(_)
            | FormKind::Spec(_)
            | FormKind::OptionalCallbacks(_)
            | FormKind::Doc { .. } => {}
        }
    }

    fn compile_options(&mut self, options: &ast::Expr) {
        let all: &[ast::Expr] = match &options.kind {
            ExprKind::List { elements, tail: None } => elements,
            _ => std::slice::from_ref(options),
        };
        // Parse transforms have had their turn.
        for option in all {
            match &option.kind {
                ExprKind::Atom(known::EXPORT_ALL) => self.export_all = true,
                ExprKind::Atom(known::INLINE) => self.inline.all = true,
                ExprKind::Tuple(parts) => self.compile_option(parts),
                _ => {}
            }
        }
    }

    fn compile_option(&mut self, parts: &[ast::Expr]) {
        let [ast::Expr { kind: ExprKind::Atom(option), .. }, value] = parts else { return };
        if *option == known::INLINE {
            let functions = crate::lint::functions_in(value);
            self.inline.named.extend(functions.into_iter().map(|(function, _)| function));
        } else if self.names.text(*option) == "inline_size"
            && let ExprKind::Int(size) = &value.kind
        {
            self.inline.size = size.to_i64().and_then(|size| usize::try_from(size).ok()).unwrap_or(0);
        }
    }

    fn function(&mut self, function: &'f ast::Function) {
        if function.arity as usize > MAX_ARITY {
            let title = "a function takes at most 255 arguments";
            return self.error(Code::NotSupported, function.name.span, title);
        }
        let (name, arity) = (function.name.name, function.arity);
        self.start((name, arity));
        self.numbers = self.numbers_of(&function.clauses);
        self.at(function.name.span);
        let line = self.line;
        let (params, body) = self.function_body(&function.clauses, arity, Outside::None);
        let exported = self.export_all || self.exports.contains(&(name, arity));
        self.functions.push(Function { name, exported, params, body, vars: self.vars, line });
    }

    /// Forgets the function before.
    fn start(&mut self, function: (Name, u32)) {
        self.function = function;
        self.vars = 0;
        self.scope.clear();
        self.steps.clear();
        self.numbers = super::numbers::Numbers::default();
        self.site = 0;
        self.funs.clear();
        self.escapes = 0;
    }

    /// Parameters and body from the clauses of a function or fun.
    pub(super) fn function_body(
        &mut self,
        clauses: &'f [ast::Clause],
        arity: u32,
        outside: Outside,
    ) -> (Vec<crate::core::Var>, Body) {
        let line = self.line;
        let params: Vec<_> = (0..arity).map(|_| self.var()).collect();
        let subjects = params.iter().map(|&var| Value::Var(var)).collect();
        let clauses = clauses.iter().map(|clause| self.closed_clause(clause, outside)).collect();
        let result = self.var();
        let case = Case { subjects, clauses, otherwise: Failure::FunctionClause };
        let step = Step { vars: vec![result], op: Op::Case(case), line };
        (params, Body { steps: vec![step], end: End::Values(vec![Value::Var(result)]) })
    }

    /// `module_info/0,1`, and `behaviour_info/1` where there are callbacks.
    fn generated(&mut self, module: Name, file: &'f ast::File) {
        let info = self.names.intern("get_module_info");
        for arity in 0..=1u32 {
            self.start((known::MODULE_INFO, arity));
            self.line = crate::bytecode::Line { file: 0, line: 0 };
            let params: Vec<_> = (0..arity).map(|_| self.var()).collect();
            let mut args = vec![Value::atom(module)];
            args.extend(params.iter().map(|&var| Value::Var(var)));
            let value = self.step(Op::CallExt(known::ERLANG, info, args));
            self.generated_function(known::MODULE_INFO, params, value);
        }
        let callbacks = self.callbacks(file, |form| match form {
            FormKind::Spec(spec) if spec.callback => vec![(spec.name.name, spec.arity)],
            _ => vec![],
        });
        let behaviour_info = self.names.intern("behaviour_info");
        if callbacks == Const::Nil || self.locals.contains(&(behaviour_info, 1)) {
            return;
        }
        let optional = self.callbacks(file, |form| match form {
            FormKind::OptionalCallbacks(all) => all.iter().map(|f| (f.name, f.arity)).collect(),
            _ => vec![],
        });
        self.start((behaviour_info, 1));
        let param = self.var();
        let keys = ["callbacks", "optional_callbacks"].map(|text| self.names.intern(text));
        let clauses = keys.into_iter().zip([callbacks, optional]).map(|(key, list)| crate::core::Clause {
            patterns: vec![crate::core::Pattern::Const(Const::Atom(key))],
            same: vec![],
            guard: vec![],
            body: Body { steps: vec![], end: End::Values(vec![Value::Const(list)]) },
        });
        let case = Case {
            subjects: vec![Value::Var(param)],
            clauses: clauses.collect(),
            otherwise: Failure::FunctionClause,
        };
        let value = self.step(Op::Case(case));
        self.generated_function(behaviour_info, vec![param], value);
    }

    fn generated_function(&mut self, name: Name, params: Vec<crate::core::Var>, value: Value) {
        let body = Body { steps: std::mem::take(&mut self.steps), end: End::Values(vec![value]) };
        let (vars, line) = (self.vars, self.line);
        self.functions.push(Function { name, exported: true, params, body, vars, line });
    }

    fn callbacks(&mut self, file: &ast::File, rows: impl Fn(&FormKind) -> Vec<(Name, u32)>) -> Const {
        let rows: Vec<(Name, u32)> = file.forms.iter().flat_map(|form| rows(&form.kind)).collect();
        let items = rows
            .into_iter()
            .map(|(name, arity)| self.pool.tuple(vec![Const::Atom(name), Const::Int(i64::from(arity))]))
            .collect();
        self.pool.list(items, Const::Nil)
    }

    /// A constant expression, as attributes have them.
    fn constant(&mut self, expr: &'f ast::Expr) -> Option<Const> {
        let (steps, value) = self.apart(|lowerer| lowerer.constant_expr(expr));
        match (steps.is_empty(), value) {
            (true, Value::Const(value)) => Some(value),
            _ => None,
        }
    }

    /// `name/arity` means a pair in attributes.
    fn constant_expr(&mut self, expr: &'f ast::Expr) -> Value {
        match &expr.kind {
            ExprKind::Op { op: ast::BinaryOp::Divide, left, right } => {
                match (self.constant(left), self.constant(right)) {
                    (Some(a @ Const::Atom(_)), Some(b @ Const::Int(_))) => {
                        Value::Const(self.pool.tuple(vec![a, b]))
                    }
                    _ => self.expr(expr),
                }
            }
            ExprKind::List { elements, tail: None } => {
                let items: Option<Vec<Const>> =
                    elements.iter().map(|element| self.constant(element)).collect();
                match items {
                    Some(items) => Value::Const(self.pool.list(items, Const::Nil)),
                    None => self.expr(expr),
                }
            }
            ExprKind::Tuple(elements) => {
                let items: Option<Vec<Const>> =
                    elements.iter().map(|element| self.constant(element)).collect();
                match items {
                    Some(items) => Value::Const(self.pool.tuple(items)),
                    None => self.expr(expr),
                }
            }
            _ => self.expr(expr),
        }
    }
}

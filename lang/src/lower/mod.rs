//! The syntax tree to Core.
//!
//! One `Lowerer` works through a module. While it is in a function, `self.steps` collects what the expression at
//! hand comes to, in the order of evaluation; `self.scope` says which value each variable stands for. Bodies of
//! clauses are collected apart and their new variables forgotten at the end, except those that all clauses bind:
//! these the step as a whole binds.
//!
//! Funs, comprehensions and `after` bodies become functions of the module (`lift`); they are named as OTP
//! names them, since the names show in stack traces.
//!
//! The tree was linted, or at least parsed without errors: what should have been refused and was not becomes a
//! diagnostic here, never a panic.

mod binaries;
mod branches;
mod calls;
mod clauses;
mod comprehensions;
mod control;
mod effects;
mod exprs;
mod fold;
mod forms;
mod funs;
mod guards;
mod lift;
mod matches;
mod named;
mod numbers;
mod records;
mod scope;
mod siblings;
mod size;
mod zips;

use crate::hash::{HashMap, HashSet};

use crate::ast::{self, Expr, ExprKind};
use crate::bytecode::Line;
use crate::core::{Body, Const, End, Function, Lambda, Module, Op, Pool, Step, Value, Var};
use crate::{Code, Diagnostic, Interner, Name, Session, Sources, Span};

use scope::Scope;

/// Lowers a file; `None` if it has no module name, or something in it cannot be compiled (the session then has errors).
pub fn lower(session: &mut Session, file: &ast::File, options: &crate::Options) -> Option<Module> {
    let before = session.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    let Session { names, sources, diagnostics, .. } = session;
    let mut lowerer = Lowerer::new(names, sources, diagnostics, options);
    lowerer.module(file);
    let module = lowerer.finish();
    let after = session.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    if after == before { module } else { None }
}

/// A record's fields with their defaults.
struct Record<'f> {
    fields: Vec<(Name, Option<&'f ast::Expr>)>,
}

struct Lowerer<'f, 's> {
    names: &'s mut Interner,
    sources: &'s Sources,
    diagnostics: &'s mut Vec<Diagnostic>,
    module: Option<Name>,
    /// The name of a file that does not say it.
    default_module: Option<Name>,
    pool: Pool,
    records: HashMap<Name, Record<'f>>,
    imports: HashMap<(Name, u32), Name>,
    locals: HashSet<(Name, u32)>,
    exports: HashSet<(Name, u32)>,
    export_all: bool,
    on_load: Option<Name>,
    inline: crate::inline::Wanted,
    attributes: Vec<(Name, Const)>,
    functions: Vec<Function>,
    lambdas: Vec<Lambda>,
    /// Rows of [`Lowerer::lambdas`] for `fun f/1`.
    local_funs: HashMap<(Name, u8), u32>,
    files: Vec<String>,
    // Of the function at hand:
    function: (Name, u32),
    vars: u32,
    scope: Scope,
    /// What earlier operands bound: no fun inside the one at hand sees it.
    siblings: Vec<Name>,
    steps: Vec<Step>,
    line: Line,
    /// The line that everything stands at: that of a record where a default of its is evaluated.
    pinned: Option<Line>,
    /// Numbers in the names of funs, comprehensions and `after` bodies.
    numbers: numbers::Numbers,
    /// Where what is lowered is used, as far as numbers depend on it.
    site: numbers::Site,
    /// Rows of [`Lowerer::lambdas`] for the funs of the function.
    funs: HashMap<Name, u32>,
    escapes: u32,
    /// Functions of the comprehension at hand that wait for what they capture.
    lifted: Vec<lift::Lifted>,
    /// Tests of record types that a guard expression needs before it.
    record_tests: Vec<crate::core::Expr>,
}

impl<'f, 's> Lowerer<'f, 's> {
    fn new(
        names: &'s mut Interner,
        sources: &'s Sources,
        diagnostics: &'s mut Vec<Diagnostic>,
        options: &'s crate::Options,
    ) -> Self {
        let nothing = names.intern("");
        let default_module = options.parse.default_module.as_deref().map(|name| names.intern(name));
        Lowerer {
            names,
            sources,
            diagnostics,
            module: None,
            default_module,
            pool: Pool::new(),
            records: HashMap::default(),
            imports: HashMap::default(),
            locals: HashSet::default(),
            exports: HashSet::default(),
            export_all: options.export_all,
            on_load: None,
            inline: crate::inline::Wanted::default(),
            attributes: Vec::new(),
            functions: Vec::new(),
            lambdas: Vec::new(),
            local_funs: HashMap::default(),
            files: Vec::new(),
            function: (nothing, 0),
            vars: 0,
            scope: Scope::default(),
            siblings: Vec::new(),
            steps: Vec::new(),
            line: Line { file: 0, line: 0 },
            pinned: None,
            numbers: numbers::Numbers::default(),
            site: 0,
            funs: HashMap::default(),
            escapes: 0,
            lifted: Vec::new(),
            record_tests: Vec::new(),
        }
    }

    fn finish(self) -> Option<Module> {
        Some(Module {
            name: self.module?,
            functions: self.functions,
            lambdas: self.lambdas,
            attributes: self.attributes,
            on_load: self.on_load,
            literals: self.pool,
            files: self.files,
            inline: self.inline,
        })
    }

    fn error(&mut self, code: Code, span: Span, title: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(code, span, title));
    }

    /// What the linter should have refused.
    fn illegal(&mut self, span: Span, what: &str) -> Value {
        self.error(Code::NotSupported, span, format!("this {what} cannot be compiled"));
        Value::Const(Const::Nil)
    }

    fn var(&mut self) -> Var {
        self.vars += 1;
        Var(self.vars - 1)
    }

    /// Where OTP says an expression stands: at its operator, or the `#` or `=` that makes it what it is.
    fn place(&self, expr: &Expr) -> Span {
        match &expr.kind {
            ExprKind::Op { left, .. } => self.sources.operator_behind(left.span),
            ExprKind::Map { base: Some(base), .. } => self.sources.operator_behind(base.span),
            ExprKind::Match { pattern, .. } => self.sources.operator_behind(pattern.span),
            _ => expr.span,
        }
    }

    /// From here on, steps stand at the line of `span`.
    fn at(&mut self, span: Span) {
        let line = self.line_of(span);
        if line.line != 0 {
            self.line = line;
        }
    }

    fn line_of(&mut self, span: Span) -> Line {
        if let Some(line) = self.pinned {
            return line;
        }
        let line = self.sources.line(span);
        let path = self.sources.file(span).to_string_lossy();
        // Nearly always the same file as before.
        let at = match self.files.get(self.line.file as usize) {
            Some(file) if *file == path => self.line.file,
            _ => match self.files.iter().position(|file| *file == path) {
                Some(at) => at as u32,
                None => {
                    self.files.push(path.into_owned());
                    self.files.len() as u32 - 1
                }
            },
        };
        Line { file: at, line }
    }

    /// Adds a step with one result.
    fn step(&mut self, op: Op) -> Value {
        let var = self.var();
        self.step_to(vec![var], op);
        Value::Var(var)
    }

    fn step_to(&mut self, vars: Vec<Var>, op: Op) {
        self.steps.push(Step { vars, op, line: self.line });
    }

    /// What `work` adds as steps, apart.
    fn apart<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (Vec<Step>, T) {
        let around = std::mem::take(&mut self.steps);
        let result = work(self);
        (std::mem::replace(&mut self.steps, around), result)
    }

    /// A body with one value; variables bound in it are forgotten behind it.
    fn scoped_body(&mut self, work: impl FnOnce(&mut Self) -> Value) -> Body {
        let mark = self.scope.mark();
        let (steps, value) = self.apart(work);
        self.scope.rollback(mark);
        Body { steps, end: End::Values(vec![value]) }
    }
}

//! From a statement to code: expressions become the one function of a module that is loaded, run once, and thrown away.
//!
//! The function takes the values of the variables that the statement names and gives its own value and those of the variables it
//! bound: `eval({V1, ..., Vn}) -> E1, ..., R = Ek, {R, X1, ..., Xm}.` Records and functions defined at the prompt go into the
//! module as far as the statement uses them. Calls of functions that nobody has defined become calls of
//! `erlet_shell:local(Name, Arguments)`, which knows the shell's commands; so do those inside funs.
//!
//! A variable that is bound on some ways only (in a branch of a `case` that is taken) has a value in the shell afterwards if that way
//! was gone: the way's end notes it, by `erlet_shell:note([{Name, Value}])`.
//!
//! Trees are built, not text, so that diagnostics point into what was typed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use erlet::lang::ast::{
    Clause, Expr, ExprKind, File, Form, FormKind, Function, FunctionName, Ident, on_compile_stack,
};
use erlet::lang::bytecode::Module;
use erlet::lang::compile::{compile_file, parse_transformed};
use erlet::lang::lint::LintOptions;
use erlet::lang::{
    Code, Int, Interner, Name, NoIncludes, Options, ParseOptions, Session, Span, builtin, known, parse_exprs,
    parse_file,
};

use super::text::{self, Directive};
use super::tree;
use crate::command::SourceOptions;
use crate::source;

/// What diagnostics and stack traces show in place of a file.
pub const PATH: &str = "shell";

/// The warnings that help somebody who types an expression; the others are about programs, or said by the exception that follows.
const WARNINGS: &[Code] = &[Code::FormatMismatch, Code::UnreachableClause, Code::FalseGuard];

/// A function whose calls a parse transform does, and that transform.
const TRANSFORMED: (&str, &str) = ("fun2ms", "ms_transform");

/// What has been defined at a prompt, as text by name.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// Records: `-record(name, {...}).`
    pub records: BTreeMap<String, Record>,
    /// Functions by name and arity.
    pub functions: BTreeMap<(String, u32), String>,
    /// Types; they are kept to be listed and saved.
    pub types: BTreeMap<(String, u32), String>,
    /// The specs of functions, likewise.
    pub specs: BTreeMap<(String, u32), String>,
    /// Macros in the order of their definition.
    pub macros: Vec<Macro>,
}

impl Definitions {
    /// Takes in a macro, in the place of the one it replaces.
    pub fn define(&mut self, new: Macro) {
        self.macros.retain(|old| (&old.name, old.arity) != (&new.name, new.arity));
        self.macros.push(new);
    }

    /// The macros as directives.
    fn prelude(&self) -> String {
        self.macros.iter().flat_map(|one| [one.text.as_str(), "\n"]).collect()
    }
}

/// A macro's definition.
#[derive(Clone, Debug)]
pub struct Macro {
    pub name: String,
    /// How many parameters it has, if it has any in parentheses.
    pub arity: Option<u32>,
    /// As a directive.
    pub text: String,
}

/// A record definition.
#[derive(Clone, Debug)]
pub struct Record {
    /// As a form.
    pub text: String,
    pub fields: Vec<String>,
}

/// What a statement is, compiled.
pub enum Statement {
    /// Expressions: code to be called with the values of `inputs`.
    Code {
        module: Box<Module>,
        inputs: Vec<String>,
        outputs: Vec<String>,
        /// Whether values may hold on to the code: it has funs.
        kept: bool,
        /// Whether more follows, after a change of the bindings.
        more: bool,
    },
    /// `f()`, `f(X)`: the bindings to forget, all of them if there is no name.
    Forget { names: Vec<String>, more: bool },
    /// A function, a type or a spec: what was defined, with its text.
    Defined { what: Defined, name: String, arity: u32, text: String },
    /// `-define(...)`.
    Macro(Macro),
    /// `-undef(Name)`.
    Undefined(String),
    /// A record.
    Record { name: String, record: Record, more: bool },
    /// The forms of a module.
    Module,
    /// A form that means nothing at a prompt (`-spec`, `-type`), or nothing at all.
    Nothing,
}

/// What is defined by forms, besides records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Defined {
    Function,
    Type,
    Spec,
}

/// What came of it: the statement, if it has no errors, and what the compiler had to say.
pub struct Compiled {
    pub statement: Option<Statement>,
    pub said: String,
    /// Whether what is wrong, if anything is, is the syntax.
    pub is_syntax: bool,
}

/// What is to be compiled, and what it may refer to.
pub struct Source<'a> {
    pub text: &'a str,
    /// Which part of the statement: parts are separated by changes of the bindings.
    pub part: usize,
    /// The name of the module to make.
    pub module: &'a str,
    /// The variables that have values.
    pub variables: &'a [String],
    pub definitions: &'a Definitions,
    /// Those of the command line.
    pub options: &'a SourceOptions,
    /// Whether what is said may be coloured.
    pub colour: bool,
}

/// Compiles a part of a statement.
pub fn compile(source: &Source<'_>) -> Compiled {
    on_compile_stack(|| source.compile()).unwrap_or_else(|error| Compiled {
        statement: None,
        said: format!("error: no thread to compile on: {error}\n"),
        is_syntax: false,
    })
}

impl Source<'_> {
    fn compile(&self) -> Compiled {
        let mut session = Session::new();
        let exprs = match text::looks_like_form(self.text) {
            true => None,
            false => parse_exprs(&mut session, PATH, self.text, &self.parse_options(None)),
        };
        let is_syntax = exprs.is_none();
        let statement = match exprs {
            Some(exprs) => Maker { session: &mut session, source: self }.part(exprs),
            None if session.diagnostics.is_empty() => self.form(&mut session, self.text),
            None => None,
        };
        session.diagnostics.retain(|d| d.is_error() || WARNINGS.contains(&d.code));
        Compiled { statement, said: session.render(self.colour), is_syntax }
    }

    fn parse_options(&self, module: Option<&str>) -> ParseOptions {
        ParseOptions {
            defines: source::defines(self.options),
            default_module: module.map(str::to_owned),
            prelude: self.definitions.prelude(),
            ..ParseOptions::default()
        }
    }

    /// All expressions of the statement, after the transform.
    fn transformed(&self, session: &mut Session) -> Option<Vec<Expr>> {
        // What is bound outside must be seen to be bound.
        let text = format!("eval({{{}}}) ->\n{}", self.variables.join(", "), self.text);
        let file = self.transformed_file(session, &text);
        let mut functions = file.forms.into_iter().filter_map(|form| match form.kind {
            FormKind::Function(function) => function.clauses.into_iter().next(),
            _ => None,
        });
        functions.next().filter(|_| !session.has_errors()).map(|clause| clause.body)
    }

    /// Forms after the transform, which is shown the records.
    fn transformed_file(&self, session: &mut Session, text: &str) -> File {
        let records = self.definitions.records.values().map(|record| record.text.as_str());
        let forms: Vec<&str> = records.chain([text]).collect();
        let options = Options {
            parse: self.parse_options(Some(PATH)),
            transforms: vec![TRANSFORMED.1.to_owned()],
            ..Options::default()
        };
        let mut files = source::Files::new(Path::new(PATH), self.options);
        parse_transformed(session, PATH, forms.join(" ").as_bytes(), &options, &mut files)
    }

    /// A form typed at the prompt.
    fn form(&self, session: &mut Session, text: &str) -> Option<Statement> {
        let directive = text::directive(text);
        let mut options = self.parse_options(Some(PATH));
        if let Some(Directive::Define { name, arity }) = &directive {
            // What it replaces is not in its way.
            let mut others = self.definitions.clone();
            others.macros.retain(|old| (&old.name, old.arity) != (name, *arity));
            options.prelude = others.prelude();
        }
        let file = parse_file(session, PATH, text.as_bytes(), &options, &mut NoIncludes);
        if session.has_errors() {
            return None;
        }
        let text = text.trim().to_owned();
        let own = |name: Name| session.names.text(name).to_owned();
        let defined =
            |what, name: Name, arity, text| Statement::Defined { what, name: own(name), arity, text };
        let statement = match (file.forms.first().map(|form| &form.kind), directive) {
            (None, Some(Directive::Define { name, arity })) => Statement::Macro(Macro { name, arity, text }),
            (None, Some(Directive::Undef { name })) => Statement::Undefined(name),
            (Some(FormKind::Module(_)), _) => Statement::Module,
            (Some(FormKind::Function(function)), _) => {
                defined(Defined::Function, function.name.name, function.arity, text)
            }
            (Some(FormKind::Type(definition)), _) => {
                let arity = u32::try_from(definition.parameters.len()).ok()?;
                defined(Defined::Type, definition.name.name, arity, text)
            }
            (Some(FormKind::Spec(spec)), _) if !spec.callback => {
                defined(Defined::Spec, spec.name.name, spec.arity, text)
            }
            (Some(FormKind::Record(record)), _) => {
                let fields = record.fields.iter().map(|field| own(field.name.name)).collect();
                Statement::Record {
                    name: own(record.name.name),
                    record: Record { text, fields },
                    more: false,
                }
            }
            _ => Statement::Nothing,
        };
        Some(statement)
    }
}

/// Builds the module around expressions.
struct Maker<'a> {
    session: &'a mut Session,
    source: &'a Source<'a>,
}

impl Maker<'_> {
    fn part(&mut self, exprs: Vec<Expr>) -> Option<Statement> {
        let part = self.source.part;
        let parts = self.parts(exprs);
        let more = part + 1 < parts.len();
        let mut exprs = parts.into_iter().nth(part)?;
        if self.asks_for_transform(&mut exprs) {
            let all = self.source.transformed(self.session)?;
            exprs = self.parts(all).into_iter().nth(part)?;
        }
        let first = exprs.first()?;
        if let Some(names) = self.forgotten(first) {
            return Some(Statement::Forget { names, more });
        }
        if let Some((name, fields)) = self.record(first) {
            let text = format!("-record({name}, {fields}).");
            let Statement::Record { name, record, .. } = self.source.form(self.session, &text)? else {
                return None;
            };
            return Some(Statement::Record { name, record, more });
        }
        self.code(exprs, more)
    }

    /// The expressions, cut where the bindings or the records change.
    fn parts(&self, exprs: Vec<Expr>) -> Vec<Vec<Expr>> {
        let mut parts: Vec<Vec<Expr>> = Vec::new();
        let mut alone = true;
        for expr in exprs {
            let stands_alone = self.forgotten(&expr).is_some() || self.record(&expr).is_some();
            match parts.last_mut() {
                Some(last) if !stands_alone && !alone => last.push(expr),
                _ => parts.push(vec![expr]),
            }
            alone = stands_alone;
        }
        parts
    }

    /// Whether there are calls that a parse transform does.
    fn asks_for_transform(&self, exprs: &mut [Expr]) -> bool {
        let Some(wanted) = self.session.names.lookup(TRANSFORMED.0) else { return false };
        let mut found = false;
        tree::each(exprs, &mut |expr| {
            found |= matches!(&expr.kind, ExprKind::Remote { name, .. } if matches!(name.kind, ExprKind::Atom(name) if name == wanted));
        });
        found
    }

    /// The name and fields, as written, of `rd(name, {field, ...})`.
    fn record(&self, expr: &Expr) -> Option<(String, String)> {
        let ExprKind::Call { callee, args } = &expr.kind else { return None };
        let (ExprKind::Atom(command), [name, fields]) = (&callee.kind, &args[..]) else { return None };
        if self.session.names.text(*command) != "rd" || self.is_defined("rd", 2) {
            return None;
        }
        let text = |expr: &Expr| self.session.sources.text(expr.span).to_owned();
        Some((text(name), text(fields)))
    }

    /// The variables that `f()` or `f(X)` forgets.
    fn forgotten(&self, expr: &Expr) -> Option<Vec<String>> {
        let ExprKind::Call { callee, args } = &expr.kind else { return None };
        let ExprKind::Atom(name) = callee.kind else { return None };
        if self.session.names.text(name) != "f" || self.is_defined("f", args.len()) {
            return None;
        }
        match &args[..] {
            [] => Some(Vec::new()),
            [Expr { kind: ExprKind::Var(name), .. }] => Some(vec![self.session.names.text(*name).to_owned()]),
            _ => None,
        }
    }

    fn is_defined(&self, name: &str, arity: usize) -> bool {
        u32::try_from(arity)
            .is_ok_and(|arity| self.source.definitions.functions.contains_key(&(name.to_owned(), arity)))
    }

    fn code(&mut self, mut exprs: Vec<Expr>, more: bool) -> Option<Statement> {
        let inputs = self.inputs(&mut exprs);
        let outputs = self.outputs(&mut exprs, &inputs);
        let module = self.source.module;
        let mut forms = self.prelude(module);
        let mut used = Uses::default();
        let mut resolver = self.resolver(&mut used);
        tree::each(&mut exprs, &mut |expr| resolver.expr(expr));
        forms.extend(self.definitions_used(used));
        let function = self.function(exprs, &inputs, &outputs)?;
        forms.push(Form { span: Span::NONE, kind: FormKind::Function(function) });
        let options = Options {
            parse: ParseOptions { default_module: Some(module.to_owned()), ..ParseOptions::default() },
            lint: LintOptions { flags: vec!["nowarn_unused_function".to_owned()], ..LintOptions::default() },
            ..Options::default()
        };
        let file = File { forms, end: Span::NONE };
        let module = compile_file(self.session, PATH, &file, &options)?;
        let kept = !module.lambdas.is_empty();
        let text = |name: &Name| self.session.names.text(*name).to_owned();
        let (inputs, outputs) = (inputs.iter().map(text).collect(), outputs.iter().map(text).collect());
        Some(Statement::Code { module: Box::new(module), inputs, outputs, kept, more })
    }

    /// The bound variables that the expressions name.
    fn inputs(&self, exprs: &mut [Expr]) -> Vec<Name> {
        let mut names = Vec::new();
        tree::each(exprs, &mut |expr| {
            if let ExprKind::Var(name) = expr.kind
                && !names.contains(&name)
                && self.source.variables.iter().any(|bound| bound == self.session.names.text(name))
            {
                names.push(name);
            }
        });
        names
    }

    /// The variables that the expressions bind; those that they may bind are noted by code added to them.
    fn outputs(&mut self, exprs: &mut [Expr], inputs: &[Name]) -> Vec<Name> {
        let mut count = 0;
        let names = &mut self.session.names;
        let mut note = |last: &mut Expr, bound: &[Name]| {
            let new: Vec<Name> = bound.iter().copied().filter(|name| !inputs.contains(name)).collect();
            if new.is_empty() {
                return;
            }
            count += 1;
            let value = names.intern(&format!("%value{count}"));
            let (shell, function) = (names.intern("erlet_shell"), names.intern("note"));
            let span = last.span;
            let expr = |kind| Expr { span, depth: 1, kind };
            let pairs = new
                .iter()
                .map(|&name| {
                    expr(ExprKind::Tuple(vec![expr(ExprKind::Atom(name)), expr(ExprKind::Var(name))]))
                })
                .collect();
            let list = expr(ExprKind::List { elements: pairs, tail: None });
            let own = std::mem::replace(last, expr(ExprKind::Error));
            *last = expr(ExprKind::Block(vec![
                expr(ExprKind::Match { pattern: Box::new(expr(ExprKind::Var(value))), value: Box::new(own) }),
                call(span, shell, function, vec![list]),
                expr(ExprKind::Var(value)),
            ]));
        };
        let bound = tree::bound(exprs, &mut note);
        bound.into_iter().filter(|name| !inputs.contains(name)).collect()
    }

    fn prelude(&mut self, module: &str) -> Vec<Form> {
        let span = Span::NONE;
        let module = Ident { name: self.session.names.intern(module), span };
        let eval = self.session.names.intern("eval");
        let typed = Ident { name: self.session.names.intern("erlet_prompt"), span };
        let value = Expr { span, depth: 1, kind: ExprKind::List { elements: Vec::new(), tail: None } };
        vec![
            Form { span, kind: FormKind::Module(module) },
            Form { span, kind: FormKind::Attribute { name: typed, value } },
            Form { span, kind: FormKind::Export(vec![FunctionName { span, name: eval, arity: 1 }]) },
        ]
    }

    /// What turns calls of undefined functions into calls of the shell.
    fn resolver<'b>(&'b mut self, used: &'b mut Uses) -> Resolver<'b> {
        let names = &mut self.session.names;
        let shell = names.intern("erlet_shell");
        let (local, local_fun) = (names.intern("local"), names.intern("local_fun"));
        Resolver { names, definitions: self.source.definitions, shell, local, local_fun, used }
    }

    /// The definitions that are used, and those that they use.
    fn definitions_used(&mut self, first: Uses) -> Vec<Form> {
        let mut forms = Vec::new();
        let mut done = Uses::default();
        let mut wanted = first;
        loop {
            let record = wanted.records.pop_first();
            let function = if record.is_some() { None } else { wanted.functions.pop_first() };
            let text = match (&record, &function) {
                (Some(name), _) if done.records.insert(name.clone()) => {
                    self.source.definitions.records.get(name).map(|record| &record.text)
                }
                (None, Some(key)) if done.functions.insert(key.clone()) => {
                    self.source.definitions.functions.get(key)
                }
                (None, None) => return forms,
                _ => continue,
            };
            let Some(text) = text else { continue };
            let is_transformed = function.is_some() && text.contains(TRANSFORMED.0);
            let file = match is_transformed {
                true => self.source.transformed_file(self.session, text),
                false => {
                    let options = self.source.parse_options(Some(PATH));
                    parse_file(self.session, PATH, text.as_bytes(), &options, &mut NoIncludes)
                }
            };
            for mut form in file.forms {
                match &mut form.kind {
                    FormKind::Function(function) => {
                        let mut resolver = self.resolver(&mut wanted);
                        tree::each_of_function(function, &mut |expr| resolver.expr(expr));
                        forms.push(form);
                    }
                    FormKind::Record(record) if !is_transformed => {
                        let mut resolver = self.resolver(&mut wanted);
                        for field in &mut record.fields {
                            // Types may speak of types that a shell does not know.
                            field.ty = None;
                            tree::each(field.default.as_mut_slice(), &mut |expr| resolver.expr(expr));
                        }
                        forms.insert(0, form);
                    }
                    _ => {}
                }
            }
        }
    }

    fn function(&mut self, mut exprs: Vec<Expr>, inputs: &[Name], outputs: &[Name]) -> Option<Function> {
        let last = exprs.pop()?;
        let span = last.span;
        let eval = self.session.names.intern("eval");
        let result = self.session.names.intern("%result");
        let expr = |kind| Expr { span, depth: 1, kind };
        let var = |name| expr(ExprKind::Var(name));
        exprs.push(expr(ExprKind::Match { pattern: Box::new(var(result)), value: Box::new(last) }));
        let values = std::iter::once(result).chain(outputs.iter().copied()).map(var).collect();
        exprs.push(expr(ExprKind::Tuple(values)));
        let parameter = expr(ExprKind::Tuple(inputs.iter().copied().map(var).collect()));
        let clause = Clause { span, patterns: vec![parameter], guard: Vec::new(), body: exprs };
        Some(Function { name: Ident { name: eval, span }, arity: 1, clauses: vec![clause] })
    }
}

/// The definitions that an expression uses.
#[derive(Default)]
struct Uses {
    records: BTreeSet<String>,
    functions: BTreeSet<(String, u32)>,
}

/// `module:function(args)`.
fn call(span: Span, module: Name, function: Name, args: Vec<Expr>) -> Expr {
    let expr = |kind| Expr { span, depth: 1, kind };
    let module = Box::new(expr(ExprKind::Atom(module)));
    let callee = expr(ExprKind::Remote { module, name: Box::new(expr(ExprKind::Atom(function))) });
    expr(ExprKind::Call { callee: Box::new(callee), args })
}

/// Turns calls of functions that nobody has defined into calls of the shell, and gathers what is used.
struct Resolver<'a> {
    names: &'a Interner,
    definitions: &'a Definitions,
    shell: Name,
    local: Name,
    local_fun: Name,
    used: &'a mut Uses,
}

impl Resolver<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        let (definitions, names) = (self.definitions, self.names);
        let used = &mut self.used.records;
        tree::record_names(expr, &mut |name| {
            if definitions.records.contains_key(names.text(name)) {
                used.insert(names.text(name).to_owned());
            }
        });
        let span = expr.span;
        let new = |kind| Expr { span, depth: 1, kind };
        match &mut expr.kind {
            ExprKind::Call { callee, args } => {
                let ExprKind::Atom(name) = callee.kind else { return };
                if name == known::RECORD_INFO || self.is_known(name, args.len()) {
                    return;
                }
                let elements = std::mem::take(args);
                let list = new(ExprKind::List { elements, tail: None });
                *expr = call(span, self.shell, self.local, vec![new(ExprKind::Atom(name)), list]);
            }
            ExprKind::FunLocal { name, arity } if !self.is_known(name.name, *arity as usize) => {
                let (name, arity) = (name.name, Int::from(i64::from(*arity)));
                let args = vec![new(ExprKind::Atom(name)), new(ExprKind::Int(arity))];
                *expr = call(span, self.shell, self.local_fun, args);
            }
            _ => {}
        }
    }

    /// Whether a function is defined at the prompt or automatically imported.
    fn is_known(&mut self, name: Name, arity: usize) -> bool {
        let Ok(arity) = u32::try_from(arity) else { return false };
        let key = (self.names.text(name).to_owned(), arity);
        let defined = self.definitions.functions.contains_key(&key);
        if defined {
            self.used.functions.insert(key.clone());
        }
        defined || builtin::is_auto_imported(&key.0, arity)
    }
}

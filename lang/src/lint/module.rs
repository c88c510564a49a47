//! The walk over a module's forms.

use super::{Linter, MAX_HINTED, NameArity, Node, TypeUser};
use crate::ast::{Expr, ExprKind, Form, FormKind, Function, FunctionName, Ident};
use crate::{Code, Diagnostic, Name, Span, builtin, known};
use std::collections::hash_map::Entry;

/// Functions that the compiler adds to every module, or answers itself.
fn is_own_of_modules((name, arity): NameArity) -> bool {
    name == known::MODULE_INFO && arity <= 1 || name == known::RECORD_INFO && arity == 2
}

impl<'a> Linter<'a> {
    pub(super) fn module(mut self) {
        self.gather_functions();
        let file = self.file;
        self.check_first(file.forms.first());
        let mut functions_began = false;
        for (at, form) in file.forms.iter().enumerate() {
            match &form.kind {
                FormKind::Function(function) => {
                    functions_began = true;
                    self.function(function);
                }
                kind => {
                    if functions_began {
                        self.check_late(form.span, kind);
                    }
                    self.attribute(form, at == 0);
                }
            }
        }
        self.summary();
    }

    fn gather_functions(&mut self) {
        for form in &self.file.forms {
            if let FormKind::Function(function) = &form.kind {
                let name = (function.name.name, function.arity);
                self.locals.entry(name).or_insert(function.name.span);
            }
        }
    }

    fn check_first(&mut self, first: Option<&Form>) {
        if matches!(first, Some(Form { kind: FormKind::Module(_), .. })) || self.options.allow_no_module {
            return;
        }
        if self.incomplete {
            return;
        }
        let span = first.map_or(self.file.end, |first| first.span);
        self.report(
            Diagnostic::new(Code::NoModule, span, "the module has no `-module` attribute before this")
                .help("begin the file with `-module(name).`, where the name is that of the file"),
        );
    }

    /// Most attributes stand before all functions.
    fn check_late(&mut self, span: Span, kind: &FormKind) {
        let name = match kind {
            FormKind::Function(_)
            | FormKind::Record(_)
            | FormKind::Type(_)
            | FormKind::Spec(_)
            | FormKind::Compile(_)
            | FormKind::Doc { .. } => return,
            FormKind::Attribute { name, .. } if matches!(name.name, known::DIALYZER) => return,
            FormKind::Module(_) => "module",
            FormKind::Export(_) => "export",
            FormKind::ExportType(_) => "export_type",
            FormKind::Import { .. } => "import",
            FormKind::OptionalCallbacks(_) => "optional_callbacks",
            FormKind::Behaviour(_) => "behaviour",
            FormKind::OnLoad(_) => "on_load",
            FormKind::Nifs(_) => "nifs",
            FormKind::Attribute { name, .. } => self.session.names.text(name.name),
        };
        let title = format!("the attribute `{name}` stands after function definitions");
        self.report(
            Diagnostic::new(Code::MisplacedAttribute, span, title).help("move it before the first function"),
        );
    }

    fn attribute(&mut self, form: &'a Form, first: bool) {
        self.type_user = TypeUser::Root;
        match &form.kind {
            FormKind::Function(_) => {}
            FormKind::Module(name) => self.module_name(*name, first),
            FormKind::Export(functions) => functions.iter().for_each(|function| self.export(function)),
            FormKind::ExportType(types) => types.iter().for_each(|ty| self.export_type(ty)),
            FormKind::Import { module, functions } => self.import(*module, functions),
            FormKind::Record(definition) => self.define_record(definition),
            FormKind::Type(definition) => self.define_type(definition),
            FormKind::Spec(spec) => self.spec(spec),
            FormKind::OptionalCallbacks(functions) => {
                for function in functions {
                    self.optional_callback(function);
                }
            }
            FormKind::Behaviour(name) => {
                self.check_latin1(name.name, name.span);
                self.behaviours.push((name.name, name.span));
            }
            FormKind::OnLoad(function) => self.on_load(function),
            FormKind::Nifs(functions) => {
                self.nifs.extend(functions.iter().map(|f| ((f.name, f.arity), f.span)));
            }
            FormKind::Compile(_) | FormKind::Doc { .. } => {}
            FormKind::Attribute { name, value } if name.name == known::OPTIONAL_CALLBACKS => {
                let title = "this is no list of `name/arity`, so it names no callbacks";
                self.say(Code::UselessOption, value.span, title);
            }
            FormKind::Attribute { .. } => {}
        }
    }

    fn module_name(&mut self, name: Ident, first: bool) {
        if let Some(before) = self.module.filter(|_| !first) {
            let title = format!("the module already has the name `{}`", self.atom(before));
            self.say(Code::MisplacedAttribute, name.span, title);
            return;
        }
        if !first && self.options.allow_no_module {
            let title = "`-module` stands after other forms";
            self.report(Diagnostic::new(Code::NoModule, name.span, title).help("move it to the beginning"));
        }
        self.module = Some(name.name);
        let text = self.text(name.name);
        let title = if text.is_empty() {
            "the name of a module cannot be empty"
        } else if text.chars().any(char::is_control) {
            "the name of a module cannot have control characters"
        } else if text.chars().all(|c| c.is_whitespace() || c == '\u{AD}') {
            "the name of a module needs a visible character"
        } else if text.chars().any(|c| u32::from(c) > 0xFF) {
            "the name of a module has only Latin-1 characters"
        } else {
            return self.check_file_name(name);
        };
        self.say(Code::IllegalModuleName, name.span, title);
    }

    /// Names of modules are those of files.
    pub(super) fn check_latin1(&mut self, module: Name, span: Span) {
        if self.text(module).chars().any(|c| u32::from(c) > 0xFF) {
            self.say(Code::IllegalModuleName, span, "the name of a module has only Latin-1 characters");
        }
    }

    fn check_file_name(&mut self, name: Ident) {
        let Some(stem) = self.options.file_stem.as_deref().filter(|&stem| stem != self.text(name.name))
        else {
            return;
        };
        let title = format!("the module `{}` is in the file `{stem}.erl`", self.atom(name.name));
        let diagnostic = Diagnostic::new(Code::OtherFileName, name.span, title)
            .note("a module is looked for in the file of its name, so it is not found there")
            .suggest("give it the name of the file", name.span, crate::spelling::atom(stem));
        self.report(diagnostic);
    }

    fn export(&mut self, function: &FunctionName) {
        let name = (function.name, function.arity);
        self.called.push((name, function.span));
        match self.exports.entry(name) {
            Entry::Vacant(entry) => drop(entry.insert(function.span)),
            Entry::Occupied(entry) => {
                let before = *entry.get();
                let title = format!("`{}` is already exported", self.function_text(name));
                self.report(
                    Diagnostic::new(Code::DuplicateExport, function.span, title)
                        .also(before, "exported here"),
                );
            }
        }
    }

    fn export_type(&mut self, ty: &FunctionName) {
        let name = (ty.name, ty.arity);
        if let Some(&before) = self.exported_types.get(&name) {
            let title = format!("the type `{}` is already exported", self.function_text(name));
            self.report(Diagnostic::new(Code::DuplicateExport, ty.span, title).also(before, "exported here"));
            return;
        }
        self.exported_types.insert(name, ty.span);
        self.used_types.push((name, ty.span, TypeUser::Root));
    }

    fn import(&mut self, module: Ident, functions: &[FunctionName]) {
        self.check_module(module.name, module.span);
        for function in functions {
            let name = (function.name, function.arity);
            let shown = self.function_text(name);
            if let Some(&(before, _)) = self.imports.get(&name) {
                let title = format!("`{shown}` is already imported from `{}`", self.atom(before));
                self.say(Code::ImportClash, function.span, title);
                continue;
            }
            let text = self.text(function.name);
            if builtin::is_auto_imported(text, function.arity) && !self.settings.suppresses(name) {
                let old = builtin::is_old_auto_import(text, function.arity);
                let code = if old { Code::BuiltinClash } else { Code::HidesBuiltin };
                let title = format!("the import hides the automatically imported `{shown}` of `erlang`");
                let help = format!("add `-compile({{no_auto_import, [{shown}]}}).`");
                self.report(Diagnostic::new(code, function.span, title).help(help));
            }
            self.imports.insert(name, (module.name, function.span));
        }
    }

    fn on_load(&mut self, function: &FunctionName) {
        let name = (function.name, function.arity);
        if function.arity != 0 {
            let title = format!(
                "the function of `-on_load` has no parameters, but `{}` has",
                self.function_text(name)
            );
            self.say(Code::BadReference, function.span, title);
        } else if self.on_load.is_some() {
            self.say(Code::BadReference, function.span, "there is more than one `-on_load`");
        }
        if self.on_load.is_none() {
            self.on_load = Some((name, function.span));
        }
    }

    fn function(&mut self, function: &'a Function) {
        let name = (function.name.name, function.arity);
        if let Some(&first) = self.locals.get(&name)
            && first != function.name.span
        {
            let shown = self.function_text(name);
            let title = format!("function `{shown}` is already defined");
            let diagnostic = Diagnostic::new(Code::RedefinedFunction, function.name.span, title)
                .also(first, "first defined here");
            self.report(match self.dot_before(function) {
                Some(dot) => diagnostic.suggest("clauses of one function are separated by `;`", dot, ";"),
                None => diagnostic,
            });
        }
        if let Some(&(module, span)) = self.imports.get(&name) {
            let (shown, module) = (self.function_text(name), self.atom(module));
            let title = format!("function `{shown}` is imported from `{module}` and defined here");
            let diagnostic = Diagnostic::new(Code::ImportClash, function.name.span, title);
            self.report(diagnostic.also(span, "imported here"));
        }
        if is_own_of_modules(name) {
            let title =
                format!("function `{}` cannot be defined: every module has it", self.function_text(name));
            self.say(Code::RedefinedFunction, function.name.span, title);
        }
        self.check_arity(function.arity, function.name.span);
        self.current = Some(Node::Function(name));
        self.check_reach(&function.clauses);
        for clause in &function.clauses {
            self.function_clause(clause);
        }
        self.current = None;
    }

    /// The dot of the form before, if that is the same function.
    fn dot_before(&self, function: &Function) -> Option<Span> {
        if self.session.diagnostics.len() >= MAX_HINTED {
            return None;
        }
        let at = self.file.forms.iter().position(|form| match &form.kind {
            FormKind::Function(found) => found.name.span == function.name.span,
            _ => false,
        })?;
        let before = &self.file.forms[at.checked_sub(1)?];
        match &before.kind {
            FormKind::Function(found)
                if found.name.name == function.name.name && found.arity == function.arity =>
            {
                self.mark_between(before.span, function.name.span, ".")
            }
            _ => None,
        }
    }

    /// `-deprecated` and `-removed` name functions that are, or are no longer, exported.
    pub(super) fn check_lifetimes(&mut self) {
        for form in &self.file.forms {
            if let FormKind::Attribute { name, value } = &form.kind
                && matches!(name.name, known::DEPRECATED | known::REMOVED)
            {
                self.lifetime(name.name == known::REMOVED, value);
            }
        }
    }

    fn lifetime(&mut self, removed: bool, value: &Expr) {
        match &value.kind {
            ExprKind::List { elements, tail: None } => {
                elements.iter().for_each(|element| self.lifetime(removed, element));
            }
            ExprKind::Atom(known::MODULE) => {}
            // `name/arity` stands for the pair.
            ExprKind::Op { left, right, .. } => self.lifetime_pair(removed, value.span, left, right),
            ExprKind::Tuple(parts) => match &parts[..] {
                [name, arity] => self.lifetime_pair(removed, value.span, name, arity),
                [name, arity, why] if self.is_reason(removed, why) => {
                    self.lifetime_pair(removed, value.span, name, arity);
                }
                _ => self.malformed_lifetime(removed, value.span),
            },
            _ => self.malformed_lifetime(removed, value.span),
        }
    }

    /// A text, or for `-deprecated` a word that says when.
    fn is_reason(&self, removed: bool, why: &Expr) -> bool {
        match &why.kind {
            ExprKind::Str(_) => true,
            ExprKind::List { elements, tail: None } => {
                elements.iter().all(|element| matches!(element.kind, ExprKind::Int(_) | ExprKind::Char(_)))
            }
            ExprKind::Atom(word) => {
                let word = self.text(*word);
                !removed && matches!(word, "next_version" | "next_major_release" | "eventually")
            }
            _ => false,
        }
    }

    fn malformed_lifetime(&mut self, removed: bool, span: Span) {
        let name = if removed { "removed" } else { "deprecated" };
        self.report(
            Diagnostic::new(Code::IllegalAttribute, span, format!("bad value of the attribute `{name}`"))
                .label("expected `{name, arity}` or `{name, arity, \"advice\"}`"),
        );
    }

    fn lifetime_pair(&mut self, removed: bool, span: Span, name: &Expr, arity: &Expr) {
        match name.kind {
            ExprKind::Atom(name) => self.lifetime_function(removed, span, name, arity),
            _ => self.malformed_lifetime(removed, span),
        }
    }

    fn lifetime_function(&mut self, removed: bool, span: Span, name: Name, arity: &Expr) {
        let exported = |linter: &Self, arity: Option<u32>| {
            linter
                .exported_functions()
                .any(|(known, known_arity)| known == name && arity.is_none_or(|arity| arity == known_arity))
        };
        let arity = match &arity.kind {
            ExprKind::Int(value) => value.to_i64().and_then(|value| u32::try_from(value).ok()),
            ExprKind::Atom(known::UNDERSCORE) if name != known::UNDERSCORE => None,
            ExprKind::Atom(known::UNDERSCORE) => {
                if removed && self.exported_functions().next().is_some() {
                    self.say(Code::BadReference, span, "all functions are removed, but some still exported");
                }
                return;
            }
            _ => return self.malformed_lifetime(removed, span),
        };
        let shown = match arity {
            Some(arity) => self.function_text((name, arity)),
            None => format!("{}/_", self.atom(name)),
        };
        match (removed, exported(self, arity)) {
            (true, true) => {
                self.say(Code::BadReference, span, format!("`{shown}` is removed, but still exported"))
            }
            (false, false) => {
                self.say(Code::BadReference, span, format!("`{shown}` is deprecated, but not exported"))
            }
            _ => {}
        }
    }
}

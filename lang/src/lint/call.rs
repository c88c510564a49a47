//! Calls: of local, imported, automatically imported and remote functions.

use super::{Linter, NameArity, Node, otp};
use crate::ast::{Expr, ExprKind, Ident};
use crate::{Code, Diagnostic, Name, Span, builtin, known};

impl<'a> Linter<'a> {
    pub(super) fn call(&mut self, span: Span, callee: &'a Expr, args: &'a [Expr]) {
        self.check_arity(args.len() as u32, span);
        match &callee.kind {
            ExprKind::Atom(name) => self.local_call(span, callee.span, *name, args),
            ExprKind::Remote { module, name } => {
                self.remote_call(span, module, name, args);
            }
            _ => {
                self.check_callee(callee);
                self.separate(std::iter::once(callee).chain(args));
            }
        }
    }

    /// What can never be called.
    fn check_callee(&mut self, callee: &Expr) {
        let hopeless = match &callee.kind {
            ExprKind::Char(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::List { .. }
            | ExprKind::ListComprehension { .. }
            | ExprKind::RecordIndex { .. } => true,
            ExprKind::Tuple(elements) => elements.len() != 2,
            _ => false,
        };
        if hopeless {
            self.say(Code::AlwaysFails, callee.span, "this is no function, so the call always fails");
        }
    }

    fn remote_call(&mut self, span: Span, module: &'a Expr, name: &'a Expr, args: &'a [Expr]) {
        match (&module.kind, &name.kind) {
            (ExprKind::Atom(known::ERLANG), ExprKind::Atom(function))
                if self.is_is_record(*function, args) =>
            {
                self.is_record(args);
            }
            (ExprKind::Atom(module_name), ExprKind::Atom(function)) => {
                self.check_remote(span, *module_name, *function, args);
                self.check_module(*module_name, module.span);
                self.check_export(*module_name, *function, name.span, args.len() as u32);
                self.separate(args);
            }
            _ => {
                if let ExprKind::Atom(module_name) = module.kind {
                    self.check_module(module_name, module.span);
                }
                self.separate([module, name].into_iter().chain(args));
            }
        }
    }

    fn is_is_record(&self, function: Name, args: &[Expr]) -> bool {
        matches!(args, [_, Expr { kind: ExprKind::Atom(_), .. }]) && self.text(function) == "is_record"
    }

    fn is_record(&mut self, args: &'a [Expr]) {
        self.expr(&args[0]);
        if let ExprKind::Atom(name) = args[1].kind {
            self.use_record(name, args[1].span);
        }
    }

    fn local_call(&mut self, span: Span, at: Span, name: Name, args: &'a [Expr]) {
        let function = (name, args.len() as u32);
        if self.is_is_record(name, args) {
            return self.is_record(args);
        }
        self.separate(args);
        let local = self.locals.contains_key(&function);
        let auto = builtin::is_auto_imported(self.text(name), function.1);
        let suppressed = self.settings.suppresses(function);
        let imported = self.imports.get(&function).map(|import| import.0);
        if !local && imported.is_none() && auto && !suppressed {
            return self.check_remote(span, known::ERLANG, name, args);
        }
        if let Some(module) = imported {
            self.used_imports.insert(function);
            self.check_remote(span, module, name, args);
            return;
        }
        if name == known::RECORD_INFO && function.1 == 2 {
            return self.record_info(span, args);
        }
        let told = self.settings.may_clash(function) || !self.settings.warns("bif_clash", true);
        if auto && !suppressed && !told {
            self.builtin_clash(at, function);
        }
        self.note_call(function, at);
    }

    /// A call of a local function that hides an automatically imported one.
    fn builtin_clash(&mut self, span: Span, function: NameArity) {
        let shown = self.function_text(function);
        let old = builtin::is_old_auto_import(self.text(function.0), function.1);
        let code = if old { Code::BuiltinClash } else { Code::HidesBuiltin };
        let title = format!("`{shown}` is ambiguous: defined here, and automatically imported from `erlang`");
        self.report(Diagnostic::new(code, span, title).help(format!(
            "write `erlang:{}(...)`, or add `-compile({{no_auto_import, [{shown}]}}).`",
            self.atom(function.0)
        )));
    }

    pub(super) fn note_call(&mut self, function: NameArity, span: Span) {
        self.called.push((function, span));
        if let Some(current) = self.current {
            self.calls.entry(current).or_default().push(Node::Function(function));
        }
    }

    pub(super) fn fun_local(&mut self, span: Span, name: Ident, arity: u32) {
        let function = (name.name, arity);
        if name.name == known::RECORD_INFO && arity == 2 {
            return self.record_info(span, &[]);
        }
        let auto = builtin::is_auto_imported(self.text(name.name), arity);
        if !self.locals.contains_key(&function) && auto && !self.settings.suppresses(function) {
            return;
        }
        // An imported function has no short name here.
        self.note_call(function, span);
    }

    /// `record_info(fields, name)` is answered by the compiler.
    fn record_info(&mut self, span: Span, args: &[Expr]) {
        match args {
            [
                Expr { kind: ExprKind::Atom(known::FIELDS | known::SIZE), .. },
                Expr { kind: ExprKind::Atom(name), span: at, .. },
            ] => {
                self.use_record(*name, *at);
            }
            _ => {
                let title = "`record_info` takes `fields` or `size` and the name of a record, as constants";
                self.say(Code::IllegalExpression, span, title);
            }
        }
    }

    /// Checks on calls of known functions.
    fn check_remote(&mut self, span: Span, module: Name, name: Name, args: &'a [Expr]) {
        let arity = args.len() as u32;
        if module == known::ERLANG && self.text(name) == "load_nif" && arity == 2 {
            self.load_nif = true;
        }
        if self.settings.warns("deprecated_function", true)
            && !self.settings.may_be_deprecated((module, name, arity))
            && let Some(instead) = otp::deprecated(self.text(module), self.text(name), arity)
        {
            let title =
                format!("`{}:{}` is deprecated", self.atom(module), self.function_text((name, arity)));
            self.report(Diagnostic::new(Code::Deprecated, span, title).help(instead));
        }
        self.check_format(span, module, name, args);
    }

    /// Warns of functions that a module whose exports are known does not have.
    pub(super) fn check_export(&mut self, module: Name, name: Name, at: Span, arity: u32) {
        let (module_text, text) = (self.text(module), self.text(name));
        let Some((_, exports)) = self.options.exports.iter().find(|known| known.0 == module_text) else {
            return;
        };
        let there = exports.iter().any(|known| known.0 == text && known.1 == arity);
        let operator = !text.starts_with(|c: char| c.is_ascii_lowercase());
        if there || operator || text == "module_info" || self.module == Some(module) {
            return;
        }
        if !self.missing_functions.insert((module, (name, arity))) {
            return;
        }
        let title = format!(
            "the module `{}` has no function `{}`",
            self.atom(module),
            self.function_text((name, arity))
        );
        let text = self.text(name);
        let mut arities: Vec<u32> =
            exports.iter().filter(|known| known.0 == text).map(|known| known.1).collect();
        let close =
            self.closest(text, exports.iter().map(|known| known.0.as_str())).map(crate::spelling::atom);
        let mut diagnostic = Diagnostic::new(Code::UndefinedRemote, at, title);
        if arities.is_empty() && close.is_none() && otp::is_module(self.text(module)) {
            diagnostic = diagnostic.note("erlet does not have all functions of OTP's modules yet");
        }
        arities.sort_unstable();
        let shown: Vec<String> =
            arities.iter().map(|&arity| format!("`{}`", self.function_text((name, arity)))).collect();
        self.report(match (arities.is_empty(), close) {
            (false, _) => diagnostic.help(format!("there is {}", shown.join(" and "))),
            (true, Some(close)) => diagnostic.suggest("there is a function with a similar name", at, close),
            (true, None) => diagnostic,
        });
    }

    /// Warns of modules of OTP that are not there; other modules may come later.
    pub(super) fn check_module(&mut self, module: Name, span: Span) {
        self.check_latin1(module, span);
        let Some(modules) = &self.options.modules else { return };
        let text = self.text(module);
        let there = matches!(module, known::ERLANG) || self.module == Some(module);
        if there || !otp::is_module(text) || modules.iter().any(|known| known == text) {
            return;
        }
        // Once a module is enough.
        if !self.missing_modules.insert(module) {
            return;
        }
        let title = format!("erlet does not have the module `{}` of OTP yet", self.atom(module));
        self.report(
            Diagnostic::new(Code::MissingModule, span, title)
                .note("calls fail with `undef` unless a module of this name is loaded"),
        );
    }
}

//! What can be judged only when the whole module was walked.

use super::{Linter, NameArity, Node, TypeUser, otp};
use crate::{Code, Diagnostic, Name, Span, builtin, known, spelling};
use std::collections::HashSet;

impl Linter<'_> {
    pub(super) fn summary(&mut self) {
        self.unused_variables();
        if self.incomplete {
            return;
        }
        self.undefined_functions();
        self.unused_functions();
        self.named_functions();
        self.unused_imports();
        self.unused_records();
        self.types_summary();
        self.specs_summary();
        self.behaviours_summary();
        self.check_lifetimes();
        self.load_summary();
    }

    /// The exported functions: all, if options say so.
    pub(super) fn exported_functions(&self) -> impl Iterator<Item = NameArity> + '_ {
        let all = self.settings.export_all.then(|| self.locals.keys().copied());
        self.exports.keys().copied().chain(all.into_iter().flatten())
    }

    /// Functions every module has without defining them.
    fn is_pseudo(&self, (name, arity): NameArity) -> bool {
        name == known::MODULE_INFO && arity <= 1
    }

    fn undefined_functions(&mut self) {
        for (function, span) in std::mem::take(&mut self.called) {
            if self.locals.contains_key(&function) || self.is_pseudo(function) {
                continue;
            }
            let shown = self.function_text(function);
            let mut diagnostic =
                Diagnostic::new(Code::UndefinedFunction, span, format!("function `{shown}` is undefined"));
            if let Some(&(module, import)) = self.imports.get(&function) {
                let words = format!("`{shown}` is imported from `{}`", self.atom(module));
                diagnostic = diagnostic.also(import, words);
            } else {
                diagnostic = diagnostic.help_if(self.suggest_function(function));
            }
            self.report(diagnostic);
        }
    }

    /// The same name with another arity, or a name much like it.
    fn suggest_function(&self, (name, arity): NameArity) -> Option<String> {
        let mut arities: Vec<u32> = self
            .locals
            .keys()
            .chain(self.imports.keys())
            .filter(|known| known.0 == name)
            .map(|known| known.1)
            .collect();
        if !arities.is_empty() {
            arities.sort_unstable();
            arities.dedup();
            let shown: Vec<String> =
                arities.iter().map(|&arity| format!("`{}`", self.function_text((name, arity)))).collect();
            return Some(format!("there is {}", shown.join(" and ")));
        }
        let wanted = self.text(name);
        let mut candidates: Vec<&str> = self.locals.keys().map(|known| self.text(known.0)).collect();
        candidates.extend(builtin::auto_imported().filter(|known| known.1 == arity).map(|known| known.0));
        let found = self.closest(wanted, candidates)?;
        Some(format!("there is a function `{}`", spelling::atom(found)))
    }

    fn unused_functions(&mut self) {
        if !self.settings.warns("unused_function", true) || self.settings.export_all {
            return;
        }
        let mut reached: HashSet<Node> = HashSet::new();
        let mut pending: Vec<Node> = self.exported_functions().map(Node::Function).collect();
        pending.extend(self.on_load.map(|(function, _)| Node::Function(function)));
        while let Some(node) = pending.pop() {
            if reached.insert(node) {
                pending.extend(self.calls.get(&node).into_iter().flatten());
            }
        }
        let mut unused: Vec<(NameArity, Span)> = self
            .locals
            .iter()
            .filter(|(function, _)| !reached.contains(&Node::Function(**function)))
            .filter(|(function, _)| !self.settings.may_be_unused(**function))
            .map(|(function, span)| (*function, *span))
            .collect();
        unused.sort_by_key(|(_, span)| span.start);
        for (function, span) in unused {
            let title = format!("function `{}` is unused", self.function_text(function));
            let help = "export it, or remove it";
            self.report(Diagnostic::new(Code::UnusedFunction, span, title).help(help));
        }
    }

    /// Functions that `-compile` options name.
    fn named_functions(&mut self) {
        for (option, function, span) in std::mem::take(&mut self.settings.named) {
            if !self.is_local_or_imported(function) {
                let title = format!(
                    "option `{option}` names the undefined function `{}`",
                    self.function_text(function)
                );
                self.say(Code::BadReference, span, title);
            }
        }
    }

    fn unused_imports(&mut self) {
        if !self.settings.warns("unused_import", false) {
            return;
        }
        let mut unused: Vec<(NameArity, Name, Span)> = self
            .imports
            .iter()
            .filter(|(function, _)| !self.used_imports.contains(function))
            .map(|(function, (module, span))| (*function, *module, *span))
            .collect();
        unused.sort_by_key(|entry| entry.2.start);
        for (function, module, span) in unused {
            let title = format!("import `{}:{}` is unused", self.atom(module), self.function_text(function));
            self.say(Code::UnusedImport, span, title);
        }
    }

    fn unused_variables(&mut self) {
        if !self.settings.warns("unused_vars", true) {
            return;
        }
        let unused: Vec<(Name, Span)> =
            self.env.unused().map(|variable| (variable.name, variable.span)).collect();
        for (name, span) in unused {
            if self.is_underscored(name) {
                continue;
            }
            let text = self.text(name);
            let diagnostic =
                Diagnostic::new(Code::UnusedVariable, span, format!("variable `{text}` is unused"));
            let help = format!("if this is meant, write `_{text}`");
            self.report(diagnostic.help(help));
        }
    }

    /// Whether a place is in the module's own file, not in a header.
    fn is_own_file(&self, span: Span) -> bool {
        let own = self.session.sources.outer_place(self.file.end).map(|place| place.source);
        self.session.sources.outer_place(span).map(|place| place.source) == own
    }

    fn unused_records(&mut self) {
        if !self.settings.warns("unused_record", true) {
            return;
        }
        let mut unused: Vec<(Name, Span)> = self
            .records
            .iter()
            .filter(|(_, record)| !record.used)
            .map(|(name, record)| (*name, record.span))
            .collect();
        unused.sort_by_key(|entry| entry.1.start);
        for (name, span) in unused {
            if self.is_own_file(span) {
                let title = format!("record `{}` is unused", self.atom(name));
                self.say(Code::UnusedRecord, span, title);
            }
        }
    }

    fn types_summary(&mut self) {
        let used_types = std::mem::take(&mut self.used_types);
        for &(ty, span, _) in &used_types {
            if !self.types.contains_key(&ty) && !builtin::is_type(self.text(ty.0), ty.1) {
                self.undefined_type(ty, span);
            }
        }
        if self.settings.warns("unused_type", true) {
            self.unused_types(&used_types);
        }
        let mut hidden: Vec<(NameArity, Span)> = self
            .types
            .iter()
            .filter(|(name, info)| info.opaque && !self.exported_types.contains_key(name))
            .map(|(name, info)| (*name, info.span))
            .collect();
        hidden.sort_by_key(|entry| entry.1.start);
        for (name, span) in hidden {
            let title = format!("opaque type `{}` is not exported", self.function_text(name));
            self.say(Code::QuestionableOpaque, span, title);
        }
    }

    fn undefined_type(&mut self, ty: NameArity, span: Span) {
        let title = format!("type `{}` is undefined", self.function_text(ty));
        let wanted = self.text(ty.0);
        let arities: Vec<u32> =
            self.types.keys().filter(|known| known.0 == ty.0).map(|known| known.1).collect();
        let hint = match arities.first() {
            Some(&arity) => Some(format!("there is a type `{}`", self.function_text((ty.0, arity)))),
            None => {
                let mut names: Vec<&str> = self.types.keys().map(|known| self.text(known.0)).collect();
                for name in builtin::type_names() {
                    names.push(name);
                }
                self.closest(wanted, names).map(|found| format!("there is a type `{found}`"))
            }
        };
        self.report(Diagnostic::new(Code::UndefinedType, span, title).help_if(hint));
    }

    fn unused_types(&mut self, used_types: &[(NameArity, Span, TypeUser)]) {
        let mut reached: HashSet<NameArity> = HashSet::new();
        let mut pending: Vec<NameArity> =
            used_types.iter().filter(|used| used.2 == TypeUser::Root).map(|used| used.0).collect();
        while let Some(ty) = pending.pop() {
            if reached.insert(ty) {
                pending
                    .extend(used_types.iter().filter(|used| used.2 == TypeUser::Type(ty)).map(|used| used.0));
            }
        }
        let mut unused: Vec<(NameArity, Span)> = self
            .types
            .iter()
            .filter(|(name, _)| !reached.contains(name))
            .map(|(name, info)| (*name, info.span))
            .collect();
        unused.sort_by_key(|entry| entry.1.start);
        for (name, span) in unused {
            if self.is_own_file(span) {
                let title = format!("type `{}` is unused", self.function_text(name));
                self.say(Code::UnusedType, span, title);
            }
        }
    }

    fn specs_summary(&mut self) {
        let mut homeless: Vec<(NameArity, Span)> = self
            .specs
            .iter()
            .filter(|(function, _)| !self.locals.contains_key(function))
            .map(|(function, span)| (*function, *span))
            .collect();
        homeless.sort_by_key(|entry| entry.1.start);
        for (function, span) in homeless {
            let title = format!("spec for the undefined function `{}`", self.function_text(function));
            let hint = self.suggest_function(function);
            self.report(Diagnostic::new(Code::IllegalSpec, span, title).help_if(hint));
        }
        let all = self.settings.warns("missing_spec_all", false);
        if !all && !self.settings.warns("missing_spec", false) {
            return;
        }
        let exported: HashSet<NameArity> = self.exported_functions().collect();
        let mut missing: Vec<(NameArity, Span)> = self
            .locals
            .iter()
            .filter(|(function, _)| {
                !self.specs.contains_key(function) && (all || exported.contains(function))
            })
            .map(|(function, span)| (*function, *span))
            .collect();
        missing.sort_by_key(|entry| entry.1.start);
        for (function, span) in missing {
            self.say(Code::Untyped, span, format!("function `{}` has no spec", self.function_text(function)));
        }
    }

    fn behaviours_summary(&mut self) {
        let exported: HashSet<NameArity> = self.exported_functions().collect();
        for (behaviour, span) in std::mem::take(&mut self.behaviours) {
            let Some(callbacks) = otp::callbacks(self.text(behaviour)) else { continue };
            for &(name, arity) in callbacks {
                let there =
                    self.session.names.lookup(name).is_some_and(|name| exported.contains(&(name, arity)));
                if !there {
                    let title =
                        format!("the callback `{name}/{arity}` of `{}` is missing", self.atom(behaviour));
                    self.say(Code::MissingCallback, span, title);
                }
            }
        }
        let mut undefined: Vec<(NameArity, Span)> = self
            .optional_callbacks
            .iter()
            .filter(|(callback, _)| !self.callbacks.contains_key(callback))
            .map(|(callback, span)| (*callback, *span))
            .collect();
        undefined.sort_by_key(|entry| entry.1.start);
        for (callback, span) in undefined {
            let title = format!("callback `{}` is undefined", self.function_text(callback));
            self.say(Code::BehaviourConflict, span, title);
        }
        let behaviour_info = self.session.names.lookup("behaviour_info").map(|name| (name, 1));
        if behaviour_info.is_some_and(|function| self.locals.contains_key(&function))
            && let Some(&span) = self.callbacks.values().min_by_key(|span| span.start)
        {
            let title = "`-callback` cannot be used where `behaviour_info/1` is defined";
            self.say(Code::BehaviourConflict, span, title);
        }
    }

    fn load_summary(&mut self) {
        if let Some((function, span)) = self.on_load
            && function.1 == 0
            && !self.locals.contains_key(&function)
        {
            let title = format!("function `{}` is undefined", self.function_text(function));
            self.say(Code::UndefinedFunction, span, title);
        }
        let nifs = std::mem::take(&mut self.nifs);
        if let Some(&(_, span)) = nifs.first()
            && !self.load_nif
        {
            self.say(Code::UselessOption, span, "`-nifs` without a call of `erlang:load_nif/2`");
        }
        for (function, span) in nifs {
            if !self.locals.contains_key(&function) {
                let title = format!("function `{}` is undefined", self.function_text(function));
                self.say(Code::BadReference, span, title);
            }
        }
        if self.settings.export_all && !self.options.export_all && self.settings.warns("export_all", true) {
            let at = self.export_all_span();
            self.say(Code::ExportAll, at, "all functions are exported");
        }
    }

    fn export_all_span(&self) -> Span {
        let compile = self.file.forms.iter().find(|form| match &form.kind {
            crate::ast::FormKind::Compile(value) => {
                self.session.sources.text(value.span).contains("export_all")
            }
            _ => false,
        });
        compile.map_or(Span::NONE, |form| form.span)
    }
}

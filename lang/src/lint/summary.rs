//! What can be judged only when the whole module was walked.

use super::{Linter, NameArity, Node, TypeUser, otp};
use crate::hash::{HashMap, HashSet};
use crate::{Code, Diagnostic, Name, Span, builtin, known, spelling};

impl Linter<'_> {
    pub(super) fn summary(&mut self) {
        self.unused_variables();
        self.undefined_functions();
        let used_types = std::mem::take(&mut self.used_types);
        self.undefined_types(&used_types);
        if self.incomplete {
            return;
        }
        self.unused_functions();
        self.named_functions();
        self.check_options();
        self.unused_imports();
        self.unused_records();
        self.types_summary(&used_types);
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
        let called = std::mem::take(&mut self.called);
        const SHOWN: usize = 4;
        let mut places: HashMap<NameArity, Vec<Span>> = HashMap::default();
        for &(function, span) in &called {
            let spans = places.entry(function).or_default();
            if spans.len() < SHOWN {
                spans.push(span);
            }
        }
        let mut reported: HashSet<NameArity> = HashSet::default();
        for &(function, span) in &called {
            let there = self.locals.contains_key(&function) || self.is_pseudo(function);
            if there || self.session.lost.function(function.0) || !reported.insert(function) {
                continue;
            }
            let shown = self.function_text(function);
            let mut diagnostic =
                Diagnostic::new(Code::UndefinedFunction, span, format!("function `{shown}` is undefined"));
            if let Some(&(module, import)) = self.imports.get(&function) {
                let words = format!("`{shown}` is imported from `{}`", self.atom(module));
                diagnostic = diagnostic
                    .also(import, words)
                    .note("an import is for calls; a fun or an export needs a function of this module");
            } else {
                diagnostic = self.suggest_function(diagnostic, span, function);
            }
            // Once is enough; where else it is missing, is shown.
            for &other in places.get(&function).into_iter().flatten().filter(|&&other| other != span) {
                diagnostic = diagnostic.also(other, "and here");
            }
            self.report(diagnostic);
        }
        self.undefined = reported;
    }

    /// Advice for a function that is not there: the same name with another arity, or a name much like it.
    fn suggest_function(
        &mut self,
        diagnostic: Diagnostic,
        span: Span,
        (name, arity): NameArity,
    ) -> Diagnostic {
        if self.session.diagnostics.len() >= super::MAX_HINTED {
            return diagnostic;
        }
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
            self.meant.extend(arities.iter().map(|&arity| (name, arity)));
            let first = self.locals.get(&(name, arities[0])).copied();
            let diagnostic = match (first, arities.len()) {
                (Some(first), 1) => diagnostic.also(first, format!("{} is defined here", shown[0])),
                _ => diagnostic,
            };
            return diagnostic.help(format!("there is {}", shown.join(" and ")));
        }
        let wanted = self.text(name);
        // One that takes as many arguments is likelier than one that does not.
        let locals = |same: bool| {
            self.locals.keys().filter(move |known| (known.1 == arity) == same).map(|known| self.text(known.0))
        };
        let builtins = builtin::auto_imported().filter(|known| known.1 == arity).map(|known| known.0);
        let found = self.closest(wanted, locals(true)).or_else(|| self.closest(wanted, locals(false)));
        if let (None, Some(advice)) = (found, self.advice_on_word(span, wanted)) {
            return diagnostic.help(advice);
        }
        let Some(found) = found.or_else(|| self.closest(wanted, builtins)) else { return diagnostic };
        let text = spelling::atom(found);
        let known = self.session.names.lookup(found);
        let at = self.name_in(span, wanted);
        let diagnostic = diagnostic.suggest("there is a function with a similar name", at, text);
        self.meant.extend(self.locals.keys().filter(|local| Some(local.0) == known).copied());
        diagnostic
    }

    /// Words that other languages call, and directives that became calls since the dot before them is missing.
    fn advice_on_word(&self, span: Span, word: &str) -> Option<String> {
        const DIRECTIVES: &[&str] =
            &["define", "include", "include_lib", "record", "export", "import", "ifdef", "ifndef", "undef"];
        const LISTS: &[&str] =
            &["map", "foldl", "foldr", "filter", "reverse", "member", "sort", "append", "nth", "last", "sum"];
        let dash = Span { start: span.start.saturating_sub(1), end: span.start };
        if DIRECTIVES.contains(&word)
            && self.session.sources.begins_line(dash)
            && self.session.sources.text(dash) == "-"
        {
            return Some(format!("if this is the directive `-{word}`, a dot is missing before it"));
        }
        if LISTS.contains(&word) {
            return Some(format!("it is in the module `lists`: `lists:{word}`"));
        }
        let advice = match word {
            "return" => "a function returns the value of its last expression",
            "print" | "println" | "printf" | "puts" | "echo" => {
                "text is printed by `io:format(\"~p~n\", [Term])`"
            }
            "len" | "count" | "strlen" => {
                "`length/1` is for lists; there are `map_size/1`, `tuple_size/1` and `byte_size/1`"
            }
            "while" | "for" | "foreach" | "loop" => {
                "loops are functions that call themselves, comprehensions, or `lists:foreach/2` and its kind"
            }
            "typeof" => "types are tested by `is_list/1` and its kind",
            "format" | "fwrite" => "it is in the module `io`: `io:format/2`",
            _ => return None,
        };
        Some(advice.to_owned())
    }

    /// The part of a span that writes the name, if it begins with it; else the span.
    fn name_in(&self, span: Span, name: &str) -> Span {
        let text = self.session.sources.text(span);
        let written = spelling::atom(name);
        match text.starts_with(&written) && text.len() > written.len() {
            true => Span { start: span.start, end: span.start + written.len() as u32 },
            false => span,
        }
    }

    fn unused_functions(&mut self) {
        if !self.settings.warns("unused_function", true) || self.settings.export_all {
            return;
        }
        let mut reached: HashSet<Node> = HashSet::default();
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
            .filter(|(function, _)| !self.meant.contains(*function))
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
            let replacement = format!("_{text}");
            self.report(diagnostic.suggest("if this is meant, let it begin with `_`", span, replacement));
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
            .filter(|(name, record)| !record.used && !self.settings.may_be_unused_record(**name))
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

    fn undefined_types(&mut self, used_types: &[(NameArity, Span, TypeUser)]) {
        let mut reported: HashSet<NameArity> = HashSet::default();
        for &(ty, span, _) in used_types {
            let there = self.types.contains_key(&ty) || builtin::is_type(self.text(ty.0), ty.1);
            if !there && !self.session.lost.ty(ty.0) && reported.insert(ty) {
                self.undefined_type(ty, span);
            }
        }
    }

    fn types_summary(&mut self, used_types: &[(NameArity, Span, TypeUser)]) {
        if self.settings.warns("unused_type", true) {
            self.unused_types(used_types);
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
        let mut diagnostic = Diagnostic::new(Code::UndefinedType, span, title);
        if let Some(&arity) = arities.first() {
            diagnostic = diagnostic.help(format!("there is a type `{}`", self.function_text((ty.0, arity))));
        } else {
            let mut names: Vec<&str> = self.types.keys().map(|known| self.text(known.0)).collect();
            for name in builtin::type_names() {
                names.push(name);
            }
            if let Some(found) = self.closest(wanted, names).map(spelling::atom) {
                // The span is that of the type with its parameters.
                let at = self.name_in(span, wanted);
                diagnostic = diagnostic.suggest("there is a type with a similar name", at, found);
            }
        }
        self.report(diagnostic);
    }

    fn unused_types(&mut self, used_types: &[(NameArity, Span, TypeUser)]) {
        let mut reached: HashSet<NameArity> = HashSet::default();
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
            .filter(|(function, _)| !self.session.lost.function(function.0))
            .filter(|(function, _)| !self.undefined.contains(*function))
            .map(|(function, span)| (*function, *span))
            .collect();
        homeless.sort_by_key(|entry| entry.1.start);
        for (function, span) in homeless {
            let title = format!("spec for the undefined function `{}`", self.function_text(function));
            let diagnostic = Diagnostic::new(Code::IllegalSpec, span, title);
            let diagnostic = self.suggest_function(diagnostic, span, function);
            self.report(diagnostic);
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
            let text = self.text(behaviour);
            let options = self.options;
            let own = options.behaviours.iter().find(|known| known.0 == text);
            let callbacks: Vec<(&str, u32)> = match (own, otp::callbacks(text)) {
                (Some((_, callbacks)), _) => {
                    callbacks.iter().map(|(name, arity)| (name.as_str(), *arity)).collect()
                }
                (None, Some(callbacks)) => callbacks.to_vec(),
                (None, None) => {
                    self.unknown_behaviour(behaviour, span);
                    continue;
                }
            };
            for (name, arity) in callbacks {
                let there =
                    self.session.names.lookup(name).is_some_and(|name| exported.contains(&(name, arity)));
                if !there {
                    let title = format!(
                        "the callback `{}/{arity}` of `{}` is missing",
                        spelling::atom(name),
                        self.atom(behaviour)
                    );
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

    /// A behaviour that neither OTP nor the program has.
    fn unknown_behaviour(&mut self, behaviour: Name, span: Span) {
        let Some(modules) = &self.options.modules else { return };
        let text = self.text(behaviour);
        if otp::is_module(text) || modules.iter().any(|known| known == text) || self.module == Some(behaviour)
        {
            return;
        }
        let title = format!("behaviour `{}` is undefined", self.atom(behaviour));
        let known = modules.iter().map(String::as_str).filter(|name| otp::callbacks(name).is_some());
        let known = known.chain(self.options.behaviours.iter().map(|known| known.0.as_str()));
        let close = self.closest(text, known).map(spelling::atom);
        let diagnostic = Diagnostic::new(Code::MissingCallback, span, title);
        self.report(match close {
            Some(close) => diagnostic.suggest("there is a behaviour with a similar name", span, close),
            None => diagnostic.note("its callbacks cannot be checked"),
        });
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
        if let Some(at) = self.settings.export_all_at
            && self.settings.warns("export_all", true)
        {
            self.say(Code::ExportAll, at, "all functions are exported");
        }
    }
}

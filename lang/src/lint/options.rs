//! What stands in `-compile` and `-dialyzer` attributes: options that there are, of functions that there are.

use super::{Linter, NameArity};
use crate::ast::{Expr, ExprKind, FormKind};
use crate::{Code, Diagnostic, Name, Span, known};

/// Dialyzer's options for a module, and for functions of it.
const DIALYZER: &[&str] = &[
    "error_handling",
    "extra_return",
    "missing_return",
    "no_behaviours",
    "no_contracts",
    "no_extra_return",
    "no_fail_call",
    "no_fun_app",
    "no_improper_lists",
    "no_match",
    "no_missing_calls",
    "no_missing_return",
    "no_opaque",
    "no_opaque_union",
    "no_return",
    "no_undefined_callbacks",
    "no_underspecs",
    "no_unknown",
    "no_unused",
    "opaque_union",
    "overlapping_contract",
    "overspecs",
    "race_conditions",
    "specdiffs",
    "underspecs",
    "unknown",
    "unmatched_returns",
];

impl<'a> Linter<'a> {
    /// At the end, when all functions are known.
    pub(super) fn check_options(&mut self) {
        let file = self.file;
        for form in &file.forms {
            match &form.kind {
                FormKind::Attribute { name, value } if name.name == known::DIALYZER => self.dialyzer(value),
                FormKind::Compile(value) => self.compile_option(value),
                _ => {}
            }
        }
    }

    fn dialyzer(&mut self, value: &'a Expr) {
        for item in flat(value) {
            match &item.kind {
                ExprKind::Atom(option) => self.dialyzer_option(item.span, *option, false),
                ExprKind::Tuple(parts) if parts.len() == 2 => {
                    for option in flat(&parts[0]) {
                        for function in flat(&parts[1]) {
                            self.dialyzer_function(option, function);
                        }
                    }
                }
                _ => self.malformed_dialyzer(item.span),
            }
        }
    }

    fn dialyzer_function(&mut self, option: &Expr, function: &Expr) {
        let (ExprKind::Atom(name), Some(of)) = (&option.kind, name_arity(function)) else {
            return self.malformed_dialyzer(function.span);
        };
        self.dialyzer_option(option.span, *name, true);
        if !self.locals.contains_key(&of) && !self.session.lost.function(of.0) {
            let title = format!("function `{}` is undefined", self.function_text(of));
            self.say(Code::BadReference, function.span, title);
        }
    }

    fn dialyzer_option(&mut self, span: Span, option: Name, of_function: bool) {
        let text = self.text(option);
        if DIALYZER.binary_search(&text).is_ok() || of_function && text == "nowarn_function" {
            return;
        }
        let title = match text {
            "nowarn_function" => "the option `nowarn_function` says of which functions".to_owned(),
            _ => format!("Dialyzer has no option `{}`", self.atom(option)),
        };
        self.say(Code::IllegalAttribute, span, title);
    }

    fn malformed_dialyzer(&mut self, span: Span) {
        self.report(
            Diagnostic::new(Code::IllegalAttribute, span, "bad value of the attribute `dialyzer`")
                .label("expected an option, or `{option, name/arity}`"),
        );
    }

    fn compile_option(&mut self, value: &'a Expr) {
        if let Some(span) = self.clash_allowed(value) {
            let title = "`nowarn_bif_clash` is not allowed any more";
            let help =
                "add `-compile({no_auto_import, [name/arity]}).`, and write `erlang:name(...)` for that one";
            self.report(Diagnostic::new(Code::IllegalAttribute, span, title).help(help));
        }
        for option in flat(value) {
            let ExprKind::Tuple(parts) = &option.kind else { continue };
            let [Expr { kind: ExprKind::Atom(known::INLINE), .. }, functions] = &parts[..] else { continue };
            for function in flat(functions).into_iter().filter(|function| name_arity(function).is_none()) {
                self.say(Code::BadReference, function.span, "`inline` takes functions: `name/arity`");
            }
        }
    }

    /// The option that lets local functions hide automatically imported ones, for all or for one.
    fn clash_allowed(&self, value: &Expr) -> Option<Span> {
        let is_clash =
            |expr: &Expr| matches!(expr.kind, ExprKind::Atom(name) if self.text(name) == "nowarn_bif_clash");
        let allowed = match &value.kind {
            ExprKind::Tuple(parts) => match &parts[..] {
                [option, function] => is_clash(option) && name_arity(function).is_some(),
                _ => false,
            },
            _ => is_clash(value),
        };
        allowed.then_some(value.span)
    }
}

/// The elements of lists in lists, or what is no list on its own. An improper tail is one more.
fn flat(value: &Expr) -> Vec<&Expr> {
    let mut items = Vec::new();
    let mut pending = vec![value];
    while let Some(expr) = pending.pop() {
        match &expr.kind {
            ExprKind::List { elements, tail } => {
                pending.extend(tail.as_deref());
                pending.extend(elements.iter().rev());
            }
            ExprKind::Str(text) if text.is_empty() => {}
            _ => items.push(expr),
        }
    }
    items
}

/// A function as options name it: `name/arity` or `{name, arity}`.
fn name_arity(value: &Expr) -> Option<NameArity> {
    match super::functions_in(value)[..] {
        [(function, _)] if !matches!(value.kind, ExprKind::List { .. }) => Some(function),
        _ => None,
    }
}

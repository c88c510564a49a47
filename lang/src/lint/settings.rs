//! What `-compile` attributes and options say to the linter.

use super::{LintOptions, NameArity};
use crate::ast::{Expr, ExprKind, File, FormKind};
use crate::hash::HashSet;
use crate::{Name, Session, Span, known};

/// Switches and lists of functions.
#[derive(Default)]
pub(super) struct Settings {
    flags: HashSet<String>,
    pub(super) export_all: bool,
    /// The attribute that says so.
    pub(super) export_all_at: Option<Span>,
    pub(super) no_auto_import_all: bool,
    pub(super) no_auto_import: HashSet<NameArity>,
    /// Functions named by options, with the option and the place, to check that they exist.
    pub(super) named: Vec<(&'static str, NameArity, Span)>,
    pub(super) inline: bool,
    nowarn_unused_function: HashSet<NameArity>,
    nowarn_unused_record: HashSet<Name>,
    nowarn_bif_clash: HashSet<NameArity>,
    /// Module, function, arity.
    nowarn_deprecated_function: HashSet<(Name, Name, u32)>,
}

impl Settings {
    pub(super) fn gather(session: &Session, file: &File, options: &LintOptions) -> Self {
        let mut settings = Self {
            flags: options.flags.iter().cloned().collect(),
            export_all: options.export_all,
            ..Self::default()
        };
        for form in &file.forms {
            if let FormKind::Compile(value) = &form.kind {
                let before = std::mem::take(&mut settings.export_all);
                settings.add(session, value);
                if settings.export_all {
                    settings.export_all_at.get_or_insert(form.span);
                }
                settings.export_all |= before;
            }
        }
        settings
    }

    fn add(&mut self, session: &Session, value: &Expr) {
        match &value.kind {
            ExprKind::List { elements, .. } => elements.iter().for_each(|element| self.add(session, element)),
            ExprKind::Atom(known::EXPORT_ALL) => self.export_all = true,
            ExprKind::Atom(known::NO_AUTO_IMPORT) => self.no_auto_import_all = true,
            ExprKind::Atom(known::INLINE) => self.inline = true,
            ExprKind::Atom(name) => {
                self.flags.insert(session.names.text(*name).to_owned());
            }
            ExprKind::Tuple(parts) => {
                if let [Expr { kind: ExprKind::Atom(option), .. }, functions] = &parts[..] {
                    self.add_functions(session, *option, functions);
                }
            }
            _ => {}
        }
    }

    fn add_functions(&mut self, session: &Session, option: Name, value: &Expr) {
        let functions = functions_in(value);
        match session.names.text(option) {
            "nowarn_deprecated_function" => self.add_remote(value),
            "nowarn_unused_record" => self.nowarn_unused_record.extend(atoms_in(value)),
            "no_auto_import" => self.no_auto_import.extend(functions.iter().map(|f| f.0)),
            "inline" => {
                self.inline |= !functions.is_empty();
                self.named.extend(functions.iter().map(|&(function, span)| ("inline", function, span)));
            }
            "nowarn_bif_clash" => {
                self.nowarn_bif_clash.extend(functions.iter().map(|f| f.0));
                self.named
                    .extend(functions.iter().map(|&(function, span)| ("nowarn_bif_clash", function, span)));
            }
            "nowarn_unused_function" => {
                self.nowarn_unused_function.extend(functions.iter().map(|f| f.0));
                let named =
                    functions.iter().map(|&(function, span)| ("nowarn_unused_function", function, span));
                self.named.extend(named);
            }
            _ => {}
        }
    }

    /// `{module, function, arity}`, or a list of such.
    fn add_remote(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::List { elements, .. } => elements.iter().for_each(|element| self.add_remote(element)),
            ExprKind::Tuple(parts) => {
                if let [module, name, arity] = &parts[..]
                    && let (ExprKind::Atom(module), ExprKind::Atom(name)) = (&module.kind, &name.kind)
                    && let ExprKind::Int(arity) = &arity.kind
                    && let Some(arity) = arity.to_i64().and_then(|arity| u32::try_from(arity).ok())
                {
                    self.nowarn_deprecated_function.insert((*module, *name, arity));
                }
            }
            _ => {}
        }
    }

    pub(super) fn may_be_deprecated(&self, function: (Name, Name, u32)) -> bool {
        self.nowarn_deprecated_function.contains(&function)
    }

    /// Whether a warning is wanted: `nowarn_NAME` and `warn_NAME` decide, else the default.
    pub(super) fn warns(&self, name: &str, default: bool) -> bool {
        if self.flags.is_empty() {
            return default;
        }
        let has = |prefix: &str| self.flags.contains(&format!("{prefix}{name}"));
        match default {
            true => !has("nowarn_"),
            false => has("warn_"),
        }
    }

    pub(super) fn may_be_unused(&self, function: NameArity) -> bool {
        self.nowarn_unused_function.contains(&function)
    }

    /// Whether a function may hide an automatically imported one of its name.
    pub(super) fn may_clash(&self, function: NameArity) -> bool {
        self.nowarn_bif_clash.contains(&function)
    }

    /// Whether the names of built-in types are free.
    pub(super) fn has_no_builtin_types(&self) -> bool {
        self.flags.contains("no_auto_import_types")
    }

    pub(super) fn may_be_unused_record(&self, record: Name) -> bool {
        self.nowarn_unused_record.contains(&record)
    }

    /// Whether a name of `erlang` is not automatically imported here.
    pub(super) fn suppresses(&self, function: NameArity) -> bool {
        self.no_auto_import_all || self.no_auto_import.contains(&function)
    }
}

/// An atom, or those of a list.
fn atoms_in(value: &Expr) -> Vec<Name> {
    let atom = |value: &Expr| match value.kind {
        ExprKind::Atom(name) => Some(name),
        _ => None,
    };
    match &value.kind {
        ExprKind::List { elements, .. } => elements.iter().filter_map(atom).collect(),
        _ => atom(value).into_iter().collect(),
    }
}

/// The functions in `f/1`, `{f, 1}` and lists of them, as options name them.
pub(crate) fn functions_in(value: &Expr) -> Vec<(NameArity, Span)> {
    let mut functions = Vec::new();
    collect(value, &mut functions);
    functions
}

fn collect(value: &Expr, functions: &mut Vec<(NameArity, Span)>) {
    match &value.kind {
        ExprKind::List { elements, .. } => elements.iter().for_each(|element| collect(element, functions)),
        ExprKind::Op { left, right, .. } => pair(left, right, value, functions),
        ExprKind::Tuple(parts) => {
            if let [name, arity] = &parts[..] {
                pair(name, arity, value, functions);
            }
        }
        _ => {}
    }
}

fn pair(name: &Expr, arity: &Expr, whole: &Expr, functions: &mut Vec<(NameArity, Span)>) {
    if let (ExprKind::Atom(name), ExprKind::Int(arity)) = (&name.kind, &arity.kind) {
        let arity = arity.to_i64().and_then(|arity| u32::try_from(arity).ok()).unwrap_or(u32::MAX);
        functions.push(((*name, arity), whole.span));
    }
}

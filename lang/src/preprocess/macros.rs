//! The table of macros.

use crate::token::Spanned;
use crate::{Code, Diagnostic, Interner, Name, Span, spelling};
use std::collections::HashMap;
use std::rc::Rc;

/// A macro that the preprocessor makes up at each use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Predefined {
    File,
    Line,
    Module,
    ModuleString,
    FunctionName,
    FunctionArity,
    /// Parameterized modules are gone, but the names stay reserved and undefined.
    BaseModule,
    Machine,
    Beam,
    OtpRelease,
    FeatureAvailable,
    FeatureEnabled,
}

const PREDEFINED: &[(&str, Predefined)] = &[
    ("FILE", Predefined::File),
    ("LINE", Predefined::Line),
    ("MODULE", Predefined::Module),
    ("MODULE_STRING", Predefined::ModuleString),
    ("FUNCTION_NAME", Predefined::FunctionName),
    ("FUNCTION_ARITY", Predefined::FunctionArity),
    ("BASE_MODULE", Predefined::BaseModule),
    ("BASE_MODULE_STRING", Predefined::BaseModule),
    ("MACHINE", Predefined::Machine),
    ("BEAM", Predefined::Beam),
    ("OTP_RELEASE", Predefined::OtpRelease),
    ("FEATURE_AVAILABLE", Predefined::FeatureAvailable),
    ("FEATURE_ENABLED", Predefined::FeatureEnabled),
];

/// One `-define`.
#[derive(Debug)]
pub(super) struct Definition {
    /// The parameters; none at all is different from an empty list.
    pub(super) parameters: Option<Vec<Name>>,
    pub(super) body: Vec<Spanned>,
    pub(super) defined_at: Span,
}

impl Definition {
    pub(super) fn arity(&self) -> Option<usize> {
        self.parameters.as_ref().map(Vec::len)
    }
}

#[derive(Clone)]
pub(super) enum Macro {
    Predefined(Predefined),
    /// With one arity each.
    User(Vec<Rc<Definition>>),
}

pub(super) struct Macros {
    user: HashMap<Name, Vec<Rc<Definition>>>,
    /// Predefined ones that `-undef` removed.
    removed: Vec<Predefined>,
}

impl Macros {
    pub(super) fn new() -> Self {
        Self { user: HashMap::new(), removed: Vec::new() }
    }

    fn predefined(&self, names: &Interner, name: Name) -> Option<Predefined> {
        let text = names.text(name);
        let found = PREDEFINED.iter().find(|(known, _)| *known == text)?.1;
        (!self.removed.contains(&found)).then_some(found)
    }

    pub(super) fn get(&self, names: &Interner, name: Name) -> Option<Macro> {
        match self.user.get(&name) {
            Some(definitions) => Some(Macro::User(definitions.clone())),
            None => self.predefined(names, name).map(Macro::Predefined),
        }
    }

    /// Adds a definition: a macro may have one of each arity.
    pub(super) fn define(
        &mut self,
        names: &Interner,
        name: Name,
        defined_at: Span,
        parameters: Option<Vec<Name>>,
        body: Vec<Spanned>,
    ) -> Result<(), Box<Diagnostic>> {
        if !self.user.contains_key(&name) && self.predefined(names, name).is_some() {
            let title = format!("the predefined macro `{}` cannot be redefined", names.text(name));
            return Err(Box::new(Diagnostic::new(Code::PredefinedMacro, defined_at, title)));
        }
        let definition = Definition { parameters, body, defined_at };
        let others = self.user.entry(name).or_default();
        if let Some(before) = others.iter().find(|other| other.arity() == definition.arity()) {
            let title = format!("the macro `{}` is already defined", names.text(name));
            return Err(Box::new(
                Diagnostic::new(Code::RedefinedMacro, defined_at, title)
                    .also(before.defined_at, "first defined here")
                    .help("undefine it first with `-undef`"),
            ));
        }
        others.push(Rc::new(definition));
        Ok(())
    }

    pub(super) fn undefine(&mut self, names: &Interner, name: Name) {
        if self.user.remove(&name).is_none()
            && let Some(predefined) = self.predefined(names, name)
        {
            self.removed.push(predefined);
        }
    }

    /// Whether `-ifdef` finds it; `module_known` says whether `-module` was seen.
    pub(super) fn is_defined(&self, names: &Interner, name: Name, module_known: bool) -> bool {
        match self.get(names, name) {
            None => false,
            Some(Macro::User(_)) => true,
            Some(Macro::Predefined(predefined)) => match predefined {
                Predefined::Module | Predefined::ModuleString => module_known,
                Predefined::FunctionName | Predefined::FunctionArity | Predefined::BaseModule => false,
                _ => true,
            },
        }
    }

    /// The defined name most like `wanted`, for a hint.
    pub(super) fn closest(&self, names: &Interner, wanted: Name) -> Option<String> {
        let candidates = self.user.keys().map(|&name| names.text(name)).chain(PREDEFINED.iter().map(|p| p.0));
        let found = crate::diagnostic::closest(names.text(wanted), candidates)?;
        Some(match found.starts_with(|c: char| c.is_uppercase() || c == '_') {
            true => found.to_owned(),
            false => spelling::atom(found),
        })
    }
}

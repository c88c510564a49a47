//! The linter: all that is wrong with a module although it parses, in one run.
//!
//! It finds what OTP's `erl_lint` finds, errors and default warnings, and some of what OTP's later passes warn of
//! (terms built for nothing, clauses that cannot be reached). Forms are walked once, in order (`module`), with
//! records and types as they are defined; what needs the whole module (undefined and unused functions and types) is
//! judged at the end (`summary`). Variables are followed by `environment`.
//!
//! The walk recurses over the tree; [`check`] moves to the compile stack if a tree is deep. Diagnostics go to the
//! session; the lowering may run if none of them is an error.

mod alias;
mod binary;
mod call;
mod clause;
mod environment;
mod expr;
mod format;
mod guard;
mod module;
mod options;
mod otp;
mod pattern;
mod reach;
mod record;
mod settings;
mod summary;
mod truth;
mod types;

use crate::ast::{Expr, File, FormKind};
use crate::hash::{HashMap, HashSet};
use crate::{Code, Diagnostic, Name, Session, Span, spelling};
use environment::Environment;
use settings::Settings;
pub(crate) use settings::functions_in;

/// What the embedder decides about linting.
#[derive(Clone, Debug, Default)]
pub struct LintOptions {
    /// Every function is exported.
    pub export_all: bool,
    /// A script: no `-module` is needed.
    pub allow_no_module: bool,
    /// The modules there are. A call to a module of OTP that is not among them is a warning; without a list, none is.
    pub modules: Option<Vec<String>>,
    /// What some modules export, by their names: calls of other functions of theirs are warned of.
    pub exports: Vec<(String, Vec<(String, u32)>)>,
    /// Behaviours besides OTP's, with the callbacks they demand.
    pub behaviours: Vec<(String, Vec<(String, u32)>)>,
    /// The name of the file without its extension: a module of another name is warned of.
    pub file_stem: Option<String>,
    /// Warnings that are off by default, by OTP's names: `warn_export_vars`, `warn_unused_import`,
    /// `warn_missing_spec`, `warn_missing_spec_all`, `warn_untyped_record`; or off: `nowarn_unused_vars` and so on.
    pub flags: Vec<String>,
}

/// Whether OTP has a module of this name.
pub(crate) fn is_otp_module(name: &str) -> bool {
    otp::is_module(name)
}

/// Trees deeper than this are walked on the compile stack.
const DEEP: u32 = 200;

/// Faults beyond these get no hints: nobody reads so many, and each costs a comparison with every name.
const MAX_HINTED: usize = 200;

/// Checks a module; diagnostics go to the session.
pub fn check(session: &mut Session, file: &File, options: &LintOptions) {
    let deepest = file.forms.iter().map(|form| deepest(&form.kind)).max().unwrap_or(0);
    if deepest <= DEEP {
        return Linter::new(session, file, options).module();
    }
    let walked = crate::ast::on_compile_stack(|| Linter::new(session, file, options).module());
    if let Err(error) = walked {
        let title = format!("cannot check this module: no thread for it ({error})");
        session.diagnostics.push(Diagnostic::new(Code::NestedTooDeeply, file.end, title));
    }
}

/// The depth of the deepest tree of a form.
pub(crate) fn deepest(form: &FormKind) -> u32 {
    let exprs = |exprs: &[Expr]| exprs.iter().map(|expr| expr.depth).max().unwrap_or(0);
    match form {
        FormKind::Function(function) => {
            let clause = |clause: &crate::ast::Clause| {
                let guard = clause.guard.iter().map(|tests| exprs(tests)).max().unwrap_or(0);
                exprs(&clause.patterns).max(guard).max(exprs(&clause.body))
            };
            function.clauses.iter().map(clause).max().unwrap_or(0)
        }
        FormKind::Record(record) => {
            let field = |field: &crate::ast::RecordFieldDefinition| {
                let default = field.default.as_ref().map_or(0, |default| default.depth);
                default.max(field.ty.as_ref().map_or(0, |ty| ty.depth))
            };
            record.fields.iter().map(field).max().unwrap_or(0)
        }
        FormKind::Type(definition) => definition.ty.depth,
        FormKind::Spec(spec) => {
            let types = |signature: &crate::ast::Signature| {
                let parameters = signature.parameters.iter().map(|ty| ty.depth).max().unwrap_or(0);
                let constraints = signature.constraints.iter().map(|c| c.1.depth).max().unwrap_or(0);
                parameters.max(constraints).max(signature.result.depth)
            };
            spec.signatures.iter().map(types).max().unwrap_or(0)
        }
        _ => 0,
    }
}

/// A function or type by name and arity.
type NameArity = (Name, u32);

/// A node of the graph of calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Node {
    Function(NameArity),
    /// The default values of a record.
    Record(Name),
}

/// Who uses a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TypeUser {
    Type(NameArity),
    /// A spec, record or export.
    Root,
}

/// A record as defined.
struct Record<'a> {
    span: Span,
    fields: Vec<(Name, Option<&'a Expr>)>,
    used: bool,
}

struct TypeInfo {
    span: Span,
    opaque: bool,
}

/// The state of one run.
struct Linter<'a> {
    session: &'a mut Session,
    file: &'a File,
    options: &'a LintOptions,
    settings: Settings,
    env: Environment,

    module: Option<Name>,
    exports: HashMap<NameArity, Span>,
    imports: HashMap<NameArity, (Name, Span)>,
    used_imports: HashSet<NameArity>,
    /// Functions the module defines, known before the walk.
    locals: HashMap<NameArity, Span>,
    called: Vec<(NameArity, Span)>,
    calls: HashMap<Node, Vec<Node>>,
    current: Option<Node>,
    missing_modules: HashSet<Name>,
    missing_functions: HashSet<(Name, NameArity)>,
    /// Forms were refused before: what is used nowhere may be used in them.
    incomplete: bool,
    /// Functions that an undefined one seems to be a misspelling of, so they are not unused.
    meant: HashSet<NameArity>,
    /// Reported, and once is enough.
    undefined: HashSet<NameArity>,
    undefined_records: HashSet<Name>,
    on_load: Option<(NameArity, Span)>,
    load_nif: bool,
    nifs: Vec<(NameArity, Span)>,

    records: HashMap<Name, Record<'a>>,
    types: HashMap<NameArity, TypeInfo>,
    exported_types: HashMap<NameArity, Span>,
    used_types: Vec<(NameArity, Span, TypeUser)>,
    type_user: TypeUser,
    specs: HashMap<NameArity, Span>,
    callbacks: HashMap<NameArity, Span>,
    optional_callbacks: HashMap<NameArity, Span>,
    behaviours: Vec<(Name, Span)>,

    /// In the default value of a record, outside funs and comprehensions: no variable may be bound.
    in_record_default: bool,
}

impl<'a> Linter<'a> {
    fn new(session: &'a mut Session, file: &'a File, options: &'a LintOptions) -> Self {
        let settings = Settings::gather(session, file, options);
        let incomplete = session.has_errors();
        Self {
            incomplete,
            meant: HashSet::default(),
            undefined: HashSet::default(),
            undefined_records: HashSet::default(),
            session,
            file,
            options,
            settings,
            env: Environment::default(),
            module: None,
            exports: HashMap::default(),
            imports: HashMap::default(),
            used_imports: HashSet::default(),
            locals: HashMap::default(),
            called: Vec::new(),
            calls: HashMap::default(),
            current: None,
            missing_modules: HashSet::default(),
            missing_functions: HashSet::default(),
            on_load: None,
            load_nif: false,
            nifs: Vec::new(),
            records: HashMap::default(),
            types: HashMap::default(),
            exported_types: HashMap::default(),
            used_types: Vec::new(),
            type_user: TypeUser::Root,
            specs: HashMap::default(),
            callbacks: HashMap::default(),
            optional_callbacks: HashMap::default(),
            behaviours: Vec::new(),
            in_record_default: false,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.session.diagnostics.push(diagnostic);
    }

    /// Reports with nothing to add.
    fn say(&mut self, code: Code, span: Span, title: impl Into<String>) {
        self.report(Diagnostic::new(code, span, title));
    }

    /// The candidate most like `wanted`, for a hint. Comparing costs, so a flood of faults gets none after the first.
    fn closest<'c>(&self, wanted: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
        match self.session.diagnostics.len() < MAX_HINTED {
            true => crate::diagnostic::closest(wanted, candidates),
            false => None,
        }
    }

    fn text(&self, name: Name) -> &str {
        self.session.names.text(name)
    }

    /// An atom as source writes it.
    fn atom(&self, name: Name) -> String {
        spelling::atom(self.text(name))
    }

    /// `name/arity`
    fn function_text(&self, (name, arity): NameArity) -> String {
        match arity {
            // The parser's mark for an arity that no function has.
            u32::MAX => format!("{}/...", self.atom(name)),
            _ => format!("{}/{arity}", self.atom(name)),
        }
    }

    /// Whether a variable's name says that it may be unused.
    fn is_underscored(&self, name: Name) -> bool {
        self.text(name).starts_with('_')
    }
}

//! Parse transforms: modules that change a file's forms before it is compiled.
//!
//! `-compile({parse_transform, Module})` names them. Their code runs in a machine, of which this crate knows nothing: the
//! [`Loader`] hands the forms over ([`Loader::transform`]). The transforms that come with
//! OTP's EUnit are done here, on the tree: to export test functions needs no machine.

use std::collections::HashSet;

use crate::ast::*;
use crate::forms::{file::of_file, read};
use crate::{Code, Diagnostic, Loader, Name, Options, Session, Span, TransformError};

/// The tree after all transforms that it or the options ask for.
pub(crate) fn transformed(
    session: &mut Session,
    path: &str,
    bytes: &[u8],
    mut file: File,
    options: &Options,
    loader: &mut dyn Loader,
) -> File {
    for (name, span) in wanted(session, &file, options) {
        let text = session.names.text(name).to_owned();
        match text.as_str() {
            "eunit_autoexport" => export_tests(session, &mut file),
            "eunit_striptests" => strip_tests(session, &mut file),
            // What has errors is not transformed; they are reported.
            _ if session.has_errors() => {}
            _ => return foreign(session, path, bytes, span, options, loader).unwrap_or(file),
        }
    }
    file
}

/// The transforms that are asked for, in order.
fn wanted(session: &mut Session, file: &File, options: &Options) -> Vec<(Name, Span)> {
    let mut found: Vec<(Name, Span)> =
        options.transforms.iter().map(|name| (session.names.intern(name), Span::NONE)).collect();
    for form in &file.forms {
        let FormKind::Compile(value) = &form.kind else { continue };
        let items = match &value.kind {
            ExprKind::List { elements, .. } => &elements[..],
            _ => std::slice::from_ref(value),
        };
        for item in items {
            if let ExprKind::Tuple(pair) = &item.kind
                && let [Expr { kind: ExprKind::Atom(key), .. }, Expr { kind: ExprKind::Atom(module), .. }] =
                    pair[..]
                && session.names.text(key) == "parse_transform"
            {
                found.push((module, form.span));
            }
        }
    }
    found
}

/// Runs transforms that are programs, over the forms of the file as it was. Those done here take their turn on the way, so that
/// each sees what those before it made.
fn foreign(
    session: &mut Session,
    path: &str,
    bytes: &[u8],
    asked_at: Span,
    options: &Options,
    loader: &mut dyn Loader,
) -> Option<File> {
    let source = of_file(path, bytes, &options.parse, loader, true);
    let mut forms = source.forms;
    let mut scratch = Session::new();
    let tree = read::file(&mut scratch, &forms, &source.session.sources);
    let names: Vec<String> = wanted(&mut scratch, &tree, options)
        .into_iter()
        .map(|(name, _)| scratch.names.text(name).to_owned())
        .collect();
    let mut own = Vec::new();
    for name in names {
        if matches!(name.as_str(), "eunit_autoexport" | "eunit_striptests") {
            own.push(name);
            continue;
        }
        match loader.transform(&name, &forms) {
            Ok(changed) => forms = changed,
            Err(error) => {
                let title = match error {
                    TransformError::Undefined => format!("undefined parse transform '{name}'"),
                    TransformError::Failed(text) => format!("error in parse transform '{name}': {text}"),
                };
                session.diagnostics.push(Diagnostic::new(Code::ParseTransform, asked_at, title));
                return None;
            }
        }
    }
    let mut file = read::file(session, &forms, &source.session.sources);
    for name in own {
        match name.as_str() {
            "eunit_autoexport" => export_tests(session, &mut file),
            _ => strip_tests(session, &mut file),
        }
    }
    Some(file)
}

/// A function without parameters whose name says that it is a test, makes tests, or is called by them from outside.
fn is_test(session: &Session, function: &Function) -> bool {
    let name = session.names.text(function.name.name);
    function.arity == 0 && ["_test", "_test_", "_exported_"].iter().any(|suffix| name.ends_with(suffix))
}

/// Exports the test functions, and `test/0`, which is added if it is missing.
fn export_tests(session: &mut Session, file: &mut File) {
    let mut exported: HashSet<(Name, u32)> = HashSet::new();
    let mut tests: Vec<FunctionName> = Vec::new();
    let mut module = None;
    let test = session.names.intern("test");
    let mut has_test = false;
    for form in &file.forms {
        match &form.kind {
            FormKind::Export(names) => exported.extend(names.iter().map(|name| (name.name, name.arity))),
            FormKind::Module(name) => module = Some(*name),
            FormKind::Function(function) => {
                let is_all = function.name.name == test && function.arity == 0;
                has_test |= is_all;
                if is_all || is_test(session, function) {
                    let Ident { name, span } = function.name;
                    tests.push(FunctionName { span, name, arity: 0 });
                }
            }
            _ => {}
        }
    }
    let Some(module) = module else { return };
    let span = module.span;
    if !has_test {
        tests.push(FunctionName { span, name: test, arity: 0 });
        file.forms.push(call_of_eunit(session, test, module));
    }
    tests.retain(|name| !exported.contains(&(name.name, name.arity)));
    let place =
        file.forms.iter().position(|form| matches!(form.kind, FormKind::Module(_))).map_or(0, |at| at + 1);
    file.forms.insert(place, Form { span, kind: FormKind::Export(tests) });
}

/// `test() -> eunit:test(Module).`
fn call_of_eunit(session: &mut Session, test: Name, module: Ident) -> Form {
    let span = module.span;
    let eunit = session.names.intern("eunit");
    let expr = |kind| Expr { span, depth: 1, kind };
    let atom = |name| Box::new(expr(ExprKind::Atom(name)));
    let callee = Box::new(expr(ExprKind::Remote { module: atom(eunit), name: atom(test) }));
    let call = expr(ExprKind::Call { callee, args: vec![*atom(module.name)] });
    let clause = Clause { span, patterns: Vec::new(), guard: Vec::new(), body: vec![call] };
    let function = Function { name: Ident { name: test, span }, arity: 0, clauses: vec![clause] };
    Form { span, kind: FormKind::Function(function) }
}

/// Takes test functions out, and their exports.
fn strip_tests(session: &Session, file: &mut File) {
    let mut gone: HashSet<Name> = HashSet::new();
    for form in &file.forms {
        if let FormKind::Function(function) = &form.kind
            && is_test(session, function)
        {
            gone.insert(function.name.name);
        }
    }
    file.forms.retain(|form| match &form.kind {
        FormKind::Function(function) => function.arity != 0 || !gone.contains(&function.name.name),
        _ => true,
    });
    for form in &mut file.forms {
        if let FormKind::Export(names) = &mut form.kind {
            names.retain(|name| name.arity != 0 || !gone.contains(&name.name));
        }
    }
}

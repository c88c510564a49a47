//! The compiler as one call: a source text in, a module and diagnostics out.
//!
//! The way: [`parse_file`] makes the tree, `lint` judges it, [`crate::lower`] turns it into Core, [`crate::inline`] inlines
//! what the file asks for, and [`crate::codegen`] turns that into a [`bytecode::Module`]. All diagnostics of all stages are in the [`Session`] that comes
//! back; there is a module exactly when none of them is an error.

use crate::constants::Constants;
use crate::forms::read;
use crate::inline::inline;
use crate::lint::{self, LintOptions};
use crate::lower::lower;
use crate::transform::transformed;
use crate::{Code, Diagnostic, Loader, ParseOptions, Session, Sources, ast, bytecode, codegen, parse_file};

/// What the embedder decides about a compilation.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub parse: ParseOptions,
    /// Every function is exported, as by `-compile(export_all)`; for scripts without `-export`.
    pub export_all: bool,
    /// Parse transforms besides those that the file asks for.
    pub transforms: Vec<String>,
    /// What to warn of; whether all is exported and whether `-module` may be missing follow from the other options.
    pub lint: LintOptions,
}

/// What came of a compilation.
pub struct Compilation {
    /// Absent if a diagnostic is an error.
    pub module: Option<bytecode::Module>,
    /// Diagnostics, and the sources and names to show them with: [`Session::render`].
    pub session: Session,
}

/// Compiles the source text `bytes`; `path` is what diagnostics, stack traces and `?FILE` show.
pub fn compile(path: &str, bytes: &[u8], options: &Options, loader: &mut dyn Loader) -> Compilation {
    let mut session = Session::new();
    let file = parse_file(&mut session, path, bytes, &options.parse, loader);
    let file = transformed(&mut session, path, bytes, file, options, loader);
    let module = compile_file(&mut session, path, &file, options);
    Compilation { module, session }
}

/// Compiles forms of the abstract format; `path` is what stands for a file that they do not name.
pub fn compile_forms(path: &str, forms: &Constants, options: &Options) -> Compilation {
    let mut session = Session::new();
    let file = read::file(&mut session, forms, &Sources::default());
    let module = compile_file(&mut session, path, &file, options);
    Compilation { module, session }
}

/// Compiles a parsed file; `None` if the session has errors, from before or found here.
pub fn compile_file(
    session: &mut Session,
    path: &str,
    file: &ast::File,
    options: &Options,
) -> Option<bytecode::Module> {
    // Passes recurse over the tree, which may be as deep as the parser allows.
    match ast::on_compile_stack(|| generate(session, file, options)) {
        Ok(module) => module,
        Err(error) => {
            let title = format!("no thread to compile {path} on: {error}");
            session.diagnostics.push(Diagnostic::new(Code::NotSupported, file.end, title));
            None
        }
    }
}

fn generate(session: &mut Session, file: &ast::File, options: &Options) -> Option<bytecode::Module> {
    let mut lint_options = options.lint.clone();
    lint_options.export_all |= options.export_all;
    lint_options.allow_no_module |= options.parse.default_module.is_some();
    lint::check(session, file, &lint_options);
    if session.has_errors() {
        return None;
    }
    let mut core = lower(session, file, options)?;
    inline(&mut core, &mut session.names);
    match codegen::generate(core, &mut session.names) {
        Ok(module) => Some(module),
        Err(functions) => {
            for function in functions {
                let title = format!(
                    "the function {}/{} holds too many values at once to be compiled",
                    session.names.text(function.function),
                    function.arity
                );
                let note = format!("at line {}", function.line.line);
                session.diagnostics.push(Diagnostic::new(Code::NotSupported, file.end, title).note(note));
            }
            None
        }
    }
}

//! The compiler as one call: a source text in, a module and diagnostics out.
//!
//! The way: [`parse_file`] makes the tree, `lint` judges it, [`crate::lower`] turns it into Core, [`crate::inline`] inlines
//! what the file asks for, and [`crate::codegen`] turns that into a [`bytecode::Module`]. All diagnostics of all stages are in the [`Session`] that comes
//! back; there is a module exactly when none of them is an error.

use crate::ast::FormKind;
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
    if is_small(&session, &file, options) {
        let module = generate(&mut session, &file, options);
        return Compilation { module, session };
    }
    let file = transformed(&mut session, path, bytes, file, options, loader);
    let module = compile_file(&mut session, path, &file, options);
    Compilation { module, session }
}

/// Texts of at most so many bytes, with at most so many parts of whatever has parts, and trees of at most so many levels need
/// no stack of their own: to get a thread takes as long as to compile them. What does not nest in the tree may nest in what is
/// made of it (the qualifiers of a comprehension, say), each part once; together that is a part of the smallest stack that
/// threads usually have, as the tests show.
const SMALL_TEXT_BYTES: usize = 8 << 10;
const SMALL_PARTS: usize = 100;
const SMALL_DEPTH: u32 = 40;

/// Whether a file can be compiled on any stack. Macros, and what it asks of the compiler (inlining, transforms), may make more of it
/// than is written there.
fn is_small(session: &Session, file: &ast::File, options: &Options) -> bool {
    let mut sources = session.sources.iter().map(|(_, source)| &*source.text);
    let (Some(text), None) = (sources.next(), sources.next()) else { return false };
    let parts = || text.bytes().filter(|byte| matches!(byte, b',' | b';')).count();
    let is_plain = |form: &ast::Form| !matches!(form.kind, FormKind::Compile(_));
    text.len() <= SMALL_TEXT_BYTES
        && parts() <= SMALL_PARTS
        && !text.contains("define")
        && options.transforms.is_empty()
        && options.parse.defines.is_empty()
        && file.forms.iter().all(is_plain)
        && depth(file) <= SMALL_DEPTH
}

/// The depth that code of the file can have.
fn depth(file: &ast::File) -> u32 {
    // Defaults of records may hold records, and are put in where they are not written.
    let (deepest, records) = file.forms.iter().fold((0, 0), |(deepest, records), form| {
        let depth = lint::deepest(&form.kind);
        match form.kind {
            FormKind::Record(_) => (deepest, records + depth),
            _ => (depth.max(deepest), records),
        }
    });
    deepest + records
}

/// Parses the source text, and lets the parse transforms that it or the options ask for do their work.
pub fn parse_transformed(
    session: &mut Session,
    path: &str,
    bytes: &[u8],
    options: &Options,
    loader: &mut dyn Loader,
) -> ast::File {
    let file = parse_file(session, path, bytes, &options.parse, loader);
    transformed(session, path, bytes, file, options, loader)
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
    session.forgive_generated();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoIncludes;

    /// Compiles what is just small, on a stack that is smaller than those of threads.
    fn fits(what: &str, text: &str) {
        let text = format!("-module(m).\n-export([f/1]).\n{text}\n");
        let compiled = std::thread::Builder::new().stack_size(1 << 20).spawn(move || {
            let mut session = Session::new();
            let file =
                parse_file(&mut session, "m.erl", text.as_bytes(), &ParseOptions::default(), &mut NoIncludes);
            assert!(is_small(&session, &file, &Options::default()), "it is not small: {text}");
            let compiled = compile("m.erl", text.as_bytes(), &Options::default(), &mut NoIncludes);
            compiled.module.is_some()
        });
        assert_eq!(compiled.expect("a thread").join().ok(), Some(true), "{what}");
    }

    #[test]
    fn what_is_small_needs_little_stack() {
        const PARTS: usize = SMALL_PARTS - 10;
        let many = |part: &str, between: &str| vec![part; PARTS].join(between);
        let nested = |open: &str, close: &str| format!("{}X{}", open.repeat(35), close.repeat(35));
        fits("a body", &format!("f(X) -> {}.", many("g(X)", ", ") + ". g(X) -> X"));
        fits("matches", &format!("f(X) -> {}, X.", many("{X} = X", ",")));
        fits("clauses", &format!("{}; f(X) -> X.", many("f([X]) -> X", ";")));
        fits("constants", &format!("f(X) -> case X of {} end.", many("1 -> 2", ";")));
        fits("guards", &format!("f(X) when {} -> X.", many("X > 1", ";")));
        fits("tests", &format!("f(X) when {} -> X.", many("X > 1", ",")));
        fits("generators", &format!("f(X) -> [X || {}].", many("_ <- X", ", ")));
        fits("filters", &format!("f(X) -> [X || {}].", many("X > 1", ", ")));
        fits("a list", &format!("f(X) -> [{}].", many("X", ",")));
        fits("segments", &format!("f(X) -> <<{}>>.", many("X", ",")));
        fits("a pattern", &format!("f({{{}}}) -> 1.", many("_", ",")));
        fits("cases", &format!("f(X) -> {}.", nested("case ", " of 1 -> 2 end")));
        fits("tries", &format!("f(X) -> {}.", nested("try ", " catch _:_ -> 1 end")));
        fits("funs", &format!("f(X) -> {}.", nested("fun() -> ", " end")));
        fits("tuples", &format!("f({}) -> X.", nested("{", "}")));
    }
}

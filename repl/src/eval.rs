//! `erlet eval 'EXPR.'`: expressions become the body of a function, and what it returns is printed as `~tp` prints it.
//!
//! The module around them is built as a syntax tree, not as text, so that diagnostics point into what was typed and a
//! stray full stop cannot end the function early.

use std::process::ExitCode;

use erlet::lang::ast::{Clause, Expr, ExprKind, File, Form, FormKind, Function, FunctionName, Ident};
use erlet::lang::compile::compile_file;
use erlet::lang::{Compilation, Options, ParseOptions, Session, Span, parse_exprs};

use crate::command::Eval;
use crate::message::{self, MessageFormat};
use crate::run::{Machine, Program};
use crate::source;

/// The name that diagnostics and stack traces show.
const PATH: &str = "eval";

/// Name of the module around the expressions.
const MODULE: &str = "eval";

/// Evaluates and prints.
pub fn eval(options: &Eval) -> ExitCode {
    let text = with_full_stop(&options.exprs);
    let mut session = Session::new();
    let parse = ParseOptions { defines: source::defines(&options.source), ..ParseOptions::default() };
    let module = parse_exprs(&mut session, PATH, &text, &parse).and_then(|exprs| {
        let file = module_around(&mut session, exprs);
        compile_file(&mut session, PATH, &file, &Options { parse, ..Options::default() })
    });
    let mut compilation = Compilation { module, session };
    message::show(&mut compilation.session, MessageFormat::Human);
    match compilation.module {
        Some(module) => {
            let program = Program { module, entry: (MODULE.into(), "main"), parameters: Vec::new() };
            let machine = Machine {
                path: None,
                arguments: Vec::new(),
                sources: &options.source,
                options: &options.machine,
            };
            program.run(&machine, None)
        }
        None => ExitCode::from(crate::FAILED),
    }
}

fn with_full_stop(exprs: &str) -> String {
    let trimmed = exprs.trim_end();
    if trimmed.ends_with('.') { format!("{trimmed}\n") } else { format!("{trimmed}\n.\n") }
}

/// `-module(eval). -export([main/0]). main() -> io:format("~tp~n", [begin EXPRS end]).`
fn module_around(session: &mut Session, exprs: Vec<Expr>) -> File {
    let span = exprs.first().map_or(Span::NONE, |first| first.span);
    let mut ident = |text: &str| Ident { name: session.names.intern(text), span };
    let (module, main, io, format) = (ident(MODULE), ident("main"), ident("io"), ident("format"));
    let expr = |kind: ExprKind| Expr { span, depth: 1, kind };
    let callee = expr(ExprKind::Remote {
        module: Box::new(expr(ExprKind::Atom(io.name))),
        name: Box::new(expr(ExprKind::Atom(format.name))),
    });
    let value = expr(ExprKind::Block(exprs));
    let args =
        vec![expr(ExprKind::Str("~tp~n".into())), expr(ExprKind::List { elements: vec![value], tail: None })];
    let call = expr(ExprKind::Call { callee: Box::new(callee), args });
    let clause = Clause { span, patterns: Vec::new(), guard: Vec::new(), body: vec![call] };
    let function = Function { name: main, arity: 0, clauses: vec![clause] };
    let form = |kind: FormKind| Form { span, kind };
    let export = FunctionName { span, name: main.name, arity: 0 };
    let forms = vec![
        form(FormKind::Module(module)),
        form(FormKind::Export(vec![export])),
        form(FormKind::Function(function)),
    ];
    File { forms, end: span }
}

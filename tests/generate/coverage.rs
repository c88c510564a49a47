//! What of Core and of the generic instructions the generated modules reach, by counts.

use erlet::lang::core::{self, Body, Case, Clause, Expr, Failure, Op, Pattern};
use erlet::lang::{Interner, NoIncludes, Options, Session, ast, bytecode, codegen, lower, parse_file};
use std::collections::BTreeMap;

/// How often each kind was seen.
#[derive(Default)]
pub struct Coverage {
    core: BTreeMap<String, usize>,
    instructions: BTreeMap<String, usize>,
}

/// All kinds of nodes of Core, as [`Coverage`] names them.
const CORE: &[&str] = &[
    "End::Values",
    "End::Escape",
    "End::Never",
    "Op::Values",
    "Op::List",
    "Op::Tuple",
    "Op::Fun",
    "Op::Bif",
    "Op::Call",
    "Op::CallExt",
    "Op::CallFun",
    "Op::Apply",
    "Op::Send",
    "Op::MapPut",
    "Op::MapUpdate",
    "Op::Bits",
    "Op::Case",
    "Op::Receive",
    "Op::Try",
    "Op::Catch",
    "Op::Escape",
    "Op::BuildTrace",
    "Op::Fail",
    "Failure::FunctionClause",
    "Failure::CaseClause",
    "Failure::BadMatch",
    "Failure::TryClause",
    "Failure::IfClause",
    "Failure::BadRecord",
    "Failure::ReRaise",
    "Failure::Tagged",
    "Failure::Escape",
    "Failure::Impossible",
    "Pattern::Any",
    "Pattern::Var",
    "Pattern::Const",
    "Pattern::Same",
    "Pattern::And",
    "Pattern::List",
    "Pattern::Tuple",
    "Pattern::Map",
    "Pattern::Bits",
    "Expr::Value",
    "Expr::Bif",
    "Expr::And",
    "Expr::Or",
    "Expr::List",
    "Expr::Tuple",
    "Expr::MapPut",
    "Expr::MapUpdate",
    "Expr::Bits",
    "Timeout",
    "marker",
];

/// What is there for other producers of Core and of code: nothing of the compiler makes it.
const NEVER_MADE: &[&str] = &["End::Escape", "Op::Values", "map_has"];

macro_rules! mnemonics {
    ($( $name:ident $mnemonic:literal { $($field:ident: $ty:ty),* } )*) => {
        const INSTRUCTIONS: &[&str] = &[$($mnemonic),*];
    };
}
erlet::lang::for_each_instruction!(mnemonics);

/// Takes the word at the start of what is written, and then no more.
#[derive(Default)]
struct Word(String);

impl std::fmt::Write for Word {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for c in text.chars() {
            if !c.is_alphanumeric() {
                return Err(std::fmt::Error);
            }
            self.0.push(c);
        }
        Ok(())
    }
}

/// Name of a variant: the word at the start of what it shows of itself.
fn variant(shown: &dyn std::fmt::Debug) -> String {
    let mut word = Word::default();
    // It ends by an error where there is more than the word.
    let _ = std::fmt::write(&mut word, format_args!("{shown:?}"));
    word.0
}

impl Coverage {
    /// Counts what the module of a text is made of.
    pub fn add(&mut self, text: &str) {
        let mut session = Session::new();
        let options = Options::default();
        let file = parse_file(&mut session, "gen.erl", text.as_bytes(), &options.parse, &mut NoIncludes);
        let compiled = ast::on_compile_stack(|| {
            let module = lower::lower(&mut session, &file, &options)?;
            let mut core = BTreeMap::new();
            for function in &module.functions {
                body(&function.body, &mut core);
            }
            let code = generate(module, &mut session.names)?;
            Some((core, code))
        });
        let Some((core, code)) = compiled.expect("there is a thread to compile on") else { return };
        for (kind, count) in core {
            *self.core.entry(kind).or_default() += count;
        }
        for instruction in code.functions.iter().flat_map(|function| &function.code) {
            *self.instructions.entry(instruction.mnemonic().to_string()).or_default() += 1;
        }
    }

    /// What was never seen.
    pub fn missing(&self) -> Vec<String> {
        let core = CORE.iter().filter(|kind| !self.core.contains_key(**kind));
        let instructions = INSTRUCTIONS.iter().filter(|name| !self.instructions.contains_key(**name));
        core.chain(instructions)
            .filter(|name| !NEVER_MADE.contains(name))
            .map(|name| name.to_string())
            .collect()
    }

    /// All counts.
    pub fn table(&self) -> String {
        let row = |name: &str, count: usize| format!("{count:>9}  {name}\n");
        let count = |of: &BTreeMap<String, usize>, name: &str| of.get(name).copied().unwrap_or(0);
        let core = CORE.iter().map(|name| row(name, count(&self.core, name)));
        let instructions = INSTRUCTIONS.iter().map(|name| row(name, count(&self.instructions, name)));
        core.chain(instructions).collect()
    }
}

fn generate(module: core::Module, names: &mut Interner) -> Option<bytecode::Module> {
    codegen::generate(module, names).ok()
}

type Counts = BTreeMap<String, usize>;

fn see(counts: &mut Counts, family: &str, shown: &dyn std::fmt::Debug) {
    *counts.entry(format!("{family}::{}", variant(shown))).or_default() += 1;
}

fn body(of: &Body, counts: &mut Counts) {
    for step in &of.steps {
        see(counts, "Op", &step.op);
        op(&step.op, counts);
    }
    see(counts, "End", &of.end);
}

fn op(of: &Op, counts: &mut Counts) {
    match of {
        Op::Case(case) => self::case(case, counts),
        Op::Receive(receive) => {
            receive.clauses.iter().for_each(|c| clause(c, counts));
            if receive.marker.is_some() {
                *counts.entry("marker".to_string()).or_default() += 1;
            }
            if let Some(timeout) = &receive.timeout {
                *counts.entry("Timeout".to_string()).or_default() += 1;
                body(&timeout.body, counts);
            }
        }
        Op::Try(attempt) => {
            body(&attempt.body, counts);
            body(&attempt.then, counts);
            body(&attempt.handler, counts);
        }
        Op::Catch(inner) => body(inner, counts),
        Op::Escape { body: inner, otherwise, .. } => {
            body(inner, counts);
            body(otherwise, counts);
        }
        Op::Fail(why) => failure(why, counts),
        _ => {}
    }
}

fn case(of: &Case, counts: &mut Counts) {
    of.clauses.iter().for_each(|c| clause(c, counts));
    failure(&of.otherwise, counts);
}

fn failure(of: &Failure, counts: &mut Counts) {
    see(counts, "Failure", of);
}

fn clause(of: &Clause, counts: &mut Counts) {
    of.patterns.iter().for_each(|p| pattern(p, counts));
    of.guard.iter().flatten().for_each(|e| expr(e, counts));
    body(&of.body, counts);
}

fn pattern(of: &Pattern, counts: &mut Counts) {
    see(counts, "Pattern", of);
    match of {
        Pattern::And(all) | Pattern::Tuple(all) => all.iter().for_each(|p| pattern(p, counts)),
        Pattern::List(items, tail) => {
            items.iter().for_each(|p| pattern(p, counts));
            pattern(tail, counts);
        }
        Pattern::Map(pairs) => {
            for (key, value) in pairs {
                expr(key, counts);
                pattern(value, counts);
            }
        }
        Pattern::Bits(segments) => {
            for segment in segments {
                pattern(&segment.value, counts);
                segment.size.iter().for_each(|size| expr(size, counts));
            }
        }
        Pattern::Any | Pattern::Var(_) | Pattern::Const(_) | Pattern::Same(_) => {}
    }
}

fn expr(of: &Expr, counts: &mut Counts) {
    see(counts, "Expr", of);
    match of {
        Expr::Value(_) => {}
        Expr::Bif(_, all) | Expr::Tuple(all) => all.iter().for_each(|e| expr(e, counts)),
        Expr::And(a, b) | Expr::Or(a, b) => {
            expr(a, counts);
            expr(b, counts);
        }
        Expr::List(items, tail) => {
            items.iter().for_each(|e| expr(e, counts));
            expr(tail, counts);
        }
        Expr::MapPut(map, pairs) | Expr::MapUpdate(map, pairs) => {
            expr(map, counts);
            for (key, value) in pairs {
                expr(key, counts);
                expr(value, counts);
            }
        }
        Expr::Bits(segments) => {
            for segment in segments {
                expr(&segment.value, counts);
                segment.size.iter().for_each(|size| expr(size, counts));
            }
        }
    }
}

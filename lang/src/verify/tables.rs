//! Everything outside the code: tables, and what each names of the others.

use super::literals;
use super::{Reason, VerifyError};
use crate::bytecode::{AtomIx, LitIx, LitValue, Module};
use std::collections::BTreeSet;

/// Highest number of characters in an atom.
const MAX_ATOM_CHARS: usize = 255;

/// Highest number of rows in any table, and of instructions in a module: positions fit 32 bits with room.
const MAX_ROWS: usize = 1 << 28;

/// Checks all tables; the code of functions is not looked at.
pub(super) fn check(module: &Module) -> Result<(), VerifyError> {
    tables(module).map_err(|reason| VerifyError { function: None, pc: 0, instruction: String::new(), reason })
}

fn tables(module: &Module) -> Result<(), Reason> {
    sizes(module)?;
    atoms(module)?;
    literals::check(module)?;
    imports(module)?;
    functions(module)?;
    lambdas(module)?;
    lines(module)?;
    for (name, value) in &module.attributes {
        atom(module, *name)?;
        lit_value(module, module.literals.len(), *value)?;
    }
    if let Some(function) = module.on_load {
        match module.functions.get(function.index()) {
            None => return Err(Reason::OutOfRange("function", function.0)),
            Some(function) if function.arity != 0 => return Err(Reason::OnLoadArity),
            Some(_) => {}
        }
    }
    Ok(())
}

fn sizes(module: &Module) -> Result<(), Reason> {
    let instructions = module.functions.iter().map(|function| function.code.len()).sum();
    let rows = [
        ("atoms", module.atoms.len()),
        ("literals", module.literals.len()),
        ("imports", module.imports.len()),
        ("functions", module.functions.len()),
        ("lambdas", module.lambdas.len()),
        ("lines", module.lines.len()),
        ("files", module.files.len()),
        ("code", instructions),
    ];
    match rows.into_iter().find(|(_, rows)| *rows > MAX_ROWS) {
        Some((table, _)) => Err(Reason::TooLarge(table)),
        None => Ok(()),
    }
}

fn atoms(module: &Module) -> Result<(), Reason> {
    for (index, text) in numbered(&module.atoms) {
        if text.chars().nth(MAX_ATOM_CHARS).is_some() {
            return Err(Reason::AtomTooLong(index));
        }
    }
    distinct("atom", module.atoms.iter())?;
    atom(module, module.name)
}

fn imports(module: &Module) -> Result<(), Reason> {
    for import in &module.imports {
        atom(module, import.module)?;
        atom(module, import.function)?;
    }
    distinct("import", module.imports.iter().map(|import| (import.module, import.function, import.arity)))
}

fn functions(module: &Module) -> Result<(), Reason> {
    for function in &module.functions {
        atom(module, function.name)?;
        let rising = function.contexts.windows(2).all(|pair| pair[0] < pair[1]);
        if !rising || function.contexts.last().is_some_and(|param| *param >= function.arity) {
            return Err(Reason::BadContexts);
        }
    }
    distinct("function", module.functions.iter().map(|function| (function.name, function.arity)))
}

fn lambdas(module: &Module) -> Result<(), Reason> {
    for (index, lambda) in numbered(&module.lambdas) {
        let Some(function) = module.functions.get(lambda.function.index()) else {
            return Err(Reason::OutOfRange("function", lambda.function.0));
        };
        if u32::from(function.arity) < lambda.free {
            return Err(Reason::LambdaArity(index));
        }
    }
    Ok(())
}

fn lines(module: &Module) -> Result<(), Reason> {
    for (index, line) in numbered(&module.lines) {
        if line.file as usize >= module.files.len() {
            return Err(Reason::OutOfRange("file", line.file));
        }
        if line.line == 0 {
            return Err(Reason::LineZero(index));
        }
    }
    Ok(())
}

/// That the atom is there.
pub(super) fn atom(module: &Module, atom: AtomIx) -> Result<(), Reason> {
    row("atom", atom.0, module.atoms.len())
}

/// That a value inside a literal is there, in a table that has `known` rows so far.
pub(super) fn lit_value(module: &Module, known: usize, value: LitValue) -> Result<(), Reason> {
    match value {
        LitValue::Atom(index) => atom(module, index),
        LitValue::Lit(LitIx(index)) => row("earlier literal", index, known),
        LitValue::Int(_) | LitValue::Nil => Ok(()),
    }
}

/// That `index` is below `rows`.
pub(super) fn row(table: &'static str, index: u32, rows: usize) -> Result<(), Reason> {
    if (index as usize) < rows { Ok(()) } else { Err(Reason::OutOfRange(table, index)) }
}

/// Rows with their numbers, of a table whose size was checked.
pub(super) fn numbered<T>(rows: &[T]) -> impl Iterator<Item = (u32, &T)> {
    (0..).zip(rows)
}

fn distinct<T: Ord>(table: &'static str, rows: impl Iterator<Item = T>) -> Result<(), Reason> {
    let mut seen = BTreeSet::new();
    for (index, row) in (0..).zip(rows) {
        if !seen.insert(row) {
            return Err(Reason::Duplicate(table, index));
        }
    }
    Ok(())
}

//! Core to bytecode: control flow, its improvement, registers, instructions.
//!
//! `never` takes out what is never reached. Then, for each function: `build` turns Core into blocks (with the graphs of
//! [`crate::matching`] for clauses), `optimise` improves them, `contexts` lets functions hand match contexts on, `registers` says
//! where variables live and where frames are made, and `emit` writes generic instructions. At last the tables are put together. The
//! output is the same for the same input, byte for byte.
//!
//! What the verifier demands and who sees to it: slots are written before they are read because `allocate` clears
//! them; X registers below `live` are filled by `emit`; catch marks nest as `try` does; what comes from a message
//! stays in X registers because `build` copies it only behind `remove_message`; the loops of `receive` pass
//! `loop_rec`.

mod build;
mod contexts;
mod emit;
mod flow;
mod frames;
mod liveness;
mod md5;
mod moves;
mod never;
mod optimise;
mod registers;
mod tables;
#[cfg(test)]
mod tests;
mod var_set;
mod words;

use crate::hash::HashMap;

use crate::bytecode::{self, FnIx, LitValue};
use crate::core::{self, Function};
use crate::{Interner, Name};

use tables::Tables;

/// A function that needs more registers than the machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooComplex {
    pub function: Name,
    pub arity: u8,
    pub line: bytecode::Line,
}

/// Generates the bytecode of a module.
///
/// # Errors
/// The functions that need too many registers.
pub fn generate(mut module: core::Module, names: &mut Interner) -> Result<bytecode::Module, Vec<TooComplex>> {
    let mut functions = HashMap::default();
    for (index, function) in module.functions.iter().enumerate() {
        functions.entry((function.name, function.arity())).or_insert(FnIx(index as u32));
    }
    never::cut(&mut module);
    let mut built = Vec::with_capacity(module.functions.len());
    for function in &module.functions {
        let mut flow = build::build(function, &mut module.literals);
        optimise::optimise(&mut flow);
        built.push(flow);
    }
    let contexts = contexts::share(&mut built, &functions);
    let mut flows = Vec::with_capacity(built.len());
    let mut errors = Vec::new();
    for (function, mut flow) in module.functions.iter().zip(built) {
        match registers::allocate(&mut flow) {
            Ok(allocation) => flows.push((flow, allocation)),
            Err(registers::TooComplex) => errors.push(TooComplex {
                function: function.name,
                arity: function.arity(),
                line: function.line,
            }),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut tables = Tables::new(module.name, &module.literals, names, functions);
    let name = tables.atom(module.name);
    let mut emitted = Vec::with_capacity(flows.len());
    for ((function, (flow, allocation)), contexts) in module.functions.iter().zip(&flows).zip(contexts) {
        let mut function = self::function(function, flow, allocation, &mut tables);
        function.contexts = contexts;
        emitted.push(function);
    }
    let lambdas = lambdas(&module, &tables);
    let of_code = tables.atoms_and_literals();
    let attributes: Vec<(bytecode::AtomIx, LitValue)> = module
        .attributes
        .iter()
        .map(|&(name, value)| (tables.atom(name), tables.literal_value(value)))
        .collect();
    let on_load = module.on_load.and_then(|name| tables.function(name, 0));
    let (atoms, literals, imports, lines) = tables.finish();
    let mut module = bytecode::Module {
        name,
        atoms,
        literals,
        imports,
        functions: emitted,
        lambdas,
        lines,
        files: module.files,
        attributes,
        on_load,
        md5: [0; 16],
    };
    identify(&mut module, of_code);
    Ok(module)
}

fn function(
    function: &Function,
    flow: &flow::Flow,
    allocation: &registers::Allocation,
    tables: &mut Tables<'_>,
) -> bytecode::Function {
    let (code, labels) = emit::emit(flow, allocation, tables, function.arity());
    bytecode::Function {
        name: tables.atom(function.name),
        arity: function.arity(),
        exported: function.exported,
        contexts: Vec::new(),
        labels,
        code,
    }
}

/// The rows of funs; their identity is filled in at the end.
fn lambdas(module: &core::Module, tables: &Tables<'_>) -> Vec<bytecode::Lambda> {
    module
        .lambdas
        .iter()
        .map(|lambda| bytecode::Lambda {
            function: tables.function(lambda.name, lambda.arity).unwrap_or(FnIx(0)),
            free: u32::from(lambda.free),
            uniq: 0,
        })
        .collect()
}

/// Fills in what depends on all of the module's code: as in OTP, neither its attributes nor where it stands in which file.
fn identify(module: &mut bytecode::Module, (atoms, literals): (usize, usize)) {
    let code = (&module.atoms[..atoms], &module.literals[..literals], &module.imports, &module.functions);
    let bytes =
        postcard::to_stdvec(&(module.name, code, &module.lambdas, module.on_load)).unwrap_or_default();
    module.md5 = md5::digest(&bytes);
    let [a, b, c, d, ..] = module.md5;
    let uniq = u32::from_be_bytes([a, b, c, d]);
    module.lambdas.iter_mut().for_each(|lambda| lambda.uniq = uniq);
}

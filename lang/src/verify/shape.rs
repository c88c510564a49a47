//! What can be said of a function's code without following control: every index names something, every label is
//! declared once, and where each label leads.

use super::tables::row;
use super::{Reason, VerifyError};
use crate::asm;
use crate::bytecode::{Function, Instr, MAX_X, MAX_Y, Module, Operand, Reg};

/// The places of a function's code.
pub(super) struct Shape {
    /// Position of each label's declaration.
    pub labels: Vec<usize>,
    /// For each label, the position of the first instruction behind it that is neither `label` nor `line`.
    pub firsts: Vec<usize>,
    /// Number of operands of all instructions, the measure of the code's size.
    pub size: u64,
    /// Number of X registers touched by name.
    pub x_registers: u16,
}

/// Most operands of an instruction, those in lists counted: lengths of lists fit 16 bits in loaded code.
const MAX_OPERANDS: u64 = 1 << 16;

/// A fault at an instruction.
pub(super) type Fault = (usize, Reason);

/// Checks all instructions of a function, reachable or not.
pub(super) fn check(module: &Module, function: &Function) -> Result<Shape, Fault> {
    if function.code.is_empty() {
        return Err((0, Reason::NoCode));
    }
    let mut shape = Shape {
        labels: labels(function)?,
        firsts: Vec::new(),
        size: function.code.len() as u64,
        x_registers: u16::from(function.arity),
    };
    for (pc, instr) in function.code.iter().enumerate() {
        let mut fault = Ok(());
        let before = shape.size;
        instr.operands(&mut |operand| {
            shape.size += 1;
            if let Operand::Reg(Reg::X(n)) | Operand::Read(Reg::X(n)) = operand {
                shape.x_registers = shape.x_registers.max(n.saturating_add(1));
            }
            if fault.is_ok() {
                fault = in_range(module, function, operand);
            }
        });
        fault.map_err(|reason| (pc, reason))?;
        if shape.size - before > MAX_OPERANDS {
            return Err((pc, Reason::BadOperand("more operands than an instruction may have")));
        }
    }
    shape.firsts = firsts(function, &shape.labels);
    Ok(shape)
}

fn labels(function: &Function) -> Result<Vec<usize>, Fault> {
    let declared = function.code.iter().filter(|instr| matches!(instr, Instr::Label { .. })).count();
    // Fewer declarations than labels leave one undeclared; looked at first, so that no claimed number is believed.
    if (function.labels as usize) > declared {
        let seen: std::collections::BTreeSet<u32> = function
            .code
            .iter()
            .filter_map(|instr| if let Instr::Label { label } = instr { Some(label.0) } else { None })
            .collect();
        let missing = (0..function.labels).find(|label| !seen.contains(label)).unwrap_or(0);
        return Err((0, Reason::LabelMissing(missing)));
    }
    let mut labels = vec![usize::MAX; function.labels as usize];
    for (pc, instr) in function.code.iter().enumerate() {
        if let Instr::Label { label } = instr {
            match labels.get_mut(label.index()) {
                None => return Err((pc, Reason::OutOfRange("label", label.0))),
                Some(place) if *place != usize::MAX => return Err((pc, Reason::LabelTwice(label.0))),
                Some(place) => *place = pc,
            }
        }
    }
    // As many declarations as labels, each in range and none twice: none is missing.
    Ok(labels)
}

fn firsts(function: &Function, labels: &[usize]) -> Vec<usize> {
    let mut next = function.code.len();
    let mut first = vec![0; function.code.len()];
    for (pc, instr) in function.code.iter().enumerate().rev() {
        if !matches!(instr, Instr::Label { .. } | Instr::Line { .. }) {
            next = pc;
        }
        first[pc] = next;
    }
    labels.iter().map(|pc| first[*pc]).collect()
}

fn in_range(module: &Module, function: &Function, operand: Operand) -> Result<(), Reason> {
    match operand {
        Operand::Reg(Reg::X(n)) | Operand::Read(Reg::X(n)) if n >= MAX_X => Err(Reason::NoSuchX(n)),
        Operand::Reg(Reg::Y(n)) | Operand::Read(Reg::Y(n)) if n >= MAX_Y => Err(Reason::NoSuchY(n)),
        Operand::Reg(_) | Operand::Read(_) | Operand::Int(_) | Operand::Number(_) => Ok(()),
        Operand::Atom(index) => row("atom", index.0, module.atoms.len()),
        Operand::Lit(index) => row("literal", index.0, module.literals.len()),
        Operand::Label(label) => row("label", label.0, function.labels as usize),
        Operand::Function(index) => row("function", index.0, module.functions.len()),
        Operand::Import(index) => row("import", index.0, module.imports.len()),
        Operand::Lambda(index) => row("lambda", index.0, module.lambdas.len()),
        Operand::Line(index) => row("line", index.0, module.lines.len()),
    }
}

/// The fault as the caller sees it.
pub(super) fn located(module: &Module, function: &Function, (pc, reason): Fault) -> VerifyError {
    let name = module.atoms.get(function.name.index()).map_or("?", String::as_str);
    VerifyError {
        function: Some(format!("{name}/{}", function.arity)),
        pc,
        instruction: function.code.get(pc).map_or_else(String::new, |instr| asm::instruction(module, instr)),
        reason,
    }
}

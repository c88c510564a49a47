//! Every rule with code that breaks it, and code that does not.

mod facts;
mod flow;
mod frames;
mod hostile;
mod model;
mod receive;
mod tables;

use super::*;
use crate::asm;
use crate::bytecode::{Function, Instr, Label, Operand};

/// A module of `f/2` with the given code (and whatever functions and tables follow it) and a few callees.
fn module(code: &str) -> Module {
    let text = format!(
        "module m\nfunction f/2 exported\n{code}\n\
         function g/1\n    return\n\
         function g/2\n    return\n"
    );
    let mut module = asm::parse(&text).expect("the test's code is good assembler text");
    number_labels(&mut module.functions[0]);
    module
}

/// Numbers the labels that are declared from 0 on, so that tests may call theirs as they like.
fn number_labels(function: &mut Function) {
    let mut declared: Vec<Label> = function
        .code
        .iter()
        .filter_map(|instr| if let Instr::Label { label } = instr { Some(*label) } else { None })
        .collect();
    declared.sort_unstable();
    declared.dedup();
    for instr in &mut function.code {
        instr.operands_mut(&mut |operand| match operand {
            Operand::Label(label) => {
                let number =
                    declared.binary_search(&label).ok().and_then(|number| u32::try_from(number).ok());
                Operand::Label(number.map_or(label, Label))
            }
            other => other,
        });
    }
}

/// Why `f/2` with this code is refused.
#[track_caller]
fn refused(code: &str) -> Reason {
    match verify(module(code)) {
        Ok(_) => panic!("accepted:\n{code}"),
        Err(error) => error.reason,
    }
}

#[track_caller]
fn accepted(code: &str) -> Verified {
    match verify(module(code)) {
        Ok(verified) => verified,
        Err(error) => panic!("{error}\nin:\n{code}"),
    }
}

fn x(n: u16) -> String {
    format!("x{n}")
}

fn y(n: u16) -> String {
    format!("y{n}")
}

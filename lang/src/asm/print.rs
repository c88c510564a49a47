//! From a module to text.

use super::operand::{Text, put, write_instr, write_mfa, write_quoted};
use crate::bytecode::{
    AtomIx, Function, Import, ImportIx, Instr, LineIx, LitIx, LitValue, Literal, Module, Operand,
};

/// Column at which comments start.
const COMMENT_COLUMN: usize = 48;

/// Longest literal shown in a comment, in characters.
const COMMENT_CHARS: usize = 60;

/// Length at which the statement of a table is broken off and goes on in another.
const TABLE_COLUMNS: usize = 100;

/// The whole module.
#[must_use]
pub fn print(module: &Module) -> String {
    let mut out = String::from("module ");
    module.name.write(module, "", &mut out);
    out.push('\n');
    for file in &module.files {
        out.push_str("file ");
        write_quoted('"', file.chars().map(u32::from), &mut out);
        out.push('\n');
    }
    for function in &module.functions {
        out.push('\n');
        print_function(module, function, &mut out);
    }
    out.push('\n');
    print_tables(module, &mut out);
    out
}

/// One instruction, on one line; indices out of range show as such.
#[must_use]
pub fn instruction(module: &Module, instr: &Instr) -> String {
    let mut out = String::new();
    write_instr(module, instr, &mut out);
    out
}

fn print_function(module: &Module, function: &Function, out: &mut String) {
    out.push_str("function ");
    function.name.write(module, "", out);
    put(out, format_args!("/{}", function.arity));
    out.push_str(if function.exported { " exported" } else { "" });
    for (n, param) in function.contexts.iter().enumerate() {
        put(out, format_args!("{}{param}", if n == 0 { " contexts " } else { ", " }));
    }
    out.push('\n');
    for instr in &function.code {
        if let Instr::Label { label } = instr {
            put(out, format_args!("L{}:\n", label.0));
            continue;
        }
        let mut line = format!("    {}", instruction(module, instr));
        if let Some(comment) = literal_comment(module, instr) {
            let gap = COMMENT_COLUMN.saturating_sub(line.chars().count()).max(1);
            put(&mut line, format_args!("{:gap$}% {comment}", ""));
        }
        out.push_str(&line);
        out.push('\n');
    }
}

/// The literals that an instruction names, as terms.
fn literal_comment(module: &Module, instr: &Instr) -> Option<String> {
    let mut comment = String::new();
    instr.operands(&mut |operand| {
        if let Operand::Lit(lit) = operand {
            comment.push_str(if comment.is_empty() { "" } else { ", " });
            show_literal(module, lit, &mut comment);
        }
    });
    (!comment.is_empty()).then_some(comment)
}

/// A part of a literal still to be shown.
enum Part {
    Value(LitValue),
    Text(&'static str),
}

/// The literal as a term, cut off where it gets long.
fn show_literal(module: &Module, lit: LitIx, out: &mut String) {
    let longest = out.len() + COMMENT_CHARS;
    let mut todo = vec![Part::Value(LitValue::Lit(lit))];
    while let Some(part) = todo.pop() {
        // A row that opens nothing visible for ever does not exist, so the text bounds the depth.
        if out.len() > longest {
            out.push_str("...");
            return;
        }
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Value(LitValue::Lit(row)) => match module.literals.get(row.index()) {
                Some(literal) => {
                    let parts = show_row(module, literal, out);
                    todo.extend(parts.into_iter().rev());
                }
                None => out.push('?'),
            },
            Part::Value(value) => write_value(module, value, out),
        }
    }
}

/// Shows how the row starts; the rest is returned. No more of it than a comment can hold.
fn show_row(module: &Module, literal: &Literal, out: &mut String) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut values = |values: &[LitValue]| {
        for (n, value) in values.iter().take(COMMENT_CHARS).enumerate() {
            parts.extend([Part::Text(if n == 0 { "" } else { "," }), Part::Value(*value)]);
        }
    };
    match literal {
        Literal::List { items, tail } => {
            out.push('[');
            values(items);
            if *tail != LitValue::Nil {
                parts.extend([Part::Text("|"), Part::Value(*tail)]);
            }
            parts.push(Part::Text("]"));
        }
        Literal::Tuple(elements) => {
            out.push('{');
            values(elements);
            parts.push(Part::Text("}"));
        }
        Literal::Map(pairs) => {
            out.push_str("#{");
            for (n, (key, value)) in pairs.iter().take(COMMENT_CHARS).enumerate() {
                parts.extend([Part::Text(if n == 0 { "" } else { "," }), Part::Value(*key)]);
                parts.extend([Part::Text("=>"), Part::Value(*value)]);
            }
            parts.push(Part::Text("}"));
        }
        Literal::String(chars) => write_quoted('"', chars.iter().copied().take(COMMENT_CHARS), out),
        Literal::Bits { bytes, bits } if bytes.len() > COMMENT_CHARS => {
            put(out, format_args!("{bits} bits"));
        }
        Literal::Big { magnitude, .. } if magnitude.len() > COMMENT_CHARS => {
            put(out, format_args!("an integer of {} bytes", magnitude.len()));
        }
        flat => write_literal(module, flat, out),
    }
    parts
}

fn print_tables(module: &Module, out: &mut String) {
    for (n, literal) in module.literals.iter().enumerate() {
        put(out, format_args!("literal #{n} = "));
        write_literal(module, literal, out);
        out.push('\n');
    }
    for (n, lambda) in module.lambdas.iter().enumerate() {
        put(out, format_args!("lambda {n} = "));
        lambda.function.write(module, "", out);
        put(out, format_args!(" free={} uniq={}\n", lambda.free, lambda.uniq));
    }
    for (name, value) in &module.attributes {
        out.push_str("attribute ");
        name.write(module, "", out);
        out.push_str(" = ");
        write_value(module, *value, out);
        out.push('\n');
    }
    if let Some(function) = module.on_load {
        out.push_str("on_load ");
        function.write(module, "", out);
        out.push('\n');
    }
    print_table("atoms", module.atoms.len(), out, |n, out| AtomIx(n).write(module, "", out));
    print_table("imports", module.imports.len(), out, |n, out| ImportIx(n).write(module, "", out));
    print_table("lines", module.lines.len(), out, |n, out| LineIx(n).write(module, "", out));
    out.push_str("md5 ");
    module.md5.iter().for_each(|byte| put(out, format_args!("{byte:02x}")));
    out.push('\n');
}

/// A table as one statement or more.
fn print_table(name: &str, rows: usize, out: &mut String, row: impl Fn(u32, &mut String)) {
    let mut line = String::new();
    for n in 0..u32::try_from(rows).unwrap_or(u32::MAX) {
        line.push_str(if line.is_empty() { "" } else { ", " });
        row(n, &mut line);
        if line.len() > TABLE_COLUMNS || n as usize + 1 == rows {
            put(out, format_args!("{name} {line}\n"));
            line.clear();
        }
    }
}

/// One row of the literal table; what it holds of the table stays a number.
fn write_literal(module: &Module, literal: &Literal, out: &mut String) {
    match literal {
        Literal::Big { negative, magnitude } => {
            out.push_str(if *negative { "big -16#" } else { "big 16#" });
            magnitude.iter().rev().for_each(|byte| put(out, format_args!("{byte:02X}")));
        }
        Literal::Float(bits) if f64::from_bits(*bits).is_finite() => {
            put(out, format_args!("float {:?}", f64::from_bits(*bits)));
        }
        Literal::Float(bits) => put(out, format_args!("float 16#{bits:016X}")),
        Literal::List { items, tail } => {
            out.push('[');
            write_values(module, items, out);
            if *tail != LitValue::Nil {
                out.push_str(" | ");
                write_value(module, *tail, out);
            }
            out.push(']');
        }
        Literal::String(chars) => write_quoted('"', chars.iter().copied(), out),
        Literal::Tuple(elements) => {
            out.push('{');
            write_values(module, elements, out);
            out.push('}');
        }
        Literal::Map(pairs) => {
            out.push_str("#{");
            for (n, (key, value)) in pairs.iter().enumerate() {
                out.push_str(if n == 0 { "" } else { ", " });
                write_value(module, *key, out);
                out.push_str(" => ");
                write_value(module, *value, out);
            }
            out.push('}');
        }
        Literal::Bits { bytes, bits } => {
            put(out, format_args!("bits {bits} 16#"));
            bytes.iter().for_each(|byte| put(out, format_args!("{byte:02X}")));
        }
        Literal::Export { module: owner, function, arity } => {
            out.push_str("fun ");
            write_mfa(module, Import { module: *owner, function: *function, arity: *arity }, out);
        }
    }
}

fn write_values(module: &Module, values: &[LitValue], out: &mut String) {
    for (n, value) in values.iter().enumerate() {
        out.push_str(if n == 0 { "" } else { ", " });
        write_value(module, *value, out);
    }
}

fn write_value(module: &Module, value: LitValue, out: &mut String) {
    match value {
        LitValue::Int(value) => put(out, format_args!("{value}")),
        LitValue::Atom(atom) => atom.write(module, "", out),
        LitValue::Nil => out.push_str("[]"),
        LitValue::Lit(lit) => lit.write(module, "", out),
    }
}

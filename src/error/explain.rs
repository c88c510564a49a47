//! Exceptions in the words of OTP's shell: what went wrong, and the stack trace line by line.
//!
//! ```text
//! exception error: no match of right hand side value 2
//!   in function  m:f/1 (m.erl, line 7)
//!   in call from m:g/0 (m.erl, line 12)
//! ```
//!
//! The library says the same in Erlang (`erl_error:format_exception/3`), for programs; this is for hosts, which may want to say it when no
//! machine is left to ask. A test holds the two against each other.

use std::fmt;

use erlet_lang::builtin;

use super::{Class, Exception, Frame};
use crate::value::{Atom, Value};

/// Operators by name and number of operands.
const OPERATORS: &[(&str, &[usize])] = &[
    ("!", &[2]),
    ("*", &[2]),
    ("+", &[1, 2]),
    ("++", &[2]),
    ("-", &[1, 2]),
    ("--", &[2]),
    ("/", &[2]),
    ("/=", &[2]),
    ("<", &[2]),
    ("=/=", &[2]),
    ("=:=", &[2]),
    ("=<", &[2]),
    ("==", &[2]),
    (">", &[2]),
    (">=", &[2]),
    ("and", &[2]),
    ("band", &[2]),
    ("bnot", &[1]),
    ("bor", &[2]),
    ("bsl", &[2]),
    ("bsr", &[2]),
    ("bxor", &[2]),
    ("div", &[2]),
    ("not", &[1]),
    ("or", &[2]),
    ("rem", &[2]),
    ("xor", &[2]),
];

/// Reasons that are atoms.
const ATOMS: &[(&str, &str)] = &[
    ("badarg", "bad argument"),
    ("badarith", "an error occurred when evaluating an arithmetic expression"),
    ("if_clause", "no true branch found when evaluating an if expression"),
    ("noproc", "no such process or port"),
    ("notalive", "the node cannot be part of a distributed system"),
    ("system_limit", "a system limit has been reached"),
    ("timeout_value", "bad receive timeout value"),
];

/// Reasons that are pairs: what stands before their value.
const PAIRS: &[(&str, &str)] = &[
    ("bad_filter", "bad filter "),
    ("bad_generator", "bad generator "),
    ("badarg", "bad argument: "),
    ("badfun", "bad function "),
    ("badkey", "bad key: "),
    ("badmap", "bad map: "),
    ("badmatch", "no match of right hand side value "),
    ("case_clause", "no case clause matching "),
    ("else_clause", "no else clause matching "),
    ("try_clause", "no try clause matching "),
];

fn row(table: &[(&str, &'static str)], key: &str) -> Option<&'static str> {
    table.iter().find(|row| row.0 == key).map(|row| row.1)
}

/// The whole of it.
pub(super) fn exception(f: &mut fmt::Formatter<'_>, exception: &Exception) -> fmt::Result {
    write!(f, "exception {}: ", exception.class.name())?;
    // The first call of those that failed at the door belongs to the explanation.
    let stack = match (exception.class, exception.reason.as_atom(), &exception.stack[..]) {
        (Class::Error, Some("undef"), [first, stack @ ..]) => {
            f.write_str("undefined function ")?;
            name(f, first)?;
            stack
        }
        (
            Class::Error,
            Some("function_clause"),
            [first @ Frame { arguments: Some(arguments), .. }, stack @ ..],
        ) => {
            f.write_str("no function clause matching ")?;
            call(f, first, arguments)?;
            place(f, first)?;
            stack
        }
        (class, _, stack) => {
            reason(f, class, &exception.reason)?;
            stack
        }
    };
    for (index, frame) in stack.iter().enumerate() {
        let is_operation = is_operator(&frame.module, &frame.function, frame.arity);
        f.write_str(match index {
            0 if is_operation => "\n  in operator  ",
            0 => "\n  in function  ",
            _ => "\n  in call from ",
        })?;
        name(f, frame)?;
        match &frame.arguments {
            Some(arguments) => {
                f.write_str("\n     called as ")?;
                call(f, frame, arguments)?;
            }
            None => place(f, frame)?,
        }
        for (argument, fault) in frame.faults.iter().filter(|_| index == 0) {
            write!(f, "\n     *** argument {argument}: {fault}")?;
        }
    }
    Ok(())
}

fn reason(f: &mut fmt::Formatter<'_>, class: Class, reason: &Value) -> fmt::Result {
    let known = match (class, reason) {
        (Class::Error, Value::Atom(atom)) => row(ATOMS, atom).map(|text| (text, None)),
        (Class::Error, Value::Tuple(pair)) => match &pair[..] {
            [Value::Atom(tag), value] if *tag == "badarity" => return bad_arity(f, reason, value),
            [Value::Atom(tag), Value::Atom(variable)] if *tag == "unbound" => {
                return write!(f, "variable {variable:?} is unbound");
            }
            [Value::Atom(tag), value] => row(PAIRS, tag).map(|text| (text, Some(value))),
            _ => None,
        },
        (Class::Exit, Value::Atom(atom)) if *atom == "calling_self" => {
            Some(("the current process attempted to call itself", None))
        }
        _ => None,
    };
    match known {
        Some((text, None)) => f.write_str(text),
        Some((text, Some(value))) => write!(f, "{text}{value}"),
        None => write!(f, "{reason}"),
    }
}

/// `{badarity, {Fun, Arguments}}`.
fn bad_arity(f: &mut fmt::Formatter<'_>, reason: &Value, call: &Value) -> fmt::Result {
    let Some([Value::Function(function), arguments]) = call.as_tuple() else { return write!(f, "{reason}") };
    let Some(arguments) = arguments.as_list() else { return write!(f, "{reason}") };
    write!(f, "{function} called with ")?;
    match arguments.len() {
        0 => f.write_str("no arguments"),
        1 => f.write_str("one argument"),
        2 => f.write_str("two arguments"),
        more => write!(f, "{more} arguments"),
    }
}

fn is_operator(module: &Atom, function: &Atom, arity: usize) -> bool {
    let function = function.as_str();
    *module == "erlang" && OPERATORS.iter().any(|row| row.0 == function && row.1.contains(&arity))
}

/// Auto-imported functions and operators go without their module.
fn name(f: &mut fmt::Formatter<'_>, frame: &Frame) -> fmt::Result {
    function(f, frame)?;
    write!(f, "/{}", frame.arity)
}

fn function(f: &mut fmt::Formatter<'_>, frame: &Frame) -> fmt::Result {
    let Frame { module, function, arity, .. } = frame;
    let is_auto_imported = *module == "erlang"
        && u32::try_from(*arity).is_ok_and(|arity| builtin::is_auto_imported(function, arity));
    match is_operator(module, function, *arity) {
        true if *function == "/" => f.write_str("'/'"),
        is_operator if is_operator || is_auto_imported => f.write_str(function),
        _ => write!(f, "{module:?}:{function:?}"),
    }
}

/// A call with its arguments.
fn call(f: &mut fmt::Formatter<'_>, frame: &Frame, arguments: &[Value]) -> fmt::Result {
    match arguments {
        [operand] if is_operator(&frame.module, &frame.function, 1) => {
            write!(f, "{} {operand}", frame.function.as_str())
        }
        [left, right] if is_operator(&frame.module, &frame.function, 2) => {
            write!(f, "{left} {} {right}", frame.function.as_str())
        }
        _ => {
            function(f, frame)?;
            for (index, argument) in arguments.iter().enumerate() {
                write!(f, "{}{argument}", if index == 0 { "(" } else { "," })?;
            }
            f.write_str(if arguments.is_empty() { "()" } else { ")" })
        }
    }
}

fn place(f: &mut fmt::Formatter<'_>, frame: &Frame) -> fmt::Result {
    match (&frame.file, frame.line) {
        (Some(file), Some(line)) => write!(f, " ({file}, line {line})"),
        _ => Ok(()),
    }
}

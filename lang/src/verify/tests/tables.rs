//! Rules about what is outside the code.

use super::*;
use crate::bytecode::{AtomIx, FnIx, ImportIx, Instr, Label, LineIx, LitIx, LitValue, Literal};

/// Why a good module is refused after `change`.
#[track_caller]
fn changed(change: impl FnOnce(&mut Module)) -> Reason {
    let mut module = module(
        "    line \"m.erl\":3\n    call_ext_only lists:reverse/2\n\
         literal #0 = [1, 2]\nliteral #1 = {a, #0}\nlambda 0 = g/2 free=1 uniq=5\nattribute vsn = #0",
    );
    assert_eq!(verify(module.clone()).map(|_| ()), Ok(()));
    change(&mut module);
    verify(module).expect_err("must be refused").reason
}

#[test]
fn indices_name_rows() {
    assert_eq!(changed(|m| m.name = AtomIx(99)), Reason::OutOfRange("atom", 99));
    assert_eq!(changed(|m| m.functions[0].name = AtomIx(99)), Reason::OutOfRange("atom", 99));
    assert_eq!(changed(|m| m.imports[0].module = AtomIx(99)), Reason::OutOfRange("atom", 99));
    assert_eq!(changed(|m| m.lambdas[0].function = FnIx(99)), Reason::OutOfRange("function", 99));
    assert_eq!(changed(|m| m.lines[0].file = 1), Reason::OutOfRange("file", 1));
    assert_eq!(changed(|m| m.attributes[0].0 = AtomIx(99)), Reason::OutOfRange("atom", 99));
    assert_eq!(
        changed(|m| m.attributes[0].1 = LitValue::Lit(LitIx(2))),
        Reason::OutOfRange("earlier literal", 2)
    );
    assert_eq!(changed(|m| m.on_load = Some(FnIx(9))), Reason::OutOfRange("function", 9));
    let code = |instr: Instr| changed(|m| m.functions[0].code[0] = instr);
    assert_eq!(code(Instr::Line { line: LineIx(1) }), Reason::OutOfRange("line", 1));
    assert_eq!(code(Instr::CallOnly { function: FnIx(3) }), Reason::OutOfRange("function", 3));
    assert_eq!(code(Instr::CallExtOnly { import: ImportIx(1) }), Reason::OutOfRange("import", 1));
    assert_eq!(code(Instr::Jump { label: Label(0) }), Reason::OutOfRange("label", 0));
    assert_eq!(
        code(Instr::Move { src: crate::bytecode::Src::Lit(LitIx(2)), dst: crate::bytecode::Reg::X(0) }),
        Reason::OutOfRange("literal", 2)
    );
}

#[test]
fn rows_are_distinct() {
    assert_eq!(changed(|m| m.atoms[1] = m.atoms[0].clone()), Reason::Duplicate("atom", 1));
    assert_eq!(changed(|m| m.imports.push(m.imports[0])), Reason::Duplicate("import", 1));
    assert_eq!(changed(|m| m.functions.push(m.functions[0].clone())), Reason::Duplicate("function", 3));
}

#[test]
fn parameters_for_contexts_are_parameters_in_order() {
    for contexts in [vec![2], vec![1, 0], vec![0, 0]] {
        assert_eq!(changed(|m| m.functions[0].contexts = contexts.clone()), Reason::BadContexts);
    }
}

#[test]
fn atoms_have_at_most_255_characters() {
    assert_eq!(changed(|m| m.atoms[0] = "ж".repeat(256)), Reason::AtomTooLong(0));
    let mut module = module("    return");
    module.atoms[0] = "ж".repeat(255);
    assert!(verify(module).is_ok());
}

#[test]
fn the_tables_of_functions_are_consistent() {
    assert_eq!(changed(|m| m.lambdas[0].free = 3), Reason::LambdaArity(0));
    assert_eq!(changed(|m| m.lines[0].line = 0), Reason::LineZero(0));
    assert_eq!(changed(|m| m.on_load = Some(FnIx(0))), Reason::OnLoadArity);
}

#[track_caller]
fn literal(row: Literal) -> Option<&'static str> {
    let mut module = module("    return\nliteral #0 = [1, 2]\nliteral #1 = \"\\x{1}\\x{2}\"");
    module.literals.push(row);
    match verify(module) {
        Ok(_) => None,
        Err(VerifyError { reason: Reason::BadLiteral(2, rule), .. }) => Some(rule),
        Err(error) => panic!("{error}"),
    }
}

fn big(negative: bool, magnitude: &[u8]) -> Literal {
    Literal::Big { negative, magnitude: magnitude.to_vec() }
}

#[test]
fn integers_have_one_form() {
    let in_range = Some("an integer in the range of i64 is an operand, not a literal");
    assert_eq!(literal(big(false, &[])), in_range);
    assert_eq!(literal(big(false, &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])), in_range);
    assert_eq!(literal(big(false, &[0, 0, 0, 0, 0, 0, 0, 0x80])), None);
    assert_eq!(literal(big(true, &[0, 0, 0, 0, 0, 0, 0, 0x80])), in_range);
    assert_eq!(literal(big(true, &[1, 0, 0, 0, 0, 0, 0, 0x80])), None);
    assert_eq!(
        literal(big(false, &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
        Some("the magnitude ends in a zero byte")
    );
}

#[test]
fn floats_are_finite() {
    assert_eq!(literal(Literal::Float((-0.0f64).to_bits())), None);
    assert_eq!(literal(Literal::Float(f64::NAN.to_bits())), Some("the float is not finite"));
    assert_eq!(literal(Literal::Float(f64::NEG_INFINITY.to_bits())), Some("the float is not finite"));
}

#[test]
fn lists_and_bitstrings_are_canonical() {
    assert_eq!(literal(Literal::String(vec![])), Some("the string has no character"));
    assert_eq!(
        literal(Literal::String(vec![0x11_0000])),
        Some("a character of the string is above the highest code point")
    );
    let list = Literal::List { items: vec![], tail: LitValue::Nil };
    assert_eq!(literal(list), Some("the list has no element"));
    let bits = |bytes: &[u8], bits| literal(Literal::Bits { bytes: bytes.to_vec(), bits });
    assert_eq!(bits(&[0xFF, 0xE0], 11), None);
    assert_eq!(bits(&[0xFF, 0xF0], 11), Some("the unused bits are not zero"));
    assert_eq!(bits(&[0xFF], 11), Some("the number of bits is not that of the bytes"));
    assert_eq!(bits(&[], u64::MAX), Some("the number of bits is not that of the bytes"));
}

#[test]
fn map_keys_are_distinct_by_value() {
    let twice = Some("the map has a key twice");
    let pairs =
        |keys: &[LitValue]| literal(Literal::Map(keys.iter().map(|key| (*key, LitValue::Nil)).collect()));
    assert_eq!(pairs(&[LitValue::Int(1), LitValue::Int(2)]), None);
    assert_eq!(pairs(&[LitValue::Int(1), LitValue::Int(1)]), twice);
    // A list of characters and a string are the same value.
    assert_eq!(pairs(&[LitValue::Lit(LitIx(0)), LitValue::Lit(LitIx(1))]), twice);
}

#[test]
fn towers_that_share_themselves_are_too_large() {
    let tower = |height: u32| {
        let mut module = module("    return");
        module.literals.push(Literal::Tuple(vec![LitValue::Nil, LitValue::Nil]));
        for below in 0..height {
            let below = LitValue::Lit(LitIx(below));
            module.literals.push(Literal::Tuple(vec![below, below]));
        }
        verify(module).map(|_| ()).map_err(|error| error.reason)
    };
    assert_eq!(tower(20), Ok(()));
    assert_eq!(tower(40), Err(Reason::TooLarge("the literals")));
    assert_eq!(tower(100_000), Err(Reason::TooLarge("the literals")));
}

#[test]
fn literals_refer_backwards() {
    for row in [2, 3, u32::MAX] {
        let mut module = module("    return\nliteral #0 = [1, 2]\nliteral #1 = [1, 2]");
        module.literals.push(Literal::Tuple(vec![LitValue::Lit(LitIx(row))]));
        let error = verify(module).expect_err("refers to itself or later");
        assert_eq!(error.reason, Reason::OutOfRange("earlier literal", row));
    }
}

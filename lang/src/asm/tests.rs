//! Modules as text and back, and text that is none.

use super::*;
use crate::bytecode::Module;

const TEXT: &str = r##"
% Comments and blank lines mean nothing.
module 'the module'
file "a \"file\".erl"

function f/2 exported
L0:
    line "a \"file\".erl":3
    line "other.hrl":1
    move 'x1', x0          % an atom that looks like a register
    move -9223372036854775808, y4095
    select_val x0, L1, [1: L0, foo: L1, []: L1, 'all': L1]
    select_arity x0, L1, [0: L0, 3: L1]
    bif raise, live=2, erlang:'+'/2, [x0, #1], x0
    bif L1, live=2, erlang:self/0, [], x0
    map_put raise, live=1, #3, [a: x0, "b": 1], x0
    map_get L1, x0, [a: x1, #0: y3]
    bs_create raise, live=3, [integer x0 size=8 unit=1 little_signed, binary x1 size=all unit=8 big, utf8 x2 size=0 unit=1 native], x0
    bs_integer L1, live=3, x2, size=x1, unit=8, native_signed, x0
    bs_binary L1, live=3, x2, size=all, unit=8, x0
    bs_utf L1, x2, utf16, little, x0
    bs_string L1, x2, #6
    make_fun fun#0, [x0, []], x0
    is_fun_of L1, x0, arity=2
    wait_timeout L0, time=infinity
    call f/2
    call_ext 'the module':'it''s'/255
L1:
    return

literal #0 = "line\n\"\\\x{7}\x{1F600}\x{D800}ж"
literal #1 = big -16#0100000000000000000000
literal #2 = [a, 1 | #0]
literal #3 = #{a => #2, 'B' => []}
literal #4 = {}
literal #5 = float -0.0
literal #6 = bits 11 16#FFE0
literal #7 = fun lists:map/2
literal #8 = {#7, #5, #4, #3}
literal #9 = float 1e300
lambda 0 = f/2 free=2 uniq=4294967295
attribute vsn = #8
attribute author = joe
on_load f/2
md5 000102030405060708090a0b0c0d0e0f
"##;

fn text() -> String {
    TEXT.replace("\"b\": 1", "b: 1").replace("'it''s'", r"'it\'s'")
}

#[test]
fn a_module_is_printed() {
    let module = parse(&text()).expect("good text");
    insta::assert_snapshot!(print(&module));
}

#[test]
fn what_is_printed_is_the_same_module_again() {
    let module = parse(&text()).expect("good text");
    let printed = print(&module);
    assert_eq!(parse(&printed), Ok(module), "{printed}");
    assert_eq!(print(&parse(&printed).expect("parsed before")), printed);
}

#[test]
fn the_order_of_tables_is_kept() {
    let module =
        parse("module m\natoms z, m, a\nimports z:a/1, a:z/2\nfunction a/0\n    return").expect("good");
    assert_eq!(module.atoms, ["z", "m", "a"]);
    assert_eq!(module.name.0, 1);
    assert_eq!(parse(&print(&module)), Ok(module));
}

#[track_caller]
fn fails(statement: &str) -> String {
    let error = parse(&format!("module m\nfunction f/0\n{statement}")).expect_err("is no statement");
    assert_eq!(error.line, 3);
    error.message
}

#[test]
fn faults_in_text_are_told() {
    assert_eq!(fails("    fly x0"), "there is no instruction `fly`");
    assert_eq!(fails("    move x0"), "expected `,` before ``");
    assert_eq!(fails("    move x0, z0"), "expected a register, not `z0`");
    assert_eq!(fails("    return x0"), "more than expected: `x0`");
    assert_eq!(fails("    call h/1"), "there is no function h/1");
    assert_eq!(fails("    allocate words=1, live=70000"), "expected a number that fits here before `70000`");
    assert_eq!(fails("    allocate 1, live=0"), "expected `words` before `1, live=0`");
    assert_eq!(fails("    move 'a, x0"), "no closing quote in `'a, x0`");
    assert_eq!(fails("    ,"), "no statement: `,`");
    assert_eq!(fails("literal #1 = []"), "literals are numbered in order from 0");
    assert_eq!(fails("literal #0 = {x0}"), "a register in a literal");
    assert_eq!(fails("md5 00"), "md5 has 32 hexadecimal digits");
}

#[test]
fn cut_and_spliced_text_never_panics() {
    let good = text();
    let places: Vec<usize> = good.char_indices().map(|(at, _)| at).collect();
    for (n, at) in places.iter().enumerate() {
        let _ = parse(&good[..*at]);
        let other = places[(n * 7919) % places.len()];
        let _: Result<Module, AsmError> = parse(&format!("{}{}", &good[..*at], &good[other..]));
    }
}

//! Modules made to be slow to judge, and random ones.

use super::model::Random;
use super::*;
use crate::bytecode::{Instr, Operand, Reg};
use proptest::prelude::*;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Far above what any of these takes on a slow machine, far below what a blow-up takes.
const LIMIT: Duration = Duration::from_secs(20);

#[track_caller]
fn judged_in_time(code: &str) -> Result<(), Reason> {
    let module = module(code);
    let start = Instant::now();
    let answer = verify(module).map(|_| ()).map_err(|error| error.reason);
    assert!(start.elapsed() < LIMIT, "took {:?}", start.elapsed());
    answer
}

#[test]
fn a_cycle_that_loses_one_register_a_round() {
    // x0 <- x1 <- ... <- x999 <- undefined, in a cycle, with a block per move.
    let mut code = String::new();
    for n in 0..1000 {
        writeln!(code, "    move 1, x{n}").expect("to a string");
    }
    code.push_str("L0:\n");
    for n in 0..999 {
        writeln!(code, "    move x{}, x{n}\n    is_nil L{}, x{n}\nL{}:", n + 1, n + 1, n + 1)
            .expect("to a string");
    }
    code.push_str("    test_heap words=0, live=999\n    jump L0");
    assert!(judged_in_time(&code).is_err());
}

#[test]
fn a_large_frame_and_many_labels() {
    let mut code = String::from("    allocate words=4096, live=2\n");
    for n in 0..20_000 {
        writeln!(code, "    is_nil L{n}, x0\nL{n}:").expect("to a string");
    }
    code.push_str("    deallocate words=4096\n    return");
    assert_eq!(judged_in_time(&code), Err(Reason::TooLarge("registers times labels in one function")));
}

#[test]
fn a_long_function_is_fine() {
    let mut code = String::from("    allocate words=20, live=2\n    move x0, y0\n    try y1, L100000\n");
    for n in 0..20_000 {
        writeln!(
            code,
            "    is_cons L{n}, y0\n    get_hd y0, x0\n    move x0, y2\nL{n}:\n    move 1, x0\n    call g/1\n    move x0, y0"
        )
        .expect("to a string");
    }
    code.push_str("    try_end y1\n    deallocate words=20\n    return\nL20000:\n    try_case y1\n    deallocate words=20\n    return");
    assert_eq!(judged_in_time(&code.replace("L100000", "L20000")), Ok(()));
}

#[test]
fn a_select_of_very_many_cases() {
    let cases: Vec<String> = (0..30_000).map(|n| format!("{n}: L{n}")).collect();
    let mut code = format!("    select_val x0, L0, [{}]\n", cases.join(", "));
    for n in 0..30_000 {
        writeln!(code, "L{n}:\n    return").expect("to a string");
    }
    assert_eq!(judged_in_time(&code), Ok(()));
}

/// Code with a bit of everything, to be broken.
pub(super) const RICH: &str = "    allocate words=3, live=2
    try y0, L9
    move x0, y2
    is_cons L1, y2
    get_list y2, x0, x1
    is_tuple_of L1, x0, arity=2
    get_element x0, index=1, x0
    test_heap words=7, live=2
    put_list x0, x1, x2
    put_tuple [x2, a, 5], x0
    bif L1, live=1, erlang:tuple_size/1, [x0], x1
    select_val x1, L1, [3: L2, a: L1]
L2:
    bs_start L1, live=2, x0, x2
    bs_get_position x2, x3
    bs_integer L3, live=4, x2, size=8, unit=1, big, x0
    bs_set_position x2, x3
L3:
    bs_rest L1, x2, unit=8
    move x0, x1
    move x2, y1
    move x2, x0
    call h/2
    move y1, x1
    bs_begin x1
    bs_whole live=2, x1, x1
    bs_start L1, live=2, y1, x2
    move nil, y1
    map_put raise, live=1, #0, [a: x0], x0
    is_map L1, x0
    map_get L1, x0, [a: x1, b: x2]
    call_ext erlang:self/0
    call_fun arity=0
    is_nil L7, x0
    test_heap words=4, live=1
    jump L8
L7:
    test_heap words=4, live=1
L8:
    put_list x0, [], x0
    put_list 1, x0, x0
L1:
    move y2, x0
    try_end y0
L4:
    loop_rec L5, x0
    is_cons L6, x0
    get_hd x0, x0
    remove_message live=1
    call_last g/1, words=3
L6:
    loop_rec_end L4
L5:
    wait_timeout L4, time=10
    timeout
    move ok, x0
    deallocate words=3
    return
L9:
    try_case y0
    move x2, y0
    build_trace live=3, x2, x2
    test_heap words=3, live=3
    make_fun fun#0, [x2], x0
    move y0, x2
    re_raise
function h/2 contexts 0
    bs_whole live=2, x0, x0
    return
literal #0 = #{z => 1}
literal #1 = [a, #0]
literal #2 = bits 11 16#FFE0
lambda 0 = g/2 free=1 uniq=1";

/// A function whose first argument may be a match context, and which hands one on; to be broken too.
pub(super) const MATCHER: &str = "    bs_start L2, live=2, x0, x2
    bs_get_position x2, x3
    bs_integer L1, live=4, x2, size=8, unit=1, big, x4
    is_nil L3, x1
    bs_rest L1, x2, unit=8
    move x2, x0
    call_only h/2
L3:
    allocate words=1, live=5
    move x2, y0
    move x4, x1
    move x2, x0
    call h/2
    bs_whole live=1, y0, x1
    deallocate words=1
    return
L1:
    bs_set_position x2, x3
    bs_whole live=3, x2, x0
    return
L2:
    is_cons L4, x0
    return
L4:
    bs_begin x0
    bs_whole live=2, x0, x0
    return
function h/2 contexts 0
    bs_whole live=2, x0, x0
    return";

/// The module of [`MATCHER`].
pub(super) fn matcher() -> Module {
    let mut module = module(MATCHER);
    module.functions[0].contexts = vec![0];
    module
}

#[test]
fn the_rich_code_is_good() {
    accepted(RICH);
    verify(matcher()).expect("good too");
}

/// Changes one thing of a module's code, as `seed` says.
pub(super) fn mutate(module: &mut Module, seed: u64) {
    let mut random = Random(seed);
    let mut next = |below: usize| random.below(below);
    let code = &mut module.functions[0].code;
    let (at, other) = (next(code.len()), next(code.len()));
    match next(5) {
        0 => code.swap(at, other),
        1 => code[at] = code[other].clone(),
        2 => {
            code.remove(at);
        }
        3 => code.insert(at, code[other].clone()),
        _ => {
            let mut operands = 0;
            code[at].operands(&mut |_| operands += 1);
            let (chosen, choice, small) = (next(operands), next(3), next(6));
            let (mut n, small) = (0, u16::try_from(small).expect("below six"));
            code[at].operands_mut(&mut |operand| {
                n += 1;
                if n != chosen + 1 {
                    return operand;
                }
                match operand {
                    Operand::Reg(_) if choice == 0 => Operand::Reg(Reg::Y(small)),
                    Operand::Reg(_) => Operand::Reg(Reg::X(small)),
                    Operand::Read(_) if choice == 0 => Operand::Read(Reg::Y(small)),
                    Operand::Read(_) if choice == 1 => Operand::Int(i64::from(small)),
                    Operand::Read(_) => Operand::Read(Reg::X(small)),
                    Operand::Label(label) => Operand::Label(crate::bytecode::Label((label.0 + 1) % 10)),
                    Operand::Number(n) => Operand::Number(n.wrapping_add(u32::from(small)).wrapping_sub(3)),
                    other => other,
                }
            });
        }
    }
}

#[test]
fn mutated_code_is_judged_without_a_panic() {
    let good = module(RICH);
    let (mut refusals, rounds) = (0, 30_000);
    for seed in 0..rounds {
        let mut module = good.clone();
        for step in 0..1 + seed % 3 {
            mutate(&mut module, seed * 7 + step);
        }
        assert_eq!(crate::encode::decode(&crate::encode::encode(&module)).as_ref(), Ok(&module));
        if let Err(error) = verify(module.clone()) {
            refusals += 1;
            assert!(!error.to_string().is_empty());
        } else {
            let text = asm::print(&module);
            assert_eq!(asm::parse(&text).as_ref(), Ok(&module), "{text}");
        }
    }
    assert!(refusals > rounds / 2 && refusals < rounds, "{refusals} of {rounds} refused");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn flipped_bytes_are_judged_without_a_panic(flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let good = crate::encode::encode(&module(RICH));
        let mut payload = good[20..].to_vec();
        for (at, byte) in flips {
            let at = at.index(payload.len());
            payload[at] ^= byte;
        }
        if let Ok(module) = crate::encode::tests::decode_payload(&payload) {
            let _ = verify(module.clone());
            let _ = asm::print(&module);
            prop_assert_eq!(crate::encode::decode(&crate::encode::encode(&module)), Ok(module));
        }
    }
}

#[test]
fn instructions_out_of_range_can_be_shown() {
    let module = module("    return");
    let instr = Instr::MakeFun {
        lambda: crate::bytecode::LambdaIx(7),
        captured: vec![crate::bytecode::Src::Atom(crate::bytecode::AtomIx(999))],
        dst: Reg::X(0),
    };
    assert_eq!(asm::instruction(&module, &instr), "make_fun fun#7, [?atom999], x0");
}

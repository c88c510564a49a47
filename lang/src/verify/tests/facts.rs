//! What is known about accepted code.

use super::*;

/// Facts about the only instruction of `f/2` with this mnemonic.
#[track_caller]
fn fact(code: &str, mnemonic: &str) -> Fact {
    let verified = accepted(code);
    let function = &verified.module().functions[0];
    let mut found = (0..).zip(&function.code).filter(|(_, instr)| instr.mnemonic() == mnemonic);
    let (pc, _) = found.next().expect("the instruction is there");
    assert!(found.next().is_none());
    verified.functions()[0].at(pc)
}

#[track_caller]
fn proven(code: &str, mnemonic: &str) -> bool {
    fact(&format!("{code}\nL9:\n    if_clause\nliteral #0 = {{a, b, c}}\nliteral #1 = float 1.5"), mnemonic)
        .has(Fact::PROVEN)
}

#[test]
fn tests_prove_what_they_test() {
    assert!(proven("    is_cons L9, x0\n    get_hd x0, x0\n    return", "get_hd"));
    assert!(!proven("    get_hd x0, x0\n    return", "get_hd"));
    assert!(!proven("    is_list L9, x0\n    get_tl x0, x0\n    return", "get_tl"));
    assert!(proven(
        "    is_list L9, x0\n    is_nil L0, x0\n    return\nL0:\n    get_list x0, x0, x1\n    return",
        "get_list"
    ));
    assert!(proven(
        "    is_tuple_of L9, x0, arity=3\n    get_element x0, index=2, x0\n    return",
        "get_element"
    ));
    assert!(!proven(
        "    is_tuple_of L9, x0, arity=2\n    get_element x0, index=2, x0\n    return",
        "get_element"
    ));
    assert!(!proven("    is_tuple L9, x0\n    get_element x0, index=0, x0\n    return", "get_element"));
    assert!(proven(
        "    is_tagged L9, x0, arity=3, a\n    get_element x0, index=2, x0\n    return",
        "get_element"
    ));
    assert!(proven("    is_tuple L9, x0\n    select_arity x0, L9, [2: L9]", "select_arity"));
    assert!(proven(
        "    is_tuple L9, x0\n    select_arity x0, L9, [2: L0]\nL0:\n    get_element x0, index=1, x0\n    return",
        "get_element"
    ));
    assert!(proven("    is_map L9, x0\n    map_get L9, x0, [a: x0]\n    return", "map_get"));
    assert!(!proven("    map_has L9, x0, [a]\n    return", "map_has"));
    assert!(proven("    is_exact_eq L9, x0, #0\n    get_element x0, index=2, x0\n    return", "get_element"));
    assert!(!proven("    is_eq L9, x0, #0\n    get_element x0, index=2, x0\n    return", "get_element"));
    assert!(proven(
        "    is_exact_ne L0, x0, #0\n    return\nL0:\n    get_element x0, index=2, x0\n    return",
        "get_element"
    ));
}

#[test]
fn what_is_built_is_known_and_moves_along() {
    assert!(proven(
        "    test_heap words=2, live=2\n    put_list x0, x1, x5\n    get_hd x5, x0\n    return",
        "get_hd"
    ));
    assert!(proven(
        "    allocate words=1, live=2\n    is_cons L0, x0\n    move x0, y0\n    call g/1\n    get_hd y0, x0\n    deallocate words=1\n    return\nL0:\n    if_clause",
        "get_hd"
    ));
    assert!(!proven("    is_cons L9, x0\n    move x1, x0\n    get_hd x0, x0\n    return", "get_hd"));
    assert!(!proven("    is_cons L9, x0\n    swap x0, x1\n    get_hd x0, x0\n    return", "get_hd"));
}

#[test]
fn a_path_without_the_test_takes_the_proof_away() {
    assert!(!proven("    is_atom L0, x1\n    is_cons L9, x0\nL0:\n    get_hd x0, x0\n    return", "get_hd"));
    assert!(proven(
        "    is_atom L0, x1\n    is_cons L9, x0\n    jump L1\nL0:\n    is_cons L9, x0\nL1:\n    get_hd x0, x0\n    return",
        "get_hd"
    ));
    // A cycle brings the unproven value back.
    let code = "    is_cons L1, x0\n    allocate words=1, live=2\n    move x0, y0\nL0:\n    get_hd y0, x0\n    call g/1\n    move x0, y0\n    jump L0\nL1:\n    return";
    assert!(!fact(code, "get_hd").has(Fact::PROVEN));
    // An access that was checked proves the next one.
    let twice = accepted("    get_hd x0, x1\n    get_tl x0, x0\n    return");
    let facts = &twice.functions()[0];
    assert!(!facts.at(0).has(Fact::PROVEN) && facts.at(1).has(Fact::PROVEN));
}

#[test]
fn small_integers_and_floats_are_known_where_that_is_cheap() {
    let add = |before: &str, args: &str| {
        fact(
            &format!(
                "{before}    bif raise, live=2, erlang:'+'/2, [{args}], x0\n    return\nL9:\n    if_clause\nliteral #0 = float 1.5"
            ),
            "bif",
        )
    };
    assert_eq!(add("", "x0, 1"), Fact(Fact::REACHED.0 | Fact::SMALL_1.0));
    assert_eq!(add("", "x0, 1152921504606846976"), Fact::REACHED, "beyond the small range");
    assert_eq!(add("", "x0, #0"), Fact(Fact::REACHED.0 | Fact::FLOAT_1.0));
    assert_eq!(add("    is_integer L9, x0\n", "x0, x1"), Fact::REACHED, "may be a big one");
    assert_eq!(add("    is_float L9, x0\n", "x0, x1"), Fact(Fact::REACHED.0 | Fact::FLOAT_0.0));
    let root = "    bif raise, live=2, math:sqrt/1, [x0], x0\n    bif raise, live=2, erlang:'*'/2, [x0, x1], x1\n    move x1, x0\n";
    let facts = accepted(&format!("{root}    return"));
    assert_eq!(facts.functions()[0].at(1), Fact(Fact::REACHED.0 | Fact::FLOAT_0.0));
}

#[test]
fn code_that_nothing_reaches_is_marked() {
    let verified = accepted("    return\n    get_hd x9, x9\nL0:\n    jump L0");
    let facts = &verified.functions()[0];
    assert!(facts.at(0).has(Fact::REACHED));
    assert!((1..4).all(|pc| facts.at(pc) == Fact::default()));
}

#[test]
fn sizes_cover_what_is_used() {
    let verified =
        accepted("    allocate words=3, live=2\n    move 1, x7\n    deallocate words=3\n    return");
    assert_eq!((verified.functions()[0].x_registers, verified.functions()[0].max_frame), (8, 3));
}

#[test]
fn the_embedded_form_keeps_the_facts() {
    let verified = accepted("    is_cons L0, x0\n    get_hd x0, x0\nL0:\n    return");
    let bytes: &'static [u8] = verified.to_embedded().leak();
    assert_eq!(Verified::trusted_from_embedded(bytes), Ok(verified.clone()));
    assert_eq!(crate::encode::decode(bytes), Err(DecodeError::Content(1)), "not by the way of other modules");
    let plain: &'static [u8] = crate::encode::encode(verified.module()).leak();
    assert_eq!(Verified::trusted_from_embedded(plain), Err(DecodeError::Content(0)));
}

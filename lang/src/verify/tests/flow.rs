//! Rules about control, registers, space and operands.

use super::*;

#[test]
fn control_stays_in_the_code() {
    assert_eq!(refused("    move x0, x1"), Reason::FallsOff);
    assert_eq!(refused("    is_nil L0, x0\n    return\nL0:"), Reason::FallsOff);
    assert_eq!(refused(""), Reason::NoCode);
    accepted("    is_nil L0, x0\n    return\nL0:\n    move x1, x0\n    return");
}

#[test]
fn labels_are_declared_once() {
    assert_eq!(refused("    return\nL0:\n    return\nL0:\n    return"), Reason::LabelTwice(0));
    let mut module = module("    return\nL0:\n    return");
    module.functions[0].labels = u32::MAX;
    assert_eq!(verify(module).expect_err("labels are missing").reason, Reason::LabelMissing(1));
}

#[test]
fn registers_are_initialised() {
    assert_eq!(refused("    move x2, x0\n    return"), Reason::Undefined(x(2)));
    // On one path only.
    assert_eq!(
        refused("    is_nil L0, x0\n    move 1, x5\nL0:\n    move x5, x0\n    return"),
        Reason::Undefined(x(5))
    );
    accepted("    move 2, x5\n    is_nil L0, x0\n    move 1, x5\nL0:\n    move x5, x0\n    return");
    assert_eq!(refused("    test_heap words=2, live=3\n    return"), Reason::Undefined(x(2)));
    assert_eq!(
        refused("    test_heap words=2, live=1\n    move x1, x0\n    return"),
        Reason::Undefined(x(1)),
        "a collection leaves only what is live"
    );
    assert_eq!(refused("    call_ext_only m:f/3"), Reason::Undefined(x(2)));
    assert_eq!(refused("    call_fun_only arity=2"), Reason::Undefined(x(2)));
    assert_eq!(refused("    apply_only arity=1"), Reason::Undefined(x(2)));
    assert_eq!(refused("    test_heap words=0, live=1\n    function_clause"), Reason::Undefined(x(1)));
}

#[test]
fn registers_are_in_range() {
    assert_eq!(refused("    move x1024, x0\n    return"), Reason::NoSuchX(1024));
    assert_eq!(refused("    move y4096, x0\n    return"), Reason::NoSuchY(4096));
    assert_eq!(refused("    test_heap words=1, live=65535\n    return"), Reason::LiveTooHigh(65535));
    accepted("    move 1, x1023\n    return");
}

#[test]
fn a_failing_function_of_the_language_loses_what_is_not_live() {
    let code = "    bif L0, live=1, erlang:'+'/2, [x0, x1], x0\n    return\nL0:\n    move x1, x0\n    return";
    assert_eq!(refused(code), Reason::Undefined(x(1)));
    accepted(&code.replace("live=1", "live=2"));
}

#[test]
fn every_cycle_charges() {
    assert_eq!(refused("L0:\n    jump L0"), Reason::FreeLoop);
    assert_eq!(
        refused("L0:\n    is_nil L1, x0\n    return\nL1:\n    is_atom L0, x0\n    return"),
        Reason::FreeLoop
    );
    accepted("    allocate words=0, live=2\nL0:\n    call g/2\n    move 1, x1\n    jump L0");
    // Raising and catching for ever.
    assert_eq!(
        refused(
            "    allocate words=1, live=0\nL0:\n    try y0, L1\n    if_clause\nL1:\n    try_case y0\n    jump L0"
        ),
        Reason::FreeLoop
    );
}

#[test]
fn reserved_space_is_enough() {
    let build = |words: u32| {
        format!(
            "    test_heap words={words}, live=2\n    put_list x0, x1, x0\n    put_tuple [x0, x0], x0\n\
             \x20   make_fun fun#0, [x0], x0\n    return\nlambda 0 = g/2 free=1 uniq=0"
        )
    };
    assert_eq!(refused(&build(7)), Reason::NotReserved(3, 2));
    accepted(&build(8));
    assert_eq!(refused("    put_list x0, x1, x0\n    return"), Reason::NotReserved(2, 0));
    // A collection in between ends the reserve; so does a path without it.
    let between = "    test_heap words=2, live=2\n    bif raise, live=2, erlang:'+'/2, [x0, x1], x2\n\
                   \x20   put_list x0, x1, x0\n    return";
    assert_eq!(refused(between), Reason::NotReserved(2, 0));
    let path = "    is_nil L0, x0\n    test_heap words=2, live=2\nL0:\n    put_list x0, x1, x0\n    return";
    assert_eq!(refused(path), Reason::NotReserved(2, 0));
    let call = "    allocate words=0, live=2\n    test_heap words=2, live=2\n    call g/2\n\
                \x20   put_list x0, x0, x0\n    deallocate words=0\n    return";
    assert_eq!(refused(call), Reason::NotReserved(2, 0));
    assert_eq!(
        refused("    test_heap words=1048577, live=2\n    return"),
        Reason::BadOperand("more heap than one instruction may reserve")
    );
}

#[test]
fn what_is_no_term_stays_where_it_belongs() {
    let start = "    bs_start L9, live=2, x0, x2\n";
    let end = "\nL9:\n    return";
    let with = |code: &str| format!("{start}{code}{end}");
    let context = "a match context";
    accepted(&with("    move x2, x3\n    bs_integer L9, live=4, x3, size=8, unit=1, big, x0\n    return"));
    for code in [
        "    move x2, x0\n    return",
        "    move x2, x0\n    call_only g/1",
        "    test_heap words=2, live=3\n    put_list x2, [], x0\n    return",
        "    is_atom L9, x2\n    return",
        "    bif raise, live=2, erlang:byte_size/1, [x2], x0\n    return",
        "    badmatch x2",
        "    map_put raise, live=2, x0, [a: x2], x0\n    return",
    ] {
        let refusal = refused(&with(code));
        assert!(
            refusal == Reason::NotATerm(x(2), context) || refusal == Reason::NotATerm(x(0), context),
            "{code}: {refusal}"
        );
    }
    assert_eq!(refused("    bs_tail L9, x0, bits=0\nL9:\n    return"), Reason::WrongKind(x(0), context));
    // A context on one path and a term on the other is no term, a position on the other is nothing.
    let joined = "    is_nil L1, x0\n    bs_start L9, live=2, x0, x1\nL1:\n    move x1, x0\n    return\nL9:\n    return";
    assert_eq!(refused(joined), Reason::NotATerm(x(0), "a term or a match context"));
    let joined = joined.replace("x0, x1\nL1", "x0, x1\n    bs_get_position x1, x1\nL1");
    assert_eq!(refused(&joined), Reason::NotATerm(x(1), "values of different forms"));
    let moved = joined.replace("move x1, x0\n", "test_heap words=1, live=2\n    move x1, x2\n");
    assert_eq!(refused(&moved), Reason::NotATerm(x(1), "values of different forms"));
    accepted(&moved.replace("    move x1, x2\n", ""));
    accepted(&with("    bs_get_position x2, x3\n    bs_set_position x2, x3\n    return"));
    assert_eq!(
        refused(&with("    bs_set_position x2, x1\n    return")),
        Reason::WrongKind(x(1), "a position of a match context")
    );
    assert_eq!(
        refused(&with("    bs_get_position x2, x0\n    return")),
        Reason::NotATerm(x(0), "a position of a match context")
    );
}

/// `f/2` with this code, its first argument a term or a match context.
fn either(code: &str) -> Result<Verified, Reason> {
    let callee = "\nfunction h/2 contexts 0\n    bs_whole live=2, x0, x0\n    return";
    let mut module = module(&format!("{code}{callee}"));
    module.functions[0].contexts = vec![0];
    verify(module).map_err(|error| error.reason)
}

#[test]
fn what_may_be_a_context_is_matched_first() {
    let either_form = "a term or a match context";
    for code in [
        "    return",
        "    is_nil L9, x0\nL9:\n    move ok, x0\n    return",
        "    call_only g/2",
        "    badmatch x0",
        "    function_clause",
        "    test_heap words=2, live=2\n    put_list x0, [], x0\n    return",
    ] {
        assert_eq!(either(code).err(), Some(Reason::NotATerm(x(0), either_form)), "{code}");
    }
    for code in [
        "    bs_whole live=2, x0, x0\n    return",
        "    call_only h/2",
        "    bs_begin x0\n    bs_start L9, live=2, x0, x0\n    call_only h/2\nL9:\n    return",
        "    allocate words=1, live=2\n    move x0, y0\n    call h/2\n    bs_whole live=1, y0, x0\n    deallocate words=1\n    return",
    ] {
        assert_eq!(either(code).err(), None, "{code}");
    }
    // Only where the callee says so, and never what is in the mailbox still.
    let second = "    move x0, x1\n    move [], x0\n    call_only h/2";
    assert_eq!(either(second).err(), Some(Reason::NotATerm(x(1), either_form)));
    let start = "    bs_start L9, live=2, x0, x0\n";
    assert_eq!(
        refused(&format!("{start}    call_only g/2\nL9:\n    return")),
        Reason::NotATerm(x(0), "a match context")
    );
    assert_eq!(
        refused(&format!("{start}    bs_rest L9, x0, unit=0\n    call_only g/2\nL9:\n    return")),
        Reason::BadOperand("a unit is 1 to 256 bits")
    );
    assert_eq!(
        refused("    bs_rest L9, x0, unit=1\nL9:\n    return"),
        Reason::WrongKind(x(0), "a match context")
    );
}

#[test]
fn operands_keep_their_bounds() {
    let operand = |code: &str| match refused(&format!("{code}\nL9:\n    return\nliteral #0 = {{a}}")) {
        Reason::BadOperand(rule) => rule,
        other => panic!("{code}: {other}"),
    };
    assert_eq!(operand("    put_tuple [], x0"), "a tuple of no elements (a literal) or of too many");
    assert_eq!(operand("    is_tagged L9, x0, arity=0, a"), "a tuple of no elements has no tag");
    assert_eq!(operand("    select_val x0, L9, [1: L9, 1: L9]"), "two cases are the same");
    assert_eq!(operand("    select_val x0, L9, [#0: L9]"), "a case that is no integer, atom or nil");
    assert_eq!(operand("    select_val x0, L9, [x1: L9]"), "a case that is no integer, atom or nil");
    assert_eq!(operand("    select_arity x0, L9, [1: L9, 1: L9]"), "two cases are the same");
    assert_eq!(
        operand("    bif raise, live=2, erlang:'+'/1, [x0, x1], x0"),
        "another number of arguments than the function takes"
    );
    assert_eq!(
        operand("    bif raise, live=2, lists:reverse/1, [x0], x0"),
        "neither a function of `erlang` that guards allow nor one of `math`"
    );
    assert_eq!(
        operand("    bif raise, live=2, erlang:spawn/1, [x0], x0"),
        "neither a function of `erlang` that guards allow nor one of `math`"
    );
    assert_eq!(
        operand("    bif raise, live=2, math:pi/0, [], x0"),
        "neither a function of `erlang` that guards allow nor one of `math`"
    );
    assert_eq!(
        operand("    bif L9, live=2, math:sqrt/1, [x0], x0"),
        "neither a function of `erlang` that guards allow nor one of `math`"
    );
    let many = vec!["x0"; 65_536].join(", ");
    assert_eq!(operand(&format!("    put_tuple [{many}], x0")), "more operands than an instruction may have");
    assert_eq!(operand("    get_element x0, index=16777215, x0"), "no tuple has so many elements");
    assert_eq!(
        operand("    allocate words=4097, live=2"),
        "a frame of more slots than there are Y registers"
    );
    let bits = |row: &str| operand(&format!("    bs_start L9, live=2, x0, x2\n{row}"));
    assert_eq!(bits("    bs_skip L9, x2, size=1, unit=0"), "a unit is 1 to 256 bits");
    assert_eq!(bits("    bs_skip L9, x2, size=1, unit=257"), "a unit is 1 to 256 bits");
    assert_eq!(bits("    bs_string L9, x2, #0"), "the literal is no bitstring");
    assert_eq!(bits("    bs_utf L9, x2, integer, big, x0"), "not a UTF segment");
    assert_eq!(
        operand("    bs_create raise, live=2, [integer x0 size=all unit=1 big], x0"),
        "only a binary segment takes all of its value"
    );
    assert_eq!(
        refused(
            "    test_heap words=9, live=2\n    make_fun fun#0, [], x0\n    return\nlambda 0 = g/2 free=1 uniq=0"
        ),
        Reason::BadOperand("the fun captures another number of values")
    );
}

#[test]
fn map_get_reads_no_destination() {
    let get = |pairs: &str| {
        format!("    is_map L9, x0\n    map_get L9, x0, [{pairs}]\n    return\nL9:\n    if_clause")
    };
    accepted(&get("a: x2, b: x3"));
    accepted(&get("a: x2, x1: x0"));
    assert_eq!(refused(&get("a: x1, x1: x2")), Reason::DestinationRead(x(1)));
    assert_eq!(refused(&get("a: x0, b: x2")), Reason::DestinationRead(x(0)));
    // Where it jumps, a destination is not certain to be written.
    let code = "    is_map L9, x0\n    map_get L9, x0, [a: x2]\n    return\nL9:\n    move x2, x0\n    return";
    assert_eq!(refused(code), Reason::Undefined(x(2)));
}

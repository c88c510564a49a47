//! Rules about frames, catch marks and handlers.

use super::*;

#[test]
fn frames_are_made_once_and_left_as_made() {
    assert_eq!(
        refused("    allocate words=1, live=2\n    allocate words=1, live=2\n    return"),
        Reason::HasFrame
    );
    assert_eq!(refused("    allocate words=1, live=2\n    return"), Reason::HasFrame);
    assert_eq!(refused("    allocate words=1, live=2\n    call_only g/1"), Reason::HasFrame);
    assert_eq!(refused("    allocate words=1, live=2\n    call_last g/1, words=2"), Reason::FrameSize(2, 1));
    assert_eq!(
        refused("    allocate words=1, live=2\n    deallocate words=0\n    return"),
        Reason::FrameSize(0, 1)
    );
    assert_eq!(refused("    deallocate words=0\n    return"), Reason::NoFrame);
    assert_eq!(refused("    call_last g/1, words=0"), Reason::NoFrame);
    assert_eq!(refused("    call g/1\n    return"), Reason::NoFrame);
    assert_eq!(refused("    move x0, y0\n    return"), Reason::NoFrame);
    accepted("    allocate words=0, live=2\n    call g/1\n    deallocate words=0\n    return");
    accepted("    send\n    return");
}

#[test]
fn paths_meet_with_one_frame() {
    assert_eq!(
        refused("    is_nil L0, x0\n    allocate words=1, live=2\nL0:\n    return"),
        Reason::FrameMismatch
    );
    assert_eq!(
        refused(
            "    allocate words=2, live=2\n    is_nil L0, x0\n    trim words=1, remaining=1\nL0:\n    call_last g/1, words=2"
        ),
        Reason::FrameMismatch
    );
}

#[test]
fn slots_belong_to_the_frame() {
    assert_eq!(refused("    allocate words=2, live=2\n    move x0, y2\n    return"), Reason::NoSuchY(2));
    // All slots start as nil.
    accepted("    allocate words=2, live=2\n    move y1, x0\n    deallocate words=2\n    return");
    assert_eq!(
        refused("    allocate words=3, live=2\n    trim words=1, remaining=1\n    return"),
        Reason::FrameSize(2, 3)
    );
    assert_eq!(
        refused("    allocate words=3, live=2\n    trim words=1, remaining=2\n    move y2, x0\n    return"),
        Reason::NoSuchY(2)
    );
}

const HANDLER: &str = "L0:\n    try_case y0\n    deallocate words=2\n    return";

fn in_try(code: &str) -> String {
    format!("    allocate words=2, live=2\n    try y0, L0\n{code}\n{HANDLER}")
}

const LEAVE: &str = "    try_end y0\n    deallocate words=2\n    return";

#[test]
fn catch_marks_are_not_touched() {
    accepted(&in_try(&format!("    call g/1\n{LEAVE}")));
    assert_eq!(refused(&in_try(&format!("    move x0, y0\n{LEAVE}"))), Reason::MarkLost(0));
    assert_eq!(refused(&in_try(&format!("    move y0, x0\n{LEAVE}"))), Reason::MarkLost(0));
    assert_eq!(refused(&in_try(&format!("    swap y0, y1\n{LEAVE}"))), Reason::MarkLost(0));
    assert_eq!(refused(&in_try("    deallocate words=2\n    return")), Reason::MarkLost(0));
    assert_eq!(refused(&in_try("    call_last g/1, words=2")), Reason::MarkLost(0));
    assert_eq!(refused(&in_try("    trim words=1, remaining=1\n    return")), Reason::MarkLost(0));
    assert_eq!(refused(&in_try("    try y0, L0\n    return")), Reason::MarkLost(0));
    assert_eq!(
        refused(&in_try("    is_atom L1, y0\nL1:\n    return")),
        Reason::NotATerm(y(0), "a catch mark")
    );
    assert_eq!(
        refused(
            "    map_get L0, x0, [a: x1]\nL0:\n    try x1, L1\n    return\nL1:\n    try_case x1\n    return"
        ),
        Reason::BadOperand("a catch mark is only put into a Y slot")
    );
}

#[test]
fn catch_marks_nest() {
    let two = |first: &str, second: &str, ends: &str| {
        format!(
            "    allocate words=2, live=2\n    try {first}, L0\n    try {second}, L1\n{ends}    deallocate words=2\n    return\n\
             L0:\n    try_case {first}\n    deallocate words=2\n    return\nL1:\n    try_case {second}\n    try_end {first}\n\
             \x20   deallocate words=2\n    return"
        )
    };
    accepted(&two("y1", "y0", "    try_end y0\n    try_end y1\n"));
    assert_eq!(refused(&two("y0", "y1", "    try_end y1\n    try_end y0\n")), Reason::MarkOrder(1));
    assert_eq!(refused(&two("y1", "y0", "    try_end y1\n    try_end y0\n")), Reason::NotInnermost(1));
    assert_eq!(refused(&in_try("    try_end y1\n    return")), Reason::NotInnermost(1));
    assert_eq!(refused(&in_try("    catch_end y0\n    return")), Reason::NotInnermost(0));
    assert_eq!(
        refused(&in_try(&format!("    is_nil L1, x0\n    try_end y0\nL1:\n{LEAVE}"))),
        Reason::MarkMismatch
    );
}

#[test]
fn handlers_are_entered_by_exceptions_at_their_end_instruction() {
    let handler = |start: &str| {
        format!(
            "    allocate words=1, live=2\n    try y0, L0\n    call g/1\n    try_end y0\n    deallocate words=1\n    return\nL0:\n{start}"
        )
    };
    assert_eq!(refused(&handler("    deallocate words=1\n    return")), Reason::BadHandler("try_case"));
    assert_eq!(refused(&handler("    try_case y1\n    return")), Reason::BadHandler("try_case"));
    assert_eq!(refused(&handler("    catch_end y0\n    return")), Reason::BadHandler("try_case"));
    accepted(&handler("    line \"m.erl\":1\nL1:\n    try_case y0\n    deallocate words=1\n    return"));
    let jump = "    try_case y0\n    deallocate words=1\n    return\nfunction h/0\n    jump L0\nL0:\n    try_case y0\n    return";
    assert_eq!(refused(&handler(jump)), Reason::EntersHandler);
    assert_eq!(refused("    allocate words=1, live=2\n    try_case y0\n    return"), Reason::EntersHandler);
    assert_eq!(
        refused("    allocate words=1, live=2\nL0:\n    try_case y0\n    return"),
        Reason::EntersHandler
    );
    assert_eq!(
        refused(
            "    allocate words=1, live=0\n    try y0, L0\n    if_clause\nL0:\n    try_case y0\n    jump L0"
        ),
        Reason::EntersHandler
    );
}

#[test]
fn a_handler_finds_what_an_exception_leaves() {
    let handled =
        |code: &str| in_try(LEAVE).replace("    try_case y0\n", &format!("    try_case y0\n{code}"));
    // The registers at the raising instruction are gone; nothing raises here, so the handler is not reached at all.
    accepted(&handled("    move x7, x0\n"));
    let raising = |code: &str| {
        in_try(&format!("    call g/1\n{LEAVE}"))
            .replace("    try_case y0\n", &format!("    try_case y0\n{code}"))
    };
    assert_eq!(refused(&raising("    move x3, x0\n")), Reason::Undefined(x(3)));
    assert_eq!(refused(&raising("    move x2, x0\n")), Reason::NotATerm(x(0), "a raw stack trace"));
    accepted(&raising("    build_trace live=3, x2, x0\n"));
    accepted(&raising("    re_raise\nL1:\n"));
    assert_eq!(
        refused(&raising("    build_trace live=1, x1, x0\n")),
        Reason::WrongKind(x(1), "a raw stack trace")
    );
    assert_eq!(refused("    move x0, x2\n    re_raise"), Reason::WrongKind(x(2), "a raw stack trace"));
    // The raw trace survives calls in a slot.
    accepted(&raising(
        "    move x2, y1\n    move x0, y0\n    call g/1\n    move y1, x2\n    move y0, x0\n    move a, x1\n    re_raise\nL1:\n",
    ));
    // The slot is nil again.
    let verified = accepted(&raising("    move y0, x0\n    is_cons L1, x0\nL1:\n"));
    assert!(verified.functions()[0].at(2).has(Fact::REACHED));
}

#[test]
fn the_old_catch_has_one_end_for_both_paths() {
    let catch = |code: &str| {
        format!(
            "    allocate words=1, live=2\n    catch y0, L0\n{code}L0:\n    catch_end y0\n    deallocate words=1\n    return"
        )
    };
    accepted(&catch("    call g/1\n"));
    accepted(&catch("    badmatch x0\n"));
    assert_eq!(refused(&catch("    test_heap words=0, live=0\n")), Reason::Undefined(x(0)));
    assert_eq!(
        refused(&catch("    call g/1\n").replace("    deallocate", "    move x1, x0\n    deallocate")),
        Reason::Undefined(x(1))
    );
    assert_eq!(
        refused(
            "    allocate words=1, live=2\n    catch y0, L0\n    call g/1\n    catch_end y0\n    return\nL0:\n    catch_end y0\n    return"
        ),
        Reason::NotInnermost(0),
        "the mark's own end is elsewhere"
    );
}

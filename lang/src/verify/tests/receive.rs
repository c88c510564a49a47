//! Rules about receiving.

use super::*;

/// A receive whose clause is `clause`, in a frame of one slot.
fn receive(clause: &str) -> String {
    format!(
        "    allocate words=1, live=0\nL0:\n    loop_rec L1, x0\n{clause}\nL2:\n    loop_rec_end L0\nL1:\n    wait L0"
    )
}

const TAKE: &str = "    remove_message live=1\n    deallocate words=1\n    return";

#[test]
fn a_receive_goes_round_and_ends() {
    accepted(&receive(&format!("    is_cons L2, x0\n    get_hd x0, x0\n{TAKE}")));
    accepted(&receive(
        "    is_cons L2, x0\n    get_hd x0, x1\n    remove_message live=2\n    move x1, y0\n    move y0, x0\n    deallocate words=1\n    return",
    ));
    accepted(
        "    allocate words=1, live=2\n    move x0, y0\nL0:\n    loop_rec L1, x0\n    remove_message live=1\n    deallocate words=1\n    return\nL1:\n    wait_timeout L0, time=y0\n    timeout\n    deallocate words=1\n    move ok, x0\n    return",
    );
    // `after 0`.
    accepted(
        "L0:\n    loop_rec L1, x0\n    remove_message live=1\n    return\nL1:\n    timeout\n    move ok, x0\n    return",
    );
    // No clause: all messages are passed over.
    accepted(
        "L0:\n    loop_rec L1, x0\n    loop_rec_end L0\nL1:\n    wait_timeout L0, time=1000\n    timeout\n    move ok, x0\n    return",
    );
}

#[test]
fn fragile_terms_are_not_kept() {
    let fragile = |n| Reason::Fragile(x(n));
    let slot = Reason::Fragile(y(0));
    assert_eq!(refused(&receive(&format!("    move x0, y0\n{TAKE}"))), slot);
    assert_eq!(refused(&receive(&format!("    is_cons L2, x0\n    get_hd x0, y0\n{TAKE}"))), slot);
    assert_eq!(refused(&receive(&format!("    is_map L2, x0\n    map_get L2, x0, [a: y0]\n{TAKE}"))), slot);
    // What a native makes from it is fragile as well.
    assert_eq!(refused(&receive(&format!("    bif L2, live=1, erlang:'+'/2, [x0, 1], y0\n{TAKE}"))), slot);
    assert_eq!(refused(&receive(&format!("    bs_start L2, live=1, x0, y0\n{TAKE}"))), slot);
    // Taken out of the mailbox it is a term as any other.
    accepted(&receive(&format!(
        "    bif L2, live=1, erlang:'+'/2, [x0, 1], x0\n{}",
        TAKE.replace("    deallocate", "    move x0, y0\n    deallocate")
    )));
    let built = refused(
        "    test_heap words=9, live=0\nL0:\n    loop_rec L1, x0\n    put_list x0, [], x0\n    return\nL1:\n    wait L0",
    );
    assert_eq!(built, Reason::NotHere("while a message is being looked at"));
    assert_ne!(built, fragile(0));
}

#[test]
fn only_looking_is_allowed_at_a_message() {
    for code in [
        "    test_heap words=2, live=1",
        "    call g/1",
        "    send",
        "    call_last g/1, words=1",
        "    deallocate words=1",
        "    return",
        "    badmatch x0",
        "    bif raise, live=1, erlang:'+'/2, [x0, 1], x0",
        "    map_put raise, live=1, x0, [a: 1], x0",
        "    bs_create raise, live=1, [integer x0 size=8 unit=1 big], x0",
        "    put_list x0, [], x0",
        "    put_tuple [x0], x0",
        "    try y0, L2",
        "    loop_rec L1, x0",
        "    receive_mark x0",
        "    timeout",
        "    wait L0",
    ] {
        let refusal = refused(&receive(&format!("{code}\n{TAKE}")));
        assert_eq!(refusal, Reason::NotHere("while a message is being looked at"), "{code}");
    }
    accepted(&receive(&format!("    map_put L2, live=1, x0, [a: x0], x0\n{TAKE}")));
}

#[test]
fn a_message_is_taken_apart_by_what_is_known() {
    assert_eq!(refused(&receive(&format!("    get_hd x0, x0\n{TAKE}"))), Reason::UnprovenFragile(x(0)));
    assert_eq!(
        refused(&receive(&format!(
            "    is_tuple_of L2, x0, arity=2\n    get_element x0, index=2, x0\n{TAKE}"
        ))),
        Reason::UnprovenFragile(x(0))
    );
}

#[test]
fn its_rows_stand_in_order() {
    let outside = Reason::NotHere("outside this part of a receive");
    for row in ["remove_message live=0", "loop_rec_end L0", "wait L0", "wait_timeout L0, time=1", "timeout"] {
        assert_eq!(refused(&format!("L0:\n    {row}\n    return")), outside, "{row}");
    }
    let empty = |code: &str| {
        format!("    allocate words=0, live=0\nL0:\n    loop_rec L1, x0\n    loop_rec_end L0\nL1:\n{code}")
    };
    let waiting = Reason::NotHere("between the last message and the wait");
    assert_eq!(refused(&empty("    deallocate words=0\n    return")), waiting);
    assert_eq!(refused(&empty("    send\n    wait L0")), waiting);
    assert_eq!(refused(&empty("    loop_rec L1, x0\n    wait L0")), waiting);
    assert_eq!(
        refused(&empty("    wait_timeout L0, time=1\n    deallocate words=0\n    return")),
        Reason::NotHere("between the wait and its `timeout`")
    );
    assert_eq!(
        refused(&empty("    move 1, x0\n    wait_timeout L0, time=x0\n    timeout\n    return")),
        Reason::BadOperand("the time of a wait is a constant or in a Y slot")
    );
}

#[test]
fn going_back_is_to_its_own_start() {
    assert_eq!(
        refused("L3:\n    move 1, x0\nL0:\n    loop_rec L1, x0\n    loop_rec_end L3\nL1:\n    wait L0"),
        Reason::WrongLoop
    );
    assert_eq!(
        refused("L0:\n    loop_rec L1, x0\n    loop_rec_end L0\nL1:\n    wait L2\nL2:\n    return"),
        Reason::WrongLoop
    );
    assert_eq!(
        refused(
            "L0:\n    loop_rec L1, x0\n    jump L2\nL1:\n    wait L0\nL3:\n    loop_rec L1, x0\nL2:\n    loop_rec_end L3"
        ),
        Reason::WrongLoop
    );
}

#[test]
fn no_x_register_survives_the_search() {
    assert_eq!(refused(&receive(&format!("    move x1, x0\n{TAKE}"))), Reason::Undefined(x(1)));
    assert_eq!(
        refused(
            "L0:\n    loop_rec L1, x0\n    loop_rec_end L0\nL1:\n    wait_timeout L0, time=1\n    timeout\n    return"
        ),
        Reason::Undefined(x(0))
    );
}

#[test]
fn a_message_and_no_message_do_not_meet() {
    assert_eq!(
        refused(
            "L0:\n    loop_rec L1, x0\n    is_nil L2, x0\n    remove_message live=1\nL2:\n    return\nL1:\n    wait L0"
        ),
        Reason::ReceiveMismatch
    );
}

#[test]
fn a_time_out_that_raises_reaches_the_handler() {
    accepted(
        "    allocate words=2, live=1\n    move x0, y1\n    try y0, L9\nL0:\n    loop_rec L1, x0\n    loop_rec_end L0\nL1:\n    wait_timeout L0, time=y1\n    timeout\n    try_end y0\n    deallocate words=2\n    move ok, x0\n    return\nL9:\n    try_case y0\n    deallocate words=2\n    return",
    );
}

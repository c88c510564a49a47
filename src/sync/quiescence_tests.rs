//! Who a watch waits for, step by step. (All interleavings: `tests/loom_quiescence.rs`.)

use super::quiescence::Quiescence;

#[test]
fn a_watch_is_over_when_everybody_has_passed_slept_or_handed_in_the_ticket() {
    let quiescence = Quiescence::new(3);
    let asleep = quiescence.watch();
    assert!(quiescence.is_over(&asleep), "all sleep");
    quiescence.woke(0);
    quiescence.woke(1);
    assert!(quiescence.is_over(&asleep), "who woke after it began does not matter");
    let watch = quiescence.watch();
    quiescence.pass(0);
    quiescence.woke(2);
    assert!(!quiescence.is_over(&watch), "one is still in its slice");
    quiescence.sleep(1);
    assert!(quiescence.is_over(&watch));
    let ticket = quiescence.enter();
    let watch = quiescence.watch();
    quiescence.pass(0);
    quiescence.pass(2);
    let later = quiescence.enter();
    assert!(!quiescence.is_over(&watch), "a ticket is out");
    drop(ticket);
    assert!(quiescence.is_over(&watch), "the later one does not matter");
    drop(later);
}

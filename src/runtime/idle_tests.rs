//! Tests of the idle protocol; apart from it because the loom models compile `idle.rs` over other atomics.

use super::idle::*;

#[test]
fn every_one_of_130_sleepers_is_claimed_once() {
    let idle = Idle::new(130);
    for worker in 0..130 {
        idle.sleep(worker, false);
    }
    let mut woken = Vec::new();
    while let Some(worker) = idle.to_wake() {
        woken.push(worker);
        assert_eq!(idle.to_wake(), None, "nobody else is woken while one searches");
        idle.woke(worker);
        assert_eq!(idle.found(), Found::WakeAnother);
    }
    assert_eq!(woken, (0..130).collect::<Vec<_>>());
    assert_eq!((idle.sleeping(), idle.searching()), (0, 0));
}

#[test]
fn a_worker_that_wakes_by_itself_counts_once() {
    let idle = Idle::new(2);
    idle.sleep(1, false);
    idle.woke(1);
    idle.woke(1);
    assert_eq!((idle.sleeping(), idle.searching()), (0, 1));
    idle.sleep(1, true);
    assert_eq!((idle.sleeping(), idle.searching()), (1, 0));
    assert_eq!(idle.to_wake(), Some(1));
    idle.woke(1);
    assert_eq!((idle.sleeping(), idle.searching()), (0, 1));
}

#[test]
fn at_most_half_search() {
    let idle = Idle::new(4);
    assert!(idle.start_search());
    assert!(idle.start_search());
    assert!(!idle.start_search());
    assert_eq!(idle.found(), Found::GoOn);
    assert_eq!(idle.found(), Found::WakeAnother);
}

//! Operations on integers of millions of digits are given up, piece by piece, when nobody wants their result.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::heap::arith::{ArithError, ArithResult};
use crate::heap::work::{Mode, Poll};

/// Does it on the pool, where it may be asked `most` times whether it is to go on; how often it was asked.
fn asked(
    most: usize,
    operate: &dyn for<'h> Fn(&mut HeapRef<'h>) -> ArithResult<'h>,
) -> (Result<(), ArithError>, usize) {
    let atoms = atoms();
    let mut heap = heap();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    heap.begin_work(Mode::AtOnce);
    heap.set_poll(Some(Poll::new(Box::new(move || {
        if counted.fetch_add(1, Ordering::Relaxed) < most { Ok(()) } else { Err(AllocError::Cancelled) }
    }))));
    let result = heap.with(&atoms, |h| operate(h).map(|_| ()));
    (result, count.load(Ordering::Relaxed))
}

fn long<'h>(h: &mut HeapRef<'h>, limbs: usize, negative: bool) -> Result<Term<'h>, AllocError> {
    let limbs: Vec<u64> = (1..=limbs as u64).map(|limb| limb.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    h.big(negative, &limbs)
}

#[test]
fn long_operations_are_given_up_in_the_middle() {
    let operations: [&dyn for<'h> Fn(&mut HeapRef<'h>) -> ArithResult<'h>; 5] = [
        &|h| {
            let (a, b) = (long(h, 40_000, false)?, long(h, 39_000, true)?);
            h.multiply(a, b)
        },
        &|h| {
            let (a, b) = (long(h, 200_000, false)?, long(h, 500, true)?);
            h.multiply(a, b)
        },
        &|h| {
            let (a, b) = (long(h, 40_000, false)?, long(h, 20_000, true)?);
            h.int_divide(a, b)
        },
        &|h| {
            let (a, b) = (long(h, 200_000, false)?, long(h, 500, true)?);
            h.remainder(a, b)
        },
        &|h| {
            let a = long(h, 30_000, false)?;
            h.multiply(a, a)
        },
    ];
    for (index, operation) in operations.into_iter().enumerate() {
        let (whole, asked_in_all) = asked(usize::MAX, operation);
        assert_eq!(whole, Ok(()));
        assert!(asked_in_all >= 3, "operation {index} asks {asked_in_all} times");
        let cancelled = Err(ArithError::Alloc(AllocError::Cancelled));
        assert_eq!(asked(0, operation), (cancelled, 1), "operation {index}");
        assert_eq!(
            asked(asked_in_all / 2, operation),
            (cancelled, asked_in_all / 2 + 1),
            "operation {index}"
        );
    }
}

#[test]
fn a_worker_does_not_even_begin_with_them() {
    let atoms = atoms();
    let mut heap = heap();
    heap.begin_work(Mode::AtOnce);
    heap.with(&atoms, |h| {
        let (a, b) = (long(h, 40_000, false).unwrap(), long(h, 20_000, false).unwrap());
        let time = ArithError::Alloc(AllocError::Time);
        assert_eq!(h.multiply(a, b).err(), Some(time));
        assert_eq!(h.int_divide(a, b).err(), Some(time));
        assert_eq!(h.remainder(a, b).err(), Some(time));
    });
}

#[test]
fn long_results_are_those_of_dashu() {
    let atoms = atoms();
    heap().with(&atoms, |h| {
        let value = |term: Term<'_>| match Model::read(&atoms, term) {
            Model::Int(value) => value,
            _ => panic!(),
        };
        let signs = [(false, false), (true, false), (false, true), (true, true)];
        for (x, y) in [(9_000, 8_500), (20_000, 17), (12_000, 4_100)] {
            for (x_negative, y_negative) in signs {
                let (x, y) = (long(h, x, x_negative).unwrap(), long(h, y, y_negative).unwrap());
                let (a, b) = (value(x), value(y));
                assert!(value(h.multiply(x, y).unwrap()) == &a * &b);
                assert!(value(h.int_divide(x, y).unwrap()) == &a / &b);
                assert!(value(h.remainder(x, y).unwrap()) == &a % &b);
            }
        }
        let (most, two) = (long(h, crate::num::integer::MAX_LIMBS, false).unwrap(), h.int(1 << 58).unwrap());
        assert_eq!(h.multiply(most, two).err(), Some(ArithError::SystemLimit));
        let half = long(h, crate::num::integer::MAX_LIMBS / 2 + 2, false).unwrap();
        assert_eq!(h.multiply(half, half).err(), Some(ArithError::SystemLimit));
    });
}

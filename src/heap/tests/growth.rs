//! How heaps grow: what moves, what becomes old at once or in place, and what is given back.

use super::model::atoms;
use super::*;

#[test]
fn growth_is_geometric_and_hibernation_fits() {
    let atoms = atoms();
    let mut heap = heap();
    let mut cache = BlockCache::new();
    let mut roots = [Word::NIL];
    assert!(heap.young_words() <= 100);
    for i in 0..200_000 {
        if heap.free_words() < 2 {
            // SAFETY: the list is the only thing kept.
            let _ = unsafe { heap.collect(&mut cache, 2, &mut [&mut roots], Kind::Auto) }.unwrap();
        }
        heap.with(&atoms, |h| {
            // SAFETY: kept as a root.
            let tail = unsafe { h.term(roots[0]) };
            roots[0] = h.cons(Term::small(i).unwrap(), tail).unwrap().word();
        });
    }
    let statistics = heap.statistics();
    assert!(statistics.minor + statistics.major < 60, "{statistics:?}");
    roots[0] = Word::NIL;
    let _ = collect(&mut heap, 0, &mut roots, Kind::Hibernate);
    assert!(heap.total_words() <= 130, "{} words", heap.total_words());
}

#[test]
fn a_large_heap_is_renewed_not_copied_twice() {
    let atoms = atoms();
    let mut heap = heap();
    let mut cache = BlockCache::new();
    let mut roots = [Word::NIL];
    let (mut moved, mut made) = (0, 0);
    while made < 2_000_000 {
        if heap.free_words() < 2 {
            // SAFETY: the list is the only thing kept.
            let done = unsafe { heap.collect(&mut cache, 2, &mut [&mut roots], Kind::Auto) }.unwrap();
            moved += done.moved_words;
        }
        heap.with(&atoms, |h| {
            // SAFETY: kept as a root.
            let tail = unsafe { h.term(roots[0]) };
            roots[0] = h.cons(Term::NIL, tail).unwrap().word();
        });
        made += 2;
    }
    // Once to the old block, what doublings of the old one cost, and what moved before it was seen that all survives.
    assert!(2 * moved < 5 * made, "{moved} words moved for {made}");
    // An explicit collection of a large heap moves it once.
    let live = heap.used_words();
    let done = collect(&mut heap, 0, &mut roots, Kind::Major);
    assert!(done.moved_words <= live, "{} of {live}", done.moved_words);
    heap.with(&atoms, |h| {
        // SAFETY: kept as a root.
        assert_eq!(unsafe { h.term(roots[0]) }.proper_length(), Some(1_000_000));
    });
}

#[test]
fn what_is_promoted_at_once_points_at_nothing_young() {
    let atoms = atoms();
    let account = Account::root();
    let mut heap = Heap::new(account.clone(), Policy::default()).unwrap();
    let mut cache = BlockCache::new();
    let mut roots = [Word::NIL];
    const ELEMENTS: i64 = 400_000;
    for number in 0..ELEMENTS {
        if heap.free_words() < 16 || heap.collect_due() {
            // SAFETY: the list is the only thing kept.
            let _ = unsafe { heap.collect(&mut cache, 16, &mut [&mut roots], Kind::Auto) }.unwrap();
        }
        let message = (number % 5000 == 17).then(|| {
            heap.with(&atoms, |h| {
                let pair = [h.int(number).unwrap(), h.list(&[Term::NIL, Term::NIL]).unwrap()];
                let pair = h.tuple(&pair).unwrap();
                Fragment::copy(pair, &account).unwrap()
            })
        });
        heap.with(&atoms, |h| {
            let head = match message {
                Some(message) => h.adopt(message),
                None => {
                    let number_term = h.int(number).unwrap();
                    if number % 3 == 0 { h.tuple(&[number_term]).unwrap() } else { number_term }
                }
            };
            // SAFETY: kept as a root.
            let tail = unsafe { h.term(roots[0]) };
            roots[0] = h.cons(head, tail).unwrap().word();
        });
    }
    for kind in [Kind::Auto, Kind::Auto, Kind::Major] {
        heap.with(&atoms, |h| {
            let mut expected = ELEMENTS;
            // SAFETY: kept as a root.
            let list = unsafe { h.term(roots[0]) };
            for element in list.list() {
                expected -= 1;
                let number = match element.view() {
                    View::Tuple(parts) => parts[0],
                    _ => element,
                };
                assert_eq!(number.word(), Word::small(expected));
            }
            assert_eq!(expected, 0);
        });
        let _ = collect(&mut heap, 0, &mut roots, kind);
    }
    drop(heap);
    drop(cache);
    assert_eq!(account.bytes(), 0);
}

/// Young blocks become old where they are, with and without messages beside them, with shared binaries in them; part of what
/// they hold dies, and the next major collection clears it.
#[test]
fn what_is_kept_in_place_is_whole_and_dies_in_the_end() {
    const ELEMENTS: i64 = if cfg!(miri) { 3000 } else { 1_200_000 };
    let atoms = atoms();
    let account = Account::root();
    let mut heap = Heap::new(account.clone(), Policy::default()).unwrap();
    let mut cache = BlockCache::new();
    // The list that grows, and one of every 1,000th binary.
    let mut roots = [Word::NIL, Word::NIL];
    let (mut moved, mut majors, mut messages) = (0, 0, 0);
    for number in 0..ELEMENTS {
        if heap.free_words() < 64 || heap.collect_due() {
            // SAFETY: what is kept is in the roots.
            let done = unsafe { heap.collect(&mut cache, 64, &mut [&mut roots], Kind::Auto) }.unwrap();
            moved += done.moved_words;
            majors += usize::from(done.major);
        }
        // A message lies beside the heap now and then when it is collected, at times that have nothing to do with its blocks.
        let message = (number % 70_001 == 70_000).then(|| {
            messages += 1;
            heap.with(&atoms, |h| {
                let pair = [h.int(number).unwrap(), h.binary(&[7; 100]).unwrap()];
                let pair = h.tuple(&pair).unwrap();
                Fragment::copy(pair, &account).unwrap()
            })
        });
        heap.with(&atoms, |h| {
            // SAFETY: kept as roots.
            let [tail, binaries] = roots.map(|root| unsafe { h.term(root) });
            let head = match message {
                Some(message) => h.adopt(message),
                None => h.int(number).unwrap(),
            };
            let tail = if number == ELEMENTS / 2 { Term::NIL } else { tail };
            roots[0] = h.cons(head, tail).unwrap().word();
            if number % 1000 == 0 {
                let binary = h.binary(&[number as u8; 80]).unwrap();
                roots[1] = h.cons(binary, binaries).unwrap().word();
            }
        });
    }
    let made = 2 * ELEMENTS as usize;
    assert!(cfg!(miri) || (majors > 1 && messages > 10 && moved < 2 * made), "{majors} {moved} of {made}");
    for kind in [Kind::Auto, Kind::Auto, Kind::Major] {
        heap.with(&atoms, |h| {
            // SAFETY: kept as roots.
            let [list, binaries] = roots.map(|root| unsafe { h.term(root) });
            let mut expected = ELEMENTS;
            for element in list.list() {
                expected -= 1;
                let number = if let View::Tuple(parts) = element.view() { parts[0] } else { element };
                assert_eq!(number.word(), Word::small(expected));
            }
            assert_eq!(expected, ELEMENTS / 2);
            let mut multiple = (ELEMENTS - 1) / 1000 + 1;
            for binary in binaries.list() {
                multiple -= 1;
                let bits = binary.as_bits().unwrap();
                assert!(bits.iter_bytes().all(|byte| byte == (1000 * multiple) as u8));
            }
            assert_eq!(multiple, 0);
        });
        let _ = collect(&mut heap, 0, &mut roots, kind);
    }
    let live = (ELEMENTS / 2 * 2) as usize;
    assert!(heap.used_words() < live + live / 4, "{} of {live}", heap.used_words());
    roots = [Word::NIL, Word::NIL];
    let _ = collect(&mut heap, 0, &mut roots, Kind::Major);
    assert_eq!(heap.shared_bytes(), 0);
    drop(heap);
    drop(cache);
    assert_eq!(account.bytes(), 0);
}

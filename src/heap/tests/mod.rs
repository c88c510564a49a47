//! Properties of heaps: collecting and copying keep terms, maps behave as maps, arithmetic agrees with dashu.

mod growth;
mod huge;
mod leave;
pub(crate) mod model;

use std::collections::BTreeMap;

use dashu_int::IBig;
use proptest::prelude::*;

use self::model::{Model, atoms, integers, terms};
use super::*;
use crate::term::compare::{compare, compare_exact, equal, equal_exact};
use crate::term::hash::hash;
use crate::term::{Subtag, Term, View};

fn heap() -> Heap {
    Heap::new(Account::root(), Policy::default()).unwrap()
}

/// Builds models and gives their words, to be kept as roots.
fn build(heap: &mut Heap, atoms: &crate::atom::Atoms, models: &[Model]) -> Vec<Word> {
    heap.with(atoms, |h| models.iter().map(|model| model.build(h).word()).collect())
}

fn read(heap: &mut Heap, atoms: &crate::atom::Atoms, words: &[Word]) -> Vec<Model> {
    heap.with(atoms, |h| {
        // SAFETY: the words are terms of this heap, kept as roots since they were made.
        words.iter().map(|word| Model::read(atoms, unsafe { h.term(*word) })).collect()
    })
}

fn collect(heap: &mut Heap, need: usize, roots: &mut [Word], kind: Kind) -> Collected {
    // SAFETY: tests keep whatever they hold in `roots`.
    unsafe { heap.collect(&mut BlockCache::new(), need, &mut [roots], kind) }.unwrap()
}

#[test]
fn sizes_are_pinned() {
    assert_eq!(size_of::<Heap>(), 88);
    assert_eq!(size_of::<FragmentHeader>(), 56);
    assert_eq!(std::mem::offset_of!(Heap, hp), 0);
    assert_eq!(std::mem::offset_of!(Heap, sp), 8);
    assert_eq!(size_of::<Option<Fragment>>(), 8);
    assert_eq!(size_of::<View<'static>>(), 40);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 96 }))]

    #[test]
    fn collections_keep_terms(rounds in proptest::collection::vec((proptest::collection::vec(terms(), 0..4), 0usize..300, 0u8..8), 1..10),
                              stress: bool) {
        let atoms = atoms();
        let account = Account::root();
        let mut heap = Heap::new(account.clone(), Policy { stress, ..Policy::default() }).unwrap();
        let mut kept = Vec::new();
        let mut roots = Vec::new();
        for (models, need, action) in rounds {
            roots.extend(build(&mut heap, &atoms, &models));
            kept.extend(models);
            let kind = match action { 0 => Kind::Major, 1 => Kind::Hibernate, _ => Kind::Auto };
            if action == 2 && !roots.is_empty() {
                roots.remove(0);
                kept.remove(0);
            }
            let _ = collect(&mut heap, need, &mut roots, kind);
            prop_assert!(heap.free_words() >= need);
            prop_assert_eq!(read(&mut heap, &atoms, &roots), kept.clone());
        }
        drop(heap);
        prop_assert_eq!(account.bytes(), 0);
    }

    #[test]
    fn the_stack_is_a_root_and_keeps_its_place(models in proptest::collection::vec(terms(), 1..6), rounds in 1usize..4) {
        let atoms = atoms();
        let mut heap = heap();
        let words = build(&mut heap, &atoms, &models);
        let mut roots = words.clone();
        let _ = collect(&mut heap, words.len() + 2, &mut roots, Kind::Auto);
        let mut expected = Vec::new();
        for word in &roots {
            // SAFETY: room was asked for.
            unsafe { heap.sp = heap.sp.sub(1); heap.sp.write(*word); }
            expected.insert(0, *word);
        }
        // SAFETY: as above.
        unsafe { heap.sp = heap.sp.sub(1); heap.sp.write(Word::continuation(0x1000)); }
        for _ in 0..rounds {
            let _ = collect(&mut heap, 1000, &mut [], Kind::Auto);
        }
        prop_assert_eq!(heap.stack()[0], Word::continuation(0x1000));
        let words: Vec<Word> = heap.stack()[1..].to_vec();
        let mut found = read(&mut heap, &atoms, &words);
        found.reverse();
        prop_assert_eq!(found, models);
    }

    #[test]
    fn copies_are_equal_and_as_large_as_measured(model in terms()) {
        let atoms = atoms();
        let account = Account::root();
        let (mut from, mut to) = (heap(), Heap::new(account.clone(), Policy::default()).unwrap());
        let fragment = from.with(&atoms, |h| {
            let term = model.build(h);
            let fragment = Fragment::copy(term, &account).unwrap();
            assert_eq!(fragment.words(), copy::size(term).unwrap().words());
            fragment.read(|copied| {
                assert!(equal_exact(term, copied) && equal(term, copied));
                assert!(compare(&atoms, term, copied).is_eq());
                assert_eq!(hash(&atoms, term), hash(&atoms, copied));
            });
            fragment
        });
        drop(from);
        let mut roots = [to.adopt(fragment)];
        prop_assert_eq!(read(&mut to, &atoms, &roots), vec![model.clone()]);
        let _ = collect(&mut to, 10, &mut roots, Kind::Auto);
        prop_assert_eq!(to.fragment_words(), 0);
        prop_assert_eq!(read(&mut to, &atoms, &roots), vec![model]);
        drop(to);
        prop_assert_eq!(account.bytes(), 0);
    }

    #[test]
    fn orders_are_total(models in proptest::collection::vec(terms(), 3)) {
        let atoms = atoms();
        heap().with(&atoms, |h| {
            let t: Vec<_> = models.iter().map(|model| model.build(h)).collect();
            for order in [compare, compare_exact] {
                for x in &t {
                    assert!(order(&atoms, *x, *x).is_eq());
                    for y in &t {
                        assert_eq!(order(&atoms, *x, *y), order(&atoms, *y, *x).reverse());
                        for z in &t {
                            if order(&atoms, *x, *y).is_le() && order(&atoms, *y, *z).is_le() {
                                assert!(order(&atoms, *x, *z).is_le());
                            }
                        }
                    }
                }
            }
            for (i, x) in t.iter().enumerate() {
                for (j, y) in t.iter().enumerate() {
                    assert_eq!(compare(&atoms, *x, *y).is_eq(), equal(*x, *y));
                    assert_eq!(compare_exact(&atoms, *x, *y).is_eq(), equal_exact(*x, *y));
                    assert_eq!(equal_exact(*x, *y), models[i] == models[j]);
                }
            }
        });
    }

    #[test]
    fn maps_behave_as_maps(actions in proptest::collection::vec((0u8..4, 0i64..90, 0i64..5), 0..300)) {
        let atoms = atoms();
        let mut expected = BTreeMap::new();
        heap().with(&atoms, |h| {
            let mut map = h.map(&[]).unwrap().as_map().unwrap();
            for (action, key, value) in actions {
                // Keys of several kinds, so that order and hashing of all are met.
                let key_term = match key % 3 {
                    0 => h.int(key).unwrap(),
                    1 => h.float(key as f64).unwrap().unwrap(),
                    _ => { let k = h.int(key).unwrap(); h.tuple(&[k]).unwrap() }
                };
                let value_term = h.int(value).unwrap();
                if action == 0 {
                    let taken = h.map_take(map, key_term).unwrap();
                    assert_eq!(taken.map(|(v, _)| v.as_small().unwrap()), expected.remove(&key));
                    if let Some((_, rest)) = taken { map = rest.as_map().unwrap(); }
                } else if action == 1 {
                    let updated = h.map_update(map, key_term, value_term).unwrap();
                    assert_eq!(updated.is_some(), expected.contains_key(&key));
                    if let Some(updated) = updated { map = updated.as_map().unwrap(); expected.insert(key, value); }
                } else {
                    map = h.map_put(map, key_term, value_term).unwrap().as_map().unwrap();
                    expected.insert(key, value);
                }
                assert_eq!(map.len(), expected.len());
                assert_eq!(map.get(&atoms, key_term).map(|v| v.as_small().unwrap()), expected.get(&key).copied());
                assert_eq!(map.flat().is_some(), expected.len() <= 32);
            }
            // However it came about, the same map is the same term (H8).
            let pairs: Vec<_> = map.iter().collect();
            let again = h.map(&pairs).unwrap();
            assert!(equal_exact(map.term(), again));
            assert_eq!(hash(&atoms, map.term()), hash(&atoms, again));
            if let Some((keys, _)) = map.flat() {
                assert!(keys.windows(2).all(|pair| compare_exact(&atoms, pair[0], pair[1]).is_lt()));
            }
        });
    }

    #[test]
    fn arithmetic_agrees_with_dashu(a in integers(), b in integers(), shift in -200i64..200) {
        let atoms = atoms();
        heap().with(&atoms, |h| {
            let (x, y) = (h.int_big(&a).unwrap(), h.int_big(&b).unwrap());
            let value = |term: Term<'_>| match Model::read(&atoms, term) { Model::Int(value) => value, _ => panic!() };
            assert_eq!(value(h.add(x, y).unwrap()), &a + &b);
            assert_eq!(value(h.subtract(x, y).unwrap()), &a - &b);
            assert_eq!(value(h.multiply(x, y).unwrap()), &a * &b);
            assert_eq!(value(h.multiply(x, x).unwrap()), &a * &a);
            assert_eq!(value(h.negate(x).unwrap()), -&a);
            assert_eq!(value(h.band(x, y).unwrap()), &a & &b);
            assert_eq!(value(h.bor(x, y).unwrap()), &a | &b);
            assert_eq!(value(h.bxor(x, y).unwrap()), &a ^ &b);
            assert_eq!(value(h.bnot(x).unwrap()), -&a - IBig::from(1));
            if b == IBig::ZERO {
                assert_eq!(h.int_divide(x, y).err(), Some(arith::ArithError::BadArith));
                assert_eq!(h.remainder(x, y).err(), Some(arith::ArithError::BadArith));
            } else {
                assert_eq!(value(h.int_divide(x, y).unwrap()), &a / &b);
                assert_eq!(value(h.remainder(x, y).unwrap()), &a % &b);
            }
            let by = h.int(shift).unwrap();
            let expected = if shift >= 0 { &a << shift as usize } else { &a >> (-shift) as usize };
            assert_eq!(value(h.shift_left(x, by).unwrap()), expected);
            let minus = h.int(-shift).unwrap();
            assert_eq!(value(h.shift_right(x, minus).unwrap()), expected);
            assert_eq!(compare(&atoms, x, y), a.cmp(&b));
            for base in [2, 7, 10, 16, 36] {
                let text = arith::integer_text(x, base).unwrap();
                let parsed = h.parse_integer(text.as_bytes(), base).unwrap().unwrap();
                assert_eq!(value(parsed), a);
            }
        });
    }

    #[test]
    fn integers_and_floats_compare_by_exact_value(a in integers(), f in model::floats()) {
        let atoms = atoms();
        heap().with(&atoms, |h| {
            let (x, y) = (h.int_big(&a).unwrap(), h.float(f).unwrap().unwrap());
            let whole = match Model::read(&atoms, h.truncate(y).unwrap()) { Model::Int(value) => value, _ => panic!() };
            let fraction = f - f.trunc();
            let expected = a.cmp(&whole).then_with(|| 0.0f64.partial_cmp(&fraction).unwrap());
            assert_eq!(compare(&atoms, x, y), expected);
            assert_eq!(equal(x, y), expected.is_eq());
            assert!(compare_exact(&atoms, x, y).is_lt());
        });
    }
}

#[test]
fn ten_million_elements_are_built_copied_compared_hashed_and_collected() {
    const LENGTH: i64 = if cfg!(miri) { 1000 } else { 10_000_000 };
    let atoms = atoms();
    let account = Account::root();
    let mut heap = Heap::new(account.clone(), Policy::default()).unwrap();
    let fragment = heap.with(&atoms, |h| {
        let mut next = 0;
        let list = h
            .list_from::<AllocError>(|_| {
                next += 1;
                Ok(if next > LENGTH { None } else { Term::small(next) })
            })
            .unwrap();
        assert_eq!(list.proper_length(), Some(LENGTH as usize));
        let fragment = Fragment::copy(list, &account).unwrap();
        fragment.read(|copied| {
            assert!(equal_exact(list, copied));
            assert!(compare(&atoms, list, copied).is_eq());
            assert_eq!(hash(&atoms, list), hash(&atoms, copied));
        });
        fragment
    });
    assert!(heap.collect_due());
    let mut roots = [heap.adopt(fragment)];
    for _ in 0..3 {
        let _ = collect(&mut heap, 100, &mut roots, Kind::Auto);
    }
    let _ = collect(&mut heap, 100, &mut roots, Kind::Major);
    heap.with(&atoms, |h| {
        // SAFETY: kept as a root.
        let list = unsafe { h.term(roots[0]) };
        assert_eq!(list.proper_length(), Some(LENGTH as usize));
    });
    drop(heap);
    assert_eq!(account.bytes(), 0);
}

#[test]
fn ten_million_levels_of_nesting_need_no_native_stack() {
    const DEPTH: usize = if cfg!(miri) { 1000 } else { 10_000_000 };
    let atoms = atoms();
    let account = Account::root();
    let mut heap = heap();
    heap.with(&atoms, |h| {
        let build = |h: &mut HeapRef<'_>| {
            let mut term = Term::NIL;
            for _ in 0..DEPTH / 2 {
                term = h.tuple(&[term]).unwrap();
                term = h.cons(term, Term::NIL).unwrap();
            }
            term.word()
        };
        let (a, b) = (build(h), build(h));
        // SAFETY: made just now on this heap, which does not collect meanwhile.
        let (a, b) = unsafe { (h.term(a), h.term(b)) };
        assert!(equal_exact(a, b));
        assert!(compare(&atoms, a, b).is_eq());
        assert_eq!(hash(&atoms, a), hash(&atoms, b));
        drop(Fragment::copy(a, &account).unwrap());
    });
    let _ = collect(&mut heap, 0, &mut [], Kind::Auto);
    assert!(heap.used_words() == 0);
}

#[test]
fn maps_nested_as_keys_of_large_maps_compare_without_recursion() {
    const DEPTH: usize = if cfg!(miri) { 3 } else { 2000 };
    let atoms = atoms();
    let mut heap = heap();
    heap.with(&atoms, |h| {
        let mut build = |leaf: i64| {
            let mut term = h.int(leaf).unwrap();
            for _ in 0..DEPTH {
                let mut pairs: Vec<_> = (0..40).map(|k| (Term::small(k).unwrap(), Term::NIL)).collect();
                pairs.push((term, Term::NIL));
                term = h.map(&pairs).unwrap();
            }
            term
        };
        let (a, b, c) = (build(100), build(100), build(101));
        assert!(equal_exact(a, b));
        assert!(compare(&atoms, a, b).is_eq());
        assert!(compare(&atoms, a, c).is_lt());
        assert!(compare(&atoms, c, a).is_gt());
    });
}

#[test]
fn appending_twice_to_one_binary_gives_two_binaries() {
    let mut shared = SharedBytes::with_capacity(&Account::root(), 1000).unwrap();
    assert!(shared.append(&[1; 100]));
    let (mut a, mut b) = (shared.clone(), shared.clone());
    assert!(a.append(&[3]));
    // The place is taken: the loser has to copy.
    assert!(!b.append(&[4]));
    assert_eq!(a.as_slice().last(), Some(&3));
    assert_eq!(b.len(), 100);
}

#[test]
fn large_binaries_are_shared_and_freed_with_their_last_reference() {
    let atoms = atoms();
    let account = Account::root();
    let mut heap = Heap::new(account.clone(), Policy::default()).unwrap();
    let before = account.bytes();
    let mut roots = heap.with(&atoms, |h| {
        let whole = h.binary(&vec![9; 100_000]).unwrap();
        let part = h.sub_bits(whole, 80, 8 * 70_000).unwrap();
        assert!(part.header().is_header_of(Subtag::SubBits));
        let small = h.sub_bits(part, 3, 64).unwrap();
        assert!(small.header().is_header_of(Subtag::HeapBits));
        [part.word(), small.word()]
    });
    assert!(account.bytes() >= before + 100_000);
    for kind in [Kind::Auto, Kind::Auto, Kind::Auto, Kind::Major] {
        let _ = collect(&mut heap, 0, &mut roots, kind);
        assert!(account.bytes() >= 100_000);
    }
    roots[0] = Word::NIL;
    let _ = collect(&mut heap, 0, &mut roots, Kind::Major);
    assert!(account.bytes() < 100_000, "the buffer went with its last reference");
}

#[test]
fn a_loop_of_large_binaries_makes_a_collection_due() {
    let atoms = atoms();
    let mut heap = heap();
    for _ in 0..10 {
        heap.with(&atoms, |h| h.binary(&[0; 100_000]).map(|_| ()).unwrap());
    }
    assert!(heap.collect_due());
}

#[test]
fn an_account_limit_stops_one_huge_term_and_leaves_the_heap_whole() {
    let atoms = atoms();
    let account = Account::new(None, 1 << 20);
    let mut heap = Heap::new(account.clone(), Policy::default()).unwrap();
    heap.with(&atoms, |h| {
        assert_eq!(h.binary(&vec![0; 2 << 20]).err(), Some(AllocError::Limit(crate::limits::Quota::Memory)));
        let mut list = Term::NIL;
        let error = loop {
            match h.cons(Term::NIL, list) {
                Ok(longer) => list = longer,
                Err(error) => break error,
            }
        };
        assert_eq!(error, AllocError::Limit(crate::limits::Quota::Memory));
        assert!(list.proper_length().is_some());
        assert_eq!(
            Fragment::copy(list, &Account::new(None, 1000)).err(),
            Some(AllocError::Limit(crate::limits::Quota::Memory))
        );
    });
    drop(heap);
    assert_eq!(account.bytes(), 0);
}

#[test]
fn forty_levels_of_sharing_are_refused_and_compared_at_once() {
    let atoms = atoms();
    let account = Account::root();
    heap().with(&atoms, |h| {
        let mut levels = |count: usize, leaf: i64, tuple: bool| {
            let mut term = Term::small(leaf).unwrap();
            for _ in 0..count {
                term = if tuple { h.tuple(&[term, term]).unwrap() } else { h.cons(term, term).unwrap() };
            }
            term
        };
        for tuple in [false, true] {
            let (a, b, c) = (levels(40, 1, tuple), levels(40, 1, tuple), levels(40, 2, tuple));
            assert_eq!(copy::Measure::new(a, literal::Kept::now()).step(1000), Ok(None));
            assert_eq!(copy::size(a), Err(AllocError::SystemLimit));
            assert_eq!(Fragment::copy(a, &account).err(), Some(AllocError::SystemLimit));
            assert!(equal_exact(a, b) && equal(a, b) && !equal_exact(a, c));
            assert!(compare(&atoms, a, b).is_eq() && compare(&atoms, a, c).is_lt());
        }
        // What is shared but not too large is measured as it will be copied.
        let shared = levels(21, 1, true);
        assert_eq!(copy::size(shared).unwrap().words(), 3 * ((1 << 21) - 1));
    });
}

#[test]
fn literals_stay_where_they_are() {
    let atoms = atoms();
    let mut heap = heap();
    let model = Model::Tuple(vec![
        Model::Bits(vec![5; 100], 800),
        Model::List(vec![Model::int(1)], Box::new(Model::Nil)),
    ]);
    let (area, words) = heap.with(&atoms, |h| {
        let term = model.build(h);
        LiteralArea::build(&[term, Term::NIL]).unwrap()
    });
    assert!(area.contains(words[0]) && literal::is_literal(words[0]) && words[1].is_nil());
    let mut roots = heap.with(&atoms, |h| {
        // SAFETY: the area lives until the end of the test.
        let literal = unsafe { h.term(words[0]) };
        assert_eq!(copy::size(literal).unwrap().words(), 0);
        assert!(copy::flat_size(literal).unwrap() > 5);
        let holder = h.tuple(&[literal]).unwrap();
        [holder.word()]
    });
    for kind in [Kind::Auto, Kind::Auto, Kind::Major, Kind::Asked, Kind::Hibernate] {
        let _ = collect(&mut heap, 0, &mut roots, kind);
    }
    heap.with(&atoms, |h| {
        // SAFETY: kept as a root.
        let holder = unsafe { h.term(roots[0]) };
        assert_eq!(holder.as_tuple().unwrap()[0].word(), words[0]);
    });
    assert_eq!(read(&mut heap, &atoms, &words[..1]), vec![model]);
}

#[test]
fn resources_are_dropped_with_their_last_reference_and_travel_in_messages() {
    use std::sync::Arc;
    let atoms = atoms();
    let account = Account::root();
    let value: Arc<shared::ResourceBox> = Arc::new(Box::new(5_u32));
    let (mut from, mut to) = (heap(), heap());
    let fragment = from.with(&atoms, |h| {
        let resource = h.resource(9, value.clone()).unwrap();
        let list = h.list(&[resource, resource]).unwrap();
        Fragment::copy(list, &account).unwrap()
    });
    // Ours, the sender's, and one for each of the two places in the message.
    assert_eq!(Arc::strong_count(&value), 4);
    drop(from);
    let mut roots = [to.adopt(fragment)];
    for kind in [Kind::Auto, Kind::Auto, Kind::Major] {
        let _ = collect(&mut to, 0, &mut roots, kind);
    }
    to.with(&atoms, |h| {
        // SAFETY: kept as a root.
        let head = unsafe { h.term(roots[0]) }.as_cons().unwrap().head();
        assert_eq!(head.as_ref().map(|r| r.unique()), Some(9));
        let found = h.resource_value(head).unwrap();
        assert_eq!(found.downcast_ref::<u32>(), Some(&5));
    });
    assert_eq!(Arc::strong_count(&value), 3);
    roots[0] = Word::NIL;
    let _ = collect(&mut to, 0, &mut roots, Kind::Major);
    assert_eq!(Arc::strong_count(&value), 1);
}

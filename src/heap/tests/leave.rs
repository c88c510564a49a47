//! Properties of leaving literal areas: terms stay what they are when the area is gone.

use super::*;
use crate::heap::{Areas, Condemnation};

/// An area of these terms, and their words.
fn area(atoms: &crate::atom::Atoms, models: &[Model]) -> (Arc<LiteralArea>, Vec<Word>) {
    let mut heap = heap();
    let (area, words) = heap.with(atoms, |h| {
        let terms: Vec<_> = models.iter().map(|model| model.build(h)).collect();
        LiteralArea::build(&terms).unwrap()
    });
    (Arc::new(area), words)
}

/// `{Literal, Own, Literal}`.
fn holder(heap: &mut Heap, atoms: &crate::atom::Atoms, literal: Word, own: &Model) -> Word {
    heap.with(atoms, |h| {
        // SAFETY: the area outlives the heap's use of it.
        let literal = unsafe { h.term(literal) };
        let own = own.build(h);
        h.tuple(&[literal, own, literal]).unwrap().word()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 96 }))]

    #[test]
    fn terms_stay_what_they_are_when_the_area_is_gone(
        constants in proptest::collection::vec(terms(), 1..5),
        own in proptest::collection::vec(terms(), 1..8),
        collections in 0usize..4,
        on_stack: bool,
        stress: bool,
    ) {
        let atoms = atoms();
        let account = Account::root();
        let mut heap = Heap::new(account.clone(), Policy { stress, ..Policy::default() }).unwrap();
        let (area, words) = area(&atoms, &constants);
        let (other, others) = self::area(&atoms, &own);
        let mut roots = Vec::new();
        let mut expected = Vec::new();
        for (index, model) in own.iter().enumerate() {
            let which = index % constants.len();
            roots.push(holder(&mut heap, &atoms, words[which], model));
            expected.push(Model::Tuple(vec![constants[which].clone(), model.clone(), constants[which].clone()]));
            if index % 2 == 0 {
                for _ in 0..collections {
                    let _ = collect(&mut heap, 0, &mut roots, Kind::Auto);
                }
            }
        }
        roots.push(words[0]);
        expected.push(constants[0].clone());
        roots.push(others[0]);
        expected.push(own[0].clone());
        if on_stack {
            let _ = collect(&mut heap, roots.len(), &mut roots, Kind::Auto);
            for word in &roots {
                // SAFETY: room was asked for.
                unsafe { heap.sp = heap.sp.sub(1); heap.sp.write(*word); }
            }
        }
        let message = roots.first().map(|word| {
            // SAFETY: kept as a root.
            let term = unsafe { Term::from_word(*word) };
            Fragment::copy(term, &account).unwrap()
        }).unwrap();
        let areas = Areas::new(std::iter::once(Arc::clone(&area)));
        let condemned = Condemnation::of(areas.iter());
        // Of those that are held: there may be fewer holders than constants.
        let leads = words.iter().take(own.len()).any(|word| word.is_pointer());
        prop_assert_eq!(message.leads_to(&areas), words[0].is_pointer());
        let message = {
            let before = message;
            Fragment::copy(before.term(), &account).unwrap()
        };
        prop_assert!(!message.leads_to(&areas));
        for round in 0..2 {
            // SAFETY: all that is held is in the roots and on the stack.
            let words = unsafe { heap.leave(&mut BlockCache::new(), &mut [&mut roots], &areas) }.unwrap();
            prop_assert!(round == 1 || !leads || words > 0);
        }
        let stays = roots.last().copied();
        prop_assert!(!stays.is_some_and(|word| word.is_pointer()) || other.contains(stays.unwrap()), "another area stays");
        drop((areas, condemned));
        drop(Arc::into_inner(area));
        prop_assert_eq!(read(&mut heap, &atoms, &roots), expected.clone());
        if on_stack {
            let mut stack = heap.stack().to_vec();
            stack.reverse();
            prop_assert_eq!(read(&mut heap, &atoms, &stack), expected.clone());
        }
        message.read(|term| assert_eq!(Model::read(&atoms, term), expected[0]));
        let _ = collect(&mut heap, 0, &mut roots, Kind::Auto);
        prop_assert_eq!(read(&mut heap, &atoms, &roots), expected);
        drop((heap, message));
        prop_assert_eq!(account.bytes(), 0);
    }
}

#[test]
fn a_copy_is_made_as_it_was_measured() {
    let atoms = atoms();
    let account = Account::root();
    let (area, words) = area(&atoms, &[Model::Tuple(vec![Model::int(1), Model::Bits(vec![7; 100], 800)])]);
    let areas = Areas::new(std::iter::once(Arc::clone(&area)));
    // SAFETY: the area lives to the end of the test.
    let literal = unsafe { Term::from_word(words[0]) };
    let before = copy::size(literal).unwrap();
    assert_eq!((before.words(), copy::whole_size(literal).unwrap().words()), (0, 3 + 4));
    let condemned = Condemnation::of(areas.iter());
    assert_eq!(copy::size(literal).unwrap().words(), 3 + 4);
    let late = Fragment::copy_measured(literal, before, &account).unwrap();
    assert_eq!((late.words(), late.root()), (0, words[0]));
    assert!(late.leads_to(&areas));
    let copied = Fragment::copy(literal, &account).unwrap();
    assert_eq!(copied.words(), 3 + 4);
    assert!(!copied.leads_to(&areas));
    drop(condemned);
    // Nobody is in a hurry any more, unless another test is.
    let size = copy::size(literal).unwrap().words();
    assert!(size == 0 || size == 3 + 4);
    drop(late);
}

#[test]
fn a_range_that_was_given_back_is_used_again() {
    let atoms = atoms();
    let model = Model::List(vec![Model::int(1); 5000], Box::new(Model::Nil));
    let mut places = std::collections::BTreeSet::new();
    for _ in 0..200 {
        let (area, words) = area(&atoms, std::slice::from_ref(&model));
        let areas = Areas::new(std::iter::once(area));
        drop(Condemnation::of(areas.iter()));
        places.insert(words[0].bits());
    }
    // Other tests take from the range meanwhile.
    assert!(places.len() < 100, "{}", places.len());
}

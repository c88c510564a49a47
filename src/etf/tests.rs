//! Against OTP 25: `golden/terms.txt` holds terms in OTP's order, one a line: rank (equal terms share one), encoding (minor version 2),
//! `phash2(T, 1 bsl 32)`, and the texts of `~w`, `~tw`, `~0tp`, `~0p` in hex (a CRC where they are long, `-` for maps
//! whose order OTP leaves open).

use proptest::prelude::*;

use super::*;
use crate::atom::{Atom, Atoms};
use crate::heap::tests::model::{Model, atoms, terms};
use crate::heap::{Account, Heap, HeapRef, Policy};
use crate::term::compare::{compare, equal, equal_exact};
use crate::term::phash::phash2;
use crate::term::print::{self, Range, Style};
use crate::term::{EntryAddress, FunEntry, Term};

const TERMS: &str = include_str!("golden/terms.txt");

struct NoFuns;

impl Resolver for NoFuns {
    fn fun(&self, _: Atom, _: u32, _: u32, _: &[u8; 16], _: u8) -> Option<EntryAddress> {
        None
    }

    fn export(&self, _: Atom, _: Atom, _: u8) -> u64 {
        0
    }
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

fn with_heap(f: impl for<'h> FnOnce(&mut HeapRef<'h>, &Atoms)) {
    let atoms = atoms();
    let mut heap = Heap::new(Account::root(), Policy::default()).unwrap();
    heap.with(&atoms, |h| f(h, &atoms));
}

fn read<'h>(h: &mut HeapRef<'h>, bytes: &[u8]) -> Result<Term<'h>, DecodeError> {
    decode(h, bytes, Options::default(), &NoFuns).map(|(term, used)| {
        assert_eq!(used, bytes.len());
        term
    })
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(
            crc ^ u32::from(*byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 },
        )
    })
}

fn expect_text(expected: &str, found: &str, line: usize) {
    if expected == "-" {
        return;
    }
    match expected.strip_prefix('#') {
        Some(crc) => {
            assert_eq!(crc32(found.as_bytes()), u32::from_str_radix(crc, 16).unwrap(), "line {line}: {found}")
        }
        None => assert_eq!(found, String::from_utf8(unhex(expected)).unwrap(), "line {line}"),
    }
}

#[test]
fn order_is_otps() {
    with_heap(|h, atoms| {
        let rows: Vec<(u32, Term<'_>)> = TERMS
            .lines()
            .map(|line| {
                let mut fields = line.split(' ');
                let rank = fields.next().unwrap().parse().unwrap();
                (rank, read(h, &unhex(fields.next().unwrap())).unwrap())
            })
            .collect();
        for (i, (rank_a, a)) in rows.iter().enumerate() {
            for (j, (rank_b, b)) in rows.iter().enumerate() {
                let show = || {
                    format!(
                        "lines {} and {}: {} {}",
                        i + 1,
                        j + 1,
                        print::text(atoms, *a),
                        print::text(atoms, *b)
                    )
                };
                assert_eq!(compare(atoms, *a, *b), rank_a.cmp(rank_b), "{}", show());
                assert_eq!(equal(*a, *b), rank_a == rank_b, "{}", show());
            }
        }
    });
}

#[test]
fn encodings_hashes_and_texts_are_otps() {
    with_heap(|h, atoms| {
        for (index, line) in TERMS.lines().enumerate() {
            let fields: Vec<&str> = line.split(' ').collect();
            let bytes = unhex(fields[1]);
            let term = read(h, &bytes).unwrap();
            let encoded = encode(h, term).unwrap();
            if fields[3] == "-" {
                assert!(equal_exact(read(h, &encoded).unwrap(), term), "line {}", index + 1);
            } else {
                assert_eq!(*encoded, *bytes, "line {}", index + 1);
            }
            assert_eq!(encoded_size(h, term, Floats::Bits), Ok(encoded.len()));
            assert_eq!(
                phash2(atoms, term).to_string(),
                fields[2],
                "line {}: {}",
                index + 1,
                print::text(atoms, term)
            );
            let styles = [
                Style { strings: None, unicode: false },
                Style { strings: None, unicode: true },
                Style { strings: Some(Range::Latin1), unicode: true },
                Style { strings: Some(Range::Latin1), unicode: false },
            ];
            for (style, expected) in styles.into_iter().zip(&fields[3..]) {
                // OTP 27 has two reserved words more.
                if print::text(atoms, term).contains("'else'") {
                    continue;
                }
                let mut text = String::new();
                assert!(print::write(&mut text, atoms, term, style, usize::MAX));
                expect_text(expected, &text, index + 1);
                // The limit is exact: what has so many characters fits, with one less it does not.
                let count = text.chars().count();
                assert!(print::write(&mut String::new(), atoms, term, style, count), "{text}");
                assert!(!print::write(&mut String::new(), atoms, term, style, count - 1), "{text}");
            }
        }
    });
}

proptest! {
    #[test]
    fn what_was_encoded_is_decoded(model in terms()) {
        with_heap(|h, atoms| {
            let term = model.build(h);
            let bytes = encode(h, term).unwrap();
            let back = read(h, &bytes).unwrap();
            assert_eq!(Model::read(atoms, back), model);
            // Every cut is noticed.
            for cut in 0..bytes.len().min(50) {
                assert!(decode(h, &bytes[..cut], Options::default(), &NoFuns).is_err());
            }
        });
    }

    #[test]
    fn changed_bytes_never_do_harm(model in terms(), changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        with_heap(|h, atoms| {
            let term = model.build(h);
            let mut bytes = encode(h, term).unwrap();
            for (place, byte) in changes {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            if let Ok((term, _)) = decode(h, &bytes, Options::default(), &NoFuns) {
                let _ = print::text(atoms, term);
            }
        });
    }
}

#[test]
fn funs_go_out_and_come_back() {
    struct One(EntryAddress);
    impl Resolver for One {
        fn fun(&self, _: Atom, index: u32, uniq: u32, hash: &[u8; 16], arity: u8) -> Option<EntryAddress> {
            (index == 3 && uniq == 0xdead_beef && hash == &[9; 16] && arity == 2).then_some(self.0)
        }

        fn export(&self, _: Atom, _: Atom, _: u8) -> u64 {
            7
        }
    }
    with_heap(|h, atoms| {
        let entry = Box::new(FunEntry {
            module: atoms.intern("m").unwrap(),
            arity: 2,
            captured: 2,
            index: 3,
            uniq: 0xdead_beef,
            module_hash: [9; 16],
            target: Default::default(),
            stub: [0],
            marks: Default::default(),
        });
        // SAFETY: the entry lives to the end of the test, and so do the terms.
        let address = unsafe { EntryAddress::new(std::ptr::NonNull::from(&*entry)) };
        let captured = [Term::small(1).unwrap(), h.binary(&[1; 100]).unwrap()];
        let fun = h.fun(address, &captured).unwrap();
        assert_eq!(print::text(atoms, fun), "#Fun<m.3.3735928559>");
        let bytes = encode(h, fun).unwrap();
        // The size field covers the rest.
        assert_eq!(u32::from_be_bytes(bytes[2..6].try_into().unwrap()) as usize, bytes.len() - 2);
        let (back, _) = decode(h, &bytes, Options::default(), &One(address)).unwrap();
        assert!(equal_exact(fun, back));
        assert_eq!(decode(h, &bytes, Options::default(), &NoFuns).err(), Some(DecodeError::Unsafe));
    });
}

#[test]
fn hostile_input_is_refused() {
    with_heap(|h, atoms| {
        let refused: [&[u8]; 12] = [
            &[],
            &[130, 97, 1],
            &[131],
            // Sizes far beyond the input.
            &[131, 108, 255, 255, 255, 255, 97, 1],
            &[131, 105, 255, 255, 255, 255],
            &[131, 109, 255, 255, 255, 255],
            &[131, 116, 255, 255, 255, 255, 97, 1],
            // A key twice, infinity, an unknown tag, invalid UTF-8, compressed.
            &[131, 116, 0, 0, 0, 2, 97, 1, 97, 1, 97, 1, 97, 2],
            &[131, 70, 0x7f, 0xf0, 0, 0, 0, 0, 0, 0],
            &[131, 1],
            &[131, 119, 1, 255],
            &[131, 80, 0, 0, 0, 1],
        ];
        for bytes in refused {
            assert_eq!(
                decode(h, bytes, Options::default(), &NoFuns).err(),
                Some(DecodeError::Malformed),
                "{bytes:?}"
            );
        }
        let unknown = [131, 119, 3, b'x', b'y', b'q'];
        let safe = Options { safe: true };
        assert_eq!(decode(h, &unknown, safe, &NoFuns).err(), Some(DecodeError::Unsafe));
        assert_eq!(atoms.existing("xyq"), None);
        // Deep nesting needs no native stack.
        let mut deep = vec![131];
        for _ in 0..1_000_000 {
            deep.extend([108, 0, 0, 0, 1]);
        }
        deep.push(106);
        deep.extend(vec![106; 1_000_000]);
        let term = read(h, &deep).unwrap();
        let again = encode(h, term).unwrap();
        assert_eq!(*again, *deep);
        assert_eq!(print::text(atoms, term).len(), 2 * 1_000_001);
    });
}

#[test]
fn numbers_in_other_notations_are_read() {
    with_heap(|h, atoms| {
        let mut old_float = vec![131, 99];
        old_float.extend(b"1.50000000000000000000e+00\0\0\0\0\0");
        let cases: [(&[u8], &str); 6] = [
            (&old_float, "1.5"),
            (&[131, 110, 1, 0, 5], "5"),
            (&[131, 110, 0, 0], "0"),
            (&[131, 100, 0, 1, 0xe4], "ä"),
            (&[131, 115, 2, b'o', b'k'], "ok"),
            (
                &[
                    131, 103, 100, 0, 13, b'n', b'o', b'n', b'o', b'd', b'e', b'@', b'n', b'o', b'h', b'o',
                    b's', b't', 0, 0, 0, 9, 0, 0, 0, 0, 0,
                ],
                "<0.9.0>",
            ),
        ];
        for (bytes, expected) in cases {
            let term = read(h, bytes).unwrap();
            assert_eq!(print::text(atoms, term), expected);
        }
    });
}

//! What the programs under `tests/` cannot see: meters, limits, and that bytes of any kind are handled.

use super::{CompileError, Limits, MatchError, MatchOptions, Meter, Options, compile, run};

/// A meter that allows so many units and bytes.
struct Allowance {
    units: usize,
    bytes: usize,
}

const PLENTY: Allowance = Allowance { units: usize::MAX, bytes: usize::MAX };

impl Meter for Allowance {
    fn work(&mut self, units: usize) -> bool {
        let left = self.units.checked_sub(units);
        self.units = left.unwrap_or(0);
        left.is_some()
    }

    fn hold(&mut self, bytes: usize) -> bool {
        bytes <= self.bytes
    }
}

fn plenty() -> Allowance {
    Allowance { ..PLENTY }
}

fn steps(steps: u64) -> MatchOptions {
    MatchOptions { limits: Limits { steps, ..Limits::default() }, ..MatchOptions::default() }
}

#[test]
fn a_meter_stops_compiling_and_matching() {
    let pattern = b"(a+)+$";
    let stopped = compile(pattern, Options::default(), &mut Allowance { units: 3, bytes: usize::MAX });
    assert_eq!(stopped.map(|_| ()), Err(CompileError::Stopped));
    let program = compile(pattern, Options::default(), &mut plenty()).expect("a pattern");
    let subject = [b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".as_slice(), b"!"].concat();
    let mut few = Allowance { units: 10_000, bytes: usize::MAX };
    assert_eq!(run(&program, &subject, MatchOptions::default(), &mut few), Err(MatchError::Stopped));
    assert_eq!(few.units, 0, "asked before it was used up");
    let mut small = Allowance { units: usize::MAX, bytes: 256 };
    let long = vec![b'a'; 1 << 16];
    let nested = compile(b"(?:a|b)*c", Options::default(), &mut plenty()).expect("a pattern");
    let found = run(&nested, &[long, vec![b'c']].concat(), MatchOptions::default(), &mut small);
    assert_eq!(found, Err(MatchError::Stopped));
}

#[test]
fn a_match_ends_at_its_limit() {
    let program = compile(b"(a+)+$", Options::default(), &mut plenty()).expect("a pattern");
    let subject = b"aaaaaaaaaaaaaaaaaaaaaaaaaaaa!";
    assert_eq!(run(&program, subject, steps(1000), &mut plenty()), Err(MatchError::Steps));
    assert!(run(&program, b"aaa", steps(1000), &mut plenty()).expect("short").is_some());
}

#[test]
fn a_pattern_that_expands_too_far_is_refused() {
    for pattern in ["((a{1,100}b){1,200}){1,200}", "(?:(?:(?:){65535}){65535}){65535}"] {
        let result = compile(pattern.as_bytes(), Options::default(), &mut plenty());
        assert!(matches!(result, Err(CompileError::Fault(_))), "{pattern}");
    }
}

/// A small generator: the same bytes each time.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

#[test]
fn patterns_and_subjects_of_any_bytes_are_handled() {
    let pieces: [&[u8]; 40] = [
        b"(",
        b")",
        b"[",
        b"]",
        b"{1,2}",
        b"*",
        b"+?",
        b"\\",
        b"|",
        b"(?",
        b"(?<",
        b"a",
        b"b",
        b"\\Q",
        b"\\E",
        b"^",
        b"$",
        b"(?=",
        b"(?<!",
        b"(?(1)",
        b"(?R)",
        b"\\1",
        b"(*",
        b"(*SKIP)",
        b"\xC3",
        b"\xA9",
        b"\xF0\x9F\x98\x80",
        b"\\p{",
        b"L}",
        b"\\x{",
        b"[:alpha:]",
        b"-",
        b"\\X",
        b"\\R",
        b"\\C",
        b".",
        b"\\K",
        b"(?|",
        b"(?>",
        b"0",
    ];
    let mut state = 7;
    for _ in 0..20_000 {
        let mut pattern = Vec::new();
        for _ in 0..next(&mut state) % 9 {
            pattern.extend_from_slice(pieces[next(&mut state) as usize % pieces.len()]);
        }
        let flags = next(&mut state);
        let options = Options {
            unicode: flags & 1 != 0,
            ucp: flags & 6 == 6,
            caseless: flags & 8 != 0,
            multiline: flags & 16 != 0,
            extended: flags & 96 == 96,
            ..Options::default()
        };
        let Ok(program) = compile(&pattern, options, &mut plenty()) else { continue };
        // Bytes that are no UTF-8 are refused before they get here; they must do no harm all the same.
        for subject in [b"ab\xC3\xA9a\r\nb0".as_slice(), b"\xF0\x9F\x98\x80\xFFa\xC3", b""] {
            let result = run(&program, subject, steps(10_000), &mut plenty());
            for (start, end) in result.iter().flatten().flat_map(|found| found.spans.iter().flatten()) {
                assert!(*start <= subject.len() && *end <= subject.len(), "{pattern:?}");
            }
        }
    }
}

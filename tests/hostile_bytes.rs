//! Hostile values and bytes, a bounded number of them from seeds.
//!
//! `ERLET_HOSTILE=N cargo test --test hostile_bytes` tries N times as many.

mod hostile;

use hostile::{Source, bytecode, external, machine, round_trips, value};

/// Numbers from a seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit.max(1)
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| (self.next() >> 24) as u8).collect()
    }

    /// Changes some bytes: another one in its place, one more, one less, a piece twice.
    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len());
            match self.below(5) {
                _ if bytes.is_empty() => bytes.push(self.next() as u8),
                0 => bytes[at] = self.next() as u8,
                1 => bytes[at] ^= 1 << self.below(8),
                2 => bytes.insert(at, self.next() as u8),
                3 => drop(bytes.remove(at)),
                _ => {
                    let end = (at + 1 + self.below(8)).min(bytes.len());
                    let piece = bytes[at..end].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
    }
}

fn times(number: u64) -> u64 {
    let factor = std::env::var("ERLET_HOSTILE").ok().and_then(|factor| factor.parse::<u64>().ok());
    number * factor.unwrap_or(1)
}

fn made(seed: u64) -> (Random, Vec<u8>) {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    random.next();
    let length = random.below(400);
    let bytes = random.bytes(length);
    (random, bytes)
}

#[test]
fn values_are_the_same_after_a_round_trip() {
    let mut vm = machine();
    for seed in 0..times(3000) {
        if seed % 500 == 0 {
            // Random atoms stay for ever.
            vm = machine();
        }
        let bytes = made(seed).1;
        let value = value(&mut Source::new(&bytes));
        round_trips(&vm, &value);
    }
}

#[test]
fn hostile_external_terms_are_refused_or_whole() {
    let mut vm = machine();
    for seed in 0..times(3000) {
        if seed % 500 == 0 {
            vm = machine();
        }
        let (mut random, bytes) = made(seed);
        let value = value(&mut Source::new(&bytes));
        let Ok(encoded) = vm.call::<erlet::Bytes>("erlang", "term_to_binary", (&value,)) else { continue };
        let mut encoded = encoded.to_vec();
        random.mutate(&mut encoded);
        external(&vm, &encoded);
    }
}

#[test]
fn hostile_bytecode_is_refused_or_harmless() {
    let sources = [
        include_str!("../examples/queens.erl"),
        include_str!("../examples/json.erl"),
        include_str!("../examples/chat.erl"),
        "-module(small). -export([f/1]). f(X) -> try g(X) catch _:R -> {R, <<X:8, 1.5/float>>} end. g(#{a := B}) -> [B | <<\"x\">>].",
    ];
    let vm = machine();
    let compiled: Vec<Vec<u8>> =
        sources.iter().map(|source| vm.compile("m.erl", source).expect("a good program")).collect();
    compiled.iter().for_each(|bytes| bytecode(bytes));
    for seed in 0..times(1500) {
        let mut random = made(seed).0;
        let mut bytes = compiled[random.below(compiled.len())].clone();
        random.mutate(&mut bytes);
        bytecode(&bytes);
    }
}

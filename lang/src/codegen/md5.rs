//! MD5 (RFC 1321), for the identity of modules. It protects nothing; it names versions of code.

/// Left rotations, four by round.
const ROTATIONS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// The fractions of the sines of 1 to 64, of which the tests calculate them.
#[rustfmt::skip]
const SINES: [u32; 64] = [
    0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A, 0xA830_4613, 0xFD46_9501,
    0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE, 0x6B90_1122, 0xFD98_7193, 0xA679_438E, 0x49B4_0821,
    0xF61E_2562, 0xC040_B340, 0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D, 0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8,
    0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED, 0xA9E3_E905, 0xFCEF_A3F8, 0x676F_02D9, 0x8D2A_4C8A,
    0xFFFA_3942, 0x8771_F681, 0x6D9D_6122, 0xFDE5_380C, 0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70,
    0x289B_7EC6, 0xEAA1_27FA, 0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665,
    0xF429_2244, 0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92, 0xFFEF_F47D, 0x8584_5DD1,
    0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1, 0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB, 0xEB86_D391,
];

/// The digest of `bytes`.
pub(super) fn digest(bytes: &[u8]) -> [u8; 16] {
    let mut state: [u32; 4] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476];
    let mut blocks = bytes.chunks_exact(64);
    for block in &mut blocks {
        round(&mut state, block);
    }
    // The rest, a one bit, zeros, and the number of bits in eight bytes.
    let rest = blocks.remainder();
    let mut last = [0; 128];
    last[..rest.len()].copy_from_slice(rest);
    last[rest.len()] = 0x80;
    let end = if rest.len() < 56 { 64 } else { 128 };
    last[end - 8..end].copy_from_slice(&(bytes.len() as u64).wrapping_mul(8).to_le_bytes());
    for block in last[..end].chunks_exact(64) {
        round(&mut state, block);
    }
    let mut digest = [0; 16];
    for (part, word) in digest.chunks_exact_mut(4).zip(state) {
        part.copy_from_slice(&word.to_le_bytes());
    }
    digest
}

fn round(state: &mut [u32; 4], block: &[u8]) {
    let mut words = [0; 16];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    let [mut a, mut b, mut c, mut d] = *state;
    let mut step = |round: usize, i: usize, mix: fn(u32, u32, u32) -> u32, word: usize| {
        let mixed = mix(b, c, d);
        let sum = a.wrapping_add(mixed).wrapping_add(SINES[16 * round + i]).wrapping_add(words[word % 16]);
        (a, d, c) = (d, c, b);
        b = b.wrapping_add(sum.rotate_left(ROTATIONS[round][i % 4]));
    };
    (0..16).for_each(|i| step(0, i, |b, c, d| b & c | !b & d, i));
    (0..16).for_each(|i| step(1, i, |b, c, d| d & b | !d & c, 5 * i + 1));
    (0..16).for_each(|i| step(2, i, |b, c, d| b ^ c ^ d, 3 * i + 5));
    (0..16).for_each(|i| step(3, i, |b, c, d| c ^ (b | !d), 7 * i));
    for (state, value) in state.iter_mut().zip([a, b, c, d]) {
        *state = state.wrapping_add(value);
    }
}

#[cfg(test)]
mod tests {
    use super::{SINES, digest};

    fn hex(bytes: &[u8]) -> String {
        digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn the_sines() {
        let sine = |i: usize| ((i as f64 + 1.0).sin().abs() * 4_294_967_296.0) as u32;
        assert_eq!(SINES, std::array::from_fn(sine));
    }

    #[test]
    fn the_vectors_of_the_rfc() {
        assert_eq!(hex(b""), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(hex(b"abc"), "900150983cd24fb0d6963f7d28e17f72");
        let digits = "1234567890".repeat(8);
        assert_eq!(hex(digits.as_bytes()), "57edf4a22be3c955ac49da2e2107b67a");
    }
}

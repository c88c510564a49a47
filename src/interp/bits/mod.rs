//! Bitstring instructions: building in [`build`], matching in [`take`]; here is what both do with single bits.

pub(super) mod append;
pub(super) mod build;
pub(super) mod fast;
pub(super) mod step;
pub(super) mod take;

/// `count` bits (at most 64) of `bytes` from bit `first` on, most significant first.
///
/// # Panics
/// If they are not inside.
#[inline]
pub(super) fn read_bits(bytes: &[u8], first: usize, count: usize) -> u64 {
    if count == 0 {
        return 0;
    }
    let (from, skip) = (first / 8, first % 8);
    let last = (first + count - 1) / 8;
    let mut value = u128::from(bytes[from] & (0xff >> skip));
    for byte in &bytes[from + 1..=last] {
        value = value << 8 | u128::from(*byte);
    }
    (value >> (8 * (last + 1) - first - count)) as u64
}

/// Writes the low `count` bits (at most 8) of `value` at bit `first`; they are zero before.
#[inline]
pub(super) fn write_bits(bytes: &mut [u8], first: usize, value: u8, count: usize) {
    if count == 0 {
        return;
    }
    let value = u16::from(value) & ((1 << count) - 1);
    let (at, skip) = (first / 8, first % 8);
    let placed = value << (16 - count) >> skip;
    bytes[at] |= (placed >> 8) as u8;
    if skip + count > 8 {
        bytes[at + 1] |= placed as u8;
    }
}

/// Writes `count` bits of `source`, which begin at its bit `skip`, at bit `first`; they are zero before.
pub(super) fn copy_bits(bytes: &mut [u8], first: usize, source: &[u8], skip: usize, count: usize) {
    if first.is_multiple_of(8) && skip.is_multiple_of(8) {
        let (to, from, whole) = (first / 8, skip / 8, count / 8);
        bytes[to..to + whole].copy_from_slice(&source[from..from + whole]);
        let rest = count % 8;
        if rest > 0 {
            write_bits(bytes, first + 8 * whole, source[from + whole] >> (8 - rest), rest);
        }
        return;
    }
    let mut done = 0;
    while done < count {
        let step = (count - done).min(8);
        write_bits(bytes, first + done, read_bits(source, skip + done, step) as u8, step);
        done += step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_read_and_written_at_any_place() {
        let source = [0xa5, 0x5a, 0xff, 0x00, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc];
        for first in 0..20 {
            for count in 0..=60 {
                let mut copy = [0; 12];
                copy_bits(&mut copy, 3, &source, first, count);
                assert_eq!(read_bits(&copy, 3, count), read_bits(&source, first, count), "{first} {count}");
                let beyond = 12 * 8 - 3 - count;
                assert_eq!(read_bits(&copy, 3 + count, beyond.min(64)), 0);
            }
        }
        assert_eq!(read_bits(&source, 4, 12), 0x55a);
    }
}

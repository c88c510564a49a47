//! Integers of any size, as sign and magnitude; magnitudes are limbs of 64 bits, least significant first.
//!
//! Addition, bit operations, shifts and small products are done here on the limbs where they lie; long products, divisions and
//! conversions of base go to dashu. Results are written into room the caller provides, so that they can lie in a heap from the
//! start. Results may have leading zero limbs; whoever makes a term of them normalises.

use std::borrow::Cow;
use std::cmp::Ordering;

use dashu_int::ops::DivRem;
use dashu_int::{IBig, Sign, UBig};

/// Limbs of the largest integer, as OTP 25 has it: `1 bsl 33554367` is the largest power of two.
pub const MAX_LIMBS: usize = (1 << 19) - 1;

/// Limbs of the shorter factor up to which schoolbook multiplication in place beats copying the factors out.
const SCHOOLBOOK_LIMBS: usize = 24;

/// Limbs of the largest integers that are floats.
const MAX_FLOAT_LIMBS: usize = f64::MAX_EXP as usize / 64;

/// An integer operand.
#[derive(Clone, Copy, Debug)]
pub struct Int<'a> {
    /// Below zero.
    pub negative: bool,
    /// The magnitude; no leading zero limbs (zero has none at all).
    pub limbs: &'a [u64],
}

/// dashu's words as 64-bit limbs (they already are, on machines of 64 bits).
#[cfg(target_pointer_width = "64")]
pub fn limbs_of(words: &[dashu_int::Word]) -> Cow<'_, [u64]> {
    Cow::Borrowed(words)
}

/// dashu's words as 64-bit limbs.
#[cfg(not(target_pointer_width = "64"))]
pub fn limbs_of(words: &[dashu_int::Word]) -> Cow<'_, [u64]> {
    let join = |pair: &[dashu_int::Word]| pair[0] as u64 | (pair.get(1).copied().unwrap_or(0) as u64) << 32;
    Cow::Owned(words.chunks(2).map(join).collect())
}

/// Limbs as dashu's.
#[cfg(target_pointer_width = "64")]
pub fn unsigned(limbs: &[u64]) -> UBig {
    UBig::from_words(limbs)
}

/// Limbs as dashu's.
#[cfg(not(target_pointer_width = "64"))]
pub fn unsigned(limbs: &[u64]) -> UBig {
    let halves: Vec<dashu_int::Word> =
        limbs.iter().flat_map(|limb| [*limb as dashu_int::Word, (*limb >> 32) as dashu_int::Word]).collect();
    UBig::from_words(&halves)
}

impl Int<'_> {
    /// As dashu's integer.
    pub fn to_ibig(self) -> IBig {
        IBig::from_parts(if self.negative { Sign::Negative } else { Sign::Positive }, unsigned(self.limbs))
    }

    /// Number of bits of the magnitude.
    pub fn bit_length(self) -> usize {
        self.limbs.last().map_or(0, |last| self.limbs.len() * 64 - last.leading_zeros() as usize)
    }

    /// The float that OTP makes of it; `None` if it is too large for one. Digits are added from the top, each rounded (ties to even), so
    /// that of three limbs or more it may be the neighbour of the nearest one.
    pub fn to_f64(self) -> Option<f64> {
        const BASE: f64 = 18_446_744_073_709_551_616.0;
        if self.limbs.len() > MAX_FLOAT_LIMBS {
            return None;
        }
        let magnitude = self.limbs.iter().rev().fold(0.0, |sum, limb| sum * BASE + *limb as f64);
        let value = if self.negative { -magnitude } else { magnitude };
        value.is_finite().then_some(value)
    }

    /// Two's complement limb `index`, sign-extended; `carry` is true while all lower limbs are zero.
    #[inline]
    fn complement(self, index: usize, carry: &mut bool) -> u64 {
        let limb = self.limbs.get(index).copied().unwrap_or(0);
        if !self.negative {
            return limb;
        }
        let (limb, still) = (!limb).overflowing_add(u64::from(*carry));
        *carry = still;
        limb
    }
}

/// Order of two magnitudes.
pub fn compare_limbs(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

/// Limbs of room [`add`] needs.
pub fn add_room(a: Int<'_>, b: Int<'_>) -> usize {
    a.limbs.len().max(b.limbs.len()) + 1
}

/// Adds into `out` (see [`add_room`]); returns the sign.
pub fn add(out: &mut [u64], a: Int<'_>, b: Int<'_>) -> bool {
    let (long, short) = if compare_limbs(a.limbs, b.limbs).is_lt() { (b, a) } else { (a, b) };
    if a.negative == b.negative {
        add_limbs(out, long.limbs, short.limbs);
    } else {
        subtract_limbs(out, long.limbs, short.limbs);
    }
    long.negative
}

/// `out = long + short`; `long` has at least as many limbs.
fn add_limbs(out: &mut [u64], long: &[u64], short: &[u64]) {
    let mut carry = false;
    for (index, limb) in long.iter().enumerate() {
        let (sum, first) = limb.overflowing_add(short.get(index).copied().unwrap_or(0));
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        out[index] = sum;
        carry = first | second;
    }
    out[long.len()] = u64::from(carry);
}

/// `out = large - small`; `large` is not below `small`.
fn subtract_limbs(out: &mut [u64], large: &[u64], small: &[u64]) {
    let mut borrow = false;
    for (index, limb) in large.iter().enumerate() {
        let (difference, first) = limb.overflowing_sub(small.get(index).copied().unwrap_or(0));
        let (difference, second) = difference.overflowing_sub(u64::from(borrow));
        out[index] = difference;
        borrow = first | second;
    }
    out[large.len()..].fill(0);
}

/// Limbs of room [`multiply`] needs.
pub fn multiply_room(a: Int<'_>, b: Int<'_>) -> usize {
    a.limbs.len() + b.limbs.len()
}

/// Multiplies into `out` (see [`multiply_room`], zeroed); returns the sign.
pub fn multiply(out: &mut [u64], a: Int<'_>, b: Int<'_>) -> bool {
    let (long, short) = if a.limbs.len() < b.limbs.len() { (b.limbs, a.limbs) } else { (a.limbs, b.limbs) };
    if short.len() <= SCHOOLBOOK_LIMBS {
        for (offset, factor) in short.iter().enumerate() {
            let mut carry = 0;
            for (index, limb) in long.iter().enumerate() {
                let place = &mut out[offset + index];
                let sum = *limb as u128 * *factor as u128 + *place as u128 + carry as u128;
                *place = sum as u64;
                carry = (sum >> 64) as u64;
            }
            out[offset + long.len()] = carry;
        }
    } else {
        let product = if long.as_ptr() == short.as_ptr() && long.len() == short.len() {
            unsigned(long).sqr()
        } else {
            unsigned(long) * unsigned(short)
        };
        store(out, &product);
    }
    a.negative != b.negative
}

/// Writes a magnitude that fits into `out`.
pub fn store(out: &mut [u64], value: &UBig) {
    let limbs = limbs_of(value.as_words());
    out[..limbs.len()].copy_from_slice(&limbs);
    out[limbs.len()..].fill(0);
}

/// Limbs of room [`divide`] and [`remainder`] need.
pub fn divide_room(a: Int<'_>) -> usize {
    a.limbs.len().max(1)
}

/// `a div b` (towards zero) into `out` (see [`divide_room`]); returns the sign. `b` is not zero.
pub fn divide(out: &mut [u64], a: Int<'_>, b: Int<'_>) -> bool {
    out.fill(0);
    match b.limbs {
        _ if compare_limbs(a.limbs, b.limbs).is_lt() => {}
        [divisor] => {
            let mut rest = 0_u64;
            for (place, limb) in out.iter_mut().zip(a.limbs).rev() {
                let pair = (rest as u128) << 64 | *limb as u128;
                *place = (pair / *divisor as u128) as u64;
                rest = (pair % *divisor as u128) as u64;
            }
        }
        _ => store(out, &(unsigned(a.limbs) / unsigned(b.limbs))),
    }
    a.negative != b.negative
}

/// `a rem b` (with the sign of `a`) into `out` (see [`divide_room`]); returns the sign. `b` is not zero.
pub fn remainder(out: &mut [u64], a: Int<'_>, b: Int<'_>) -> bool {
    out.fill(0);
    match b.limbs {
        _ if compare_limbs(a.limbs, b.limbs).is_lt() => out[..a.limbs.len()].copy_from_slice(a.limbs),
        [divisor] => {
            let step =
                |rest: u64, limb: &u64| (((rest as u128) << 64 | *limb as u128) % *divisor as u128) as u64;
            out[0] = a.limbs.iter().rev().fold(0, step);
        }
        _ => store(out, &unsigned(a.limbs).div_rem(unsigned(b.limbs)).1),
    }
    a.negative
}

/// Limbs of room [`bitwise`] needs.
pub fn bitwise_room(a: Int<'_>, b: Int<'_>) -> usize {
    a.limbs.len().max(b.limbs.len()) + 1
}

/// A bitwise operation on the infinite two's complements, into `out` (see [`bitwise_room`]); returns the sign.
pub fn bitwise(out: &mut [u64], a: Int<'_>, b: Int<'_>, operation: impl Fn(u64, u64) -> u64) -> bool {
    let (mut carry_a, mut carry_b) = (true, true);
    for (index, place) in out.iter_mut().enumerate() {
        *place = operation(a.complement(index, &mut carry_a), b.complement(index, &mut carry_b));
    }
    // One limb more than both have: its top bit is the sign.
    let negative = out.last().is_some_and(|last| last >> 63 == 1);
    if negative {
        negate_limbs(out);
    }
    negative
}

fn negate_limbs(limbs: &mut [u64]) {
    let mut carry = true;
    for limb in limbs {
        (*limb, carry) = (!*limb).overflowing_add(u64::from(carry));
    }
}

/// Limbs of room [`shift_left`] needs.
pub fn shift_left_room(a: Int<'_>, bits: usize) -> usize {
    a.limbs.len() + bits / 64 + 1
}

/// `a * 2^bits` into `out` (see [`shift_left_room`]); returns the sign.
pub fn shift_left(out: &mut [u64], a: Int<'_>, bits: usize) -> bool {
    let (whole, part) = (bits / 64, bits % 64);
    out[..whole].fill(0);
    let mut low = 0;
    for (index, limb) in a.limbs.iter().enumerate() {
        out[whole + index] = if part == 0 { *limb } else { *limb << part | low >> (64 - part) };
        low = *limb;
    }
    out[whole + a.limbs.len()] = if part == 0 { 0 } else { low >> (64 - part) };
    a.negative
}

/// Limbs of room [`shift_right`] needs.
pub fn shift_right_room(a: Int<'_>, bits: usize) -> usize {
    a.limbs.len().saturating_sub(bits / 64) + 1
}

/// `a / 2^bits`, rounded down, into `out` (see [`shift_right_room`]); returns the sign.
pub fn shift_right(out: &mut [u64], a: Int<'_>, bits: usize) -> bool {
    let (whole, part) = (bits / 64, bits % 64);
    out.fill(0);
    let kept = a.limbs.get(whole..).unwrap_or(&[]);
    for (index, limb) in kept.iter().enumerate() {
        let high = kept.get(index + 1).copied().unwrap_or(0);
        out[index] = if part == 0 { *limb } else { *limb >> part | high << (64 - part) };
    }
    let lost = a.limbs.iter().take(whole).any(|limb| *limb != 0)
        || kept.first().is_some_and(|limb| part > 0 && *limb << (64 - part) != 0);
    if a.negative && lost {
        // Rounding a negative number down makes its magnitude larger.
        for limb in out.iter_mut() {
            let carry;
            (*limb, carry) = limb.overflowing_add(1);
            if !carry {
                break;
            }
        }
    }
    a.negative
}

/// The digits in a base from 2 to 36, upper case.
pub fn to_text(value: Int<'_>, base: u32) -> String {
    if let ([] | [_], false) = (value.limbs, base != 10) {
        let magnitude = value.limbs.first().copied().unwrap_or(0);
        return if value.negative { format!("-{magnitude}") } else { magnitude.to_string() };
    }
    let digits = unsigned(value.limbs).in_radix(base as u8).to_string().to_uppercase();
    if value.negative { format!("-{digits}") } else { digits }
}

/// An integer in a base from 2 to 36, an optional sign and at least one digit; `None` if `text` is anything else or larger
/// than integers may be.
pub fn parse(text: &[u8], base: u32) -> Option<IBig> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let good = |digit: &u8| (*digit as char).is_digit(base);
    if digits.is_empty() || !digits.iter().all(good) {
        return None;
    }
    // A digit is at least one bit, and at most six.
    if digits.len() > MAX_LIMBS * 64 {
        return None;
    }
    let magnitude = UBig::from_str_radix(std::str::from_utf8(digits).ok()?, base).ok()?;
    Some(IBig::from_parts(if negative { Sign::Negative } else { Sign::Positive }, magnitude))
}

/// The magnitude of a float's integer part, as limbs; `value` is finite.
pub fn limbs_of_float(value: f64) -> Vec<u64> {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1075;
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    if exponent <= 0 {
        return vec![if exponent <= -53 { 0 } else { mantissa >> -exponent }];
    }
    let mut out = vec![0; exponent as usize / 64 + 2];
    shift_left(&mut out, Int { negative: false, limbs: &[mantissa] }, exponent as usize);
    out
}

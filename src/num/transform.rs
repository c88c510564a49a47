//! Products of huge integers by number-theoretic transforms, in steps between which the caller may give up.
//!
//! The factors are cut into digits of 16 bits, the coefficients of two polynomials. Modulo the prime 2^64 - 2^32 + 1 there are roots
//! of unity of every order up to 2^32, so the polynomials are evaluated at the `n`-th roots, the values multiplied, and the product
//! interpolated; a coefficient of it is below 2^53 for the largest integers there are, so that one prime is enough.
//!
//! The transform goes down by halves: the remainder modulo `x^m - c^2` gives those modulo `x^(m/2) - c` and `x^(m/2) + c`. All
//! butterflies of a part share one factor, and the parts are finished one after the other, which keeps to the caches. (What is
//! twice as fast for short factors, dashu's transform, cannot be interrupted.)
//!
//! Source: Harvey, "Faster arithmetic for number-theoretic transforms", 2014; the prime is Pollard's choice of 1971.

/// 2^64 - 2^32 + 1.
const PRIME: u64 = 0xffff_ffff_0000_0001;

/// 2^64 modulo the prime.
const WRAP: u64 = 0xffff_ffff;

/// A generator of the multiplicative group.
const GENERATOR: u64 = 7;

/// Bits of a digit, and digits of a limb.
const DIGIT_BITS: u32 = 16;
const LIMB_DIGITS: usize = (u64::BITS / DIGIT_BITS) as usize;

/// Values of a part that is transformed without a look: less than a tenth of a millisecond, and it fits the first cache.
const AT_ONCE: usize = 1 << 11;

/// Limbs of the longest product: its coefficients must stay below the prime.
pub const MOST_LIMBS: usize = 1 << 28;

#[inline(always)]
fn add(a: u64, b: u64) -> u64 {
    let (sum, over) = a.overflowing_add(b);
    let (less, under) = sum.overflowing_sub(PRIME);
    if over || !under { less } else { sum }
}

#[inline(always)]
fn subtract(a: u64, b: u64) -> u64 {
    let (difference, under) = a.overflowing_sub(b);
    if under { difference.wrapping_add(PRIME) } else { difference }
}

/// The product of two values below the prime, by `2^64 = 2^32 - 1` and `2^96 = -1`.
#[inline(always)]
fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let (low, high) = (product as u64, (product >> 64) as u64);
    let (mut value, under) = low.overflowing_sub(high >> 32);
    if under {
        value = value.wrapping_sub(WRAP);
    }
    let (sum, over) = value.overflowing_add((high & WRAP) * WRAP);
    let value = if over { sum.wrapping_add(WRAP) } else { sum };
    if value >= PRIME { value - PRIME } else { value }
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base);
        }
        base = multiply(base, base);
        exponent >>= 1;
    }
    result
}

/// The factors of the parts, in the order in which they come: part `k` of any level has the root whose fraction of the circle is half
/// that of `k` with its bits reversed.
fn factors(parts: usize, inverse: bool) -> Vec<u64> {
    let mut factors = Vec::with_capacity(parts);
    factors.push(1);
    while factors.len() < parts {
        let order = 4 * factors.len() as u64;
        let root = power(GENERATOR, (PRIME - 1) / order);
        let root = if inverse { power(root, order - 1) } else { root };
        for index in 0..factors.len() {
            factors.push(multiply(factors[index], root));
        }
    }
    factors
}

/// Asked before each step, with the units of some nanoseconds that it takes.
pub type Work<'w, E> = &'w mut dyn FnMut(usize) -> Result<(), E>;

/// Units of so many butterflies.
fn units(butterflies: usize) -> usize {
    butterflies / 2
}

#[inline(always)]
fn down(values: &mut [u64], factor: u64) {
    let (low, high) = values.split_at_mut(values.len() / 2);
    for (x, y) in low.iter_mut().zip(high) {
        let turned = multiply(*y, factor);
        (*x, *y) = (add(*x, turned), subtract(*x, turned));
    }
}

#[inline(always)]
fn up(values: &mut [u64], factor: u64) {
    let (low, high) = values.split_at_mut(values.len() / 2);
    for (x, y) in low.iter_mut().zip(high) {
        (*x, *y) = (add(*x, *y), multiply(subtract(*x, *y), factor));
    }
}

/// Transforms part `part` of its level. (The depth of the recursion is the logarithm of the length.)
fn forward<E>(values: &mut [u64], part: usize, factors: &[u64], work: Work<'_, E>) -> Result<(), E> {
    let size = values.len();
    if size > AT_ONCE {
        work(units(size / 2))?;
        down(values, factors[part]);
        let (low, high) = values.split_at_mut(size / 2);
        forward(low, 2 * part, factors, work)?;
        return forward(high, 2 * part + 1, factors, work);
    }
    work(units(size / 2 * size.ilog2() as usize))?;
    let (mut size, mut first) = (size, part);
    while size > 1 {
        for (values, factor) in values.chunks_exact_mut(size).zip(&factors[first..]) {
            down(values, *factor);
        }
        (size, first) = (size / 2, 2 * first);
    }
    Ok(())
}

/// Undoes it, but for a factor of the length.
fn backward<E>(values: &mut [u64], part: usize, factors: &[u64], work: Work<'_, E>) -> Result<(), E> {
    let whole = values.len();
    if whole > AT_ONCE {
        let (low, high) = values.split_at_mut(whole / 2);
        backward(low, 2 * part, factors, work)?;
        backward(high, 2 * part + 1, factors, work)?;
        work(units(whole / 2))?;
        up(values, factors[part]);
        return Ok(());
    }
    work(units(whole / 2 * whole.ilog2() as usize))?;
    let mut size = 2;
    while size <= whole {
        let first = part * (whole / size);
        for (values, factor) in values.chunks_exact_mut(size).zip(&factors[first..]) {
            up(values, *factor);
        }
        size *= 2;
    }
    Ok(())
}

fn digits(limbs: &[u64], length: usize) -> Vec<u64> {
    let mut digits = Vec::with_capacity(length);
    for limb in limbs {
        digits.extend((0..LIMB_DIGITS as u32).map(|index| limb >> (index * DIGIT_BITS) & 0xffff));
    }
    digits.resize(length, 0);
    digits
}

/// `a * b`, in as many limbs as both have together; for the square both are the same slice. Neither is empty, and together they have
/// at most [`MOST_LIMBS`].
///
/// # Errors
/// What `work` fails with.
pub fn product<E>(a: &[u64], b: &[u64], work: Work<'_, E>) -> Result<Vec<u64>, E> {
    let limbs = a.len() + b.len();
    let length = (limbs * LIMB_DIGITS).next_power_of_two();
    work(units(length))?;
    let table = factors(length / 2, false);
    let mut values = digits(a, length);
    forward(&mut values, 0, &table, work)?;
    if std::ptr::eq(a, b) {
        values.iter_mut().for_each(|value| *value = multiply(*value, *value));
    } else {
        let mut others = digits(b, length);
        forward(&mut others, 0, &table, work)?;
        values.iter_mut().zip(&others).for_each(|(value, other)| *value = multiply(*value, *other));
    }
    drop(table);
    work(units(length))?;
    backward(&mut values, 0, &factors(length / 2, true), work)?;
    work(units(length))?;
    Ok(carried(&values, limbs))
}

/// The limbs of a polynomial's value at 2^16, the coefficients still to be divided by their number.
fn carried(values: &[u64], limbs: usize) -> Vec<u64> {
    let scale = power(values.len() as u64, PRIME - 2);
    let mut carry = 0_u64;
    values
        .chunks_exact(LIMB_DIGITS)
        .take(limbs)
        .map(|digits| {
            let mut limb = 0;
            for (index, digit) in digits.iter().enumerate() {
                carry += multiply(*digit, scale);
                limb |= (carry & 0xffff) << (index as u32 * DIGIT_BITS);
                carry >>= DIGIT_BITS;
            }
            limb
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn the_arithmetic_is_that_of_the_prime() {
        let edges = [0, 1, 2, WRAP - 1, WRAP, WRAP + 1, 1 << 32, 1 << 63, PRIME - 2, PRIME - 1];
        for (a, b) in edges.into_iter().flat_map(|a| edges.map(|b| (a, b))) {
            let (wide_a, wide_b, prime) = (u128::from(a), u128::from(b), u128::from(PRIME));
            assert_eq!(u128::from(add(a, b)), (wide_a + wide_b) % prime);
            assert_eq!(u128::from(subtract(a, b)), (wide_a + prime - wide_b) % prime);
            assert_eq!(u128::from(multiply(a, b)), wide_a * wide_b % prime, "{a} * {b}");
        }
        assert_eq!(power(power(GENERATOR, (PRIME - 1) >> 32), 1 << 31), PRIME - 1);
    }

    #[test]
    fn a_product_is_the_schools() {
        let school = |a: &[u64], b: &[u64]| {
            let mut out = vec![0_u64; a.len() + b.len()];
            for (offset, x) in a.iter().enumerate() {
                let mut carry = 0_u128;
                for (index, y) in b.iter().enumerate() {
                    carry += u128::from(*x) * u128::from(*y) + u128::from(out[offset + index]);
                    out[offset + index] = carry as u64;
                    carry >>= 64;
                }
                out[offset + b.len()] = carry as u64;
            }
            out
        };
        let mut state = 1_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            if state >> 61 == 0 { u64::MAX } else { state }
        };
        for (long, short) in [(1, 1), (2, 1), (3, 3), (300, 7), (1000, 1000), (1025, 511)] {
            let a: Vec<u64> = (0..long).map(|_| random()).collect();
            let b: Vec<u64> = (0..short).map(|_| random()).collect();
            let product = |a: &[u64], b: &[u64]| product(a, b, &mut |_| Ok::<(), Infallible>(()));
            assert_eq!(product(&a, &b), Ok(school(&a, &b)));
            assert_eq!(product(&a, &a), Ok(school(&a, &a)));
            let ones = vec![u64::MAX; long];
            assert_eq!(product(&ones, &ones), Ok(school(&ones, &ones)));
        }
    }

    #[test]
    fn a_product_is_given_up_between_steps() {
        let factor = vec![u64::MAX; 4096];
        let mut steps = 0;
        product(&factor, &factor, &mut |_| {
            steps += 1;
            Ok::<(), ()>(())
        })
        .expect("nobody objects");
        assert!(steps > 50, "{steps}");
        for last in [1, 2, steps / 3, steps / 2, steps] {
            let mut step = 0;
            let ended = product(&factor, &factor, &mut |_| {
                step += 1;
                if step == last { Err(step) } else { Ok(()) }
            });
            assert_eq!(ended, Err(last));
        }
    }
}

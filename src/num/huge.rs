//! Integers of millions of digits: operations that take long, in pieces between which the caller may give up.
//!
//! Each piece is announced to the caller with what it takes, and takes some milliseconds at most. Products of long factors are made by
//! transforms ([`transform`]), quotients by Burnikel's and Ziegler's recursion on halves, text by halves too; the pieces that are
//! left at the bottom are dashu's. What is short altogether never comes here.
//!
//! Recursion here is as deep as the logarithm of a length.
//!
//! What an operation takes meanwhile is not charged to anybody: the largest integers have 4 MiB, and a product of that size takes some
//! ten times as much for as long as it is computed.
//!
//! Source: Burnikel and Ziegler, "Fast recursive division", 1998.

use std::borrow::Cow;

use dashu_int::UBig;
use dashu_int::ops::{BitTest, DivRem};

use super::integer::{Int, MAX_LIMBS, limbs_of, unsigned};
use super::transform::{self, Work};

/// Limbs of the shorter factor up to which a product is one piece, and of an integer of which nothing takes long.
pub const PIECE: usize = 1 << 12;

/// Limbs of a longer factor that make up one piece with a shorter one.
const LONG_PIECE: usize = 1 << 14;

/// Digits of a piece of text, whatever the base.
const DIGITS: usize = 1 << 15;

/// Limbs of the shorter factor from which on transforms in steps are the better ones: below it pieces of dashu's are put together.
const TRANSFORMED: usize = 1 << 13;

const _: () = assert!(MAX_LIMBS < transform::MOST_LIMBS);

/// Units of work that a product takes: by the school's method, and from some dozens of limbs on by better ones, whose cost grows
/// like that of the larger factor times a root of the smaller one.
pub fn product_units(a: usize, b: usize) -> usize {
    let (short, long) = (a.min(b), a.max(b));
    if short <= SCHOOL_LIMBS { short * long / 4 } else { long.saturating_mul(short.isqrt()) }
}

/// Limbs up to which numbers are multiplied by the school's method.
const SCHOOL_LIMBS: usize = 32;

/// The same for a quotient or remainder.
pub fn quotient_units(a: usize, b: usize) -> usize {
    2 * product_units(a.saturating_sub(b), b) + a / 4
}

/// Units of work that changing the base of an integer of so many limbs takes.
pub fn conversion_units(limbs: usize) -> usize {
    4 * product_units(limbs, limbs)
}

/// `a * b`; the same slice twice is squared.
///
/// # Errors
/// What `work` fails with.
pub fn multiply<E>(a: &[u64], b: &[u64], work: Work<'_, E>) -> Result<UBig, E> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    if short.is_empty() {
        return Ok(UBig::ZERO);
    }
    if short.len() <= TRANSFORMED && long.len() <= LONG_PIECE {
        work(product_units(long.len(), short.len()))?;
        let same = std::ptr::eq(long, short);
        return Ok(if same { unsigned(long).sqr() } else { unsigned(long) * unsigned(short) });
    }
    if short.len() > TRANSFORMED && long.len() <= 4 * short.len() {
        return Ok(unsigned(&transform::product(long, short, work)?));
    }
    // The pieces of the longer one, from the most significant down.
    let mut product = UBig::ZERO;
    let length = short.len().max(LONG_PIECE);
    for piece in long.chunks(length).rev() {
        product = (product << (64 * length)) + multiply(piece, short, work)?;
    }
    Ok(product)
}

fn times<E>(a: &UBig, b: &UBig, work: Work<'_, E>) -> Result<UBig, E> {
    multiply(&limbs_of(a.as_words()), &limbs_of(b.as_words()), work)
}

fn length(value: &UBig) -> usize {
    limbs_of(value.as_words()).len()
}

/// The limbs from `from` on, at most `count`.
fn part(value: &UBig, from: usize, count: usize) -> UBig {
    let limbs: Cow<'_, [u64]> = limbs_of(value.as_words());
    let limbs = limbs.get(from..).unwrap_or(&[]);
    unsigned(&limbs[..count.min(limbs.len())])
}

/// `high * 2^(64 * limbs) + low`.
fn join(high: UBig, limbs: usize, low: &UBig) -> UBig {
    (high << (64 * limbs)) + low
}

/// Quotient and remainder. `b` is not zero.
///
/// # Errors
/// What `work` fails with.
pub fn divide<E>(a: &UBig, b: &UBig, work: Work<'_, E>) -> Result<(UBig, UBig), E> {
    let limbs = length(b);
    // Halved as often as it takes, the divisor is a piece, and its top bit is set.
    let halvings = limbs.div_ceil(PIECE).next_power_of_two().ilog2();
    let block = if halvings == 0 { PIECE } else { limbs.div_ceil(1 << halvings) << halvings };
    let shift = if halvings == 0 { 0 } else { 64 * block - b.bit_len() };
    let (a, b) = (a << shift, b << shift);
    let (mut quotient, mut rest) = (UBig::ZERO, UBig::ZERO);
    for index in (0..length(&a).div_ceil(block)).rev() {
        let next = join(rest, block, &part(&a, index * block, block));
        let (digit, left) = divide_block(next, &b, block, work)?;
        quotient = join(quotient, block, &digit);
        rest = left;
    }
    Ok((quotient, rest >> shift))
}

/// The same where the quotient has at most `size` limbs, as many as the divisor if that is no piece.
fn divide_block<E>(a: UBig, b: &UBig, size: usize, work: Work<'_, E>) -> Result<(UBig, UBig), E> {
    if a < *b {
        return Ok((UBig::ZERO, a));
    }
    if size <= PIECE {
        work(quotient_units(length(&a), length(b)))?;
        return Ok(a.div_rem(b));
    }
    let half = size / 2;
    let (high, rest) = divide_half(part(&a, half, usize::MAX), b, half, work)?;
    let (low, rest) = divide_half(join(rest, half, &part(&a, 0, half)), b, half, work)?;
    Ok((join(high, half, &low), rest))
}

/// The same where the quotient has at most `half` limbs and the divisor twice as many: its upper half gives a quotient that is too
/// large by two at most.
fn divide_half<E>(a: UBig, b: &UBig, half: usize, work: Work<'_, E>) -> Result<(UBig, UBig), E> {
    if a < *b {
        return Ok((UBig::ZERO, a));
    }
    let (upper, lower) = (part(b, half, half), part(b, 0, half));
    let top = part(&a, half, usize::MAX);
    let (mut quotient, rest) = if part(&top, half, usize::MAX) == upper {
        let most = (UBig::ONE << (64 * half)) - UBig::ONE;
        let rest = top - times(&most, &upper, work)?;
        (most, rest)
    } else {
        divide_block(top, &upper, half, work)?
    };
    let mut rest = join(rest, half, &part(&a, 0, half));
    let taken = times(&quotient, &lower, work)?;
    while rest < taken {
        rest += b;
        quotient -= UBig::ONE;
    }
    Ok((quotient, rest - taken))
}

/// The powers of `base` by which a text of so many digits is halved, the least first: the exponents are [`DIGITS`] and its doubles.
fn powers<E>(base: u32, digits: usize, work: Work<'_, E>) -> Result<Vec<UBig>, E> {
    let mut powers = Vec::new();
    while DIGITS << powers.len() < digits {
        powers.push(match powers.last() {
            None => {
                work(conversion_units(PIECE / 2))?;
                UBig::from(base).pow(DIGITS)
            }
            Some(last) => times(last, last, work)?,
        });
    }
    Ok(powers)
}

/// The digits in a base from 2 to 36, upper case.
///
/// # Errors
/// What `work` fails with.
pub fn digits<E>(value: &UBig, base: u32, work: Work<'_, E>) -> Result<String, E> {
    if base.is_power_of_two() {
        work(length(value) * 8)?;
        return Ok(piece_text(value, base));
    }
    // No digit has less bits than this.
    let bits = base.ilog2() as usize;
    let powers = powers(base, value.bit_len() / bits + 1, work)?;
    let mut text = String::new();
    append(&mut text, value, base, &powers, 0, work)?;
    Ok(text)
}

/// Bytes of memory that the text of an integer takes for each limb, and the way there: powers, quotients and rests.
pub const TEXT_ROOM_PER_LIMB: usize = 200;

/// The same with a sign in front of negative ones.
///
/// # Errors
/// What `work` fails with.
pub fn text<E>(value: Int<'_>, base: u32, work: Work<'_, E>) -> Result<String, E> {
    let mut text = digits(&unsigned(value.limbs), base, work)?;
    if value.negative {
        text.insert(0, '-');
    }
    Ok(text)
}

fn piece_text(value: &UBig, base: u32) -> String {
    let mut text = value.in_radix(base as u8).to_string();
    text.make_ascii_uppercase();
    text
}

/// Appends the digits of a value below the square of the last power, with leading zeros if there is something in front of them.
fn append<E>(
    text: &mut String,
    value: &UBig,
    base: u32,
    powers: &[UBig],
    width: usize,
    work: Work<'_, E>,
) -> Result<(), E> {
    let Some((power, lower)) = powers.split_last() else {
        work(conversion_units(length(value)))?;
        let digits = piece_text(value, base);
        text.extend(std::iter::repeat_n('0', width.saturating_sub(digits.len())));
        text.push_str(&digits);
        return Ok(());
    };
    if width == 0 && value < power {
        return append(text, value, base, lower, 0, work);
    }
    let (high, low) = divide(value, power, work)?;
    let low_width = DIGITS << lower.len();
    append(text, &high, base, lower, width.saturating_sub(low_width), work)?;
    append(text, &low, base, lower, low_width, work)
}

/// The value of digits of a base from 2 to 36; `None` if one is none.
///
/// # Errors
/// What `work` fails with.
pub fn parse<E>(digits: &str, base: u32, work: Work<'_, E>) -> Result<Option<UBig>, E> {
    if base.is_power_of_two() {
        work(digits.len())?;
        return Ok(UBig::from_str_radix(digits, base).ok());
    }
    let powers = powers(base, digits.len(), work)?;
    value(digits, base, &powers, work)
}

fn value<E>(digits: &str, base: u32, powers: &[UBig], work: Work<'_, E>) -> Result<Option<UBig>, E> {
    let Some((power, lower)) = powers.split_last() else {
        // Six bits are more than a digit of the largest base has.
        work(conversion_units(digits.len() * 6 / 64) / 2)?;
        return Ok(UBig::from_str_radix(digits, base).ok());
    };
    let Some((high, low)) = digits.len().checked_sub(DIGITS << lower.len()).map(|at| digits.split_at(at))
    else {
        return value(digits, base, lower, work);
    };
    if high.is_empty() {
        return value(low, base, lower, work);
    }
    let (Some(high), Some(low)) = (value(high, base, lower, work)?, value(low, base, lower, work)?) else {
        return Ok(None);
    };
    Ok(Some(times(&high, power, work)? + low))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn free(_: usize) -> Result<(), Infallible> {
        Ok(())
    }

    /// A number of so many limbs without any order in them.
    fn number(limbs: usize) -> UBig {
        let mut state = limbs as u64;
        let limbs: Vec<u64> = (0..limbs)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state ^ state >> 29
            })
            .collect();
        unsigned(&limbs)
    }

    fn ones(limbs: usize) -> UBig {
        (UBig::ONE << (64 * limbs)) - UBig::ONE
    }

    #[test]
    fn products_are_those_of_dashu() {
        for (a, b) in
            [(40_000, 20), (20_000, 5_000), (9_000, 8_500), (40_000, 9_000), (70_000, 8_193), (3, 0)]
        {
            for (a, b) in [(number(a), number(b)), (ones(a), ones(b)), (number(b), ones(a))] {
                let Ok(product) = times(&a, &b, &mut free);
                assert!(product == &a * &b, "{} times {} limbs", length(&a), length(&b));
            }
        }
        let a = number(10_000);
        let Ok(square) = times(&a, &a, &mut free);
        assert!(square == a.sqr());
    }

    #[test]
    fn quotients_are_those_of_dashu() {
        let lengths = [
            (20_000, 3),
            (20_000, 4_096),
            (20_000, 4_097),
            (17_000, 9_000),
            (30_000, 12_289),
            (9_000, 8_999),
        ];
        for (a, b) in lengths {
            let exact = number(b) * number(a - b);
            let pairs = [
                (number(a), number(b)),
                (ones(a), ones(b)),
                (ones(a), UBig::ONE << (64 * b - 1)),
                (exact.clone(), number(b)),
                (exact - UBig::ONE, number(b)),
                (UBig::ONE << (64 * a - 1), ones(b)),
            ];
            for (a, b) in pairs {
                let Ok((quotient, rest)) = divide(&a, &b, &mut free);
                let (expected, left) = (&a).div_rem(&b);
                assert!(quotient == expected && rest == left, "{} by {} limbs", length(&a), length(&b));
            }
        }
    }

    #[test]
    fn text_is_that_of_dashu_and_comes_back() {
        for base in [10, 3, 36, 16, 2] {
            let power = UBig::from(base).pow(3 * DIGITS);
            for value in [number(9_000), &power - UBig::ONE, power.clone(), power + UBig::ONE, number(20)] {
                let Ok(text) = digits(&value, base, &mut free);
                assert!(text == piece_text(&value, base), "base {base}");
                let Ok(parsed) = parse(&text, base, &mut free);
                assert!(parsed.as_ref() == Some(&value), "base {base}");
            }
        }
        let bad = "1".repeat(DIGITS) + "x" + &"1".repeat(2 * DIGITS);
        assert_eq!(parse(&bad, 10, &mut free), Ok(None));
        let zeros = "0".repeat(3 * DIGITS) + "17";
        assert_eq!(parse(&zeros, 10, &mut free), Ok(Some(UBig::from(17_u8))));
    }

    /// Whatever is done with large numbers, no piece of it takes longer than some hundredths of a second.
    #[test]
    #[allow(clippy::type_complexity, reason = "the type of an operation is said once")]
    fn every_piece_is_short_and_may_be_the_last() {
        let (a, b) = (number(60_000), number(25_000));
        let text = "7".repeat(40 * DIGITS);
        let mut longest = 0;
        let mut within = |limit: usize, run: &dyn Fn(Work<'_, ()>) -> bool| {
            let mut pieces = 0;
            let whole = run(&mut |units| {
                longest = longest.max(units);
                pieces += 1;
                if pieces > limit { Err(()) } else { Ok(()) }
            });
            (whole, pieces)
        };
        let operations: [&dyn Fn(Work<'_, ()>) -> bool; 5] = [
            &|work| times(&a, &b, work).is_ok(),
            &|work| times(&a, &number(40), work).is_ok(),
            &|work| divide(&a, &b, work).is_ok(),
            &|work| digits(&b, 10, work).is_ok(),
            &|work| parse(&text, 10, work).is_ok(),
        ];
        for operation in operations {
            let (whole, pieces) = within(usize::MAX, operation);
            assert!(whole && pieces > 3, "{pieces}");
            assert_eq!(within(pieces / 2, operation), (false, pieces / 2 + 1));
        }
        assert!(longest < 4_000_000, "{longest} units");
    }
}

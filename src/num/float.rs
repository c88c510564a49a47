//! Floats as text, as OTP prints and reads them; and their exact order against integers.

use std::cmp::Ordering;
use std::fmt::Write as _;

/// Bytes of OTP's buffer for a formatted float: what would be longer is `badarg`.
const LONGEST: usize = 255;

/// From this magnitude on (2^53) neighbours are more than 1 apart, and `short` prints an exponent whatever the length.
const EXACT_LIMIT: f64 = 9_007_199_254_740_992.0;

const TWO_TO_THE_63: f64 = 9_223_372_036_854_775_808.0;

const TWO_TO_THE_64: f64 = 18_446_744_073_709_551_616.0;

/// `~p`, `~w` and `float_to_list(F, [short])`: the shortest digits that read back as the same float, with an exponent
/// if that is shorter.
pub fn short(value: f64) -> String {
    let mut out = String::with_capacity(24);
    if value.is_sign_negative() {
        out.push('-');
    }
    let magnitude = value.abs();
    if magnitude == 0.0 {
        out.push_str("0.0");
        return out;
    }
    let (digits, point) = shortest_digits(magnitude);
    let count = digits.len() as i32;
    let exponent = (point - 1).to_string();
    // Characters an exponent adds: `e`, the number, the point, and a zero behind it if there is only one digit.
    let exponent_cost = exponent.len() as i32 + if count == 1 { 3 } else { 2 };
    let _ = if magnitude >= EXACT_LIMIT {
        with_exponent(&mut out, &digits, &exponent)
    } else if point <= 0 {
        if 2 - point <= exponent_cost {
            write!(out, "0.{}{digits}", "0".repeat(-point as usize))
        } else {
            with_exponent(&mut out, &digits, &exponent)
        }
    } else if point < count {
        let (whole, fraction) = digits.split_at(point as usize);
        write!(out, "{whole}.{fraction}")
    } else if point - count + 2 <= exponent_cost {
        write!(out, "{digits}{}.0", "0".repeat((point - count) as usize))
    } else {
        with_exponent(&mut out, &digits, &exponent)
    };
    out
}

fn with_exponent(out: &mut String, digits: &str, exponent: &str) -> std::fmt::Result {
    let (first, rest) = digits.split_at(1);
    write!(out, "{first}.{}e{exponent}", if rest.is_empty() { "0" } else { rest })
}

/// Shortest digits without leading or trailing zeros, and where the point is: the value is `0.DIGITS * 10^point`.
fn shortest_digits(magnitude: f64) -> (String, i32) {
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(magnitude);
    let (mantissa, exponent) = match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, exponent.parse().expect("ryu writes a number behind e")),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: String = whole.chars().chain(fraction.chars()).collect();
    let leading = digits.len() - digits.trim_start_matches('0').len();
    let point = whole.len() as i32 + exponent - leading as i32;
    (digits.trim_matches('0').to_owned(), point)
}

/// `float_to_list(F, [{scientific, D}])`; `float_to_list/1` is 20 decimals. `None` where OTP answers `badarg` (D above 249).
pub fn scientific(value: f64, decimals: usize) -> Option<String> {
    if decimals > 249 {
        return None;
    }
    let text = format!("{value:.decimals$e}");
    let (mantissa, exponent) = text.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    let sign = if exponent < 0 { '-' } else { '+' };
    Some(format!("{mantissa}e{sign}{:02}", exponent.abs()))
}

/// `float_to_list(F, [{decimals, D}])`: rounded half away from zero on the exact value; `compact` removes trailing zeros but
/// one. `None` where OTP answers `badarg` (D above 253, or a text too long).
pub fn decimals(value: f64, decimals: usize, compact: bool) -> Option<String> {
    if decimals > 253 {
        return None;
    }
    let mut text = if let Some(text) = fixed_decimals(value, decimals) {
        text
    } else if fraction_bits(value) == decimals + 1 {
        // Exactly between two: as many binary as decimal places, so one decimal more shows the value whole, ending in 5.
        let exact = format!("{value:.*}", decimals + 1);
        round_up(&exact[..exact.len() - 1])
    } else {
        format!("{value:.decimals$}")
    };
    if text.len() > LONGEST {
        return None;
    }
    if compact && let Some(point) = text.find('.') {
        let kept = text.trim_end_matches('0').len().max(point + 2);
        text.truncate(kept);
    }
    Some(text)
}

/// The common case of [`decimals`]: the fraction as a number of 64 binary places is exact, and so is the product that is rounded.
fn fixed_decimals(value: f64, decimals: usize) -> Option<String> {
    /// Ten to this power is below 2^64.
    const MOST: usize = 19;
    let magnitude = value.abs();
    if decimals > MOST || magnitude >= TWO_TO_THE_63 || fraction_bits(value) > 64 {
        return None;
    }
    let mut whole = magnitude as u64;
    let power = 10_u64.pow(decimals as u32);
    // Both factors are exact: there are at most 64 places, and scaling by a power of two changes no digit.
    let fraction = ((magnitude - whole as f64) * TWO_TO_THE_64) as u64;
    let product = u128::from(fraction) * u128::from(power);
    let mut digits = (product >> 64) as u64 + (product as u64 >> 63);
    if digits == power {
        digits = 0;
        whole += 1;
    }
    let mut place = [b'0'; 48];
    let mut first = place.len();
    for _ in 0..decimals {
        first -= 1;
        place[first] = b'0' + (digits % 10) as u8;
        digits /= 10;
    }
    if decimals > 0 {
        first -= 1;
        place[first] = b'.';
    }
    loop {
        first -= 1;
        place[first] = b'0' + (whole % 10) as u8;
        whole /= 10;
        if whole == 0 {
            break;
        }
    }
    if value.is_sign_negative() {
        first -= 1;
        place[first] = b'-';
    }
    Some(place[first..].iter().copied().map(char::from).collect())
}

/// Binary places of the fraction.
fn fraction_bits(value: f64) -> usize {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64;
    let mantissa = bits & ((1 << 52) - 1) | if exponent == 0 { 0 } else { 1 << 52 };
    if mantissa == 0 {
        return 0;
    }
    let scale = exponent.max(1) - 1075 + mantissa.trailing_zeros() as i64;
    usize::try_from(-scale).unwrap_or(0)
}

/// Adds one to the last digit of a decimal number.
fn round_up(text: &str) -> String {
    let mut out: Vec<u8> = text.trim_end_matches('.').bytes().collect();
    let mut place = out.len();
    loop {
        if place == 0 || out[place - 1] == b'-' {
            out.insert(place, b'1');
            break;
        }
        place -= 1;
        match out[place] {
            b'.' => {}
            b'9' => out[place] = b'0',
            _ => {
                out[place] += 1;
                break;
            }
        }
    }
    out.into_iter().map(char::from).collect()
}

/// A float in Erlang's notation (`1.0`, `-1.5e3`), all of `text`; `None` if it is none or overflows. As in OTP, the point may be a comma.
pub fn parse(text: &[u8]) -> Option<f64> {
    let unsigned = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    let digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let point = unsigned.iter().position(|byte| matches!(byte, b'.' | b','))?;
    let (whole, rest) = (&unsigned[..point], &unsigned[point + 1..]);
    let (fraction, exponent) = match rest.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(place) => (&rest[..place], Some(&rest[place + 1..])),
        None => (rest, None),
    };
    let unsigned_exponent =
        exponent.map(|text| text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text));
    if !digits(whole) || !digits(fraction) || !unsigned_exponent.is_none_or(digits) {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    let value: f64 =
        if unsigned[point] == b',' { text.replacen(',', ".", 1).parse() } else { text.parse() }.ok()?;
    value.is_finite().then_some(value)
}

/// Exact order of an integer (sign, limbs) and a finite float.
pub fn compare_with_integer(negative: bool, limbs: &[u64], float: f64) -> Ordering {
    let zero = limbs.iter().all(|limb| *limb == 0);
    let negative = negative && !zero;
    let float_negative = float < 0.0;
    if negative != float_negative {
        return if negative {
            Ordering::Less
        } else if zero && float == 0.0 {
            Ordering::Equal
        } else {
            Ordering::Greater
        };
    }
    let order = compare_magnitudes(limbs, float.abs());
    if negative { order.reverse() } else { order }
}

fn compare_magnitudes(limbs: &[u64], float: f64) -> Ordering {
    let length = limbs.iter().rposition(|limb| *limb != 0).map_or(0, |last| last + 1);
    if length <= 1 && float < TWO_TO_THE_64 {
        let whole = float as u64;
        let order = limbs.first().copied().unwrap_or(0).cmp(&whole);
        return order.then_with(|| if float.fract() > 0.0 { Ordering::Less } else { Ordering::Equal });
    }
    let integer_part = super::integer::limbs_of_float(float);
    let float_length = integer_part.iter().rposition(|limb| *limb != 0).map_or(0, |last| last + 1);
    super::integer::compare_limbs(&limbs[..length], &integer_part[..float_length])
        .then_with(|| if float.fract() > 0.0 { Ordering::Less } else { Ordering::Equal })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From OTP 25, one float a line: its bits, `~w`, `float_to_list/1`, and `float_to_list/2` with the options below.
    const FLOATS: &str = include_str!("golden/floats.txt");

    #[test]
    fn floats_print_as_in_otp() {
        for line in FLOATS.lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            let value = f64::from_bits(u64::from_str_radix(fields[0], 16).unwrap());
            assert_eq!(short(value), fields[1], "{line}");
            assert_eq!(scientific(value, 20).unwrap(), fields[2], "{line}");
            let texts = [
                decimals(value, 0, false),
                decimals(value, 1, false),
                decimals(value, 2, false),
                decimals(value, 3, false),
                decimals(value, 6, false),
                decimals(value, 12, true),
                scientific(value, 0),
                scientific(value, 3),
            ];
            for (text, expected) in texts.into_iter().zip(&fields[3..]) {
                assert_eq!(text.as_deref().unwrap_or("badarg"), *expected, "{line}");
            }
            assert_eq!(parse(fields[1].as_bytes()).map(f64::to_bits), Some(value.to_bits()));
        }
    }

    #[test]
    fn the_common_case_rounds_as_the_others_do() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        for round in 0..20_000_u32 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let exponent = i32::try_from(state >> 58).expect("six bits") - 20;
            let value = (state as i64 >> (round % 40)) as f64 / 2f64.powi(63) * 2f64.powi(exponent);
            for places in [0, 1, 2, 6, 15, 19] {
                let Some(text) = fixed_decimals(value, places) else { continue };
                if fraction_bits(value) == places + 1 {
                    let exact = format!("{value:.*}", places + 1);
                    assert_eq!(text, round_up(&exact[..exact.len() - 1]), "{value:e} {places}");
                } else {
                    assert_eq!(text, format!("{value:.places$}"), "{value:e} {places}");
                }
            }
        }
        assert_eq!(fixed_decimals(-0.0, 1).as_deref(), Some("-0.0"));
        assert_eq!(fixed_decimals(0.999_999_9, 6).as_deref(), Some("1.000000"));
        assert!(fixed_decimals(1.0e-30, 6).is_none() && fixed_decimals(1.0e19, 6).is_none());
    }

    #[test]
    fn limits_of_formatting_are_otps() {
        assert_eq!(decimals(0.1, 253, false).map(|text| text.len()), Some(255));
        assert_eq!(decimals(1.0e22, 253, false), None);
        assert_eq!(decimals(0.1, 254, false), None);
        assert_eq!(scientific(0.1, 249).map(|text| text.len()), Some(255));
        assert_eq!(scientific(0.1, 250), None);
        assert_eq!(decimals(0.145, 1, false).as_deref(), Some("0.1"));
    }

    #[test]
    fn only_erlangs_notation_is_read() {
        for good in ["1.0", "-0.0", "+1.5", "1.0e5", "1.0E-5", "1.0e+5", "1.0e-400"] {
            assert!(parse(good.as_bytes()).is_some(), "{good}");
        }
        for bad in [
            "1", "1.", "1.e5", "1e5", ".5", "1.0e400", "1.0e", "1.0 ", " 1.0", "1.0e5.0", "1_0.0", "inf", "",
            "-", "nan",
        ] {
            assert_eq!(parse(bad.as_bytes()), None, "{bad}");
        }
    }
}

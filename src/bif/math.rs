//! Natives of module `math`.

use super::table::{NAMES, id};
use crate::bif::{BifResult, Cx, Stop};
use crate::term::Term;

/// The number as a float.
///
/// # Errors
/// `badarg` for what is no number, `badarith` for integers beyond the range of floats.
fn number<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> Result<f64, Stop<'h>> {
    if let Some(small) = term.as_small() {
        return Ok(small as f64);
    }
    if !term.is_number() {
        return Err(Stop::badarg());
    }
    let float = cx.to_float(term).map_err(|_| Stop::badarith())?;
    float.as_float().ok_or_else(Stop::badarith)
}

/// The result, unless it is infinite or not a number.
fn result<'h>(cx: &mut Cx<'h>, value: f64) -> BifResult<'h> {
    cx.float(value)?.ok_or_else(Stop::badarith)
}

macro_rules! functions_of_one {
    ($($(#[doc = $doc:literal])+ $name:ident($arg:ident) = $value:expr;)*) => {
        $(
            $(#[doc = $doc])+
            ///
            /// # Errors
            /// `badarg` if the argument is no number; `badarith` if the result is infinite or undefined.
            pub fn $name<'h>(cx: &mut Cx<'h>, [$arg]: [Term<'h>; 1]) -> BifResult<'h> {
                let $arg = number(cx, $arg)?;
                result(cx, $value)
            }
        )*

        /// By a native's number, what it computes, for those who have the float at hand.
        pub static FUNCTIONS: [Option<fn(f64) -> f64>; NAMES.len()] = {
            let mut functions: [Option<fn(f64) -> f64>; NAMES.len()] = [None; NAMES.len()];
            $(functions[id("math", stringify!($name), 1).0 as usize] = Some(|$arg| $value);)*
            functions
        };
    };
}

macro_rules! functions_of_two {
    ($($(#[doc = $doc:literal])+ $name:ident($a:ident, $b:ident) = $value:expr;)*) => {$(
        $(#[doc = $doc])+
        ///
        /// # Errors
        /// `badarg` if an argument is no number; `badarith` if the result is infinite or undefined.
        pub fn $name<'h>(cx: &mut Cx<'h>, [$a, $b]: [Term<'h>; 2]) -> BifResult<'h> {
            let ($a, $b) = (number(cx, $a)?, number(cx, $b)?);
            result(cx, $value)
        }
    )*};
}

functions_of_one! {
    /// `acos(number()) -> float()`.
    acos(x) = x.acos();
    /// `acosh(number()) -> float()`.
    acosh(x) = exact_acosh(x);
    /// `asin(number()) -> float()`.
    asin(x) = x.asin();
    /// `asinh(number()) -> float()`.
    asinh(x) = exact_asinh(x);
    /// `atan(number()) -> float()`.
    atan(x) = x.atan();
    /// `atanh(number()) -> float()`.
    atanh(x) = x.atanh();
    /// `ceil(number()) -> float()`.
    ceil(x) = x.ceil();
    /// `erf(number()) -> float()`.
    erf(x) = libm::erf(x);
    /// `erfc(number()) -> float()`.
    erfc(x) = libm::erfc(x);
    /// `cos(number()) -> float()`.
    cos(x) = x.cos();
    /// `cosh(number()) -> float()`.
    cosh(x) = x.cosh();
    /// `exp(number()) -> float()`.
    exp(x) = x.exp();
    /// `floor(number()) -> float()`.
    floor(x) = x.floor();
    /// `log(number()) -> float()`.
    log(x) = x.ln();
    /// `log10(number()) -> float()`.
    log10(x) = x.log10();
    /// `log2(number()) -> float()`.
    log2(x) = x.log2();
    /// `sin(number()) -> float()`.
    sin(x) = x.sin();
    /// `sinh(number()) -> float()`.
    sinh(x) = x.sinh();
    /// `sqrt(number()) -> float()`.
    sqrt(x) = x.sqrt();
    /// `tan(number()) -> float()`.
    tan(x) = x.tan();
    /// `tanh(number()) -> float()`.
    tanh(x) = x.tanh();
}

functions_of_two! {
    /// `atan2(Y :: number(), X :: number()) -> float()`.
    atan2(y, x) = y.atan2(x);
    /// `fmod(number(), number()) -> float()`.
    fmod(x, y) = x % y;
    /// `pow(number(), number()) -> float()`.
    pow(x, y) = x.powf(y);
}

/// `pi() -> float()`.
pub fn pi<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    result(cx, std::f64::consts::PI)
}

/// `tau() -> float()`: twice pi.
pub fn tau<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    result(cx, std::f64::consts::TAU)
}

/// From here on the square's root and the number are the same.
const LARGE: f64 = 268_435_456.0;

/// In the forms that lose no digits (fdlibm's): the standard library's loses the last.
fn exact_acosh(x: f64) -> f64 {
    if x < 1.0 {
        f64::NAN
    } else if x >= LARGE {
        x.ln() + std::f64::consts::LN_2
    } else if x > 2.0 {
        (2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt())).ln()
    } else {
        let t = x - 1.0;
        (t + (2.0 * t + t * t).sqrt()).ln_1p()
    }
}

/// As `acosh`.
fn exact_asinh(x: f64) -> f64 {
    let t = x.abs();
    let result = if t >= LARGE {
        t.ln() + std::f64::consts::LN_2
    } else if t > 2.0 {
        (2.0 * t + 1.0 / ((x * x + 1.0).sqrt() + t)).ln()
    } else {
        let square = x * x;
        (t + square / (1.0 + (1.0 + square).sqrt())).ln_1p()
    };
    result.copysign(x)
}

//! Natives that tell the time, and unique integers.

use std::sync::atomic::Ordering;

use chrono::{DateTime, Datelike, Local, MappedLocalTime, NaiveDate, NaiveDateTime, TimeZone, Timelike, Utc};

use crate::atom::known;
use crate::bif::{BifResult, Cx, Stop};
use crate::heap::arith::ArithError;
use crate::term::{Term, View};

/// Parts of a second in one unit of time; clocks here count nanoseconds, which is what `native` means.
const NATIVE: i64 = 1_000_000_000;

/// How many of a unit make a second.
fn per_second<'h>(unit: Term<'h>) -> Result<i64, Stop<'h>> {
    match unit.view() {
        View::Atom(known::SECOND | known::SECONDS) => Ok(1),
        View::Atom(known::MILLISECOND | known::MILLI_SECONDS) => Ok(1_000),
        View::Atom(known::MICROSECOND | known::MICRO_SECONDS) => Ok(1_000_000),
        View::Atom(known::NANOSECOND | known::NANO_SECONDS | known::NATIVE | known::PERF_COUNTER) => {
            Ok(NATIVE)
        }
        View::Int(parts) if parts > 0 => Ok(parts),
        _ => Err(Stop::badarg()),
    }
}

/// Nanoseconds in another unit, rounded down.
fn in_unit<'h>(cx: &mut Cx<'h>, nanoseconds: i64, unit: Term<'h>) -> BifResult<'h> {
    let parts = per_second(unit)?;
    let value = (i128::from(nanoseconds) * i128::from(parts)).div_euclid(i128::from(NATIVE));
    Ok(cx.int_i128(value)?)
}

fn monotonic(cx: &Cx<'_>) -> i64 {
    rounded(cx, cx.rt.clock.now())
}

/// A monotonic time, in nanoseconds, as the caller may know it.
pub(super) fn rounded(cx: &Cx<'_>, time: u64) -> i64 {
    let now = i64::try_from(time).unwrap_or(i64::MAX);
    // What time-outs are counted in, and no finer: see `Capabilities::clock`.
    if cx.capabilities().has_clock() { now } else { now - now % COARSE_NS }
}

/// How monotonic time is rounded for those who have no right to the clock: a millisecond, as time-outs.
const COARSE_NS: i64 = 1_000_000;

fn system(cx: &Cx<'_>) -> i64 {
    monotonic(cx).saturating_add(cx.rt.clock.offset_ns())
}

/// `monotonic_time() -> integer()`: nanoseconds; whole milliseconds without the right to the clock.
pub fn monotonic_time<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let now = monotonic(cx);
    Ok(cx.int(now)?)
}

/// `monotonic_time(Unit) -> integer()`.
///
/// # Errors
/// `badarg` if it is no unit.
pub fn monotonic_time_in<'h>(cx: &mut Cx<'h>, [unit]: [Term<'h>; 1]) -> BifResult<'h> {
    let now = monotonic(cx);
    in_unit(cx, now, unit)
}

/// `system_time() -> integer()`: nanoseconds since 1970.
pub fn system_time<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let now = system(cx);
    Ok(cx.int(now)?)
}

/// `system_time(Unit) -> integer()`.
///
/// # Errors
/// `badarg` if it is no unit.
pub fn system_time_in<'h>(cx: &mut Cx<'h>, [unit]: [Term<'h>; 1]) -> BifResult<'h> {
    let now = system(cx);
    in_unit(cx, now, unit)
}

/// `time_offset() -> integer()`: system time less monotonic time.
pub fn time_offset<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let offset = cx.rt.clock.offset_ns();
    Ok(cx.int(offset)?)
}

/// `time_offset(Unit) -> integer()`.
///
/// # Errors
/// `badarg` if it is no unit.
pub fn time_offset_in<'h>(cx: &mut Cx<'h>, [unit]: [Term<'h>; 1]) -> BifResult<'h> {
    let offset = cx.rt.clock.offset_ns();
    in_unit(cx, offset, unit)
}

/// `os:system_time() -> integer()`: nanoseconds since 1970 as the host tells them.
pub fn os_system_time<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let now = cx.rt.clock.system_ns();
    Ok(cx.int(now)?)
}

/// `os:system_time(Unit) -> integer()`.
///
/// # Errors
/// `badarg` if it is no unit.
pub fn os_system_time_in<'h>(cx: &mut Cx<'h>, [unit]: [Term<'h>; 1]) -> BifResult<'h> {
    let now = cx.rt.clock.system_ns();
    in_unit(cx, now, unit)
}

/// `{MegaSeconds, Seconds, MicroSeconds}`.
pub(super) fn stamp<'h>(cx: &mut Cx<'h>, nanoseconds: i64) -> BifResult<'h> {
    let micros = nanoseconds.div_euclid(1000);
    let parts = [micros / 1_000_000_000_000, micros / 1_000_000 % 1_000_000, micros % 1_000_000];
    let mut elements = Vec::with_capacity(3);
    for part in parts {
        elements.push(cx.int(part)?);
    }
    Ok(cx.tuple(&elements)?)
}

/// `timestamp() -> {MegaSecs, Secs, MicroSecs}`.
pub fn timestamp<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let now = system(cx);
    stamp(cx, now)
}

/// `os:timestamp() -> {MegaSecs, Secs, MicroSecs}`.
pub fn os_timestamp<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let now = cx.rt.clock.system_ns();
    stamp(cx, now)
}

/// `now() -> {MegaSecs, Secs, MicroSecs}`: never twice the same, always rising.
pub fn now<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let micros = system(cx).div_euclid(1000);
    // Relaxed: the cell alone decides who gets which microsecond.
    let last = &cx.rt.last_now;
    let before = last
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |before| Some(micros.max(before + 1)))
        .unwrap_or(micros);
    stamp(cx, micros.max(before + 1).saturating_mul(1000))
}

/// `convert_time_unit(Time, From, To) -> integer()`, rounded down.
///
/// # Errors
/// `badarg` if it is no integer or no unit.
pub fn convert_time_unit<'h>(cx: &mut Cx<'h>, [time, from, to]: [Term<'h>; 3]) -> BifResult<'h> {
    let (from, to) = (per_second(from)?, per_second(to)?);
    if !time.is_integer() {
        return Err(Stop::badarg());
    }
    if let View::Int(time) = time.view() {
        return Ok(cx.int_i128((i128::from(time) * i128::from(to)).div_euclid(i128::from(from)))?);
    }
    let (from, to) = (cx.int(from)?, cx.int(to)?);
    let product = cx.multiply(time, to)?;
    let floor = |cx: &mut Cx<'h>| -> Result<Term<'h>, ArithError> {
        let quotient = cx.int_divide(product, from)?;
        let remainder = cx.remainder(product, from)?;
        let negative =
            crate::term::compare::compare(cx.atoms(), remainder, Term::small(0).unwrap_or(Term::NIL)).is_lt();
        if negative { cx.subtract(quotient, Term::small(1).unwrap_or(Term::NIL)) } else { Ok(quotient) }
    };
    Ok(floor(cx)?)
}

fn date_term<'h>(cx: &mut Cx<'h>, date: &impl Datelike) -> BifResult<'h> {
    let parts = [i64::from(date.year()), i64::from(date.month()), i64::from(date.day())];
    triple(cx, parts)
}

fn time_term<'h>(cx: &mut Cx<'h>, time: &impl Timelike) -> BifResult<'h> {
    triple(cx, [i64::from(time.hour()), i64::from(time.minute()), i64::from(time.second())])
}

fn triple<'h>(cx: &mut Cx<'h>, parts: [i64; 3]) -> BifResult<'h> {
    let elements = [cx.int(parts[0])?, cx.int(parts[1])?, cx.int(parts[2])?];
    Ok(cx.tuple(&elements)?)
}

fn date_time_term<'h>(cx: &mut Cx<'h>, moment: &(impl Datelike + Timelike)) -> BifResult<'h> {
    let date = date_term(cx, moment)?;
    let time = time_term(cx, moment)?;
    Ok(cx.tuple(&[date, time])?)
}

fn universal_now(cx: &Cx<'_>) -> DateTime<Utc> {
    DateTime::from_timestamp_nanos(system(cx))
}

/// `universaltime() -> calendar:datetime()`.
pub fn universaltime<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let now = universal_now(cx);
    date_time_term(cx, &now)
}

/// `localtime() -> calendar:datetime()`.
pub fn localtime<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let now = universal_now(cx).with_timezone(&Local);
    date_time_term(cx, &now)
}

/// `date() -> calendar:date()`.
pub fn date<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let now = universal_now(cx).with_timezone(&Local);
    date_term(cx, &now)
}

/// `time() -> calendar:time()`.
pub fn time<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let now = universal_now(cx).with_timezone(&Local);
    time_term(cx, &now)
}

/// `29-Nov-2026::17:24:08.015619` by local time, as reports show it.
pub(super) fn local_stamp(system_ns: i64) -> String {
    DateTime::from_timestamp_nanos(system_ns)
        .with_timezone(&Local)
        .format("%e-%b-%Y::%H:%M:%S%.6f")
        .to_string()
}

fn date_time<'h>(term: Term<'h>) -> Result<NaiveDateTime, Stop<'h>> {
    let three = |term: Term<'h>| -> Option<[u32; 3]> {
        let &[a, b, c] = term.as_tuple()? else { return None };
        let number = |term: Term<'h>| term.as_small().and_then(|value| u32::try_from(value).ok());
        Some([number(a)?, number(b)?, number(c)?])
    };
    let parse = || {
        let &[date, time] = term.as_tuple()? else { return None };
        let ([year, month, day], [hour, minute, second]) = (three(date)?, three(time)?);
        NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?.and_hms_opt(hour, minute, second)
    };
    parse().ok_or_else(Stop::badarg)
}

/// The first year of which the clocks of systems know: of times before it OTP does not tell what a local clock showed.
const FIRST_LOCAL_YEAR: i32 = 1902;

/// A date and time that a local clock may have shown.
fn local_date_time(term: Term<'_>) -> Result<NaiveDateTime, Stop<'_>> {
    let time = date_time(term)?;
    if chrono::Datelike::year(&time) < FIRST_LOCAL_YEAR { Err(Stop::badarg()) } else { Ok(time) }
}

/// `localtime_to_universaltime(DateTime) -> DateTime`. Who has no right to the clock has no time zone either.
///
/// # Errors
/// `badarg` if it is no date and time.
pub fn localtime_to_universaltime<'h>(cx: &mut Cx<'h>, [local]: [Term<'h>; 1]) -> BifResult<'h> {
    let local = local_date_time(local)?;
    if !cx.capabilities().has_clock() {
        return date_time_term(cx, &local);
    }
    let moment = match Local.from_local_datetime(&local) {
        MappedLocalTime::Single(moment) | MappedLocalTime::Ambiguous(_, moment) => moment.naive_utc(),
        // The hour that summer time skips is taken by the clock before the change.
        MappedLocalTime::None => {
            local
                - chrono::Duration::seconds(i64::from(
                    Local.offset_from_utc_datetime(&local).local_minus_utc(),
                ))
        }
    };
    date_time_term(cx, &moment)
}

/// `localtime_to_universaltime(DateTime, true | false | undefined) -> DateTime`: whether it is summer time; it decides only
/// where the clock shows the time twice.
///
/// # Errors
/// `badarg` if these are no date and time and none of the three.
pub fn localtime_to_universaltime_dst<'h>(cx: &mut Cx<'h>, [local, dst]: [Term<'h>; 2]) -> BifResult<'h> {
    let summer = match dst.as_atom() {
        Some(known::TRUE) => Some(true),
        Some(known::FALSE) => Some(false),
        Some(known::UNDEFINED) => None,
        _ => return Err(Stop::badarg()),
    };
    let summer = summer.filter(|_| cx.capabilities().has_clock());
    match (Local.from_local_datetime(&local_date_time(local)?), summer) {
        // The clock goes back at the end of summer time, so the earlier moment is in it.
        (MappedLocalTime::Ambiguous(earlier, _), Some(true)) => date_time_term(cx, &earlier.naive_utc()),
        (MappedLocalTime::Ambiguous(_, later), Some(false)) => date_time_term(cx, &later.naive_utc()),
        _ => localtime_to_universaltime(cx, [local]),
    }
}

/// `universaltime_to_localtime(DateTime) -> DateTime`.
///
/// # Errors
/// `badarg` if it is no date and time.
pub fn universaltime_to_localtime<'h>(cx: &mut Cx<'h>, [universal]: [Term<'h>; 1]) -> BifResult<'h> {
    let moment = local_date_time(universal)?;
    if !cx.capabilities().has_clock() {
        return date_time_term(cx, &moment);
    }
    let moment = Utc.from_utc_datetime(&moment).with_timezone(&Local);
    date_time_term(cx, &moment)
}

/// `posixtime_to_universaltime(Seconds) -> DateTime`.
///
/// # Errors
/// `badarg` if it is no integer or beyond the calendar.
pub fn posixtime_to_universaltime<'h>(cx: &mut Cx<'h>, [seconds]: [Term<'h>; 1]) -> BifResult<'h> {
    let seconds = seconds.as_small().ok_or_else(Stop::badarg)?;
    let moment = DateTime::from_timestamp(seconds, 0).ok_or_else(Stop::badarg)?;
    date_time_term(cx, &moment)
}

/// `universaltime_to_posixtime(DateTime) -> Seconds`.
///
/// # Errors
/// `badarg` if it is no date and time.
pub fn universaltime_to_posixtime<'h>(cx: &mut Cx<'h>, [universal]: [Term<'h>; 1]) -> BifResult<'h> {
    let moment = date_time(universal)?.and_utc();
    Ok(cx.int(moment.timestamp())?)
}

/// `unique_integer() -> integer()`.
pub fn unique_integer<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let unique = cx.worker.make_unique();
    Ok(cx.uint(unique)?)
}

/// `unique_integer([positive | monotonic]) -> integer()`.
///
/// # Errors
/// `badarg` for another option.
pub fn unique_integer_with<'h>(cx: &mut Cx<'h>, [options]: [Term<'h>; 1]) -> BifResult<'h> {
    let mut monotonic = false;
    let mut items = options.list();
    for option in items.by_ref() {
        match option.as_atom() {
            Some(known::MONOTONIC) => monotonic = true,
            Some(known::POSITIVE) => {}
            _ => return Err(Stop::badarg()),
        }
    }
    if !items.rest().is_nil() {
        return Err(Stop::badarg());
    }
    if !monotonic {
        return unique_integer(cx, []);
    }
    // Relaxed: one cell, whose own order is the order of the integers.
    let value = cx.rt.monotonic_unique.fetch_add(1, Ordering::Relaxed) + 1;
    Ok(cx.uint(value)?)
}

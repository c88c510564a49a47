//! Reports of uncaught errors, as OTP's default logger writes them.

use crate::heap::Fragment;
use crate::process::Process;
use crate::runtime::{Runtime, WorkerCx};
use crate::term::Term;
use crate::term::print::{self, Range, Style};

/// Characters of a term shown in a report: OTP shows all, but nobody reads a megabyte.
const LIMIT: usize = 64 * 1024;

/// The term as one line.
pub(super) fn text(rt: &Runtime, term: Term<'_>) -> String {
    let mut text = String::new();
    let style = Style { strings: Some(Range::Latin1), unicode: false };
    if !print::write(&mut text, &rt.atoms, term, style, LIMIT) {
        text.push_str("...");
    }
    text
}

/// An uncaught error has ended a process.
pub(super) fn uncaught(rt: &Runtime, _: &mut WorkerCx, process: &mut Process, reason: &Fragment) {
    let pid = print::pid_text(process.pid);
    let who = match rt.names.name_of(process.pid) {
        Some(name) => format!("{pid} ({})", rt.atoms.text(name)),
        None => pid,
    };
    let report = format!(
        "=ERROR REPORT==== {} ===\nError in process {who} with exit value:\n{}\n\n",
        stamp(rt.clock.system_ns()),
        text(rt, reason.term())
    );
    // A broken standard error has nobody to be told of it.
    let _ = rt.stderr.put(report.as_bytes());
}

/// `29-Nov-2026::17:25:27.114046`, in UTC: the machine knows no time zone.
fn stamp(system_ns: i64) -> String {
    let microseconds = system_ns.div_euclid(1000);
    let (seconds, micro) = (microseconds.div_euclid(1_000_000), microseconds.rem_euclid(1_000_000));
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    format!(
        "{day}-{}-{year}::{:02}:{:02}:{:02}.{micro:06}",
        MONTHS[month as usize - 1],
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

/// Year, month and day of a number of days since 1970, by the usual shift of the year's start to March.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_dates() {
        assert_eq!(stamp(0), "1-Jan-1970::00:00:00.000000");
        assert_eq!(stamp(1_795_973_127_114_046_000), "29-Nov-2026::17:25:27.114046");
        assert_eq!(stamp(1_709_164_800_000_000_000), "29-Feb-2024::00:00:00.000000");
    }
}

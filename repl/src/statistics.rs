//! What `--stats` prints when a program has ended.

use std::fmt::Write as _;
use std::time::Duration;

use erlet::vm::Statistics;

/// The table, one fact to a line, numbers aligned.
pub fn table(statistics: &Statistics, wall: Duration) -> String {
    let mut rows = vec![
        ("wall time", format!("{} ms", milliseconds(wall))),
        ("reductions", grouped(statistics.reductions)),
        ("slices", grouped(statistics.slices)),
        ("processes spawned", grouped(statistics.spawned)),
        ("messages sent", grouped(statistics.messages)),
        ("minor collections", grouped(statistics.minor_collections)),
        ("major collections", grouped(statistics.major_collections)),
        ("collection time", format!("{} ms", milliseconds(Duration::from_nanos(statistics.collection_ns)))),
        ("collected", format!("{} bytes", grouped(statistics.collected_words.saturating_mul(8)))),
        ("steals", grouped(statistics.steals)),
        ("wakes", grouped(statistics.wakes)),
    ];
    if let Some(bytes) = peak_memory() {
        rows.push(("peak memory", format!("{} bytes", grouped(bytes))));
    }
    // Aligned by the numbers, not by the units behind them.
    let number = |text: &str| text.find(' ').unwrap_or(text.len());
    let widest = rows.iter().map(|(_, text)| number(text)).max().unwrap_or(0);
    let mut out = String::new();
    for (name, text) in &rows {
        let indent = widest - number(text);
        writeln!(out, "{name:<18}  {:indent$}{text}", "").expect("strings grow");
    }
    out
}

/// `12.345`: milliseconds with microseconds behind the point.
fn milliseconds(time: Duration) -> String {
    let micros = time.as_micros();
    format!("{}.{:03}", micros / 1000, micros % 1000)
}

/// `1234567` as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The most memory that the command has held, where the operating system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_threes() {
        let grouped = [0, 7, 999, 1000, 123_456, 1_234_567].map(grouped);
        assert_eq!(grouped, ["0", "7", "999", "1,000", "123,456", "1,234,567"]);
    }

    #[test]
    fn times_have_three_digits_behind_the_point() {
        assert_eq!(milliseconds(Duration::from_micros(1_002_003)), "1002.003");
        assert_eq!(milliseconds(Duration::from_nanos(999)), "0.000");
    }
}

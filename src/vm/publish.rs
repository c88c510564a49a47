//! The numbers of a machine for the crate `metrics` (feature `metrics`).
//!
//! Nothing is told while the machine runs: the host publishes when it likes, and what it publishes is the sum at that moment.

use metrics::{Unit, counter, describe_counter, describe_gauge, gauge};

use super::Metrics;

/// A number that only grows: name, unit, what it is, and where it stands.
type Counter = (&'static str, Unit, &'static str, fn(&Metrics) -> u64);

#[rustfmt::skip]
const COUNTERS: &[Counter] = &[
    // tidy: sorted
    ("erlet_collected_bytes", Unit::Bytes, "Memory that collections have freed.", |m| m.done.collected_words * 8),
    ("erlet_collection_nanoseconds", Unit::Nanoseconds, "Time spent in collections, if that is measured.", |m| m.done.collection_ns),
    ("erlet_major_collections", Unit::Count, "Collections of a whole heap.", |m| m.done.major_collections),
    ("erlet_messages", Unit::Count, "Messages sent by processes.", |m| m.done.messages),
    ("erlet_minor_collections", Unit::Count, "Collections of young terms only.", |m| m.done.minor_collections),
    ("erlet_reductions", Unit::Count, "Reductions done by processes.", |m| m.done.reductions),
    ("erlet_slices", Unit::Count, "Slices of processes begun.", |m| m.done.slices),
    ("erlet_spawned", Unit::Count, "Processes made.", |m| m.done.spawned),
    ("erlet_steals", Unit::Count, "Times a worker took processes from another one's queue.", |m| m.done.steals),
    ("erlet_wakes", Unit::Count, "Times a sleeping worker was woken.", |m| m.done.wakes),
    // tidy: end
];

/// A number that goes up and down.
type Gauge = (&'static str, Unit, &'static str, fn(&Metrics) -> f64);

#[rustfmt::skip]
const GAUGES: &[Gauge] = &[
    // tidy: sorted
    ("erlet_atoms", Unit::Count, "Atoms known.", |m| m.atoms as f64),
    ("erlet_memory_bytes", Unit::Bytes, "Memory that processes, tables and binaries hold.", |m| m.memory_bytes as f64),
    ("erlet_memory_limit_bytes", Unit::Bytes, "Memory they may hold.", |m| m.memory_limit_bytes as f64),
    ("erlet_processes", Unit::Count, "Processes alive.", |m| m.processes as f64),
    ("erlet_run_queue", Unit::Count, "Processes that wait for a worker.", |m| m.run_queue as f64),
    ("erlet_tables", Unit::Count, "ETS tables.", |m| m.tables as f64),
    ("erlet_uptime_seconds", Unit::Seconds, "Age of the machine.", |m| m.uptime_ns as f64 / 1e9),
    // tidy: end
];

impl Metrics {
    /// Publishes the numbers to the recorder of the crate `metrics`, each with the label `vm`. The host calls it at its own period, or before
    /// its recorder is read:
    ///
    /// ```
    /// # fn main() -> Result<(), erlet::Error> {
    /// let vm = erlet::Vm::builder().threads(1).build()?;
    /// erlet::Metrics::describe(); // once, after the recorder was installed
    /// vm.metrics().publish("rules");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Counters: `erlet_reductions`, `erlet_slices`, `erlet_messages`, `erlet_spawned`, `erlet_steals`, `erlet_wakes`,
    /// `erlet_minor_collections`, `erlet_major_collections`, `erlet_collected_bytes`, `erlet_collection_nanoseconds`. Gauges:
    /// `erlet_processes`, `erlet_run_queue`, `erlet_atoms`, `erlet_tables`, `erlet_memory_bytes`, `erlet_memory_limit_bytes`,
    /// `erlet_uptime_seconds`.
    pub fn publish(&self, vm: &str) {
        for (name, _, _, number) in COUNTERS {
            counter!(*name, "vm" => vm.to_owned()).absolute(number(self));
        }
        for (name, _, _, number) in GAUGES {
            gauge!(*name, "vm" => vm.to_owned()).set(number(self));
        }
    }

    /// Tells the recorder what the numbers are: units and a sentence each.
    ///
    /// ```
    /// erlet::Metrics::describe();
    /// ```
    pub fn describe() {
        for (name, unit, text, _) in COUNTERS {
            describe_counter!(*name, *unit, *text);
        }
        for (name, unit, text, _) in GAUGES {
            describe_gauge!(*name, *unit, *text);
        }
    }
}

//! What a machine tells the crates `tracing` and `metrics`: targets, levels and fields are promised.
#![cfg(all(feature = "tracing", feature = "metrics", feature = "compiler"))]

mod embedding;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use embedding::{block_on, until};
use erlet::{Limits, Metrics, Value, Vm};
use metrics::{
    Counter, CounterFn, Gauge, GaugeFn, Histogram, Key, KeyName, Metadata as MetricMetadata, Recorder,
    SharedString, Unit,
};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// An event, or a span with all that was recorded of it.
#[derive(Clone, Debug, Default)]
struct Told {
    target: String,
    level: String,
    fields: BTreeMap<String, String>,
    is_closed: bool,
}

impl Told {
    fn of(metadata: &Metadata<'_>) -> Told {
        let (target, level) = (metadata.target().to_owned(), metadata.level().to_string());
        Told { target, level, ..Told::default() }
    }

    fn get(&self, field: &str) -> &str {
        self.fields.get(field).map_or("", String::as_str)
    }
}

impl Visit for Told {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.fields.insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.insert(field.name().to_owned(), value.to_owned());
    }
}

/// Keeps everything.
#[derive(Clone, Default)]
struct Keeper {
    events: Arc<Mutex<Vec<Told>>>,
    spans: Arc<Mutex<HashMap<u64, Told>>>,
    entered: Arc<Mutex<Vec<u64>>>,
    next: Arc<AtomicU64>,
}

impl Subscriber for Keeper {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("erlet::") || metadata.target() == "test"
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let id = self.next.fetch_add(1, Ordering::SeqCst) + 1;
        let mut told = Told::of(span.metadata());
        span.record(&mut told);
        self.spans.lock().unwrap().insert(id, told);
        Id::from_u64(id)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        if let Some(told) = self.spans.lock().unwrap().get_mut(&span.into_u64()) {
            values.record(told);
        }
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut told = Told::of(event.metadata());
        event.record(&mut told);
        if let Some(span) = self.entered.lock().unwrap().last() {
            told.fields.insert("(span)".to_owned(), span.to_string());
        }
        self.events.lock().unwrap().push(told);
    }

    fn enter(&self, span: &Id) {
        self.entered.lock().unwrap().push(span.into_u64());
    }

    fn exit(&self, span: &Id) {
        self.entered.lock().unwrap().retain(|entered| *entered != span.into_u64());
    }

    fn try_close(&self, span: Id) -> bool {
        if let Some(told) = self.spans.lock().unwrap().get_mut(&span.into_u64()) {
            told.is_closed = true;
        }
        true
    }
}

impl Keeper {
    fn events(&self, target: &str) -> Vec<Told> {
        self.events.lock().unwrap().iter().filter(|told| told.target == target).cloned().collect()
    }

    fn calls(&self, function: &str) -> Vec<Told> {
        self.spans.lock().unwrap().values().filter(|told| told.get("function") == function).cloned().collect()
    }

    fn one(&self, target: &str, is_it: impl Fn(&Told) -> bool) -> Told {
        until(|| self.events(target).iter().any(&is_it));
        self.events(target).into_iter().find(is_it).unwrap()
    }
}

const SOURCE: &str = "
-module(m).
-export([fine/0, bad/0, waits/0, grows/1, says/0, garbage/1]).
fine() -> host:note(), fine.
bad() -> error({bad, thing}).
waits() -> receive never -> ok end.
grows(L) -> grows([lists:seq(1, 1000) | L]).
says() -> logger:warning(\"careful\"), logger:error(\"too late\").
garbage(0) -> ok;
garbage(N) -> _ = lists:seq(1, 200), garbage(N - 1).
";

/// A machine that tells a keeper of its own, which is no default of the threads that speak to it.
fn machine(keeper: &Keeper, threads: usize) -> Vm {
    let vm = tracing::subscriber::with_default(keeper.clone(), || {
        Vm::builder().threads(threads).tracing("rules").build().unwrap()
    });
    vm.module("host")
        .function("note", || tracing::info!(target: "test", "from a host function"))
        .blocking("sleeps", |ms: u64| std::thread::sleep(Duration::from_millis(ms)))
        .install()
        .unwrap();
    vm.load_source("m.erl", SOURCE).unwrap();
    vm
}

#[test]
fn calls_are_spans_with_their_outcome() {
    let keeper = Keeper::default();
    let vm = machine(&keeper, 1);
    vm.call::<Value>("m", "fine", ()).unwrap();
    vm.call::<Value>("m", "bad", ()).unwrap_err();
    vm.call_timeout::<Value>(Duration::from_millis(5), "m", "waits", ()).unwrap_err();
    let fine = &keeper.calls("fine")[0];
    assert_eq!((fine.target.as_str(), fine.level.as_str()), ("erlet::call", "DEBUG"));
    assert_eq!((fine.get("vm"), fine.get("module"), fine.get("outcome")), ("rules", "m", "returned"));
    assert!(fine.get("pid").starts_with("<0.") && fine.is_closed, "{fine:?}");
    let bad = &keeper.calls("bad")[0];
    assert_eq!(bad.get("outcome"), "error");
    assert!(bad.get("reason").starts_with("{{bad,thing},[{m,bad,0,"), "{bad:?}");
    assert_eq!(keeper.calls("waits")[0].get("outcome"), "timeout");

    block_on(vm.call_async::<Value>("m", "fine", ())).unwrap();
    drop(vm.call_async::<Value>("m", "waits", ()));
    let outcomes: Vec<String> = keeper.calls("waits").iter().map(|told| told.get("outcome").into()).collect();
    assert!(outcomes.contains(&"dropped".to_owned()), "{outcomes:?}");
    assert!(keeper.calls("fine").iter().all(|told| told.is_closed && told.get("outcome") == "returned"));
}

/// In a machine that the caller drives, what a host function tells lies inside the call's span.
#[test]
fn a_driven_call_is_the_span_of_what_happens_in_it() {
    let keeper = Keeper::default();
    let vm = machine(&keeper, 0);
    tracing::subscriber::with_default(keeper.clone(), || vm.call::<Value>("m", "fine", ()).unwrap());
    let note = keeper.one("test", |_| true);
    let span: u64 = note.get("(span)").parse().unwrap();
    assert_eq!(keeper.spans.lock().unwrap()[&span].get("function"), "fine");
}

#[test]
fn what_goes_wrong_is_told_as_data_and_as_text() {
    let keeper = Keeper::default();
    let vm = machine(&keeper, 1);
    let failing = vm.spawn("m", "bad", ()).unwrap();
    let failed = keeper.one("erlet::process", |told| told.get("message") == "failed");
    assert_eq!((failed.level.as_str(), failed.get("pid")), ("DEBUG", failing.to_string().as_str()));
    assert!(failed.get("reason").contains("{bad,thing}"), "{failed:?}");
    let started = keeper.one("erlet::process", |told| told.get("message") == "started");
    assert_eq!((started.get("module"), started.get("function")), ("m", "bad"));
    let text = keeper.one("erlet::log", |told| told.get("message").contains("{bad,thing}"));
    assert_eq!((text.level.as_str(), text.get("process")), ("ERROR", failing.to_string().as_str()));

    let options = erlet::ProcessOptions::new().limits(Limits::new().memory(4 << 20));
    let greedy = vm.spawn_with(&options, "m", "grows", (Value::NIL,)).unwrap();
    let limit = keeper.one("erlet::limit", |_| true);
    assert_eq!((limit.level.as_str(), limit.get("quota")), ("WARN", "memory"));
    assert_eq!((limit.get("pid"), limit.get("limit")), (greedy.to_string().as_str(), "4194304"));

    vm.call::<Value>("m", "says", ()).unwrap();
    let warning = keeper.one("erlet::log", |told| told.get("message").contains("careful"));
    assert_eq!((warning.level.as_str(), warning.get("vm")), ("WARN", "rules"));
    assert_eq!(keeper.one("erlet::log", |told| told.get("message").contains("too late")).level, "ERROR");
}

#[test]
fn loads_collections_and_slow_jobs_are_told() {
    let keeper = Keeper::default();
    let vm = machine(&keeper, 1);
    let started = &keeper.events("erlet::vm")[0];
    assert_eq!((started.get("message"), started.get("threads")), ("started", "1"));
    let loaded = keeper.one("erlet::code", |told| told.get("module") == "m");
    assert_eq!((loaded.level.as_str(), loaded.get("message")), ("DEBUG", "loaded"));
    assert!(!keeper.events("erlet::code").iter().any(|told| told.get("module") == "queue"));
    vm.call::<Value>("queue", "new", ()).unwrap();
    keeper.one("erlet::code", |told| told.get("module") == "queue");

    vm.call::<Value>("m", "garbage", (1000,)).unwrap();
    let collected = keeper.one("erlet::heap", |told| told.get("minor") != "0");
    assert_eq!(collected.level, "TRACE");
    assert!(collected.get("freed_bytes").parse::<u64>().unwrap() > 0);

    vm.call::<Value>("host", "sleeps", (1,)).unwrap();
    vm.call::<Value>("host", "sleeps", (150,)).unwrap();
    let slow = keeper.one("erlet::pool", |_| true);
    assert_eq!((slow.level.as_str(), slow.get("kind")), ("WARN", "host"));
    assert!(slow.get("milliseconds").parse::<u64>().unwrap() >= 150, "{slow:?}");
    assert_eq!(keeper.events("erlet::pool").len(), 1);

    vm.halt(3);
    let ended = keeper.one("erlet::vm", |told| told.get("message") == "ended");
    assert_eq!(ended.get("status"), "3");
}

#[test]
fn a_machine_that_was_not_asked_to_tells_nothing() {
    let keeper = Keeper::default();
    tracing::subscriber::with_default(keeper.clone(), || {
        let vm = Vm::builder().threads(0).stderr(Box::new(std::io::sink())).build().unwrap();
        vm.load_source("m.erl", SOURCE).unwrap();
        vm.call::<Value>("m", "bad", ()).unwrap_err();
    });
    assert!(keeper.events.lock().unwrap().is_empty() && keeper.spans.lock().unwrap().is_empty());
}

#[test]
fn a_sink_of_the_hosts_still_gets_what_is_logged() {
    let (keeper, seen) = (Keeper::default(), Arc::new(Mutex::new(Vec::new())));
    let vm = tracing::subscriber::with_default(keeper.clone(), || {
        let seen = Arc::clone(&seen);
        let builder = Vm::builder().threads(1).tracing("both");
        builder.log(move |event| seen.lock().unwrap().push(event.text)).build().unwrap()
    });
    vm.load_source("m.erl", SOURCE).unwrap();
    vm.call::<Value>("m", "says", ()).unwrap();
    keeper.one("erlet::log", |told| told.get("message").contains("too late"));
    until(|| seen.lock().unwrap().iter().any(|text| text.contains("too late")));
    assert!(
        keeper
            .events("erlet::log")
            .iter()
            .all(|told| told.level == Level::WARN.as_str() || told.level == "ERROR")
    );
}

// ---- metrics ----

#[derive(Default)]
struct Numbers {
    values: Mutex<BTreeMap<String, Arc<Number>>>,
    described: Mutex<BTreeMap<String, (Option<Unit>, String)>>,
}

#[derive(Default)]
struct Number(Mutex<f64>);

impl CounterFn for Number {
    fn increment(&self, value: u64) {
        *self.0.lock().unwrap() += value as f64;
    }

    fn absolute(&self, value: u64) {
        *self.0.lock().unwrap() = value as f64;
    }
}

impl GaugeFn for Number {
    fn increment(&self, value: f64) {
        *self.0.lock().unwrap() += value;
    }

    fn decrement(&self, value: f64) {
        *self.0.lock().unwrap() -= value;
    }

    fn set(&self, value: f64) {
        *self.0.lock().unwrap() = value;
    }
}

impl Numbers {
    fn number(&self, kind: &str, key: &Key) -> Arc<Number> {
        let labels: Vec<String> =
            key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
        let name = format!("{kind} {}{{{}}}", key.name(), labels.join(","));
        Arc::clone(self.values.lock().unwrap().entry(name).or_default())
    }

    fn get(&self, name: &str) -> f64 {
        *self.values.lock().unwrap().get(name).unwrap_or_else(|| panic!("no {name}")).0.lock().unwrap()
    }

    fn describe(&self, key: &KeyName, unit: Option<Unit>, text: &SharedString) {
        self.described.lock().unwrap().insert(key.as_str().to_owned(), (unit, text.to_string()));
    }
}

impl Recorder for Numbers {
    fn describe_counter(&self, key: KeyName, unit: Option<Unit>, text: SharedString) {
        self.describe(&key, unit, &text);
    }

    fn describe_gauge(&self, key: KeyName, unit: Option<Unit>, text: SharedString) {
        self.describe(&key, unit, &text);
    }

    fn describe_histogram(&self, key: KeyName, unit: Option<Unit>, text: SharedString) {
        self.describe(&key, unit, &text);
    }

    fn register_counter(&self, key: &Key, _: &MetricMetadata<'_>) -> Counter {
        Counter::from_arc(self.number("counter", key))
    }

    fn register_gauge(&self, key: &Key, _: &MetricMetadata<'_>) -> Gauge {
        Gauge::from_arc(self.number("gauge", key))
    }

    fn register_histogram(&self, _: &Key, _: &MetricMetadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

#[test]
fn the_numbers_of_a_machine_are_published() {
    let vm = Vm::builder().threads(0).limits(Limits::new().memory(64 << 20)).build().unwrap();
    vm.load_source("m.erl", SOURCE).unwrap();
    vm.call::<Value>("m", "garbage", (1000,)).unwrap();
    let numbers = Numbers::default();
    metrics::with_local_recorder(&numbers, || {
        Metrics::describe();
        vm.metrics().publish("rules");
    });
    let now = vm.metrics();
    assert_eq!(numbers.get("counter erlet_reductions{vm=rules}"), now.done.reductions as f64);
    assert_eq!(numbers.get("counter erlet_spawned{vm=rules}"), now.done.spawned as f64);
    assert!(numbers.get("counter erlet_minor_collections{vm=rules}") > 0.0);
    assert_eq!(numbers.get("counter erlet_collected_bytes{vm=rules}"), (now.done.collected_words * 8) as f64);
    assert_eq!(numbers.get("gauge erlet_processes{vm=rules}"), now.processes as f64);
    assert_eq!(numbers.get("gauge erlet_memory_limit_bytes{vm=rules}"), (64 << 20) as f64);
    assert_eq!(numbers.get("gauge erlet_memory_bytes{vm=rules}"), now.memory_bytes as f64);
    let described = numbers.described.lock().unwrap();
    assert_eq!(described["erlet_memory_bytes"].0, Some(Unit::Bytes));
    assert_eq!(described.len(), numbers.values.lock().unwrap().len(), "all that is published is described");

    vm.call::<Value>("m", "garbage", (10,)).unwrap();
    metrics::with_local_recorder(&numbers, || vm.metrics().publish("rules"));
    assert!(numbers.get("counter erlet_reductions{vm=rules}") > now.done.reductions as f64);
}

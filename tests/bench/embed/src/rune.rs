//! Rune.

use std::sync::Arc;

use rune::runtime::RuntimeContext;
use rune::{Context, Module, Source, Sources, Unit, Vm};

use crate::{Engine, twice};

const SCRIPT: &str = r"
pub fn add(left, right) { left + right }
pub fn host_calls(times) {
    let sum = 0;
    for i in 1..=times { sum += twice(i); }
    sum
}
pub fn length(text) { text.len() }
pub fn sum(numbers) {
    let sum = 0;
    for number in numbers { sum += number; }
    sum
}
pub fn fib(n) { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }
fn task() { yield 0; }
pub fn tasks(count) {
    let all = [];
    for _ in 0..count {
        let waiting = task();
        waiting.next();
        all.push(waiting);
    }
    let sum = 0;
    for waiting in all {
        waiting.next();
        sum += 1;
    }
    sum
}
";

/// A compiled unit and what it runs in.
pub struct Rune {
    vm: Vm,
}

impl Rune {
    fn call(&mut self, name: &str, args: impl rune::runtime::GuardedArgs) -> i64 {
        let answer = self.vm.call([name], args).expect("no error");
        rune::from_value(answer).expect("an integer")
    }
}

impl Engine for Rune {
    const NAME: &'static str = "rune";

    fn new() -> Rune {
        let mut module = Module::new();
        module.function("twice", twice).build().expect("a function");
        let mut context = Context::with_default_modules().expect("the standard library");
        context.install(module).expect("a module");
        let runtime: Arc<RuntimeContext> = Arc::new(context.runtime().expect("a runtime"));
        let mut sources = Sources::new();
        sources.insert(Source::memory(SCRIPT).expect("a source")).expect("inserted");
        let unit: Unit = rune::prepare(&mut sources).with_context(&context).build().expect("the script is right");
        Rune { vm: Vm::new(runtime, Arc::new(unit)) }
    }

    fn add(&mut self, left: i64, right: i64) -> i64 {
        self.call("add", (left, right))
    }

    fn host_calls(&mut self, times: i64) -> i64 {
        self.call("host_calls", (times,))
    }

    fn length(&mut self, text: &str) -> i64 {
        self.call("length", (text,))
    }

    fn sum(&mut self, numbers: &[i64]) -> i64 {
        self.call("sum", (numbers.to_vec(),))
    }

    fn fib(&mut self, n: i64) -> i64 {
        self.call("fib", (n,))
    }

    fn tasks(&mut self, count: i64) -> Option<i64> {
        Some(self.call("tasks", (count,)))
    }
}

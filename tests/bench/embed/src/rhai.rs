//! Rhai.

use rhai::{AST, Array, Dynamic, Engine as Interpreter, Scope};

use crate::{Engine, twice};

const SCRIPT: &str = r"
fn add(left, right) { left + right }
fn host_calls(times) {
  let sum = 0;
  for i in 1..=times { sum += twice(i); }
  sum
}
fn length(text) { text.bytes }
fn sum(numbers) {
  let sum = 0;
  for number in numbers { sum += number; }
  sum
}
fn fib(n) { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }
";

/// A Rhai engine with its syntax tree.
pub struct Rhai {
    engine: Interpreter,
    tree: AST,
}

impl Rhai {
    fn call(&self, name: &str, args: impl rhai::FuncArgs) -> i64 {
        self.engine.call_fn(&mut Scope::new(), &self.tree, name, args).expect("no error")
    }
}

impl Engine for Rhai {
    const NAME: &'static str = "rhai";

    fn new() -> Rhai {
        let mut engine = Interpreter::new();
        engine.set_max_operations(0).set_max_call_levels(1000);
        engine.register_fn("twice", twice);
        let tree = engine.compile(SCRIPT).expect("the script is right");
        Rhai { engine, tree }
    }

    fn add(&mut self, left: i64, right: i64) -> i64 {
        self.call("add", (left, right))
    }

    fn host_calls(&mut self, times: i64) -> i64 {
        self.call("host_calls", (times,))
    }

    fn length(&mut self, text: &str) -> i64 {
        self.call("length", (text.to_owned(),))
    }

    fn sum(&mut self, numbers: &[i64]) -> i64 {
        let numbers: Array = numbers.iter().copied().map(Dynamic::from).collect();
        self.call("sum", (numbers,))
    }

    fn fib(&mut self, n: i64) -> i64 {
        self.call("fib", (n,))
    }

    fn tasks(&mut self, _count: i64) -> Option<i64> {
        None
    }
}

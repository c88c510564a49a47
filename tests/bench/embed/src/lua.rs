//! Lua 5.4 through mlua.

use mlua::{Function, Lua as State};

use crate::{Engine, twice};

const SCRIPT: &str = r"
function add(left, right) return left + right end
function host_calls(times)
  local sum = 0
  for i = 1, times do sum = sum + twice(i) end
  return sum
end
function length(text) return #text end
function sum(numbers)
  local sum = 0
  for _, number in ipairs(numbers) do sum = sum + number end
  return sum
end
function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
function tasks(count)
  local all, sum = {}, 0
  for i = 1, count do
    all[i] = coroutine.create(function() coroutine.yield() sum = sum + 1 end)
    coroutine.resume(all[i])
  end
  for i = 1, count do coroutine.resume(all[i]) end
  return sum
end
";

/// A Lua state; the script's functions were looked up once.
pub struct Lua {
    functions: [Function; 6],
    state: State,
}

/// An engine with this text or bytecode loaded.
fn loaded(script: &[u8]) -> Lua {
    let state = State::new();
    let globals = state.globals();
    let host = state.create_function(|_, value: i64| Ok(twice(value))).expect("a function");
    globals.set("twice", host).expect("set");
    state.load(script).exec().expect("the script is right");
    let functions = ["add", "host_calls", "length", "sum", "fib", "tasks"]
        .map(|name| globals.get(name).expect("the script defines it"));
    Lua { functions, state }
}

impl Engine for Lua {
    const NAME: &'static str = "mlua";

    fn new() -> Lua {
        loaded(SCRIPT.as_bytes())
    }

    fn bytecode(&self) -> Option<Vec<u8>> {
        Some(self.state.load(SCRIPT).into_function().expect("the script is right").dump(false))
    }

    fn of_bytecode(bytecode: &[u8]) -> Option<Lua> {
        Some(loaded(bytecode))
    }

    fn add(&mut self, left: i64, right: i64) -> i64 {
        self.functions[0].call((left, right)).expect("no error")
    }

    fn host_calls(&mut self, times: i64) -> i64 {
        self.functions[1].call(times).expect("no error")
    }

    fn length(&mut self, text: &str) -> i64 {
        self.functions[2].call(text).expect("no error")
    }

    fn sum(&mut self, numbers: &[i64]) -> i64 {
        self.functions[3].call(numbers.to_vec()).expect("no error")
    }

    fn fib(&mut self, n: i64) -> i64 {
        self.functions[4].call(n).expect("no error")
    }

    fn tasks(&mut self, count: i64) -> Option<i64> {
        Some(self.functions[5].call(count).expect("no error"))
    }
}

//! What it costs to embed erlet, beside other languages made to be embedded.
//!
//! Each engine implements [`Engine`] with the script that one would write for it; `benches/embed.rs` runs them side by side.
//! `cargo bench` in this folder prints all figures.

pub mod erlang;
pub mod lua;
pub mod rhai;
pub mod rune;

/// An engine that has loaded its script.
pub trait Engine: Sized {
    /// How it is called in the figures.
    const NAME: &'static str;

    /// Whether it has threads of its own, which park when there is nothing to do: then the first call after a rest is another one.
    const PARKS: bool = false;

    /// Creates the engine with its standard library, offers the host's function `twice` and loads the script.
    fn new() -> Self;

    /// The sum of two integers.
    fn add(&mut self, left: i64, right: i64) -> i64;

    /// The script calls `twice` so many times, one after the other; the sum of the answers to 1..=times.
    fn host_calls(&mut self, times: i64) -> i64;

    /// The length of a text in bytes.
    fn length(&mut self, text: &str) -> i64;

    /// The sum of a list.
    fn sum(&mut self, numbers: &[i64]) -> i64;

    /// A Fibonacci number, the slow way.
    fn fib(&mut self, n: i64) -> i64;

    /// The script as bytecode, from an engine that has loaded it.
    fn bytecode(&self) -> Option<Vec<u8>> {
        None
    }

    /// As [`Engine::new`], from bytecode.
    fn of_bytecode(_bytecode: &[u8]) -> Option<Self> {
        None
    }

    /// Sends so many requests to a task that runs already, and takes the replies; the sum of those.
    fn requests(&mut self, _outstanding: i64) -> Option<i64> {
        None
    }

    /// Starts so many tasks, each of which waits once for the script and then adds one; the sum. `None`: it has no tasks.
    fn tasks(&mut self, count: i64) -> Option<i64>;
}

/// The host's function.
pub fn twice(value: i64) -> i64 {
    value.wrapping_mul(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees<E: Engine>() {
        let mut engine = E::new();
        assert_eq!(engine.add(40, 2), 42, "{}", E::NAME);
        assert_eq!(engine.host_calls(10), 110, "{}", E::NAME);
        assert_eq!(engine.length(&"x".repeat(10_000)), 10_000, "{}", E::NAME);
        assert_eq!(engine.sum(&(1..=1000).collect::<Vec<_>>()), 500_500, "{}", E::NAME);
        assert_eq!(engine.fib(15), 610, "{}", E::NAME);
        assert!(matches!(engine.tasks(100), None | Some(100)), "{}", E::NAME);
        assert!(matches!(engine.requests(64), None | Some(2080)), "{}", E::NAME);
        if let Some(mut other) = engine.bytecode().and_then(|bytecode| E::of_bytecode(&bytecode)) {
            assert_eq!((other.add(40, 2), other.host_calls(10)), (42, 110), "{}", E::NAME);
        }
    }

    #[test]
    fn every_engine_gives_the_same_answers() {
        agrees::<erlang::Driven>();
        agrees::<erlang::Threaded>();
        agrees::<lua::Lua>();
        agrees::<rhai::Rhai>();
        agrees::<rune::Rune>();
    }
}

//! erlet, driven by its caller and with threads of its own.

use erlet::{Mailbox, Pid, Vm};

use crate::{Engine, twice};

const SCRIPT: &str = r"
-module(script).
-export([add/2, host_calls/1, length/1, sum/1, fib/1, tasks/1, serve/0]).

add(Left, Right) -> Left + Right.

host_calls(Times) -> host_calls(Times, 0).
host_calls(0, Sum) -> Sum;
host_calls(Times, Sum) -> host_calls(Times - 1, Sum + host:twice(Times)).

length(Text) -> byte_size(Text).

sum(Numbers) -> sum(Numbers, 0).
sum([Number | Numbers], Sum) -> sum(Numbers, Sum + Number);
sum([], Sum) -> Sum.

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).

tasks(Count) ->
    Self = self(),
    All = [spawn(fun() -> receive go -> Self ! done end end) || _ <- lists:seq(1, Count)],
    [Task ! go || Task <- All],
    gather(Count, 0).
gather(0, Sum) -> Sum;
gather(Count, Sum) -> receive done -> gather(Count - 1, Sum + 1) end.

serve() -> receive {From, Number} -> From ! Number + 1, serve() end.
";

fn machine(threads: usize) -> Vm {
    let vm = Vm::builder().threads(threads).build().expect("a machine");
    vm.module("host").function("twice", twice).install().expect("a module");
    vm
}

/// A running server, and where its replies go.
struct Server(Mailbox, Pid);

impl Server {
    fn start(vm: &Vm) -> Server {
        Server(vm.mailbox().expect("a mailbox"), vm.spawn("script", "serve", ()).expect("a process"))
    }

    fn ask(&self, requests: i64) -> i64 {
        for number in 0..requests {
            self.0.send(self.1, (self.0.pid(), number)).expect("memory");
        }
        (0..requests).map(|_| self.0.recv::<i64>().expect("a reply")).sum()
    }
}

macro_rules! engine {
    ($(#[$doc:meta])* $name:ident, $shown:literal, $threads:literal) => {
        $(#[$doc])*
        pub struct $name(Vm, Option<Server>);

        impl Engine for $name {
            const NAME: &'static str = $shown;
            const PARKS: bool = $threads > 0;

            fn new() -> $name {
                let vm = machine($threads);
                vm.load_source("script.erl", SCRIPT).expect("the script is right");
                $name(vm, None)
            }

            fn bytecode(&self) -> Option<Vec<u8>> {
                Some(self.0.compile("script.erl", SCRIPT).expect("the script is right"))
            }

            fn of_bytecode(bytecode: &[u8]) -> Option<$name> {
                let vm = machine($threads);
                vm.load_bytecode(bytecode).expect("it was compiled here");
                Some($name(vm, None))
            }

            fn requests(&mut self, outstanding: i64) -> Option<i64> {
                let $name(vm, server) = self;
                Some(server.get_or_insert_with(|| Server::start(vm)).ask(outstanding))
            }

            fn add(&mut self, left: i64, right: i64) -> i64 {
                self.0.call("script", "add", (left, right)).expect("no error")
            }

            fn host_calls(&mut self, times: i64) -> i64 {
                self.0.call("script", "host_calls", (times,)).expect("no error")
            }

            fn length(&mut self, text: &str) -> i64 {
                self.0.call("script", "length", (text,)).expect("no error")
            }

            fn sum(&mut self, numbers: &[i64]) -> i64 {
                self.0.call("script", "sum", (numbers,)).expect("no error")
            }

            fn fib(&mut self, n: i64) -> i64 {
                self.0.call("script", "fib", (n,)).expect("no error")
            }

            fn tasks(&mut self, count: i64) -> Option<i64> {
                Some(self.0.call("script", "tasks", (count,)).expect("no error"))
            }
        }
    };
}

engine!(
    /// Driven by its caller.
    Driven,
    "erlet, threads(0)",
    0
);
engine!(
    /// With two threads of its own.
    Threaded,
    "erlet, threads(2)",
    2
);

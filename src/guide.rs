//! A guide: from the first script to supervised actors inside a Rust program.
//!
//! Everything here runs: the examples are tests. Where a signature matters more than a story, read [`Vm`](crate::Vm).
//!
//! 1. [A first script](#a-first-script)
//! 2. [Values that come and go](#values-that-come-and-go)
//! 3. [Calling back](#calling-back)
//! 4. [State between calls](#state-between-calls)
//! 5. [Talking to processes](#talking-to-processes)
//! 6. [Supervision](#supervision)
//! 7. [Limits and rights](#limits-and-rights)
//! 8. [Hot reload](#hot-reload)
//! 9. [Async hosts](#async-hosts)
//! 10. [A loop of your own](#a-loop-of-your-own)
//! 11. [Testing with a seed](#testing-with-a-seed)
//! 12. [Seeing what happens](#seeing-what-happens)
//!
//! # A first script
//!
//! A [`Vm`](crate::Vm) is a whole Erlang: processes, code, tables, timers. A module is loaded from text and its exported functions
//! are called by name; arguments and the result are Rust's.
//!
//! ```
//! use erlet::Vm;
//!
//! # fn main() -> Result<(), erlet::Error> {
//! let vm = Vm::builder().build()?;
//! vm.load_source("shop.erl", "
//!     -module(shop).
//!     -export([total/1]).
//!     total(Basket) -> lists:sum([Count * Price || {_, Count, Price} <- Basket]).
//! ")?;
//! let basket = vec![("apple", 3, 25), ("pear", 1, 40)];
//! let total: i64 = vm.call("shop", "total", (basket,))?;
//! assert_eq!(total, 115);
//! # Ok(())
//! # }
//! ```
//!
//! Text that is no Erlang is answered by diagnostics: data for an editor, and a text for people.
//!
//! ```
//! # use erlet::{Error, Vm};
//! # fn main() -> Result<(), erlet::Error> {
//! # let vm = Vm::builder().build()?;
//! let Err(Error::Compile(diagnostics)) = vm.load_source("typo.erl", "
//!     -module(typo).
//!     -export([twice/1]).
//!     twice(Number) -> 2 * Nunber.
//! ") else { panic!("it is wrong") };
//! assert!(diagnostics.to_string().contains("Number"));
//! # Ok(())
//! # }
//! ```
//!
//! What fails while it runs comes back as an [`Exception`](crate::Exception) with class, reason and stack, and prints as it would in
//! an Erlang shell. Each call runs in a process of its own: one that fails takes nothing with it.
//!
//! ```
//! # use erlet::{Error, Vm};
//! # fn main() -> Result<(), erlet::Error> {
//! # let vm = Vm::builder().build()?;
//! let failed = vm.call::<i64>("erlang", "binary_to_integer", ("seven",));
//! let Err(Error::Exception(exception)) = failed else { panic!("seven is no number") };
//! assert_eq!(exception.reason.as_atom(), Some("badarg"));
//! # Ok(())
//! # }
//! ```
//!
//! # Values that come and go
//!
//! | Rust | Erlang |
//! |---|---|
//! | `i8` to `u128`, [`BigInt`](crate::BigInt) | integer |
//! | `f32`, `f64` | float; NaN and infinities are an error |
//! | `bool`, [`Atom`](crate::Atom) | atom |
//! | `&str`, `String`, [`Bytes`](crate::Bytes) | binary |
//! | [`Charlist`](crate::Charlist) | list of characters |
//! | `Vec`, slices, arrays | list |
//! | tuples | tuple |
//! | `HashMap`, `BTreeMap` | map |
//! | `Option` | the value, or `undefined` |
//! | `Result<V, E>` | `{ok, V}` or `{error, E}` |
//! | [`Pid`](crate::Pid), [`Reference`](crate::Reference), [`Function`](crate::Function) | themselves |
//! | [`Value`](crate::Value) | anything |
//!
//! Types of your own implement [`IntoTerm`](crate::IntoTerm) and [`FromTerm`](crate::FromTerm), or go through the feature `serde`.
//!
//! # Calling back
//!
//! Functions of the host live in modules like any other, so scripts need not know which is which.
//!
//! ```
//! # use erlet::Vm;
//! # fn main() -> Result<(), erlet::Error> {
//! let vm = Vm::builder().build()?;
//! vm.module("img")
//!     .function("area", |width: i64, height: i64| width * height)
//!     .function("check", |size: i64| if size > 0 { Ok(size) } else { Err("too small") })
//!     .install()?;
//! vm.load_source("thumb.erl", "
//!     -module(thumb).
//!     -export([cost/2]).
//!     cost(W, H) ->
//!         try img:check(W) of _ -> img:area(W, H)
//!         catch error:Reason -> {refused, Reason}
//!         end.
//! ")?;
//! assert_eq!(vm.call::<i64>("thumb", "cost", (20, 30))?, 600);
//! let refused: (erlet::Atom, String) = vm.call("thumb", "cost", (0, 30))?;
//! assert_eq!(refused.1, "too small");
//! # Ok(())
//! # }
//! ```
//!
//! Such a function runs on the thread that runs the process, so it has to be quick. What takes longer than some ten microseconds, or
//! may wait, is made with `blocking` (a thread of the pool does it, only the calling process waits) or `async_function`.
//!
//! # State between calls
//!
//! Calls share nothing: state lives in a process, and calls ask it. This is how every Erlang program keeps state.
//!
//! ```
//! # use erlet::Vm;
//! # fn main() -> Result<(), erlet::Error> {
//! let vm = Vm::builder().build()?;
//! vm.load_source("counter.erl", "
//!     -module(counter).
//!     -behaviour(gen_server).
//!     -export([start/0, next/0, init/1, handle_call/3, handle_cast/2]).
//!     start() -> {ok, _} = gen_server:start({local, counter}, ?MODULE, 0, []), ok.
//!     next() -> gen_server:call(counter, next).
//!     init(Count) -> {ok, Count}.
//!     handle_call(next, _From, Count) -> {reply, Count + 1, Count + 1}.
//!     handle_cast(_, Count) -> {noreply, Count}.
//! ")?;
//! let () = vm.call("counter", "start", ())?;
//! assert_eq!(vm.call::<i64>("counter", "next", ())?, 1);
//! assert_eq!(vm.call::<i64>("counter", "next", ())?, 2);
//! # Ok(())
//! # }
//! ```
//!
//! The server is started with `start`, not `start_link`: it would be linked to the process of the call, which ends at once.
//!
//! # Talking to processes
//!
//! A [`Mailbox`](crate::Mailbox) makes a Rust thread a process among others: it has a pid, is sent to, links and monitors.
//!
//! ```
//! # use erlet::Vm;
//! # fn main() -> Result<(), erlet::Error> {
//! let vm = Vm::builder().build()?;
//! vm.load_source("echo.erl", "
//!     -module(echo).
//!     -export([loop/0]).
//!     loop() -> receive {From, Message} -> From ! {self(), Message}, loop() end.
//! ")?;
//! let me = vm.mailbox()?;
//! let echo = vm.spawn("echo", "loop", ())?;
//! vm.send(echo, (me.pid(), "hello"))?;
//! let (from, message): (erlet::Pid, String) = me.recv()?;
//! assert_eq!((from, message.as_str()), (echo, "hello"));
//! # Ok(())
//! # }
//! ```
//!
//! A thread that asks and waits is slowed down by the waiting. One that asks many things before it reads the first answer is not: here at most
//! 64 requests are on their way. Answers of one process come in the order of the requests; with several, a number in the request says
//! which one an answer belongs to.
//!
//! ```
//! # use erlet::Vm;
//! # fn main() -> Result<(), erlet::Error> {
//! # let vm = Vm::builder().build()?;
//! vm.load_source("square.erl", "
//!     -module(square).
//!     -export([loop/0]).
//!     loop() -> receive {From, Number} -> From ! {Number, Number * Number}, loop() end.
//! ")?;
//! let (me, server) = (vm.mailbox()?, vm.spawn("square", "loop", ())?);
//! let (mut asked, mut sum) = (0, 0);
//! for answered in 0..1000_i64 {
//!     while asked < 1000 && asked - answered < 64 {
//!         me.send(server, (me.pid(), asked))?;
//!         asked += 1;
//!     }
//!     let (number, square): (i64, i64) = me.recv()?;
//!     assert_eq!(square, number * number);
//!     sum += square;
//! }
//! assert_eq!(sum, 332_833_500);
//! # Ok(())
//! # }
//! ```
//!
//! # Supervision
//!
//! Supervisors are the library's own. The host starts one and forgets about restarts.
//!
//! ```
//! # use erlet::{Pid, Vm};
//! # fn main() -> Result<(), erlet::Error> {
//! let vm = Vm::builder().stderr(Box::new(std::io::sink())).build()?;
//! vm.load_source("team.erl", "
//!     -module(team).
//!     -behaviour(supervisor).
//!     -export([start/0, init/1, worker/0]).
//!     start() -> {ok, Pid} = supervisor:start_link({local, team}, ?MODULE, []), unlink(Pid), ok.
//!     init([]) -> {ok, {#{}, [#{id => worker, start => {?MODULE, worker, []}}]}}.
//!     worker() ->
//!         Pid = spawn_link(fun() -> register(worker, self()), receive crash -> exit(oops) end end),
//!         {ok, Pid}.
//! ")?;
//! let () = vm.call("team", "start", ())?;
//! let wait_for_worker = |not: Option<Pid>| loop {
//!     match vm.whereis("worker") {
//!         Some(pid) if Some(pid) != not => break pid,
//!         _ => std::thread::yield_now(),
//!     }
//! };
//! let first = wait_for_worker(None);
//! vm.send(first, erlet::Atom::new("crash"))?;
//! let second = wait_for_worker(Some(first));
//! assert!(vm.is_alive(second));
//! # Ok(())
//! # }
//! ```
//!
//! # Limits and rights
//!
//! A machine built by [`Vm::builder`](crate::Vm::builder) has no rights: no files, no environment, no commands, no `halt`; the host
//! gives what a script needs. Limits hold for the machine, or for a process and all that it starts.
//!
//! ```
//! # use erlet::{Capabilities, Error, Limits, ProcessOptions, Vm};
//! # fn main() -> Result<(), erlet::Error> {
//! let vm = Vm::builder().stderr(Box::new(std::io::sink())).build()?;
//! vm.load_source("greedy.erl", "
//!     -module(greedy).
//!     -export([forever/0, peek/0]).
//!     forever() -> forever().
//!     peek() -> file:read_file(\"/etc/hostname\").
//! ")?;
//! let options = ProcessOptions::new().limits(Limits::new().reductions(100_000));
//! let ended = vm.call_with::<()>(&options, "greedy", "forever", ());
//! let Err(Error::Exit(reason)) = ended else { panic!("it cannot return") };
//! assert_eq!(reason.to_string(), "{limit,reductions}");
//!
//! let peeked: Result<String, erlet::Atom> = vm.call("greedy", "peek", ())?;
//! assert_eq!(peeked, Err(erlet::Atom::new("eacces")));
//! # Ok(())
//! # }
//! ```
//!
//! Limits make a program robust against its own scripts. They do not hide anything: names, tables and code are shared by all
//! processes of a machine. Code that nobody trusts gets a machine of its own, which takes well under a millisecond; see the example
//! `sandbox`.
//!
//! # Hot reload
//!
//! Loading a module again replaces it. Calls that run finish with the old code; the next full call finds the new.
//!
//! ```
//! # use erlet::Vm;
//! # fn main() -> Result<(), erlet::Error> {
//! let vm = Vm::builder().build()?;
//! vm.load_source("rule.erl", "-module(rule). -export([rate/0]). rate() -> 10.")?;
//! assert_eq!(vm.call::<i64>("rule", "rate", ())?, 10);
//! vm.load_source("rule.erl", "-module(rule). -export([rate/0]). rate() -> 20.")?;
//! assert_eq!(vm.call::<i64>("rule", "rate", ())?, 20);
//! # Ok(())
//! # }
//! ```
//!
//! # Async hosts
//!
//! [`Vm::call_async`](crate::Vm::call_async) is a future for any executor. Dropping it kills the process it started and what is linked
//! to it, so a request that was given up leaves nothing behind. The example `web` serves HTTP this way.
//!
//! ```
//! # use erlet::Vm;
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<(), erlet::Error> {
//!     let vm = Vm::builder().build()?;
//!     let (left, right) = tokio::join!(
//!         vm.call_async::<i64>("lists", "sum", (vec![1, 2, 3],)),
//!         vm.call_async::<i64>("lists", "max", (vec![4, 9, 2],)),
//!     );
//!     assert_eq!((left?, right?), (6, 9));
//!     Ok(())
//! }
//! ```
//!
//! # A loop of your own
//!
//! With `threads(0)` a machine has no threads: it runs when its owner says so, which suits games, plug-ins and tests.
//! [`Vm::call`](crate::Vm::call) drives it until the answer is there; [`Vm::run_until_idle`](crate::Vm::run_until_idle) and
//! [`Vm::poll`](crate::Vm::poll) let it do what is due. The example `game` ticks ten thousand processes so.
//!
//! ```
//! # use erlet::Vm;
//! # fn main() -> Result<(), erlet::Error> {
//! let vm = Vm::builder().threads(0).build()?;
//! let me = vm.mailbox()?;
//! vm.spawn("erlang", "send", (me.pid(), 42))?;
//! assert_eq!(me.try_recv::<i64>()?, None);
//! vm.run_until_idle()?;
//! assert_eq!(me.try_recv::<i64>()?, Some(42));
//! # Ok(())
//! # }
//! ```
//!
//! # Testing with a seed
//!
//! With a seed every choice of the scheduler comes from it, and time is virtual: it advances only when nothing can run. A test that
//! fails with one seed fails with it every time, and an hour of sleep takes no time.
//!
//! ```
//! # use erlet::Vm;
//! # fn main() -> Result<(), erlet::Error> {
//! for seed in 0..10 {
//!     let vm = Vm::builder().seed(seed).build()?;
//!     let () = vm.call("timer", "sleep", (3_600_000,))?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Seeing what happens
//!
//! What programs log, and the reports of processes that fail or pass a limit, go to standard error, or to a sink of the host's
//! ([`Builder::log`](crate::Builder::log)); what they print goes to [`Builder::stdout`](crate::Builder::stdout). Both are the machine's own, so two
//! machines do not mix.
//!
//! ```
//! # use erlet::Vm;
//! # use std::sync::mpsc::channel;
//! # fn main() -> Result<(), erlet::Error> {
//! let (sender, events) = channel();
//! let vm = Vm::builder().log(move |event| drop(sender.send(event))).build()?;
//! vm.call::<erlet::Value>("logger", "warning", (erlet::Charlist::from("disk almost full"),))?;
//! let event = events.recv().expect("the machine lives");
//! assert!(event.level == "warning" && event.text.contains("disk almost full"));
//! # Ok(())
//! # }
//! ```
//!
//! [`Vm::processes`](crate::Vm::processes), [`Vm::process_info`](crate::Vm::process_info) and [`Vm::metrics`](crate::Vm::metrics) tell how things
//! stand. With the feature `metrics`, `vm.metrics().publish("rules")` hands the numbers to the recorder of the crate `metrics` (Prometheus,
//! StatsD ...), whenever the host likes. With the feature `tracing`, a machine that is built with `.tracing("rules")` tells of itself
//! by events and spans:
//!
//! | target | level | what | fields, besides `vm` |
//! |---|---|---|---|
//! | `erlet::vm` | info | `started`, `ended` | `threads`; `status` if it was halted |
//! | `erlet::log` | as logged | what programs log, and reports of the machine, as text | `process`, `dropped` |
//! | `erlet::call` | debug | a span around each call of the host's | `module`, `function`, `pid`, `outcome`, `reason` |
//! | `erlet::process` | debug | `started` by the host; `failed` with an error that nobody caught | `pid`, `module`, `function`; `reason` |
//! | `erlet::limit` | warn | a process has passed a limit | `pid`, `quota`, `used`, `limit` |
//! | `erlet::code` | debug | a module was `loaded` | `module` |
//! | `erlet::pool` | warn | a `slow job`: blocking work of 100 ms and more | `kind`, `milliseconds` |
//! | `erlet::heap` | trace | a process was `collected` in a slice | `pid`, `minor`, `major`, `freed_bytes` |
//!
//! They are told on threads of the machine's own, to the subscriber that was the default where the machine was built.

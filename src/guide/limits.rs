//! Limits and rights: what scripts may use, and what they may touch.
//!
//! A machine built by [`Vm::builder`](crate::Vm::builder) has no rights: no files, no network, no environment, no commands, no time of
//! day, no loading of code, no `halt`; the host gives what a script needs as [`Capabilities`](crate::Capabilities). Limits hold for the
//! machine, or for a process and all that it starts.
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
//! Erlang code narrows both for what it starts: the options `{limits, #{memory => 1_000_000, wall_time => 500}}` (times are in
//! milliseconds, names those of [`Quota`](crate::Quota)) and `{capabilities, [clock, {read, "/srv/data"}]}` of `spawn_opt`. Nothing widens
//! them again.
//!
//! ```
//! # use erlet::Vm;
//! # fn main() -> Result<(), erlet::Error> {
//! # let vm = Vm::builder().build()?;
//! vm.load_source("careful.erl", "
//!     -module(careful).
//!     -export([run/1]).
//!     run(Fun) ->
//!         {Pid, Ref} = spawn_opt(Fun, [monitor, {limits, #{reductions => 10_000}}]),
//!         receive {'DOWN', Ref, process, Pid, Reason} -> Reason end.
//! ")?;
//! let reason: erlet::Value = vm.eval("careful:run(fun() -> lists:seq(1, 10_000_000) end)")?;
//! assert_eq!(reason.to_string(), "{limit,reductions}");
//! # Ok(())
//! # }
//! ```
//!
//! What the machine has no functions for, such as sockets, functions of the host do, and they ask what their caller may:
//!
//! ```
//! # use erlet::{Capabilities, Context, HostError, Vm, limits::Direction};
//! # fn main() -> Result<(), erlet::Error> {
//! let rights = Capabilities::none().connect("api.example.com", 443..=443).connect("10.0.0.0/8", 1024..);
//! let vm = Vm::builder().capabilities(rights).build()?;
//! vm.module("tcp")
//!     .blocking("peek", |caller: Context, host: String, port: u16| {
//!         let addresses = caller.capabilities().addresses(&host, port, Direction::Connect)?;
//!         std::net::TcpStream::connect(&addresses[..])?;
//!         Ok::<(), HostError>(())
//!     })
//!     .install()?;
//! let denied = vm.call::<()>("tcp", "peek", ("localhost", 22)).unwrap_err();
//! assert!(denied.to_string().contains("eacces"));
//! # Ok(())
//! # }
//! ```
//!
//! | Limit | What is counted | Who ends |
//! |---|---|---|
//! | `memory` | heaps, mailboxes, binaries, tables, counters, timers | who asks for more |
//! | `mailbox_messages`, `mailbox_bytes` | of each process | its owner |
//! | `reductions` | work, about a function call each | who runs |
//! | `wall_time` | time since the limit was set | all |
//! | `processes`, `open_files` | alive, open at a time | who starts, who opens one more |
//! | `atoms` | new ones | who makes one more |
//! | `ets_bytes` | tables and persistent terms | who inserts |
//! | `output_bytes` | standard output and error, log events | who puts out |
//!
//! Time is the host's too: [`Builder::clock`](crate::Builder::clock) says what scripts take for the time of day, and with
//! `threads(0)` [`Builder::monotonic_clock`](crate::Builder::monotonic_clock) when timers are due.
//!
//! Limits make a program robust against its own scripts. They do not hide anything: names, tables and code are shared by all
//! processes of a machine. Code that nobody trusts gets a machine of its own, which takes well under a millisecond; see the example
//! `sandbox`.

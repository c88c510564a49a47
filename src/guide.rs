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
//! 7. [Shutting down](#shutting-down)
//! 8. [Limits and rights](limits)
//! 9. [Hot reload](#hot-reload)
//! 10. [Plug-ins](#plug-ins)
//! 11. [Async hosts](#async-hosts)
//! 12. [A loop of your own](#a-loop-of-your-own)
//! 13. [Testing with a seed](#testing-with-a-seed)
//! 14. [Seeing what happens](#seeing-what-happens)
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
//! What fails while it runs comes back as an [`Exception`](crate::Exception) with class, reason and stack, and prints as one line for
//! the reason and one for each call. Each call runs in a process of its own: one that fails takes nothing with it.
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
//! Types of your own implement [`IntoTerm`](crate::IntoTerm) and [`FromTerm`](crate::FromTerm), or go through the feature `serde`
//! ([`Serde`](crate::serde::Serde) in the place of an argument, a result or a parameter).
//!
//! **Texts are the trap.** A Rust text is a binary, and Erlang's `"text"` is a list of characters: a script writes `<<"text">>` (with
//! letters beyond ASCII `<<"naïve"/utf8>>`) for whoever wants a `String`. A function that should take both kinds takes a
//! [`Value`](crate::Value) and asks for [`to_text`](crate::Value::to_text).
//!
//! ```
//! # use erlet::{HostError, Value, Vm};
//! # fn main() -> Result<(), erlet::Error> {
//! # let vm = Vm::builder().threads(0).build()?;
//! vm.module("text")
//!     .function("strict", |text: String| text.len())
//!     .function("length", |text: Value| text.to_text().map(|text| text.len()).ok_or_else(HostError::badarg))
//!     .install()?;
//! assert_eq!(vm.eval::<usize>(r#"text:strict(<<"tea">>)"#)?, 3);
//! assert!(vm.eval::<usize>(r#"text:strict("tea")"#).is_err());
//! assert_eq!(vm.eval::<(usize, usize)>(r#"{text:length("tea"), text:length(<<"tea">>)}"#)?, (3, 3));
//! # Ok(())
//! # }
//! ```
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
//! What a function needs it captures; so functions of two machines, one for each plug-in say, may differ. What scripts should hold
//! in their hands, a table or a connection, is a [`Resource`](crate::Resource). An argument of another type is `badarg`, with the
//! function as the first line of the stack; `Err` is an exception, and [`AsTerm`](crate::AsTerm) makes of a `Result` the `{ok, V}`
//! and `{error, E}` that Erlang code expects to match.
//!
//! ```
//! # use erlet::{AsTerm, Atom, Resource, Value, Vm};
//! # use std::collections::HashMap;
//! # use std::sync::Mutex;
//! # fn main() -> Result<(), erlet::Error> {
//! # let vm = Vm::builder().threads(0).build()?;
//! struct Store(Mutex<HashMap<String, Value>>);
//! let store = Resource::new(Store(Mutex::default()));
//! let ours = store.clone();
//! vm.module("store")
//!     .function("mine", move || ours.clone())
//!     .function("put", |store: Resource<Store>, key: String, value: Value| {
//!         store.0.lock().unwrap().insert(key, value);
//!     })
//!     .function("get", |store: Resource<Store>, key: String| {
//!         AsTerm(store.0.lock().unwrap().get(&key).cloned().ok_or(Atom::new("not_found")))
//!     })
//!     .install()?;
//! let found: Result<i64, Atom> = vm.eval(r#"S = store:mine(), store:put(S, <<"k">>, 1), store:get(S, <<"k">>)"#)?;
//! assert_eq!(found, Ok(1));
//! assert_eq!(store.0.lock().unwrap().len(), 1); // It is the host's too, and outlives the machine.
//! # Ok(())
//! # }
//! ```
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
//! The server is a process of its own, which matters for two things. If it crashes, the caller gets an
//! [`Exception`](crate::Exception) of class `exit` whose reason is a pair of the server's reason and the call. And what bounds the
//! call does not bound the server: a call that has [timed out](crate::Vm::call_timeout) or passed a limit is gone, while the server
//! goes on with the request. [Plug-ins](#plug-ins) shows what to do about both.
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
//! Whatever an Erlang process can do with another one works with a mailbox, too. Here a room watches its members, so that one whose
//! thread has ended, or whose connection is lost, leaves it:
//!
//! ```
//! # use erlet::{Atom, Vm};
//! # fn main() -> Result<(), erlet::Error> {
//! # let vm = Vm::builder().build()?;
//! vm.load_source("room.erl", r#"
//!     -module(room).
//!     -export([loop/1]).
//!     loop(Members) ->
//!         receive
//!             {join, Pid} -> monitor(process, Pid), loop([Pid | Members]);
//!             {say, Text} -> tell(Members, Text), loop(Members);
//!             {'DOWN', _, process, Pid, _} ->
//!                 Left = lists:delete(Pid, Members),
//!                 tell(Left, <<"somebody has left">>),
//!                 loop(Left)
//!         end.
//!     tell(Members, Text) -> lists:foreach(fun(Pid) -> Pid ! Text end, Members).
//! "#)?;
//! let room = vm.spawn("room", "loop", (Vec::<i64>::new(),))?;
//! let (ann, bob) = (vm.mailbox()?, vm.mailbox()?);
//! for member in [&ann, &bob] {
//!     member.send(room, (Atom::new("join"), member.pid()))?;
//! }
//! bob.send(room, (Atom::new("say"), "good night"))?;
//! assert_eq!((ann.recv::<String>()?, bob.recv::<String>()?), ("good night".into(), "good night".into()));
//! drop(bob);
//! assert_eq!(ann.recv::<String>()?, "somebody has left");
//! # Ok(())
//! # }
//! ```
//!
//! A message to a `gen_server` that expects no answer is `(Atom::new("$gen_cast"), message)` for its `handle_cast/2`, and anything
//! else is for its `handle_info/2`.
//!
//! Sending never waits, so whoever reads slowly gathers messages. A sender that may meet such readers counts: the reader
//! acknowledges what it has dealt with by a message, and with too many on their way the sender ends it, by `exit(Pid, kill)` (a
//! mailbox traps exits, so any other reason is a message among others). The host sees that by [`Vm::monitor`](crate::Vm::monitor),
//! which is a future, so that one `select!` can end a write that hangs as well.
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
//! As with servers, the call that starts a supervisor must not stay linked to it, which `unlink` sees to. If a child may fail to
//! start, the supervisor exits, and would take the call with it ([`Error::Exit`](crate::Error::Exit)); to get `{error, Reason}`
//! instead, call with [`trap_exit`](crate::ProcessOptions::trap_exit). What children log as they crash goes where
//! [`Builder::log`](crate::Builder::log) says.
//!
//! # Shutting down
//!
//! Dropping the last handle of a machine stops it where it stands. [`Vm::shutdown`](crate::Vm::shutdown) lets processes end in
//! their own way first: supervisors end what they have started, in their order, and servers that trap exits run `terminate/2`.
//!
//! ```
//! # use erlet::Vm;
//! # use std::time::Duration;
//! # fn main() -> Result<(), erlet::Error> {
//! # let vm = Vm::builder().build()?;
//! let sleeper = vm.spawn("timer", "sleep", (60_000,))?;
//! let report = vm.shutdown(Duration::from_secs(5))?;
//! assert!(report.is_clean(), "{report:?}"); // or it says who would not end, and where it was
//! assert!(!vm.is_alive(sleeper));
//! # Ok(())
//! # }
//! ```
//!
//! Mailboxes are the host's, and are not asked to end. When the machine has stopped, whoever reads one gets what was sent to it,
//! and then [`Error::Stopped`](crate::Error::Stopped), as whoever calls does.
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
//! A server goes on with the state it has, and handles the next message by the new code, since `gen_server` calls its module by
//! name; a new version whose state looks otherwise has to understand the old one. A text that does not compile changes nothing. A
//! process that runs the version before the last one, in a loop of its own that never calls by name, is killed by the next load.
//! [`Vm::unload`](crate::Vm::unload) takes a module away; what should vanish with all it has started gets a machine of its own.
//!
//! # Plug-ins
//!
//! A host of plug-ins has to live through those that are wrong. What it takes: a machine for each, so that nothing is shared,
//! memory is capped for each, and unloading is dropping (machines of one [`Pool`](crate::Pool) share their threads); a server that
//! keeps the plug-in's state, under a supervisor; and a time-out that ends the server, not only the call. What the plug-in raises
//! is caught where it happens and answered as `{error, {Class, Reason, Stack}}`, which is read as an
//! [`Exception`](crate::Exception) with the lines of the plug-in's own text.
//!
//! ```
//! use erlet::{Atom, Error, Exception, FromTerm, IntoTerm, Limits, Pid, Pool, ProcessOptions, Value, Vm};
//! use std::time::Duration;
//!
//! const SUPERVISOR: &str = "
//!     -module(plugin_sup).
//!     -behaviour(supervisor).
//!     -export([start/1, init/1]).
//!     start(Name) ->
//!         case supervisor:start_link(?MODULE, Name) of
//!             {ok, Pid} -> unlink(Pid), {ok, Pid};
//!             {error, {shutdown, {failed_to_start_child, _, Reason}}} -> {error, Reason}
//!         end.
//!     init(Name) -> {ok, {#{intensity => 10, period => 10}, [#{id => plugin, start => {plugin, start_link, [Name]}}]}}.
//! ";
//! const SERVER: &str = "
//!     -module(plugin).
//!     -behaviour(gen_server).
//!     -export([start_link/1, event/1, init/1, handle_call/3, handle_cast/2]).
//!     start_link(Name) -> gen_server:start_link({local, ?MODULE}, ?MODULE, Name, []).
//!     event(Event) ->
//!         case whereis(?MODULE) of
//!             undefined -> timer:sleep(1), event(Event); % it is about to be started again
//!             Server -> gen_server:call(Server, Event, infinity)
//!         end.
//!     init(Name) -> {ok, {Name, Name:init()}}.
//!     handle_call(Event, _From, {Name, State}) ->
//!         try
//!             {Reply, New} = Name:handle(Event, State),
//!             {reply, {ok, Reply}, {Name, New}}
//!         catch Class:Reason:Stack ->
//!             {reply, {error, {Class, Reason, Stack}}, {Name, State}}
//!         end.
//!     handle_cast(_, State) -> {noreply, State}.
//! ";
//!
//! /// A plug-in's machine. Errors are for its author: `Error::Compile` shows the lines that are wrong.
//! fn load(pool: &Pool, name: &str, text: &str) -> Result<Vm, Error> {
//!     let limits = Limits::new().memory(32 << 20).processes(100).atoms(10_000).output_bytes(1 << 20);
//!     let vm = Vm::builder().pool(pool).limits(limits).log(|event| eprintln!("{}", event.text)).build()?;
//!     vm.load_source("plugin_sup.erl", SUPERVISOR)?;
//!     vm.load_source("plugin.erl", SERVER)?;
//!     vm.load_source(format!("{name}.erl"), text)?;
//!     let options = ProcessOptions::new().trap_exit(true);
//!     let started: Result<Pid, Value> = vm.call_with(&options, "plugin_sup", "start", (Atom::new(name),))?;
//!     started.map_err(|reason| Error::Exit(Box::new(reason)))?;
//!     Ok(vm)
//! }
//!
//! fn event<R: FromTerm>(vm: &Vm, event: impl IntoTerm) -> Result<Result<R, Exception>, Error> {
//!     let answer = vm.call_timeout(Duration::from_secs(2), "plugin", "event", (event,));
//!     if let (Err(Error::Timeout), Some(server)) = (&answer, vm.whereis("plugin")) {
//!         // The call was given up, but its server still works on it. The supervisor starts another one.
//!         let ended = vm.monitor(server)?;
//!         vm.exit(server, Atom::new("kill"))?;
//!         ended.wait()?;
//!     }
//!     answer
//! }
//!
//! # fn main() -> Result<(), erlet::Error> {
//! let pool = Pool::new(2)?;
//! let till = load(&pool, "till", "
//!     -module(till).
//!     -export([init/0, handle/2]).
//!     init() -> 0.
//!     handle({pay, Cents}, Sum) when Cents > 0 -> {Sum + Cents, Sum + Cents};
//!     handle(spin, Sum) -> handle(spin, Sum);
//!     handle(eat, Sum) -> lists:seq(1, 100_000_000).
//! ")?;
//! let pay = |cents: i64| event::<i64>(&till, (Atom::new("pay"), cents));
//! assert_eq!((pay(3)?, pay(4)?), (Ok(3), Ok(7)));
//! let failed = pay(-1)?.unwrap_err();
//! assert_eq!((failed.reason.as_atom(), failed.stack[0].line), (Some("function_clause"), Some(5)));
//! assert_eq!(pay(1)?, Ok(8)); // Nothing was lost by it.
//!
//! assert!(matches!(event::<i64>(&till, Atom::new("spin")), Err(Error::Timeout)));
//! assert!(event::<i64>(&till, Atom::new("eat")).unwrap_err().to_string().contains("{limit,memory}"));
//! assert_eq!(pay(5)?, Ok(5)); // Alive, and begun anew.
//!
//! // A new version, while calls go on; the state stays. One that is wrong changes nothing.
//! till.load_source("till.erl", "-module(till). -export([init/0, handle/2]). init() -> 0. handle({pay, C}, Sum) -> {C * 2, Sum + C}.")?;
//! assert_eq!(pay(6)?, Ok(12));
//! assert!(matches!(till.load_source("till.erl", "-module(till). handle("), Err(Error::Compile(_))));
//! assert_eq!(pay(6)?, Ok(12));
//!
//! assert!(till.shutdown(Duration::from_secs(5))?.is_clean());
//! # Ok(())
//! # }
//! ```
//!
//! A hook without state needs no server: [`Vm::call_with`](crate::Vm::call_with) runs it in a process with [limits](crate::Limits)
//! of its own, of `wall_time` for example, which end it with `Error::Exit` and the reason `{limit, wall_time}`. Limits of the
//! machine are for all its life: one of reductions is used up some day, so it suits machines that run one job.
//!
//! # Async hosts
//!
//! [`Vm::call_async`](crate::Vm::call_async) is a future for any executor. Dropping it kills the process it started and what is
//! linked to it, so a request that was given up leaves nothing behind. The example `web` serves HTTP this way.
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
//! Futures of this crate may be dropped at any time, in a `select!` for example: a message that a
//! [`recv_async`](crate::Mailbox::recv_async) has not given stays in the mailbox. A host function that is a future is handed to an
//! executor on a thread of the machine, where no runtime is entered, so it needs a handle:
//!
//! ```
//! # use erlet::Vm;
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<(), erlet::Error> {
//!     let vm = Vm::builder().build()?;
//!     let handle = tokio::runtime::Handle::current();
//!     let spawn = move |future| {
//!         handle.spawn(future);
//!     };
//!     vm.module("web").async_function("size", |url: String| async move { url.len() }, spawn).install()?;
//!     assert_eq!(vm.call_async::<usize>("web", "size", ("http://a",)).await?, 8);
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

pub mod limits;

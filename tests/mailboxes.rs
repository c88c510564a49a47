//! Mailboxes: processes of the host's.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

mod embedding;

use embedding::{block_on, until};
use erlet::{Atom, Capabilities, Error, Pid, Progress, Reference, Value, Vm};

const SOURCE: &str = "
-module(m).
-compile(export_all).
echo() -> receive {From, What} -> From ! {self(), What}, echo(); stop -> ok end.
count(To, N) -> [To ! I || I <- lists:seq(1, N)], ok.
waits() -> receive never -> ok end.
links(Pid) -> link(Pid), receive never -> ok end.
watches(Pid, To) -> R = monitor(process, Pid), To ! ready, receive {'DOWN', R, _, _, Why} -> To ! {down, Why} end.
fails() -> exit(broken).
queue(Pid) -> process_info(Pid, message_queue_len).
info(Pid) -> {is_process_alive(Pid), element(2, process_info(Pid, links)), element(2, process_info(Pid, trap_exit))}.
kill(Pid) -> exit(Pid, kill).
ask(Pid) -> exit(Pid, please).
";

fn machines() -> Vec<(&'static str, Vm)> {
    embedding::machines(SOURCE, &Capabilities::none())
}

#[test]
fn messages_come_in_order() {
    for (name, vm) in machines() {
        let mailbox = vm.mailbox().unwrap();
        vm.spawn("m", "count", (mailbox.pid(), 5000)).unwrap();
        for n in 1..=5000 {
            assert_eq!(mailbox.recv::<i64>().unwrap(), n, "{name}");
        }
        assert!(mailbox.try_recv::<Value>().unwrap().is_none(), "{name}");
    }
}

#[test]
fn requests_and_replies() {
    for (name, vm) in machines() {
        let echo = vm.spawn("m", "echo", ()).unwrap();
        let mailbox = vm.mailbox().unwrap();
        for n in 0..200 {
            mailbox.send(echo, (mailbox.pid(), n)).unwrap();
            assert_eq!(mailbox.recv::<(Pid, i64)>().unwrap(), (echo, n), "{name}");
        }
        let answers = block_on(async {
            mailbox.send(echo, (mailbox.pid(), 7))?;
            let answer: (Pid, i64) = mailbox.recv_async().await?;
            Ok::<_, Error>(answer)
        });
        assert_eq!(answers.unwrap(), (echo, 7), "{name}");
    }
}

#[test]
fn what_was_not_chosen_stays_in_its_order() {
    for (name, vm) in machines() {
        let mailbox = vm.mailbox().unwrap();
        for message in ["a", "b", "c", "d"] {
            vm.send(mailbox.pid(), message).unwrap();
        }
        vm.send(mailbox.pid(), 42).unwrap();
        assert_eq!(mailbox.select(Value::as_int).unwrap(), 42, "{name}");
        let third = mailbox.select(|message| (message.as_str() == Some("c")).then_some("c")).unwrap();
        assert_eq!(third, "c");
        let rest: Vec<String> = (0..3).map(|_| mailbox.recv().unwrap()).collect();
        assert_eq!(rest, ["a", "b", "d"], "{name}");
    }
}

#[test]
fn a_choice_waits_for_later_messages() {
    for (name, vm) in machines() {
        let mailbox = vm.mailbox().unwrap();
        vm.send(mailbox.pid(), "other").unwrap();
        vm.spawn("m", "count", (mailbox.pid(), 3)).unwrap();
        let three = mailbox.select(|message| message.as_int().filter(|n| *n == 3)).unwrap();
        assert_eq!(three, 3, "{name}");
        let none =
            mailbox.select_timeout(Duration::from_millis(5), |message| message.as_int().filter(|n| *n == 3));
        assert!(matches!(none, Err(Error::Timeout)), "{name}: {none:?}");
        assert_eq!(mailbox.recv::<String>().unwrap(), "other", "{name}");
    }
}

#[test]
fn it_is_a_process_also_while_nobody_reads() {
    for (name, vm) in machines() {
        let mailbox = vm.mailbox().unwrap();
        vm.register("host", mailbox.pid()).unwrap();
        assert_eq!(vm.whereis("host"), Some(mailbox.pid()));
        assert!(matches!(vm.register("host", mailbox.pid()), Err(Error::Name(_))));
        let (alive, links, traps): (bool, Vec<Pid>, bool) = vm.call("m", "info", (mailbox.pid(),)).unwrap();
        assert!(alive && links.is_empty() && traps, "{name}");
        for n in 0..3 {
            vm.send(mailbox.pid(), n).unwrap();
        }
        let (_, length): (Atom, usize) = vm.call("m", "queue", (mailbox.pid(),)).unwrap();
        assert_eq!(length, 3, "{name}");
        // It traps exits: this one is a message, behind the others.
        vm.call::<bool>("m", "ask", (mailbox.pid(),)).unwrap();
        (0..3).for_each(|n| assert_eq!(mailbox.recv::<i64>().unwrap(), n));
        let (tag, _, reason): (Atom, Pid, Atom) = mailbox.recv().unwrap();
        assert_eq!((tag.as_str(), reason.as_str()), ("EXIT", "please"), "{name}");
    }
}

#[test]
fn links_and_monitors_of_a_mailbox() {
    for (name, vm) in machines() {
        let mailbox = vm.mailbox().unwrap();
        let waiter = vm.spawn("m", "waits", ()).unwrap();
        mailbox.link(waiter).unwrap();
        let reference = mailbox.monitor(waiter).unwrap();
        let ended = mailbox.monitor(waiter).unwrap();
        mailbox.demonitor(ended).unwrap();
        // Behind the link and the monitor, though it is no command.
        let (_, links, _): (bool, Vec<Pid>, bool) = {
            mailbox.send(mailbox.pid(), "done").unwrap();
            assert_eq!(mailbox.recv::<String>().unwrap(), "done");
            vm.call("m", "info", (mailbox.pid(),)).unwrap()
        };
        assert_eq!(links, [waiter], "{name}");
        vm.exit(waiter, Atom::new("gone")).unwrap();
        let (exit, from, reason): (Atom, Pid, Atom) = mailbox.recv().unwrap();
        assert_eq!((exit.as_str(), from, reason.as_str()), ("EXIT", waiter, "gone"), "{name}");
        let down: (Atom, Reference, Atom, Pid, Atom) = mailbox.recv().unwrap();
        assert_eq!((down.0.as_str(), down.1, down.3, down.4.as_str()), ("DOWN", reference, waiter, "gone"));
        let nothing = mailbox.recv_timeout::<Value>(Duration::from_millis(5));
        assert!(matches!(nothing, Err(Error::Timeout)), "{name}: {nothing:?}");
        mailbox.link(waiter).unwrap();
        let (_, _, reason): (Atom, Pid, Atom) = mailbox.recv().unwrap();
        assert_eq!(reason, "noproc", "{name}");
    }
}

#[test]
fn dropping_it_tells_links_and_monitors() {
    for (name, vm) in machines() {
        let (mailbox, other) = (vm.mailbox().unwrap(), vm.mailbox().unwrap());
        let linked = vm.spawn("m", "links", (mailbox.pid(),)).unwrap();
        vm.spawn("m", "watches", (mailbox.pid(), other.pid())).unwrap();
        assert_eq!(other.recv::<Atom>().unwrap(), "ready");
        vm.call::<Value>("m", "info", (linked,)).unwrap();
        let monitor = vm.monitor(linked).unwrap();
        mailbox.exit(Atom::new("tired")).unwrap();
        assert_eq!(monitor.wait().unwrap(), Value::atom("tired"), "{name}");
        let (_, reason): (Atom, Atom) = other.recv().unwrap();
        assert_eq!(reason, "tired", "{name}");

        let dropped = vm.mailbox().unwrap();
        let pid = dropped.pid();
        drop(dropped);
        assert_eq!(
            vm.monitor(pid).unwrap().wait().map(|reason| reason.to_string()).unwrap().len(),
            6,
            "{name}"
        );
    }
}

#[test]
fn one_that_is_killed_says_so_when_its_messages_are_read() {
    for (name, vm) in machines() {
        let mailbox = vm.mailbox().unwrap();
        vm.send(mailbox.pid(), "last words").unwrap();
        vm.call::<Value>("m", "queue", (mailbox.pid(),)).unwrap();
        vm.call::<bool>("m", "kill", (mailbox.pid(),)).unwrap();
        assert_eq!(mailbox.recv::<String>().unwrap(), "last words", "{name}");
        let over = mailbox.recv::<Value>();
        assert!(
            matches!(&over, Err(Error::Exit(reason)) if **reason == Value::atom("killed")),
            "{name}: {over:?}"
        );
        assert!(matches!(mailbox.recv::<Value>(), Err(Error::Exit(_))), "{name}");
    }
}

#[test]
fn monitors_tell_how_a_process_ended() {
    for (name, vm) in machines() {
        let process = vm.spawn("m", "waits", ()).unwrap();
        let mut monitor = vm.monitor(process).unwrap();
        assert_eq!(monitor.wait_timeout(Duration::from_millis(2)).unwrap(), None, "{name}");
        vm.exit(process, (Atom::new("because"), 1)).unwrap();
        assert_eq!(block_on(monitor).unwrap().to_string(), "{because,1}", "{name}");
        assert_eq!(vm.monitor(process).unwrap().wait().unwrap(), Value::atom("noproc"), "{name}");
    }
}

#[test]
fn many_threads_read_one_mailbox_and_each_message_goes_to_one() {
    for (name, vm) in machines().into_iter().filter(|(name, _)| name.contains("thread") || *name == "pool") {
        let mailbox = vm.mailbox().unwrap();
        let sum = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        sum.fetch_add(mailbox.recv::<usize>().unwrap(), Ordering::Relaxed);
                    }
                });
            }
            vm.spawn("m", "count", (mailbox.pid(), 2000)).unwrap();
        });
        assert_eq!(sum.into_inner(), 2000 * 2001 / 2, "{name}");
    }
}

#[test]
fn a_machine_that_is_stopped_ends_the_waiting() {
    let vm = Vm::builder().threads(1).build().unwrap();
    let mailbox = vm.mailbox().unwrap();
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| mailbox.recv::<Value>());
        std::thread::sleep(Duration::from_millis(20));
        vm.stop();
        assert!(matches!(reader.join().unwrap(), Err(Error::Stopped)));
    });
}

#[test]
fn a_driven_machine_calls_its_owner_when_something_comes() {
    let vm = Vm::builder().threads(0).build().unwrap();
    vm.load_source("m.erl", SOURCE).unwrap();
    let rung = Arc::new(AtomicUsize::new(0));
    let bell = Arc::clone(&rung);
    vm.set_waker(move || {
        bell.fetch_add(1, Ordering::SeqCst);
    })
    .unwrap();
    let echo = vm.spawn("m", "echo", ()).unwrap();
    assert_eq!(vm.run_until_idle().unwrap(), Progress::Idle);
    let before = rung.load(Ordering::SeqCst);
    std::thread::scope(|scope| {
        let vm = &vm;
        scope.spawn(move || (0..3).for_each(|_| vm.send(echo, Atom::new("ignored")).unwrap()));
    });
    // Once for each time it was idle.
    assert_eq!(rung.load(Ordering::SeqCst), before + 1);
    assert_eq!(vm.run_until_idle().unwrap(), Progress::Idle);
    vm.send(echo, Atom::new("stop")).unwrap();
    assert_eq!(rung.load(Ordering::SeqCst), before + 2);
    until(|| {
        vm.run_until_idle().unwrap();
        !vm.is_alive(echo)
    });
}

#[test]
fn shutting_down_tells_what_did_not_end() {
    for (name, vm) in machines() {
        let waiter = vm.spawn("m", "waits", ()).unwrap();
        assert!(vm.is_alive(waiter));
        let report = vm.shutdown(Duration::from_secs(5)).unwrap();
        assert!(report.is_clean(), "{name}: {report:?}");
    }
    for (name, vm) in machines() {
        let options = erlet::ProcessOptions::new().trap_exit(true);
        let stubborn = vm.spawn_with(&options, "m", "waits", ()).unwrap();
        vm.register("stubborn", stubborn).unwrap();
        let report = vm.shutdown(Duration::from_millis(50)).unwrap();
        let [left] = &report.remaining[..] else { panic!("{name}: {report:?}") };
        assert_eq!((left.pid, left.name.as_deref()), (stubborn, Some("stubborn")), "{name}");
        assert_eq!(left.initial_call, "m:waits/0", "{name}");
        assert!(matches!(vm.call::<Value>("m", "fails", ()), Err(Error::Stopped)), "{name}");
    }
}

/// Asks a server many things before it reads the first answer, as the guide shows it.
#[test]
fn many_requests_are_outstanding() {
    for (name, vm) in machines() {
        let echo = vm.spawn("m", "echo", ()).unwrap();
        let mailbox = vm.mailbox().unwrap();
        let (mut sent, mut got) = (0_i64, 0_i64);
        while got < 2000 {
            while sent < 2000 && sent - got < 64 {
                mailbox.send(echo, (mailbox.pid(), sent)).unwrap();
                sent += 1;
            }
            assert_eq!(mailbox.recv::<(Pid, i64)>().unwrap(), (echo, got), "{name}");
            got += 1;
        }
    }
}

/// A selective reader that has passed messages of a monitor which is then ended still sees what comes after them.
#[test]
fn a_monitor_that_is_ended_hides_no_message() {
    // Under virtual time the time-out passes as soon as nothing can run.
    for (name, vm) in machines().into_iter().filter(|(name, _)| *name != "seed") {
        let mailbox = vm.mailbox().unwrap();
        let short = vm.spawn("m", "fails", ()).unwrap();
        let reference = mailbox.monitor(short).unwrap();
        let looked = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                mailbox.select_timeout(Duration::from_secs(20), |message| {
                    looked.fetch_add(1, Ordering::SeqCst);
                    message.as_int()
                })
            });
            // It has looked at the DOWN message.
            until(|| looked.load(Ordering::SeqCst) > 0);
            mailbox.demonitor(reference).unwrap();
            mailbox.send(mailbox.pid(), 5).unwrap();
            assert_eq!(waiting.join().unwrap().unwrap(), 5, "{name}");
        });
    }
}

/// Supervised servers end in their order, also if a call has started the supervisor and is gone, or the server has no supervisor.
#[test]
fn shutting_down_ends_supervisors_and_servers_that_trap_exits() {
    const TEAM: &str = "
        -module(team).
        -behaviour(supervisor).
        -export([start/1, init/1]).
        start(To) -> {ok, Pid} = supervisor:start_link(?MODULE, To), unlink(Pid), {ok, _} = server:start(start, To, alone), ok.
        init(To) -> {ok, {#{}, [#{id => Id, start => {server, start, [start_link, To, Id]}} || Id <- [first, second]]}}.
    ";
    const SERVER: &str = "
        -module(server).
        -behaviour(gen_server).
        -export([start/3, init/1, handle_call/3, handle_cast/2, terminate/2]).
        start(How, To, Name) -> gen_server:How(?MODULE, {To, Name}, []).
        init(State) -> process_flag(trap_exit, true), {ok, State}.
        handle_call(_, _, State) -> {reply, ok, State}.
        handle_cast(_, State) -> {noreply, State}.
        terminate(Reason, {To, Name}) -> To ! {Name, Reason}.
    ";
    for (name, vm) in machines() {
        vm.load_source("team.erl", TEAM).unwrap();
        vm.load_source("server.erl", SERVER).unwrap();
        let mailbox = vm.mailbox().unwrap();
        vm.call::<()>("team", "start", (mailbox.pid(),)).unwrap();
        let report = vm.shutdown(Duration::from_secs(60)).unwrap();
        assert!(report.is_clean(), "{name}: {report:?}");
        let mut ended = Vec::new();
        // Last words have come, although the machine is over.
        while let Ok(Some(said)) = mailbox.try_recv::<(Atom, Atom)>() {
            assert_eq!(said.1, "shutdown", "{name}");
            ended.push(said.0.to_string());
        }
        let of_the_team: Vec<&str> = ended.iter().map(|id| &**id).filter(|id| *id != "alone").collect();
        assert_eq!((of_the_team, ended.len()), (vec!["second", "first"], 3), "{name}");
    }
}

/// Executors of several threads take only futures that may go from thread to thread.
#[test]
fn what_waits_may_go_from_thread_to_thread() {
    fn may<T: Send>(made: T) -> T {
        made
    }
    let vm = Vm::builder().threads(0).build().unwrap();
    let mailbox = vm.mailbox().unwrap();
    drop(may(mailbox.recv_async::<Value>()));
    drop(may(mailbox.select_async(|message: &Value| message.as_int())));
    drop(may(vm.call_async::<Value>("erlang", "self", ())));
    drop(may(vm.monitor(mailbox.pid())));
}

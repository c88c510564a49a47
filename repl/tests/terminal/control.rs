//! Interrupts, the end, and the jobs.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::terminal;
use crate::window::Terminal;

/// A statement that has begun is ended by Ctrl-C, and the shell goes on with the next number.
#[track_caller]
fn is_interrupted(t: &Terminal, number: u32, statement: &str) {
    t.begin(number, statement);
    t.keys(&["C-c"]);
    t.wait_for("** interrupted");
    t.prompt(number + 1);
}

#[test]
fn ctrl_c_ends_a_loop_and_bindings_stay() {
    let t = terminal!();
    t.evaluate(1, "X = kept.");
    is_interrupted(&t, 2, "(fun Loop() -> Loop() end)().");
    t.evaluate(3, "X.");
    assert!(t.screen().ends_with("3> X.\nkept\n4>"), "{}", t.screen());
}

/// From Enter on Ctrl-C is meant for what was entered, even if nobody has begun with it.
#[test]
fn ctrl_c_right_behind_enter_is_not_lost() {
    let t = terminal!();
    let device = std::fs::File::open(t.device()).expect("the terminal can be looked at");
    let makes_signals = || {
        let settings = rustix::termios::tcgetattr(&device).expect("it is a terminal");
        settings.local_modes.contains(rustix::termios::LocalModes::ISIG)
    };
    for number in 1..=20 {
        t.prompt(number);
        let signal = format!("read go; kill -INT {}", t.process());
        let mut shell =
            Command::new("sh").args(["-c", &signal]).stdin(Stdio::piped()).spawn().expect("sh runs");
        t.type_text("receive never -> ok end.");
        t.wait_for("never -> ok end.");
        let end = Instant::now() + Duration::from_secs(30);
        t.keys(&["Enter"]);
        while !makes_signals() {
            assert!(Instant::now() < end, "Enter came to nothing: {}", t.screen());
        }
        shell.stdin.take().expect("it is a pipe").write_all(b"go\n").expect("sh reads");
        shell.wait().expect("sh ends");
        t.prompt(number + 1);
        t.wait_for("** interrupted");
        t.keys(&["C-l"]);
    }
}

/// What was pressed before a statement was entered does not end it.
#[test]
fn ctrl_c_before_enter_is_not_for_what_comes_later() {
    let t = terminal!();
    for number in 1..=5 {
        t.evaluate(number, "fine.");
        let signal = Command::new("kill").args(["-INT", &t.process()]).status();
        assert!(signal.is_ok_and(|status| status.success()));
    }
    t.evaluate(6, "still_fine.");
    assert!(!t.screen().contains("interrupted"), "{}", t.screen());
}

#[test]
fn ctrl_c_ends_each_kind_of_wait() {
    let t = terminal!();
    is_interrupted(&t, 1, "receive never -> ok end.");
    is_interrupted(&t, 2, "timer:sleep(infinity).");
    is_interrupted(&t, 3, "gen_server:call(erlet_jobs, nothing, infinity).");
}

#[test]
fn ctrl_c_ends_what_natives_are_at() {
    let t = terminal!();
    is_interrupted(&t, 1, "(fun L(A) -> L(lists:sort(A ++ A)) end)([1, 2, 3]).");
    is_interrupted(&t, 2, "(fun P(X) -> P(X * X) end)(3).");
    is_interrupted(&t, 3, "re:run(lists:duplicate(100, $a) ++ \"b\", \"(a+)+$\"), timer:sleep(infinity).");
}

#[test]
fn ctrl_c_ends_a_print_without_end() {
    let t = terminal!();
    t.prompt(1);
    t.enter("(fun Loop() -> io:format(\"~p~n\", [lists:seq(1, 100)]), Loop() end)().");
    t.wait_for("97,98,99,100]");
    t.keys(&["C-c"]);
    t.prompt(2);
    t.wait_for("** interrupted");
}

#[test]
fn ctrl_c_ends_one_huge_print() {
    let t = terminal!();
    t.begin(1, "io:format(\"~p~n\", [lists:seq(1, 3000000)]).");
    t.keys(&["C-c"]);
    t.evaluate(2, "still_here.");
    t.begin(3, "io:format(\"~w~n\", [lists:seq(1, 3000000)]).");
    t.keys(&["C-c"]);
    t.evaluate(4, "still_here.");
    assert!(t.screen().ends_with("4> still_here.\nstill_here\n5>"), "{}", t.screen());
}

#[test]
fn what_was_interrupted_prints_nothing_more() {
    let t = terminal!();
    t.evaluate(1, "L = lists:seq(1, 1000000), length(L).");
    t.begin(2, "io:format(\"~w~n\", [L]), io:format(\"too late~n\").");
    t.keys(&["C-c"]);
    t.prompt(3);
    t.evaluate(3, "io:format(\"~w~n\", [after_it]).");
    t.wait_for("\nafter_it\n");
    let screen = t.screen();
    assert!(screen.contains("** interrupted\n3> io:format"), "{screen}");
    assert!(!screen.contains("\ntoo late"), "{screen}");
}

#[test]
fn ctrl_c_ends_a_program_that_reads() {
    let t = terminal!();
    t.prompt(1);
    t.enter("io:get_line(\"name? \").");
    t.wait_for("\nname?");
    t.keys(&["C-c"]);
    t.prompt(2);
    t.evaluate(2, "fine.");
}

#[test]
fn a_table_outlives_an_exception_and_not_its_evaluator() {
    let t = terminal!();
    t.evaluate(1, "T = ets:new(t, [named_table]), ets:insert(T, {a, 1}).");
    t.evaluate(2, "1 / 0.");
    t.evaluate(3, "ets:lookup(T, a).");
    t.wait_for("[{a,1}]");
    is_interrupted(&t, 4, "receive never -> ok end.");
    t.evaluate(5, "{ets:info(T), T}.");
    t.wait_for("{undefined,t}");
}

#[test]
fn ctrl_d_and_q_leave() {
    let t = terminal!();
    t.prompt(1);
    t.keys(&["C-d"]);
    t.wait_for("ended");
    let t = terminal!();
    t.prompt(1);
    t.enter("q().");
    t.wait_for("ended");
}

#[test]
fn jobs_are_listed_started_and_switched() {
    let t = terminal!();
    t.evaluate(1, "X = first.");
    t.prompt(2);
    t.menu();
    t.menu_command("s");
    t.menu_command("j");
    t.wait_for("2* {erlet_shell,start,[2]}");
    t.enter("c");
    t.prompt(1);
    t.evaluate(1, "X = second.");
    t.menu();
    t.enter("c 1");
    t.prompt(2);
    t.evaluate(2, "X.");
    assert!(t.screen().ends_with("2> X.\nfirst\n3>"), "{}", t.screen());
}

#[test]
fn the_menu_explains_itself() {
    let t = terminal!();
    t.prompt(1);
    t.menu();
    t.menu_command("h");
    t.wait_for("connect to job");
    t.menu_command("nonsense");
    t.wait_for("unknown command");
    t.menu_command("c 99");
    t.enter("q");
    t.wait_for("ended");
}

#[test]
fn a_killed_shell_is_replaced() {
    let t = terminal!();
    t.evaluate(1, "X = 1.");
    t.prompt(2);
    t.menu();
    t.menu_command("k");
    t.menu_command("c");
    t.wait_for("unknown command or job");
    t.menu_command("s");
    t.enter("c");
    t.prompt(1);
    t.evaluate(1, "is_process_alive(self()).");
    t.wait_for("\ntrue\n");
}

#[test]
fn a_shell_that_dies_is_replaced_at_once() {
    let t = terminal!();
    t.evaluate(1, "X = 1.");
    t.prompt(2);
    t.enter("exit(erlet_jobs:current(), kill).");
    t.wait_for("the shell has died");
    t.prompt(1);
    t.evaluate(1, "alive.");
}

#[test]
fn a_shell_that_was_killed_is_restarted_with_its_history() {
    let t = terminal!();
    t.evaluate(1, "{before, the, kill}.");
    t.prompt(2);
    let killed = Command::new("kill").args(["-9", &t.process()]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    t.wait_for("ended");
    let history = t.folder.join("history");
    let again = terminal!(80, 24, &format!("NO_COLOR=1 ERLET_HISTORY={}", history.display()), "");
    again.prompt(1);
    again.keys(&["Up"]);
    again.wait_for("1> {before, the, kill}.");
    again.keys(&["Enter"]);
    again.wait_for("\n{before,the,kill}\n");
}

#[test]
fn the_menu_opens_while_something_is_evaluated() {
    let t = terminal!();
    t.begin(1, "timer:sleep(100000).");
    t.keys(&["C-\\"]);
    t.wait_for("-->");
    t.menu_command("i");
    t.wait_for("** interrupted");
    t.enter("c");
    t.prompt(2);
}

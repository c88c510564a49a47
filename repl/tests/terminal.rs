//! The interactive shell in a real terminal: keys are typed into tmux, screens are read back.
//!
//! Each test is one session with a server of its own. Without tmux they are skipped.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long a screen may take to show what is expected; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// A terminal with a shell in it.
struct Terminal {
    socket: String,
    folder: PathBuf,
}

impl Terminal {
    /// A shell in a window of that size; `None` without tmux.
    fn open(columns: u32, rows: u32, environment: &str, arguments: &str) -> Option<Terminal> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let socket = format!("erlet-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(&socket);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let terminal = Terminal { socket, folder };
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("skipped: there is no tmux here");
            return None;
        }
        let size = [columns.to_string(), rows.to_string()];
        let history = terminal.folder.join("history");
        let command = format!(
            "cd {} && exec env LANG=C.UTF-8 ERLET_INIT= ERLET_HISTORY={} {environment} {} {arguments}",
            terminal.folder.display(),
            history.display(),
            env!("CARGO_BIN_EXE_erlet"),
        );
        let shell = format!("sh -c '{}'; echo ended; sleep 100", command.replace('\'', "'\\''"));
        terminal.tmux(&["-u", "new-session", "-d", "-s", "s", "-x", &size[0], "-y", &size[1], &shell]);
        terminal.tmux(&["set-option", "-t", "s", "status", "off"]);
        Some(terminal)
    }

    fn tmux(&self, args: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.socket, "-f", "/dev/null"]).args(args).output().expect("tmux runs")
    }

    /// Keys by tmux's names.
    fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys", "-t", "s"], keys].concat());
    }

    fn type_text(&self, text: &str) {
        // A semicolon at the end would be tmux's own.
        let text = text.strip_suffix(';').map_or(text.to_owned(), |text| format!("{text}\\;"));
        self.tmux(&["send-keys", "-t", "s", "-l", "--", &text]);
    }

    fn enter(&self, text: &str) {
        self.type_text(text);
        self.keys(&["Enter"]);
    }

    fn screen(&self) -> String {
        let shown = self.tmux(&["capture-pane", "-t", "s", "-p"]);
        String::from_utf8_lossy(&shown.stdout).trim_end().to_owned()
    }

    /// The same with its colours, as escape sequences.
    fn coloured_screen(&self) -> String {
        let shown = self.tmux(&["capture-pane", "-t", "s", "-p", "-e"]);
        String::from_utf8_lossy(&shown.stdout).into_owned()
    }

    #[track_caller]
    fn wait_until(&self, what: &str, fits: impl Fn(&str) -> bool) {
        let end = Instant::now() + PATIENCE;
        loop {
            let screen = self.screen();
            if fits(&screen) {
                return;
            }
            assert!(Instant::now() < end, "waited for {what} in vain:\n{screen}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    #[track_caller]
    fn wait_for(&self, text: &str) {
        self.wait_until(text, |screen| screen.contains(text));
    }

    /// Waits for the prompt of that number, with nothing behind it.
    #[track_caller]
    fn prompt(&self, number: u32) {
        let prompt = format!("{number}>");
        self.wait_until(&prompt, |screen| {
            screen.lines().last().is_some_and(|line| line.trim_end() == prompt)
        });
    }

    /// Types a statement and waits for the prompt behind it.
    #[track_caller]
    fn evaluate(&self, number: u32, text: &str) {
        self.prompt(number);
        self.enter(text);
        self.prompt(number + 1);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
        // A folder that stays is no fault of the shell.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A shell of the usual size, or the end of the test.
macro_rules! terminal {
    () => {
        terminal!(80, 24)
    };
    ($columns:expr, $rows:expr) => {
        terminal!($columns, $rows, "NO_COLOR=1", "")
    };
    ($columns:expr, $rows:expr, $environment:expr, $arguments:expr) => {
        match Terminal::open($columns, $rows, $environment, $arguments) {
            Some(terminal) => terminal,
            None => return,
        }
    };
}

#[test]
fn results_stand_below_their_statements() {
    let t = terminal!();
    t.evaluate(1, "X = 1, X + 1.");
    t.evaluate(2, "lists:map(fun(A) -> A * X end, [1, 2]).");
    let screen = t.screen();
    assert!(
        screen.ends_with("1> X = 1, X + 1.\n2\n2> lists:map(fun(A) -> A * X end, [1, 2]).\n[1,2]\n3>"),
        "{screen}"
    );
}

#[test]
fn a_statement_takes_as_many_lines_as_it_needs() {
    let t = terminal!();
    t.prompt(1);
    t.enter("case 1 of");
    t.enter("    1 -> \"one. two\";");
    t.enter("    _ -> other");
    t.enter("end.");
    t.prompt(2);
    t.wait_for("\"one. two\"");
}

#[test]
fn the_history_gives_back_whole_statements() {
    let t = terminal!();
    t.prompt(1);
    t.enter("[first,");
    t.enter(" second].");
    t.prompt(2);
    t.keys(&["Up", "Enter"]);
    t.prompt(3);
    assert_eq!(t.screen().matches("[first,second]").count(), 2, "{}", t.screen());
}

#[test]
fn the_history_outlives_the_shell_and_holds_a_text_once() {
    let t = terminal!();
    t.evaluate(1, "remembered.");
    t.evaluate(2, "other.");
    t.evaluate(3, "remembered.");
    let text = std::fs::read_to_string(t.folder.join("history")).expect("the history is on disk");
    assert!(text.contains("remembered.") && text.contains("other."), "{text}");
    t.enter("q().");
    t.wait_for("ended");
    let history = t.folder.join("history");
    let again = terminal!(80, 24, &format!("NO_COLOR=1 ERLET_HISTORY={}", history.display()), "");
    again.prompt(1);
    again.keys(&["Up", "Up", "Up", "Up"]);
    again.wait_for("1> other.");
}

#[test]
fn ctrl_r_searches_what_was_typed() {
    let t = terminal!();
    t.evaluate(1, "{needle, 1}.");
    t.evaluate(2, "haystack.");
    t.keys(&["C-r"]);
    t.type_text("need");
    t.wait_for("{needle, 1}.");
    t.keys(&["Enter"]);
    t.wait_until("the result twice", |screen| screen.matches("{needle,1}").count() == 2);
}

#[test]
fn tab_completes_functions_of_modules() {
    let t = terminal!();
    t.prompt(1);
    t.type_text("lists:keyf");
    t.keys(&["Tab"]);
    t.wait_for("1> lists:keyfind(");
    t.keys(&["C-c"]);
    t.type_text("lists:ma");
    t.keys(&["Tab", "Tab"]);
    t.wait_for("mapfoldl/3");
}

#[test]
fn tab_completes_variables_commands_and_modules() {
    let t = terminal!();
    t.evaluate(1, "LongName = 1.");
    t.type_text("Lon");
    t.keys(&["Tab"]);
    t.wait_for("2> LongName");
    t.keys(&["C-c"]);
    t.type_text("catch_e");
    t.keys(&["Tab"]);
    t.wait_for("2> catch_exception(");
    t.keys(&["C-c"]);
    t.type_text("proplis");
    t.keys(&["Tab"]);
    t.wait_for("2> proplists:");
}

#[test]
fn tab_completes_records_their_fields_and_keys() {
    let t = terminal!();
    t.evaluate(1, "rd(person, {name, age}).");
    t.evaluate(2, "Map = #{colour => red}.");
    t.type_text("#per");
    t.keys(&["Tab"]);
    t.wait_for("3> #person{");
    t.type_text("na");
    t.keys(&["Tab"]);
    t.wait_for("3> #person{name");
    t.keys(&["C-c"]);
    t.type_text("Map#{col");
    t.keys(&["Tab"]);
    t.wait_for("3> Map#{colour");
}

#[test]
fn tab_completes_file_names_in_strings() {
    let t = terminal!();
    std::fs::write(t.folder.join("some_file.txt"), "").expect("a file can be written");
    t.prompt(1);
    t.type_text("file:read_file(\"some_f");
    t.keys(&["Tab"]);
    t.wait_for("1> file:read_file(\"some_file.txt");
}

#[test]
fn a_signature_is_shown_behind_the_parenthesis() {
    let t = terminal!();
    t.prompt(1);
    t.type_text("lists:map(");
    t.wait_for("1> lists:map(fun((A) -> B), [A]) -> [B]");
    t.type_text("F");
    t.wait_until("no hint", |screen| !screen.contains("[A]"));
}

#[test]
fn ctrl_c_while_typing_forgets_what_was_typed() {
    let t = terminal!();
    t.prompt(1);
    t.enter("\"a string that has no end.");
    t.keys(&["C-c"]);
    t.prompt(1);
    t.evaluate(1, "fine.");
}

/// How long until the prompt is back after Ctrl-C.
#[track_caller]
fn is_interrupted(t: &Terminal, number: u32, statement: &str) {
    t.prompt(number);
    t.enter(statement);
    std::thread::sleep(Duration::from_millis(700));
    t.keys(&["C-c"]);
    t.prompt(number + 1);
    t.wait_for("** interrupted");
}

#[test]
fn ctrl_c_ends_a_loop_and_bindings_stay() {
    let t = terminal!();
    t.evaluate(1, "X = kept.");
    is_interrupted(&t, 2, "(fun Loop() -> Loop() end)().");
    t.evaluate(3, "X.");
    assert!(t.screen().ends_with("3> X.\nkept\n4>"), "{}", t.screen());
}

#[test]
fn ctrl_c_ends_a_wait() {
    let t = terminal!();
    is_interrupted(&t, 1, "receive never -> ok end.");
}

#[test]
fn ctrl_c_ends_a_print_without_end() {
    let t = terminal!();
    is_interrupted(&t, 1, "(fun Loop() -> io:format(\"~p~n\", [lists:seq(1, 100)]), Loop() end)().");
}

#[test]
fn ctrl_c_ends_one_huge_print() {
    let t = terminal!();
    t.prompt(1);
    t.enter("io:format(\"~p~n\", [lists:seq(1, 3000000)]).");
    std::thread::sleep(Duration::from_millis(700));
    t.keys(&["C-c"]);
    t.evaluate(2, "still_here.");
}

#[test]
fn ctrl_c_ends_a_program_that_reads() {
    let t = terminal!();
    t.prompt(1);
    t.enter("io:get_line(\"name? \").");
    t.wait_for("\nname?");
    t.keys(&["C-c"]);
    t.prompt(2);
}

#[test]
fn a_program_reads_a_line() {
    let t = terminal!();
    t.prompt(1);
    t.enter("io:get_line(\"name? \").");
    t.wait_for("\nname?");
    t.enter("joe. no statement");
    t.wait_for("\"joe. no statement\\n\"");
    t.prompt(2);
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
fn output_of_others_stands_above_what_is_being_typed() {
    let t = terminal!();
    t.evaluate(1, "spawn(fun() -> timer:sleep(1500), io:put_chars(\"from afar\\n\") end), ok.");
    t.type_text("half a state");
    t.wait_for("\nfrom afar");
    t.type_text("ment");
    t.wait_for("2> half a statement");
    let screen = t.screen();
    assert!(screen.ends_with("from afar\n2> half a statement"), "{screen}");
}

#[test]
fn jobs_are_listed_started_and_switched() {
    let t = terminal!();
    t.evaluate(1, "X = first.");
    t.keys(&["C-g"]);
    t.wait_for("-->");
    t.enter("s");
    t.enter("j");
    t.wait_for("2* {erlet_shell,start,[2]}");
    t.enter("c");
    t.prompt(1);
    t.evaluate(1, "X = second.");
    t.keys(&["C-g"]);
    t.enter("c 1");
    t.prompt(2);
    t.evaluate(2, "X.");
    assert!(t.screen().ends_with("2> X.\nfirst\n3>"), "{}", t.screen());
}

#[test]
fn a_killed_shell_is_replaced() {
    let t = terminal!();
    t.evaluate(1, "X = 1.");
    t.keys(&["C-g"]);
    t.wait_for("-->");
    t.enter("k");
    t.enter("c");
    t.wait_for("unknown command or job");
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
fn the_menu_opens_while_something_is_evaluated() {
    let t = terminal!();
    t.prompt(1);
    t.enter("timer:sleep(100000).");
    std::thread::sleep(Duration::from_millis(500));
    t.keys(&["C-\\"]);
    t.wait_for("-->");
    t.enter("i");
    t.wait_for("** interrupted");
    t.enter("c");
    t.prompt(2);
}

#[test]
fn a_function_is_pasted() {
    let t = terminal!();
    t.prompt(1);
    let text = "fib(0) -> 0;\nfib(1) -> 1;\nfib(N) ->\n    fib(N - 1) + fib(N - 2).\n";
    t.tmux(&["set-buffer", text]);
    t.tmux(&["paste-buffer", "-p", "-t", "s"]);
    t.wait_for("fib(N - 2).");
    t.keys(&["Enter"]);
    t.prompt(2);
    t.evaluate(2, "fib(20).");
    t.wait_for("6765");
}

#[test]
fn a_module_is_pasted() {
    let t = terminal!();
    t.prompt(1);
    t.tmux(&["set-buffer", "--", "-module(pasted).\n-export([f/0]).\n\nf() ->\n    \"from a module\".\n"]);
    t.tmux(&["paste-buffer", "-p", "-t", "s"]);
    t.wait_for("from a module");
    t.keys(&["Enter"]);
    t.wait_for("{ok,pasted}");
    t.evaluate(2, "pasted:f() ++ \"!\".");
    t.wait_for("\"from a module!\"");
}

#[test]
fn a_narrow_window_wraps_results() {
    let t = terminal!(40, 20);
    t.evaluate(1, "{aaaaaaaaaaaaaaa, bbbbbbbbbbbbbbb, ccccccccccccccc}.");
    let expected = "{aaaaaaaaaaaaaaa,bbbbbbbbbbbbbbb,\n                 ccccccccccccccc}";
    assert!(t.screen().contains(expected), "{}", t.screen());
}

#[test]
fn wide_characters_keep_their_places() {
    let t = terminal!();
    t.prompt(1);
    t.type_text("X = \"日本語 äöü\", ok.");
    t.keys(&["Left", "Left", "Left", "BSpace"]);
    t.wait_for("X = \"日本語 äöü\",ok.");
    t.keys(&["Enter"]);
    t.prompt(2);
    t.evaluate(2, "io:format(\"~ts~n\", [X]).");
    t.wait_for("\n日本語 äöü\n");
}

#[test]
fn the_window_may_change_its_size_while_somebody_types() {
    let t = terminal!();
    t.prompt(1);
    t.type_text("{this, is, a, line, with, some, length,");
    t.tmux(&["resize-window", "-t", "s", "-x", "30", "-y", "20"]);
    std::thread::sleep(Duration::from_millis(200));
    t.tmux(&["resize-window", "-t", "s", "-x", "90", "-y", "20"]);
    t.enter(" tail}.");
    t.prompt(2);
    t.wait_for("length,tail}\n2>");
}

#[test]
fn colours_follow_no_color() {
    let t = terminal!(80, 24, "", "");
    t.prompt(1);
    t.type_text("case X of");
    t.wait_for("case X of");
    assert!(t.coloured_screen().contains("\x1b[36mX"), "{}", t.coloured_screen());
    let t = terminal!();
    t.prompt(1);
    t.type_text("case X of");
    t.wait_for("case X of");
    assert!(!t.coloured_screen().contains("\x1b[36m"), "{}", t.coloured_screen());
}

#[test]
fn a_dumb_terminal_is_enough() {
    let t = terminal!(80, 24, "TERM=dumb", "");
    t.prompt(1);
    t.enter("1 + 1.");
    t.wait_for("\n2\n");
    t.prompt(2);
}

#[test]
fn the_start_file_and_eval_come_first() {
    let t = terminal!(80, 24, "NO_COLOR=1 ERLET_INIT=init.erl", "--eval \"Y = 2.\"");
    // The file is looked for when the shell starts; without it the variable is unbound.
    t.prompt(1);
    t.evaluate(1, "Y.");
    t.wait_for("\n2\n");
    std::fs::write(t.folder.join("init.erl"), "X = from_file.\nf(A) -> {A}.\n")
        .expect("a file can be written");
    let file = t.folder.join("init.erl");
    let again = terminal!(80, 24, &format!("NO_COLOR=1 ERLET_INIT={}", file.display()), "");
    again.evaluate(1, "f(X).");
    again.wait_for("{from_file}");
}

#[test]
fn a_file_is_compiled_with_its_diagnostics() {
    let t = terminal!();
    std::fs::write(t.folder.join("good.erl"), "-module(good).\n-export([f/0]).\nf() -> good.\n")
        .expect("written");
    std::fs::write(t.folder.join("bad.erl"), "-module(bad).\n-export([f/0]).\nf() -> X.\n").expect("written");
    t.evaluate(1, "c(good).");
    t.wait_for("{ok,good}");
    t.evaluate(2, "c(bad).");
    t.wait_for("variable `X` is unbound");
    t.wait_for("bad.erl:3:8");
    t.evaluate(3, "lc([\"good.erl\"]), good:f().");
    t.wait_for("\ngood\n");
}

#[test]
fn a_watched_file_is_loaded_when_it_changes() {
    let t = terminal!();
    let file = t.folder.join("watched.erl");
    let text = |n| format!("-module(watched).\n-export([f/0]).\nf() -> {n}.\n");
    std::fs::write(&file, text(1)).expect("written");
    t.evaluate(1, "c(watched), {ok, _} = erlet:watch(\"watched.erl\").");
    t.evaluate(2, "watched:f().");
    std::thread::sleep(Duration::from_millis(1200));
    std::fs::write(&file, text(22)).expect("written");
    t.wait_for("watched is loaded");
    t.enter("watched:f() + 1000.");
    t.wait_for("1022");
}

#[test]
fn the_table_of_processes_is_live_and_q_returns() {
    let t = terminal!();
    t.prompt(1);
    t.enter("erlet:ps().");
    t.wait_for("processes, by reductions");
    t.keys(&["m"]);
    t.wait_for("processes, by memory");
    t.keys(&["q"]);
    t.prompt(2);
}

#[test]
fn documentation_is_at_hand() {
    let t = terminal!();
    t.evaluate(1, "h(lists, map, 2).");
    t.wait_for("map(fun((A) -> B), [A]) -> [B]");
    t.evaluate(2, "h(nosuch).");
    t.wait_for("{error,missing}");
}

#[test]
fn errors_show_the_place_in_what_was_typed() {
    let t = terminal!();
    t.prompt(1);
    t.enter("lists:map(Undefined, [1]).");
    t.wait_for("1 | lists:map(Undefined, [1]).");
    t.wait_for("|           ^^^^^^^^^");
}

#[test]
fn a_program_runs_beside_the_shell() {
    let t = terminal!();
    let file = t.folder.join("program.erl");
    std::fs::write(
        &file,
        "-module(program).\n-export([main/1]).\nmain(Args) -> register(program, self()), io:format(\"runs ~p~n\", [Args]), receive stop -> ok end.\n",
    )
    .expect("written");
    let with = terminal!(80, 24, "NO_COLOR=1", &format!("run --shell {} one two", file.display()));
    with.wait_for("runs [\"one\",\"two\"]");
    with.evaluate(1, "is_pid(whereis(program)).");
    with.wait_for("\ntrue\n");
}

#[test]
fn vi_keys_can_be_had() {
    let t = terminal!(80, 24, "NO_COLOR=1 ERLET_KEYS=vi", "");
    t.prompt(1);
    t.type_text("{a,b}.");
    t.keys(&["Escape"]);
    std::thread::sleep(Duration::from_millis(700));
    t.type_text("0xi");
    t.type_text("{z,");
    t.keys(&["Enter"]);
    t.wait_for("{z,a,b}");
}

//! The `erlet` command as its users meet it: what it prints where, and with which exit code it ends.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How a run of the command ended.
struct Ended {
    code: Option<i32>,
    out: String,
    err: String,
}

/// A folder of its own for each test, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("erlet-cli-{}-{number}", std::process::id()));
        let folder = Folder(path);
        for (name, text) in files {
            let file = folder.0.join(name);
            std::fs::create_dir_all(file.parent().expect("it has one")).expect("a folder can be made");
            std::fs::write(file, text).expect("a file can be written");
        }
        folder
    }

    fn erlet(&self, args: &[&str]) -> Ended {
        self.erlet_with_input(args, "")
    }

    fn erlet_with_input(&self, args: &[&str], input: &str) -> Ended {
        let mut command = Command::new(env!("CARGO_BIN_EXE_erlet"));
        command.args(args).current_dir(&self.0).env_remove("NO_COLOR");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("erlet starts");
        // A program that does not read its input may have closed it.
        let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
        let output = child.wait_with_output().expect("erlet ends");
        Ended {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Ended {
    #[track_caller]
    fn is(&self, code: i32, out: &str) -> &Ended {
        assert_eq!((self.code, self.out.as_str()), (Some(code), out), "standard error:\n{}", self.err);
        self
    }

    #[track_caller]
    fn fails(&self, code: i32, parts: &[&str]) -> &Ended {
        assert_eq!(self.code, Some(code), "standard error:\n{}", self.err);
        for part in parts {
            assert!(self.err.contains(part), "no {part:?} in standard error:\n{}", self.err);
        }
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }
}

#[track_caller]
fn run(source: &str, args: &[&str]) -> Ended {
    let folder = Folder::new(&[("prog.erl", source)]);
    let mut line = vec!["run", "prog.erl"];
    line.extend(args);
    folder.erlet(&line)
}

#[test]
fn help_and_version_are_printed() {
    let folder = Folder::new(&[("x", "")]);
    let help = folder.erlet(&["--help"]);
    assert_eq!(help.code, Some(0));
    for word in ["run", "eval", "check", "compile", "disasm", "Exit codes"] {
        assert!(help.out.contains(word), "{word} is in the help:\n{}", help.out);
    }
    let version = folder.erlet(&["--version"]);
    version.is(0, &format!("erlet {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(folder.erlet(&["run", "--help"]).code, Some(0));
}

#[test]
fn a_wrong_command_line_is_explained() {
    let folder = Folder::new(&[("x.erl", "-module(x).\n-export([main/0]).\nmain() -> ok.\n")]);
    folder.erlet(&["rum"]).fails(2, &["run"]);
    folder.erlet(&["run"]).fails(2, &["FILE"]);
    folder.erlet(&["run", "--schedulers", "0", "x.erl"]).fails(2, &["schedulers"]);
    folder.erlet(&["run", "--seed", "abc", "x.erl"]).fails(2, &["seed"]);
    folder.erlet(&["run", "--sede", "1", "x.erl"]).fails(2, &["--seed"]);
    folder.erlet(&["run", "-D", "1=2", "x.erl"]).fails(2, &["macro name"]);
    folder.erlet(&["compile", "x.erl"]).fails(2, &["--assembly"]);
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let folder = Folder::new(&[("sub/x.erl", "")]);
    folder.erlet(&["run", "nowhere.erl"]).fails(2, &["cannot read nowhere.erl", "no such file"]);
    folder.erlet(&["run", "sub"]).fails(2, &["cannot read sub"]);
    folder.erlet(&["check", "nowhere.erl", "sub/x.erl"]).fails(2, &["nowhere.erl"]);
}

#[test]
fn a_script_needs_no_module_and_may_begin_with_hash_bang() {
    let script = "#!/usr/bin/env -S erlet run\nmain(Args) -> io:format(\"~p~n\", [Args]).\n";
    run(script, &["a", "b c", "--flag"]).is(0, "[\"a\",\"b c\",\"--flag\"]\n");
    run(script, &["--", "a", "--", "-x"]).is(0, "[\"a\",\"--\",\"-x\"]\n");
    run(script, &["é日"]).is(0, "[[233,26085]]\n");
    run(script, &[]).is(0, "[]\n");
}

#[test]
fn main_0_and_start_0_are_entries_too() {
    run("-module(prog).\n-export([main/0]).\nmain() -> io:format(\"zero~n\").\n", &["ignored"])
        .is(0, "zero\n");
    run("-module(prog).\n-export([start/0]).\nstart() -> io:format(\"start~n\").\n", &[]).is(0, "start\n");
    run("-module(prog).\n-export([main/0, main/1]).\nmain() -> io:format(\"0\").\nmain(_) -> io:format(\"1\").\n", &[]).is(0, "1");
}

#[test]
fn a_module_without_an_entry_is_refused() {
    run("-module(prog).\n-export([other/1]).\nother(_) -> ok.\n", &[]).fails(2, &["main/1", "help"]);
}

#[test]
fn errors_in_the_source_are_shown_together_with_their_places() {
    let source = "-module(prog).\n-export([main/0]).\nmain() -> {1, [2, 3}.\n\nother() -> X + Y.\n";
    let ended = run(source, &[]);
    ended.fails(1, &["prog.erl:3:", "is not closed", "erlet explain E0301", "error["]);
    assert_eq!(ended.out, "");
    assert!(!ended.err.contains('\u{1b}'), "no colours into a pipe");
}

#[test]
fn warnings_do_not_stop_a_program() {
    let ended = run("-module(prog).\n-export([main/0]).\nmain() -> X = 1, io:format(\"ran~n\").\n", &[]);
    ended.is(0, "ran\n");
    assert!(ended.err.contains("warning"), "{}", ended.err);
}

#[test]
fn an_uncaught_exception_is_exit_code_1() {
    let ended = run("main(_) -> io:format(\"before~n\"), list_to_atom(1).\n", &[]);
    ended.is(1, "before\n").fails(1, &["badarg", "list_to_atom", "prog.erl"]);
    run("main(_) -> exit(because).\n", &[]).fails(1, &["because"]);
    run("main(_) -> throw(ball).\n", &[]).fails(1, &["nocatch", "ball"]);
    run("main(_) -> exit(normal).\n", &[]).is(0, "");
}

#[test]
fn what_ended_a_program_is_said_once() {
    for source in ["main(_) -> error(reason).\n", "main(_) -> exit(reason).\n", "main(_) -> throw(reason).\n"]
    {
        for options in [&[][..], &["--seed", "1"][..]] {
            let folder = Folder::new(&[("prog.erl", source)]);
            let ended = folder.erlet(&[&["run"][..], options, &["prog.erl"][..]].concat());
            assert_eq!(ended.code, Some(1), "{}", ended.err);
            assert_eq!(ended.err.matches("reason").count(), 1, "{}", ended.err);
        }
    }
}

#[test]
fn a_report_on_its_way_is_written_before_the_end() {
    let crash = "main(_) -> {P, R} = spawn_monitor(fun() -> error(reason) end), receive {'DOWN', R, _, P, _} -> ok end";
    for end in [".\n", ", halt(3).\n", ", init:stop(), receive never -> ok end.\n"] {
        let ended = run(&format!("{crash}{end}"), &[]);
        assert_eq!(ended.err.matches("{reason,[").count(), 1, "{}", ended.err);
    }
}

#[test]
fn an_error_in_another_process_is_reported_and_the_program_goes_on() {
    let source = "main(_) -> {P, R} = spawn_monitor(fun() -> f(0) end), receive {'DOWN', R, process, P, _} -> ok end, io:format(\"on~n\").\n\
                  f(X) -> 1 div X, ok.\n";
    let ended = run(source, &[]);
    ended.is(0, "on\n").fails(0, &["ERROR REPORT", "badarith", "prog.erl"]);
}

#[test]
fn halt_ends_with_its_status_and_all_output() {
    run("main(_) -> [io:format(\"~w~n\", [I]) || I <- lists:seq(1, 3)], halt(7).\n", &[]).is(7, "1\n2\n3\n");
    run("main(_) -> spawn(fun() -> io:format(\"x\"), halt(3) end), receive never -> ok end.\n", &[])
        .is(3, "x");
    run("main(_) -> halt().\n", &[]).is(0, "");
    run("main(_) -> io:format(\"bye\"), init:stop(), receive never -> ok end.\n", &[]).is(0, "bye");
    let many = run("main(_) -> [io:format(\"~w~n\", [I]) || I <- lists:seq(1, 20000)], halt(0).\n", &[]);
    assert_eq!(many.out.lines().count(), 20_000);
}

#[test]
fn a_program_ends_though_others_still_run() {
    run("main(_) -> spawn(fun F() -> F() end), spawn(fun() -> receive x -> x end end), io:format(\"end~n\").\n", &[]).is(0, "end\n");
}

#[test]
fn sibling_modules_are_loaded_when_called() {
    let folder = Folder::new(&[
        ("prog.erl", "main(_) -> io:format(\"~p ~p~n\", [helper:twice(4), catch nowhere:f()]).\n"),
        ("helper.erl", "-module(helper).\n-export([twice/1]).\ntwice(X) -> other:add(X, X).\n"),
        ("lib/other.erl", "-module(other).\n-export([add/2]).\nadd(X, Y) -> X + Y.\n"),
        ("broken.erl", "-module(broken).\n-export([f/0]).\nf( -> ok.\n"),
        ("bad.erl", "main(_) -> broken:f().\n"),
        ("misnamed.erl", "-module(another).\n-export([f/0]).\nf() -> ok.\n"),
        ("worse.erl", "main(_) -> misnamed:f().\n"),
    ]);
    let ended = folder.erlet(&["run", "-pa", "lib", "prog.erl"]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(ended.out.starts_with("8 {'EXIT',{undef,"), "{}", ended.out);
    assert_eq!(folder.erlet(&["run", "--path", "lib", "prog.erl"]).code, Some(0));
    folder.erlet(&["run", "bad.erl"]).fails(1, &["broken.erl:3:", "undef"]);
    folder.erlet(&["run", "worse.erl"]).fails(1, &["undef"]);
}

#[test]
fn macros_and_include_folders_come_from_the_command_line() {
    let folder = Folder::new(&[
        (
            "prog.erl",
            "-include(\"values.hrl\").\n-ifdef(FLAG).\nflag() -> ?FLAG.\n-else.\nflag() -> none.\n-endif.\nmain(_) -> io:format(\"~p ~p ~p~n\", [?VALUE, ?LIST, flag()]).\n",
        ),
        ("inc/values.hrl", "-define(VALUE, included).\n"),
    ]);
    folder.erlet(&["run", "-I", "inc", "-D", "LIST=[1,2]", "prog.erl"]).is(0, "included [1,2] none\n");
    folder.erlet(&["run", "-Iinc", "-DLIST={}", "-DFLAG", "prog.erl"]).is(0, "included {} true\n");
    folder.erlet(&["run", "-D", "LIST=[]", "prog.erl"]).fails(1, &["values.hrl"]);
}

#[test]
fn eval_prints_the_value_of_the_last_expression() {
    let folder = Folder::new(&[("x", "")]);
    folder.erlet(&["eval", "1 + 2."]).is(0, "3\n");
    folder
        .erlet(&["eval", "X = lists:seq(1, 3), {X, \"text\", <<\"bin\">>}"])
        .is(0, "{[1,2,3],\"text\",<<\"bin\">>}\n");
    folder.erlet(&["eval", "io:format(\"a~n\"), b"]).is(0, "a\nb\n");
    folder.erlet(&["eval", "-D", "N=5", "?N * 2"]).is(0, "10\n");
    folder.erlet(&["eval", "1 +"]).fails(1, &["expected an expression", "eval"]);
    folder.erlet(&["eval", "X"]).fails(1, &["X", "unbound"]);
    folder.erlet(&["eval", "hd([])"]).fails(1, &["badarg"]);
    folder.erlet(&["eval", ""]).fails(1, &["eval"]);
    folder.erlet(&["eval", "--seed", "1", "timer:sleep(3600000), slept"]).is(0, "slept\n");
}

#[test]
fn check_reports_without_running() {
    let folder = Folder::new(&[
        ("good.erl", "-module(good).\n-export([f/0]).\nf() -> ok.\n"),
        ("warn.erl", "-module(warn).\n-export([f/0]).\nf() -> X = 1, ok.\n"),
        ("bad.erl", "-module(bad).\n-export([f/0, g/0]).\nf() -> X.\n"),
    ]);
    folder.erlet(&["check", "good.erl"]).is(0, "");
    folder.erlet(&["check", "warn.erl"]).fails(0, &["warning", "warn.erl:3:", "X"]);
    folder
        .erlet(&["check", "good.erl", "bad.erl", "warn.erl"])
        .fails(1, &["bad.erl:3:", "g/0", "warn.erl:3:"]);
}

#[test]
fn code_is_listed() {
    let folder =
        Folder::new(&[("m.erl", "-module(m).\n-export([f/1]).\nf(X) -> [X | g()].\ng() -> \"lit\".\n")]);
    let listing = folder.erlet(&["compile", "-S", "m.erl"]);
    assert_eq!(listing.code, Some(0), "{}", listing.err);
    assert!(listing.out.contains("f/1") && listing.out.contains("return"), "{}", listing.out);
    let loaded = folder.erlet(&["disasm", "m.erl"]);
    assert_eq!(loaded.code, Some(0), "{}", loaded.err);
    assert!(loaded.out.contains("f/1"), "{}", loaded.out);
    // What stands between two functions is no code, whatever number it is.
    let parameters = |arity: usize| vec!["_"; arity].join(", ");
    let functions: String = (0..64).map(|arity| format!("f({}) -> ok.\n", parameters(arity))).collect();
    let folder = Folder::new(&[("m.erl", &format!("-module(m).\n-compile(export_all).\n{functions}"))]);
    let loaded = folder.erlet(&["disasm", "m.erl"]);
    assert_eq!(loaded.code, Some(0), "{}", loaded.err);
    assert!(loaded.out.contains("f/63") && !loaded.out.contains("call_ext"), "{}", loaded.out);
}

#[test]
fn a_seed_makes_time_virtual_and_runs_alike() {
    let source = "main(_) -> Self = self(), [spawn(fun() -> timer:sleep(rand:uniform(1000)), Self ! I end) || I <- lists:seq(1, 20)],\n\
                  timer:sleep(3600000), io:format(\"~w~n\", [[receive I -> I end || _ <- lists:seq(1, 20)]]).\n";
    let folder = Folder::new(&[("prog.erl", source)]);
    let started = Instant::now();
    let first = folder.erlet(&["run", "--seed", "5", "prog.erl"]);
    assert_eq!(first.code, Some(0), "{}", first.err);
    assert!(started.elapsed() < Duration::from_secs(60), "an hour passes in no time");
    let elsewhere = Folder::new(&[("deep/down/prog.erl", source)]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_erlet"));
    command
        .args(["run", "--seed", "5", "deep/down/prog.erl"])
        .current_dir(&elsewhere.0)
        .env("SOME_VARIABLE", "x");
    let second = command.output().expect("erlet runs");
    assert_eq!(String::from_utf8_lossy(&second.stdout), first.out);
}

#[test]
fn standard_input_is_read() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/bif/io_reads_lines.erl");
    let text = std::fs::read_to_string(&root).expect("the program is there");
    let tagged = |tag: &str| -> String {
        text.lines()
            .filter_map(|l| l.strip_prefix(tag))
            .flat_map(|l| [l.strip_prefix(' ').unwrap_or(l), "\n"])
            .collect()
    };
    let folder = Folder::new(&[("io_reads_lines.erl", &text)]);
    folder
        .erlet_with_input(&["run", "io_reads_lines.erl"], &tagged("%% stdin:"))
        .is(0, &tagged("%% expect:"));
}

#[test]
fn a_closed_output_is_no_panic() {
    let folder =
        Folder::new(&[("prog.erl", "main(_) -> [io:format(\"~w~n\", [I]) || I <- lists:seq(1, 100000)].\n")]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_erlet"));
    command.args(["run", "prog.erl"]).current_dir(&folder.0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("erlet starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("erlet ends");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(!err.contains("panicked"), "{err}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_program_with_130_and_keeps_its_output() {
    let folder = Folder::new(&[(
        "prog.erl",
        "main(_) -> io:format(\"started~n\"), loop(0).\nloop(N) -> loop(N + 1).\n",
    )]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_erlet"));
    command.args(["run", "prog.erl"]).current_dir(&folder.0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("erlet starts");
    let mut out = child.stdout.take().expect("it is piped");
    let mut first = [0; 8];
    std::io::Read::read_exact(&mut out, &mut first).expect("it prints");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
    let status = child.wait().expect("it ends");
    assert_eq!((status.code(), &first), (Some(130), b"started\n"));
}

#[test]
fn statistics_are_printed_at_the_end() {
    let source = "-module(prog).\n-export([main/1]).\nmain([N]) -> [spawn(fun() -> ok end) || _ <- lists:seq(1, list_to_integer(N))],\n  self() ! done, receive done -> ok end, erlang:garbage_collect(), io:format(\"out~n\").\n";
    let folder = Folder::new(&[("prog.erl", source)]);
    let number = |ended: &Ended, name: &str| {
        let line = ended.err.lines().find(|line| line.starts_with(name));
        let line = line.unwrap_or_else(|| panic!("no {name:?} in:\n{}", ended.err));
        let digits: String = line[name.len()..].chars().filter(char::is_ascii_digit).collect();
        digits.parse::<u64>().expect("a number")
    };
    let few = folder.erlet(&["run", "--stats", "prog.erl", "10"]);
    let many = folder.erlet(&["run", "--stats", "prog.erl", "5010"]);
    few.is(0, "out\n");
    many.is(0, "out\n");
    assert_eq!(number(&many, "processes spawned") - number(&few, "processes spawned"), 5000);
    assert!(number(&many, "reductions") > number(&few, "reductions") + 5000, "{}", many.err);
    assert!(number(&few, "messages sent") >= 1, "{}", few.err);
    assert!(number(&few, "major collections") >= 1, "{}", few.err);
    // Also when the program halts, and nothing when nobody asks.
    let halting = "-module(prog).\n-export([main/0]).\nmain() -> halt(3).\n";
    let ended = run(halting, &[]);
    ended.is(3, "");
    assert_eq!(ended.err, "");
    let folder = Folder::new(&[("prog.erl", halting)]);
    folder.erlet(&["run", "--stats", "prog.erl"]).fails(3, &["reductions", "wall time"]);
}

#[test]
fn benchmarks_are_measured() {
    let source = "-module(b).\n-export([bench/0]).\nbench() -> [{b_one, 10, fun() -> lists:seq(1, 10) end},\n  {b_sizes, metrics, fun() -> [{b_bytes, 42}] end}, {b_other, 1, fun() -> ok end}].\n";
    let folder =
        Folder::new(&[("b.erl", source), ("none.erl", "-module(none).\n-export([x/0]).\nx() -> 1.\n")]);
    let all = folder.erlet(&["bench", "--time", "1", "b.erl"]);
    assert_eq!(all.code, Some(0), "{}", all.err);
    let lines: Vec<Vec<&str>> = all.out.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines.iter().map(|line| line[0]).collect::<Vec<_>>(), ["b_one", "b_bytes", "b_other"]);
    assert_eq!(lines[1], ["b_bytes", "42", "1"]);
    let number = |text: &str| text.parse::<f64>().expect("a number");
    assert!(number(lines[0][3]) <= number(lines[0][1]) && number(lines[0][2]) >= 1.0, "{}", all.out);
    let one = folder.erlet(&["bench", "--time", "1", "--only", "other", "b.erl"]);
    assert!(one.out.starts_with("b_other\t") && one.out.lines().count() == 1, "{}", one.out);
    folder.erlet(&["bench", "none.erl"]).fails(2, &["none does not export bench/0"]);
    let wrong =
        "-module(w).\n-export([bench/0]).\nbench() -> [{w, 1, fun() -> 1 = id(2) end}].\nid(X) -> X.\n";
    Folder::new(&[("w.erl", wrong)]).erlet(&["bench", "w.erl"]).fails(1, &["badmatch"]);
}

/// The benchmarks of the repository, on which builds are compared.
#[test]
fn our_own_benchmarks_run() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/bench");
    let here = Folder::new(&[("x", "")]);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "erl"))
        .collect();
    files.sort();
    assert!(files.len() >= 8, "{files:?}");
    let mut line = vec!["bench", "--time", "1"];
    line.extend(files.iter().map(|file| file.to_str().expect("our names are plain")));
    let ended = here.erlet(&line);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{}", ended.out);
}

#[cfg(unix)]
#[test]
fn two_builds_are_compared() {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/bench/compare");
    let source =
        "-module(b).\n-export([bench/0]).\nbench() -> [{a_bytes, metrics, fun() -> [{a_bytes, 42}] end}].\n";
    let folder = Folder::new(&[("b.erl", source)]);
    let erlet = env!("CARGO_BIN_EXE_erlet");
    let compare = |args: &[&str]| {
        let output = Command::new(&script).args(args).current_dir(&folder.0).output().expect("sh is there");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, out) = compare(&[erlet, erlet, "2", "b.erl"]);
    assert_eq!(code, Some(0), "{out}");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let lines: Vec<Vec<String>> = out.lines().map(words).collect();
    assert_eq!(lines[1], ["a_bytes", "42.0", "42.0", "1.00"]);
    assert_eq!(lines[3], ["mean", "of", "all", "1.00"]);
    assert_eq!(compare(&[erlet, erlet, "1", "none.erl"]).0, Some(1));
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_ends_the_program_without_a_word() {
    // The writer is no longer the first process, which waits for ever.
    let source = "-module(prog).\n-export([main/0]).\nmain() -> spawn(fun() -> write() end), receive never -> ok end.\nwrite() -> io:format(\"line~n\"), write().\n";
    let folder = Folder::new(&[("prog.erl", source)]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_erlet"));
    command.args(["run", "prog.erl"]).current_dir(&folder.0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("erlet starts");
    let mut reader = child.stdout.take().expect("it is piped");
    std::io::Read::read_exact(&mut reader, &mut [0; 5]).expect("a line comes");
    drop(reader);
    let output = child.wait_with_output().expect("erlet ends");
    assert_eq!((output.status.code(), output.stderr), (Some(141), Vec::new()));
}

#[test]
fn check_speaks_json_to_editors() {
    let source = "-module(a).\n-export([f/1]).\nf(X) when X <= 1 -> X.\n";
    let folder =
        Folder::new(&[("a.erl", source), ("good.erl", "-module(good).\n-export([f/0]).\nf() -> ok.\n")]);
    let ended = folder.erlet(&["check", "--message-format=json", "a.erl", "good.erl", "nowhere.erl"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(2), ""), "all is said on standard output");
    let lines: Vec<serde_json::Value> =
        ended.out.lines().map(|line| serde_json::from_str(line).expect("one object per line")).collect();
    assert_eq!(lines.len(), 2, "{}", ended.out);
    let fault = &lines[0];
    assert_eq!((&fault["level"], &fault["code"]["code"]), (&"error".into(), &"E0301".into()));
    let span = &fault["spans"][0];
    let place = |key: &str| span[key].as_u64().expect("a number") as usize;
    assert_eq!(&source[place("byte_start")..place("byte_end")], "<=");
    assert_eq!((place("line_start"), place("column_start"), place("column_end")), (3, 13, 15));
    assert_eq!(span["text"][0]["text"], "f(X) when X <= 1 -> X.");
    assert_eq!(span["is_primary"], true);
    let help = &fault["children"][0];
    assert_eq!((&help["level"], &help["spans"][0]["suggested_replacement"]), (&"help".into(), &"=<".into()));
    assert_eq!(help["spans"][0]["suggestion_applicability"], "MachineApplicable");
    assert!(fault["rendered"].as_str().is_some_and(|text| text.contains("a.erl:3:13")));
    assert!(fault["code"]["explanation"].as_str().is_some_and(|text| text.contains("Wrong:")));
    assert_eq!((&lines[1]["code"], &lines[1]["level"]), (&serde_json::Value::Null, &"error".into()));
}

#[test]
fn suggestions_mend_the_source() {
    // What is suggested for certain, done, leaves nothing to say.
    let source = "-module(a).\n-export([f/1]).\nf(X) when X <= 1 -> {X, B =<<\"a\">>}.\n";
    let mut text = source.to_owned();
    for _ in 0..4 {
        let folder = Folder::new(&[("a.erl", &text)]);
        let ended = folder.erlet(&["check", "--message-format=json", "a.erl"]);
        let Some(line) = ended.out.lines().find(|line| line.contains("suggested_replacement\":\"")) else {
            break;
        };
        let fault: serde_json::Value = serde_json::from_str(line).expect("an object");
        let children = fault["children"].as_array().expect("a list");
        let help = children.iter().find(|child| child["spans"][0].is_object()).expect("it has a suggestion");
        let span = &help["spans"][0];
        let at = |key: &str| span[key].as_u64().expect("a number") as usize;
        text.replace_range(
            at("byte_start")..at("byte_end"),
            span["suggested_replacement"].as_str().expect("text"),
        );
    }
    assert_eq!(text, "-module(a).\n-export([f/1]).\nf(X) when X =< 1 -> {X, _B = <<\"a\">>}.\n");
}

#[test]
fn check_can_be_short() {
    let folder = Folder::new(&[("a.erl", "-module(a).\n-export([f/1]).\nf(X) -> Y.\n")]);
    let ended = folder.erlet(&["check", "--message-format=short", "a.erl"]);
    assert_eq!(ended.code, Some(1));
    let lines: Vec<&str> = ended.err.lines().collect();
    assert_eq!(
        lines,
        [
            "a.erl:3:3: warning[W0501]: variable `X` is unused",
            "a.erl:3:9: error[E0407]: variable `Y` is unbound"
        ]
    );
}

#[test]
fn explain_tells_what_a_code_means() {
    let folder = Folder::new(&[("x", "")]);
    let ended = folder.erlet(&["explain", "e0407"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    assert!(ended.out.starts_with("E0407: ") && ended.out.contains("Right:"), "{}", ended.out);
    let list = folder.erlet(&["explain"]);
    assert!(list.out.lines().count() > 80 && list.out.contains("\nW0501  "), "{}", list.out);
    folder.erlet(&["explain", "E9999"]).fails(2, &["no code E9999", "erlet explain"]);
}

#[test]
fn what_stands_around_a_file_is_known_to_check() {
    let folder = Folder::new(&[
        (
            "shape.erl",
            "-module(shape).\n-callback area(term()) -> number().\n-callback name() -> atom().\n-optional_callbacks([name/0]).\n",
        ),
        (
            "square.erl",
            "-module(square).\n-behaviour(shape).\n-export([side/1]).\nside(X) -> lists:revrese(X).\n",
        ),
        ("lists2.erl", "-module(lists3).\n-export([f/0]).\nf() -> lists2:g().\n"),
        ("lost.erl", "-module(lost).\n-behaviour(gen_sevrer).\n"),
    ]);
    let ended = folder.erlet(&["check", "square.erl"]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    ended.fails(
        0,
        &["the callback `area/1` of `shape` is missing", "no function `revrese/1`", "lists:reverse(X)"],
    );
    assert!(!ended.err.contains("name/0"), "an optional callback may be missing:\n{}", ended.err);
    folder.erlet(&["check", "lists2.erl"]).fails(0, &["W0528", "`lists3` is in the file `lists2.erl`"]);
    folder.erlet(&["check", "lost.erl"]).fails(0, &["behaviour `gen_sevrer` is undefined", "gen_server"]);
}

const TESTED: &str = "-module(tested).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
    plain_test() -> ?assertEqual(3, 1 + 2).\n\
    more_test_() -> [?_assert(true), {\"titled\", ?_assertError(badarith, 1 + list_to_atom(\"a\"))}].\n\
    setup_test_() -> {setup, fun() -> 5 end, fun(_) -> ok end, fun(X) -> ?_assertEqual(5, X) end}.\n";

#[test]
fn tests_are_found_and_run() {
    let folder = Folder::new(&[
        ("sub/tested.erl", TESTED),
        (
            "bad.erl",
            "-module(bad).\n-include_lib(\"eunit/include/eunit.hrl\").\nno_test() -> ?assertEqual(1, 2).\n",
        ),
        ("other.erl", "-module(other).\n-export([f/0]).\nf() -> ok.\n"),
    ]);
    // As `eunit:test/1` of OTP says it.
    folder.erlet(&["test", "sub"]).is(0, "  All 4 tests passed.\n");
    let ended = folder.erlet(&["test", "."]);
    let expected = "bad: no_test (module 'bad')...*failed*\n\
        in function bad:'-no_test/0-fun-0-'/0 (./bad.erl, line 3)\n\
        **error:{assertEqual,[{module,bad},{line,3},{expression,\"2\"},{expected,1},{value,2}]}\n  output:<<\"\">>\n\n\
        =======================================================\n  Failed: 1.  Skipped: 0.  Passed: 4.\n";
    ended.is(1, expected);
    folder.erlet(&["test", "nowhere"]).fails(2, &["there is no file or folder nowhere"]);
}

#[test]
fn parse_transforms_run_before_compiling() {
    let transform = "-module(double).\n-export([parse_transform/2]).\n\
        parse_transform(Forms, _) -> [form(F) || F <- Forms].\n\
        form({function, A, N, Arity, Cs}) -> {function, A, N, Arity, [expr(C) || C <- Cs]};\nform(F) -> F.\n\
        expr({integer, A, I}) -> {integer, A, 2 * I};\n\
        expr(T) when is_tuple(T) -> list_to_tuple(expr(tuple_to_list(T)));\n\
        expr([H | T]) -> [expr(H) | expr(T)];\nexpr(X) -> X.\n";
    let program = "-module(p).\n-compile({parse_transform, double}).\n-export([main/0]).\n\
        main() -> io:format(\"~p~n\", [21]), f().\n\
        f() -> erlang:error(oops).\n";
    let missing = "-module(q).\n-compile({parse_transform, nowhere}).\n-export([main/0]).\nmain() -> ok.\n";
    let folder = Folder::new(&[("double.erl", transform), ("p.erl", program), ("q.erl", missing)]);
    let ended = folder.erlet(&["run", "p.erl"]);
    assert_eq!(ended.out, "42\n", "{}", ended.err);
    ended.fails(1, &["oops", "{line,5}"]);
    folder.erlet(&["run", "q.erl"]).fails(1, &["undefined parse transform 'nowhere'"]);
}

#[test]
fn parse_transforms_follow_each_other() {
    let transform = "-module(NAME).\n-export([parse_transform/2]).\n\
        parse_transform(Forms, _) -> [form(F) || F <- Forms].\n\
        form({function, A, N, Arity, Cs}) -> {function, A, N, Arity, expr(Cs)};\nform(F) -> F.\n\
        expr({integer, A, I}) -> {integer, A, CHANGED};\n\
        expr(T) when is_tuple(T) -> list_to_tuple(expr(tuple_to_list(T)));\n\
        expr([H | T]) -> [expr(H) | expr(T)];\nexpr(X) -> X.\n";
    let named = |name, changed| transform.replace("NAME", name).replace("CHANGED", changed);
    let program = "-module(p).\n-compile({parse_transform, double}).\n-compile([{parse_transform, add}, {parse_transform, double}]).\n\
        -export([main/0]).\nmain() -> io:format(\"~p~n\", [10]).\n";
    let (double, add) = (named("double", "2 * I"), named("add", "I + 1"));
    let folder = Folder::new(&[("double.erl", &double), ("add.erl", &add), ("p.erl", program)]);
    let ended = folder.erlet(&["run", "p.erl"]);
    assert_eq!(ended.out, "42\n", "{}", ended.err);
}

/// Titles that are binaries and no UTF-8 are Latin-1, as in OTP.
#[test]
fn titles_of_tests_need_not_be_utf8() {
    let tests = "-module(titled).\n-include_lib(\"eunit/include/eunit.hrl\").\n\
        a_test_() -> [{<<255, 0>>, fun() -> ok end}, {<<228>>, [fun() -> ok end]}].\n";
    let folder = Folder::new(&[("titled.erl", tests)]);
    let ended = folder.erlet(&["test", "titled.erl"]);
    assert!(ended.out.contains("2 tests passed"), "{}{}", ended.out, ended.err);
}

/// What eunit.hrl has for commands of the system's shell: what they print is the value, another status than the expected one an
/// error, and the first command of the line takes the shell's place. The values are OTP's.
#[test]
fn tests_run_shell_commands() {
    let program = r#"-module(prog).
-include_lib("eunit/include/eunit.hrl").
-export([main/0]).
main() ->
    show(fun() -> ?cmd("echo hi") end),
    show(fun() -> ?cmd("echo err >&2; printf end") end),
    show(fun() -> ?cmd("printf 'a\r\nb'") end),
    show(fun() -> ?cmd("cat") end),
    show(fun() -> ?cmd("sh -c 'exit 3'") end),
    show(fun() -> ?cmd("exit 3") end),
    show(fun() -> ?assertCmd("echo x; false; true") end),
    show(fun() -> ?assertCmdStatus(4, "sh -c 'exit 4'") end),
    show(fun() -> ?assertCmd("false") end),
    show(fun() -> ?assertCmdOutput("a b", "printf 'a b'") end),
    show(fun() -> ?assertCmdOutput("a", "echo a; false") end),
    Tests = [?_cmd("true"), ?_assertCmd("true"), ?_assertCmdStatus(1, "false"), ?_assertCmdOutput([], "true")],
    show(fun() -> [begin Test(), true end || {_Line, Test} <- Tests] end).
show(Try) ->
    Value = try Try() catch error:{Kind, Facts} -> {Kind, [Value || {_, Value} <- Facts]} end,
    io:format("~0p~n", [Value]).
"#;
    let expected = r#""hi\n"
"err\n"
"a\nb"
[]
{command_failed,[prog,9,"sh -c 'exit 3'",0,3]}
{command_failed,[prog,10,"exit 3",0,127]}
ok
ok
{assertCmd_failed,[prog,13,"false",0,1]}
ok
{assertCmdOutput_failed,[prog,15,"echo a; false","a","a\n"]}
[true,true,true,true]
"#;
    run(program, &[]).is(0, expected);
}

/// Each compilation of such a module would ask for another one first.
#[test]
fn a_parse_transform_does_not_transform_itself() {
    let module = |name: &str, transform: &str| {
        format!(
            "-module({name}).\n-compile({{parse_transform, {transform}}}).\n-export([parse_transform/2]).\n\
             parse_transform(Forms, _) -> Forms.\n"
        )
    };
    let (own, a, b) = (module("own", "own"), module("a", "b"), module("b", "a"));
    let folder = Folder::new(&[("own.erl", &own), ("a.erl", &a), ("b.erl", &b)]);
    folder.erlet(&["check", "own.erl"]).fails(1, &["undefined parse transform 'own'"]);
    folder.erlet(&["check", "a.erl"]).fails(1, &["undefined parse transform 'b'"]);
}

#[test]
fn headers_are_found_from_the_working_directory_and_beside_the_program() {
    let folder = Folder::new(&[
        (
            "src/p.erl",
            "-module(p).\n-include(\"priv/a.hrl\").\n-include(\"sub/b.hrl\").\nmain() -> io:format(\"~p~n\", [{?A, ?B, ?C}]).\n",
        ),
        ("priv/a.hrl", "-define(A, from_here).\n"),
        ("src/sub/b.hrl", "-define(B, 2).\n-include(\"c.hrl\").\n"),
        ("src/c.hrl", "-define(C, beside_the_program).\n"),
    ]);
    folder.erlet(&["run", "src/p.erl"]).is(0, "{from_here,2,beside_the_program}\n");
}

#[test]
fn applications_are_described_beside_their_sources() {
    let application = "-module(shop_app).\n-behaviour(application).\n-export([start/2, stop/1]).\n\
        start(normal, []) -> {ok, spawn_link(fun() -> receive stop -> ok end end)}.\nstop(_) -> io:format(\"closed~n\").\n";
    let program = "-module(p).\n-export([main/0]).\nmain() ->\n\
        io:format(\"~p~n\", [application:ensure_all_started(shop)]),\n\
        io:format(\"~p~n\", [[application:get_env(shop, open), application:get_key(shop, modules), code:priv_dir(shop)]]),\n\
        {error, {Why, File}} = application:load(broken), io:format(\"~ts in ~ts~n\", [Why, File]),\n\
        init:stop(), receive never -> ok end.\n";
    let folder = Folder::new(&[
        (
            "shop/src/shop.app.src",
            "{application, shop, [{vsn, \"1\"}, {applications, [kernel, till]}, {env, [{open, true}]}, {mod, {shop_app, []}}]}.\n",
        ),
        ("shop/src/shop_app.erl", application),
        ("shop/src/shop_door.erl", "-module(shop_door).\n"),
        ("till.app", "{application, till, [{vsn, \"2\"}, {applications, [kernel, stdlib]}]}.\n"),
        ("broken.app", "{application, broken, [{vsn, \"2\"}.\n"),
        ("p.erl", program),
    ]);
    let ended = folder.erlet(&["run", "-p", "shop/src", "p.erl"]);
    let broken = "1: syntax error before: '.' in broken.app";
    let expected = format!(
        "{{ok,[till,shop]}}\n[{{ok,true}},{{ok,[shop_app,shop_door]}},\"shop/priv\"]\n{broken}\nclosed\n"
    );
    ended.is(0, &expected);
}

#[test]
fn headers_of_the_library_may_be_included_twice() {
    let headers: String = [
        "kernel/include/logger.hrl",
        "kernel/include/file.hrl",
        "kernel/include/inet.hrl",
        "stdlib/include/assert.hrl",
        "stdlib/include/ms_transform.hrl",
        "eunit/include/eunit.hrl",
    ]
    .iter()
    .map(|header| format!("-include_lib(\"{header}\").\n"))
    .collect();
    let program = format!(
        "-module(p).\n{headers}{headers}-export([main/0]).\nmain() ->\n    ?LOG_DEBUG(\"not shown\"),\n    ?assertEqual(3, 1 + 2),\n    \
         io:format(\"~p ~p~n\", [record_info(fields, file_descriptor), record_info(size, file_info)]).\n"
    );
    let folder = Folder::new(&[("p.erl", &program)]);
    folder.erlet(&["run", "p.erl"]).is(0, "[module,data] 14\n");
}

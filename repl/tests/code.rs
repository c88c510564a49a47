//! Code that is loaded, replaced and purged while it runs: programs that write the sources of modules and load them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs `tests/code/NAME.erl` in a folder of its own; it must print `tests/code/NAME.txt`, what Erlang/OTP 25 prints.
#[track_caller]
fn prints_as_otp(name: &str, options: &[&str]) -> String {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code");
    let folder = folder(&format!("{name}-{}", options.join("")));
    let program = format!("{name}.erl");
    std::fs::copy(sources.join(&program), folder.join(&program)).expect("the program is there");
    let expected = std::fs::read_to_string(sources.join(format!("{name}.txt"))).expect("and what it prints");
    let mut command = Command::new(env!("CARGO_BIN_EXE_erlet"));
    let command = command.arg("run").args(options).arg(&program).current_dir(&folder);
    let output = command.output().expect("erlet starts");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "standard error:\n{errors}");
    let _ = std::fs::remove_dir_all(&folder);
    errors
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("erlet-code-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

#[test]
fn modules_have_two_versions() {
    let errors = prints_as_otp("versions", &[]);
    assert!(errors.contains("Loading of w.beam failed: not_purged"), "{errors}");
    assert!(errors.contains("Can't load module 'lists' that resides in sticky dir"), "{errors}");
    for seed in 1..6 {
        prints_as_otp("versions", &["--seed", &seed.to_string()]);
    }
}

#[test]
fn on_load_functions_decide() {
    let report = "The on_load function for module loud returned:\n{error,[1,2,3,4,5,6,7|...]}\n\n";
    let errors = prints_as_otp("on_load", &[]);
    assert!(errors.contains(report), "{errors}");
    for seed in 1..6 {
        prints_as_otp("on_load", &["--seed", &seed.to_string()]);
    }
}

#[test]
fn modules_of_the_path_take_the_place_of_the_standard_librarys() {
    let folder = folder("path");
    std::fs::create_dir_all(folder.join("lib")).expect("a folder can be made");
    let write =
        |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file can be written");
    write("lib/queue.erl", "-module(queue).\n-export([new/0]).\nnew() -> mine.\n");
    write("queue.erl", "-module(queue).\n-export([new/0]).\nnew() -> never.\n");
    write("prog.erl", "main(_) -> io:format(\"~p~n\", [queue:new()]).\n");
    for (options, expected) in [(&["-pa", "lib"][..], "mine\n"), (&[][..], "{[],[]}\n")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_erlet"));
        let command = command.arg("run").args(options).arg("prog.erl").current_dir(&folder);
        let output = command.output().expect("erlet starts");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn a_program_may_be_named_like_a_module_of_the_library() {
    let folder = folder("named");
    let text = "-module(queue).\n-export([main/1]).\nmain(_) -> io:format(\"mine~n\").\n";
    std::fs::write(folder.join("queue.erl"), text).expect("a file can be written");
    std::fs::write(folder.join("input"), "queue:main([]).\n").expect("a file can be written");
    let run = |options: &[&str]| {
        let input = std::fs::File::open(folder.join("input")).expect("it was written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_erlet"));
        let command = command.arg("run").args(options).arg("queue.erl").current_dir(&folder);
        let output = command.env("ERLET_INIT", "").stdin(input).output().expect("erlet starts");
        (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
    };
    assert_eq!(run(&[]), ("mine\n".to_owned(), Some(0)));
    let (printed, status) = run(&["--shell"]);
    assert!(printed.contains("mine\nok\n") && status == Some(0), "{printed}");
    let _ = std::fs::remove_dir_all(&folder);
}

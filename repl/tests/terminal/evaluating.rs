//! What is shown: results, errors, output, start files.

use crate::terminal;

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
fn output_of_others_stands_above_what_is_being_typed() {
    let t = terminal!();
    t.evaluate(1, "spawn(fun Wait() -> case filelib:is_file(\"go\") of true -> io:put_chars(\"from afar\\n\"); false -> timer:sleep(10), Wait() end end), ok.");
    t.type_text("half a state");
    t.wait_for("2> half a state");
    t.file("go", "");
    t.wait_for("\nfrom afar");
    t.type_text("ment");
    t.wait_for("2> half a statement");
    let screen = t.screen();
    assert!(screen.ends_with("from afar\n2> half a statement"), "{screen}");
}

#[test]
fn a_narrow_window_wraps_results() {
    let t = terminal!(40, 20);
    t.evaluate(1, "{aaaaaaaaaaaaaaa, bbbbbbbbbbbbbbb, ccccccccccccccc}.");
    let expected = "{aaaaaaaaaaaaaaa,bbbbbbbbbbbbbbb,\n                 ccccccccccccccc}";
    assert!(t.screen().contains(expected), "{}", t.screen());
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
fn much_output_while_somebody_types_harms_nothing() {
    let t = terminal!();
    t.evaluate(1, "spawn(fun() -> [begin timer:sleep(2), io:format(\"line ~w~n\", [N]) end || N <- lists:seq(1, 200)] end), ok.");
    for part in ["{this", ", is", ", typed", ", slowly}."] {
        t.type_text(part);
        t.wait_until(part, |screen| screen.ends_with(part.trim_end()));
    }
    t.keys(&["Enter"]);
    t.wait_for("\n{this,is,typed,slowly}\n");
    t.wait_for("line 200");
    t.prompt(3);
}

#[test]
fn long_results_are_cut_and_can_be_seen_whole() {
    let t = terminal!();
    t.evaluate(1, "lists:seq(1, 1000000).");
    t.wait_for("|...]");
    t.evaluate(2, "rp(lists:sublist(v(1), 150)).");
    t.wait_for(",148,149,150]\nok\n");
}

#[test]
fn exceptions_are_told_as_erlang_tells_them() {
    let t = terminal!();
    t.evaluate(1, "lists:nth(5, [1]).");
    t.wait_for("** exception error: no function clause matching lists:nth(");
    t.evaluate(2, "throw({my, ball}).");
    t.wait_for("** exception throw: {my,ball}");
    t.evaluate(3, "nosuch:f(1).");
    t.wait_for("** exception error: undefined function nosuch:f/1");
    t.evaluate(4, "catch exit(done).");
    t.wait_for("{'EXIT',done}");
}

#[test]
fn a_deep_nest_is_refused_and_the_shell_stays() {
    let t = terminal!();
    t.prompt(1);
    t.paste(&format!("length({}1{}).\n", "[".repeat(3000), "]".repeat(3000)));
    t.keys(&["Enter"]);
    t.wait_until("an answer", |screen| screen.contains("error") || screen.contains("\n1\n"));
    t.enter("still + 1.");
    t.wait_for("arithmetic expression");
}

//! The commands, each as a user would call it.

use crate::terminal;

#[test]
fn a_file_is_compiled_with_its_diagnostics() {
    let t = terminal!();
    t.file("good.erl", "-module(good).\n-export([f/0]).\nf() -> good.\n");
    t.file("bad.erl", "-module(bad).\n-export([f/0]).\nf() -> X.\n");
    t.evaluate(1, "c(good).");
    t.wait_for("{ok,good}");
    t.evaluate(2, "c(bad).");
    t.wait_for("variable `X` is unbound");
    t.wait_for("bad.erl:3:8");
    t.evaluate(3, "lc([\"good.erl\"]), good:f().");
    t.wait_for("\ngood\n");
}

#[test]
fn files_are_compiled_with_options_and_loaded_again() {
    let t = terminal!();
    t.file("two.erl", "-module(two).\n-export([f/0]).\nf() -> ?N.\n");
    t.evaluate(1, "c(two, [{d, 'N', 1}]).");
    t.wait_for("{ok,two}");
    t.file("two.erl", "-module(two).\n-export([f/0]).\nf() -> {new, two}.\n");
    t.evaluate(2, "l(two).");
    t.wait_for("{module,two}");
    t.evaluate(3, "two:f().");
    t.wait_for("\n{new,two}\n");
    t.evaluate(4, "lc([two]).");
    t.wait_for("\nok\n");
}

#[test]
fn modules_are_listed_and_shown() {
    let t = terminal!(80, 60);
    t.evaluate(1, "m().");
    t.wait_for("erlet_shell");
    t.evaluate(2, "m(queue).");
    t.wait_for("Module: queue");
    t.wait_for("Exports:");
    t.wait_for("out_r/1");
}

#[test]
fn processes_are_shown() {
    let t = terminal!(80, 60);
    t.evaluate(1, "register(me, self()), i().");
    t.wait_for("Initial Call");
    t.wait_for("\nme ");
    t.evaluate(2, "i([self()]).");
    t.evaluate(3, "lists:keyfind(registered_name, 1, i(0, 1, 1)).");
    t.wait_for("\n{registered_name,");
    t.evaluate(4, "pid(0, 1, 0).");
    t.wait_for("\n<0.1.0>\n");
    t.evaluate(5, "regs().");
    t.wait_for("\ncode_server ");
    t.evaluate(6, "bt(self()).");
    t.wait_for("\nerlet_shell:");
}

#[test]
fn the_mailbox_is_flushed() {
    let t = terminal!();
    t.evaluate(1, "self() ! hello, self() ! {self(), 1.5}, ok.");
    t.evaluate(2, "flush().");
    t.wait_for("\nShell got hello\n");
    t.evaluate(3, "flush().");
    assert!(t.screen().ends_with("3> flush().\nok\n4>"), "{}", t.screen());
}

#[test]
fn the_machine_tells_its_memory_and_age() {
    let t = terminal!(80, 40);
    t.evaluate(1, "memory().");
    t.wait_for("[{total,");
    t.evaluate(2, "memory([total, processes]).");
    t.wait_for("{processes,");
    t.evaluate(3, "is_integer(memory(ets)).");
    t.wait_for("\ntrue\n");
    t.evaluate(4, "uptime().");
    t.wait_for(" second");
}

#[test]
fn variables_are_shown_and_forgotten() {
    let t = terminal!();
    t.evaluate(1, "A = 1, Long = lists:seq(1, 5).");
    t.evaluate(2, "b().");
    t.wait_for("\nA = 1\nLong = [1,2,3,4,5]\nok\n");
    t.evaluate(3, "f(A).");
    t.evaluate(4, "A = 2.");
    t.evaluate(5, "f().");
    t.evaluate(6, "b().");
    assert!(t.screen().ends_with("6> b().\nok\n7>"), "{}", t.screen());
}

#[test]
fn earlier_evaluations_are_at_hand() {
    let t = terminal!(80, 40);
    t.evaluate(1, "X = 20 + 1.");
    t.evaluate(2, "v(1) * 2.");
    t.wait_for("\n42\n");
    t.evaluate(3, "e(2).");
    t.evaluate(4, "{v(-1), v(3)}.");
    t.wait_for("\n{42,42}\n");
    t.evaluate(5, "h().");
    t.wait_for("\n1: X = 20 + 1\n-> 21\n2: v(1) * 2\n-> 42\n");
    t.evaluate(6, "history(2).");
    t.wait_for("\n20\n7>");
    t.evaluate(7, "results(1).");
    t.wait_for("\n20\n8>");
    t.prompt(8);
    t.enter("v(1).");
    t.wait_for("* 1: command not found");
}

#[test]
fn exceptions_may_end_the_evaluator() {
    let t = terminal!();
    t.evaluate(1, "S = self(), catch_exception(false).");
    t.wait_for("\ntrue\n");
    t.evaluate(2, "exit(gone).");
    t.wait_for("** exception exit: gone");
    t.evaluate(3, "S =:= self().");
    t.wait_for("\nfalse\n");
}

#[test]
fn records_are_defined_read_shown_and_forgotten() {
    let t = terminal!(80, 40);
    t.file("r.hrl", "-record(one, {a = 1}).\n-record(two, {b}).\n");
    t.evaluate(1, "rd(point, {x = 0, y}).");
    t.wait_for("\npoint\n");
    t.evaluate(2, "rr(\"*.hrl\").");
    t.wait_for("\n[one,two]\n");
    t.evaluate(3, "{#point{y = 2}, #one{}}.");
    t.wait_for("\n{#point{x = 0,y = 2},#one{a = 1}}\n");
    t.evaluate(4, "rl().");
    t.wait_for("\n-record(one, {a = 1}).\n-record(point, {x = 0, y}).\n-record(two, {b}).\nok\n");
    t.evaluate(5, "rl(two), rf(two).");
    t.evaluate(6, "rp([{two, 1}, #one{}]).");
    t.wait_for("\n[{two,1},#one{a = 1}]\nok\n");
    t.evaluate(7, "rf(), rl().");
    assert!(t.screen().ends_with("7> rf(), rl().\nok\n8>"), "{}", t.screen());
}

#[test]
fn functions_macros_and_types_are_defined_and_forgotten() {
    let t = terminal!(80, 40);
    t.evaluate(1, "twice(F, X) -> F(F(X)).");
    t.evaluate(2, "-define(TEN, 10).");
    t.evaluate(3, "twice(fun(X) -> X * ?TEN end, 1).");
    t.wait_for("\n100\n");
    t.evaluate(4, "-type t() :: atom().");
    t.evaluate(5, "lf(), lt(), lm().");
    t.wait_for("\ntwice(F, X) -> F(F(X)).\n-type t() :: atom().\n-define(TEN, 10).\nok\n");
    t.evaluate(6, "save_module(\"mine.erl\").");
    t.evaluate(7, "ff(twice), lf().");
    t.evaluate(8, "fl(), lt(), lm().");
    assert!(t.screen().ends_with("8> fl(), lt(), lm().\nok\n9>"), "{}", t.screen());
    assert!(
        std::fs::read_to_string(t.folder.join("mine.erl"))
            .is_ok_and(|text| text.contains("-export([twice/2])"))
    );
}

#[test]
fn folders_are_changed_and_listed() {
    let t = terminal!();
    std::fs::create_dir(t.folder.join("inner")).expect("a folder can be made");
    t.file("inner/file_within", "");
    t.evaluate(1, "pwd().");
    t.wait_for(&format!("\n{}\n", t.folder.display()));
    t.evaluate(2, "ls().");
    t.wait_for("\nhistory");
    t.evaluate(3, "ls(\"inner\").");
    t.wait_for("\nfile_within\n");
    t.evaluate(4, "cd(\"inner\").");
    t.wait_for("/inner\nok\n");
    t.type_text("file:read_file(\"file_w");
    t.keys(&["Tab"]);
    t.wait_for("5> file:read_file(\"file_within");
}

#[test]
fn a_watched_file_is_loaded_when_it_changes() {
    let t = terminal!();
    let text = |n| format!("-module(watched).\n-export([f/0]).\nf() -> {n}.\n");
    t.file("watched.erl", &text(1));
    t.evaluate(1, "c(watched), {ok, _} = erlet:watch(\"watched.erl\").");
    t.evaluate(2, "watched:f().");
    t.file("watched.erl", &text(22));
    t.wait_for("watched is loaded");
    t.enter("watched:f() + 1000.");
    t.wait_for("1022");
    t.file("watched.erl", "-module(watched).\n-export([f/0]).\nf() -> .\n");
    t.wait_for("watched.erl: not loaded");
    t.enter("watched:f() + 2000, erlet:unwatch().");
    t.wait_for("\nok\n");
}

#[test]
fn a_watched_folder_may_get_new_files() {
    let t = terminal!();
    t.evaluate(1, "{ok, _} = erlet:watch(\".\").");
    t.file("fresh.erl", "-module(fresh).\n-export([f/0]).\nf() -> \"fresh\".\n");
    t.wait_for("fresh is loaded");
    t.enter("fresh:f() ++ \" and good\".");
    t.wait_for("\"fresh and good\"");
}

#[test]
fn the_table_of_processes_is_live_and_q_returns() {
    let t = terminal!();
    t.prompt(1);
    t.enter("erlet:ps().");
    t.wait_for("processes, by reductions");
    t.keys(&["m"]);
    t.wait_for("processes, by memory");
    t.keys(&["l"]);
    t.wait_for("processes, by mailbox");
    t.keys(&["r"]);
    t.wait_for("processes, by reductions");
    t.keys(&["q"]);
    t.prompt(2);
    t.enter("erlet:ps().");
    t.wait_for("processes, by reductions");
    t.keys(&["C-c"]);
    t.prompt(3);
}

#[test]
fn an_evaluation_is_measured() {
    let t = terminal!();
    t.evaluate(1, "erlet:time(fun() -> lists:sum(lists:seq(1, 1000)) end).");
    t.wait_for(" reductions, ");
    t.wait_for("\n500500\n");
    t.evaluate(2, "erlet:time(fun() -> 1 / 0 end).");
    t.wait_for("** exception error: an error occurred when evaluating an arithmetic expression");
}

#[test]
fn documentation_is_at_hand() {
    let t = terminal!(80, 60);
    t.file("said.erl", "%% About said.\n-module(said).\n-export([f/0]).\n-export_type([t/0]).\n%% A name.\n-type t() :: atom().\n-doc \"Does f.\".\n-spec f() -> t().\nf() -> a.\n");
    t.evaluate(1, "h(lists, map, 2).");
    t.wait_for("map(fun((A) -> B), [A]) -> [B]");
    t.evaluate(2, "h(nosuch).");
    t.wait_for("{error,non_existing}");
    t.evaluate(3, "h(said).");
    t.wait_for("\n  About said.\n\n  f/0  Does f.\n");
    t.evaluate(4, "h(said, f).");
    t.wait_for("\nf() -> t()\n\n  Does f.\n");
    t.evaluate(5, "ht(said), ht(said, t).");
    t.wait_for("-type t() :: atom()\n\n  A name.\n");
    t.evaluate(6, "h(erlang, element).");
    t.wait_for("\nelement(N :: pos_integer(), tuple()) -> term()\n");
    t.evaluate(7, "help().");
    t.wait_for("erlet:ps()");
}

//! What is typed: editing, history, completion, hints, pastes, widths.

use crate::terminal;

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
    t.prompt(1);
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
    t.prompt(2);
    t.type_text("catch_e");
    t.keys(&["Tab"]);
    t.wait_for("2> catch_exception(");
    t.keys(&["C-c"]);
    t.prompt(2);
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
    t.prompt(3);
    t.type_text("Map#{col");
    t.keys(&["Tab"]);
    t.wait_for("3> Map#{colour");
}

#[test]
fn tab_completes_file_names_in_strings() {
    let t = terminal!();
    t.file("some_file.txt", "");
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
    t.wait_for("no end.");
    t.keys(&["C-c"]);
    t.prompt(1);
    t.evaluate(1, "fine.");
}

#[test]
fn a_function_is_pasted() {
    let t = terminal!();
    t.prompt(1);
    t.paste("fib(0) -> 0;\nfib(1) -> 1;\nfib(N) ->\n    fib(N - 1) + fib(N - 2).\n");
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
    t.paste("-module(pasted).\n-export([f/0]).\n\nf() ->\n    \"from a module\".\n");
    t.wait_for("from a module");
    t.keys(&["Enter"]);
    t.wait_for("{ok,pasted}");
    t.evaluate(2, "pasted:f() ++ \"!\".");
    t.wait_for("\"from a module!\"");
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
    t.resize(30, 20);
    t.type_text(" narrow,");
    t.wait_for("narrow,");
    t.resize(90, 20);
    t.type_text(" wide,");
    t.wait_for("narrow, wide,");
    t.enter(" tail}.");
    t.prompt(2);
    t.wait_for("\n{this,is,a,line,with,some,length,narrow,wide,tail}\n2>");
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
fn vi_keys_can_be_had() {
    let t = terminal!(80, 24, "NO_COLOR=1 ERLET_KEYS=vi", "");
    t.prompt(1);
    t.type_text("{a,b}.");
    t.wait_for("1> {a,b}.");
    // The cursor steps back when commands are taken.
    let column = t.column();
    t.keys(&["Escape"]);
    t.wait_until("the cursor to step back", |_| t.column() + 1 == column);
    t.type_text("0xi");
    t.type_text("{z,");
    t.keys(&["Enter"]);
    t.wait_for("{z,a,b}");
}

#[test]
fn many_lines_are_pasted_at_once() {
    let t = terminal!();
    t.prompt(1);
    let lines: Vec<String> = (1..=300).map(|n| format!(" {n}")).collect();
    t.paste(&format!("lists:sum([\n{}]).\n", lines.join(",\n")));
    t.wait_for(" 300]).");
    t.keys(&["Enter"]);
    t.wait_for("\n45150\n");
    t.prompt(2);
}

#[test]
fn several_statements_are_pasted_at_once() {
    let t = terminal!();
    t.prompt(1);
    t.paste("A = 1.\nB = A + 1.\n{A, B, \"ä. b\"}.\n");
    t.wait_for("{A, B, ");
    t.keys(&["Enter"]);
    t.wait_for("\n{1,2,\"ä. b\"}\n");
    t.prompt(4);
}

#[test]
fn a_line_is_edited_in_a_window_of_40_columns() {
    let t = terminal!(40, 20);
    t.prompt(1);
    // The statement takes three lines; the cursor goes over their ends in both directions.
    t.type_text("X = [aaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbb, ccccccccccccccccc, ddddddddddddddddd].");
    t.wait_until("the end", |screen| screen.lines().collect::<String>().contains("ddddd]."));
    t.keys(&["C-a", "C-f", "C-f", "C-f", "C-f", "C-f", "C-d", "C-d", "C-e", "Left", "Left", "BSpace"]);
    t.wait_until("both ends changed", |screen| {
        let line: String = screen.lines().collect();
        line.ends_with("1> X = [aaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbb, ccccccccccccccccc, dddddddddddddddd].")
    });
    t.keys(&["Enter"]);
    t.prompt(2);
    t.wait_for("[aaaaaaaaaaaaaaa,bbbbbbbbbbbbbbbbb,");
}

#[test]
fn a_statement_of_exactly_the_width_is_edited() {
    let t = terminal!(40, 20);
    t.prompt(1);
    // With the prompt 40 columns.
    let text = format!("\"{}\".", "w".repeat(34));
    t.type_text(&text);
    t.wait_until("the line", |screen| screen.contains(&text));
    t.keys(&["Left", "BSpace", "x"]);
    t.type_text("\"");
    t.keys(&["Enter"]);
    t.prompt(2);
    t.wait_until("the result", |screen| {
        screen.contains(&format!("\n\"{}x\"\n", "w".repeat(34))) || screen.contains("error")
    });
}

#[test]
fn candidates_fit_a_window_of_40_columns() {
    let t = terminal!(40, 30);
    t.prompt(1);
    t.type_text("lists:key");
    t.keys(&["Tab", "Tab"]);
    t.wait_for("keyfind/3");
    t.wait_for("keytake/3");
    t.wait_until("the line again", |screen| screen.ends_with("1> lists:key"));
    assert!(t.screen().lines().all(|line| line.chars().count() <= 40), "{}", t.screen());
}

#[test]
fn more_candidates_than_fit_are_counted() {
    let t = terminal!();
    t.prompt(1);
    t.type_text("erlang:");
    t.keys(&["Tab", "Tab"]);
    t.wait_until("the candidates", |screen| {
        screen.contains(" more") && screen.lines().last().is_some_and(|line| line == "1> erlang:")
    });
    t.type_text("abs(-3).");
    t.keys(&["Enter"]);
    t.prompt(2);
    t.wait_for("\n3\n");
}

#[test]
fn many_characters_are_typed_at_once() {
    let t = terminal!(80, 24, "", "");
    t.prompt(1);
    let text = format!("length(\"{}\", {{[", "ab c".repeat(500));
    t.type_text(&text);
    t.keys(&["BSpace", "BSpace", "BSpace", "BSpace"]);
    t.enter(").");
    t.prompt(2);
    t.wait_for("\n2000\n");
}

#[test]
fn characters_of_all_widths_are_deleted_whole() {
    let t = terminal!();
    t.prompt(1);
    t.type_text("\"a😀e\u{301}語ß\".");
    t.wait_for("語ß\".");
    t.keys(&["Left", "Left", "BSpace", "BSpace"]);
    t.wait_for("1> \"a😀e\u{301}\".");
    t.keys(&["BSpace", "BSpace"]);
    t.wait_for("1> \"a\".");
    t.type_text("é");
    t.keys(&["Enter"]);
    t.wait_for("\n\"aé\"\n");
    t.prompt(2);
}

#[test]
fn an_atom_that_is_known_is_completed() {
    let t = terminal!();
    t.evaluate(1, "{rather_long_atom_name, 'Quoted atom'}.");
    t.type_text("{rather_l");
    t.keys(&["Tab"]);
    t.wait_for("2> {rather_long_atom_name");
}

#[test]
fn tab_harms_nothing_anywhere() {
    let t = terminal!();
    t.prompt(1);
    for text in
        ["maps:map(fun(", "Foo/", "[{", "catch(", "begin {ok,Foo} = {", "#", "'a", "$", "é:ü(", "\"no/such/"]
    {
        t.type_text(text);
        // Where there are many candidates the answer is no.
        t.keys(&["Tab", "Tab", "n"]);
        t.wait_until(text, |screen| {
            screen.lines().last().is_some_and(|line| line.starts_with(&format!("1> {text}")))
        });
        t.keys(&["C-c"]);
        t.prompt(1);
    }
    t.evaluate(1, "fine.");
}

#[test]
fn a_thousand_lines_come_faster_than_they_are_shown() {
    // With colours, which follow what is typed.
    let t = terminal!(80, 24, "", "");
    t.prompt(1);
    let lines: String = (0..1200).map(|n| format!("  {{item, {n:04}, \"text\"}},\n")).collect();
    let begun = std::time::Instant::now();
    t.type_lines(&format!("length([\n{lines}done]).\n"));
    t.wait_for("\n1201\n");
    t.prompt(2);
    assert!(begun.elapsed().as_secs() < 20, "it took {:?}", begun.elapsed());
    // What is typed behind it has its colours.
    t.enter("\"green\".");
    t.prompt(3);
    assert!(t.coloured_screen().contains("\x1b[32m\"green\""), "{}", t.coloured_screen());
}

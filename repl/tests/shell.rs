//! The interactive shell through a pipe: what is printed, and how it ends; and side by side with `erl`.

use std::io::Write;
use std::process::{Command, Stdio};

/// What a session printed, and its exit code.
fn session(input: &[u8]) -> (String, Option<i32>) {
    session_of(Command::new(env!("CARGO_BIN_EXE_erlet")), input)
}

fn session_of(mut command: Command, input: &[u8]) -> (String, Option<i32>) {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child =
        command.env("ERLET_INIT", "").env("ERLET_HISTORY", "").spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A shell that has ended reads no more.
        let _ = stdin.write_all(&input);
    });
    let ended = child.wait_with_output().expect("the command ends");
    writer.join().expect("the writer does not panic");
    (String::from_utf8_lossy(&ended.stdout).into_owned(), ended.status.code())
}

fn prints(input: &str, expected: &str) {
    assert_eq!(session(input.as_bytes()).0, expected, "{input}");
}

#[test]
fn a_pipe_gets_results_and_an_exit_code() {
    assert_eq!(session(b"X = 1, X + 1."), ("2\n".into(), Some(0)));
    assert_eq!(session(b"X = 1, X + 1"), ("2\n".into(), Some(0)));
    assert_eq!(session(b""), (String::new(), Some(0)));
    assert_eq!(session(b"% nothing\n\n"), (String::new(), Some(0)));
    assert_eq!(session(b"halt(7).").1, Some(7));
    assert_eq!(session(b"1 / 0.\n").1, Some(1));
    assert_eq!(session(b"1 +.\n").1, Some(1));
    assert_eq!(session(b"1 / 0.\nq().\n").1, Some(0));
}

#[test]
fn statements_share_lines_and_lines_share_statements() {
    prints("A = 1. B = 2. A + B.\n", "1\n2\n3\n");
    prints("[1,\n 2 % one. two.\n ,3].\n", "[1,2,3]\n");
    prints("\"a.\nb\".\n", "\"a.\\nb\"\n");
}

#[test]
fn variables_stay_until_they_are_forgotten() {
    prints(
        "X = 1.\nX = 2.\nX.\nf(X).\nX = 2.\n",
        "1\n** exception error: no match of right hand side value 2\n1\nok\n2\n",
    );
    prints("X = 1, f(X), X = 2.\nX.\nf().\nX = 3.\n", "2\n2\nok\n3\n");
    // What failed binds nothing, and forgets nothing.
    prints(
        "X = 2.\nf(), throw(a).\nX.\nf(X), Nosuch.\nX.\n",
        "2\n** exception throw: a\n2\nerror[E0407]: variable `Nosuch` is unbound\n --> shell:1:7\n  |\n1 | f(X), Nosuch.\n  |       ^^^^^^\n\n2\n",
    );
    prints(
        "Y = 1, 1 / 0.\nf(Y), Y = 5.\n",
        "** exception error: an error occurred when evaluating an arithmetic expression\n     in operator  '/'/2\n        called as 1 / 0\n5\n",
    );
}

#[test]
fn a_variable_of_the_branch_that_was_taken_has_its_value() {
    prints("case 1 of 1 -> Z = one; _ -> W = two end.\nZ.\nW = 3.\n", "one\none\n3\n");
    prints("if true -> A = 1 end, A.\n", "1\n");
    prints("catch B = 2.\nB.\n", "2\n2\n");
    prints("try 1 of H -> H after 2 end.\nH.\n", "1\n1\n");
    prints("true andalso (D = true).\nD = 1.\n", "true\n1\n");
}

#[test]
fn functions_are_defined_at_the_prompt() {
    prints(
        "fact(0) -> 1; fact(N) -> N * fact(N - 1).\nfact(20).\ntwice(F, X) -> F(F(X)).\ntwice(fun fact/1, 3).\n",
        "ok\n2432902008176640000\nok\n720\n",
    );
    prints(
        "g() -> k().\nk() -> 1.\ng().\nff(k).\ng().\n",
        "ok\nok\n1\nok\n** exception error: undefined shell command k/0\n",
    );
    prints(
        "even(0) -> true; even(N) -> odd(N - 1).\nodd(0) -> false; odd(N) -> even(N - 1).\neven(100001).\n",
        "ok\nok\nfalse\n",
    );
}

#[test]
fn macros_types_and_specs_are_defined_at_the_prompt() {
    prints("-define(X, 1).\n-define(F(A), {A, ?X}).\n?F(2).\n", "ok\nok\n{2,1}\n");
    prints("-define(X, 1).\n-define(X, 2).\n?X.\nf(A) -> A + ?X.\nf(1).\n", "ok\nok\n2\nok\n3\n");
    prints("-define(X, 1).\n-undef(X).\nlm().\n", "ok\nok\nok\n");
    assert!(session(b"?X.\n").0.starts_with("error[E0202]: undefined macro `X`"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_erlet"));
    command.args(["shell", "-D", "X=7"]);
    assert_eq!(session_of(command, b"?X.\n").0, "7\n");
    prints(
        "-spec f(t()) -> t().\nf(X) -> X.\n-type t() :: atom().\nlf().\nlt().\nff(f).\nlf().\ntf().\nlt().\n",
        "ok\nok\nok\n-spec f(t()) -> t().\nf(X) -> X.\nok\n-type t() :: atom().\nok\nok\nok\nok\nok\n",
    );
    prints(
        "f() -> 1.\ng(X) -> X.\nrd(r, {a}).\n-define(X, 1).\nff({f, 0}).\nlf().\nfl().\nlf(), lr(), lm().\n",
        "ok\nok\nr\nok\nok\ng(X) -> X.\nok\nok\nok\n",
    );
}

#[test]
fn what_was_defined_can_be_saved_as_a_module() {
    let folder = std::env::temp_dir().join(format!("erlet-saved-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join("saved.erl");
    let path = file.display();
    prints(
        &format!(
            "-define(TWO, 2).\n-spec twice(integer()) -> integer().\ntwice(X) -> ?TWO * X.\nsave_module(\"{path}\").\n\
             save_module(\"{path}\").\nc(\"{path}\").\nsaved:twice(21).\n"
        ),
        "ok\nok\nok\nok\n{error,eexist}\n{ok,saved}\n42\n",
    );
    let text = std::fs::read_to_string(&file).expect("it was written");
    assert_eq!(
        text,
        "-module(saved).\n-export([twice/1]).\n\n-define(TWO, 2).\n-spec twice(integer()) -> integer().\ntwice(X) -> ?TWO * X.\n"
    );
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

#[test]
fn a_module_is_pasted_whole() {
    prints(
        "-module(pasted).\n-export([f/1]).\n\nf(X) -> g(X).\n\ng(X) -> {X}.\n\npasted:f(1).\n",
        "{ok,pasted}\n{1}\n",
    );
}

#[test]
fn records_print_with_their_fields() {
    prints(
        "rd(p, {name, age = 3}).\n#p{name = joe}.\nP = #p{}, P#p.age.\nrl().\nrf(p).\n{p,1,2}.\n",
        "p\n#p{name = joe,age = 3}\n3\n-record(p, {name, age = 3}).\nok\nok\n{p,1,2}\n",
    );
}

#[test]
fn records_come_from_files() {
    let folder = std::env::temp_dir().join(format!("erlet-shell-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join("r.hrl");
    let text = "-define(D, {1, 2}).\n-record(a, {x = ?D, y :: integer()}).\n-record(b, {c}).\n";
    std::fs::write(&file, text).expect("a file can be written");
    let path = file.display();
    prints(&format!("rr(\"{path}\").\n#a{{}}.\n"), "[a,b]\n#a{x = {1,2},y = undefined}\n");
    prints(&format!("rr(\"{path}\", b).\n#b{{}}.\n"), "[b]\n#b{c = undefined}\n");
    std::fs::write(
        folder.join("s.hrl"),
        "-ifdef(WITH).\n-record(s, {d = ?WITH}).\n-endif.\n-record(t, {}).\n",
    )
    .expect("a file can be written");
    let all = folder.join("*.hrl");
    let all = all.display();
    prints(&format!("rr(\"{all}\").\nrf([a, b]).\nrl().\n"), "[a,b,t]\nok\n-record(t, {}).\nok\n");
    prints(&format!("rr(\"{all}\", [s, t], [{{d, 'WITH', 7}}]).\n#s{{}}.\n"), "[s,t]\n#s{d = 7}\n");
    prints(
        &format!("rr(\"{all}\", '_', {{d, 'WITH'}}).\nrl(s).\nrf('_').\nrl().\n"),
        "[a,b,s,t]\n-record(s, {d = true}).\nok\nok\nok\n",
    );
    prints("rr(\"nosuch.hrl\").\nrr(nosuch).\n", "{error,nofile}\n{error,nofile}\n");
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

#[test]
fn tables_survive_a_crashing_evaluation() {
    let input = b"S = self(), ets:new(t, [named_table]), ets:insert(t, {a, 1}).\nthrow(x).\nets:lookup(t, a).\nS =:= self().\n";
    assert_eq!(session(input).0, "true\n** exception throw: x\n[{a,1}]\ntrue\n");
}

#[test]
fn funs_become_match_specs() {
    prints(
        "X = 3.\nets:fun2ms(fun({A, B}) when A > X -> {B} end).\nY = 4, ets:fun2ms(fun(A) when A < Y -> true end).\n",
        "3\n[{{'$1','$2'},[{'>','$1',{const,3}}],[{{'$2'}}]}]\n[{'$1',[{'<','$1',{const,4}}],[true]}]\n",
    );
    prints(
        "rd(r, {a, b = 1}).\n-define(M, 2).\nets:fun2ms(fun(#r{a = A, b = ?M} = R) -> {A, R} end).\n",
        "r\nok\n[{#r{a = '$1',b = 2},[],[{{'$1','$_'}}]}]\n",
    );
    prints(
        "ms(N) -> ets:fun2ms(fun({A}) when A =:= N -> A end).\nms(7).\n",
        "ok\n[{{'$1'},[{'=:=','$1',{const,7}}],['$1']}]\n",
    );
    prints(
        "T = ets:new(t, []), ets:insert(T, [{N} || N <- [1, 2, 3]]), ets:select_count(T, ets:fun2ms(fun({N}) -> N > 1 end)).\n",
        "2\n",
    );
    let (out, code) = session(b"ets:fun2ms(fun(A) -> foo(A) end).\n1.\n");
    assert!(out.contains("parse transform 'ms_transform'") && out.ends_with("\n1\n"), "{out}");
    assert_eq!(code, Some(1));
}

#[test]
fn clauses_that_cannot_match_are_warned_of() {
    let (out, code) = session(b"case 1 of X when X > 0, false -> a; _ -> b end.\n");
    assert!(out.starts_with("warning[W0529]") && out.ends_with("\nb\n"), "{out}");
    assert_eq!(code, Some(0));
    let (out, _) = session(b"case 1 of _ -> a; 2 -> b end.\n");
    assert!(out.starts_with("warning[W0509]") && out.ends_with("\na\n"), "{out}");
}

/// The name of the module that a fun typed last is in counts the modules that are there at once.
#[test]
fn code_of_funs_goes_when_the_last_of_them_has_gone() {
    let mut input = "rd(t, {f}).\nF = fun(X) -> {X, 1} end.\nT = ets:new(t, [public]).\nets:insert(T, {f, fun() -> 2 end}).\n\
                     P = spawn(fun() -> receive {A, G} -> A ! G(3) end end).\n"
        .to_owned();
    for _ in 0..500 {
        input.push_str("(fun(X) -> X + 1 end)(1).\n");
    }
    input.push_str(
        "F(0).\n(ets:lookup_element(T, f, 2))().\nP ! {self(), fun(X) -> X * X end}, receive N -> N end.\n\
         {module, M} = erlang:fun_info(fun() -> ok end, module), list_to_integer(lists:nthtail(11, atom_to_list(M))) < 250.\n",
    );
    let (out, code) = session(input.as_bytes());
    assert!(out.ends_with("\n2\n{0,1}\n2\n9\ntrue\n"), "{}", &out[out.len().saturating_sub(300)..]);
    assert_eq!(code, Some(0));
}

#[test]
fn documentation_of_loaded_and_typed_modules_is_found() {
    let folder = std::env::temp_dir().join(format!("erlet-documented-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join("told.erl");
    std::fs::write(&file, "-module(told).\n-export([f/0]).\n%% Says one.\nf() -> 1.\n").expect("a file");
    let (out, _) = session(format!("c(\"{}\").\nh(told, f).\n", file.display()).as_bytes());
    assert_eq!(out, "{ok,told}\nf()\n\n  Says one.\nok\n");
    std::fs::remove_dir_all(&folder).expect("the folder can go");
    prints(
        "-module(typed).\n-export([g/1]).\n%% Says it again.\ng(X) -> X.\n\nh(typed, g).\n",
        "{ok,typed}\ng(X)\n\n  Says it again.\nok\n",
    );
}

#[test]
fn operators_with_constants_are_told_of() {
    prints(
        "X = a.\nX + 1.\n",
        "a\n** exception error: an error occurred when evaluating an arithmetic expression\n     in operator  +/2\n        called as a + 1\n",
    );
}

#[test]
fn killed_evaluators_are_replaced_and_bindings_stay() {
    prints("X = 1.\nexit(self(), kill).\nX.\n", "1\n** exception exit: killed\n1\n");
    prints(
        "X = 1.\nspawn_link(fun() -> exit(oops) end), timer:sleep(1000).\nX.\n",
        "1\n** exception exit: oops\n1\n",
    );
}

#[test]
fn earlier_results_are_at_hand() {
    prints("1 + 1.\nv(1) + 1.\nv(-1) + 1.\n", "2\n3\n4\n");
    prints("v(9).\n1.\n", "* 9: command not found\n1\n");
    prints("X = 1.\nf(X).\ne(1).\nX.\n", "1\nok\n1\n1\n");
    prints("a.\nb.\nh().\n", "a\nb\n1: a\n-> a\n2: b\n-> b\nok\n");
    prints("history(1).\na.\nresults(0).\nb.\nh().\n", "20\na\n20\nb\n4: b\nok\n");
}

#[test]
fn programs_read_the_lines_behind_their_statement() {
    prints("io:get_line(\"\").\nhello\n1.\n", "\"hello\\n\"\n1\n");
    prints("{io:get_line(\"\"), io:get_line(\"\")}.\none\ntwo\n", "{\"one\\n\",\"two\\n\"}\n");
    prints("io:get_line(\"\").\n", "eof\n");
    prints("{ok, [N]} = io:fread(\"\", \"~d\"), N + 1.\n41\n", "42\n");
}

#[test]
fn long_results_are_cut_and_can_be_seen_whole() {
    let cut = session(b"lists:seq(1, 1000000).\n").0;
    assert_eq!(
        cut,
        "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,\n 23,24,25,26,27,28,29|...]\n"
    );
    let whole = session(b"lists:seq(1, 100).\nrp(v(1)).\n").0;
    assert!(whole.contains(",100]"), "{whole}");
}

#[test]
fn commands_answer() {
    prints("pid(0, 1, 0).\n", "<0.1.0>\n");
    prints("self() ! a, self() ! {b, 1}, flush().\nflush().\n", "Shell got a\nShell got {b,1}\nok\nok\n");
    prints("undefined_command(1).\n", "** exception error: undefined shell command undefined_command/1\n");
    prints("catch_exception(false).\n", "true\n");
    prints("c(nosuchfile).\n", "nosuchfile.erl: no such file or directory\nerror\n");
    let (help, _) = session(b"help().\n");
    for command in ["b()", "f(X)", "v(N)", "rr(File)", "c(File)", "erlet:watch(Path)", "h(Module, F)"] {
        assert!(help.contains(command), "{command} is missing in:\n{help}");
    }
    assert!(session(b"m(lists).\n").0.contains("map/2"));
    assert!(session(b"i().\n").0.contains("erlet_jobs"));
    assert!(session(b"regs().\n").0.contains("code_server"));
    assert!(session(b"h(lists, map).\n").0.starts_with("map(fun((A) -> B), [A]) -> [B]\n"));
    assert!(session(b"h(lists).\n").0.contains("flatten/1"));
    assert_eq!(session(b"h(math, pow).\n").0, "pow(number(), number()) -> float()\nok\n");
    assert!(
        session(b"h(erlang, element, 2).\n")
            .0
            .starts_with("element(N :: pos_integer(), tuple()) -> term()\n\n  Exceptions: ")
    );
    assert!(session(b"h(lists, keyfind).\n").0.starts_with("keyfind(Key, N, [Tuple]) -> Tuple | false\n"));
    assert!(session(b"uptime().\n").0.ends_with("seconds\nok\n"));
    assert!(session(b"erlet:time(fun() -> 42 end).\n").0.ends_with("unread\n42\n"));
}

/// Every row of the table of commands is a command: calling it is not refused as an undefined one.
#[test]
fn what_bitstrings_cannot_be_made_of_is_said() {
    prints(
        "<<1, (hd([a])):8>>.\n",
        "** exception error: construction of binary failed\n        \
         *** segment 2 of type 'integer': expected an integer but got: a\n",
    );
    let below = "*** segment 1 of type 'binary': the value <<1>> is shorter than the size of the segment\n     in call from lists:foreach";
    let (text, _) = session(b"lists:foreach(fun(X) -> <<X:2/binary>> end, [<<1>>]).\n");
    assert!(text.contains(below), "{text}");
}

#[test]
fn every_command_of_the_table_exists() {
    let input = b"Names = [N || N <- erlet_commands:names(), N =/= \"q\"], \
                  [{N, A} || N <- Names, A <- lists:seq(0, 3), \
                   erlang:function_exported(shell_default, list_to_atom(N), A)] =/= [].\n\
                  {module, shell_default} = code:ensure_loaded(shell_default), ok.\n\
                  Stateful = [\"b\",\"f\",\"history\",\"results\",\"v\",\"e\",\"catch_exception\",\"rd\",\"rr\",\"rl\",\"rf\",\"rp\",\"fl\",\"ff\",\"lf\",\"lt\",\"tf\",\"lr\",\"lm\",\"save_module\"], ok.\n\
                  [N || N <- Names, not lists:member(N, Stateful), \
                   [] =:= [A || A <- lists:seq(0, 3), erlang:function_exported(shell_default, list_to_atom(N), A)]].\n";
    let (out, _) = session(input);
    assert!(out.ends_with("ok\nok\n[]\n"), "{out}");
}

#[test]
fn bytes_that_are_no_program_harm_nobody() {
    let mut seed = 7_u64;
    for round in 0..20 {
        let mut bytes = Vec::new();
        for _ in 0..2000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            bytes.push((seed >> 40) as u8);
        }
        bytes.extend_from_slice(b"\n. \"'. \"\n.\n'\"'.\n\n1 + 1.\n");
        let (_, code) = session(&bytes);
        assert!(matches!(code, Some(0 | 1)), "round {round}: {code:?}");
    }
}

#[test]
fn text_without_end_or_too_deep_is_refused_politely() {
    let long = format!("length(\"{}\").\n1.\n", "a".repeat(10 << 20));
    assert_eq!(session(long.as_bytes()), ("10485760\n1\n".into(), Some(0)));
    for (open, close) in [("[", "]"), ("(", ")"), ("{", "}")] {
        let deep = format!("{}{}.\n1.\n", open.repeat(100_000), close.repeat(100_000));
        let (out, code) = session(deep.as_bytes());
        assert!(out.ends_with("\n1\n") && code == Some(1), "{open}: {code:?} {}", &out[..out.len().min(300)]);
    }
    let (out, _) = session(b"\"\xff\xfe\".\n1.\n");
    assert!(out.ends_with("1\n"), "{out}");
}

#[test]
fn completions_and_the_manual_page_are_printed() {
    for (arguments, expected) in [
        (["completions", "bash"], "complete -F"),
        (["completions", "zsh"], "#compdef erlet"),
        (["completions", "fish"], "complete -c erlet"),
        (["man", ""], ".TH erlet"),
    ] {
        let arguments = arguments.iter().filter(|argument| !argument.is_empty());
        let ended =
            Command::new(env!("CARGO_BIN_EXE_erlet")).args(arguments).output().expect("the command runs");
        let out = String::from_utf8_lossy(&ended.stdout).into_owned();
        assert!(ended.status.success() && out.contains(expected), "{expected}: {out}");
    }
}

/// The statements of `shell/inputs.txt` in one session of each, cut apart by marks.
fn answers(command: Command, inputs: &[&str]) -> Vec<String> {
    let mut text = String::new();
    for (i, input) in inputs.iter().enumerate() {
        text.push_str(&format!("{input}\nio:put_chars(\"@@@{i}\\n\").\n"));
    }
    let (out, _) = session_of(command, text.as_bytes());
    let mut rest = out.as_str();
    let mut answers = Vec::new();
    for (i, input) in inputs.iter().enumerate() {
        let mark = format!("@@@{i}\nok\n");
        let (answer, behind) =
            rest.split_once(&mark).unwrap_or_else(|| panic!("{input}: no mark behind {rest}"));
        let lines = answer.lines().filter(|line| !line.starts_with("Eshell")).map(without_prompts);
        answers.push(lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"));
        rest = behind;
    }
    answers
}

fn without_prompts(line: &str) -> &str {
    let mut rest = line;
    while let Some((number, behind)) = rest.split_once("> ") {
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        rest = behind;
    }
    rest
}

/// Inputs to which the answers differ from `erl`'s: what is in ours, and why.
///
/// - Several of `erl`'s differences come from its interpreter: what is compiled, as here, fails there as here (`maps:get/2` in `map_get/2`,
///   `!` in `erlang:send/2`, updates of maps without frames).
const DIFFERENT: &[(&str, &str, &str)] = &[
    (
        "io:format(\"~p ~w~n\", [one]).",
        "wants 2 arguments, but 1 given",
        "fails alike, but is warned of before",
    ),
    ("#{a => 1}#{zz := 2}.", "** exception error: bad key: zz", "no frames of an interpreter"),
    ("maps:get(k, #{}).", "in function  map_get/2", "compiled code calls this, in Erlang/OTP too"),
    (
        "nosuchname ! hi.",
        "called as erlang:send(nosuchname,hi)",
        "compiled code calls this, in Erlang/OTP too",
    ),
    ("lc([nosuchfile]).", "error", "nothing was compiled"),
    ("cd(\"nosuchdir\").", "nosuchdir: no such file or directory", "says why the folder is still the same"),
    ("ls(\"nosuchdir\").", "nosuchdir: no such file or directory", "says which folder"),
    ("f(lower).", "* f/1 takes a variable", "says what is wrong"),
    ("i(a,b,c).", "no function clause matching c:pid(a,b,c)", "the call that was wrong"),
    ("c(1,2,3).", "no function clause matching c:c(1,2,3)", "the line of the library"),
    ("memory(nosuch).", "*** argument 1: invalid memory type option", "natives have callers in traces"),
    ("h(nosuchmodule).", "{error,non_existing}", "says so in words too"),
    ("rr(\"nosuchfile\").", "{error,nofile}", "an empty list would be a file without records"),
    (
        "catch_exception(true).",
        "true",
        "evaluators and their tables outlive exceptions unless told otherwise",
    ),
    ("c(nosuchmodule).", "nosuchmodule.erl: no such file or directory", "says what was looked for"),
    ("m(nosuchmodule).", "undefined function nosuchmodule:module_info/0", "the line of the library"),
];

/// What is no difference: statements that are refused (`erl` says `* Line:Column: reason`, erlet shows the place), the explanations
/// below calls (`*** argument N: ...`), `interpreted function`, and lines of the library, each of which has its own. A call that
/// a fun at the prompt has no clause for is shown with `shell:'fun'`; records are listed (`rl`) as they were written.
fn comparable(answer: &str) -> String {
    let first = answer.lines().next().unwrap_or("");
    let place = first.strip_prefix("* ").and_then(|rest| rest.split_once(": ")).map(|(place, _)| place);
    if first.starts_with("error[") || place.is_some_and(|place| place.contains(':')) {
        return "refused".to_owned();
    }
    let lines = answer.lines().filter(|line| !line.trim_start().starts_with("*** argument"));
    let text = lines.collect::<Vec<_>>().join("\n").replace("interpreted function with", "fun with");
    let mut parts = text.split(", line ");
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |text, part| text + ", line " + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

fn is_erl_here() -> bool {
    let status = Command::new("erl").args(["-noshell", "-eval", "halt()"]).status();
    let is_here = status.is_ok_and(|status| status.success());
    if !is_here {
        eprintln!("skipped: there is no `erl` here");
    }
    is_here
}

#[test]
fn known_differences_from_erl_are_differences() {
    let inputs: Vec<&str> = DIFFERENT.iter().map(|(input, ..)| *input).collect();
    let own = answers(Command::new(env!("CARGO_BIN_EXE_erlet")), &inputs);
    for ((input, ours, _), own) in DIFFERENT.iter().zip(&own) {
        assert!(own.contains(ours), "{input} answers\n{own}");
    }
    if is_erl_here() {
        let theirs = answers(Command::new("erl"), &inputs);
        for ((input, _, why), (own, theirs)) in DIFFERENT.iter().zip(own.iter().zip(&theirs)) {
            assert!(own != theirs, "{input} is no difference ({why}): {own}");
        }
    }
}

#[test]
fn answers_are_those_of_erl() {
    if !is_erl_here() {
        return;
    }
    let all = include_str!("shell/inputs.txt");
    let inputs: Vec<&str> = all.lines().filter(|line| !line.is_empty() && !line.starts_with("%%")).collect();
    assert!(inputs.len() >= 200);
    let own = answers(Command::new(env!("CARGO_BIN_EXE_erlet")), &inputs);
    let theirs = answers(Command::new("erl"), &inputs);
    let mut different = String::new();
    for ((input, own), theirs) in inputs.iter().zip(&own).zip(&theirs) {
        if comparable(own) != comparable(theirs) {
            different.push_str(&format!("--- {input}\nerl:   {theirs}\nerlet: {own}\n"));
        }
    }
    assert!(different.is_empty(), "{different}");
}

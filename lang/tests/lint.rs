//! The linter on small programs: snapshots of what it says, and the kinds and lines compared with `erl_lint`.

mod support;

use erlet_lang::lint::{LintOptions, check};
use erlet_lang::{NoIncludes, ParseOptions, Session, parse_file};
use std::collections::BTreeSet;
use support::{Oracle, Otp};

/// Programs by name; a leading `-module(m).` and an export of `f` with all its arities are added unless the text
/// begins with `-module`.
const CASES: &[(&str, &str)] = &[
    ("unbound", "f(X) -> Y + X.\nf() -> Count = 1, Cuont + Count.\n"),
    ("unbound_underscore", "f() -> _.\n"),
    ("unused_variable", "f(X, Y) -> Z = Y, ok.\nf(_X) -> ok.\n"),
    ("unsafe_case", "f(X) -> case X of 1 -> Y = 1; _ -> ok end, Y.\n"),
    ("unsafe_if", "f(X) -> if X -> Y = 1; true -> Z = 2, Z end, Y.\n"),
    ("unsafe_receive", "f() -> receive a -> Y = 1; b -> ok end, Y.\n"),
    ("unsafe_catch", "f() -> catch (X = 1), X.\n"),
    ("unsafe_andalso", "f(A) -> A andalso (B = A), B.\n"),
    ("unsafe_try", "f() -> try A = 1 of _ -> B = A catch _:_ -> A after ok end, {A, B}.\n"),
    ("unsafe_in_try_clauses", "f() -> try X = g() of _ -> X catch _ -> X end.\ng() -> 1.\n"),
    ("exported_matched", "f(X) -> case X of 1 -> Y = 1; _ -> Y = 2 end, Y = 3, Y.\n"),
    ("exported_used", "f(X) -> case X of 1 -> Y = 1; _ -> Y = 2 end, Y.\n"),
    ("unused_in_one_branch", "f(X) -> case X of {a, Y} -> Y; {b, Y} -> ok end.\n"),
    ("shadowed", "f(X, L) -> F = fun(X) -> X end, F(X), [X || X <- L].\nf() -> fun F(F) -> F end.\n"),
    ("named_fun_unused", "f() -> fun F() -> 1 end.\n"),
    ("comprehension_scope", "f(L) -> [Y || _ <- (Y = L)].\nf() -> [X || X <- [1], Y <- X, Y > 1], X.\n"),
    ("stacktrace_guard", "f() -> try a catch _:_:S when S =/= [] -> S end.\n"),
    ("stacktrace_bound", "f(S) -> try a catch _:_:S -> S end.\nf() -> try a catch _:T:T -> T end.\n"),
    ("underscore_used", "f(_X) -> _X = 1, {_Y, _Y} = {1, 1}, ok.\n"),
    (
        "illegal_patterns",
        "f(X) -> case X of [g(X)] -> 1; {X + 1} -> 2; {1 + 2} -> 3 end.\nf() -> {fun() -> ok end} = f(1).\n",
    ),
    ("pattern_append", "f(\"ab\" ++ X) -> X.\nf([1, 2] ++ X, Y) -> {X, Y}.\nf(X, Y, Z) -> X ++ Y = Z, ok.\n"),
    (
        "map_patterns",
        "f(#{a => X}) -> X.\nf(K, #{K := V}) -> V.\nf(#{K := V}, _, K) -> V.\nf() -> K = a, #{K := V} = #{a => 1}, V.\n",
    ),
    ("binary_aliases", "f(<<A>> = <<B>>) -> {A, B}.\nf({<<A>>} = {<<B>>}, _) -> {A, B}.\n"),
    (
        "binary_aliases_in_lists_and_records",
        "-module(m).\n-export([f/1, g/1, h/1, i/1]).\n-record(r, {a, b, c}).\n-record(s, {x, y}).\nf([x | [<<A>>]] = [x, <<B>>]) -> {A, B}.\ng([x | T] = [x, <<B>>]) -> {T, B}.\nh(#r{b = <<A>>} = #s{y = <<B>>}) -> {A, B}.\ni(#r{b = <<A>>} = #s{x = <<B>>}) -> {A, B}.\n",
    ),
    (
        "map_keys_of_aliases",
        "-module(m).\n-export([f/1, g/1, h/1, i/1, j/1, k/2, l/1]).\nf(M) -> #{K := V} = #{k := K} = M, V.\ng(M) -> #{k := K} = #{K := V} = M, V.\nh(M) -> #{K := V} = X = #{k := K} = M, {X, V}.\ni(M) -> #{K := V} = K = M, V.\nj(M) -> {#{K := V}} = {#{k := K}} = M, V.\nk(K, M) -> #{K := V} = #{k := L} = M, {L, V}.\nl(#{K := V} = #{k := K}) -> V.\n",
    ),
    ("map_construction", "f(X) -> #{a := X}.\n"),
    (
        "illegal_guards",
        "f(X) when g(X) -> 1; f(X) when X = 1 -> 2; f(X) when lists:member(X, []) -> 3; f(X) when X ++ [] -> 4; f(X) when fun() -> X end -> 5; f(X) when self() ! X -> 6.\ng(_) -> true.\n",
    ),
    ("guard_slip", "f(X) when is_lst(X) -> X.\n"),
    ("old_guards", "f(X) when list(X) -> 1; f(X) when integer(X), not atom(X) -> 2.\n"),
    ("guard_operators", "f(X) when erlang:'+'(X, 1) > 2; erlang:is_atom(X) -> X.\n"),
    ("undefined_function", "f() -> revers([1]), g(1, 2), g(1), h().\ng(X) -> X.\n"),
    ("undefined_export", "-module(m).\n-export([f/1, g/0]).\nf(X) -> X.\n"),
    ("undefined_fun", "f() -> fun g/1.\nf(_) -> fun spawn/1.\n"),
    ("redefined_function", "f() -> 1.\nf(X) -> X.\nf() -> 2.\n"),
    ("unused_function", "f() -> ok.\ng() -> h().\nh() -> g().\nk() -> k().\n"),
    ("import_clash", "-module(m).\n-export([map/2]).\n-import(lists, [map/2]).\nmap(F, L) -> {F, L}.\n"),
    ("import_twice", "-module(m).\n-import(lists, [map/2]).\n-import(orddict, [map/2]).\n"),
    ("import_builtin", "-module(m).\n-import(a, [size/1]).\n-import(b, [max/2]).\n"),
    ("builtin_clash", "f(X) -> size(X), max(X, 1).\nsize(_) -> 1.\nmax(A, _) -> A.\n"),
    (
        "no_auto_import",
        "-module(m).\n-compile({no_auto_import, [size/1]}).\n-export([f/1]).\nf(X) -> size(X).\nsize(_) -> 1.\n",
    ),
    (
        "record_slip",
        "-module(m).\n-export([f/1]).\n-record(state, {count, name}).\nf(#stat{}) -> ok; f(X) -> X#state{conut = 1}.\n",
    ),
    (
        "record_fields",
        "-module(m).\n-export([f/1]).\n-record(r, {a, b}).\nf(X) -> {#r{a = 1, a = 2}, #r{c = 1}, X#r{_ = 1}, #r{a = 1, b = 2, _ = 3}, #r{X = 1}, X#r.c, #r.c}.\n",
    ),
    ("record_redefined", "-module(m).\n-record(r, {a, a}).\n-record(r, {b}).\n"),
    (
        "record_default",
        "-module(m).\n-record(r, {a = X = 1, b = g(), c = fun(Y) -> Y end}).\n-export([f/0]).\nf() -> #r{}.\ng() -> 1.\n",
    ),
    (
        "record_wildcard_pattern",
        "-module(m).\n-export([f/1]).\n-record(r, {a}).\nf(#r{a = 1, _ = 2}) -> ok.\n",
    ),
    ("unused_record", "-module(m).\n-record(r, {a}).\n"),
    (
        "record_info",
        "-module(m).\n-export([f/1]).\n-record(r, {a}).\nf(X) -> {record_info(fields, r), record_info(size, s), record_info(X, r), record_info(other, r)}.\n",
    ),
    (
        "bit_types",
        "f(X) -> <<X/foo, X/integer-float, X:8/utf8, X/unit:8, X/integer-unit:8, X:4/little-big, X/binary-unit:300, X:10/float>>.\n",
    ),
    (
        "bit_patterns",
        "f(<<X/binary, Y>>) -> {X, Y}.\nf(<<\"abc\":8>>, _) -> 1.\nf(<<N, X:N>>, _, _) -> X.\nf(N, <<X:N>>, _, _) -> X.\nf(<<{}>>, 1, _, _, _) -> 1.\nf(<<X:foo>>, 1, 2, 3, _, _) -> X.\n",
    ),
    ("bit_size_in_same_head", "f(N, <<X:N>>) -> X.\n"),
    ("bit_generator", "f(B) -> [X || <<X/binary>> <= B].\n"),
    ("illegal_expression", "f() -> lists:map.\n"),
    (
        "attributes_after_functions",
        "f() -> ok.\n-import(lists, [map/2]).\n-vsn(1).\n-record(r, {a}).\ng() -> #r{}.\n",
    ),
    ("no_module", "-module (m). f() -> 1.\n-module(n).\n"),
    ("on_load", "-module(m).\n-on_load(init/1).\n-on_load(other/0).\ninit(_) -> ok.\n"),
    ("on_load_undefined", "-module(m).\n-on_load(init/0).\n"),
    ("inline_undefined", "-module(m).\n-compile({inline, [g/1]}).\n"),
    (
        "deprecated_attribute",
        "-module(m).\n-export([f/0]).\n-deprecated([{f, 0}, {g, 1}]).\n-removed([{f, 0, \"gone\"}]).\nf() -> ok.\n",
    ),
    ("export_all", "-module(m).\n-compile(export_all).\nf() -> ok.\n"),
    ("duplicate_export", "-module(m).\n-export([f/0]).\n-export([f/0]).\nf() -> ok.\n"),
    (
        "types_undefined",
        "-module(m).\n-export_type([t/0]).\n-type t() :: intger() | u(atom()) | m:v() | list(integer()).\n-type u() :: a.\n",
    ),
    ("types_redefined", "-module(m).\n-export_type([t/0]).\n-type t() :: a.\n-type t() :: b.\n"),
    (
        "types_unused",
        "-module(m).\n-type t() :: u().\n-type u() :: t().\n-opaque o() :: a.\n-opaque p() :: any().\n-export_type([p/0]).\n",
    ),
    (
        "type_variables",
        "-module(m).\n-export([f/1]).\n-export_type([t/1, u/1]).\n-type t(A) :: a.\n-type u(A) :: {A, B}.\n-spec f(A) -> ok.\nf(_) -> ok.\n",
    ),
    ("type_forms", "-module(m).\n-export_type([t/0]).\n-type t() :: 5..1 | 1 + a | <<_:-1>>.\n"),
    (
        "specs",
        "-spec g() -> ok.\n-spec f(a) -> b; (a, b) -> c.\n-spec f(a) -> b.\n-spec other:h() -> ok.\nf(a) -> b.\n",
    ),
    (
        "callbacks",
        "-module(m).\n-callback a() -> ok.\n-callback a() -> ok.\n-callback x:b() -> ok.\n-optional_callbacks([c/0, c/0]).\n",
    ),
    (
        "behaviour_info",
        "-module(m).\n-export([behaviour_info/1]).\n-callback a() -> ok.\nbehaviour_info(callbacks) -> [].\n",
    ),
    ("behaviour", "-module(m).\n-behaviour(gen_server).\n-export([init/1]).\ninit(_) -> ok.\n"),
    (
        "formats",
        "f(X) -> io:format(\"~p ~p\", [X]), io:format(\"~y\", []), io:format(\"~p\"), io:format(\"~s\", X), io_lib:format(\"~w\", [X, X]), io:format(\"~p\", {X}).\n",
    ),
    ("deprecated_calls", "f() -> erlang:now(), now(), random:uniform().\n"),
    ("invalid_calls", "f() -> 1(), \"x\"(), {a, b, c}().\n"),
    (
        "invalid_record_base",
        "-module(m).\n-export([f/0]).\n-record(r, {a}).\nf() -> {(1)#r.a, \"x\"#r{a = 1}}.\n",
    ),
    ("apply_variables_once", "f() -> g(X = 1, X = 2), X.\ng(A, B) -> {A, B}.\nf(L) -> g(Y = L, Y).\n"),
    ("maybe_scope", "f() -> maybe {ok, A} ?= g(), B = A else _ -> A end, {A, B}.\ng() -> {ok, 1}.\n"),
    ("receive_timeout", "f(T) -> receive X -> Y = X after T -> Y = 0 end, Y.\n"),
    (
        "nested_funs",
        "f(X) -> F = fun(Y) -> fun(Z) -> X + Y + Z end end, (F(1))(2).\nf() -> fun() -> Q = 1 end.\n",
    ),
    ("match_in_guardless_if", "f(A) -> if A =:= 1 -> B = 1; A =:= 2 -> B = 2 end, B.\n"),
    ("nif", "-module(m).\n-nifs([f/0, g/0]).\n-export([f/0]).\nf() -> ok.\n"),
];

/// What only later passes of OTP warn of, or OTP 27, or nobody else: shown, but not compared.
const MORE: &[(&str, &str)] = &[
    // OTP 26 and later let programs do so.
    (
        "types_hide_builtins",
        "-module(m).\n-export_type([t/0]).\n-type dynamic() :: term().\n-type string(X) :: {X}.\n-type list() :: c.\n-type t() :: dynamic() | string(a) | list().\n",
    ),
    (
        "types_may_hide_builtins",
        "-module(m).\n-compile(nowarn_redefined_builtin_type).\n-export_type([dynamic/0]).\n-type dynamic() :: term().\n",
    ),
    ("undefined_record", "f(X) -> #nope{a = X}.\nf() -> #nope.a.\n"),
    (
        "unreachable",
        "f(_) -> a; f(x) -> b.\nf(a, 1) -> 1; f(a, 1) -> 2; f(_, _) -> 3; f(b, _) -> 4.\nf(X, Y, _) -> case X of Y -> Y; {a, _} -> 1; {a, b} -> 2; [_ | _] -> 3; [1, 2] -> 4; Z -> Z; z -> 5 end.\n",
    ),
    ("unreachable_if", "f(X) -> if true -> a; X -> b end.\n"),
    (
        "false_guards",
        "f(X) when false -> X; f(X) when X, 1 > 2 -> X; f(X) when is_atom(1); a -> X; f(X) when not (X andalso false) -> X; f(X) when X; false -> X; f(_) -> ok.\nf(X, Y) -> if false -> X; is_list([]) -> Y; X -> 1 end, [A || A <- X, 1 =:= 2], case {X, 1} of {_, 2} -> 1; {_, 1} -> 2; a -> 3 end.\nf(X, _, _) -> fun (A) when A =:= 1, 2.0 == 1 -> 1; (_) when is_tuple({}) orelse X, true -> 2; (_) -> 3 end, try X of Y when ok -> Y; _ -> 1 catch _:_ when \"s\" -> 2; throw:_ -> 3 end.\n",
    ),
    (
        "ignored",
        "f(X) -> 1, \"s\", {a, X}, X, X + 1, fun() -> X end, self(), X == 1, #{a => X}, [X || _ <- X], a, [], [X], length(X), not X, X andalso X, list_to_atom(X), lists:reverse(X), ok.\n",
    ),
    ("never_matches", "f() -> {a, b} = ok, 1 = 2, {ok, _} = {error, 1}, ok = error.\n"),
    (
        "no_clause",
        "f() -> case 1 of 2 -> a; {_, _} -> b end, case foo of [_ | _] -> c; bar -> d end.\nf(X) -> case \"abc\" of [X | _] -> e end, case 1 of 1 -> f; 2 -> g end, case foo of X -> h; 2 -> i end.\n",
    ),
    ("arithmetic", "f(X) -> 1 + a, X * \"s\".\n"),
    ("float_zero", "f(0.0) -> a; f(+0.0) -> b.\n"),
    ("missing_module", "f() -> ssl:connect(a), lists:map(b, c), my_own:thing(), crypto:hash(a, b).\n"),
    ("zip", "f(A, B) -> [X + Y || X <- A && Y <- B].\n"),
    ("map_comprehension", "f(M) -> #{K => V + 1 || K := V <- M, K =/= a}.\n"),
];

fn program(text: &str) -> String {
    if text.starts_with("-module") {
        return text.to_owned();
    }
    let exports = (0..8).filter(|arity| defines(text, *arity)).map(|arity| format!("f/{arity}"));
    format!("-module(m). -export([{}]). {text}", exports.collect::<Vec<_>>().join(", "))
}

/// Whether a line begins a function `f` of this arity.
fn defines(text: &str, arity: usize) -> bool {
    let mut session = Session::new();
    let file = parse_file(&mut session, "m.erl", text.as_bytes(), &ParseOptions::default(), &mut NoIncludes);
    file.forms.iter().any(|form| match &form.kind {
        erlet_lang::ast::FormKind::Function(function) => {
            session.names.text(function.name.name) == "f" && function.arity as usize == arity
        }
        _ => false,
    })
}

fn lint(text: &str, modules: Option<Vec<String>>) -> Session {
    let mut session = Session::new();
    let file = parse_file(&mut session, "m.erl", text.as_bytes(), &ParseOptions::default(), &mut NoIncludes);
    let options = LintOptions { modules, ..LintOptions::default() };
    check(&mut session, &file, &options);
    session
}

#[test]
fn what_it_says() {
    for (name, text) in CASES.iter().chain(MORE) {
        let mut session = lint(&program(text), Some(vec!["lists".to_owned()]));
        insta::assert_snapshot!(format!("lint_{name}"), session.render(false).trim_end());
    }
}

/// Errors and warnings of `erl_lint` by line; what else OTP's kinds are called does not matter here.
#[test]
fn errors_and_warnings_stand_where_erl_lint_has_them() {
    let Some(_) = Otp::find() else { return };
    let folder = std::env::temp_dir().join(format!("erlet-lint-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let path = folder.join("m.erl");
    let mut oracle = Oracle::start("lint");
    let mut differences = Vec::new();
    for (name, text) in CASES {
        let text = program(text);
        std::fs::write(&path, &text).expect("written");
        oracle.ask(&format!("{}", path.display()));
        let (mut theirs, mut kinds) = (BTreeSet::new(), Vec::new());
        for answer in oracle.answers() {
            let parts: Vec<&str> = answer.split(' ').collect();
            theirs.insert((parts[0].to_owned(), parts[2].parse::<u32>().expect("a line")));
            kinds.push(answer);
        }
        let session = lint(&text, None);
        let mut ours = BTreeSet::new();
        for diagnostic in &session.diagnostics {
            ours.insert((diagnostic.code.text()[..1].to_owned(), session.sources.line(diagnostic.span)));
        }
        if ours != theirs {
            differences.push(format!("{name}: OTP {kinds:?}\n    erlet {ours:?}"));
        }
    }
    oracle.end();
    let _ = std::fs::remove_dir_all(&folder);
    assert!(differences.is_empty(), "{} of {}:\n{}", differences.len(), CASES.len(), differences.join("\n"));
}

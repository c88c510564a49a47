//! Snapshots of the stages behind the parser: the source above, what the stage makes of it below. And properties that
//! no snapshot shows.

use crate::bytecode::{Instr, Module};
use crate::{NoIncludes, Options, Session, compile, parse_file};

fn with_source(source: &str, output: &str) -> String {
    format!("{}\n----\n{}", source.trim(), output.trim_end())
}

/// A module around functions, all exported.
fn module_text(source: &str) -> String {
    format!("-module(m).\n-compile([export_all, nowarn_export_all]).\n{source}")
}

fn compiled(source: &str) -> Module {
    let text = module_text(source);
    let mut compilation = compile("m.erl", text.as_bytes(), &Options::default(), &mut NoIncludes);
    let module = compilation.module.take();
    module.unwrap_or_else(|| panic!("{}", compilation.session.render(false)))
}

/// Core, without the functions that every module has.
fn check_core(source: &str) -> String {
    let mut session = Session::new();
    let options = Options::default();
    let text = module_text(source);
    let file = parse_file(&mut session, "m.erl", text.as_bytes(), &options.parse, &mut NoIncludes);
    let core = crate::lower::lower(&mut session, &file, &options);
    let mut core = core.unwrap_or_else(|| panic!("{}", session.render(false)));
    core.functions.retain(|function| session.names.text(function.name) != "module_info");
    with_source(source, &crate::core::print(&core, &session.names))
}

/// The instructions of all functions but `module_info`.
fn check_code(source: &str) -> String {
    let module = compiled(source);
    crate::verify::verify(module.clone()).expect("compiled code is accepted");
    let text = crate::asm::print(&module);
    let functions: Vec<&str> = text
        .split("\n\n")
        .filter(|part| part.starts_with("function ") && !part.starts_with("function module_info/"))
        .collect();
    with_source(source, &functions.join("\n\n"))
}

macro_rules! snapshots {
    ($check:ident: $($name:ident $source:literal;)*) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!($check($source));
        }
    )*};
}

snapshots! { check_core:
    core_case_exports_variables "f(X) -> case X of 1 -> Y = a; {Y, _} -> ok end, Y.";
    core_records_are_tuples "-record(r, {a, b = 2}).\nf(R) -> R#r{a = R#r.b}.\ng() -> #r{_ = x}.";
    core_short_circuit "f(X, Y) -> X andalso Y orelse f(Y, X).";
    core_comprehension "f(L, M) -> [{X, Y} || X <- L, X > 1, Y <- M, g(Y)].\ng(_) -> true.";
    core_bitstring_comprehension "f(B) -> << <<(X + 1)>> || <<X:4>> <= B >>.";
    core_try_with_after "f(X) -> try g(X) of 1 -> one catch error:R:S -> {R, S} after g(0) end.\ng(X) -> X.";
    core_maybe "-feature(maybe_expr, enable).\nf(X) -> maybe {ok, Y} ?= X, Y else error -> none end.";
    core_named_fun_captures "f(Y) -> fun F(0) -> Y; F(N) -> F(N - 1) end.";
    core_constants_fold "f() -> {1 + 2 * 3, -1, [1, 2 | [3]], <<1, 2:4, 3:4>>, #{a => [b]}, \"ab\" ++ \"cd\"}.";
    core_repeated_variable "f(X, {X, Y}, Y) -> Y.";
}

snapshots! { check_code:
    code_fib "fib(N) when N < 2 -> N;\nfib(N) -> fib(N - 1) + fib(N - 2).";
    code_append "app([], L) -> L;\napp([H | T], L) -> [H | app(T, L)].";
    code_tagged_tuples "f({add, X, Y}) -> X + Y;\nf({neg, X}) -> -X;\nf(_) -> none.";
    code_many_atoms "f(a) -> 1;\nf(b) -> 2;\nf(c) -> 3;\nf(1) -> d;\nf([]) -> e.";
    code_balanced "b({r, {r, A, X, B}, Y, C}, Z, D) -> {r, {b, A, X, B}, Y, {b, C, Z, D}};\n\
        b({r, A, X, {r, B, Y, C}}, Z, D) -> {r, {b, A, X, B}, Y, {b, C, Z, D}};\n\
        b(A, X, {r, {r, B, Y, C}, Z, D}) -> {r, {b, A, X, B}, Y, {b, C, Z, D}};\n\
        b(A, X, B) -> {b, A, X, B}.";
    code_boolean_case "f(X, Y) -> case X > 1 andalso Y < 2 of true -> a; false -> b end.";
    code_receive_with_reference "f(R, P) -> P ! {R, self()}, receive {R, X} -> X after 10 -> none end.";
    code_receive_without_frame "loop(N) -> receive {add, M} -> loop(N + M); stop -> N end.";
    code_receive_timeout_only "sleep(T) -> receive after T -> ok end.";
    code_receive_guard_builds "f(S) -> receive {A, B} when is_map_key({A, [B]}, S) -> A end.";
    code_receive_anything_keeps_what_was_before "f(A, B) -> receive M -> g(M, A, B) after 0 -> g(A, B) end.\n\
        g(A, B) -> {A, B}.\ng(A, B, C) -> {A, B, C}.";
    code_catch "f(X) -> case catch g(X) of {'EXIT', R} -> R; V -> V end.\ng(X) -> X.";
    code_try_in_try "f(X) -> try try g(X) catch throw:T -> g(T) end catch error:E -> E end.\ng(X) -> X.";
    code_after_reraises "f(X) -> try g(X) after g(done) end.\ng(X) -> X.";
    code_dead_slots_are_trimmed "f(A, B, C) -> X = g(A), g(B), g(C), {X, g(X)}.\ng(X) -> X.";
    code_map_match "f(#{a := X, b := 1}) -> X;\nf(#{a := X}) -> {X};\nf(M) when is_map(M) -> M#{a => 1}.";
    code_binary_loop "sum(<<X, R/binary>>, A) -> sum(R, A + X);\nsum(<<>>, A) -> A.";
    code_binary_protocol "p(<<1, L:16, B:L/binary, R/binary>>) -> {B, R};\np(<<2, R/bits>>) -> R;\n\
        p(<<\"GET \", R/binary>>) -> {get, R}.";
    code_case_on_tuple_is_not_built "f(X, Y) -> case {X, Y} of {a, b} -> 1; {b, _} -> 2 end.";
    code_shared_body "f(X) when X =:= 1; X =:= 2 -> g(X);\nf(X) -> X.\ng(X) -> X.";
    code_frame_on_one_way "f(X) -> Y = case X of a -> g(X); _ -> 1 end, g(Y), Y.\ng(X) -> X.";
    code_apply "f(M, F, A) -> {apply(M, F, [A]), apply(m, g, [A]), apply(F, A), M:F(A)}.\ng(X) -> X.";
}

#[test]
fn hundreds_of_clauses_stay_linear() {
    // Rows that do not care between rows that do: dealing them all out would square the code.
    let clause = |i: u32| format!("f({{a{i}, X}}, _) -> {{X, {i}}};\nf(_, b{i}) -> {i};\n");
    let size = |count: u32| {
        let clauses: String = (0..count).map(clause).collect();
        let module = compiled(&format!("{clauses}f(_, _) -> none.\n"));
        module.functions.iter().map(|function| function.code.len()).sum::<usize>()
    };
    let (small, large) = (size(100), size(400));
    assert!(large < small * 5, "{small} instructions for 100 clauses, {large} for 400");
}

#[test]
fn one_big_select_for_many_atoms() {
    let clauses: Vec<String> = (0..500).map(|i| format!("f(a{i}) -> {i}")).collect();
    let module = compiled(&format!("{}.\n", clauses.join(";\n")));
    let select = module.functions[0].code.iter().find_map(|instr| match instr {
        Instr::SelectVal { cases, .. } => Some(cases.len()),
        _ => None,
    });
    assert_eq!(select, Some(500));
}

#[test]
fn the_same_source_gives_the_same_bytes() {
    let source = "f(L) -> [{X, fun(Y) -> {X, Y} end} || X <- L, is_atom(X)].\ng(M) -> M#{a => b, c => d}.\n";
    assert_eq!(compiled(source), compiled(source));
    assert_ne!(compiled(source).md5, compiled("f(_) -> 1.").md5);
}

#[test]
fn long_flat_and_deep_sources_compile() {
    let sum = (0..3000).map(|i| format!("X{}", i % 10)).collect::<Vec<_>>().join(" + ");
    let append = vec!["L"; 2000].join(" ++ ");
    let list = (0..50_000).map(|i| i.to_string()).collect::<Vec<_>>().join(", ");
    let steps: String = (1..4000).map(|i| format!("A{i} = g(A{}),\n", i - 1)).collect();
    let params = (0..10).map(|i| format!("X{i}")).collect::<Vec<_>>().join(", ");
    let source = format!(
        "f({params}) -> {sum}.\nh(L) -> {append}.\nl() -> [{list}].\ns(A0) -> {steps} A3999.\ng(X) -> X.\n\
         t(X) -> {{{}X}}.\n",
        "X, ".repeat(800)
    );
    crate::verify::verify(compiled(&source)).expect("compiled code is accepted");
}

#[test]
fn too_many_values_at_once_are_refused() {
    let vars: Vec<String> = (0..6000).map(|i| format!("V{i}")).collect();
    let bind: String = vars.iter().map(|var| format!("{var} = g(),\n")).collect();
    let text = module_text(&format!("f() -> {bind} {{{}}}.\ng() -> 1.\n", vars.join(", ")));
    let mut compilation = compile("m.erl", text.as_bytes(), &Options::default(), &mut NoIncludes);
    assert!(compilation.module.is_none());
    assert!(compilation.session.render(false).contains("too many values at once"));
}

//! Snapshots of each stage of the front end: the source above, what the stage makes of it below.

mod support;

use erlet_lang::preprocess::Preprocessor;
use erlet_lang::token::{Token, lex};
use erlet_lang::{IncludeError, Loader, ParseOptions, Session, parse_exprs, parse_file};
use support::abstract_format;

/// Headers for the tests.
struct Headers;

impl Loader for Headers {
    fn include(&mut self, path: &str, _from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        let text = match path {
            "inner.hrl" => "-define(INNER(X), {inner, X}).\n",
            "broken.hrl" => "-define(BROKEN, 1 +).\n-record(r, {a = }).\n",
            "endless.hrl" => "-include(\"endless.hrl\").\n",
            _ => return Err(IncludeError::NotFound),
        };
        Ok((path.to_owned(), text.as_bytes().to_vec()))
    }

    fn include_lib(&mut self, path: &str, _from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        match path {
            "app/include/lib.hrl" => Ok((path.to_owned(), b"-define(LIB, lib).\n".to_vec())),
            _ => Err(IncludeError::NotFound),
        }
    }
}

fn with_source(source: &str, output: &str) -> String {
    format!("{}\n----\n{}", source.trim_end(), output.trim_end())
}

/// Tokens, one a line.
fn check_tokens(source: &str) -> String {
    let mut session = Session::new();
    let id = session.sources.add("test.erl", source).expect("fits");
    let lexed = lex(&mut session, id);
    let mut out = String::new();
    for spanned in &lexed.tokens {
        let kind = format!("{:?}", spanned.token);
        let kind = kind.split('(').next().unwrap_or(&kind);
        let shown = spanned.token.show(&session.names);
        let text = session.sources.text(spanned.span);
        match matches!(spanned.token, Token::Error(_)) {
            true => out.push_str(&format!("{kind} at `{text}`\n")),
            false => out.push_str(&format!("{kind} {shown}\n")),
        }
    }
    session.diagnostics = lexed.errors;
    out.push_str(&session.render(false));
    with_source(source, &out)
}

/// The tokens of each form after preprocessing, one form a line.
fn check_preprocess(source: &str) -> String {
    let mut session = Session::new();
    let mut loader = Headers;
    let options = ParseOptions::default();
    let mut preprocessor =
        Preprocessor::new(&mut session, "test.erl", source.as_bytes(), &options, &mut loader)
            .expect("the text fits");
    let (mut tokens, mut out) = (Vec::new(), String::new());
    while preprocessor.next_form(&mut session, &mut tokens) {
        let shown: Vec<String> = tokens.iter().map(|t| t.token.show(&session.names)).collect();
        out.push_str(&shown.join(" "));
        out.push('\n');
    }
    out.push_str(&session.render(false));
    with_source(source, &out)
}

/// The forms in the abstract format, one a line.
fn check_parse(source: &str) -> String {
    let mut session = Session::new();
    let file =
        parse_file(&mut session, "test.erl", source.as_bytes(), &ParseOptions::default(), &mut Headers);
    let mut out = String::new();
    for form in &file.forms {
        out.push_str(&abstract_format::form(&session.names, form));
        out.push('\n');
    }
    out.push_str(&session.render(false));
    with_source(source, &out)
}

/// Expressions in the abstract format, each line of the source parsed alone.
fn check_exprs(source: &str) -> String {
    let mut out = String::new();
    for line in source.lines() {
        let mut session = Session::new();
        let exprs = parse_exprs(&mut session, "test", line, &ParseOptions::default());
        out.push_str(&format!("{line}\n"));
        for expr in exprs.iter().flatten() {
            out.push_str(&format!("    {}\n", abstract_format::expr(&session.names, expr)));
        }
        out.push_str(&session.render(false));
    }
    out
}

/// Only the diagnostics.
fn check_errors(source: &str) -> String {
    let mut session = Session::new();
    parse_file(&mut session, "test.erl", source.as_bytes(), &ParseOptions::default(), &mut Headers);
    session.render(false).trim_end().to_owned()
}

macro_rules! snapshots {
    ($check:ident: $($name:ident $source:expr;)*) => {
        $(#[test] fn $name() { insta::assert_snapshot!($check($source)); })*
    };
}

snapshots! { check_tokens:
    tokens_numbers "0 1_000 16#Ff 2#1010 36#zZ 1.5 1.0e3 1.5E-2 1_0.2_5 9223372036854775807 9223372036854775808 \
        16#8000_0000_0000_0000 1..2 1.e";
    tokens_faulty_numbers "1#0. 37#1. 16#. 1.0e. 1.0e400.";
    tokens_characters r"$a $\n $\s $\\ $\x41 $\x{1F600} $\^A $\^? $\101 $ä $  $' '$'";
    tokens_faulty_characters r"$\x{D800} . $\xG . $\^! . $\x{110000} .";
    tokens_strings r#""" "a\tb" "ä\x{e4}" "two
lines" "a\
b" 'quoted atom' 'don\'t' "\"""#;
    tokens_adjacent_strings r#"f() -> "a""b"."#;
    tokens_sigils r##"~"ab\n" ~b"x" ~B"\n" ~s"str" ~S(a\)b) ~[list] ~{x} ~<y> ~/a\/b/ ~|p| ~'q' ~`t` ~#h#"##;
    tokens_faulty_sigils "~x\"a\". ~\"a\"suffix. ~b 1.";
    tokens_triple_quoted "\"\"\"\n  first\n    indented\n\n  \"quotes\" and \\n\n  \"\"\" \"\"\"\"\n \"\"\"\n \"\"\"\" ~b\"\"\"\n \\x41\n \"\"\"";
    tokens_faulty_triple_quoted "\"\"\" text\n \"\"\".\n\"\"\"\n less\n  \"\"\".";
    tokens_triple_quoted_escaped_newline "~b\"\"\"\n a\\\n \"\"\"";
    tokens_unterminated "f() -> \"abc.\ng() -> ok.\n";
    tokens_dots "#r.a. X=..Y ... a.%c\nb.";
    tokens_operators "<:- <:= <- <= << =< => := ?= :: -> -- ++ =:= =/= /= == && || | ! . ";
    tokens_keywords "maybe else and andalso 'maybe' cond let";
    tokens_symbols "@ \\ ^ ~ § \u{20AC} .";
    tokens_letters "åäö Ångström ÷ aÅ×";
}

snapshots! { check_preprocess:
    preprocess_define "-define(A, 1).\n-define(B(X, Y), X + Y + ?A).\nf() -> ?A, ?B(2, {3, 4}), ?B(?A, ?B(5, 6)).\n";
    preprocess_overload "-define(M, none).\n-define(M(), zero).\n-define(M(X), {one, X}).\nf() -> ?M, ?M(), ?M(1).\n";
    preprocess_plain_macro_before_parenthesis "-define(F, foo).\nf() -> ?F(1, 2).\n";
    preprocess_stringify "-define(S(X), {??X, X}).\nf() -> ?S(a + \"b\" ++ $c), ?S(foo:bar('B c', 1.5)).\n";
    preprocess_predefined "-module(m).\nf(A, {B, C}) -> ?MODULE, ?MODULE_STRING, ?LINE, ?FILE, ?FUNCTION_NAME,\n ?FUNCTION_ARITY, ?MACHINE, ?OTP_RELEASE, ?FEATURE_AVAILABLE(maybe_expr), ?FEATURE_ENABLED(x), ?BEAM.\n";
    preprocess_conditionals "-define(D, 1).\n-ifdef(D).\na.\n-else.\nb.\n-endif.\n-ifndef(D).\n-ifdef(E).\nc.\n-else.\nd.\n-endif.\n-else.\ne.\n-endif.\n-if(?OTP_RELEASE < 20).\nf.\n-elif(?D =:= 1 andalso defined(D)).\ng.\n-elif(true).\nh.\n-else.\ni.\n-endif.\n-undef(D).\n-ifdef(D).\nj.\n-endif.\n";
    preprocess_condition_that_fails_is_false "-if(length(foo) > 1 + 1.0 / 0).\na.\n-endif.\n-if(element(2, {a, b}) =:= b).\nb.\n-endif.\n";
    preprocess_skipped_text_may_be_anything "-ifdef(NO).\nf() -> $\\x{D800} ?UNKNOWN( .\n-endif.\ng.\n";
    preprocess_include "-include(\"in\" \"ner.hrl\").\n-include_lib(\"app/include/lib.hrl\").\nf() -> ?INNER(?LIB).\n";
    preprocess_include_errors "-include(\"missing.hrl\").\n-include(missing).\n-include(\"endless.hrl\").\n";
    preprocess_messages "-error(\"text\").\n-warning({a, 1}).\n-warning(.\n-error(f(x)).\n";
    preprocess_file_attribute "-file(\"other.yrl\", 10).\na() -> ?LINE,\n?FILE.\n";
    preprocess_feature_off "-feature(maybe_expr, disable).\nf() -> maybe.\n";
    preprocess_feature_errors "-feature(other, enable).\nf() -> ok.\n-feature(maybe_expr, enable).\n-feature(x).\n";
    preprocess_macro_errors "-define(A(X), X).\n-define(B, ?C).\n-define(C, ?B).\n-define(A(Y), Y).\n-define(LINE, 1).\nf() -> ?A.\ng() -> ?AA(1).\nh() -> ?B.\ni() -> ?A(1, 2).\nj() -> ?A(.\nk() -> ?1.\nl() -> ?A().\n";
    preprocess_define_errors "-define(.\n-define(A 1).\n-define(A(X, X), 1).\n-define(A(x), 1).\n-define(A, 1.\n-define(1, 1).\n-undef(1).\n";
    preprocess_unbalanced "-else.\n-endif.\n-elif(true).\n-ifdef(A).\n-else.\n-else.\nx.\n-endif.\n-ifdef(A).\n";
    preprocess_condition_errors "-if(X > 1).\na.\n-endif.\n-if(foo bar).\nb.\n-endif.\n-if(fun() -> ok end).\n-endif.\n";
    preprocess_function_macros_outside "-export([?FUNCTION_NAME/1]).\n?FUNCTION_NAME() -> ok.\n";
    preprocess_growth_is_bounded &doubling();
}

/// Forty macros, each twice the one before.
fn doubling() -> String {
    let mut text = "-define(M0, x).\n".to_owned();
    for i in 1..=40 {
        text.push_str(&format!("-define(M{i}, ?M{0}, ?M{0}).\n", i - 1));
    }
    text + "f() -> ?M40.\n"
}

snapshots! { check_exprs:
    exprs_precedence "1 + 2 * 3 - 4.\nA = B = C ! D.\nA orelse B andalso C orelse D.\na ++ b -- c ++ d.\n- - 1.\nnot A == B.\n- A + B.\n1 - 2 - 3 bsl 4 bor 5 div 6 rem 7 band 8.\nA ! B = C.\n{1, 2} =:= X.";
    exprs_catch_swallows_all "1 + catch 2 + 3.\nA == catch B == C.\n- catch 1.\nA = catch B = C.\ncatch A, B.\nX = 1 + catch 2.";
    exprs_comparison_does_not_chain "1 < 2 < 3.";
    exprs_calls "f().\nm:f(1).\nF(1)(2).\n(F(1))(2).\nm:F(1).\n(m:f)(1).\nf (x).\na:b:c().";
    exprs_lists "[].\n[1].\n[1, 2 | 3].\n[1 | [2]].\n\"a\" \"b\" ++ [$c].";
    exprs_maps "#{}.\n#{a => 1, b := 2}.\nM#{a => 1}#{b => 2}.\n(f())#{a => 1}.\n#{a => 1}#{b := 2}.\n#{K => V || K := V <- M, V > 1}.";
    exprs_records "#r{}.\n#r{a = 1, _ = 2}.\n#r.a.\nX#r.a.\nX#r{a = 1}.\nX#r{a = 1}#r.b#s{c = 2}.\nX#{a => 1}#r.b.";
    exprs_binaries "<<>>.\n<<1, 2:8, X/binary, Y:N/little-signed-integer-unit:8>>.\n<<-1:16>>.\n<<(X + 1):8, \"abc\"/utf8>>.\n~\"bin\".\n<<<<X>> || <<X:4>> <= B>>.\n<<1 + 2>>.";
    exprs_comprehensions "[X || X <- L].\n[X || X <- L, X > 1, Y <:- M].\n[{X, Y} || X <- L && Y <- M && <<Z>> <:= B].\n[K || K := _ <:- M].\n[X || X <= B].";
    exprs_control "if A -> b; true -> c end.\ncase X of 1 when A, B; C -> d; _ -> e end.\nreceive a -> b after 10 -> c end.\nreceive after 1 -> ok end.\nreceive X -> X end.\nbegin a, b end.";
    exprs_try "try a catch b -> c end.\ntry a of b -> c catch error:d:S when S -> e; C:_ -> f after g end.\ntry a after b end.\ntry a end.\ntry a catch x:y:z -> ok end.";
    exprs_funs "fun f/1.\nfun m:f/1.\nfun M:F/A.\nfun () -> ok end.\nfun (A) when A -> b; (_) -> c end.\nfun F(0) -> 1; F(N) -> N * F(N - 1) end.\nfun (A) -> a; (A, B) -> b end.\nfun F() -> a; G() -> b end.";
    exprs_maybe "maybe ok end.\nmaybe {ok, A} ?= f(), A end.\nmaybe A ?= 1, B = 2 else _ -> 3 end.\nA ?= 1.";
    exprs_missing_dot_is_added "1, 2";
    exprs_two_dots "1. 2.";
    exprs_empty ".";
}

snapshots! { check_parse:
    parse_attributes "-module(m).\n-export([f/1, 'G h'/2]).\n-import(lists, [map/2]).\n-compile([export_all, {inline, [f/1]}]).\n-behaviour(b).\n-export_type([t/0]).\n-optional_callbacks([c/1]).\n-on_load(init/0).\n-nifs([n/1]).\n-vsn(\"1.0\").\n-my({a, -1, #{k => [1 | 2]}}).\n-doc \"text\".\n-moduledoc false.\n-author a, b.\n";
    parse_records "-record(r, {}).\n-record(s, {a, b = 1, c :: integer(), d = [] :: [x | y]}).\n-record t, {a}.\n";
    parse_types "-type t() :: integer() | atom | 1..10 | -1 | $a | foo(X) | m:t().\n-opaque o(A, B) :: {A, B, [A], [B, ...], []}.\n-type m() :: #{a := 1, integer() => b} | #{} | #r{a :: x} | map() | tuple() | {}.\n-type b() :: <<>> | <<_:8>> | <<_:_*16>> | <<_:8, _:_*16>>.\n-type f() :: fun() | fun((...) -> a) | fun(() -> a) | fun((A, b) -> c).\n-nominal n() :: X :: 1 + 2 * 3 bsl 4.\n-type(p() :: q()).\n-type u() :: a | B :: c | d.\n";
    parse_specs "-spec f(integer()) -> ok; (atom()) -> error.\n-spec m:f(A, B) -> C when A :: list(), is_subtype(B, atom()), C :: any().\n-spec(g() -> no_return()).\n-callback h(X :: term()) -> term().\n";
    parse_functions "f() -> ok.\nf(0) -> a; f(N) when N > 0, N < 9; N =:= x -> b, c; f(_) -> d.\n'quoted name'(#{a := [H | _]} = M) -> M.\n";
}

snapshots! { check_errors:
    errors_several_in_one_run "f() -> X = .\ng() -> ok.\nh( -> a.\ni() -> [1, 2.\n";
    errors_unclosed "f(X) ->\n    case X of\n        a -> b.\ng() -> (1 + [2)).\nh() -> fun (A) -> A.\ni() -> begin 1 ).\n";
    errors_slips "f(X) when X <= 1 -> a.\nf() -> a;.\nf() -> a,.\nf() -> case x of a -> b; end.\nf() -> begin a, end.\nf() -> X != Y.\nf() -> a() b().\nf() -> if a -> b; else -> c end.\n";
    errors_heads "f(1) -> a; g(2) -> b; f(1, 2) -> c.\n";
    errors_patterns "f(g(X)) -> X.\nf(X = Y#r.a) -> X.\nf([g(X)]) -> X.\nh() -> fun (catch X) -> X end.\n";
    errors_attributes "-module(\"m\").\n-export(f).\n-export([f]).\n-import(m).\n-my(f(x)).\n-on_load(f).\n-record(r, {1}).\n-foo(a, b).\n";
    errors_types "-type t() :: .\n-type t(1) :: a.\n-spec f() -> .\n-spec f((...)) -> a.\n-spec f(...) -> a.\n-type b() :: <<X:8>>.\n-spec f(A) -> B when foo(A, B).\n";
    errors_in_a_macro "-define(SUM(A, B), A + * B).\nf(X) ->\n    ?SUM(X, 1).\n-define(OUTER(X), {?SUM(X, 2)}).\ng(Y) -> ?OUTER(Y).\n";
    errors_in_a_header "-include(\"broken.hrl\").\nf() -> ?BROKEN.\n";
    errors_no_final_dot "f() -> ok.\ng() -> ok\n";
    errors_not_a_form "1 + 2.\nf.\n.\nX() -> ok.\n";
}

#[test]
fn latin1_without_announcement_is_a_warning() {
    let mut session = Session::new();
    let source = b"-module(m).\nf() -> \"\xE4\".\n";
    parse_file(&mut session, "test.erl", source, &ParseOptions::default(), &mut Headers);
    insta::assert_snapshot!(session.render(false).trim_end());
}

#[test]
fn hashbang_line_is_skipped_where_allowed() {
    let source = b"#!/usr/bin/env erlet\nmain(_) -> ?MODULE.\n";
    let options = ParseOptions {
        allow_hashbang: true,
        default_module: Some("script".to_owned()),
        ..ParseOptions::default()
    };
    let mut session = Session::new();
    let file = parse_file(&mut session, "script", source, &options, &mut Headers);
    assert!(!session.has_errors());
    assert_eq!(file.forms.len(), 1);
    let mut session = Session::new();
    parse_file(&mut session, "script", source, &ParseOptions::default(), &mut Headers);
    assert!(session.has_errors());
}

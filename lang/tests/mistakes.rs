//! The mistakes that authors of Erlang make most: the source above, what is said below.
//!
//! Each is to get one clear message at the right place, with what to do. A file holds one mistake, and a second function
//! that is fine, so that the snapshot also shows that nothing else is said.

use erlet_lang::lint::{LintOptions, check};
use erlet_lang::{IncludeError, Loader, ParseOptions, Session, parse_file};

struct Headers;

impl Loader for Headers {
    fn include(&mut self, _path: &str, _from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        Err(IncludeError::NotFound)
    }

    fn include_lib(&mut self, path: &str, from: &str) -> Result<(String, Vec<u8>), IncludeError> {
        self.include(path, from)
    }
}

/// What is said about a function in a module with another; a text that begins with `-module` is a module itself.
fn check_mistake(text: &str) -> String {
    let source = match text.starts_with("-module") || text.starts_with("%") {
        true => text.to_owned(),
        false => format!(
            "-module(m).\n-export([f/1, last/1]).\n-record(point, {{x, y}}).\n\n{text}\n\nlast(#point{{}}) -> ok.\n"
        ),
    };
    let mut session = Session::new();
    let options = ParseOptions::default();
    let file = parse_file(&mut session, "m.erl", source.as_bytes(), &options, &mut Headers);
    let modules = Some(vec!["lists".to_owned(), "io".to_owned()]);
    check(&mut session, &file, &LintOptions { modules, ..LintOptions::default() });
    format!("{}\n----\n{}", text.trim_end(), session.render(false).trim_end())
}

macro_rules! mistakes {
    ($($name:ident $text:expr;)*) => {
        $(#[test] fn $name() { insta::assert_snapshot!(check_mistake($text)); })*
    };
}

mistakes! {
    // Names.
    variable_unbound "f(X) ->\n    X + Y.";
    variable_misspelt "f(Count) ->\n    Cuont + 1.";
    variable_lower_case "f(X) ->\n    x + 1.";
    variable_unsafe "f(X) ->\n    case X of\n        1 -> Y = a;\n        _ -> ok\n    end,\n    Y.";
    variable_unused "f(X) ->\n    Result = X + 1,\n    ok.";
    variable_shadowed "f(X) ->\n    lists:map(fun(X) -> X + 1 end, [X]).";
    function_undefined "f(X) ->\n    compute(X).";
    function_misspelt "f(X) ->\n    lsat(X).";
    function_of_other_arity "f(X) ->\n    last(X, 1).";
    function_unused "f(X) ->\n    X.\n\nhelper(X) ->\n    X.";
    function_upper_case "f(X) ->\n    X.\n\nHelper(X) ->\n    X + 1.";
    function_without_parentheses "f(X) ->\n    X.\n\nhelper ->\n    ok.";
    function_exported_but_missing "-module(m).\n-export([start/0, stop/0]).\n\nstart() ->\n    ok.";
    record_undefined "f(X) ->\n    X#user.name.";
    record_misspelt "f(X) ->\n    X#pint.x.";
    record_field_misspelt "-module(m).\n-export([f/1]).\n-record(state, {count, name}).\n\nf(S) ->\n    S#state{cuont = 1}.";
    record_field_twice "f(X) ->\n    #point{x = X, x = 1}.";
    macro_undefined "-module(m).\n-export([f/0]).\n-define(TIMEOUT, 1000).\n\nf() ->\n    ?TIMOUT.\n";
    type_misspelt "-spec f(intger()) -> ok.\nf(_) ->\n    ok.";
    module_missing "f(X) ->\n    X.\n";
    module_attribute_missing "% no module\n-export([f/0]).\n\nf() ->\n    ok.";
    module_upper_case "-module(Shop).\n-export([f/0]).\n\nf() ->\n    ok.";
    attribute_bad "-module(m).\n-export(f/1).\n\nf(X) ->\n    X.";
    export_of_a_variable "-module(m).\n-export([Start/0]).\n\nstart() ->\n    ok.";
    include_not_found "-module(m).\n-export([f/1]).\n-include(\"shop.hrl\").\n\nf(X) ->\n    {?MAX, #item{price = X}}.";

    // Separators and ends.
    comma_missing "f(X) ->\n    io:format(\"~p~n\", [X])\n    X + 1.";
    comma_missing_in_a_call "f(X) ->\n    last(X Y).";
    comma_for_semicolon "f(1) ->\n    a,\nf(_) ->\n    b.";
    comma_for_semicolon_in_case "f(X) ->\n    case X of\n        1 -> a,\n        2 -> b\n    end.";
    comma_before_end "f(X) ->\n    case X of\n        1 -> a,\n    end.";
    semicolon_missing "f(X) ->\n    case X of\n        1 -> a\n        2 -> b\n    end.";
    semicolon_missing_between_clauses "f(1) ->\n    a\nf(_) ->\n    b.";
    semicolon_before_end "f(X) ->\n    case X of\n        1 -> a;\n        2 -> b;\n    end.";
    semicolon_for_comma "f(X) ->\n    Y = X + 1;\n    Y * 2.";
    semicolon_for_dot "f(X) ->\n    X;\n\ng(X) ->\n    X.";
    semicolon_before_dot "f(1) ->\n    a;\nf(2) ->\n    b;.";
    semicolon_before_after "f(X) ->\n    receive\n        X -> ok;\n    after 10 ->\n        timeout\n    end.";
    dot_missing "f(X) ->\n    X + 1\n\ng(X) ->\n    X.";
    dot_missing_after_attribute "-module(m)\n-export([f/1]).\n\nf(X) ->\n    X.";
    dot_missing_at_the_end "-module(m).\n-export([f/1]).\n\nf(X) ->\n    X\n";
    dot_in_a_comment "f(X) ->\n    X. % the end\n\ng(X) ->\n    X rem 2 % or so.\n\nh(X) ->\n    X.";
    dot_for_comma "f(X) ->\n    Y = X + 1.\n    Y * 2.";
    dot_for_semicolon "f(1) ->\n    a.\nf(_) ->\n    b.";
    dot_for_semicolon_in_case "f(X) ->\n    case X of\n        1 -> a.\n        2 -> b\n    end.";
    end_missing "f(X) ->\n    case X of\n        1 -> a;\n        2 -> b.";
    end_missing_inside "f(X) ->\n    case X of\n        1 ->\n            case last(X) of\n                ok -> a\n        ;\n        2 ->\n            b\n    end.";
    end_missing_of_fun "f(X) ->\n    lists:map(fun(Y) -> Y + 1, X).";
    end_too_many "f(X) ->\n    X + 1\n    end.";
    parenthesis_missing "f(X) ->\n    last(last(X).";
    parenthesis_too_many "f(X) ->\n    last(X)).";
    bracket_missing "f(X) ->\n    [X, X + 1.";
    bracket_mismatch "f(X) ->\n    {X, X + 1].";
    arrow_missing "f(X)\n    X + 1.";
    arrow_missing_in_case "f(X) ->\n    case X of\n        1 a;\n        2 -> b\n    end.";
    equals_for_arrow "f(X) = X + 1.";
    of_missing "f(X) ->\n    case X\n        1 -> a\n    end.";
    string_unterminated "f(X) ->\n    io:format(\"value ~p~n, [X]),\n    X.";
    string_unterminated_before_others "f(X) ->\n    io:format(\"value ~p~n, [X]),\n    io:format(\"again ~p~n\", [X]),\n    X.\n\ng(X) ->\n    io:format(\"~p\", [X]).";
    atom_unterminated "f(X) ->\n    {'an atom, X}.";
    quotes_inside_a_string "f(X) ->\n    io:format(\"he said \"hello\" to me\", [X]).";
    typographic_quotes "f(X) ->\n    io:format(\u{201C}~p~n\u{201D}, [X]).";
    typographic_arrow "f(X) \u{2192}\n    X.";
    zero_width_space "f(X) ->\n    X\u{200B} + 1.";

    // Operators.
    less_or_equal "f(X) when X <= 1 ->\n    X.";
    less_or_equal_in_a_body "f(X) ->\n    Y = X <= 1,\n    Y.";
    greater_or_equal "f(X) when X => 1 ->\n    X.";
    unequal "f(X) when X != 1 ->\n    X.";
    exactly_unequal "f(X) when X !== 1 ->\n    X.";
    triple_equals "f(X) when X === 1 ->\n    X.";
    match_in_a_guard "f(X) when X = 1 ->\n    X.";
    logical_and "f(X) when X > 1 && X < 5 ->\n    X.";
    logical_or "f(X) when X > 1 || X < 5 ->\n    X.";
    negation "f(X) ->\n    !X.";
    plus_equals "f(X) ->\n    X += 1.";
    plus_plus "f(X) ->\n    X++.";
    string_plus "f(X) ->\n    \"a\" + X.";
    match_touches_a_binary "f(X) ->\n    B =<<\"abc\">>,\n    {X, B}.";

    // Other languages.
    return_value "f(X) ->\n    return X + 1.";
    return_call "f(X) ->\n    return(X).";
    declaration "f(X) ->\n    let Y = X + 1,\n    Y.";
    declaration_var "f(X) ->\n    var Y = X + 1,\n    Y.";
    else_if "f(X) ->\n    if X > 1 -> a;\n       else if X > 0 -> b;\n       true -> c\n    end.";
    else_branch "f(X) ->\n    if\n        X > 1 -> a;\n        else -> b\n    end.";
    else_without_separator "f(X) ->\n    if\n        X > 1 -> a\n    else\n        b\n    end.";
    else_in_case "f(X) ->\n    case X of\n        1 -> a;\n        else -> b\n    end.";
    elif "f(X) ->\n    if X > 1 -> a;\n       elif X > 0 -> b;\n       true -> c\n    end.";
    then_word "f(X) ->\n    if X > 1 then a; true -> b end.";
    braces "f(X) {\n    X + 1\n}.";
    while_loop "f(X) ->\n    while (X > 0) {\n        f(X - 1)\n    }.";
    comment_slashes "f(X) ->\n    // add one\n    X + 1.";
    comment_hash "f(X) ->\n    # add one\n    X + 1.";
    def_function "f(X) ->\n    X.\n\ndef g(X) ->\n    X.";
    function_word "function f(X) ->\n    X.";
    dot_call "f(X) ->\n    lists.reverse(X).";
    colon_missing "f(X) ->\n    io format(\"~p\", [X]).";
    field_access "f(X) ->\n    X.name.";
    print_call "f(X) ->\n    print(X).";
    module_call_without_module "f(X) ->\n    map(fun(Y) -> Y end, X).";

    // Patterns, guards, clauses.
    guard_calls_a_function "f(X) when last(X) ->\n    X.";
    guard_calls_a_library "f(X) when lists:member(X, [1]) ->\n    X.";
    pattern_calls_a_function "f(X) ->\n    case X of\n        last(Y) -> Y\n    end.";
    pattern_head_calls_a_function "f(last(X)) ->\n    X.";
    clause_of_other_name "f(1) ->\n    a;\nff(_) ->\n    b.";
    clause_of_other_arity "f(1) ->\n    a;\nf(_, _) ->\n    b.";
    clause_without_name "f(1) ->\n    a;\n(_) ->\n    b.";
    fun_clauses_differ "f(X) ->\n    fun(1) -> X; (_, _) -> b end.";
    function_reference_without_fun "f(X) ->\n    lists:map(last/1, X).";
    try_without_catch "f(X) ->\n    try\n        last(X)\n    end.";
    if_without_clauses "f(X) ->\n    if X end.";
    map_made_with_exact "f(X) ->\n    #{a := X}.";
    map_matched_with_arrow "f(#{a => X}) ->\n    X.";
    map_with_equals "f(X) ->\n    #{a = X, b = 1}.";
    map_with_colon "f(X) ->\n    #{a: X}.";
    map_without_hash "f(X) ->\n    {a => X}.";
    record_with_arrow "f(X) ->\n    #point{x => X}.";
    comprehension_with_one_bar "f(X) ->\n    [Y | Y <- X].";
    binary_type_unknown "f(X) ->\n    <<X:8/interger>>.";
    binary_expression "f(X) ->\n    <<X + 1, 2>>.";
    binary_size_expression "f(X) ->\n    <<X:8 * 4>>.";
    reserved_word "f(X) ->\n    {receive, X}.";
    reserved_word_else "f(X) ->\n    maybe ok ?= X end,\n    {else, X}.";
    export_variable_unused_pattern "f(X) ->\n    case X of\n        {ok, Value} -> ok\n    end.";
    float_without_zero "f(X) ->\n    X + .5.";
    format_arguments "f(X) ->\n    io:format(\"~p ~p~n\", [X]).";

    // Several at once.
    two_functions_each_with_its_own "f(X) ->\n    X + .\n\ng(X) ->\n    [X.\n\nh(X) ->\n    Y.";
}

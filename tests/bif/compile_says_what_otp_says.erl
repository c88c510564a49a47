%% Errors and warnings of compile:forms/2 and compile:file/2 are the terms that OTP has for them.
%% expect: {error,[{[],[{{1,36},erl_lint,{unbound_var,'X'}}]}],[]}
%% expect: {error,[{[],[{{1,36},erl_lint,{undefined_function,{g,0}}}]}],[]}
%% expect: {error,[{[],[{{1,39},erl_lint,{redefine_function,{f,0}}}]}],[]}
%% expect: {error,[{[],[{{1,44},erl_lint,{unbound_var,'A'}}]}],[]}
%% expect: {error,[{[],[{{1,71},erl_lint,{unsafe_var,'A',{'case',{1,36}}}}]}],[]}
%% expect: {error,[{[],[{{1,36},erl_lint,{undefined_record,r}}]}],[]}
%% expect: {error,[{[],[{{1,56},erl_lint,{undefined_field,r,b}}]}],[]}
%% expect: {error,[{[],[{{1,63},erl_lint,{redefine_field,r,a}}]}],[]}
%% expect: {error,[{[],[{{1,47},erl_lint,{redefine_record,r}}]}],[]}
%% expect: {error,[{[],[{{1,38},erl_lint,{illegal_guard_local_call,{f,0}}}]}],[]}
%% expect: {error,[{[],[{{1,46},erl_lint,illegal_pattern}]}],[]}
%% expect: {error,[{[],[{{1,49},erl_lint,unsized_binary_not_at_end}]}],[]}
%% expect: {error,[{[],[{{1,49},erl_lint,utf_bittype_size_or_unit}]}],[]}
%% expect: {error,[{[],[{{1,49},erl_lint,{undefined_bittype,foo}}]}],[]}
%% expect: {error,[{[],[{{1,47},erl_lint,illegal_bin_pattern}]}],[]}
%% expect: {error,[{[],[{{1,30},erl_lint,{undefined_function,{g,0}}}]}],[]}
%% expect: {error,[{[],[{{1,30},erl_lint,{spec_fun_undefined,{g,0}}}]}],[]}
%% expect: {error,[{[],[{{1,42},erl_lint,{undefined_type,{u,0}}}]}],[]}
%% expect: {error,[{[],[{{1,37},erl_lint,{singleton_typevar,'X'}}]}],[]}
%% expect: {error,[{[],[{{1,40},erl_lint,illegal_map_construction}]}],[]}
%% expect: {error,[{[],[{{1,36},erl_lint,{unbound_var,'_'}}]}],[]}
%% expect: {error,[{[],[{{1,73},erl_lint,{undefined_function,{abs,1}}}]}],[]}
%% expect: {ok,[{[],[{{1,44},erl_lint,{unused_var,'X'}}]}]}
%% expect: {ok,[{[],[{{1,29},erl_lint,{unused_function,{g,0}}}]}]}
%% expect: {ok,[{[],[{{1,36},erl_lint,{unused_var,'A'}},{{1,47},erl_lint,{shadowed_var,'A','fun'}}]}]}
%% expect: {ok,[{[],[{{1,36},erl_lint,{unused_var,'A'}},{{1,49},erl_lint,{shadowed_var,'A',generate}}]}]}
%% expect: {ok,[]}
%% expect: {ok,[{[],[{{1,30},erl_lint,export_all}]}]}
%% expect: {ok,[]}
%% expect: {ok,[]}
%% expect: {error,[],[{[],[{{1,74},erl_lint,{unused_var,'X'}}]}]}
%% expect: {ok,[{[],[{{1,44},erl_lint,{match_underscore_var,'_A'}}]}]}
-module(compile_says_what_otp_says).
-export([main/0]).

main() ->
    lists:foreach(fun(Text) -> io:format("~0p~n", [said(Text)]) end,
                  ["f() -> X.", "f() -> g().", "f() -> 1. f() -> 2.", "f() -> {A = 1, A}.", "f() -> case 1 of 1 -> A = 1; _ -> ok end, A.",
                   "f() -> #r{}.", "-record(r, {a}). f() -> #r{b = 1}.", "-record(r, {a}). f() -> #r{a = 1, a = 2}.",
                   "-record(r, {a}). -record(r, {b}). f() -> #r{}.", "f() when f() -> 1.", "f() -> g(1). g(1 / 0) -> 1.",
                   "f() -> g(<<>>). g(<<A/binary, 1>>) -> A.", "f() -> g(<<>>). g(<<A:8/utf8>>) -> A.", "f() -> g(<<>>). g(<<A/foo>>) -> A.",
                   "f() -> g(<<>>). g(<<1>> = <<2>>) -> 1.", "-export([g/0]). f() -> 1.", "-spec g() -> 1. f() -> 1.",
                   "-type t() :: u(). -export_type([t/0]). f() -> 1.", "-type t(X) :: 1. -export_type([t/1]). f() -> 1.", "f() -> #{a := 1}.",
                   "f() -> _.", "-compile({no_auto_import, [abs/1]}). f() -> abs(1).", "f() -> g(1). g(X) -> 1.", "g() -> 1. f() -> 1.",
                   "f() -> A = 1, fun(A) -> A end.",
                   "f() -> A = 1, [A || A <- [2]].", "-export([f/1]). f() -> 1. f(_) -> 2.", "-compile(export_all). f() -> 1.",
                   "-compile(nowarn_unused_vars). f() -> g(1). g(X) -> 1.", "-compile({nowarn_unused_record, r}). -record(r, {a}). f() -> 1.",
                   "-compile(warnings_as_errors). f() -> g(1). g(X) -> 1.", "f() -> _A = 1, _A = id(1). id(X) -> X."]).

said(Text) ->
    Forms = forms("-module(m). -export([f/0]). " ++ Text ++ "\n", {1, 1}),
    case compile:forms(Forms, [return]) of
        {ok, m, _, Warnings} -> {ok, Warnings};
        {error, Errors, Warnings} -> {error, Errors, Warnings}
    end.

forms(Text, Place) ->
    case erl_scan:tokens([], Text, Place) of
        {done, {ok, Tokens, End}, Rest} ->
            {ok, Form} = erl_parse:parse_form(Tokens),
            [Form | forms(Rest, End)];
        {more, _} -> [];
        {done, {eof, _}, _} -> []
    end.

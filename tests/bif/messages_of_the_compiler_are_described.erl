%% What compile:forms/2 says of faults is a description that erl_lint:format_error/1 puts in words.
-module(messages_of_the_compiler_are_described).
-export([main/0]).

main() ->
    [show(Options, Source) || {Options, Source} <- sources()].

sources() ->
    [{[], "f() -> X. g(A) -> case A of 1 -> B = 2; _ -> ok end, B. h() -> undefined_one(1)."},
     {[warn_export_vars], "f(A) -> case A of 1 -> B = 2; _ -> B = 3 end, B."},
     {[], "f(X) -> [X || X <- [1]]. f2(Y) -> fun(Y) -> Y end."},
     {[], "g() -> ok. -spec f() -> t(). f() -> 1."},
     {[], "-record(r, {a}). f(X) -> {X#s.a, X#r.b, #r{a = 1, a = 2}}."},
     {[], "f(<<A/binary, B>>) -> {A, B}; f(_) -> 1."},
     {[], "f(A) when g(A) -> ok. g(_) -> ok. f(_) -> 2."},
     {[], "f(A) -> try A catch _:_:S when S =:= [] -> S end. f(S, A) -> try A catch _:_:S -> S end."},
     {[warn_missing_spec], "f(_A) -> _A."},
     {[], "-import(lists, [reverse/1]). -import(sets, [reverse/1, new/0]). f() -> reverse([])."},
     {[], "-compile({inline, [nothing/1]}). -export([f/0, f/0]). f() -> #{a := 1}."},
     {[no_columns], "f() -> X."}].

show(Options, Source) ->
    {ok, Tokens, _} = erl_scan:string("-module(m). -compile(nowarn_unused_function). " ++ Source, {1, 1}),
    Forms = [located(form(Part), Options) || Part <- parts(Tokens, [])],
    {Errors, Warnings} =
        case compile:forms(Forms, [return | Options -- [no_columns]]) of
            {error, E, W} -> {E, W};
            {ok, _, _, W} -> {[], W}
        end,
    io:format("~p~n~p~n", [told(Errors), told(Warnings)]).

told(Messages) ->
    [{Place, Description, lists:flatten(erl_lint:format_error(Description))} || {_, List} <- Messages, {Place, erl_lint, Description} <- lists:sort(List)].

parts([], _) -> [];
parts([{dot, _} = Dot | Tokens], Part) -> [lists:reverse(Part, [Dot]) | parts(Tokens, [])];
parts([Token | Tokens], Part) -> parts(Tokens, [Token | Part]).

form(Tokens) ->
    {ok, Form} = erl_parse:parse_form(Tokens),
    Form.

located(Form, Options) ->
    case lists:member(no_columns, Options) of
        true -> erl_parse:map_anno(fun(Anno) -> erl_anno:new(erl_anno:line(Anno)) end, Form);
        false -> Form
    end.

%% expect: [{{1,54},{unbound_var,'X'},"variable 'X' is unbound"},
%% expect:  {{1,100},
%% expect:   {unsafe_var,'B',{'case',{1,65}}},
%% expect:   "variable 'B' unsafe in 'case' (line 1, column 65)"},
%% expect:  {{1,110},
%% expect:   {undefined_function,{undefined_one,1}},
%% expect:   "function undefined_one/1 undefined"}]
%% expect: []
%% expect: []
%% expect: [{{1,93},
%% expect:   {exported_var,'B',{'case',{1,55}}},
%% expect:   "variable 'B' exported from 'case' (line 1, column 55)"}]
%% expect: []
%% expect: [{{1,49},{unused_var,'X'},"variable 'X' is unused"},
%% expect:  {{1,61},{shadowed_var,'X',generate},"variable 'X' shadowed in generate"},
%% expect:  {{1,75},{unused_var,'Y'},"variable 'Y' is unused"},
%% expect:  {{1,85},{shadowed_var,'Y','fun'},"variable 'Y' shadowed in 'fun'"}]
%% expect: [{{1,71},{undefined_type,{t,0}},"type t() undefined"}]
%% expect: []
%% expect: [{{1,74},{undefined_record,s},"record s undefined"},
%% expect:  {{1,84},{undefined_field,r,b},"field b undefined in record r"},
%% expect:  {{1,97},{redefine_field,r,a},"field a already defined in record r"}]
%% expect: []
%% expect: [{{1,51},
%% expect:   unsized_binary_not_at_end,
%% expect:   "a binary field without size is only allowed at the end of a binary pattern"}]
%% expect: []
%% expect: [{{1,57},
%% expect:   {illegal_guard_local_call,{g,1}},
%% expect:   "call to local/imported function g/1 is illegal in guard"},
%% expect:  {{1,81},{redefine_function,{f,1}},"function f/1 already defined"}]
%% expect: []
%% expect: [{{1,78},
%% expect:   {stacktrace_guard,'S'},
%% expect:   "stacktrace variable 'S' must not be used in a guard"},
%% expect:  {{1,124},
%% expect:   {stacktrace_bound,'S'},
%% expect:   "stacktrace variable 'S' must not be previously bound"}]
%% expect: []
%% expect: []
%% expect: []
%% expect: [{{1,77},
%% expect:   {redefine_import,{{reverse,1},lists}},
%% expect:   "function reverse/1 already imported from lists"}]
%% expect: []
%% expect: [{{1,48},{bad_inline,{nothing,1}},"inlined function nothing/1 undefined"},
%% expect:  {{1,112},
%% expect:   illegal_map_construction,
%% expect:   "only association operators '=>' are allowed in map construction"}]
%% expect: [{{1,81},{duplicated_export,{f,0}},"function f/0 already exported"}]
%% expect: [{1,{unbound_var,'X'},"variable 'X' is unbound"}]
%% expect: []

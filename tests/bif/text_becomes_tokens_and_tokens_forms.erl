%% What OTP 25 gives for the same; `maybe` and `else` are reserved words since OTP 27.
%%
%% expect: {ok,[{atom,1,foo},{'(',1},{var,1,'X'},{')',1},{'->',1},{var,1,'X'},{'+',1},{integer,1,1},{dot,1}],2}
%% expect: {ok,[{atom,[{text,"foo"},{location,{2,3}}],foo},{dot,[{text,"."},{location,{2,6}}]}],{2,7}}
%% expect: {ok,[{atom,1,a},{white_space,1," "},{comment,1,"%x"},{white_space,1,"\n  "},{atom,2,b}],2}
%% expect: {error,{1,erl_scan,{string,34,"abc"}},1}
%% expect: {error,{1,erl_scan,{base,37}},1}
%% expect: {error,{1,erl_scan,{illegal,float}},1}
%% expect: {error,{1,erl_scan,char},1}
%% expect: "unterminated string starting with \"abc\""
%% expect: {{ok,[{atom,{1,1},foo},{string,{1,5},"a. b"},{dot,{1,11}}],{2,1}}," x"}
%% expect: {eof,4}
%% expect: {ok,[{op,{1,3},'+',{atom,{1,1},a},{call,{1,5},{remote,{1,6},{atom,{1,5},m},{atom,{1,7},f}},[{cons,{1,9},{var,{1,10},'X'},{nil,{1,11}}}]}}]}
%% expect: {ok,[{'try',{1,1},[{atom,{1,5},a}],[],[{clause,{1,13},[{tuple,{1,13},[{atom,{1,13},throw},{var,{1,13},'_'},{var,{1,13},'_'}]}],[],[{integer,{1,18},1}]}],[]}]}
%% expect: {error,{{1,4},erl_parse,["syntax error before: ",[]]}}
%% expect: {error,{{1,3},erl_parse,["syntax error before: ","b"]}}
%% expect: {ok,{a,[1,-2.5|b],<<1,2,3:4>>,#{k => "v"}}}
%% expect: {error,{{1,1},erl_parse,"bad term"}}
%% expect: {ok,{function,{1,1},f,1,[{clause,{1,1},[{var,{1,3},'X'}],[[{op,{1,13},'>',{var,{1,11},'X'},{integer,{1,15},1}}]],[{var,{1,20},'X'}]}]}}
%% expect: {ok,{attribute,{1,2},export,[{f,1},{g,2}]}}
%% expect: {ok,{attribute,{1,2},record,{r,[{record_field,{1,13},{atom,{1,13},a}},{typed_record_field,{record_field,{1,16},{atom,{1,16},b},{integer,{1,20},1}},{type,{1,25},integer,[]}}]}}}
%% expect: {ok,{attribute,{1,2},spec,{{f,1},[{type,{1,8},bounded_fun,[{type,{1,8},'fun',[{type,{1,8},product,[{var,{1,9},'X'}]},{user_type,{1,15},t,[]}]},[{type,{1,24},constraint,[{atom,{1,24},is_subtype},[{var,{1,24},'X'},{type,{1,29},union,[{atom,{1,29},a},{atom,{1,33},b}]}]]}]]}]}}}
%% expect: {error,{{1,12},erl_parse,"head mismatch"}}
%% expect: {error,{{1,12},erl_parse,"bad function arity"}}
%% expect: {cons,0,{atom,0,a},{string,0,"bcd"}}
%% expect: [{'[',1},{atom,1,a},{'|',1},{integer,1,2},{']',1}]
%% expect: [{text,"x"},{location,1}]
%% expect: {ok,[{tuple,1,[{atom,1,a},{integer,2,1}]}]}
-module(text_becomes_tokens_and_tokens_forms).
-export([main/0]).

main() ->
    show(erl_scan:string("foo(X) -> X + 1.\n")),
    show(erl_scan:string("foo.", {2, 3}, [text])),
    show(erl_scan:string("a %x\n  b", 1, [return])),
    show(erl_scan:string("\"abc")),
    show(erl_scan:string("37#1")),
    show(erl_scan:string("1.0e999")),
    show(erl_scan:string("$")),
    show(erl_scan:format_error({string, $", "abc"})),
    {more, C1} = erl_scan:tokens([], "foo \"a. ", {1, 1}),
    {done, Result, Rest} = erl_scan:tokens(C1, "b\".\n x", {1, 1}),
    show({Result, Rest}),
    {more, C2} = erl_scan:tokens([], " \n", 3),
    {done, Eof, eof} = erl_scan:tokens(C2, eof, 3),
    show(Eof),
    [show(erl_parse:parse_exprs(tokens(Text))) || Text <- ["a + m:f([X]).", "try a catch _ -> 1 end.", "foo(", "a b."]],
    [show(erl_parse:parse_term(tokens(Text))) || Text <- ["{a, [1, -2.5 | b], <<1,2,3:4>>, #{k => \"v\"}}.", "f(x)."]],
    [show(erl_parse:parse_form(tokens(Text)))
     || Text <- ["f(X) when X > 1 -> X.", "-export([f/1,g/2]).", "-record(r, {a, b = 1 :: integer()}).",
                 "-spec f(X) -> t() when X :: a | b.", "f(X) -> X; g(Y) -> Y.", "-export([f/a])."]],
    show(erl_parse:abstract([a, $b | "cd"])),
    show(erl_parse:tokens(erl_parse:abstract([a | 2], 1))),
    show(erl_anno:set_text("x", 1)),
    {ok, Exprs} = erl_parse:parse_exprs(tokens("{a,\n 1}.")),
    show({ok, erl_parse:map_anno(fun erl_anno:line/1, Exprs)}).

tokens(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text, {1, 1}),
    Tokens.

show(Term) -> io:format("~0tp~n", [Term]).

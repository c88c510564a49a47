%% A parse transform may warn, refuse, or fail; compile:forms/2 tells what it said.
%% expect: {ok,[{"w",[{2,what_a_parse_transform_says_is_told,odd}]}]}
%% expect: {error,[{"f",[{3,what_a_parse_transform_says_is_told,bad}]}],[{"f",[{1,what_a_parse_transform_says_is_told,odd}]}]}
%% expect: {error,[],what_a_parse_transform_says_is_told,error,reason,true}
%% expect: {error,[],what_a_parse_transform_says_is_told,exit,reason,true}
%% expect: {error,[],what_a_parse_transform_says_is_told,throw,reason,true}
%% expect: {error,[{[],[{none,compile,{undef_parse_transform,nothing_of_this_name}}]}],[]}
%% expect: [true,true,false,true,true,false,false,true,true,true,true,true,false,true,false,true]
%% expect: [true,false,true,true]
%% expect: [false,true]
%% expect: [[return],[return,{d,x}]]
-module(what_a_parse_transform_says_is_told).
-export([main/0, parse_transform/2]).

parse_transform(Forms, Options) ->
    case lists:keyfind(how, 1, Options) of
        {how, warning} -> {warning, Forms, [{"w", [{2, ?MODULE, odd}]}]};
        {how, refusal} -> {error, [{"f", [{3, ?MODULE, bad}]}], [{"f", [{1, ?MODULE, odd}]}]};
        {how, Class} -> erlang:raise(Class, reason, [])
    end.

main() ->
    Forms = [{attribute, 1, module, m}, {attribute, 2, export, [{f, 0}]}, {function, 3, f, 0, [{clause, 3, [], [], [{atom, 3, a}]}]}],
    [show(compile:forms(Forms, [return, {parse_transform, ?MODULE}, {how, How}])) || How <- [warning, refusal, error, exit, throw]],
    show(compile:forms(Forms, [return, {parse_transform, nothing_of_this_name}])),
    show([erl_lint:is_guard_test(expr(Text))
          || Text <- ["a", "is_list(X)", "f()", "list([])", "1 + X", "X ! 1", "X = 1", "erlang:'+'(1, X)", "#{a => hd(X)}", "<<X:(1 + 1)>>",
                      "[X | tl(Y)]", "element(1, X) > 1 andalso not Y", "fun() -> a end", "X#r.a", "lists:map(X, Y)", "self()"]]),
    Record = fun(Default) -> [{attribute, 1, record, {r, [{record_field, 1, {atom, 1, a}, expr(Default)}]}}] end,
    show([erl_lint:is_guard_test(expr(Text), Record(Default)) || Text <- ["#r{}", "#r{a = 1}"], Default <- ["hd(X)", "f()"]]),
    show([erl_lint:is_guard_test(expr("is_list(X)"), [], fun(F) -> F =:= Own end) || Own <- [{is_list, 1}, {is_list, 2}]]),
    show(environment(["return", "[return, {d, x}]"])).

environment(Texts) ->
    [begin
         os:putenv("ERL_COMPILER_OPTIONS", Text),
         Options = compile:env_compiler_options(),
         os:unsetenv("ERL_COMPILER_OPTIONS"),
         Options
     end || Text <- Texts].

expr(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text ++ "."),
    {ok, [Expr]} = erl_parse:parse_exprs(Tokens),
    Expr.

show({ok, m, _, Warnings}) -> show({ok, Warnings});
show({error, [{File, [{none, compile, {parse_transform, M, {Class, Reason, Stack}}}]}], []}) ->
    show({error, File, M, Class, Reason, is_list(Stack)});
show(X) -> io:format("~0p~n", [X]).

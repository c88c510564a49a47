%% What a program made, and calls so, is not warned of where it does nothing; what is written is.
-module(generated_code_may_be_idle).
-export([main/0]).

main() ->
    Written = [form(Text, Line) || {Text, Line} <- [{"-module(m).", 1}, {"-export([f/1]).", 2}, {"f(X) -> {idle, X}, case X of _ -> a; b -> c end.", 3}]],
    show(warned(Written)),
    show(warned([erl_parse:map_anno(fun(Anno) -> erl_anno:set_generated(true, Anno) end, Form) || Form <- Written])).

warned(Forms) ->
    {ok, m, _, Warnings} = compile:forms(Forms, [return]),
    length(lists:append([List || {_, List} <- Warnings])).

form(Text, Line) ->
    {ok, Tokens, _} = erl_scan:string(Text, Line),
    {ok, Form} = erl_parse:parse_form(Tokens),
    Form.

show(X) -> io:format("~p~n", [X]).

%% expect: 2
%% expect: 0

%% `inline`, `{inline, _}` and `{inline_size, _}` as options of compile:forms/2: what an inlined function raises is its caller's.
-module(inlining_is_an_option_of_compile).
-export([main/0]).

main() ->
    Texts = ["-module(inlined).", "-export([f/1]).", "f(X) -> g(X) + 1.", "g(X) -> X div 0."],
    Forms = [form(Text) || Text <- Texts],
    [io:format("~p ~p~n", [Options, trace(Forms, Options)]) || Options <- [[inline], [{inline, [{g, 1}]}], [{inline, {g, 1}}], [{inline_size, 100}, inline]]],
    {ok, inlined, Code} = compile:forms(Forms, [{inline, [{h, 7}]}]),
    io:format("~p~n", [is_binary(Code)]).

form(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Form} = erl_parse:parse_form(Tokens),
    Form.

trace(Forms, Options) ->
    {ok, inlined, Code} = compile:forms(Forms, Options),
    {module, inlined} = code:load_binary(inlined, "inlined.erl", Code),
    try inlined:f(1) catch error:badarith:Stack -> [{F, A} || {inlined, F, A, _} <- Stack] end.

%% expect: [inline] [{f,1}]
%% expect: [{inline,[{g,1}]}] [{f,1}]
%% expect: [{inline,{g,1}}] [{f,1}]
%% expect: [{inline_size,100},inline] [{f,1}]
%% expect: true

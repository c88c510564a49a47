%% What OTP 25 gives for the same.
%%
%% expect: {ok,made}
%% expect: [1,4,9]
%% expect: {error,[{[],[{{4,10},erl_lint,{unbound_var,'Y'}}]}],[]}
%% expect: error
%% expect: {value,{4,[2,3],<<0,1,97>>,a,#{k => 7}},['B','F','L','X']}
%% expect: {value,[{1,a},{2,b}],[]}
%% expect: {[3,4],['X']}
%% expect: {value,{local,double,[21]},[]}
%% expect: {unbound_var,'Z'}
%% expect: {badmatch,2}
%% expect: "variable 'Y' is unbound"
-module(forms_are_compiled_and_expressions_evaluated).
-export([main/0]).

main() ->
    {ok, Module, Code} = compile:forms(forms("-module(made).\n-export([squares/1]).\nsquares(L) -> [X * X || X <- L].\n")),
    show({ok, Module}),
    {module, made} = code:load_binary(made, "made.beam", Code),
    show(made:squares([1, 2, 3])),
    Bad = forms("-module(bad).\n-export([f/0]).\n\nf() -> 1+Y.\n"),
    show(compile:forms(Bad, [return])),
    show(compile:forms(Bad, [])),
    {value, Value, Bindings} =
        erl_eval:exprs(exprs("X = 1, L = [A || A <- [X, 2, 3], A > 1], F = fun(Z) -> Z + length(L) + 1 end,\n"
                             "{F(X), L, <<X:16, \"a\">>, try throw(a) catch throw:B -> B end, #{k => case L of [_ | _] -> 7 end}}."), []),
    show({value, Value, [Name || {Name, _} <- Bindings]}),
    show(erl_eval:exprs(exprs("lists:zip([1, 2], [a, b])."), [])),
    {Values, After} = erl_eval:expr_list(exprs("X = 3, 4."), []),
    show({Values, [Name || {Name, _} <- After]}),
    show(erl_eval:exprs(exprs("double(21)."), [], {value, fun(Name, Args) -> {local, Name, Args} end})),
    show(caught("Z + 1.")),
    show(caught("1 = 2.")),
    show(lists:flatten(erl_lint:format_error({unbound_var, 'Y'}))).

caught(Text) ->
    try erl_eval:exprs(exprs(Text), [])
    catch error:Reason -> Reason
    end.

forms(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text, {1, 1}),
    split(Tokens, []).

split([], []) -> [];
split([{dot, _} = Dot | Tokens], Form) ->
    {ok, Parsed} = erl_parse:parse_form(lists:reverse([Dot | Form])),
    [Parsed | split(Tokens, [])];
split([Token | Tokens], Form) -> split(Tokens, [Token | Form]).

exprs(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    Exprs.

show(Term) -> io:format("~0tp~n", [Term]).

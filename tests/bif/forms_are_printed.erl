%% As `erl_pp` of OTP 25 lays them out.
%%
%% expect: f(X) when X > 1, is_integer(X); X =:= a ->
%% expect:     C = case X of
%% expect:             {ok, D} ->
%% expect:                 D;
%% expect:             _ ->
%% expect:                 [1, 2 | "abc"]
%% expect:         end,
%% expect:     lists:map(fun(Y) ->
%% expect:                      Y * (2 + 1)
%% expect:               end,
%% expect:               C);
%% expect: f(_) ->
%% expect:     #r{a = <<1:8,"x"/utf8>>, b = #{k => v}}.
%% expect: -record(r,{a, b = 1 :: integer()}).
%% expect: -spec f(X) -> [Y] when X :: any(), Y :: a | {b, t()}.
%% expect: {1 + 2,not true,fun f/1}
-module(forms_are_printed).
-export([main/0]).

main() ->
    print("f(X) when X > 1, is_integer(X); X =:= a -> C = case X of {ok, D} -> D; _ -> [1, 2 | \"abc\"] end,"
          " lists:map(fun(Y) -> Y * (2 + 1) end, C); f(_) -> #r{a = <<1:8, \"x\"/utf8>>, b = #{k => v}}."),
    print("-record(r, {a, b = 1 :: integer()})."),
    print("-spec f(X) -> [Y] when X :: any(), Y :: a | {b, t()}."),
    {ok, Tokens, _} = erl_scan:string("1 + 2, not true, fun f/1."),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    io:format("{~ts}~n", [lists:join(",", [erl_pp:expr(Expr) || Expr <- Exprs])]).

print(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Form} = erl_parse:parse_form(Tokens),
    io:put_chars(erl_pp:form(Form)).

%% Evaluates expressions for the host.
-module(erlet_eval).
-export([eval/2]).

%% The value of the last expression, and the variables that are bound afterwards.
-spec eval(binary(), #{atom() => term()}) -> {term(), #{atom() => term()}}.
eval(Text, Bindings) ->
    {ok, Tokens, _} = erl_scan:string(unicode:characters_to_list(Text)),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    {value, Value, New} = erl_eval:exprs(Exprs, maps:to_list(Bindings)),
    {Value, maps:from_list(New)}.

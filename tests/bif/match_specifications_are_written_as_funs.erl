%% The parse transform behind `ets:fun2ms/1` (OTP 25's specifications).
-module(match_specifications_are_written_as_funs).
-export([main/0]).

main() -> lists:foreach(fun show/1, texts()).

show(Text) ->
    Forms = [form("-file(\"m.erl\", 1)."), form("-module(m)."), form("-record(r, {a, b = 2, c})."),
             form("f(X) -> ets:fun2ms(" ++ Text ++ ").")],
    [Function] = [Form || {function, _, _, _, _} = Form <- ms_transform:parse_transform(Forms, [])],
    io:format("~ts", [erl_pp:form(Function)]).

form(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Form} = erl_parse:parse_form(Tokens),
    Form.

texts() ->
    ["fun({A,B}) -> {B,A} end",
     "fun({A,B}) when A > 1, B =:= X -> A + B end",
     "fun(O) when element(1,O) =:= a; is_atom(O) -> O end",
     "fun({A,_,A} = O) -> [O, A, x, 1.5, -3] end",
     "fun(#r{a = A, c = {C, _}}) when is_integer(A), A > 3 orelse C -> #r{a = C, b = A} end",
     "fun(#r{a = A} = R) -> R#r.b end",
     "fun(#r{a = A} = R) when A == X -> R#r{c = A} end",
     "fun({K,V}) -> object() end",
     "fun({K,_}) when is_record(K, r) -> K end",
     "fun(_) -> true end",
     "fun({[H|T], b}) -> {H, T, {x, X}} end",
     "fun({x, #r{a = 5, b = B, _ = y}}) -> #r{a = hej, b = B, _ = z} end"].

%% expect: f(X) ->
%% expect:     [{{'$1', '$2'}, [], [{{'$2', '$1'}}]}].
%% expect: f(X) ->
%% expect:     [{{'$1', '$2'},
%% expect:       [{'>', '$1', 1}, {'=:=', '$2', {const, X}}],
%% expect:       [{'+', '$1', '$2'}]}].
%% expect: f(X) ->
%% expect:     [{'$1', [{'=:=', {element, 1, '$1'}, a}], ['$1']},
%% expect:      {'$1', [{is_atom, '$1'}], ['$1']}].
%% expect: f(X) ->
%% expect:     [{{'$1', '_', '$1'}, [], [['$_', '$1', x, 1.5, -3]]}].
%% expect: f(X) ->
%% expect:     [{{r, '$1', '_', {'$2', '_'}},
%% expect:       [{is_integer, '$1'}, {'orelse', {'>', '$1', 3}, '$2'}],
%% expect:       [{{r, '$2', '$1', undefined}}]}].
%% expect: f(X) ->
%% expect:     [{{r, '$1', '_', '_'}, [], [{element, 3, '$_'}]}].
%% expect: f(X) ->
%% expect:     [{{r, '$1', '_', '_'},
%% expect:       [{'==', '$1', {const, X}}],
%% expect:       [{{r, {element, 2, '$_'}, {element, 3, '$_'}, '$1'}}]}].
%% expect: f(X) ->
%% expect:     [{{'$1', '$2'}, [], ['$_']}].
%% expect: f(X) ->
%% expect:     [{{'$1', '_'}, [{is_record, '$1', r, 4}], ['$1']}].
%% expect: f(X) ->
%% expect:     [{'_', [], [true]}].
%% expect: f(X) ->
%% expect:     [{{['$1' | '$2'], b}, [], [{{'$1', '$2', {{x, {const, X}}}}}]}].
%% expect: f(X) ->
%% expect:     [{{x, {r, 5, '$1', y}}, [], [{{r, hej, '$1', z}}]}].

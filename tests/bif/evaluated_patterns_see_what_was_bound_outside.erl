%% erl_eval: sizes and keys in heads and generators, filters that are guards, handlers, and what is evaluated first.
-module(evaluated_patterns_see_what_was_bound_outside).
-export([main/0]).

main() ->
    show("L = 8, F = fun(<<L:L, B:L>>) -> {L, B} end, {L, F(<<16:8, 7:8>>)}."),
    show("X = 8, [X || <<X:X, X2:X>> <= <<1, 2, 3, 4>>, X2 > 0]."),
    show("X = key, (fun(#{X := value}) -> true end)(#{X => value})."),
    show("<< <<>> || <<34:(1/0)>> <= <<\"string\">> >>."),
    show("[X || X <- [1, a, 2], X + 0 > 1]."),
    show("[X || X <- [1, 2], X]."),
    show("[X || X <- [1, 2], begin X end]."),
    show("[foo || <<(1 bsl 1023)/float>> <= <<(1 bsl 1023)/float>>]."),
    show("[foo || <<17/float>> <= <<17/float>>]."),
    show("[foo || <<(1 bsl 1024)/float>> <= <<1/float>>]."),
    show("if integer(3) -> true; true -> false end."),
    show("[]#{a => error(first)}."),
    show("<<1:(-1), (fun() -> a = b end())>>."),
    show("<<\"\":problem/signed>>."),
    show("<<X:(process_info(self()))>> = <<>>."),
    show("apply(fun(A) -> A end, [1, 2])."),
    handled("apply(lists, reverse, [[1, 2]])."),
    handled("F = fun(A) -> lists:last(A) end, F([1, 2])."),
    io:format("~p~n", [[erl_lint:is_guard_test(parse(Test)) || Test <- ["is_atom(X).", "atom(X).", "foo(X).", "X + 1.", "erlang:hd(X)."]]]),
    function_clause().

parse(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    hd(Exprs).

show(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    Result =
        try erl_eval:exprs(Exprs, []) of
            {value, Value, _} -> Value
        catch
            error:{badarity, {_, Args}} -> {badarity, Args};
            error:Reason -> {error, Reason}
        end,
    io:format("~p~n", [Result]).

handled(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    Handler = fun({Module, Name}, Args) -> {handled, apply(Module, Name, Args)} end,
    {value, Value, _} = erl_eval:exprs(Exprs, [], none, {value, Handler}),
    io:format("~p~n", [Value]).

function_clause() ->
    {value, F, _} = erl_eval:expr(parse("fun(P) when is_pid(P) -> true end."), []),
    try F(a)
    catch
        error:function_clause:Stack ->
            {Module, Name, Args, _} = hd(Stack),
            io:format("~p~n", [{Module, Name, Args}])
    end.

%% expect: {error,function_clause}
%% expect: []
%% expect: true
%% expect: <<>>
%% expect: [2]
%% expect: []
%% expect: {error,{bad_filter,1}}
%% expect: [foo]
%% expect: [foo]
%% expect: []
%% expect: true
%% expect: {error,first}
%% expect: {error,{badmatch,b}}
%% expect: {error,badarg}
%% expect: {error,illegal_bitsize}
%% expect: {badarity,[1,2]}
%% expect: {handled,[2,1]}
%% expect: {handled,2}
%% expect: [true,true,false,true,true]
%% expect: {erl_eval,'-inside-an-interpreted-fun-',[a]}

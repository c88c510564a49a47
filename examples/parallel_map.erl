%% A map that works on all elements at once, one process each.
%%
%%     erlet run examples/parallel_map.erl
%%
%% The results come back in whatever order the workers finish. A fresh reference in each answer says which
%% element it belongs to, and `receive` picks the messages in the order of the list.
-module(parallel_map).
-export([main/1, pmap/2]).

main(_) ->
    Numbers = lists:seq(20, 27),
    Results = pmap(fun fib/1, Numbers),
    [io:format("fib(~w) = ~w~n", [N, F]) || {N, F} <- lists:zip(Numbers, Results)],
    %% A worker that fails takes the whole map with it, as an ordinary map would fail.
    io:format("~w~n", [catch pmap(fun(X) -> 10 div X end, [5, 2])]),
    try pmap(fun(X) -> 10 div X end, [5, 0, 2])
    catch
        error:badarith -> io:format("one worker divided by zero~n")
    end.

pmap(Fun, List) ->
    Workers = [start(Fun, X) || X <- List],
    [answer(W) || W <- Workers].

start(Fun, X) ->
    Self = self(),
    Tag = make_ref(),
    Work = fun() ->
        Self ! {Tag, try {ok, Fun(X)} catch Class:Reason -> {Class, Reason} end}
    end,
    {spawn(Work), Tag}.

answer({_, Tag}) ->
    receive
        {Tag, {ok, Value}} -> Value;
        {Tag, {Class, Reason}} -> erlang:raise(Class, Reason, [])
    end.

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).

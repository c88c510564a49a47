%% `apply/3` with a list of arguments and `apply/2` are tail calls where any call would be one.
-module(apply_in_tail_position_uses_no_stack).
-export([main/0, loop/2]).

%% expect: true
%% expect: true
%% expect: [{fails,[a]}]
main() ->
    {stack_size, Before} = process_info(self(), stack_size),
    io:format("~p~n", [loop(100000, 0) =< Before + 10]),
    Loop = fun(Self, N) -> again(Self, [Self, N]) end,
    io:format("~p~n", [Loop(Loop, 100000) =< Before + 20]),
    try applies([a]) of
        _ -> ok
    catch
        error:function_clause:Trace ->
            io:format("~p~n", [[{F, A} || {?MODULE, F, A, _} <- Trace, F =/= main]])
    end,
    ok.

loop(0, _) ->
    {stack_size, Now} = process_info(self(), stack_size),
    Now;
loop(N, Acc) -> apply(?MODULE, loop, arguments(N, Acc)).

arguments(N, Acc) -> [N - 1, Acc].

again(_, [_, 0]) ->
    {stack_size, Now} = process_info(self(), stack_size),
    Now;
again(F, [F, N]) -> apply(F, [F, N - 1]).

applies(Args) -> apply(fun fails/1, Args).

fails(b) -> ok.

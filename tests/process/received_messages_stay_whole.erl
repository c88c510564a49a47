%% What is matched out of a message, of whatever shape and size, is the same after the message is gone and the heap has
%% been collected.
-module(received_messages_stay_whole).
-export([main/1]).

main(_) ->
    Ref = make_ref(),
    Add = fun(N) -> N + 1 end,
    Messages =
        [now_and_then, 17, [], {}, {a}, {a, 1.5, 1.0e300}, {b, {c, {d, [e, {f}]}}}, [1, 2, 3], [[x | y], "text"],
         {big, 1 bsl 70, -(1 bsl 200)}, {fn, Add}, {ref, Ref, self()}, #{k => {v, [w]}}, <<"small">>,
         {bin, <<"small">>, binary:copy(<<"large">>, 100)}, lists:seq(1, 40), {long, lists:seq(1, 2000)},
         list_to_tuple(lists:seq(1, 20)), {literal, ["of", {the, module}]}, [improper, {list} | {tail}]],
    Me = self(),
    Echo = spawn(fun() -> echo(Me) end),
    Back = [ask(Echo, M) || M <- Messages],
    erlang:garbage_collect(),
    io:format("~p~n", [Back =:= Messages]),
    {fn, Same} = lists:keyfind(fn, 1, [T || T <- Back, is_tuple(T), tuple_size(T) > 0]),
    io:format("~p~n", [Same(41)]),
    self() ! {pair, {left, [1, 2]}, {right, {3, 4}}},
    self() ! {bytes, <<1, 2, 3, 4:16, "rest">>},
    Parts = receive {pair, {left, L}, {right, R}} -> churn(20000, []), {L, R} end,
    io:format("~p~n", [Parts]),
    Bytes = receive {bytes, <<A, B, _, C:16, Rest/binary>>} when A < B -> churn(20000, []), {A, B, C, Rest} end,
    io:format("~p~n", [Bytes]),
    %% The same reference twice in one message, and messages that pass others.
    [self() ! {n, N, [N, {N}]} || N <- [1, 2, 3, 4]],
    Picked = [receive {n, N, X} -> X end || N <- [3, 1, 4, 2]],
    churn(20000, []),
    io:format("~p~n", [Picked]).

ask(Echo, Message) ->
    Echo ! {echo, Message},
    receive {back, Answer} -> Answer end.

echo(To) ->
    receive {echo, Message} -> churn(50, []), To ! {back, Message}, echo(To) end.

churn(0, _) -> ok;
churn(N, _) when N rem 100 =:= 0 -> churn(N - 1, [N]);
churn(N, L) -> churn(N - 1, [{N, L} | L]).

%% expect: true
%% expect: 42
%% expect: {[1,2],{3,4}}
%% expect: {1,2,4,<<"rest">>}
%% expect: [[3,{3}],[1,{1}],[4,{4}],[2,{2}]]

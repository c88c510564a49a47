%% Big binaries in messages keep their contents after sender and receiver have gone.
-module(large_binaries_go_by_reference).
-export([main/0]).

main() ->
    Self = self(),
    B = binary:copy(<<"0123456789abcdef">>, 10000),
    H = erlang:md5(B),
    [spawn(fun() -> Self ! {part, I, binary:part(B, I * 16, 1600)} end) || I <- lists:seq(1, 20)],
    Parts = lists:sort([receive {part, I, P} -> {I, P} end || _ <- lists:seq(1, 20)]),
    show(lists:all(fun({_, P}) -> P =:= binary:copy(<<"0123456789abcdef">>, 100) end, Parts)),
    P = spawn(fun() -> X = binary:copy(<<1, 2, 3>>, 50000), Self ! X end),
    X = receive Y -> Y end,
    erlang:garbage_collect(),
    show({is_pid(P), byte_size(X), binary:at(X, 149999), erlang:md5(B) =:= H}).

show(X) -> io:format("~p~n", [X]).

%% expect: true
%% expect: {true,150000,3,true}

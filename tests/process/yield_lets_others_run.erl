%% erlang:yield/0 returns true.
-module(yield_lets_others_run).
-export([main/0]).

main() ->
    show(erlang:yield()),
    Self = self(),
    spawn(fun() -> Self ! ran end),
    wait(),
    show(receive ran -> ran end).

wait() ->
    case process_info(self(), message_queue_len) of
        {_, 0} -> erlang:yield(), wait();
        _ -> ok
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: true
%% expect: ran

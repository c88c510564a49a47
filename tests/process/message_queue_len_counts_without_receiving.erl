%% The queue length of a process that never receives is what was sent.
-module(message_queue_len_counts_without_receiving).
-export([main/0]).

main() ->
    P = spawn(fun() -> busy() end),
    [P ! I || I <- lists:seq(1, 100)],
    show(process_info(P, message_queue_len)),
    exit(P, kill),
    [self() ! x || _ <- lists:seq(1, 7)],
    show(process_info(self(), message_queue_len)).

busy() -> erlang:yield(), busy().

show(X) -> io:format("~p~n", [X]).

%% expect: {message_queue_len,100}
%% expect: {message_queue_len,7}

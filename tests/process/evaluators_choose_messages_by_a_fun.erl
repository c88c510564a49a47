%% prim_eval: the first message that a fun takes leaves the mailbox, the others stay in their order.
-module(evaluators_choose_messages_by_a_fun).
-export([main/0]).
main() ->
    self() ! a, self() ! {b, 1}, self() ! c, self() ! {b, 2},
    Take = fun({b, N}) -> {taken, N}; (_) -> nomatch end,
    io:format("~p ~p ~p~n", [prim_eval:'receive'(Take, infinity), prim_eval:'receive'(Take, 0), prim_eval:'receive'(Take, 20)]),
    io:format("~p~n", [process_info(self(), messages)]),
    Self = self(),
    spawn(fun() -> timer:sleep(20), Self ! {b, 3} end),
    io:format("~p~n", [prim_eval:'receive'(Take, 5000)]),
    io:format("~p~n", [catch element(1, element(2, catch prim_eval:'receive'(Take, x)))]).

%% expect: {taken,1} {taken,2} timeout
%% expect: {messages,[a,c]}
%% expect: {taken,3}
%% expect: timeout_value

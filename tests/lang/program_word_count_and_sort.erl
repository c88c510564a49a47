%% Splitting text, counting in a map, sorting by count.
-module(program_word_count_and_sort).
-export([main/0]).

main() ->
    Text = "the quick brown fox jumps over the lazy dog the fox is quick and the dog is not",
    Counts = lists:foldl(fun(W, M) -> maps:update_with(W, fun(N) -> N + 1 end, 1, M) end, #{}, string:tokens(Text, " ")),
    Sorted = lists:sort(fun({W1, N1}, {W2, N2}) -> {-N1, W1} =< {-N2, W2} end, maps:to_list(Counts)),
    [io:format("~-6s ~b~n", [W, N]) || {W, N} <- lists:sublist(Sorted, 6)],
    ok.

%% expect: the    4
%% expect: dog    2
%% expect: fox    2
%% expect: is     2
%% expect: quick  2
%% expect: and    1

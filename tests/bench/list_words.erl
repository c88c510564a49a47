%% Lists: permutations, run lengths, merging, and a text cut into words.
-module(list_words).
-export([bench/0]).

bench() ->
    Runs = lists:append([lists:duplicate(N rem 7 + 1, N) || N <- lists:seq(1, 2000)]),
    Text = lists:append(lists:duplicate(500, "the quick brown fox jumps over the lazy dog ")),
    [{list_permutations, 5040, fun() -> 5040 = length(permutations(lists:seq(1, 7))) end},
     {list_run_lengths, length(Runs), fun() -> 2000 = length(run_lengths(Runs)) end},
     {list_cut, length(Text), fun() -> 4500 = length(words(Text, [], [])) end},
     {list_zip_fold, 10000, fun() -> 333383335000 = dot(lists:seq(1, 10000)) end}].

permutations([]) -> [[]];
permutations(L) -> [[X | Rest] || X <- L, Rest <- permutations(L -- [X])].

run_lengths([]) -> [];
run_lengths([X | Rest]) -> run_lengths(Rest, X, 1).

run_lengths([X | Rest], X, N) -> run_lengths(Rest, X, N + 1);
run_lengths(Rest, X, N) -> [{X, N} | run_lengths(Rest)].

words([$\s | Rest], Word, Words) -> words(Rest, [], [lists:reverse(Word) | Words]);
words([C | Rest], Word, Words) -> words(Rest, [C | Word], Words);
words([], [], Words) -> lists:reverse(Words).

dot(L) -> lists:foldl(fun({A, B}, Sum) -> A * B + Sum end, 0, lists:zip(L, L)).

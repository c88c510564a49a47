%% Elements that compare equal and are not the same, 1 and 1.0: sort/1 changes their order where the list falls, the other sorts keep it.
-module(sorting_puts_equal_numbers_in_the_order_of_otp).
-export([main/0]).

main() ->
    [io:format("~w~n", [lists:sort(L)]) || L <- [[3.0, 2.0, 1.0, 2], [2.0, 1.0, 2.0, 1, 2], [1, 1.0, 1], [2, 1.0, 1, 2.0], [{2}, {1.0}, {1}, {0}]]],
    [io:format("~p: ~p~n", [N, [erlang:phash2(sorts([numbers(N, K, N + 7 * I) || I <- lists:seq(1, 8)])) || K <- [2, 5, N]]])
     || N <- [3, 4, 5, 7, 12, 40, 150]],
    Long = numbers(4200, 700, 5),
    io:format("~p ~p~n", [erlang:phash2(lists:sort(Long)), erlang:phash2(lists:sort([{X} || X <- Long]))]),
    io:format("~p ~p~n", [erlang:phash2(lists:sort(lists:reverse(lists:seq(1, 4100)) ++ [4.0, 2.0])), erlang:phash2(lists:sort(lists:seq(1, 4100) ++ [4.0, 2.0, 2]))]).

sorts(Ls) ->
    [[lists:sort(L), lists:usort(L), lists:sort([[X] || X <- L]), lists:keysort(1, [{X, Y} || {X, Y} <- lists:zip(L, lists:seq(1, length(L)))]),
      lists:merge(lists:sort(L), lists:sort(lists:reverse(L))), lists:umerge(lists:usort(L), lists:usort(lists:reverse(L))), lists:ukeysort(1, [{X, Y} || {X, Y} <- lists:zip(L, lists:seq(1, length(L)))]),
      lists:sort(fun(A, B) -> A =< B end, L), lists:usort(fun(A, B) -> A =< B end, L)] || L <- Ls].

%% N numbers from 1 to K, about half of them floats.
numbers(0, _, _) -> [];
numbers(N, K, Seed) ->
    Next = (Seed * 1103515245 + 12345) band 16#7fffffff,
    Number = 1 + (Next bsr 8) rem K,
    [case Next band 16#40000 of 0 -> Number; _ -> float(Number) end | numbers(N - 1, K, Next)].

%% expect: [1.0,2,2.0,3.0]
%% expect: [1,1.0,2,2.0,2.0]
%% expect: [1,1.0,1]
%% expect: [1,1.0,2.0,2]
%% expect: [{0},{1},{1.0},{2}]
%% expect: 3: [101288938,2266406,58055960]
%% expect: 4: [32154041,116163069,130719493]
%% expect: 5: [14492860,86162381,86162381]
%% expect: 7: [26964772,29481557,110696481]
%% expect: 12: [92561271,95407813,118190832]
%% expect: 40: [57826579,14860021,46950983]
%% expect: 150: [116965976,126407997,29072002]
%% expect: 26352591 19406957
%% expect: 59654146 76873634

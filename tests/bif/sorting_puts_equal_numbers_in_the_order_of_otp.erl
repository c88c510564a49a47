%% Elements that compare equal and are not the same, 1 and 1.0: sort/1 changes their order where the list falls, the other sorts keep it.
-module(sorting_puts_equal_numbers_in_the_order_of_otp).
-export([main/0]).

main() ->
    [io:format("~w~n", [lists:sort(L)]) || L <- [[3.0, 2.0, 1.0, 2], [2.0, 1.0, 2.0, 1, 2], [1, 1.0, 1], [2, 1.0, 1, 2.0], [{2}, {1.0}, {1}, {0}]]],
    [io:format("~p: ~p~n", [N, [erlang:phash2(sorts([numbers(N, K, N + 7 * I) || I <- lists:seq(1, 20)])) || K <- [2, 5, N]]])
     || N <- [3, 4, 5, 7, 12, 40, 300]],
    Long = numbers(20000, 3000, 5),
    io:format("~p ~p~n", [erlang:phash2(lists:sort(Long)), erlang:phash2(lists:sort([{X} || X <- Long]))]),
    io:format("~p ~p~n", [erlang:phash2(lists:sort(lists:reverse(lists:seq(1, 9000)) ++ [4.0, 2.0])), erlang:phash2(lists:sort(lists:seq(1, 9000) ++ [4.0, 2.0, 2]))]).

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
%% expect: 3: [81459155,112270729,125965730]
%% expect: 4: [118376084,121726685,44897697]
%% expect: 5: [15610000,79406213,79406213]
%% expect: 7: [52055960,97458793,48711487]
%% expect: 12: [10305096,29887354,64328138]
%% expect: 40: [78528830,104245522,31931177]
%% expect: 300: [130148042,17335324,96017183]
%% expect: 28421677 121610138
%% expect: 18471105 106394661

%% Deep iolists reach output in order.
-module(iodata_is_flattened_everywhere).
-export([main/0]).

main() ->
    Deep = lists:foldl(fun(I, A) -> [A, integer_to_list(I), <<",">>] end, [], lists:seq(1, 30)),
    io:put_chars([Deep, $\n]),
    io:format("~s~n", [Deep]),
    show(lists:flatlength([Deep]) > 0).

show(X) -> io:format("~p~n", [X]).

%% expect: 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,
%% expect: 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,
%% expect: true

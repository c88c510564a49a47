%% hd, tl, length and friends.
-module(list_bifs_check_their_arguments).
-export([main/0]).

main() ->
    show([hd([1, 2]), tl([1, 2]), tl([1]), tl([1 | 2]), length([]), length([1, 2, 3])]),
    show([attempt(F) || F <- [fun() -> hd(id([])) end, fun() -> tl(id([])) end, fun() -> hd(id(a)) end, fun() -> length(id(a)) end, fun() -> length(id([1 | 2])) end]]),
    show(length(lists:seq(1, 100000))).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [1,[2],[],2,0,3]
%% expect: [{error,badarg},{error,badarg},{error,badarg},{error,badarg},{error,badarg}]
%% expect: 100000

%% Short circuit; the right side may be anything, the left must be boolean.
-module(andalso_and_orelse_return_their_right_side).
-export([main/0]).

main() ->
    show([id(true) andalso 1, id(false) andalso 1, id(true) orelse 1, id(false) orelse 1]),
    show(attempt(fun() -> id(1) andalso true end)),
    show(attempt(fun() -> id(a) orelse true end)),
    show(id(false) andalso exit(never)),
    show(id(true) orelse exit(never)),
    show(id(true) andalso id(false) orelse id(true) andalso yes).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [1,false,true,1]
%% expect: {error,{badarg,1}}
%% expect: {error,{badarg,a}}
%% expect: false
%% expect: true
%% expect: yes

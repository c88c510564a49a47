%% Construction checks each value against its type and size.
-module(a_wrong_value_in_a_binary_is_badarg).
-export([main/0]).

main() ->
    show([attempt(F) || F <- [fun() -> <<(id(a))>> end,
                              fun() -> <<(id(1.5))>> end,
                              fun() -> <<(id(x))/binary>> end,
                              fun() -> <<(id(<<1, 2>>)):3/binary>> end,
                              fun() -> <<1:(id(-8))>> end,
                              fun() -> <<1:(id(a))>> end,
                              fun() -> <<(id("list"))/binary>> end,
                              fun() -> <<(id(a))/float>> end,
                              fun() -> <<(id(1 bsl 2000))/float>> end,
                              fun() -> <<(id(<<1>>))/float>> end,
                              fun() -> <<(id([]))/utf8>> end]]).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [{error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg}]

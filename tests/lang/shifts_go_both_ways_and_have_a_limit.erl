%% bsl and bsr with negative and huge counts.
-module(shifts_go_both_ways_and_have_a_limit).
-export([main/0]).

main() ->
    show([id(1) bsl 10, id(1) bsl -1, id(-1) bsr 100, id(-1) bsl 3, id(5) bsr 1, id(-5) bsr 1, id(5) bsr -2, id(1) bsl 59, id(1) bsl 60,
          id(1) bsl 61, id(1) bsl 64, id(-1) bsl 60, id(-1) bsl 61, id(0) bsl 100000000000, id(0) bsr -100000000000]),
    show([(1 bsl 100) bsr N || N <- [0, 1, 40, 99, 100, 101, 1000000000000]]),
    show([(-(1 bsl 100)) bsr N || N <- [0, 1, 40, 99, 100, 101, 1000000000000]]),
    show([(-(1 bsl 100) - 1) bsr N || N <- [1, 64, 100]]),
    show(id(1) bsr (1 bsl 70)),
    show(id(-1) bsr (1 bsl 70)),
    show(attempt(fun() -> id(1) bsl id(10000000000000000000) end)),
    show(attempt(fun() -> id(1) bsr id(-10000000000000000000) end)),
    show(attempt(fun() -> id(1) bsl id(1.0) end)),
    show(attempt(fun() -> id(a) bsr id(1) end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [1024,0,-1,-8,2,-3,20,576460752303423488,1152921504606846976,
%% expect:  2305843009213693952,18446744073709551616,-1152921504606846976,
%% expect:  -2305843009213693952,0,0]
%% expect: [1267650600228229401496703205376,633825300114114700748351602688,
%% expect:  1152921504606846976,2,1,0,0]
%% expect: [-1267650600228229401496703205376,-633825300114114700748351602688,
%% expect:  -1152921504606846976,-2,-1,-1,-1]
%% expect: [-633825300114114700748351602689,-68719476737,-2]
%% expect: 0
%% expect: -1
%% expect: {error,system_limit}
%% expect: {error,system_limit}
%% expect: {error,badarith}
%% expect: {error,badarith}

%% div and rem take the sign of the dividend, for small and big integers.
-module(division_truncates_toward_zero).
-export([main/0]).

main() ->
    show([{X div Y, X rem Y} || X <- [7, -7], Y <- [2, -2]]),
    B = id(1 bsl 100),
    show([{X div Y, X rem Y} || X <- [B + 7, -B - 7], Y <- [1 bsl 50 + 1, -(1 bsl 50) - 1, 3, -3]]),
    show([id(5) div B, id(5) rem B, B div B, B rem B, -B div B, (B * B) div B =:= B]),
    show(id(-576460752303423488) div id(-1)),
    show(id(-1152921504606846976) div id(-1)),
    show(id(-9223372036854775808) div id(-1)),
    show(id(-9223372036854775808) rem id(-1)),
    show(attempt(fun() -> id(1) div id(0) end)),
    show(attempt(fun() -> id(1) rem id(0) end)),
    show(attempt(fun() -> id(1 bsl 80) div id(0) end)),
    show(attempt(fun() -> id(1.0) div id(1) end)),
    show(attempt(fun() -> id(1) / id(0) end)),
    show(attempt(fun() -> id(1) / id(0.0) end)),
    show([id(7) / id(2), id(6) / id(2), id(1 bsl 70) / id(2)]),
    N = id(1000), show({N rem 128, N div 128}).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [{3,1},{-3,1},{-3,-1},{3,-1}]
%% expect: [{1125899906842623,8},
%% expect:  {-1125899906842623,8},
%% expect:  {422550200076076467165567735127,2},
%% expect:  {-422550200076076467165567735127,2},
%% expect:  {-1125899906842623,-8},
%% expect:  {1125899906842623,-8},
%% expect:  {-422550200076076467165567735127,-2},
%% expect:  {422550200076076467165567735127,-2}]
%% expect: [0,5,1,0,-1,true]
%% expect: 576460752303423488
%% expect: 1152921504606846976
%% expect: 9223372036854775808
%% expect: 0
%% expect: {error,badarith}
%% expect: {error,badarith}
%% expect: {error,badarith}
%% expect: {error,badarith}
%% expect: {error,badarith}
%% expect: {error,badarith}
%% expect: [3.5,3.0,5.902958103587057e20]
%% expect: {104,7}

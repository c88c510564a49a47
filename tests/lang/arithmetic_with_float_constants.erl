%% An operator with a float written out takes every kind of number on its other side.
-module(arithmetic_with_float_constants).
-export([main/0]).

main() ->
    Numbers = [0, 1, -3, 0.0, 2.5, 1 bsl 70, -(1 bsl 70), 1.0e-200, 1.0e200],
    [show({X + 1.5, 1.5 + X, X - 1.5, 1.5 - X, X * 0.5, 0.5 * X, X / 4.0}) || X <- Numbers],
    show([{4.0 / X, 4 / X, X / 4, X / -3, 9007199254740993 / X} || X <- [1, -2, 2.0, 1 bsl 59, 1 bsl 70, 1.0e-200]]),
    show([failed(fun() -> F(X) end)
          || F <- [fun(X) -> 4 / X end, fun(X) -> X / 4 end, fun(X) -> 4.0 / X end, fun(X) -> X / 4.0 end],
             X <- [0, 0.0, a, 1 bsl 2000]]),
    show([{X < 2.5, X > 2.5, X =< 2.5, X >= 2.5, 2.5 < X, 2.5 > X} || X <- [2, 3, 2.5, 2.6, 1 bsl 70, -(1 bsl 70), a, [], {}]]),
    show([side(X) || X <- [2, 3, 2.5, 2.6, 0.0, 1 bsl 70, -(1 bsl 70), 1.0e-300, a, "", {1}]]),
    show([failed(fun() -> F(a) end)
          || F <- [fun(X) -> X + 1.5 end, fun(X) -> 1.5 + X end, fun(X) -> X - 1.5 end, fun(X) -> 1.5 * X end,
                   fun(X) -> X / 1.5 end]]),
    show([failed(fun() -> id(X) / id(0.0) end) || X <- [1, 1.0, 0.0]]),
    show([failed(fun() -> id(1) / id(X) end) || X <- [0, 0.0]]),
    show([failed(fun() -> id(1.0e308) * 10.0 end), failed(fun() -> id(1.0e308) + 1.0e308 end)]),
    show([id(1.0e-300) * 1.0e-300]).

side(X) when X < 1.0e-100 -> low;
side(X) when X >= 2.5, X =< 2.55 -> middle;
side(X) when 2.55 < X, X < 1.0e10 -> high;
side(X) when is_number(X) -> far;
side(_) -> none.

failed(F) ->
    try F()
    catch error:Reason -> Reason
    end.

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: {1.5,1.5,-1.5,1.5,0.0,0.0,0.0}
%% expect: {2.5,2.5,-0.5,0.5,0.5,0.5,0.25}
%% expect: {-1.5,-1.5,-4.5,4.5,-1.5,-1.5,-0.75}
%% expect: {1.5,1.5,-1.5,1.5,0.0,0.0,0.0}
%% expect: {4.0,4.0,1.0,-1.0,1.25,1.25,0.625}
%% expect: {1.1805916207174113e21,1.1805916207174113e21,1.1805916207174113e21,
%% expect:  -1.1805916207174113e21,5.902958103587057e20,5.902958103587057e20,
%% expect:  2.9514790517935283e20}
%% expect: {-1.1805916207174113e21,-1.1805916207174113e21,-1.1805916207174113e21,
%% expect:  1.1805916207174113e21,-5.902958103587057e20,-5.902958103587057e20,
%% expect:  -2.9514790517935283e20}
%% expect: {1.5,1.5,-1.5,1.5,5.0e-201,5.0e-201,2.5e-201}
%% expect: {1.0e200,1.0e200,1.0e200,-1.0e200,5.0e199,5.0e199,2.5e199}
%% expect: [{4.0,4.0,0.25,-0.3333333333333333,9.007199254740992e15},
%% expect:  {-2.0,-2.0,-0.5,0.6666666666666666,-4503599627370496.0},
%% expect:  {2.0,2.0,0.5,-0.6666666666666666,4503599627370496.0},
%% expect:  {6.938893903907228e-18,6.938893903907228e-18,1.4411518807585587e17,
%% expect:   -1.9215358410114115e17,0.015625},
%% expect:  {3.3881317890172014e-21,3.3881317890172014e-21,2.9514790517935283e20,
%% expect:   -3.935305402391371e20,7.62939453125e-6},
%% expect:  {4.0e200,4.0e200,2.5e-201,-3.3333333333333335e-201,9.007199254740992e215}]
%% expect: [badarith,badarith,badarith,badarith,0.0,0.0,badarith,badarith,badarith,
%% expect:  badarith,badarith,badarith,0.0,0.0,badarith,badarith]
%% expect: [{true,false,true,false,false,true},
%% expect:  {false,true,false,true,true,false},
%% expect:  {false,false,true,true,false,false},
%% expect:  {false,true,false,true,true,false},
%% expect:  {false,true,false,true,true,false},
%% expect:  {true,false,true,false,false,true},
%% expect:  {false,true,false,true,true,false},
%% expect:  {false,true,false,true,true,false},
%% expect:  {false,true,false,true,true,false}]
%% expect: [far,high,middle,high,low,far,low,low,none,none,none]
%% expect: [badarith,badarith,badarith,badarith,badarith]
%% expect: [badarith,badarith,badarith]
%% expect: [badarith,badarith]
%% expect: [badarith,badarith]
%% expect: [0.0]

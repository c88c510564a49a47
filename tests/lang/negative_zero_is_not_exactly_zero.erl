%% 0.0 =:= -0.0 is false since OTP 27, == stays true.
%% differs from OTP 25: 0.0 =:= -0.0 is true before OTP 27
-module(negative_zero_is_not_exactly_zero).
-export([main/0]).

main() ->
    Z = id(0.0), M = id(-0.0),
    show([Z =:= M, Z == M, Z =/= M, Z /= M, M < Z, Z =:= 0.0, maps:is_key(0.0, #{M => 1})]).

%% expect: [false,true,true,false,false,true,false]

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

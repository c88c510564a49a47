%% Maps from comprehensions and generators over maps, as since OTP 26.
%% differs from OTP 25: map comprehensions came with OTP 26
-module(map_comprehensions).
-export([main/0]).

main() ->
    show(#{K => K * K || K <- [1, 2, 3]}),
    show([{V, K} || K := V <- #{a => 1}]),
    show(#{V => K || K := V <- #{a => 1, b => 2}, V > 1}).

%% expect: #{1 => 1,2 => 4,3 => 9}
%% expect: [{1,a}]
%% expect: #{2 => b}

show(X) -> io:format("~p~n", [X]).

%% A shorter bit string that is a prefix comes first.
-module(bit_strings_compare_bit_by_bit).
-export([main/0]).

main() ->
    show([X < Y || {X, Y} <- [{<<1:9>>, <<1:8>>}, {<<1:1>>, <<0:8>>}, {<<1:4>>, <<1:5>>}, {<<0:3>>, <<0:4>>}, {<<1, 1:1>>, <<1>>}]]).

show(X) -> io:format("~p~n", [X]).

%% expect: [true,false,false,true,false]

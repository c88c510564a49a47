%% Tuples by size first, lists element by element, binaries byte by byte.
-module(compound_terms_compare_by_size_then_parts).
-export([main/0]).

main() ->
    show([{X < Y, X > Y, X =< Y, X >= Y} || {X, Y} <-
        [{{a}, {a, a}}, {{b}, {a, a}}, {{a, b}, {a, c}}, {{1, b}, {1.0, a}}, {[a], [a, a]}, {[b], [a, a]}, {[], [a]}, {[a | b], [a, b]},
         {"abc", "abd"}, {"", "a"}, {<<1, 2>>, <<1, 3>>}, {<<1>>, <<1, 0>>}, {<<2>>, <<1, 9>>}, {<<>>, <<0>>}, {abc, abd}, {ab, abc},
         {'', a}, {'Z', a}, {aa, b}]]).

show(X) -> io:format("~p~n", [X]).

%% expect: [{true,false,true,false},
%% expect:  {true,false,true,false},
%% expect:  {true,false,true,false},
%% expect:  {false,true,false,true},
%% expect:  {true,false,true,false},
%% expect:  {false,true,false,true},
%% expect:  {true,false,true,false},
%% expect:  {true,false,true,false},
%% expect:  {true,false,true,false},
%% expect:  {true,false,true,false},
%% expect:  {true,false,true,false},
%% expect:  {true,false,true,false},
%% expect:  {false,true,false,true},
%% expect:  {true,false,true,false},
%% expect:  {true,false,true,false},
%% expect:  {true,false,true,false},
%% expect:  {true,false,true,false},
%% expect:  {true,false,true,false},
%% expect:  {true,false,true,false}]

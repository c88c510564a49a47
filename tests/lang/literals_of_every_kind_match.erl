%% Literals of every kind match themselves and nothing else.
-module(literals_of_every_kind_match).
-export([main/0]).

main() ->
    show([kind(X) || X <- [0, -1, 1, 1.0, 0.5, a, 'A b', "", "ab", [], {}, {a}, <<>>, <<1, 2>>, #{}, 16#FFFFFFFFFFFFFFFFF,
                           -16#FFFFFFFFFFFFFFFFF, $a, [1 | 2]]]).

kind(0) -> zero;
kind(-1) -> minus_one;
kind(1) -> one;
kind(1.0) -> one_float;
kind(0.5) -> half;
kind($a) -> letter_a;
kind(16#FFFFFFFFFFFFFFFFF) -> big;
kind(-16#FFFFFFFFFFFFFFFFF) -> big_negative;
kind(a) -> atom_a;
kind('A b') -> quoted;
kind("") -> empty_list;
kind("ab") -> string_ab;
kind([1 | 2]) -> improper;
kind({}) -> empty_tuple;
kind({a}) -> tuple_a;
kind(<<>>) -> empty_binary;
kind(<<1, 2>>) -> binary12;
kind(M) when M =:= #{} -> empty_map;
kind(_) -> other.

show(X) -> io:format("~p~n", [X]).

%% expect: [zero,minus_one,one,one_float,half,atom_a,quoted,empty_list,string_ab,
%% expect:  empty_list,empty_tuple,tuple_a,empty_binary,binary12,empty_map,big,
%% expect:  big_negative,letter_a,improper]

%% String work with guards and arithmetic on characters.
-module(program_run_length_and_caesar).
-export([main/0]).

main() ->
    S = "WWWWWWWWWWWWBWWWWWWWWWWWWBBBWWWW",
    E = encode(S),
    show(E),
    show(decode(E) =:= S),
    C = [rot(X, 13) || X <- "Hello, World!"],
    show(C),
    show([rot(X, 13) || X <- C]),
    show([palindrome(W) || W <- ["racecar", "hello", ""]]).

encode([]) -> [];
encode([C | Cs]) -> {Same, Rest} = lists:splitwith(fun(X) -> X =:= C end, Cs), [{C, 1 + length(Same)} | encode(Rest)].

decode(L) -> lists:flatmap(fun({C, N}) -> lists:duplicate(N, C) end, L).

rot(C, N) when C >= $a, C =< $z -> $a + (C - $a + N) rem 26;
rot(C, N) when C >= $A, C =< $Z -> $A + (C - $A + N) rem 26;
rot(C, _) -> C.

palindrome(W) -> W =:= lists:reverse(W).

show(X) -> io:format("~p~n", [X]).

%% expect: [{87,12},{66,1},{87,12},{66,3},{87,4}]
%% expect: true
%% expect: "Uryyb, Jbeyq!"
%% expect: "Hello, World!"
%% expect: [true,false,true]

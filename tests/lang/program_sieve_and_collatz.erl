%% Primes and the longest Collatz chain below 3,000.
-module(program_sieve_and_collatz).
-export([main/0]).

main() ->
    Primes = sieve(lists:seq(2, 1000)),
    show({length(Primes), lists:last(Primes), lists:sum(Primes)}),
    show(lists:max([{collatz(N, 1), N} || N <- lists:seq(1, 3000)])).

sieve([P | Xs]) when P * P < 1000 -> [P | sieve([X || X <- Xs, X rem P =/= 0])];
sieve(Xs) -> Xs.

collatz(1, Len) -> Len;
collatz(N, Len) when N rem 2 =:= 0 -> collatz(N div 2, Len + 1);
collatz(N, Len) -> collatz(3 * N + 1, Len + 1).

show(X) -> io:format("~p~n", [X]).

%% expect: {168,997,76127}
%% expect: {217,2919}

%% A body-recursive function 1,000,000 deep.
%% without stress: a collection of the deep stack at every safepoint is quadratic
-module(deep_recursion_grows_the_stack).
-export([main/0]).

main() ->
    show(count(1000000)),
    show(length(build(200000))),
    show(sum(build(200000))).

count(0) -> 0;
count(N) -> 1 + count(N - 1).

build(0) -> [];
build(N) -> [N | build(N - 1)].

sum([]) -> 0;
sum([H | T]) -> H + sum(T).

show(X) -> io:format("~p~n", [X]).

%% expect: 1000000
%% expect: 200000
%% expect: 20000100000

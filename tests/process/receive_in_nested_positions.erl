%% A receive inside a receive clause, a fun, a comprehension and a try.
-module(receive_in_nested_positions).
-export([main/0]).

main() ->
    [self() ! M || M <- [a, b, c, d, e, f]],
    X = receive a -> receive b -> receive c -> abc end end end,
    show(X),
    show([receive M -> M end || _ <- [1, 2]]),
    show(try receive M1 -> throw(M1) end catch T -> {thrown, T} end),
    show((fun() -> receive Z -> Z after 0 -> empty end end)()).

show(X) -> io:format("~p~n", [X]).

%% expect: abc
%% expect: [d,e]
%% expect: {thrown,f}
%% expect: empty

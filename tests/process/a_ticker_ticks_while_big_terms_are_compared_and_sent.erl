%% Forty levels of [A|A] compared and sent piecewise do not stop a ticker.
-module(a_ticker_ticks_while_big_terms_are_compared_and_sent).
-export([main/0]).

main() ->
    A = share(18, a),
    B = share(18, a),
    Self = self(),
    T = spawn(fun() -> ticker(Self, 0) end),
    show(A =:= B),
    P = spawn(fun() -> receive {From, X} -> From ! (X =:= A) end end),
    P ! {self(), A},
    show(receive R -> R end),
    T ! stop,
    show(receive {ticks, N} -> N >= 0 end).

share(0, X) -> X;
share(N, X) -> share(N - 1, [X | X]).

ticker(To, N) -> receive stop -> To ! {ticks, N} after 1 -> ticker(To, N + 1) end.

show(X) -> io:format("~p~n", [X]).

%% expect: true
%% expect: true
%% expect: true

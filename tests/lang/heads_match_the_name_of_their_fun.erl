%% The name of a fun is bound in its heads: there it is matched.
-module(heads_match_the_name_of_their_fun).
-export([main/0, g/1]).
t(F) -> try F() catch C:E -> {C, E} end.
g(_) -> F = fun K(K) -> same; K(X) -> {other, X} end, {F(F), F(1)}.
main() ->
  G = fun F(F) -> is_function(F) end,
  io:format("~p ~p~n", [t(fun() -> G(5) end), t(fun() -> G(G) end)]),
  H = fun K({K, X}) -> X; K(_) -> none end,
  io:format("~p ~p~n", [t(fun() -> H({1, 2}) end), t(fun() -> H({H, 2}) end)]),
  I = fun L([L | T]) -> {here, length(T)}; L([_ | T]) -> L(T); L([]) -> none end,
  io:format("~p ~p~n", [I([1, I, 3]), I([1, 2])]),
  io:format("~p~n", [g(1)]),
  A = 7,
  J = fun M(A, M) -> A; M(B, C) -> {A, B, C} end,
  io:format("~p ~p~n", [J(1, 2), J(1, J)]),
  N = fun O(O) when is_integer(O) -> O; O(_) -> A end,
  io:format("~p ~p~n", [N(5), N(N)]),
  P = fun Q(<<Q:8>>) -> Q; Q(_) -> no end,
  io:format("~p~n", [t(fun() -> P(<<1>>) end)]),
  R = fun S(#{k := S}) -> yes; S(#{k := V}) -> {no, V} end,
  io:format("~p ~p~n", [R(#{k => 1}), R(#{k => R})]),
  U = fun W(X) -> fun W(W) -> X; W(Y) -> {X, Y} end end,
  io:format("~p~n", [(U(1))(2)]),
  %% A name that hides another is hidden itself.
  hidden(3).

hidden(F) ->
  G = fun F(F) -> {in, F}; F(_) -> no end,
  io:format("~p ~p~n", [G(5), F]),
  U = fun W(X) -> fun W(W) -> X; W(Y) -> {X, Y} end end,
  io:format("~p~n", [(U(1))(2)]),
  V = fun W(X) -> fun W(0) -> X; W(Y) -> {X, W(Y - 1)} end end,
  io:format("~p~n", [(V(1))(2)]).

%% expect: {error,function_clause} true
%% expect: none 2
%% expect: {here,1} none
%% expect: {same,{other,1}}
%% expect: {7,1,2} 1
%% expect: 7 7
%% expect: no
%% expect: {no,1} yes
%% expect: 1
%% expect: {in,5} 3
%% expect: 1
%% expect: {1,{1,1}}

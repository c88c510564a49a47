%% A variable bound before is compared, not bound again, in the patterns of case.
-module(a_bound_variable_in_a_case_pattern_compares).
-export([main/0]).

main() ->
    X = id(2),
    Y = id(b),
    show([case T of
              {X, Z} -> {first, Z};
              {Z, Y} -> {second, Z};
              X -> itself;
              _ -> none
          end || T <- [{2, q}, {q, b}, 2, 2.0, {2, b}, {3, c}]]).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: [{first,q},{second,q},itself,none,{first,b},none]

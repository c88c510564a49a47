%% A bound variable in an alias pattern must be equal to the value, used or not.
%% differs from OTP 25: its compiler drops the comparison when the alias's other variable is not used
-module(an_alias_of_a_bound_variable_compares).
-export([main/0]).

main() ->
    show([attempt(fun() -> f(id(A), id(B)) end) || {A, B} <- [{1, 1}, {#{}, {a, 1}}, {a, b}]]).

f(A, B) -> (B = _V) = A, same.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [same,{error,{badmatch,#{}}},{error,{badmatch,a}}]

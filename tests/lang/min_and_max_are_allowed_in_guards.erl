%% min/2 and max/2 in guards, as since OTP 26.
%% differs from OTP 25: it refuses min/2 and max/2 in guards; they are allowed since OTP 26
-module(min_and_max_are_allowed_in_guards).
-export([main/0]).

main() ->
    show([f(X) || X <- [3, 7, 5, 5.0]]).

f(X) when min(X, 5) =:= 3 -> below;
f(X) when max(X, 5) =:= 7 -> above;
f(X) when min(X, 5) =:= X, max(X, 5) =:= X -> exactly;
f(_) -> other.

show(X) -> io:format("~p~n", [X]).

%% expect: [below,above,exactly,exactly]

%% maybe ... else ... end, as since OTP 25 (a feature there, on by default since 27).
%% differs from OTP 25: maybe needs -feature there
-module(maybe_expressions).
-export([main/0]).

main() ->
    show([f(X) || X <- [{ok, 1}, {ok, a}, {error, e}]]).

f(X) ->
    maybe
        {ok, N} ?= X,
        true ?= is_integer(N),
        {fine, N}
    else
        false -> not_an_integer;
        {error, R} -> R
    end.

%% expect: [{fine,1},not_an_integer,e]

show(X) -> io:format("~p~n", [X]).

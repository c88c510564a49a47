%% math:tau/0.
%% differs from OTP 25: math:tau/0 came with OTP 26
-module(math_tau_is_two_pi).
-export([main/0]).

main() -> show(math:tau()).

show(X) -> io:format("~p~n", [X]).

%% expect: 6.283185307179586

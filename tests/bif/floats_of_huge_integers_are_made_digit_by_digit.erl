%% The float of an integer of several digits (of 64 bits) is the sum of theirs from the top, each rounded, as in OTP.
-module(floats_of_huge_integers_are_made_digit_by_digit).
-export([main/0]).

main() ->
    Numbers = numbers(3000, 12345678901234567),
    show(length([N || N <- Numbers, float(N) =/= sum(N)])),
    show(length([N || N <- Numbers, abs(trunc(float(N)) - N) > nearest(N)])),
    show([float(N) || N <- [1 bsl 64 + 1, (1 bsl 128) - 1, -(1 bsl 200) - (1 bsl 147) - 1]]),
    show([try float(N) catch error:Reason -> Reason end || N <- [1 bsl 1023, (1 bsl 1024) - (1 bsl 970), 1 bsl 1024, -(1 bsl 1024), 1 bsl 5000]]).

%% How far the nearest float can be.
nearest(N) -> 1 bsl (length(integer_to_list(N, 2)) - 54).

sum(N) -> lists:foldl(fun(Digit, Sum) -> Sum * 18446744073709551616.0 + float(Digit) end, 0.0, digits(N, [])).

digits(0, Digits) -> Digits;
digits(N, Digits) -> digits(N bsr 64, [N band 16#FFFFFFFFFFFFFFFF | Digits]).

numbers(0, _) -> [];
numbers(N, State) ->
    Next = (State * 6364136223846793005 + 1442695040888963407) band (1 bsl 320 - 1),
    [Next * Next | numbers(N - 1, Next)].

show(X) -> io:format("~w~n", [X]).

%% expect: 0
%% expect: 24
%% expect: [1.8446744073709552e19,3.402823669209385e38,-1.6069380442589903e60]
%% expect: [8.98846567431158e307,badarg,badarg,badarg,badarg]

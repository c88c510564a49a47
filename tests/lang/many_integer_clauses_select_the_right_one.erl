%% Dense, sparse, negative and large integer cases.
-module(many_integer_clauses_select_the_right_one).
-export([main/0]).

main() ->
    show([f(X) || X <- [0, 1, 2, 3, 4, 5, 6, 7, 8, 100, 1000, 1000000, -1, -100, 1 bsl 59, 1 bsl 60, 1 bsl 61, -(1 bsl 60),
                        -(1 bsl 60) - 1, 1 bsl 64, 2.0, a]]).

f(0) -> zero;
f(1) -> one;
f(2) -> two;
f(3) -> three;
f(4) -> four;
f(5) -> five;
f(6) -> six;
f(7) -> seven;
f(100) -> hundred;
f(1000) -> thousand;
f(1000000) -> million;
f(-1) -> minus_one;
f(-100) -> minus_hundred;
f(576460752303423488) -> two_to_59;
f(1152921504606846976) -> two_to_60;
f(2305843009213693952) -> two_to_61;
f(-1152921504606846976) -> minus_two_to_60;
f(-1152921504606846977) -> below_minus_two_to_60;
f(18446744073709551616) -> two_to_64;
f(_) -> other.

show(X) -> io:format("~p~n", [X]).

%% expect: [zero,one,two,three,four,five,six,seven,other,hundred,thousand,million,
%% expect:  minus_one,minus_hundred,two_to_59,two_to_60,two_to_61,minus_two_to_60,
%% expect:  below_minus_two_to_60,two_to_64,other,other]

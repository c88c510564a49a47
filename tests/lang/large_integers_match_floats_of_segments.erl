%% An integer in a segment of floats stands for the float it is, however large; one that no float can be matches nothing.
-module(large_integers_match_floats_of_segments).
-export([main/0]).

main() ->
    show([found || <<(1 bsl 1023)/float>> <= <<(1 bsl 1023)/float, 1.0/float>>]),
    show(case <<18446744073709551616:32/float>> of <<18446744073709551616:32/float>> -> same; _ -> other end),
    show(case <<-36893488147419103232/float>> of <<-36893488147419103232/float>> -> same; _ -> other end),
    show(case <<1.0/float>> of <<36893488147419103232/float>> -> same; _ -> other end).

show(X) -> io:format("~p~n", [X]).

%% expect: [found]
%% expect: same
%% expect: same
%% expect: other

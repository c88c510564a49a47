%% A float segment refuses infinities and not-a-numbers.
-module(infinity_bits_do_not_match_a_float).
-export([main/0]).

main() ->
    show([case B of <<F:64/float>> -> F; _ -> no end
          || B <- [<<16#7FF0000000000000:64>>, <<16#FFF0000000000000:64>>, <<16#7FF8000000000001:64>>, <<16#3FF8000000000000:64>>,
                   <<16#7FEFFFFFFFFFFFFF:64>>, <<1:64>>]]),
    show([case B of <<F:32/float>> -> F; _ -> no end || B <- [<<16#7F800000:32>>, <<16#3FC00000:32>>, <<16#FFC00000:32>>]]),
    <<F:64/float-little>> = <<0, 0, 0, 0, 0, 0, 16#F8, 16#3F>>,
    show(F).

show(X) -> io:format("~p~n", [X]).

%% expect: [no,no,no,1.5,1.7976931348623157e308,5.0e-324]
%% expect: [no,1.5,no]
%% expect: 1.5

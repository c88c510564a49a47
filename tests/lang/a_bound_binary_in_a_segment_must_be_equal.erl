%% <<A, B:(byte_size(B))/binary>> with B bound compares the segment with it.
-module(a_bound_binary_in_a_segment_must_be_equal).
-export([main/0]).

main() ->
    show([f(X, <<"bc">>) || X <- [<<"abc">>, <<"abd">>, <<"ab">>, <<"abcd">>]]),
    Tail = <<2, 3>>,
    show([case X of <<A, Tail/binary>> -> {ok, A}; _ -> no end || X <- [<<1, 2, 3>>, <<1, 2, 4>>, <<2, 3>>]]).

f(Bin, B) ->
    case Bin of
        <<A, B:(byte_size(B))/binary>> -> {yes, A};
        _ -> no
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: [{yes,97},no,no,no]
%% expect: [{ok,1},no,no]

%% A<>3 and A<>4 made from one A are independent, also when A has spare room behind it.
-module(an_appended_binary_does_not_disturb_its_parent).
-export([main/0]).

main() ->
    A0 = lists:foldl(fun(I, B) -> <<B/binary, (I rem 256)>> end, <<>>, lists:seq(1, 300)),
    A = <<A0/binary, 1>>,
    B = <<A/binary, 3>>,
    C = <<A/binary, 4>>,
    D = <<B/binary, 5>>,
    E = <<B/binary, 6>>,
    show([binary:last(X) || X <- [A, B, C, D, E]]),
    show([byte_size(X) || X <- [A0, A, B, C, D, E]]),
    show(binary:part(D, 0, 302) =:= B andalso binary:part(C, 0, 301) =:= A),
    Self = self(),
    [spawn(fun() -> Self ! {I, <<A/binary, I>>} end) || I <- lists:seq(10, 14)],
    show([begin {I, X} = receive {I, _} = M -> M end, binary:last(X) end || I <- lists:seq(10, 14)]).

show(X) -> io:format("~p~n", [X]).

%% expect: [1,3,4,5,6]
%% expect: [300,301,302,302,303,303]
%% expect: true
%% expect: [10,11,12,13,14]

%% Factorials, powers, gcd-like loops, square roots of thousands of digits.
-module(big_integer_functions).
-export([main/0]).

main() ->
    F = fact(200),
    show(F),
    show(F div fact(198)),
    show(length(integer_to_list(pow(3, 5000)))),
    show(pow(2, 200) - pow(2, 199) =:= pow(2, 199)),
    show(gcd(fact(30), pow(6, 30))),
    X = pow(7, 300), Y = pow(11, 250),
    show((X * Y) rem X =:= 0 andalso (X * Y) div Y =:= X andalso (X + Y) * (X - Y) =:= X * X - Y * Y),
    show([(X * Y + 5) rem X, -(X * Y + 5) rem X]),
    show(isqrt(pow(10, 100) * 2)).

fact(0) -> 1;
fact(N) -> N * fact(N - 1).

pow(_, 0) -> 1;
pow(B, N) when N rem 2 =:= 0 -> H = pow(B, N div 2), H * H;
pow(B, N) -> B * pow(B, N - 1).

gcd(A, 0) -> A;
gcd(A, B) -> gcd(B, A rem B).

isqrt(N) -> isqrt(N, N).

isqrt(N, X) ->
    case (X + N div X) div 2 of
        Y when Y >= X -> X;
        Y -> isqrt(N, Y)
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: 788657867364790503552363213932185062295135977687173263294742533244359449963403342920304284011984623904177212138919638830257642790242637105061926624952829931113462857270763317237396988943922445621451664240254033291864131227428294853277524242407573903240321257405579568660226031904170324062351700858796178922222789623703897374720000000000000000000000000000000000000000000000000
%% expect: 39800
%% expect: 2386
%% expect: true
%% expect: 320979616137216
%% expect: true
%% expect: [5,-5]
%% expect: 141421356237309504880168872420969807856967187537694

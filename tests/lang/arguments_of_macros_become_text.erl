%% What `??Argument` is: the tokens as the scanner of OTP would have them written.
-module(arguments_of_macros_become_text).
-export([main/0]).

-define(TEXT(X), ??X).

main() ->
    io:format("~w~n", [?TEXT('\x{400}')]),
    io:format("~w~n", [?TEXT("\x{400}a\n")]),
    io:format("~ts~n", [?TEXT('hello world')]),
    io:format("~ts~n", [?TEXT("a\"b")]),
    io:format("~w~n", [?TEXT({'ä', ä, "ä", $\x{400}, $\n})]),
    io:format("~ts~n", [?TEXT(f(1.50e3, 150.0, 1.0e10, 0.001, 1.0e-7, 16#FF, 1_000, X, _Y, $a, [a | b], #{a => 1}, a:b(c), -1, fun() -> 1 end))]).

%% expect: [39,92,120,123,52,48,48,125,39]
%% expect: [34,1024,97,92,110,34]
%% expect: 'hello world'
%% expect: "a\"b"
%% expect: [123,32,228,32,44,32,228,32,44,32,34,228,34,32,44,32,36,1024,32,44,32,36,92,110,32,125]
%% expect: f ( 1.5e3 , 150.0 , 1.0e10 , 0.001 , 1.0e-7 , 255 , 1000 , X , _Y , $a , [ a | b ] , # { a => 1 } , a : b ( c ) , - 1 , fun ( ) -> 1 end )

%% binary:encode_hex/1, decode_hex/1.
-module(hex_encoding_of_binaries).
-export([main/0]).

main() ->
    show([binary:encode_hex(<<1, 171, 255>>), binary:decode_hex(<<"01abFF">>)]),
    show(attempt(fun() -> binary:decode_hex(id(<<"abc">>)) end)),
    show(attempt(fun() -> binary:decode_hex(id(<<"zz">>)) end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [<<"01ABFF">>,<<1,171,255>>]
%% expect: {error,badarg}
%% expect: {error,badarg}

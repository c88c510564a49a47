%% Executables are found in folders; byte order marks say the encoding.
-module(executables_and_byte_order_marks).
-export([main/0]).

main() ->
    show(os:find_executable("sh", "/no/such:/bin")), show(os:find_executable("no such program")), show(os:find_executable("/bin/sh")),
    show(os:find_executable("/no/such")), show(is_list(os:find_executable("sh"))), show(lists:keymember("PATH", 1, os:env())),
    show([unicode:bom_to_encoding(B) || B <- [<<"abc">>, <<239, 187, 191, 1>>, <<254, 255>>, <<255, 254, 0, 0>>, <<0, 0, 254, 255>>, <<>>]]),
    show([unicode:encoding_to_bom(E) || E <- [utf8, unicode, latin1, utf16, {utf16, little}, utf32, {utf32, little}]]),
    show(os:cmd("echo hello", #{max_size => 3})).

show(X) -> io:format("~0p~n", [X]).

%% expect: "/bin/sh"
%% expect: false
%% expect: "/bin/sh"
%% expect: false
%% expect: true
%% expect: true
%% expect: [{latin1,0},{utf8,3},{{utf16,big},2},{{utf32,little},4},{{utf32,big},4},{latin1,0}]
%% expect: [<<"ï»¿">>,<<"ï»¿">>,<<>>,<<"þÿ">>,<<"ÿþ">>,<<0,0,254,255>>,<<255,254,0,0>>]
%% expect: "hel"

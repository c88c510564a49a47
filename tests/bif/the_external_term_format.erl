%% term_to_binary and binary_to_term for each kind of term (atoms as SMALL_ATOM_UTF8_EXT since OTP 26).
%% differs from OTP 25: it writes atoms as ATOM_EXT, OTP 26 and later write SMALL_ATOM_UTF8_EXT
-module(the_external_term_format).
-export([main/0]).

main() ->
    show(term_to_binary({a, 1, 1.5, "x", <<1>>, #{}})),
    show([term_to_binary(T) || T <- [0, 255, 256, -1, 1 bsl 31, -(1 bsl 31), 1 bsl 64, [], [a | b], [300], true, <<>>]]).

show(X) -> io:format("~p~n", [X]).

%% expect: <<131,104,6,119,1,97,97,1,70,63,248,0,0,0,0,0,0,107,0,1,120,109,0,0,0,1,1,116,
%% expect:   0,0,0,0>>
%% expect: [<<131,97,0>>,
%% expect:  <<131,97,255>>,
%% expect:  <<131,98,0,0,1,0>>,
%% expect:  <<131,98,255,255,255,255>>,
%% expect:  <<131,110,4,0,0,0,0,128>>,
%% expect:  <<131,98,128,0,0,0>>,
%% expect:  <<131,110,9,0,0,0,0,0,0,0,0,0,1>>,
%% expect:  <<131,106>>,
%% expect:  <<131,108,0,0,0,1,119,1,97,119,1,98>>,
%% expect:  <<131,108,0,0,0,1,98,0,0,1,44,106>>,
%% expect:  <<131,119,4,116,114,117,101>>,
%% expect:  <<131,109,0,0,0,0>>]

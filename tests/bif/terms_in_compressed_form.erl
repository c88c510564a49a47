%% `term_to_binary/2` with `compressed`, and reading it: what Erlang/OTP 25 compressed, and what is broken.
-module(terms_in_compressed_form).
-export([main/0]).

%% expect: true
%% expect: true
%% expect: <<131,80>>
%% expect: true
%% expect: true
%% expect: true
%% expect: badarg
%% expect: true
%% expect: badarg
%% expect: badarg
%% expect: badarg
%% expect: true
main() ->
    Term = lists:duplicate(1000, {abc, "hello", <<"binary">>}),
    Plain = term_to_binary(Term),
    Packed = term_to_binary(Term, [compressed]),
    show(byte_size(Packed) < byte_size(Plain) div 20),
    show(binary_to_term(Packed) =:= Term),
    show(binary:part(Packed, 0, 2)),
    <<131, 80, Size:32, _/binary>> = Packed,
    show(Size =:= byte_size(Plain) - 1),
    show(term_to_binary(a, [compressed]) =:= term_to_binary(a)),
    show(term_to_binary(Term, [{compressed, 0}]) =:= Plain),
    show(catch term_to_binary(Term, [{compressed, 10}])),
    show(binary_to_term(<<Packed/binary, 1, 2, 3>>, [used]) =:= {Term, byte_size(Packed)}),
    show(catch binary_to_term(<<131, 80, 0, 0, 0, 10, 1, 2, 3>>)),
    show(catch binary_to_term(<<131, 80, 255, 255, 255, 255, 1, 2, 3>>)),
    show(catch binary_to_term(binary:part(Packed, 0, byte_size(Packed) - 5))),
    show(binary_to_term(<<131,80,0,0,16,110,120,156,237,200,177,13,128,32,0,4,192,39,12,70,199,30,38,22,4,29,64,157,208,145,44,77,28,193,250,174,188,61,201,61,234,154,178,108,169,199,121,245,246,228,35,165,148,82,74,41,165,148,82,74,249,35,231,11,253,74,139,68>>) =:= lists:duplicate(200, {a, "xyz", 1.5})).

show({'EXIT', {Reason, _}}) -> io:format("~w~n", [Reason]);
show(X) -> io:format("~w~n", [X]).

%% Construction: sizes, truncation, sign, order, strings, nesting.
-module(binaries_are_built_from_whole_bytes).
-export([main/0]).

main() ->
    X = id(258),
    B = id(<<"tail">>),
    show([<<X>>, <<X:16>>, <<X:16/little>>, <<X:32/little>>, <<(-1):16>>, <<(-2):8/signed>>, <<256:8>>, <<1:72/little>>]),
    show([<<B/binary, B/binary>>, <<B:2/binary>>, <<"abc", X, "é"/utf8>>, <<"abc":16>>, <<"ab":16/little>>, <<1.5/float>>,
          <<1.5:32/float>>, <<2:64/float>>, <<(id(3))/float-little>>]),
    show(<<(<<1, 2>>)/binary, (id(1) + 2), (16#FFFFFFFFFFFFFFFFFF):72>>),
    show(<<(-(1 bsl 100)):128>>),
    show(<<(id(1 bsl 200)):16>>).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: [<<2>>,
%% expect:  <<1,2>>,
%% expect:  <<2,1>>,
%% expect:  <<2,1,0,0>>,
%% expect:  <<"ÿÿ">>,<<"þ">>,
%% expect:  <<0>>,
%% expect:  <<1,0,0,0,0,0,0,0,0>>]
%% expect: [<<"tailtail">>,<<"ta">>,
%% expect:  <<97,98,99,2,195,169>>,
%% expect:  <<0,97,0,98,0,99>>,
%% expect:  <<97,0,98,0>>,
%% expect:  <<63,248,0,0,0,0,0,0>>,
%% expect:  <<63,192,0,0>>,
%% expect:  <<64,0,0,0,0,0,0,0>>,
%% expect:  <<0,0,0,0,0,0,8,64>>]
%% expect: <<1,2,3,255,255,255,255,255,255,255,255,255>>
%% expect: <<255,255,255,240,0,0,0,0,0,0,0,0,0,0,0,0>>
%% expect: <<0,0>>

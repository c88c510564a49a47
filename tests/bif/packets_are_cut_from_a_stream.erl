%% Packets of every type, whole and not (OTP 25's answers).
-module(packets_are_cut_from_a_stream).
-export([main/0]).

main() ->
    lists:foreach(fun({Type, Binary}) -> show(Type, Binary, []) end, packets()),
    show(line, <<"abcdef\n">>, [{line_length, 3}]),
    show(line, <<"abcdef">>, [{packet_size, 3}]),
    show(line, <<"abc;def">>, [{line_delimiter, $;}]),
    show(4, <<0, 0, 0, 9, "ab">>, [{packet_size, 3}]),
    show(http, <<"GET / HTTP/1.1\r\n">>, [{packet_size, 5}]),
    show(httph, <<"Host: a\r\nB">>, [{packet_size, 5}]),
    show(nonsense, <<>>, []),
    show(line, x, []),
    show(line, <<>>, [nonsense]),
    %% Bits behind the last byte remain.
    show(1, <<2, "abc", 5:3>>, []),
    show(1, <<3, "ab", 5:3>>, []),
    show(raw, <<"a", 1:1>>, []),
    show(httph, <<"Host: a\r\nB", 1:3>>, []),
    %% The greeting of SSL's version 2.
    show(ssl_tls, <<1:1, 5:15, 1, 3, 1, "abc">>, []),
    show(ssl_tls, <<1:1, 2:15, 1, 3, 1, "abc">>, []),
    show(ssl_tls, <<1:1, 5:15, 1, 3, 1, "abc">>, [{packet_size, 2}]),
    show(ssl_tls, <<1:1, 5:15, 1, 3, 1, "abc">>, [{packet_size, 1}]),
    %% A hyphen in place of a capital is none that a capital follows.
    show(httph, <<"content--TYPE: a\r\nB">>, []),
    show(httph, <<"-x---yZ: a\r\nB">>, []),
    %% Lengths of 32 bits.
    show(4, <<-1:32, "ab">>, []),
    show(4, <<16#7ffffffb:32, "ab">>, []),
    show(sunrm, <<16#7ffffffc:32, "ab">>, []).

show(Type, Binary, Options) ->
    try erlang:decode_packet(Type, Binary, Options) of
        Result -> io:format("~w ~w~n", [Type, Result])
    catch
        error:Reason -> io:format("~w ~w~n", [Type, Reason])
    end.

packets() ->
    [{raw, <<"abc">>}, {raw, <<>>}, {1, <<2, "abc">>}, {1, <<5, "abc">>}, {2, <<0, 2, "abc">>}, {2, <<0>>},
     {4, <<0, 0, 0, 1, "ab">>}, {line, <<"ab\ncd">>}, {line, <<"ab">>}, {asn1, <<48, 3, 1, 2, 3, 4>>},
     {asn1, <<48, 16#81, 3, 1, 2, 3, 4>>}, {asn1, <<16#1f, 16#81, 5, 2, 1, 2, 3>>}, {asn1, <<48, 16#85, 1, 1, 1, 1, 1, 1>>},
     {sunrm, <<128, 0, 0, 2, 1, 2, 3>>}, {fcgi, <<1, 1, 0, 1, 0, 2, 1, 0, "abcd">>}, {fcgi, <<2, 1, 0, 1, 0, 2, 1, 0, "abcd">>},
     {tpkt, <<3, 0, 0, 6, "abc">>}, {tpkt, <<3, 0, 0, 2, "abc">>}, {cdr, <<"GIOP", 1, 0, 1, 0, 2, 0, 0, 0, "abc">>},
     {cdr, <<"GXOP", 1, 0, 1, 0, 2, 0, 0, 0, "abc">>}, {ssl_tls, <<22, 3, 1, 0, 2, "abc">>},
     {http, <<"GET / HTTP/1.1\r\nHost">>}, {http_bin, <<"GET / HTTP/1.1\r\n">>},
     {http, <<"FOO http://a.b:80/x?y HTTP/1.0\r\n">>}, {http, <<"GET * HTTP/1.1\r\n">>}, {http, <<"GET mailto:x HTTP/1.1\r\n">>},
     {http, <<"GET foo HTTP/1.1\r\n">>}, {http, <<"GET /\r\n">>}, {http, <<"\r\n">>}, {http, <<"HTTP/1.1 200 OK\r\nX">>},
     {http, <<"HTTP/1.1 404\r\n">>}, {http, <<"HTTP/x\r\n">>}, {http, <<"GET / HTTP/1.1">>}, {httph, <<"Host: a\r\n">>},
     {httph, <<"hOST:a \r\nB">>}, {httph, <<"X-Foo-BAR:a \r\n b\r\nB">>}, {httph, <<"\r\n">>}, {httph, <<"nocolon\r\nx">>},
     {httph_bin, <<"content-type: text/plain\r\nx">>}, {httph, <<"a :x\r\ny">>}].

%% expect: raw {ok,<<97,98,99>>,<<>>}
%% expect: raw {more,undefined}
%% expect: 1 {ok,<<97,98>>,<<99>>}
%% expect: 1 {more,6}
%% expect: 2 {ok,<<97,98>>,<<99>>}
%% expect: 2 {more,undefined}
%% expect: 4 {ok,<<97>>,<<98>>}
%% expect: line {ok,<<97,98,10>>,<<99,100>>}
%% expect: line {more,undefined}
%% expect: asn1 {ok,<<48,3,1,2,3>>,<<4>>}
%% expect: asn1 {ok,<<48,129,3,1,2,3>>,<<4>>}
%% expect: asn1 {ok,<<31,129,5,2,1,2>>,<<3>>}
%% expect: asn1 {error,invalid}
%% expect: sunrm {ok,<<128,0,0,2,1,2>>,<<3>>}
%% expect: fcgi {ok,<<1,1,0,1,0,2,1,0,97,98>>,<<100>>}
%% expect: fcgi {error,invalid}
%% expect: tpkt {ok,<<3,0,0,6,97,98>>,<<99>>}
%% expect: tpkt {error,invalid}
%% expect: cdr {ok,<<71,73,79,80,1,0,1,0,2,0,0,0,97,98>>,<<99>>}
%% expect: cdr {error,invalid}
%% expect: ssl_tls {ok,{ssl_tls,[],22,{3,1},<<97,98>>},<<99>>}
%% expect: http {ok,{http_request,'GET',{abs_path,[47]},{1,1}},<<72,111,115,116>>}
%% expect: http_bin {ok,{http_request,'GET',{abs_path,<<47>>},{1,1}},<<>>}
%% expect: http {ok,{http_request,[70,79,79],{absoluteURI,http,[97,46,98],80,[47,120,63,121]},{1,0}},<<>>}
%% expect: http {ok,{http_request,'GET','*',{1,1}},<<>>}
%% expect: http {ok,{http_request,'GET',{scheme,[109,97,105,108,116,111],[120]},{1,1}},<<>>}
%% expect: http {ok,{http_request,'GET',[102,111,111],{1,1}},<<>>}
%% expect: http {ok,{http_request,'GET',{abs_path,[47]},{0,9}},<<>>}
%% expect: http {ok,{http_error,[13,10]},<<>>}
%% expect: http {ok,{http_response,{1,1},200,[79,75]},<<88>>}
%% expect: http {ok,{http_response,{1,1},404,[]},<<>>}
%% expect: http {ok,{http_error,[72,84,84,80,47,120,13,10]},<<>>}
%% expect: http {more,undefined}
%% expect: httph {more,undefined}
%% expect: httph {ok,{http_header,14,'Host',[104,79,83,84],[97,32]},<<66>>}
%% expect: httph {ok,{http_header,0,[88,45,70,111,111,45,66,97,114],[88,45,70,111,111,45,66,65,82],[97,32,13,10,32,98]},<<66>>}
%% expect: httph {ok,http_eoh,<<>>}
%% expect: httph {ok,{http_error,[110,111,99,111,108,111,110,13,10]},<<120>>}
%% expect: httph_bin {ok,{http_header,42,'Content-Type',<<99,111,110,116,101,110,116,45,116,121,112,101>>,<<116,101,120,116,47,112,108,97,105,110>>},<<120>>}
%% expect: httph {ok,{http_error,[97,32,58,120,13,10]},<<121>>}
%% expect: line {ok,<<97,98,99>>,<<100,101,102,10>>}
%% expect: line {error,invalid}
%% expect: line {ok,<<97,98,99,59>>,<<100,101,102>>}
%% expect: 4 {error,invalid}
%% expect: http {error,invalid}
%% expect: httph {error,invalid}
%% expect: nonsense badarg
%% expect: line badarg
%% expect: line badarg
%% expect: 1 {ok,<<97,98>>,<<99,5:3>>}
%% expect: 1 {more,4}
%% expect: raw {ok,<<97>>,<<1:1>>}
%% expect: httph {ok,{http_header,14,'Host',[72,111,115,116],[97]},<<66,1:3>>}
%% expect: ssl_tls {ok,{ssl_tls,[],22,{3,1},<<1,0,0,4,3,1,97,98>>},<<99>>}
%% expect: ssl_tls {error,invalid}
%% expect: ssl_tls {ok,{ssl_tls,[],22,{3,1},<<1,0,0,4,3,1,97,98>>},<<99>>}
%% expect: ssl_tls {error,invalid}
%% expect: httph {ok,{http_header,0,[67,111,110,116,101,110,116,45,45,116,121,112,101],[99,111,110,116,101,110,116,45,45,84,89,80,69],[97]},<<66>>}
%% expect: httph {ok,{http_header,0,[45,120,45,45,45,89,122],[45,120,45,45,45,121,90],[97]},<<66>>}
%% expect: 4 {error,invalid}
%% expect: 4 {more,2147483647}
%% expect: sunrm {error,invalid}

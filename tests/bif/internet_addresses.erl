%% Addresses of the Internet from text, and as text.
-module(internet_addresses).
-export([main/0]).

main() ->
    Texts = ["127.0.0.1", "127.1", "1", "256.1.1.1", "1.2.3.4.5", "0x7f.1", "010.1.1.1", "a.b.c.d", "", "::", "::1", "1::", "fe80::1:2", "2001:db8::ff00:42:8329",
             "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "::1::", "12345::", "g::", "1.2.3", "-1.2.3.4", "1.2.3.256"],
    [io:format("~s ~0p ~0p ~0p ~0p~n", [T, inet:parse_address(T), inet:parse_strict_address(T), inet:parse_ipv4_address(T), inet:parse_ipv6_address(T)])
     || T <- Texts],
    [io:format("~0p~n", [inet:ntoa(A)])
     || A <- [{127, 0, 0, 1}, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 1}, {1, 2, 3, 4, 5, 6, 7, 8}, {16#fe80, 0, 0, 0, 1, 0, 0, 2}, {1, 0, 0, 2, 0, 0, 0, 3},
              {0, 0, 0, 0, 0, 16#ffff, 258, 772}, {0, 0, 0, 0, 0, 0, 258, 772}, {16#2001, 16#db8, 0, 0, 0, 16#ff00, 16#42, 16#8329}, {1, 0, 2, 0, 3, 0, 4, 5},
              {1, 2, 3}, {1, 2, 3, 256}]],
    io:format("~p~n", [[inet:is_ip_address(A) || A <- [{1, 2, 3, 4}, {1, 2, 3, 4, 5, 6, 7, 8}, {1}, x, {1, 2, 3, 256}]]]),
    io:format("~p ~p~n", [inet:ipv4_mapped_ipv6_address({1, 2, 3, 4}), inet:ipv4_mapped_ipv6_address({0, 0, 0, 0, 0, 16#ffff, 258, 772})]).

%% expect: 127.0.0.1 {ok,{127,0,0,1}} {ok,{127,0,0,1}} {ok,{127,0,0,1}} {ok,{0,0,0,0,0,65535,32512,1}}
%% expect: 127.1 {ok,{127,0,0,1}} {error,einval} {ok,{127,0,0,1}} {ok,{0,0,0,0,0,65535,32512,1}}
%% expect: 1 {ok,{0,0,0,1}} {error,einval} {ok,{0,0,0,1}} {ok,{0,0,0,0,0,65535,0,1}}
%% expect: 256.1.1.1 {error,einval} {error,einval} {error,einval} {error,einval}
%% expect: 1.2.3.4.5 {error,einval} {error,einval} {error,einval} {error,einval}
%% expect: 0x7f.1 {ok,{127,0,0,1}} {error,einval} {ok,{127,0,0,1}} {ok,{0,0,0,0,0,65535,32512,1}}
%% expect: 010.1.1.1 {ok,{8,1,1,1}} {error,einval} {ok,{8,1,1,1}} {ok,{0,0,0,0,0,65535,2049,257}}
%% expect: a.b.c.d {error,einval} {error,einval} {error,einval} {error,einval}
%% expect:  {error,einval} {error,einval} {error,einval} {error,einval}
%% expect: :: {ok,{0,0,0,0,0,0,0,0}} {ok,{0,0,0,0,0,0,0,0}} {error,einval} {ok,{0,0,0,0,0,0,0,0}}
%% expect: ::1 {ok,{0,0,0,0,0,0,0,1}} {ok,{0,0,0,0,0,0,0,1}} {error,einval} {ok,{0,0,0,0,0,0,0,1}}
%% expect: 1:: {ok,{1,0,0,0,0,0,0,0}} {ok,{1,0,0,0,0,0,0,0}} {error,einval} {ok,{1,0,0,0,0,0,0,0}}
%% expect: fe80::1:2 {ok,{65152,0,0,0,0,0,1,2}} {ok,{65152,0,0,0,0,0,1,2}} {error,einval} {ok,{65152,0,0,0,0,0,1,2}}
%% expect: 2001:db8::ff00:42:8329 {ok,{8193,3512,0,0,0,65280,66,33577}} {ok,{8193,3512,0,0,0,65280,66,33577}} {error,einval} {ok,{8193,3512,0,0,0,65280,66,33577}}
%% expect: 1:2:3:4:5:6:7:8 {ok,{1,2,3,4,5,6,7,8}} {ok,{1,2,3,4,5,6,7,8}} {error,einval} {ok,{1,2,3,4,5,6,7,8}}
%% expect: 1:2:3:4:5:6:7 {error,einval} {error,einval} {error,einval} {error,einval}
%% expect: 1:2:3:4:5:6:7:8:9 {error,einval} {error,einval} {error,einval} {error,einval}
%% expect: ::ffff:1.2.3.4 {ok,{0,0,0,0,0,65535,258,772}} {ok,{0,0,0,0,0,65535,258,772}} {error,einval} {ok,{0,0,0,0,0,65535,258,772}}
%% expect: 1:2:3:4:5:6:1.2.3.4 {ok,{1,2,3,4,5,6,258,772}} {ok,{1,2,3,4,5,6,258,772}} {error,einval} {ok,{1,2,3,4,5,6,258,772}}
%% expect: ::1:: {error,einval} {error,einval} {error,einval} {error,einval}
%% expect: 12345:: {error,einval} {error,einval} {error,einval} {error,einval}
%% expect: g:: {error,einval} {error,einval} {error,einval} {error,einval}
%% expect: 1.2.3 {ok,{1,2,0,3}} {error,einval} {ok,{1,2,0,3}} {ok,{0,0,0,0,0,65535,258,3}}
%% expect: -1.2.3.4 {error,einval} {error,einval} {error,einval} {error,einval}
%% expect: 1.2.3.256 {error,einval} {error,einval} {error,einval} {error,einval}
%% expect: "127.0.0.1"
%% expect: "::"
%% expect: "::1"
%% expect: "1:2:3:4:5:6:7:8"
%% expect: "fe80::1:0:0:2"
%% expect: "1:0:0:2::3"
%% expect: "::ffff:1.2.3.4"
%% expect: "::1.2.3.4"
%% expect: "2001:db8::ff00:42:8329"
%% expect: "1:0:2:0:3:0:4:5"
%% expect: {error,einval}
%% expect: {error,einval}
%% expect: [true,true,false,false,false]
%% expect: {0,0,0,0,0,65535,258,772} {1,2,3,4}

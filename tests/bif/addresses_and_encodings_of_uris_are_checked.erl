%% What is in brackets is an address of version 6; the port is digits; a query is a binary if all of it is; encodings are known ones.
-module(addresses_and_encodings_of_uris_are_checked).

-export([main/0]).

main() ->
    [io:format("~p~n", [uri_string:parse(Text)])
     || Text <- ["//[::127.0.0.1]:80/a", "//[::1227.0.0.1]", "//[::127.0.0.x]", "//[:::127.0.0.1]", "http://[192.168.0.1]", <<"//[2001:db8::1]">>,
                 "//[2001:0db8:0000:0000:0000:0000:1428:G7ab]", "//:8042x", "//localhost:A8"]],
    [io:format("~p~n", [uri_string:compose_query(List, Options)])
     || {List, Options} <- [{[{<<"foo">>, "1"}, {"bar", "2"}], [{encoding, utf8}]}, {[{<<"foo">>, <<"1">>}, {<<"bar">>, true}], [{encoding, utf8}]}, {[{<<"foo">>, <<"1">>}, {"b", true}], [{encoding, utf8}]},
                            {[{"b" ++ [228], "2"}], [{encoding, unicode}]}, {[{"b" ++ [228, 1024], "2"}], [{encoding, latin1}]},
                            {[{"foo", "1"}], [{encoding, utf16}]}, {[{"", 4}], [{encoding, utf8}]}, {[{5, ""}], [{encoding, utf8}]}, {[], []}]].

%% expect: #{host => "::127.0.0.1",path => "/a",port => 80}
%% expect: {error,invalid_uri,"::1227.0.0.1"}
%% expect: {error,invalid_uri,"x"}
%% expect: {error,invalid_uri,":::127.0.0.1"}
%% expect: {error,invalid_uri,":"}
%% expect: #{host => <<"2001:db8::1">>,path => <<>>}
%% expect: {error,invalid_uri,"G"}
%% expect: {error,invalid_uri,"x"}
%% expect: {error,invalid_uri,"A"}
%% expect: "foo=1&bar=2"
%% expect: <<"foo=1&bar">>
%% expect: "foo=1&b"
%% expect: "b%C3%A4=2"
%% expect: "b%E4%26%231024%3B=2"
%% expect: {error,invalid_encoding,utf16}
%% expect: {error,invalid_input,4}
%% expect: {error,invalid_input,5}
%% expect: []

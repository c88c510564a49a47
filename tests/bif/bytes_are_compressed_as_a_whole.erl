%% The formats of module `zlib`: what one makes the other takes apart, also what others have made; what is broken is `data_error`.
-module(bytes_are_compressed_as_a_whole).

-export([main/0]).

main() ->
    Texts = [<<>>, <<"a">>, "hello, hello, hello", ["deep ", [<<"data">>, $!]], binary:copy(<<"0123456789">>, 20000), << <<(N * N rem 251)>> || N <- lists:seq(1, 3000) >>],
    [io:format("~p~n", [[zlib:uncompress(zlib:compress(Text)) =:= iolist_to_binary(Text), zlib:unzip(zlib:zip(Text)) =:= iolist_to_binary(Text),
                         zlib:gunzip(zlib:gzip(Text)) =:= iolist_to_binary(Text), byte_size(zlib:compress(Text)) < 1000]]) || Text <- Texts],
    <<Head:2/binary, _/binary>> = zlib:compress("hello"),
    <<Gzip:10/binary, _/binary>> = zlib:gzip("hello"),
    io:format("~p ~p ~p~n", [Head, Gzip, zlib:compress(<<>>)]),
    %% Made by zlib with a preset of its own and by gzip, with a name and a comment.
    io:format("~p~n", [zlib:uncompress(<<120, 218, 203, 72, 205, 201, 201, 7, 0, 6, 44, 2, 21>>)]),
    io:format("~p~n", [zlib:gunzip([<<31, 139, 8, 24, 0:48, "name", 0, "words", 0>>, zlib:zip("named"), <<(erlang:crc32("named")):32/little, 5:32/little>>])]),
    io:format("~p~n", [zlib:gunzip([zlib:gzip("one"), zlib:gzip(" and two")])]),
    <<Broken:8/binary, _/binary>> = zlib:compress("hello"),
    [io:format("~p~n", [try F() catch error:Reason -> Reason end])
     || F <- [fun() -> zlib:uncompress(<<"nothing of the kind">>) end, fun() -> zlib:uncompress(<<>>) end, fun() -> zlib:uncompress(Broken) end,
              fun() -> zlib:gunzip(<<"none">>) end, fun() -> zlib:unzip(<<255, 255>>) end, fun() -> zlib:compress(atom) end,
              fun() -> zlib:gunzip({}) end]].

%% expect: [true,true,true,true]
%% expect: [true,true,true,true]
%% expect: [true,true,true,true]
%% expect: [true,true,true,true]
%% expect: [true,true,true,true]
%% expect: [true,true,true,true]
%% expect: <<120,156>> <<31,139,8,0,0,0,0,0,0,3>> <<120,156,3,0,0,0,0,1>>
%% expect: <<"hello">>
%% expect: <<"named">>
%% expect: <<"one and two">>
%% expect: data_error
%% expect: data_error
%% expect: data_error
%% expect: data_error
%% expect: data_error
%% expect: badarg
%% expect: badarg

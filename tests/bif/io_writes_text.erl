%% put_chars, write, nl, fwrite, format/1, print to a device.
-module(io_writes_text).
-export([main/0]).

main() ->
    io:put_chars("chars\n"),
    io:put_chars(["deep", [$\s, <<"iolist">>], "\n"]),
    io:put_chars(standard_io, "device\n"),
    io:write({a, "b"}), io:nl(),
    io:fwrite("fwrite ~w~n", [x]),
    io:format("plain~n"),
    io:format(<<"binary format ~w~n">>, [1]),
    io:format('atom format ~w~n', [2]),
    io:format(user_free_format(), []),
    io:format("~ts~n", ["åäö 日本"]),
    io:format("~s~n", ["åäö"]),
    io:format("~ts~n", [<<"åäö"/utf8>>]),
    io:put_chars(<<"ends without newline"/utf8>>).

user_free_format() -> "from a function~n".

%% expect: chars
%% expect: deep iolist
%% expect: device
%% expect: {a,[98]}
%% expect: fwrite x
%% expect: plain
%% expect: binary format 1
%% expect: atom format 2
%% expect: from a function
%% expect: åäö 日本
%% expect: åäö
%% expect: åäö
%% expect: ends without newline

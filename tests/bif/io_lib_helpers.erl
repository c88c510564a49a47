%% io_lib:write, print, write_string, write_atom, printable_list, chars, indentation, nl, deep_char_list.
-module(io_lib_helpers).
-export([main/0]).

main() ->
    show([lists:flatten(io_lib:write({a, "b"})), lists:flatten(io_lib:print({a, "b"})), lists:flatten(io_lib:write_string("a\"b\n")), lists:flatten(io_lib:write_atom('a b')), io_lib:nl(), lists:flatten(io_lib:write_char($a)), lists:flatten(io_lib:write_string("x", $'))]),
    show([io_lib:printable_list("abc"), io_lib:printable_list([1]), io_lib:printable_list(a), io_lib:printable_latin1_list([255]), io_lib:printable_unicode_list([26085]), io_lib:deep_char_list(["a", [$b]]), io_lib:char_list("ab"), io_lib:latin1_char_list([300])]),
    show(lists:flatten(io_lib:format("~w~s", [a, "b"]))),
    show(io_lib:fwrite("~w", [1])),
    show(lists:flatten(io_lib:print(lists:seq(1, 40), 5, 40, -1))),
    show(lists:flatten(io_lib:write(lists:seq(1, 40), 5))),
    show(iolist_to_binary(io_lib:format("~p", [{a, 1}]))),
    show(io_lib:fread("~d ~s", "12 abc rest")),
    show(io_lib:fread("~d", "x")),
    show(io_lib:fread("~f,~a", "1.5,atom")),
    show(io_lib:fread("~d-~d", "1-")),
    show(io_lib:fread("~16u ~c ~l", "ff z")),
    show(lists:flatten(io_lib:format("~ts ~tw", ["日本", '日']))),
    show(io_lib:format("", [])).

show(X) -> io:format("~p~n", [X]).

%% expect: ["{a,[98]}","{a,\"b\"}","\"a\\\"b\\n\"","'a b'","\n","$a","'x'"]
%% expect: [true,false,false,true,true,true,true,false]
%% expect: "ab"
%% expect: ["1"]
%% expect: "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,\n     15,16,17,18,19,20,21,22,23,24,25,\n     26,27,28,29,30,31,32,33,34,35,36,\n     37,38,39,40]"
%% expect: "[1,2,3,4|...]"
%% expect: <<"{a,1}">>
%% expect: {ok,[12,"abc"]," rest"}
%% expect: {error,{fread,integer}}
%% expect: {ok,[1.5,atom],[]}
%% expect: {more,"~d",2,[1]}
%% expect: {ok,[255,"z",4],[]}
%% expect: [26085,26412,32,39,26085,39]
%% expect: []

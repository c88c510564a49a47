%% io:get_line, get_chars, fread, read on the given input.
%% stdin: first line
%% stdin: 12 abc
%% stdin: {term, [1, "two"]}.
%% stdin: xyz
%% stdin: last
-module(io_reads_lines).
-export([main/0]).

main() ->
    show(io:get_line("")),
    show(io:fread("", "~d ~s")),
    show(io:read("")),
    show(io:get_chars("", 3)),
    show(io:get_line("")),
    show(io:get_line("")),
    show(io:get_line("")),
    show(io:get_chars("", 1)).

show(X) -> io:format("~p~n", [X]).

%% expect: "first line\n"
%% expect: {ok,[12,"abc"]}
%% expect: {ok,{term,[1,"two"]}}
%% expect: "xyz"
%% expect: "\n"
%% expect: "last\n"
%% expect: eof
%% expect: eof

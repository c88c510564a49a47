#!/usr/bin/env -S erlet run
%% The shortest program: greets the world, or whoever is named on the command line.
%%
%%     erlet run examples/hello.erl
%%     erlet run examples/hello.erl Ada Joe
-module(hello).
-export([main/1]).

main([]) ->
    io:format("Hello, world!~n");
main(Names) ->
    lists:foreach(fun(Name) -> io:format("Hello, ~ts!~n", [Name]) end, Names).

%% main/1 gets the arguments as strings.
%% args: one 2 --three=drei é
-module(arguments_are_strings).

-export([main/1]).
main(Args) -> show(Args), show(length(Args)).

show(X) -> io:format("~p~n", [X]).

%% expect: ["one","2","--three=drei","é"]
%% expect: 4

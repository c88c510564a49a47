%% Adjacent literals join; a string is a list of code points.
-module(strings_concatenate_and_are_lists).
-export([main/0]).

main() ->
    show("abc" "def"),
    show("a\tb\n\"q\" \\ \x41\x{263A} \101 \e\s\d" ++ [0]),
    show([$a, $\n, $\s, $\\, $\x41, $\x{1F600}, $\^A, $\101, $", $']),
    show("multi
line"),
    show(hd("x")),
    show(length("åäö")),
    show("" =:= []),
    show([1 | "ab"]).

show(X) -> io:format("~p~n", [X]).

%% expect: "abcdef"
%% expect: [97,9,98,10,34,113,34,32,92,32,65,9786,32,65,32,27,32,127,0]
%% expect: [97,10,32,92,65,128512,1,65,34,39]
%% expect: "multi\nline"
%% expect: 120
%% expect: 3
%% expect: true
%% expect: [1,97,98]

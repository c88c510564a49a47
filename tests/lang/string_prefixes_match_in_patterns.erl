%% "literal" ++ Tail is a pattern.
-module(string_prefixes_match_in_patterns).
-export([main/0]).

main() ->
    show([f(S) || S <- ["hello world", "hell", "help", "", "x", [$h, $e | rest]]]).

f("hello " ++ Rest) -> {hello, Rest};
f("hel" ++ Rest) -> {hel, Rest};
f("he" ++ Rest) -> {he, Rest};
f([]) -> empty;
f(_) -> other.

show(X) -> io:format("~p~n", [X]).

%% expect: [{hello,"world"},{hel,"l"},{hel,"p"},empty,other,{he,rest}]

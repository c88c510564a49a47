%% Matching on text.
-module(case_on_strings_and_tuples_of_strings).
-export([main/0]).

main() ->
    show([f(X) || X <- ["GET", "PUT", "", "GETX", {"a", "b"}, {"a", "c"}, <<"GET">>, <<"GE">>, 'GET']]).

f("GET") -> get;
f("PUT") -> put;
f("") -> empty;
f({"a", "b"}) -> ab;
f({"a", X}) -> {a, X};
f(<<"GET">>) -> bin_get;
f(<<"G", R/binary>>) -> {g, R};
f(_) -> other.

show(X) -> io:format("~p~n", [X]).

%% expect: [get,put,empty,other,ab,{a,"c"},bin_get,{g,<<"E">>},other]

%% A long select on atoms.
-module(many_atom_clauses_select_the_right_one).
-export([main/0]).

main() ->
    show([f(X) || X <- [mon, tue, wed, thu, fri, sat, sun, 'true', [], nope, "mon"]]).

f(mon) -> 1;
f(tue) -> 2;
f(wed) -> 3;
f(thu) -> 4;
f(fri) -> 5;
f(sat) -> 6;
f(sun) -> 7;
f(true) -> yes;
f([]) -> nil;
f(_) -> other.

show(X) -> io:format("~p~n", [X]).

%% expect: [1,2,3,4,5,6,7,yes,nil,other,other]

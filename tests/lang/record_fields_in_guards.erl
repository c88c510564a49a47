%% Record access in guards fails quietly for other terms.
-module(record_fields_in_guards).
-export([main/0]).

-record(r, {a, b}).

main() ->
    show([f(X) || X <- [#r{a = 1, b = 2}, #r{a = 2, b = 1}, {r, 5}, a, #r{a = a, b = a}]]).

f(R) when R#r.a < R#r.b -> less;
f(R) when R#r.a =:= R#r.b -> equal;
f(R) when is_record(R, r) -> more;
f(_) -> other.

show(X) -> io:format("~p~n", [X]).

%% expect: [less,more,other,other,equal]

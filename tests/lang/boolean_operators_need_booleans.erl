%% and, or, xor, not evaluate both sides and raise badarg.
-module(boolean_operators_need_booleans).
-export([main/0]).

main() ->
    B = [true, false],
    show([{X and Y, X or Y, X xor Y, not X} || X <- B, Y <- B]),
    show(attempt(fun() -> id(true) and id(1) end)),
    show(attempt(fun() -> id(false) and id(1) end)),
    show(attempt(fun() -> id(1) or id(true) end)),
    show(attempt(fun() -> id(a) xor true end)),
    show(attempt(fun() -> not id(1) end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [{true,true,false,false},
%% expect:  {false,true,true,false},
%% expect:  {false,true,true,true},
%% expect:  {false,false,false,true}]
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: {error,badarg}
%% expect: {error,badarg}

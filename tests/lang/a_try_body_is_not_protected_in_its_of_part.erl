%% Exceptions in the of and catch parts leave the try.
-module(a_try_body_is_not_protected_in_its_of_part).
-export([main/0]).

main() ->
    show(attempt(fun() -> try id(1) of 1 -> error(in_of) catch _:_ -> caught end end)),
    show(attempt(fun() -> try error(a) catch error:a -> error(in_catch) end end)),
    show(attempt(fun() -> try id(1) of 2 -> ok catch _:_ -> caught end end)),
    show(attempt(fun() -> try throw(x) catch y -> ok end end)),
    show(attempt(fun() -> try throw(x) of _ -> ok catch error:_ -> ok end end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: {error,in_of}
%% expect: {error,in_catch}
%% expect: {error,{try_clause,1}}
%% expect: {throw,x}
%% expect: {throw,x}

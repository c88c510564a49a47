%% An exception passes twenty after parts, innermost first.
-module(twenty_levels_of_after_reraise).
-export([main/0]).

main() ->
    show(attempt(fun() -> nest(20) end)),
    show(lists:reverse(get(order))),
    show(attempt(fun() -> rethrow(20) end)).

nest(0) -> error(bottom);
nest(N) ->
    try
        nest(N - 1)
    after
        put(order, [N | case get(order) of undefined -> []; L -> L end])
    end.

rethrow(0) -> exit(deep);
rethrow(N) ->
    try rethrow(N - 1)
    catch
        Class:Reason:Stack when N rem 2 =:= 0 -> erlang:raise(Class, Reason, Stack);
        exit:Reason -> exit(Reason)
    end.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

%% expect: {error,bottom}
%% expect: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]
%% expect: {exit,deep}

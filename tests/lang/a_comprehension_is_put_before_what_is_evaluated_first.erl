%% OTP evaluates what is behind `++` before a comprehension in front of it; and a constant of broken bytes is no binary.
%% expect: [right]
%% expect: {left,1}
%% expect: {left,2}
%% expect: [{left,1},{left,2},right]
%% expect: right
%% expect: [left]
%% expect: [right]
%% expect: [left,right]
%% expect: badarg
%% expect: <<1:3>>
%% expect: [no,yes]
-module(a_comprehension_is_put_before_what_is_evaluated_first).
-export([main/0]).

main() ->
    show(fun() -> [say({left, X}) || X <- [1, 2]] ++ say([right]) end),
    show(fun() -> [X || X <- id(ok)] ++ error(right) end),
    show(fun() -> say([left]) ++ say([right]) end),
    show(fun() -> <<(<<1:3>>)/binary>> end),
    show(fun() -> <<(<<1:3>>)/bits>> end),
    show(fun() -> [guard(X) || X <- [1, 2]] end).

guard(X) when <<(<<1:3>>)/binary>> =:= <<1:3>>; X > 1 -> yes;
guard(_) -> no.

say(X) ->
    io:format("~p~n", [X]),
    X.

show(F) ->
    io:format("~p~n", [try F() catch error:Reason -> Reason end]).

id(X) -> X.

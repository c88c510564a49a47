%% A term that only a failure shows is not built before what takes an exception.
%% expect: {badmatch,{[ok|ok],{'EXIT',ok}}}
%% expect: {badmatch,{[[a]],ok}}
%% expect: {badmatch,{[a],[[a]]}}
%% expect: ok
%% expect: {badmatch,{b,{a,b}}}
-module(a_term_for_a_failure_is_not_built_before_a_handler).
-export([main/0]).

main() ->
    show(fun() -> failing(id(ok)) end),
    show(fun() -> failing(id([a])) end),
    show(fun() -> handled(id([a])) end),
    show(fun() -> both(id(a), id(true)) end),
    show(fun() -> both(id(a), id(b)) end).

failing(X) ->
    case X of
        [_ | V] -> {} = {[X | V], (catch id(ok))};
        _ -> {} = {[X | X], (catch exit(X))}
    end.

handled(X) ->
    T = {X, [X]},
    try exit(X) catch exit:_ -> [] = T end.

both(X, Y) ->
    T = {X, Y},
    case Y of
        true -> ok;
        _ -> {1} = {(catch throw(Y)), T}
    end.

show(F) ->
    io:format("~w~n", [try F() catch error:Reason -> Reason end]).

id(X) -> X.

%% What only the failure behind a `receive` reads is not built while a message is looked at.
%% expect: {badrecord,{[{ok,[1,2]},{a,ok}],[1,2],[{ok,[1,2]},{a,ok}]}}
-module(a_tuple_for_a_failure_is_not_built_in_a_receive).
-export([main/0]).
-record(r, {a, b, c}).

main() ->
    io:format("~p~n", [try f([1, 2]) catch error:Reason -> Reason end]).

f(L) ->
    (begin
         T = [{ok, [X || X <- L]}, {a, begin R = make_ref(), self() ! {R, ok}, receive {R, M} -> M end end}],
         {id(T), id(L), id(T)}
     end)#r.a.

id(X) -> X.

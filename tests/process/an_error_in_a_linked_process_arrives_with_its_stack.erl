%% The reason of an uncaught error is {Reason, Stack}, of a throw {{nocatch, Term}, Stack}.
-module(an_error_in_a_linked_process_arrives_with_its_stack).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    [begin
         P = spawn_link(F),
         receive
             {'EXIT', P, {R, [{_, _, _, _} | _]}} -> show({with_stack, R});
             {'EXIT', P, R} -> show(R)
         end
     end || F <- [fun() -> error(e) end, fun() -> throw(t) end, fun() -> exit(x) end, fun() -> id(1) + id(a) end, fun() -> exit({r, []}) end,
                  fun() -> ok end]],
    ok.

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: {with_stack,e}
%% expect: {with_stack,{nocatch,t}}
%% expect: x
%% expect: {with_stack,badarith}
%% expect: {r,[]}
%% expect: normal

%% group_leader/0,2; output goes to the group leader by the I/O protocol.
-module(group_leaders_are_inherited_and_changed).
-export([main/0]).

main() ->
    Self = self(),
    GL = spawn(fun() -> leader(Self) end),
    P = spawn(fun() -> receive go -> io:format("hi ~p", [42]), Self ! done end end),
    true = group_leader(GL, P),
    P ! go,
    receive {said, Text} -> show(lists:flatten(Text)) end,
    receive done -> ok end,
    show(group_leader() =/= GL),
    Old = group_leader(),
    group_leader(GL, self()),
    Child = spawn(fun() -> Self ! {gl, group_leader()} end),
    receive {gl, X} -> Same = X =:= GL end,
    group_leader(Old, self()),
    show({Same, is_pid(Child)}).

leader(To) ->
    receive
        {io_request, From, Ref, {put_chars, unicode, Chars}} ->
            To ! {said, unicode:characters_to_list(Chars)}, From ! {io_reply, Ref, ok}, leader(To);
        {io_request, From, Ref, {put_chars, unicode, M, F, A}} ->
            To ! {said, unicode:characters_to_list(apply(M, F, A))}, From ! {io_reply, Ref, ok}, leader(To)
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: "hi 42"
%% expect: true
%% expect: {true,true}

%% Clauses that bind the same variables export them; a call at the end of such a clause takes no stack all the same.
-module(a_last_call_behind_exported_variables_is_a_tail_call).
-export([main/0]).

main() ->
    lists:foreach(fun(Loop) -> show(Loop) end,
                  [fun() -> by_case(100000, 0) end, fun() -> by_receive(100000) end, fun() -> by_if(100000) end,
                   fun() -> nested(100000) end]).

show(Loop) ->
    {_, Monitor} = spawn_monitor(fun() -> exit(Loop()) end),
    receive {'DOWN', Monitor, process, _, Words} -> io:format("~p~n", [Words < 200]) end.

words() -> element(2, process_info(self(), stack_size)).

by_case(N, Sum) ->
    case step(N) of
        {odd, Next} -> by_case(Next, Sum + Next);
        {even, Next} -> by_case(Next, Sum);
        {last, Next} -> Next + words()
    end.

step(0) -> {last, 0};
step(N) when N rem 2 =:= 1 -> {odd, N - 1};
step(N) -> {even, N - 1}.

by_receive(0) -> words();
by_receive(N) ->
    self() ! {count, N - 1},
    receive
        {count, Next} ->
            Last = step(Next),
            case Last of
                {last, _} -> words();
                _ -> by_receive(Next)
            end
    end.

by_if(N) ->
    if
        N > 0 -> M = N - 1, by_if(M);
        true -> M = 0, M + words()
    end.

nested(N) ->
    case step(N) of
        {last, M} -> M + words();
        {_, M} ->
            if
                M > 5 -> K = M, nested(K);
                true -> K = M, nested(K)
            end
    end.

%% expect: true
%% expect: true
%% expect: true
%% expect: true

%% What a process sent before it died is received before the DOWN of a monitor made later.
-module(down_noproc_does_not_overtake_earlier_messages).
-export([main/0]).

main() ->
    show(rounds(200)).

rounds(0) -> ok;
rounds(N) ->
    Self = self(),
    P = spawn(fun() -> Self ! {last_words, self()} end),
    Ref = monitor(process, P),
    receive
        {last_words, P} -> receive {'DOWN', Ref, process, P, R} when R =:= normal; R =:= noproc -> rounds(N - 1) end;
        {'DOWN', Ref, process, P, _} -> {overtaken, N}
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: ok

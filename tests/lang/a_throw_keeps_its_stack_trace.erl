%% Throws carry stack traces when someone asks for them.
-module(a_throw_keeps_its_stack_trace).
-export([main/0]).

main() ->
    try f()
    catch
        throw:t:Stack ->
            [{M, F, A, _} | _] = Stack,
            show({M =:= ?MODULE, F, A})
    end.

f() -> X = g(), {X}.

g() -> throw(id(t)).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: {true,g,0}

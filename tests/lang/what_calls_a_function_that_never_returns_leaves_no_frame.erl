%% A call of a function that always raises, or goes on until something does, is the last thing its caller does, whatever is written
%% behind it: as in Erlang/OTP no frame of the caller is left, unless it has something to catch.
-module(what_calls_a_function_that_never_returns_leaves_no_frame).
-export([main/0]).

main() ->
    show(fun() -> matched(1) end),
    show(fun() -> before(1) end),
    show(fun() -> inside(1) end),
    show(fun() -> in_a_branch(1) end),
    show(fun() -> in_a_branch_of_two(2) end),
    show(fun() -> mutual(2) end),
    show(fun() -> server(2) end),
    show(fun() -> passed_on(1) end),
    show(fun() -> caught(1) end),
    show(fun() -> old_catch(1) end),
    show(fun() -> may_return(0) end).

show(F) ->
    try F() of Value -> io:format("~w~n", [Value])
    catch _:_:Stack -> io:format("~w~n", [frames(Stack)])
    end.

frames(Stack) -> [F || {?MODULE, F, _, _} <- Stack, hd(atom_to_list(F)) =/= $-, F =/= show, F =/= main].

never(X) -> error({never, X}).

matched(X) -> ok = never(X), X.

before(X) -> never(X), other(X).

inside(X) -> {X, [never(X) | X]}.

in_a_branch(X) ->
    Y = case X of
            1 -> never(X);
            _ -> X
        end,
    other(Y),
    Y.

in_a_branch_of_two(X) ->
    case X of
        1 -> never(X);
        2 -> raised(X)
    end,
    other(X).

raised(X) -> other(error({raised, X})).

mutual(X) -> ping(X), other(X).
ping(0) -> exit(ping);
ping(N) -> pong(N - 1).
pong(N) -> ping(N).

server(X) -> self() ! go, serve(X), ok.
serve(N) -> receive go -> throw(N); stop -> serve(N + 1) end.

passed_on(X) -> again(X), other(X).
again(X) -> never(X), other(X).

caught(X) ->
    try never(X), other(X)
    catch error:_:Stack -> frames(Stack)
    end.

old_catch(X) ->
    {'EXIT', {_, Stack}} = (catch {never(X), X}),
    frames(Stack).

may_return(X) ->
    maybe_never(X),
    other(error(returned)).
maybe_never(0) -> ok;
maybe_never(X) -> never(X).

other(X) -> X.

%% expect: [never]
%% expect: [never]
%% expect: [never]
%% expect: [never]
%% expect: [raised]
%% expect: [ping]
%% expect: [serve]
%% expect: [never]
%% expect: [never,caught]
%% expect: [never,old_catch]
%% expect: [may_return]

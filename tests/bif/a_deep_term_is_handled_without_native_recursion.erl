%% Terms a million levels deep are built, compared, sent, sized, hashed and printed in part.
%% without stress: a collection of the deep term at every safepoint is quadratic
-module(a_deep_term_is_handled_without_native_recursion).
-export([main/0]).

main() ->
    D = nest(1000000, []),
    E = nest(1000000, []),
    show(D =:= E),
    show(D < [E]),
    P = spawn(fun() -> receive {From, T} -> From ! (T =:= nest(1000000, [])) end end),
    P ! {self(), D},
    show(receive X -> X end),
    show(erlang:phash2(D) =:= erlang:phash2(E)),
    show(byte_size(term_to_binary(D)) > 1000000),
    show(binary_to_term(term_to_binary(D)) =:= D),
    T = tuples(100000, {}),
    show(T =:= tuples(100000, {})),
    show(lists:flatten(D)),
    show(length(lists:flatten(io_lib:format("~w", [nest(20000, [])])))).

nest(0, T) -> T;
nest(N, T) -> nest(N - 1, [T]).

tuples(0, T) -> T;
tuples(N, T) -> tuples(N - 1, {T, N}).

show(X) -> io:format("~p~n", [X]).

%% expect: true
%% expect: true
%% expect: true
%% expect: true
%% expect: true
%% expect: true
%% expect: true
%% expect: []
%% expect: 40002

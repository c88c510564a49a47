%% try inside catch clauses, after parts, of branches, guards' bodies and arguments, with live variables across.
-module(try_in_every_position).
-export([main/0]).

main() ->
    show([f(X) || X <- [1, 2, 3, 4, 5]]).

f(N) ->
    A = id({keep, N}),
    B = try g(N) of
            {V, W} when V > 3 -> try g(W) catch _:E0 -> {of_inner, E0, A} end;
            {V, _} -> {of_plain, V, A}
        catch
            throw:T -> try g(T) of R -> {caught, R, A} catch _:E -> {again, E, A} after put(seen, T) end;
            error:R:S when is_atom(R) -> {R, is_list(S), A}
        after
            try exit(ignored) catch exit:_ -> ok end
        end,
    {A, B, (try N + a catch error:badarith -> A end)}.

g(1) -> {5, 2};
g(2) -> throw(1);
g(3) -> {1, 1};
g(4) -> error(four);
g(5) -> throw(4);
g(X) -> exit({g, X}).

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: [{{keep,1},{of_inner,1,{keep,1}},{keep,1}},
%% expect:  {{keep,2},{caught,{5,2},{keep,2}},{keep,2}},
%% expect:  {{keep,3},{of_plain,1,{keep,3}},{keep,3}},
%% expect:  {{keep,4},{four,true,{keep,4}},{keep,4}},
%% expect:  {{keep,5},{again,four,{keep,5}},{keep,5}}]

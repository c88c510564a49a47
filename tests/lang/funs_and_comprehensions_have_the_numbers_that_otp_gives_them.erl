%% The numbers in the names of funs, comprehensions and bodies of `after`, which fun_info/2 and stack traces show: operands are counted
%% from the right, keys and values of maps from the left, a fun behind what is in it, a comprehension before its body.
-module(funs_and_comprehensions_have_the_numbers_that_otp_gives_them).
-export([main/0]).

-record(r, {a = p(fun() -> 9 end), b, c = p(fun() -> {c} end)}).

main() ->
    show(fun operands/1),
    show(fun maps_and_clauses/1),
    show(fun named/1),
    show(fun comprehensions/1),
    show(fun of_bits/1),
    show(fun records/1),
    show(fun afters/1),
    show(fun long_after/1),
    show(fun receives/1).

show(F) ->
    put(names, []),
    F([1, 2]),
    io:format("~ts~n", [lists:join(" ", lists:reverse(get(names)))]).

%% Notes the fun's name and calls it.
p(F) -> note(F), F().
p(F, A) -> note(F), F(A).
note(F) ->
    {name, Name} = erlang:fun_info(F, name),
    put(names, [atom_to_list(Name) | get(names)]).

%% Notes the functions of the trace of an error below.
trace() ->
    try error(here)
    catch error:here:Stack ->
        put(names, [lists:join("<", [atom_to_list(F) || {?MODULE, F, _, _} <- Stack, F =/= trace, F =/= show, F =/= main]) | get(names)])
    end,
    true.

id(X) -> X.
two(A, _) -> A.

operands(L) ->
    {p(fun() -> 1 end), p(fun() -> p(fun() -> 2 end) end), [p(fun() -> 3 end), p(fun() -> 4 end) | p(fun() -> L end)]},
    two(p(fun() -> a end), two(p(fun id/1, b), p(fun() -> c end))),
    p(fun() -> 1 end) + p(fun() -> 2 end),
    <<(p(fun() -> 1 end)), (p(fun() -> 2 end)):(p(fun() -> 8 end))>>,
    p(fun() -> true end) andalso p(fun() -> false end).

maps_and_clauses(L) ->
    #{p(fun() -> k end) => p(fun() -> v end), p(fun() -> l end) => p(fun() -> w end)},
    case p(fun() -> L end) of
        [] -> p(fun() -> 1 end);
        _ -> p(fun() -> 2 end)
    end,
    try p(fun() -> throw(x) end) of _ -> p(fun() -> 3 end) catch _ -> p(fun() -> 4 end) end.

named(L) ->
    p(fun F(0) -> p(fun() -> L end); F(N) -> p(fun G(M) -> {M, is_function(F), is_function(G)} end, N), F(N - 1) end, 1),
    p(fun _(X) -> X end, 1),
    p(fun F(X) -> is_function(F) andalso X end, true).

comprehensions(L) ->
    [[p(fun() -> X end) || _ <- [p(fun() -> Y end)], trace()] || X <- [p(fun() -> Z end) || Z <- L], p(fun() -> true end), Y <- [id(X) || X > 1, trace()], trace()],
    [p(fun() -> X end) || X <- L] ++ [p(fun() -> X end) || X <- L].

of_bits(L) ->
    << <<(p(fun() -> X end))>> || <<X>> <= << <<(p(fun() -> Y end))>> || Y <- L, trace() >>, trace() >>,
    [trace() || <<_:4>> <= <<(p(fun() -> 1 end))>>].

records(L) ->
    R = #r{b = p(fun() -> L end)},
    {#r{}, R#r{b = p(fun() -> #r{} end), a = p(fun() -> 1 end)}, p(fun() -> 2 end)}.

afters(L) ->
    try p(fun() -> 1 end) after [p(fun() -> X end) || X <- L, trace()], p(fun() -> 2 end) end,
    [p(fun() -> X end) || X <- L, trace()].

long_after(L) ->
    try p(fun() -> 1 end), [trace() || _ <- [1]]
    after
        id(1), id(2), id(3), id(4), id(5), id(6), id(7), id(8), id(9), id(10), id(11), id(12), id(13), id(14), id(15), id(16), id(17),
        [p(fun() -> X end) || X <- L, trace()], trace(), p(fun() -> 2 end)
    end.

receives(L) ->
    self() ! x,
    receive x -> p(fun() -> 1 end), [trace() || _ <- L] after p(fun() -> 10 end) -> p(fun() -> 2 end) end.

%% expect: -operands/1-fun-5- -operands/1-fun-4- -operands/1-fun-3- -operands/1-fun-2- -operands/1-fun-1- -operands/1-fun-0- -operands/1-fun-8- id -operands/1-fun-6- -operands/1-fun-10- -operands/1-fun-9- -operands/1-fun-13- -operands/1-fun-11- -operands/1-fun-12- -operands/1-fun-14- -operands/1-fun-15-
%% expect: -maps_and_clauses/1-fun-0- -maps_and_clauses/1-fun-1- -maps_and_clauses/1-fun-2- -maps_and_clauses/1-fun-3- -maps_and_clauses/1-fun-4- -maps_and_clauses/1-fun-6- -maps_and_clauses/1-fun-7- -maps_and_clauses/1-fun-9-
%% expect: -named/1-F/1-0- -named/1-G/1-1- -named/1-fun-0- -named/1-fun-3- -named/1-F/1-2-
%% expect: -comprehensions/1-fun-1- -comprehensions/1-fun-1- -comprehensions/1-fun-2- -comprehensions/1-fun-2- -comprehensions/1-lc$^3/1-0-<comprehensions -comprehensions/1-lc$^4/1-1-<comprehensions -comprehensions/1-fun-5- -comprehensions/1-lc$^6/1-2-<-comprehensions/1-lc$^4/1-1-<comprehensions -comprehensions/1-fun-7- -comprehensions/1-fun-9- -comprehensions/1-fun-9- -comprehensions/1-fun-11- -comprehensions/1-fun-11-
%% expect: -of_bits/1-lbc$^0/2-0-<of_bits -of_bits/1-fun-1- -of_bits/1-lbc$^0/2-0-<of_bits -of_bits/1-fun-1- -of_bits/1-lbc$^2/2-1-<of_bits -of_bits/1-fun-3- -of_bits/1-lbc$^2/2-1-<of_bits -of_bits/1-fun-3- -of_bits/1-fun-4- -of_bits/1-lc$^5/1-2- -of_bits/1-lc$^5/1-2-<-of_bits/1-lc$^5/1-2-
%% expect: -records/1-fun-2- -records/1-fun-1- -records/1-fun-0- -records/1-fun-9- -records/1-fun-8- -records/1-fun-6- -records/1-fun-5- -records/1-fun-4- -records/1-fun-7- -records/1-fun-3-
%% expect: -afters/1-fun-0- -afters/1-lc$^1/1-0-<afters -afters/1-fun-2- -afters/1-lc$^1/1-0-<afters -afters/1-fun-2- -afters/1-fun-3- -afters/1-lc$^4/1-2- -afters/1-fun-5- -afters/1-lc$^4/1-2-<-afters/1-lc$^4/1-2- -afters/1-fun-5-
%% expect: -long_after/1-fun-0- -long_after/1-lc$^1/1-2-<long_after -long_after/1-lc$^2/1-1-<-long_after/1-after$^5/0-0-<long_after -long_after/1-fun-3- -long_after/1-lc$^2/1-1-<-long_after/1-after$^5/0-0-<long_after -long_after/1-fun-3- -long_after/1-after$^5/0-0-<long_after -long_after/1-fun-4-
%% expect: -receives/1-fun-0- -receives/1-fun-2- -receives/1-lc$^3/1-0- -receives/1-lc$^3/1-0-<-receives/1-lc$^3/1-0-

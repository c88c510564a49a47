%% The merges of `lists`, of lists of which some end in no list or are none: what comes out, and what fails how far. (OTP 25.)
%% expect: merge/2: [29,15,37] 84923473
%% expect: umerge/2: [29,15,37] 132581813
%% expect: rmerge/2: [29,9,43] 63946016
%% expect: rumerge/2: [29,9,43] 106115408
%% expect: merge/3: [29,15,37] 84923473
%% expect: umerge/3: [29,15,37] 132581813
%% expect: rmerge/3: [29,9,43] 63946016
%% expect: rumerge/3: [29,9,43] 106115408
%% expect: keymerge/3: [21,23,28] 83913109
%% expect: ukeymerge/3: [21,23,28] 80527163
%% expect: rkeymerge/3: [21,30,21] 73089510
%% expect: rukeymerge/3: [21,30,21] 114792442
%% expect: merge/1: [33,12,36] 57350139
%% expect: umerge/1: [33,12,36] 76703728
%% expect: merge3/3: [129,78,522] 15136882
%% expect: rmerge3/3: [129,51,549] 60313489
%% expect: umerge3/3: [70,50,223] 91373641
%% expect: rumerge3/3: [67,4,272] 54173499
%% expect: badarg [erlang,lists]
%% expect: badarg [erlang,lists]
%% expect: {case_clause,perhaps} [lists]
%% expect: {case_clause,perhaps} [lists]
%% expect: function_clause [lists]
-module(merging_meets_the_end_of_what_is_no_list).
-export([main/0]).

main() ->
    Pairs = [[A, B] || A <- lists(), B <- lists()],
    Triples = [[A, B, C] || A <- lists(), B <- lists(), C <- lists()],
    [line(F, Pairs) || F <- [merge, umerge, rmerge, rumerge]],
    [line(F, [[fun(X, Y) -> X =< Y end | P] || P <- Pairs]) || F <- [merge, umerge, rmerge, rumerge]],
    [line(F, [[1 | P] || P <- Pairs]) || F <- [keymerge, ukeymerge, rkeymerge, rukeymerge]],
    [line(F, [[P] || P <- Pairs]) || F <- [merge, umerge]],
    [line(F, Triples) || F <- [merge3, rmerge3]],
    [line(F, [[A, B, C] || A <- Lists, B <- Lists, C <- Lists]) || {F, Lists} <- [{umerge3, rising()}, {rumerge3, falling()}]],
    frames().

%% In the order of keys, and not.
lists() -> lists:usort(rising() ++ falling()).

rising() -> [x, [], [{1, a}], [{1, g} | t], [b], [{1, d}, {2, e}, {3, f}], [{0, h}, {2, i} | t]].

falling() -> [x, [], [{1, a}], [{1, g} | t], [b], [{3, a}, {2, b}, {1, c}], [{2, j}, {1, k} | t]].

%% What failed and how: the first entry of a trace too where it is that of reverse/2, whose arguments tell how far the merge went.
line(F, Calls) ->
    Outcomes = [outcome(F, Args) || Args <- Calls],
    io:format("~w/~w: ~w ~w~n", [F, length(hd(Calls)), [length([x || O <- Outcomes, kind(O) =:= K]) || K <- [result, badarg, function_clause]],
                                  erlang:phash2(Outcomes)]).

kind({error, {Reason, _}}) -> Reason;
kind({error, Reason}) -> Reason;
kind(_) -> result.

outcome(F, Args) ->
    try {ok, apply(lists, F, Args)}
    catch
        error:badarg:Stack ->
            [{M, Name, Reversed, _} | _] = Stack,
            {error, {badarg, {M, Name, Reversed}}};
        error:Reason -> {error, Reason}
    end.

%% Sorting shows `lists` alone below what failed.
frames() ->
    Show = fun(Call) ->
        try Call() catch error:Reason:Stack -> io:format("~p ~p~n", [Reason, lists:usort([M || {M, _, _, _} <- lists:takewhile(fun(E) -> element(1, E) =/= ?MODULE end, Stack)])]) end
    end,
    Show(fun() -> lists:keysort(2, [{1}, {1, 2}]) end),
    Show(fun() -> lists:ukeysort(2, [{1, 2}, {1}]) end),
    Show(fun() -> lists:sort(fun(_, _) -> perhaps end, [1, 2, 3]) end),
    Show(fun() -> lists:usort(fun(_, _) -> perhaps end, [1, 2, 3]) end),
    Show(fun() -> lists:merge([1], [0 | t]) end).

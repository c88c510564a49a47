%% Receives whose clauses are chosen by an element of the message, among many messages that choose the same clause and are not for it.
-module(a_search_with_several_clauses_finds_the_first_that_fits).
-export([main/0]).

main() ->
    fill(1, 300),
    self() ! {stop, now},
    self() ! {pong, 250, last},
    %% Backwards, so that each search passes those before.
    show([await(N) || N <- lists:seq(50, 1, -1)] =:= lists:seq(50, 1, -1)),
    show(await(60)),
    show([mixed(X) || X <- [a, b, {c}, 100, 7.5]]),
    show(whole()),
    show(three(250)),
    show(rest([])),
    fill(1, 40),
    show(by_arity(39)),
    show(guarded(12)),
    show(length(rest([]))).

fill(N, Last) when N > Last -> ok;
fill(N, Last) ->
    self() ! {pong, N},
    N rem 7 =:= 0 andalso (self() ! {pung, N}),
    N rem 50 =:= 0 andalso (self() ! N),
    N rem 60 =:= 0 andalso (self() ! {ping, N}),
    fill(N + 1, Last).

%% A {ping, _} is taken by whoever meets it first.
await(N) ->
    receive
        {ping, From} -> {ping, From};
        {pong, N} -> N
    end.

mixed(X) ->
    self() ! {pong, X},
    receive
        {pung, 49} -> pung;
        {peng, _} -> never;
        {pong, X} -> {pong, X};
        {pong, X, _} -> never
    end.

whole() ->
    receive
        {stop, Why} -> Why;
        {pong, none} -> never;
        200 -> two_hundred
    end.

three(N) ->
    receive
        {pong, N, Which} -> Which;
        {stop, N} -> never
    end.

by_arity(N) ->
    receive
        {pong, N} -> two;
        {pong, N, _} -> three;
        {pung, A, B, C} -> {A, B, C}
    end.

guarded(N) ->
    receive
        {pung, X} when X > N, X < 2 * N -> {pung, X};
        {pong, X} when X > 3 * N -> {pong, X}
    end.

rest(Acc) ->
    receive
        {pong, _} -> rest(Acc);
        X -> rest([X | Acc])
    after 0 -> lists:reverse(Acc)
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: true
%% expect: 60
%% expect: [pung,{pong,b},{pong,{c}},{pong,100},{pong,7.5}]
%% expect: two_hundred
%% expect: last
%% expect: [{pung,7},
%% expect:  {pung,14},
%% expect:  {pung,21},
%% expect:  {pung,28},
%% expect:  {pung,35},
%% expect:  {pung,42},
%% expect:  50,
%% expect:  {pung,56},
%% expect:  {ping,60},
%% expect:  {pung,63},
%% expect:  {pung,70},
%% expect:  {pung,77},
%% expect:  {pung,84},
%% expect:  {pung,91},
%% expect:  {pung,98},
%% expect:  100,
%% expect:  {pung,105},
%% expect:  {pung,112},
%% expect:  {pung,119},
%% expect:  {ping,120},
%% expect:  {pung,126},
%% expect:  {pung,133},
%% expect:  {pung,140},
%% expect:  {pung,147},
%% expect:  150,
%% expect:  {pung,154},
%% expect:  {pung,161},
%% expect:  {pung,168},
%% expect:  {pung,175},
%% expect:  {ping,180},
%% expect:  {pung,182},
%% expect:  {pung,189},
%% expect:  {pung,196},
%% expect:  {pung,203},
%% expect:  {pung,210},
%% expect:  {pung,217},
%% expect:  {pung,224},
%% expect:  {pung,231},
%% expect:  {pung,238},
%% expect:  {ping,240},
%% expect:  {pung,245},
%% expect:  250,
%% expect:  {pung,252},
%% expect:  {pung,259},
%% expect:  {pung,266},
%% expect:  {pung,273},
%% expect:  {pung,280},
%% expect:  {pung,287},
%% expect:  {pung,294},
%% expect:  300,
%% expect:  {ping,300},
%% expect:  {stop,now}]
%% expect: two
%% expect: {pung,14}
%% expect: 4

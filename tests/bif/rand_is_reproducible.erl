%% rand with a seed gives OTP's numbers.
-module(rand_is_reproducible).
-export([main/0]).

main() ->
    rand:seed(exsss, {1, 2, 3}),
    show([rand:uniform(100) || _ <- lists:seq(1, 10)]),
    show([rand:uniform() || _ <- [1, 2, 3]]),
    show(rand:uniform(1 bsl 80)),
    S0 = rand:seed_s(exsss, 42),
    {X, S1} = rand:uniform_s(1000, S0),
    {Y, _} = rand:uniform_s(S1),
    show({X, Y}),
    rand:seed(exrop, {1, 2, 3}),
    show([rand:uniform(10) || _ <- [1, 2, 3]]),
    rand:seed(default, 7),
    show(rand:uniform(1000000)),
    show([attempt(fun() -> rand:uniform(id(0)) end), attempt(fun() -> rand:uniform(id(a)) end)]).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [27,41,75,39,31,74,19,24,13,39]
%% expect: [0.1111742666923069,0.17935392784635196,0.16798537864255236]
%% expect: 632574608144698779445770
%% expect: {294,0.899364294071664}
%% expect: [4,5,3]
%% expect: 159592
%% expect: [{error,function_clause},{error,function_clause}]

%% badarith from every operator.
-module(arithmetic_on_non_numbers_is_badarith).
-export([main/0]).

main() ->
    show([attempt(F) || F <- [fun() -> id(a) + 1 end, fun() -> 1 + id(a) end, fun() -> id(1) - id([]) end, fun() -> id({}) * 2 end,
                              fun() -> id(1) / id(a) end, fun() -> -id(a) end, fun() -> +id(a) end, fun() -> id(1.5) band 1 end,
                              fun() -> bnot id(1.5) end, fun() -> id(1) bor id(a) end, fun() -> id(a) rem 2 end, fun() -> id(1) bxor id("1") end,
                              fun() -> id(1.0e308) * 10 end, fun() -> id(1.0e308) + id(1.0e308) end, fun() -> id(-1.0e308) - id(1.0e308) end,
                              fun() -> id(1.0) / id(1.0e-310) * 1.0e10 end, fun() -> id(1 bsl 1100) + 1.0 end, fun() -> 1.0 * id(1 bsl 1024) end]]).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [{error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith}]

%% math:*, exact where exactness is defined, and badarith for what has no value.
-module(math_functions).
-export([main/0]).

main() ->
    show([math:sqrt(16), math:pow(2, 10), math:pi(), math:exp(0), math:log(1), math:log2(8), math:log10(1000), math:sin(0), math:cos(0), math:tan(0),
          math:asin(0), math:acos(1), math:atan(0), math:atan2(0, 1), math:sinh(0), math:cosh(0), math:tanh(0), math:floor(2.7), math:ceil(2.1), math:fmod(7, 3),
          math:pow(0, 0), math:fmod(-7.5, 2), math:floor(-2.5), math:ceil(-2.5), math:sqrt(2), math:pow(2, 0.5)]),
    show([round(X * 1.0e9) || X <- [math:sin(1), math:cos(1), math:tan(1), math:exp(1), math:log(10), math:asinh(1), math:acosh(2), math:atanh(0.5), math:erf(0.5), math:erfc(0.5)]]),
    show([attempt(F) || F <- [fun() -> math:sqrt(id(-1)) end, fun() -> math:log(id(0)) end, fun() -> math:log(id(-1)) end, fun() -> math:pow(id(2), 1024) end,
                              fun() -> math:acos(id(2)) end, fun() -> math:sqrt(id(a)) end, fun() -> math:exp(id(1000)) end, fun() -> math:fmod(1, id(0)) end,
                              fun() -> math:pow(id(0), -1) end, fun() -> math:log2(id(0)) end, fun() -> math:sqrt(id(1 bsl 1024)) end, fun() -> math:atanh(id(1)) end]]).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: [4.0,1024.0,3.141592653589793,1.0,0.0,3.0,3.0,0.0,1.0,0.0,0.0,0.0,0.0,0.0,0.0,
%% expect:  1.0,0.0,2.0,3.0,1.0,1.0,-1.5,-3.0,-2.0,1.4142135623730951,1.4142135623730951]
%% expect: [841470985,540302306,1557407725,2718281828,2302585093,881373587,1316957897,
%% expect:  549306144,520499878,479500122]
%% expect: [{error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarg},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith},
%% expect:  {error,badarith}]

%% Functions of math are called where their operands are: what lives around them stays, and their errors are those of calls.
-module(math_functions_keep_what_lives_around_them).
-export([main/0]).

main() ->
    show(around(id(9), a, {b, c}, 2.25)),
    show([math:sqrt(X) || X <- [0, 0.0, 2, 16.0, 1 bsl 100, 1.0e-320]]),
    show([round(1000 * F) || F <- [math:sin(id(1)), math:cos(id(1.0)), math:exp(id(2)), math:log(id(10)),
                                   math:pow(id(2), id(0.5)), math:atan2(id(1), id(-1)), math:fmod(id(7), id(4))]]),
    show([math:floor(id(-1.5)), math:ceil(id(-1.5)), floor(id(-1.5)), ceil(id(-1.5))]),
    [show(failed(fun() -> F(X) end)) || F <- [fun sqrt/1, fun log/1], X <- [-1, a, 1 bsl 2000]],
    show(failed(fun() -> pow(id(2), id(10000)) end)),
    show(catch_it(id(-1.0))),
    show((fun math:sqrt/1)(id(4))),
    show(apply(math, id(sqrt), [4])).

around(X, A, B, C) ->
    R = math:sqrt(X) + math:sqrt(C),
    {R, A, B, C, X}.

sqrt(X) -> math:sqrt(X).

pow(X, Y) -> {math:pow(X, Y)}.

log(X) -> {math:log(X)}.

catch_it(X) ->
    try math:sqrt(X) of
        R -> R
    catch
        error:badarith -> caught
    end.

failed(F) ->
    try F()
    catch
        error:Reason:Stack ->
            [{M, N, Args, _}, {_, Caller, _, _} | _] = Stack,
            {Reason, M, N, Args, Caller}
    end.

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: {4.5,a,{b,c},2.25,9}
%% expect: [0.0,0.0,1.4142135623730951,4.0,1125899906842624.0,9.99994433575849e-161]
%% expect: [841,540,7389,2303,1414,2356,3000]
%% expect: [-2.0,-1.0,-2,-1]
%% expect: {badarith,math,sqrt,[-1],sqrt}
%% expect: {badarg,math,sqrt,[a],sqrt}
%% expect: {badarith,math,sqrt,
%% expect:           [114813069527425452423283320117768198402231770208869520047764273682576626139237031385665948631650626991844596463898746277344711896086305533142593135616665318539129989145312280000688779148240044871428926990063486244781615463646388363947317026040466353970904996558162398808944629605623311649536164221970332681344168908984458505602379484807914058900934776500429002716706625830522008132236281291761267883317206598995396418127021779858404042159853183251540889433902091920554957783589672039160081957216630582755380425583726015528348786419432054508915275783882625175435528800822842770817965453762184851149029376],
%% expect:           sqrt}
%% expect: {badarith,math,log,[-1],log}
%% expect: {badarg,math,log,[a],log}
%% expect: {badarith,math,log,
%% expect:           [114813069527425452423283320117768198402231770208869520047764273682576626139237031385665948631650626991844596463898746277344711896086305533142593135616665318539129989145312280000688779148240044871428926990063486244781615463646388363947317026040466353970904996558162398808944629605623311649536164221970332681344168908984458505602379484807914058900934776500429002716706625830522008132236281291761267883317206598995396418127021779858404042159853183251540889433902091920554957783589672039160081957216630582755380425583726015528348786419432054508915275783882625175435528800822842770817965453762184851149029376],
%% expect:           log}
%% expect: {badarith,math,pow,[2,10000],pow}
%% expect: caught
%% expect: 2.0
%% expect: 2.0

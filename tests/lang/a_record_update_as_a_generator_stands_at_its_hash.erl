%% A record update whose value is walked is at fault where its `#` stands; an access, and a filter, where they begin.
%% expect: bad_generator 23
%% expect: badrecord 23
%% expect: bad_generator 28
%% expect: bad_generator 33
%% expect: bad_generator 36
%% expect: bad_filter 41
-module(a_record_update_as_a_generator_stands_at_its_hash).
-export([main/0]).
-record(r, {a, b}).

main() ->
    show(fun generator/1, #r{}),
    show(fun generator/1, x),
    show(fun bits/1, #r{}),
    show(fun binary/1, #r{}),
    show(fun access/1, #r{}),
    show(fun filter/1, #r{}).

generator(X) ->
    [Y || Y <- (begin
        X
    end)#r{a = 1}].

bits(X) ->
    << <<Y>> || Y <- (begin
        X
    end)#r{a = 1} >>.

binary(X) ->
    [Y || <<Y>> <= (begin
        X
    end)#r{a = 1}].

access(X) ->
    [Y || Y <- (begin
        X
    end)#r.a].

filter(X) ->
    [1 || (begin
        X
    end)#r{a = 1}].

show(F, X) ->
    try F(X) of
        Value -> io:format("~p~n", [Value])
    catch
        error:Reason:Stack -> io:format("~w ~w~n", [element(1, Reason), proplists:get_value(line, element(4, hd(Stack)))])
    end.

%% What is no property may stand in a list of properties, and in one of expansions.
-module(expansions_of_no_property_expand_nothing).
-export([main/0]).

main() ->
    [io:format("~w~n", [proplists:expand(Expansions, [a, 5, "s", {b, 1}, {"s", 2}])])
     || Expansions <- [[{5, [x]}], [{"s", [x]}, {a, [y]}], [{{}, [x]}], [{{b, 1}, [z]}, {5, []}]]].

%% expect: [a,5,115,{b,1},{[115],2}]
%% expect: [y,5,115,{b,1},{[115],2}]
%% expect: [a,5,115,{b,1},{[115],2}]
%% expect: [a,5,115,z,{[115],2}]

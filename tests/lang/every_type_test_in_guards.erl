%% The type tests, each on a term of each type.
-module(every_type_test_in_guards).
-export([main/0]).

-record(r, {a}).

main() ->
    Terms = [1, 1 bsl 70, 1.0, a, true, "s", [], {}, #r{}, <<1>>, <<1:3>>, #{}, self(), make_ref(), fun id/1],
    [show({Name, [N || {N, T} <- lists:zip(lists:seq(1, length(Terms)), Terms), F(T)]}) || {Name, F} <- tests()],
    ok.

tests() ->
    [{integer, fun(X) when is_integer(X) -> true; (_) -> false end},
     {float, fun(X) when is_float(X) -> true; (_) -> false end},
     {number, fun(X) when is_number(X) -> true; (_) -> false end},
     {atom, fun(X) when is_atom(X) -> true; (_) -> false end},
     {boolean, fun(X) when is_boolean(X) -> true; (_) -> false end},
     {list, fun(X) when is_list(X) -> true; (_) -> false end},
     {tuple, fun(X) when is_tuple(X) -> true; (_) -> false end},
     {record, fun(X) when is_record(X, r) -> true; (_) -> false end},
     {record2, fun(X) when is_record(X, r, 2) -> true; (_) -> false end},
     {binary, fun(X) when is_binary(X) -> true; (_) -> false end},
     {bitstring, fun(X) when is_bitstring(X) -> true; (_) -> false end},
     {map, fun(X) when is_map(X) -> true; (_) -> false end},
     {map_key, fun(X) when is_map_key(a, X) -> true; (_) -> false end},
     {pid, fun(X) when is_pid(X) -> true; (_) -> false end},
     {reference, fun(X) when is_reference(X) -> true; (_) -> false end},
     {port, fun(X) when is_port(X) -> true; (_) -> false end},
     {function, fun(X) when is_function(X) -> true; (_) -> false end},
     {function1, fun(X) when is_function(X, 1) -> true; (_) -> false end},
     {function2, fun(X) when is_function(X, 2) -> true; (_) -> false end}].

show(X) -> io:format("~p~n", [X]).

id(X) -> X.

%% expect: {integer,[1,2]}
%% expect: {float,[3]}
%% expect: {number,[1,2,3]}
%% expect: {atom,[4,5]}
%% expect: {boolean,[5]}
%% expect: {list,[6,7]}
%% expect: {tuple,"\b\t"}
%% expect: {record,"\t"}
%% expect: {record2,"\t"}
%% expect: {binary,"\n"}
%% expect: {bitstring,"\n\v"}
%% expect: {map,"\f"}
%% expect: {map_key,[]}
%% expect: {pid,"\r"}
%% expect: {reference,[14]}
%% expect: {port,[]}
%% expect: {function,[15]}
%% expect: {function1,[15]}
%% expect: {function2,[]}

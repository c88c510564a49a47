%% atom_to_list, list_to_atom, the binary forms and existing atoms.
-module(atoms_convert_to_text_and_back).
-export([main/0]).

main() ->
    show([atom_to_list(a), atom_to_list(''), atom_to_list('A b'), atom_to_list('é')]),
    show([atom_to_binary('é'), atom_to_binary('é', latin1), atom_to_binary('日本', utf8)]),
    show([list_to_atom("x y"), list_to_atom(""), list_to_atom([26085]) =:= '日', binary_to_atom(<<"q">>), binary_to_atom(<<"r">>, latin1), binary_to_atom(<<195, 169>>, utf8)]),
    show([attempt(fun() -> list_to_atom(lists:duplicate(N, $a)) end) =:= list_to_atom_result(N) || N <- [255, 256]]),
    show(element(2, attempt(fun() -> list_to_atom(lists:duplicate(256, $a)) end))),
    show(length(atom_to_list(list_to_atom(lists:duplicate(255, 26085))))),
    show([attempt(fun() -> list_to_atom(id(X)) end) || X <- [a, 1, [a], [-1], [16#110000], <<"x">>, [1 | 2]]]),
    show([attempt(fun() -> binary_to_atom(id(X), utf8) end) || X <- [<<255>>, "x"]]),
    show(attempt(fun() -> binary_to_atom(id(<<0:2048>>), latin1) end)),
    show(list_to_existing_atom("lists")),
    show(attempt(fun() -> list_to_existing_atom("surely_this_atom_" ++ "was_never_made") end)),
    show(binary_to_existing_atom(<<"lists">>, utf8)),
    show(attempt(fun() -> atom_to_list(id("a")) end)).

list_to_atom_result(255) -> list_to_atom(lists:duplicate(255, $a));
list_to_atom_result(_) -> {error, system_limit}.

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: ["a",[],"A b","é"]
%% expect: [<<"Ã©">>,<<"é">>,<<230,151,165,230,156,172>>]
%% expect: ['x y','',true,q,r,é]
%% expect: [true,true]
%% expect: system_limit
%% expect: 255
%% expect: [{error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg}]
%% expect: [{error,badarg},{error,badarg}]
%% expect: {error,system_limit}
%% expect: lists
%% expect: {error,badarg}
%% expect: lists
%% expect: {error,badarg}

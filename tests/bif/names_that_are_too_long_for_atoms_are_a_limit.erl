%% A name of more than 255 characters is a limit, whatever stands behind the 255th; what stands before must be text.
-module(names_that_are_too_long_for_atoms_are_a_limit).
-export([main/0]).

-define(OUTCOME(Call), outcome(fun() -> Call end)).

main() ->
%% expect: [atom,system_limit,system_limit,badarg,badarg]
    print([?OUTCOME(list_to_atom(List)) || List <- [zeros(255), zeros(256), zeros(255) ++ [x], zeros(254) ++ [x], [x | zeros(300)]]]),
%% expect: [atom,system_limit,system_limit,badarg,badarg]
    print([?OUTCOME(binary_to_atom(Binary)) ||
           Binary <- [<<0:255/unit:8>>, <<0:256/unit:8>>, <<0:255/unit:8, 255>>, <<0:254/unit:8, 255>>, <<255, 0:300/unit:8>>]]),
%% expect: [system_limit,system_limit,atom]
    print([?OUTCOME(binary_to_atom(<<0:512/unit:8, 255>>, utf8)), ?OUTCOME(binary_to_atom(<<0:512/unit:8>>, latin1)),
           ?OUTCOME(binary_to_atom(<<255:255/unit:8>>, latin1))]),
    %% What does not exist is wrong, however long.
%% expect: [badarg,badarg,badarg]
    print([?OUTCOME(binary_to_existing_atom(<<0:512/unit:8, 255>>)), ?OUTCOME(list_to_existing_atom(zeros(300))),
           ?OUTCOME(binary_to_existing_atom(<<0:300/unit:8>>, latin1))]).

outcome(Call) ->
    try Call() of
        Atom when is_atom(Atom) -> atom
    catch
        error:Reason -> Reason
    end.

zeros(N) -> lists:duplicate(N, 0).

print(Term) -> io:format("~0p~n", [Term]).

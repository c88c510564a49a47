%% `keysort/2` and `ukeysort/2` of improper lists and of elements that have no key: the first such element is what fails, and only where
%% there is none the end that is no list. (OTP 25.)
%% expect: {{case_clause,t},lists}
%% expect: 1
%% expect: {{case_clause,[a|t]},lists}
%% expect: {{case_clause,[{1,x}|t]},lists}
%% expect: {badarg,[1,a]}
%% expect: {badarg,[1,a]}
%% expect: {badarg,[1,b]}
%% expect: {badarg,[1,b]}
%% expect: {function_clause,lists}
%% expect: {function_clause,lists}
%% expect: {badarg,[1,c]}
%% expect: {badarg,[1,c]}
%% expect: {badarg,[1,c]}
%% expect: {badarg,[1,{}]}
%% expect: {badarg,[1,{}]}
%% expect: {badarg,[1,{}]}
%% expect: {badarg,[1,b]}
%% expect: {function_clause,lists}
%% expect: {badarg,[1,d]}
%% expect: {function_clause,lists}
%% expect: {badarg,[1,e]}
%% expect: {{case_clause,t},lists}
%% expect: 1
%% expect: {{case_clause,[a|t]},lists}
%% expect: {{case_clause,[{1,x}|t]},lists}
%% expect: {badarg,[1,a]}
%% expect: {badarg,[1,a]}
%% expect: {badarg,[1,b]}
%% expect: {badarg,[1,b]}
%% expect: {function_clause,lists}
%% expect: {function_clause,lists}
%% expect: {badarg,[1,c]}
%% expect: {badarg,[1,c]}
%% expect: {badarg,[1,c]}
%% expect: {badarg,[1,{}]}
%% expect: {badarg,[1,{}]}
%% expect: {badarg,[1,{}]}
%% expect: {badarg,[1,b]}
%% expect: {function_clause,lists}
%% expect: {badarg,[1,d]}
%% expect: {function_clause,lists}
%% expect: {badarg,[1,e]}
-module(sorting_by_key_fails_at_the_first_element_without_one).
-export([main/0]).

main() ->
    Lists = [t, [a], [a | t], [{1, x} | t], [a, b], [a, b | t], [{1, x}, b | t], [b, {1, x} | t], [{1, x}, {0, y} | t],
             [{1, x}, {1, y} | t], [c, b, a, b | ok], [{2, x}, {1, x}, c | t], [{1, x}, {1, x}, c], [{3, x}, {2, x}, {1, x}, {}, c | t],
             [{1}, {}, {2} | t], [{1}, {2}, {} | t], [{1}, {1}, {2}, {2}, {1}, b], [{1}, {1}, {2}, {2}, {1} | b],
             lists:duplicate(5000, {1}) ++ [d | t], lists:duplicate(5000, {1}) ++ t, [e | lists:duplicate(5000, {1}) ++ t]],
    [io:format("~w~n", [outcome(F, L)]) || F <- [keysort, ukeysort], L <- Lists].

outcome(F, L) ->
    try length(lists:F(1, L))
    catch
        error:Reason:Stack -> {Reason, first(Stack)}
    end.

first([{erlang, element, Args, _} | _]) -> Args;
first([{Module, _, _, _} | _]) -> Module.

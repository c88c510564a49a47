%% A function of the language that is imported by name can be called in guards and filters.
-module(guards_call_what_is_imported_from_erlang).
-compile({no_auto_import, [binary_part/2]}).
-import(erlang, [binary_part/2]).
-export([main/0]).

main() ->
    io:format("~p~n", [[first(<<0, 1, 2>>), first(<<1, 1>>), first(<<>>)]]),
    io:format("~p~n", [[X || X <- [<<1>>, <<>>, <<2>>], binary_part(X, {0, 1}) =:= <<1>>]]).

first(X) when binary_part(X, {0, 1}) =:= <<0>> -> {zero, binary_part(X, {1, 2})};
first(_) -> other.

%% expect: [{zero,<<1,2>>},other,other]
%% expect: [<<1>>]

%% A segment of a pattern whose value or size is an atom matches nothing, whatever the atom; to build with such a size is an error.
%% expect: [no,no,no]
%% expect: [no,no,no]
%% expect: [{no,no,no,no},{no,no,no,no}]
%% expect: []
%% expect: <<>>
%% expect: []
%% expect: [badarg,badarg,badarg,<<1>>]
%% expect: [badarg,badarg,<<>>]
-module(a_segment_with_an_atom_never_matches).
-export([main/0]).

main() ->
    io:format("~p~n", [[value(X) || X <- [<<>>, <<0, 97>>, <<"atom">>]]]),
    io:format("~p~n", [[typed(X) || X <- [<<>>, <<97>>, <<0:64>>]]]),
    io:format("~p~n", [[{sized(X), skipped(X), dynamic(X, all), dynamic(X, none)} || X <- [<<>>, <<1, 2>>]]]),
    io:format("~p~n", [[X || <<X:all/binary>> <= <<1, 2>>]]),
    io:format("~p~n", [<< <<X:8>> || <<X:none>> <= <<1, 2>> >>]),
    io:format("~p~n", [[X || <<X:8, _:all/binary>> <= <<1, 2>>]]),
    io:format("~p~n", [[built(S) || S <- [all, none, 1.0, 1]]]),
    io:format("~p~n", [[empty(S) || S <- [all, -1, 3]]]).

value(<<atom:16>>) -> yes;
value(<<a, _/bits>>) -> yes;
value(_) -> no.

typed(<<a/utf8>>) -> yes;
typed(<<a/float>>) -> yes;
typed(<<a/binary>>) -> yes;
typed(_) -> no.

sized(X) -> case X of <<B:all/binary>> -> B; _ -> no end.

skipped(X) -> case X of <<_:all/binary>> -> yes; _ -> no end.

dynamic(X, Size) -> case X of <<B:Size/binary>> -> B; _ -> no end.

built(Size) ->
    Bytes = id(<<1, 2>>),
    try <<Bytes:Size/binary>> catch error:Reason -> Reason end.

empty(Size) -> try <<"":Size>> catch error:Reason -> Reason end.

id(X) -> X.

%% unicode:characters_to_list, characters_to_binary and their error values.
-module(unicode_conversions).
-export([main/0]).

main() ->
    show(unicode:characters_to_binary("aé日")),
    show(unicode:characters_to_list(<<97, 195, 169>>)),
    show(unicode:characters_to_binary([97, <<195, 169>>, [26085]], unicode, {utf16, little})),
    show(unicode:characters_to_list(<<195>>)),
    show(unicode:characters_to_binary([97, 16#D800])),
    show(unicode:characters_to_binary(<<97, 255>>)),
    show(unicode:characters_to_list(<<233>>, latin1)),
    show(unicode:characters_to_binary("é", unicode, latin1)),
    show(unicode:characters_to_binary("日", unicode, latin1)),
    show(attempt(fun() -> unicode:characters_to_binary(id(a)) end)),
    show(unicode:characters_to_nfc_list("e\x{301}")),
    show(unicode:characters_to_nfd_list("é")).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: <<97,195,169,230,151,165>>
%% expect: "aé"
%% expect: <<97,0,233,0,229,101>>
%% expect: {incomplete,[],<<"Ã">>}
%% expect: {error,<<"a">>,[55296]}
%% expect: {error,<<"a">>,<<"ÿ">>}
%% expect: "é"
%% expect: <<"é">>
%% expect: {error,<<>>,[[26085]]}
%% expect: {error,badarg}
%% expect: "é"
%% expect: [101,769]

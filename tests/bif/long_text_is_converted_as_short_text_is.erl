%% What is read many bytes at once gives what is read one character at a time gives: characters of several bytes lie
%% across all borders, faults stand far from the beginning, characters begin in one binary and end in the next.
-module(long_text_is_converted_as_short_text_is).
-export([main/0]).

main() ->
%% expect: true
    io:format("~p~n", [lists:all(fun round_trip/1, lists:seq(4085, 4100))]),
    A = binary:copy(<<"a">>, 5000),
%% expect: {error,5000,[<<"ÿb">>]}
    io:format("~p~n", [cut(unicode:characters_to_binary([A, <<255, $b>>]))]),
%% expect: {incomplete,5000,<<226,130>>}
    io:format("~p~n", [cut(unicode:characters_to_binary([A, <<226>>, <<130>>]))]),
%% expect: 5001
    io:format("~p~n", [length(unicode:characters_to_list([A, <<226, 130>>, <<172>>]))]),
%% expect: {error,5000,[<<226,130,172>>,<<"b">>]}
    io:format("~p~n", [cut(unicode:characters_to_binary([A, <<"€"/utf8>>, <<"b">>], utf8, latin1))]),
%% expect: {error,5000,<<226,130,172,98>>}
    io:format("~p~n", [cut(unicode:characters_to_binary(<<A/binary, "€b"/utf8>>, utf8, latin1))]),
%% expect: 5003
    io:format("~p~n", [byte_size(unicode:characters_to_binary([A, "åäö"], utf8, latin1))]),
%% expect: 10006
    io:format("~p~n", [byte_size(unicode:characters_to_binary([A, <<"åäö">>, A], latin1))]),
%% expect: {error,[8364],5000}
    io:format("~p~n", [last(unicode:characters_to_list([A, <<"€"/utf8>>, <<255>>]))]).

round_trip(N) ->
    Text = <<(binary:copy(<<"x">>, N))/binary, (binary:copy(<<"å€𝄞"/utf8>>, 3000))/binary>>,
    List = unicode:characters_to_list(Text),
    length(List) =:= N + 9000 andalso
        unicode:characters_to_binary(List) =:= Text andalso
        unicode:characters_to_binary([Text]) =:= Text andalso
        unicode:characters_to_binary([Text, $y]) =:= <<Text/binary, "y">> andalso
        unicode:characters_to_list(unicode:characters_to_binary(Text, utf8, utf16), utf16) =:= List.

cut({Class, Done, Rest}) -> {Class, byte_size(Done), Rest}.

last({error, Done, _}) -> {error, [lists:last(Done)], length(Done) - 1}.

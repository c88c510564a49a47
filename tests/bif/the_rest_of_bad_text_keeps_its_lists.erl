%% What follows a fault stands in lists as the input had it, also when a character goes over the end of a binary.
-module(the_rest_of_bad_text_keeps_its_lists).
-export([main/0]).

main() ->
    lists:foreach(
      fun(Data) ->
              io:format("~w ~w~n", [unicode:characters_to_binary(Data), unicode:characters_to_list(Data)])
      end,
      [[97, <<255>>], [[97, <<255>>], 98], [<<255>>], [[[97], <<"b", 255>> | <<"c">>], 100], [97, [255, 16#D800], 98],
       [<<97>>, [<<226>>, [<<130>>]], 98], [<<226>>, <<98>>], [<<226>>, <<98>> | <<99>>],
       [<<226>>, <<98, 99>>, <<100>>], [<<226>>, 16#D800, 97], [97, <<226, 130>>]]),
    lists:foreach(
      fun(Data) -> io:format("~w~n", [unicode:characters_to_binary(Data, utf8, latin1)]) end,
      [[97, <<226, 130, 172>>], [97, 8364, 98], [[97, 8364]], [[<<"a", 226, 130, 172, "b">>, 99], 100],
       [<<226>>, <<130, 172, 98>>, 99], [8364 | <<"x">>]]).

%% expect: {error,<<97>>,[<<255>>]} {error,[97],[<<255>>]}
%% expect: {error,<<97>>,[[<<255>>],98]} {error,[97],[[<<255>>],98]}
%% expect: {error,<<>>,<<255>>} {error,[],[<<255>>]}
%% expect: {error,<<97,98>>,[[<<255>>|<<99>>],100]} {error,[97,98],[[<<255>>|<<99>>],100]}
%% expect: {error,<<97,195,191>>,[[55296],98]} {error,[97,255],[[55296],98]}
%% expect: {error,<<97>>,[<<226,130>>,[98]]} {error,[97],[<<226,130>>,[98]]}
%% expect: {error,<<>>,<<226,98>>} {error,[],<<226,98>>}
%% expect: {error,<<>>,[<<226,98>>,<<99>>]} {error,[],[<<226,98>>,<<99>>]}
%% expect: {error,<<>>,[<<226>>,[<<98,99>>,<<100>>]]} {error,[],[<<226>>,[<<98,99>>,<<100>>]]}
%% expect: {error,<<>>,[<<226>>,[55296,97]]} {error,[],[<<226>>,[55296,97]]}
%% expect: {incomplete,<<97>>,<<226,130>>} {incomplete,[97],<<226,130>>}
%% expect: {error,<<97>>,[<<226,130,172>>]}
%% expect: {error,<<97>>,[[8364],98]}
%% expect: {error,<<97>>,[[[8364]]]}
%% expect: {error,<<97>>,[[<<226,130,172,98>>,99],100]}
%% expect: {error,<<>>,[<<226,130,172>>,<<98>>,99]}
%% expect: {error,<<>>,[[8364]|<<120>>]}

%% Tagged tuples indent under their tag, maps under their keys.
-module(format_p_of_wide_records_and_maps).
-export([main/0]).

main() ->
    io:format("~p~n", [{state, undefined, [], #{}, {queue, [], []}, <<>>, infinity, 5000, "name of the server", {1, 2, 3}, [{option, value}, {other_option, other_value}]}]),
    io:format("~p~n", [[{person, "Joe", 42, [{likes, erlang}, {likes, motorbikes}, {likes, prolog}], stockholm, sweden}, {person, "Mike", 41, [], london, england}]]),
    io:format("~p~n", [maps:from_list([{list_to_atom("key_" ++ integer_to_list(I)), lists:seq(1, I)} || I <- lists:seq(10, 15)])]),
    io:format("~p~n", [#{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa => bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, c => d}]),
    io:format("~p~n", [{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb}]),
    io:format("~p~n", [{1, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb}]).

%% expect: {state,undefined,[],#{},
%% expect:        {queue,[],[]},
%% expect:        <<>>,infinity,5000,"name of the server",
%% expect:        {1,2,3},
%% expect:        [{option,value},{other_option,other_value}]}
%% expect: [{person,"Joe",42,
%% expect:          [{likes,erlang},{likes,motorbikes},{likes,prolog}],
%% expect:          stockholm,sweden},
%% expect:  {person,"Mike",41,[],london,england}]
%% expect: #{key_10 => [1,2,3,4,5,6,7,8,9,10],
%% expect:   key_11 => [1,2,3,4,5,6,7,8,9,10,11],
%% expect:   key_12 => [1,2,3,4,5,6,7,8,9,10,11,12],
%% expect:   key_13 => [1,2,3,4,5,6,7,8,9,10,11,12,13],
%% expect:   key_14 => [1,2,3,4,5,6,7,8,9,10,11,12,13,14],
%% expect:   key_15 => [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]}
%% expect: #{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa =>
%% expect:       bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,
%% expect:   c => d}
%% expect: {aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,
%% expect:     bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb}
%% expect: {1,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,
%% expect:  bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb}

%% ~p breaks and indents long terms as OTP does, from the column where it starts.
-module(format_p_breaks_lines).
-export([main/0]).

main() ->
    L = lists:seq(1, 60),
    io:format("~p~n", [L]),
    io:format("~p~n", [[{I, integer_to_list(I), [a, b, c]} || I <- lists:seq(1, 12)]]),
    io:format("start: ~p~n", [list_to_tuple(lists:seq(1000, 1030))]),
    io:format("~p~n", [{a_long_tag_of_a_tuple, [some_atoms, of_some_length, that_fill_the_line], {nested, {tuples, [with, lists, some, atoms, inside]}}, "and a string that is rather long too"}]),
    io:format("~p~n", [#{key_number_one => lists:seq(1, 25), key_number_two => #{inner_key => lists:duplicate(10, inner_value)}, {tuple, key} => "string value"}]),
    io:format("~p~n", [lists:duplicate(8, "a string")]),
    io:format("~p~n", ["a very long string that does not fit on a single line because it has so many characters in it, more than eighty"]),
    io:format("~p~n", [<<"a very long binary that does not fit on a single line because it has so many characters in it, more than eighty">>]),
    io:format("~p~n", [binary:copy(<<1, 2, 3>>, 40)]),
    io:format("~40p~n", [lists:seq(1, 30)]),
    io:format("~20p~n", [{abc, [def, ghi], "jkl mno"}]),
    io:format("~80.10p|~n", [lists:seq(1, 40)]),
    io:format("~1p~n", [{a, {b, {c, [d, e]}}}]),
    io:format("~0p~n", [[{I, integer_to_list(I), [a, b, c]} || I <- lists:seq(1, 12)]]),
    io:format("~p~n", [{error, {badmatch, {ok, [{module_name, function_name, 3, [{file, "src/some_file.erl"}, {line, 1234}]}, {other_module, other_function, 2, []}]}}}]),
    io:format("~p ~p~n", [lists:seq(1, 20), lists:seq(1, 20)]),
    io:format("~p~n", [[[lists:seq(1, 10) || _ <- [1, 2, 3]] || _ <- [1, 2]]]),
    io:format("~p~n", [[a | b]]),
    io:format("~p~n", [[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccccccc | dddddddddddddd]]),
    io:format("~p~n", [{x, #{a => 1, b => [1, 2, 3], c => #{d => <<"binary">>, e => 'quoted atom', f => 1.5}, g => {1, 2, {3, 4, {5, 6, lists:seq(1, 30)}}}}}]).

%% expect: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,
%% expect:  29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,
%% expect:  54,55,56,57,58,59,60]
%% expect: [{1,"1",[a,b,c]},
%% expect:  {2,"2",[a,b,c]},
%% expect:  {3,"3",[a,b,c]},
%% expect:  {4,"4",[a,b,c]},
%% expect:  {5,"5",[a,b,c]},
%% expect:  {6,"6",[a,b,c]},
%% expect:  {7,"7",[a,b,c]},
%% expect:  {8,"8",[a,b,c]},
%% expect:  {9,"9",[a,b,c]},
%% expect:  {10,"10",[a,b,c]},
%% expect:  {11,"11",[a,b,c]},
%% expect:  {12,"12",[a,b,c]}]
%% expect: start: {1000,1001,1002,1003,1004,1005,1006,1007,1008,1009,1010,1011,1012,1013,
%% expect:         1014,1015,1016,1017,1018,1019,1020,1021,1022,1023,1024,1025,1026,1027,
%% expect:         1028,1029,1030}
%% expect: {a_long_tag_of_a_tuple,[some_atoms,of_some_length,that_fill_the_line],
%% expect:                        {nested,{tuples,[with,lists,some,atoms,inside]}},
%% expect:                        "and a string that is rather long too"}
%% expect: #{key_number_one =>
%% expect:       [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25],
%% expect:   key_number_two =>
%% expect:       #{inner_key =>
%% expect:             [inner_value,inner_value,inner_value,inner_value,inner_value,
%% expect:              inner_value,inner_value,inner_value,inner_value,inner_value]},
%% expect:   {tuple,key} => "string value"}
%% expect: ["a string","a string","a string","a string","a string","a string","a string",
%% expect:  "a string"]
%% expect: "a very long string that does not fit on a single line because it has so many characters in it, more than eighty"
%% expect: <<"a very long binary that does not fit on a single line because it has so many characters in it, more than eighty">>
%% expect: <<1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,
%% expect:   3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,
%% expect:   2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,
%% expect:   1,2,3,1,2,3>>
%% expect: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,
%% expect:  16,17,18,19,20,21,22,23,24,25,26,27,
%% expect:  28,29,30]
%% expect: {abc,[def,ghi],
%% expect:      "jkl mno"}
%% expect: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,
%% expect:           26,27,28,29,30,31,32,33,34,35,36,37,38,39,40]|
%% expect: {a,
%% expect:  {b,
%% expect:   {c,
%% expect:    [d,
%% expect:     e]}}}
%% expect: [{1,"1",[a,b,c]},{2,"2",[a,b,c]},{3,"3",[a,b,c]},{4,"4",[a,b,c]},{5,"5",[a,b,c]},{6,"6",[a,b,c]},{7,"7",[a,b,c]},{8,"8",[a,b,c]},{9,"9",[a,b,c]},{10,"10",[a,b,c]},{11,"11",[a,b,c]},{12,"12",[a,b,c]}]
%% expect: {error,{badmatch,{ok,[{module_name,function_name,3,
%% expect:                                    [{file,"src/some_file.erl"},{line,1234}]},
%% expect:                       {other_module,other_function,2,[]}]}}}
%% expect: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20] [1,2,3,4,5,6,7,8,9,10,11,
%% expect:                                                       12,13,14,15,16,17,18,19,
%% expect:                                                       20]
%% expect: [[[1,2,3,4,5,6,7,8,9,10],[1,2,3,4,5,6,7,8,9,10],[1,2,3,4,5,6,7,8,9,10]],
%% expect:  [[1,2,3,4,5,6,7,8,9,10],[1,2,3,4,5,6,7,8,9,10],[1,2,3,4,5,6,7,8,9,10]]]
%% expect: [a|b]
%% expect: [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,
%% expect:  cccccccccccccccccccccccccc|dddddddddddddd]
%% expect: {x,#{a => 1,
%% expect:      b => [1,2,3],
%% expect:      c => #{d => <<"binary">>,e => 'quoted atom',f => 1.5},
%% expect:      g =>
%% expect:          {1,2,
%% expect:           {3,4,
%% expect:            {5,6,
%% expect:             [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,
%% expect:              25,26,27,28,29,30]}}}}}

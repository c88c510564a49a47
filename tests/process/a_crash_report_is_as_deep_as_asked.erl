%% `proc_lib:format/3` cuts what processes have in them to a depth.
-module(a_crash_report_is_as_deep_as_asked).

-export([main/0]).

main() ->
    Report = [[{initial_call, {m, f, [a, b]}}, {registered_name, []}, {error_info, {error, {x, lists:seq(1, 60)}, [{m, f, 1, []}]}},
               {ancestors, [a]}, {messages, [lists:seq(1, 40)]}, {dictionary, [{a, lists:seq(1, 30)}]}],
              [{neighbour, [{registered_name, x}, {messages, [lists:seq(1, 40)]}]}]],
    [io:format("~ts~n", [proc_lib:format(Report, Encoding, Depth)]) || Encoding <- [latin1, unicode], Depth <- [unlimited, 12]].

%% expect:   crasher:
%% expect:     initial call: m:f/2
%% expect:     registered_name: []
%% expect:     exception error: {x,[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,
%% expect:                          21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,
%% expect:                          38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,
%% expect:                          55,56,57,58,59,60]}
%% expect:       in function  m:f/1 
%% expect:     ancestors: [a]
%% expect:     messages: [[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,
%% expect:                    23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40]]
%% expect:     dictionary: [{a,[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,
%% expect:                       22,23,24,25,26,27,28,29,30]}]
%% expect:   neighbours:
%% expect:     neighbour:
%% expect:       registered_name: x
%% expect:       messages: [[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,
%% expect:                    23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40]]
%% expect:   crasher:
%% expect:     initial call: m:f/2
%% expect:     registered_name: []
%% expect:     exception error: {x,[1,2,3,4,5,6,7,8,9|...]}
%% expect:       in function  m:f/1 
%% expect:     ancestors: [a]
%% expect:     messages: [[1,2,3,4,5,6,7,8,9,10|...]]
%% expect:     dictionary: [{a,[1,2,3,4,5,6,7,8|...]}]
%% expect:   neighbours:
%% expect:     neighbour:
%% expect:       registered_name: x
%% expect:       messages: [[1,2,3,4,5,6,7,8,9,10|...]]
%% expect:   crasher:
%% expect:     initial call: m:f/2
%% expect:     registered_name: []
%% expect:     exception error: {x,[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,
%% expect:                          21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,
%% expect:                          38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,
%% expect:                          55,56,57,58,59,60]}
%% expect:       in function  m:f/1 
%% expect:     ancestors: [a]
%% expect:     messages: [[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,
%% expect:                    23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40]]
%% expect:     dictionary: [{a,[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,
%% expect:                       22,23,24,25,26,27,28,29,30]}]
%% expect:   neighbours:
%% expect:     neighbour:
%% expect:       registered_name: x
%% expect:       messages: [[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,
%% expect:                    23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40]]
%% expect:   crasher:
%% expect:     initial call: m:f/2
%% expect:     registered_name: []
%% expect:     exception error: {x,[1,2,3,4,5,6,7,8,9|...]}
%% expect:       in function  m:f/1 
%% expect:     ancestors: [a]
%% expect:     messages: [[1,2,3,4,5,6,7,8,9,10|...]]
%% expect:     dictionary: [{a,[1,2,3,4,5,6,7,8|...]}]
%% expect:   neighbours:
%% expect:     neighbour:
%% expect:       registered_name: x
%% expect:       messages: [[1,2,3,4,5,6,7,8,9,10|...]]

%% What a crash report looks like on a single line, and when the number of its characters is limited. Printed by OTP 25.
-module(crash_reports_fit_one_line_and_a_limit).
-export([main/0]).

main() ->
    Stack = [{door, open, 2, [{file, "door.erl"}, {line, 7}]}],
    Own = [{initial_call, {door, init, ['Argument__1']}}, {pid, nobody}, {registered_name, door},
           {error_info, {error, {badmatch, lists:seq(1, 40)}, Stack}}, {ancestors, [house]}, {message_queue_len, 0},
           {messages, []}, {links, []}, {dictionary, [{key, "a text that is not short"}]}, {trap_exit, false}],
    Neighbour = [{pid, someone}, {registered_name, []}, {initial_call, {door, bell, []}}, {links, [nobody]}],
    show(Own, [], #{single_line => true, chars_limit => 300}),
    show(Own, [], #{single_line => true, depth => 8}),
    show(Own, [{neighbour, Neighbour}, {neighbour, Neighbour}], #{single_line => true}),
    show(Own, [{neighbour, Neighbour}, {neighbour, Neighbour}], #{chars_limit => 400, depth => 12}),
    show(Own, [{neighbour, Neighbour}, {neighbour, Neighbour}], #{}),
    show([{pid, nobody}], [], #{single_line => true}).

show(Own, Neighbours, Options) ->
    io:format("~ts~n", [proc_lib:report_cb(#{label => {proc_lib, crash}, report => [Own, Neighbours]}, Options)]).

%% expect: crasher: initial call: door:init/1, pid: nobody, registered_name: door, error: {{badmatch,[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23|...]},[{door,open,2,[{file,"door.erl"},{line,7}]}]}, ancestors: [house], message_queue_len: ..., messages: [], links: [], dictionary: [{...}], trap_exit: false; neighbours: []
%% expect: crasher: initial call: door:init/1, pid: nobody, registered_name: door, error: {{badmatch,[1,2,3,4|...]},[{door,open,2,[...]}]}, ancestors: [house], message_queue_len: 0, messages: [], links: [], dictionary: [{key,"a text that is not short"}], trap_exit: false; neighbours: 
%% expect: crasher: initial call: door:init/1, pid: nobody, registered_name: door, error: {{badmatch,[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40]},[{door,open,2,[{file,"door.erl"},{line,7}]}]}, ancestors: [house], message_queue_len: 0, messages: [], links: [], dictionary: [{key,"a text that is not short"}], trap_exit: false; neighbours: neighbour: pid: someone, registered_name: [], initial call: door:bell/0, links: [nobody]; neighbour: pid: someone, registered_name: [], initial call: door:bell/0, links: [nobody]
%% expect:   crasher:
%% expect:     initial call: door:init/1
%% expect:     pid: nobody
%% expect:     registered_name: door
%% expect:     exception error: no match of right hand side value [1,2,3,4,5,6,7,8,9,10,
%% expect:                                                         11|...]
%% expect:       in function  door:open/2 (door.erl, line 7)
%% expect:     ancestors: [house]
%% expect:     message_queue_len: 0
%% expect:     messages: []
%% expect:     links: []
%% expect:     dictionary: [{key,...}]
%% expect:     trap_exit: false
%% expect:   neighbours: [someone,someone]
%% expect:   crasher:
%% expect:     initial call: door:init/1
%% expect:     pid: nobody
%% expect:     registered_name: door
%% expect:     exception error: no match of right hand side value 
%% expect:                      [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,
%% expect:                       22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,
%% expect:                       40]
%% expect:       in function  door:open/2 (door.erl, line 7)
%% expect:     ancestors: [house]
%% expect:     message_queue_len: 0
%% expect:     messages: []
%% expect:     links: []
%% expect:     dictionary: [{key,"a text that is not short"}]
%% expect:     trap_exit: false
%% expect:   neighbours:
%% expect:     neighbour:
%% expect:       pid: someone
%% expect:       registered_name: []
%% expect:       initial call: door:bell/0
%% expect:       links: [nobody]
%% expect:     neighbour:
%% expect:       pid: someone
%% expect:       registered_name: []
%% expect:       initial call: door:bell/0
%% expect:       links: [nobody]
%% expect: crasher: pid: nobody; neighbours: 

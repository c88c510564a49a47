%% ~w for every kind of term, quoting of atoms, control characters.
-module(format_w_writes_plain_terms).
-export([main/0]).

main() ->
    [io:format("~w~n", [T]) || T <- [[], [1, 2 | 3], "abc", {}, {a, 'B', 'c d', '', 'it\'s', '\n', 'é', '\x{1}', 'if', 'andalso', 'end', aB_1@, 'A', '1a', '_a', 'a-b'}, #{}, #{a => #{b => 1}}, <<>>, <<1, 2>>, <<"text">>, <<1:3>>, <<7, 5:3>>,
                                     1.0, -5, 1 bsl 80, [[[]]], [a, [b, [c | d]]], {{}}, fun lists:map/2, fun erlang:'+'/2, fun 'a b':'C'/0, [$a, 0], 'hello world', "\t", [26085], true]],
    ok.

%% expect: []
%% expect: [1,2|3]
%% expect: [97,98,99]
%% expect: {}
%% expect: {a,'B','c d','','it\'s','\n',é,'\001','if','andalso','end',aB_1@,'A','1a','_a','a-b'}
%% expect: #{}
%% expect: #{a => #{b => 1}}
%% expect: <<>>
%% expect: <<1,2>>
%% expect: <<116,101,120,116>>
%% expect: <<1:3>>
%% expect: <<7,5:3>>
%% expect: 1.0
%% expect: -5
%% expect: 1208925819614629174706176
%% expect: [[[]]]
%% expect: [a,[b,[c|d]]]
%% expect: {{}}
%% expect: fun lists:map/2
%% expect: fun erlang:'+'/2
%% expect: fun 'a b':'C'/0
%% expect: [97,0]
%% expect: 'hello world'
%% expect: [9]
%% expect: [26085]
%% expect: true

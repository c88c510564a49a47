%% Quoting, escapes, unicode; quoted reserved words.
-module(atoms_are_written_in_many_ways).
-export([main/0]).

main() ->
    show([a, aB_c@1, 'A', 'a b', '', 'it\'s', 'if', 'receive', 'åäö', åäö, 'a\nb', '_x', '1', a@b, '\x{41}']),
    io:format("~tp ~tp~n", ['日本', "日本"]),
    io:format("~p ~w~n", ['日本', '日本']),
    show('abc' =:= abc).

show(X) -> io:format("~p~n", [X]).

%% expect: [a,aB_c@1,'A','a b','','it\'s','if','receive',åäö,åäö,'a\nb','_x','1',a@b,'A']
%% expect: '日本' [26085,26412]
%% expect: '\x{65E5}\x{672C}' '\x{65E5}\x{672C}'
%% expect: true

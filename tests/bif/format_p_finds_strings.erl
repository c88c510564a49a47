%% ~p shows lists and binaries of printable Latin-1 characters as text.
-module(format_p_finds_strings).
-export([main/0]).

main() ->
    [io:format("~p~n", [T]) || T <- ["abc", "", [97, 98 | 99], "a\nb\t\r\e\v\f\b\"\\", [0], [127], [160], [255, 254], "é", [256], [1024, 1025], [$a, 26085], <<"abc">>, <<"a\nb">>, <<0>>, <<>>, <<"é">>, <<"é"/utf8>>, <<"日"/utf8>>, <<5:3>>,
                                     <<"ab", 1:1>>, [["ab"], "c"], {"x", <<"y">>}, #{"k" => <<"v">>}, ['a b', "c d"], [$a, -1], [1114112], "a'b", <<"q\"q">>, [27], [$\d], [128], [159]]],
    [io:format("~tp~n", [T]) || T <- ["abc", [1024, 1025], "日本", <<"日本"/utf8>>, <<"é"/utf8>>, <<"é">>, '日本', [$a, 26085], <<255>>]],
    [io:format("~lp ~lw~n", [T, T]) || T <- ["abc", <<"abc">>, [1, 2]]],
    ok.

%% expect: "abc"
%% expect: []
%% expect: [97,98|99]
%% expect: "a\nb\t\r\e\v\f\b\"\\"
%% expect: [0]
%% expect: [127]
%% expect: " "
%% expect: "ÿþ"
%% expect: "é"
%% expect: [256]
%% expect: [1024,1025]
%% expect: [97,26085]
%% expect: <<"abc">>
%% expect: <<"a\nb">>
%% expect: <<0>>
%% expect: <<>>
%% expect: <<"é">>
%% expect: <<"Ã©">>
%% expect: <<230,151,165>>
%% expect: <<5:3>>
%% expect: <<97,98,1:1>>
%% expect: [["ab"],"c"]
%% expect: {"x",<<"y">>}
%% expect: #{"k" => <<"v">>}
%% expect: ['a b',"c d"]
%% expect: [97,-1]
%% expect: [1114112]
%% expect: "a'b"
%% expect: <<"q\"q">>
%% expect: "\e"
%% expect: [127]
%% expect: [128]
%% expect: [159]
%% expect: "abc"
%% expect: [1024,1025]
%% expect: [26085,26412]
%% expect: <<230,151,165,230,156,172>>
%% expect: <<"é"/utf8>>
%% expect: <<"é">>
%% expect: '日本'
%% expect: [97,26085]
%% expect: <<"ÿ">>
%% expect: [97,98,99] [97,98,99]
%% expect: <<97,98,99>> <<97,98,99>>
%% expect: [1,2] [1,2]

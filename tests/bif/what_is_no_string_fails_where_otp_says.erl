%% Strings, and other arguments of a kind, that are none: reason and trace. (OTP 25.)
%% expect: string:length[x] {function_clause,[{unicode_util,cp,[x]},{unicode_util,gc,1},{string,length_1,2}]}
%% expect: string:length[[a,b]] {function_clause,[{unicode_util,cpl,[a,[b]]},{unicode_util,gc,1},{string,length_1,2}]}
%% expect: string:length[[1,2|x]] {function_clause,[{unicode_util,cp,[x]},{unicode_util,gc,1},{string,length_1,2}]}
%% expect: string:length[[-1,97]] 2
%% expect: string:to_graphemes[x] {function_clause,[{unicode_util,cp,[x]},{unicode_util,gc,1},{string,to_graphemes,1}]}
%% expect: string:to_graphemes[[1099511627776]] [1099511627776]
%% expect: string:reverse[[a|b]] {function_clause,[{unicode_util,cpl,[a,b]},{unicode_util,gc,1},{string,reverse_1,2}]}
%% expect: string:reverse[[-1,2]] [2,-1]
%% expect: string:reverse[<<255>>] {{badarg,<<255>>},[{string,reverse_1,2}]}
%% expect: string:equal[[97,98],x] {function_clause,[{unicode_util,cp,[x]},{string,equal_1,2}]}
%% expect: string:equal[x,y] {function_clause,[{unicode_util,cp,[x]},{string,equal_1,2}]}
%% expect: string:equal[[],x] false
%% expect: string:equal[<<97>>,[a]] {function_clause,[{unicode_util,cp,[a]},{string,equal_1,2}]}
%% expect: string:equal[[97],<<255>>] {{case_clause,{[97],{error,<<255>>}}},[{string,equal_1,2}]}
%% expect: string:equal[[1,2|3],[9]] false
%% expect: string:lowercase[x] {{badarg,x},[{string,lowercase,1}]}
%% expect: string:lowercase[[-1]] [-1]
%% expect: string:titlecase[[a,b]] {function_clause,[{unicode_util,cpl,[a,[b]]},{unicode_util,titlecase,1},{string,titlecase,1}]}
%% expect: string:casefold[[1099511627776]] [1099511627776]
%% expect: string:slice[x,1] {function_clause,[{unicode_util,cp,[x]},{unicode_util,gc,1},{string,slice_l,2},{string,slice,2}]}
%% expect: string:slice[[97,98,99],a] {function_clause,[{string,slice,[[97,98,99],a]}]}
%% expect: string:slice[[-1,97,98],1] [97,98]
%% expect: string:pad[x,3] {function_clause,[{unicode_util,cp,[x]},{unicode_util,gc,1},{string,length_1,2},{string,pad,4}]}
%% expect: string:pad[[97],3,middle] {function_clause,[{string,pad,[[97],3,middle,32]}]}
%% expect: string:pad[[-1],3] [[-1],32,32]
%% expect: string:trim[x] {function_clause,[{string,trim_l,[x,[[13,10],9,10,11,12,13,32,133,8206,8207,8232,8233]]},{string,trim,3}]}
%% expect: string:trim[[97],both,x] {function_clause,[{string,trim,[[97],both,x]}]}
%% expect: string:trim[[a]] {function_clause,[{unicode_util,cp,[a]},{unicode_util,gc,1},{string,trim_l,2},{string,trim,3}]}
%% expect: string:trim[[-1,32],trailing] [-1]
%% expect: string:chomp[[1099511627776,10]] [1099511627776]
%% expect: string:take[x,[97]] {function_clause,[{string,take_l,[x,[97],[]]}]}
%% expect: string:take[[97],[98],x] {function_clause,[{string,take,[[97],[98],x,leading]}]}
%% expect: string:take[[97],[],x] {{case_clause,{x,leading}},[{string,take,4}]}
%% expect: string:take[x,[]] {[],x}
%% expect: string:take[[97],x] {badarg,[{lists,member,[97,x]},{string,take_l,3}]}
%% expect: string:take[<<97,98>>,[97],false,trailing] {<<97,98>>,<<>>}
%% expect: string:take[<<>>,[]] {<<>>,<<>>}
%% expect: string:lexemes[[97,98],[x]] {function_clause,[{unicode_util,cp,[x]},{string,search_cp,1},{string,search_pattern,1},{string,lexemes,2}]}
%% expect: string:lexemes[[97,98],x] {function_clause,[{string,lexemes,[[97,98],x]}]}
%% expect: string:lexemes[[-1,97],[97]] [[-1]]
%% expect: string:nth_lexeme[[97,98],1,[x]] {function_clause,[{unicode_util,cp,[x]},{string,search_cp,1},{string,search_pattern,1},{string,nth_lexeme,3}]}
%% expect: string:prefix[[97],x] {badarg,[{unicode,characters_to_list,[x]},{string,prefix,2}]}
%% expect: string:prefix[[97],<<255>>] {function_clause,[{string,prefix_1,[[97],{error,[],<<255>>}]},{string,prefix,2}]}
%% expect: string:find[[97,98,99],[98],x] {function_clause,[{string,find,[[97,98,99],[98],x]}]}
%% expect: string:find[[97,98,99],x] {badarg,[{unicode,characters_to_list,[x]},{string,find,3}]}
%% expect: string:find[[-1,97,98],[97]] [97,98]
%% expect: string:split[[97,98,99],x] {badarg,[{unicode,characters_to_list,[x]},{string,split,3}]}
%% expect: string:split[[-1,97,98],[97]] [[-1],[98]]
%% expect: string:next_codepoint[x] {function_clause,[{unicode_util,cp,[x]}]}
%% expect: string:next_grapheme[[a,b]] {function_clause,[{unicode_util,cpl,[a,[b]]},{unicode_util,gc,1}]}
%% expect: string:next_grapheme[[-1]] [-1]
%% expect: string:to_integer[[-1]] {error,no_integer}
%% expect: string:copies[[a|b],2] {badarg,[{erlang,'++',[[a|b],[]]},{string,copies,3}]}
%% expect: string:copies[[97,98],-1] {function_clause,[{string,copies,[[97,98],-1]}]}
%% expect: string:centre[[97,98],-1] {function_clause,[{string,substr,[[97,98],2,-1]}]}
%% expect: string:strip[x] {function_clause,[{string,strip_left,[x,32]},{string,strip,2}]}
%% expect: string:strip[[97],middle] {function_clause,[{string,strip,[[97],middle]}]}
%% expect: string:sub_word[x,1] {function_clause,[{string,strip_left,[x,32]},{string,strip,3},{string,words,2},{string,sub_word,3}]}
%% expect: string:sub_word[[97,32,98],0] {function_clause,[{string,s_word,[[97,32,98],0,32,1,[]]}]}
%% expect: string:sub_word[[32,97,32,98,32,99],2] [98]
%% expect: string:tokens[x,[97]] {function_clause,[{lists,reverse,[x]},{string,tokens,2}]}
%% expect: string:tokens[[1,2|3],[97]] {badarg,[{lists,reverse,[3,[2,1]]},{lists,reverse,1},{string,tokens,2}]}
%% expect: string:str[[1,2],[1,2|3]] {function_clause,[{string,l_prefix,[3,[]]},{string,str,3}]}
%% expect: unicode_util:cp[x] {function_clause,[{unicode_util,cp,[x]}]}
%% expect: unicode_util:cp[[x]] {function_clause,[{unicode_util,cp,[x]}]}
%% expect: unicode_util:cp[[x,y]] {function_clause,[{unicode_util,cpl,[x,[y]]}]}
%% expect: unicode_util:cp[[[x]|y]] {function_clause,[{unicode_util,cpl,[x,y]}]}
%% expect: unicode_util:cp[[[[]],x]] {function_clause,[{unicode_util,cp,[x]}]}
%% expect: unicode_util:cp[<<1:3>>] {function_clause,[{unicode_util,cp,[<<1:3>>]}]}
%% expect: unicode_util:cp[[<<97,255>>,1]] [97,<<255>>,1]
%% expect: unicode_util:cp[[<<255>>,1]] {error,[<<255>>,1]}
%% expect: unicode_util:cp[[-1,2]] [-1,2]
%% expect: unicode_util:cp[[[],[-1]]] [-1]
%% expect: unicode_util:gc[x] {function_clause,[{unicode_util,cp,[x]},{unicode_util,gc,1}]}
%% expect: unicode_util:gc[[x]] {function_clause,[{unicode_util,cp,[x]},{unicode_util,gc,1}]}
%% expect: unicode_util:gc[[x,y]] {function_clause,[{unicode_util,cpl,[x,[y]]},{unicode_util,gc,1}]}
%% expect: unicode_util:gc[[[x]|y]] {function_clause,[{unicode_util,cpl,[x,y]},{unicode_util,gc,1}]}
%% expect: unicode_util:gc[[[[]],x]] {function_clause,[{unicode_util,cp,[x]},{unicode_util,gc,1}]}
%% expect: unicode_util:gc[<<1:3>>] {function_clause,[{unicode_util,cp,[<<1:3>>]},{unicode_util,gc,1}]}
%% expect: unicode_util:gc[[<<97,255>>,1]] [97,<<255>>,1]
%% expect: unicode_util:gc[[<<255>>,1]] {error,[<<255>>,1]}
%% expect: unicode_util:gc[[-1,2]] [-1,2]
%% expect: unicode_util:gc[[[],[-1]]] [-1]
%% expect: calendar:valid_date[2000,1,x] {function_clause,[{calendar,valid_date,[2000,1,x]}]}
%% expect: calendar:now_to_datetime[x] {function_clause,[{calendar,now_to_datetime,[x]}]}
%% expect: calendar:time_difference[x,y] {function_clause,[{calendar,time_difference,[x,y]}]}
%% expect: calendar:last_day_of_the_month[2000,13] {function_clause,[{calendar,last_day_of_the_month1,[2000,13]}]}
%% expect: filename:pathtype[1] {function_clause,[{filename,pathtype,[1]}]}
%% expect: filename:join[a,1] {function_clause,[{filename,join,[[97],1]}]}
%% expect: rand:seed[x] {function_clause,[{rand,mk_alg,[x]},{rand,seed_s,2},{rand,seed,1}]}
%% expect: io_lib:write_string[x] {function_clause,[{io_lib,write_string1,[unicode_as_unicode,x,34]},{io_lib,write_string,2}]}
%% expect: io_lib:write_latin1_string[[1024]] {function_clause,[{io_lib,string_char,[latin1,1024,34,[34]]},{io_lib,write_latin1_string,2}]}
%% expect: lists:keyfind[a,576460752303423488,[]] {badarg,[{lists,keyfind,[a,576460752303423488,[]]}]}
%% expect: site_config ["/etc/xdg/app/1"]
%% expect: site_data ["/usr/local/share/app/1","/usr/share/app/1"]
-module(what_is_no_string_fails_where_otp_says).
-export([main/0]).

main() ->
    [call(string, F, Args) || {F, Args} <- [
        {length, [x]}, {length, [[a, b]]}, {length, [[1, 2 | x]]}, {length, [[-1, $a]]}, {to_graphemes, [x]}, {to_graphemes, [[1 bsl 40]]},
        {reverse, [[a | b]]}, {reverse, [[-1, 2]]}, {reverse, [<<255>>]}, {equal, ["ab", x]}, {equal, [x, y]}, {equal, [[], x]}, {equal, [<<"a">>, [a]]},
        {equal, ["a", <<255>>]}, {equal, [[1, 2 | 3], [9]]}, {lowercase, [x]}, {lowercase, [[-1]]}, {titlecase, [[a, b]]}, {casefold, [[1 bsl 40]]},
        {slice, [x, 1]}, {slice, ["abc", a]}, {slice, [[-1, $a, $b], 1]}, {pad, [x, 3]}, {pad, ["a", 3, middle]}, {pad, [[-1], 3]}, {trim, [x]},
        {trim, ["a", both, x]}, {trim, [[a]]}, {trim, [[-1, $\s], trailing]}, {chomp, [[1 bsl 40, $\n]]}, {take, [x, "a"]}, {take, ["a", "b", x]}, {take, ["a", [], x]},
        {take, [x, []]}, {take, ["a", x]}, {take, [<<"ab">>, "a", false, trailing]}, {take, [<<>>, []]}, {lexemes, ["ab", [x]]}, {lexemes, ["ab", x]}, {lexemes, [[-1, $a], "a"]},
        {nth_lexeme, ["ab", 1, [x]]}, {prefix, ["a", x]}, {prefix, ["a", <<255>>]}, {find, ["abc", "b", x]}, {find, ["abc", x]},
        {find, [[-1, $a, $b], "a"]}, {split, ["abc", x]}, {split, [[-1, $a, $b], "a"]}, {next_codepoint, [x]}, {next_grapheme, [[a, b]]}, {next_grapheme, [[-1]]},
        {to_integer, [[-1]]}, {copies, [[a | b], 2]}, {copies, ["ab", -1]}, {centre, ["ab", -1]}, {strip, [x]}, {strip, ["a", middle]}, {sub_word, [x, 1]},
        {sub_word, ["a b", 0]}, {sub_word, [" a b c", 2]}, {tokens, [x, "a"]}, {tokens, [[1, 2 | 3], "a"]}, {str, [[1, 2], [1, 2 | 3]]}]],
    [call(unicode_util, F, [S]) || F <- [cp, gc], S <- [x, [x], [x, y], [[x] | y], [[[]], x], <<1:3>>, [<<"a", 255>>, 1], [<<255>>, 1], [-1, 2], [[], [-1]]]],
    [call(M, F, Args) || {M, F, Args} <- [{calendar, valid_date, [2000, 1, x]}, {calendar, now_to_datetime, [x]}, {calendar, time_difference, [x, y]},
                                          {calendar, last_day_of_the_month, [2000, 13]}, {filename, pathtype, [1]}, {filename, join, [a, 1]}, {rand, seed, [x]}, {io_lib, write_string, [x]},
                                          {io_lib, write_latin1_string, [[1024]]}, {lists, keyfind, [a, 1 bsl 59, []]}]],
    [io:format("~p ~p~n", [K, filename:basedir(K, "app", #{version => "1"})]) || K <- [site_config, site_data], os:getenv("XDG_CONFIG_DIRS") =:= false].

call(M, F, Args) -> io:format("~w:~w~w ~w~n", [M, F, Args, outcome(M, F, Args)]).

outcome(M, F, Args) ->
    try apply(M, F, Args)
    catch error:Reason:Stack -> {Reason, [entry(E) || E <- lists:takewhile(fun(E) -> element(1, E) =/= ?MODULE end, Stack)]}
    end.

entry({M, F, Args, _}) -> {M, F, Args}.

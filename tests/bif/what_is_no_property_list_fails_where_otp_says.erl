%% Property lists that are none: reason and trace. (OTP 25.)
%% expect: get_bool[a,x] {function_clause,[{proplists,get_bool,[a,x]}]}
%% expect: get_bool[a,[b|x]] {function_clause,[{proplists,get_bool,[a,x]}]}
%% expect: get_bool[a,[{a,true}]] true
%% expect: get_bool[a,[{a,true,1},a]] false
%% expect: is_defined[a,[b|x]] {function_clause,[{proplists,is_defined,[a,x]}]}
%% expect: get_all_values[a,[a,{a,1},{b,2},{a,3,4}]] [true,1]
%% expect: get_all_values[a,[a|x]] {function_clause,[{proplists,get_all_values,[a,x]},{proplists,get_all_values,2}]}
%% expect: append_values[a,[a,{a,[1,2]},{a,3}]] [true,1,2,3]
%% expect: append_values[a,x] {function_clause,[{proplists,append_values,[a,x]}]}
%% expect: normalize[[a],x] {function_clause,[{proplists,apply_stages,[[a],x]},{proplists,normalize,2}]}
%% expect: to_map[[a],x] {function_clause,[{proplists,apply_stages,[[a],x]},{proplists,to_map,2}]}
%% expect: split[[a|x],[a]] {function_clause,[{proplists,split,[x,#{a => [a]},[]]},{proplists,split,2}]}
%% expect: split[[a,{b,1},c],[b]] {[[{b,1}]],[a,c]}
%% expect: expand[x,[a]] {{bad_generator,x},[{proplists,'-expand/2-lc$^0/1-0-',1},{proplists,expand,2}]}
%% expect: expand[[x,{a,[b,c]}],[a,d]] [b,c,d]
%% expect: expand[[{a,[b]}],x] {function_clause,[{proplists,expand,[[{a,[b]}],x]}]}
%% expect: lookup[a,x] {function_clause,[{proplists,lookup,[a,x]}]}
%% expect: delete[a,x] {function_clause,[{proplists,delete,[a,x]}]}
-module(what_is_no_property_list_fails_where_otp_says).
-export([main/0]).

main() ->
    [io:format("~w~w ~w~n", [F, Args, outcome(F, Args)])
     || {F, Args} <- [{get_bool, [a, x]}, {get_bool, [a, [b | x]]}, {get_bool, [a, [{a, true}]]}, {get_bool, [a, [{a, true, 1}, a]]}, {is_defined, [a, [b | x]]},
                      {get_all_values, [a, [a, {a, 1}, {b, 2}, {a, 3, 4}]]}, {get_all_values, [a, [a | x]]}, {append_values, [a, [a, {a, [1, 2]}, {a, 3}]]},
                      {append_values, [a, x]}, {normalize, [[a], x]}, {to_map, [[a], x]}, {split, [[a | x], [a]]}, {split, [[a, {b, 1}, c], [b]]},
                      {expand, [x, [a]]}, {expand, [[x, {a, [b, c]}], [a, d]]}, {expand, [[{a, [b]}], x]}, {lookup, [a, x]}, {delete, [a, x]}]].

outcome(F, Args) ->
    try apply(proplists, F, Args)
    catch error:Reason:Stack -> {Reason, [entry(E) || E <- lists:takewhile(fun(E) -> element(1, E) =/= ?MODULE end, Stack)]}
    end.

entry({M, F, Args, _}) -> {M, F, Args}.

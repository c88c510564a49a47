%% What OTP takes besides what its manual says: a comma in a float, lists of options with any end.
-module(a_comma_is_a_point_and_options_end_anyhow).
-export([main/0]).
t(F) -> try F() catch C:E -> {C, E} end.
main() ->
 [io:format("~p ~p~n", [L, t(fun() -> list_to_float(L) end)]) || L <- ["1,0","-1,5","1,5e3","1,","1,.0","1.,0","1,0,0",",5"]],
 [io:format("~p ~p~n", [L, t(fun() -> string:to_float(L) end)]) || L <- ["1,0","-1,5","1,5e3","1,","1,.0","1,0,0",",5","1,0x"]],
 [io:format("~p ~p~n", [L, t(fun() -> io_lib:fread("~f", L) end)]) || L <- ["1,0","-1,5"]],
 [io:format("~p ~p ~p ~p~n", [O, t(fun() -> binary:split(<<"a:b">>, <<":">>, O) end), t(fun() -> binary:replace(<<"a:b">>, <<":">>, <<>>, O) end), t(fun() -> binary:match(<<"a:b">>, <<":">>, O) end)]) || O <- [[global|foo],[foo|global],[trim|x],foo,[{scope,{0,1}}|y],[global,trim_all|z],[{insert_replaced,0}|q],[{scope,{0,9}}|y],[trim]]].

%% expect: "1,0" 1.0
%% expect: "-1,5" -1.5
%% expect: "1,5e3" 1.5e3
%% expect: "1," {error,badarg}
%% expect: "1,.0" {error,badarg}
%% expect: "1.,0" {error,badarg}
%% expect: "1,0,0" {error,badarg}
%% expect: ",5" {error,badarg}
%% expect: "1,0" {1.0,[]}
%% expect: "-1,5" {-1.5,[]}
%% expect: "1,5e3" {1.5e3,[]}
%% expect: "1," {error,no_float}
%% expect: "1,.0" {error,no_float}
%% expect: "1,0,0" {1.0,",0"}
%% expect: ",5" {error,no_float}
%% expect: "1,0x" {1.0,"x"}
%% expect: "1,0" {error,{fread,float}}
%% expect: "-1,5" {error,{fread,float}}
%% expect: [global|foo] [<<"a">>,<<"b">>] {error,badarg} {error,badarg}
%% expect: [foo|global] {error,badarg} {error,badarg} {error,badarg}
%% expect: [trim|x] [<<"a">>,<<"b">>] {error,badarg} {error,badarg}
%% expect: foo {error,badarg} {error,badarg} {error,badarg}
%% expect: [{scope,{0,1}}|y] [<<"a:b">>] {error,badarg} nomatch
%% expect: [global,trim_all|z] [<<"a">>,<<"b">>] {error,badarg} {error,badarg}
%% expect: [{insert_replaced,0}|q] {error,badarg} {error,badarg} {error,badarg}
%% expect: [{scope,{0,9}}|y] {error,badarg} {error,badarg} {error,badarg}
%% expect: [trim] [<<"a">>,<<"b">>] {error,badarg} {error,badarg}
